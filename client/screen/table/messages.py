"""What the screen tells in words: whose turn it is, what the line at the prompt means, what came of something."""

from typing import Final

from quadrille.client.clocks import clock_text
from quadrille.client.screen.table.draft import Draft
from quadrille.client.screen.table.model import Cover, Model, Question, Table, shown_state
from quadrille.client.words.commands import NO_SEAT, offered
from quadrille.rules.core import Figures, ToMove
from quadrille.rules.plain_text import letter

_MOST_WORDS: Final = 12
#: Figures whose names alone do not say what they count.
_FIGURES: Final = {"last_coin": "last coin in turn"}


def head_right(model: Model) -> tuple[str, bool]:
    """The right end of the first line, and whether it is to catch the eye."""
    table = model.table
    parts, strong = _whose_turn(model)
    if not model.replay:
        parts = f"{'WATCHING  ' if table.is_watched else ''}{'PAUSED  ' if table.rests else ''}{parts}"
    turn = table.turn
    left = table.time_left(turn, model.now) if turn is not None and not model.replay else None
    if left is not None:
        parts += f"  {clock_text(left)}"
    return f"{parts}  {table.link}", strong


def _whose_turn(model: Model) -> tuple[str, bool]:
    table, turn = model.table, model.table.turn
    if model.replay:
        return f"REPLAY {model.replay.at} of {len(table.match.entries)}", False
    if table.paused:
        return "PAUSED", False
    if turn is None:
        return ("OVER", True) if table.match.over else ("CARDS", False)
    if table.is_mine:
        several = len(table.mine) > 1
        return (f"TURN OF {letter(turn)}" if several else "YOUR TURN"), True
    return f"{letter(turn)} {table.called(turn)} {'thinks' if table.chairs[turn].bot else 'moves'}", False


def message(model: Model, found: Draft) -> tuple[str, bool]:
    """What is told in the line above the prompt, and whether it is a refusal."""
    match model.overlay:
        case Question(text):
            return f"{text} Enter: yes. Esc: no.", True
        case Cover(seat):
            return f"{model.notice} Enter hides this for {letter(seat)} {model.table.called(seat)}.".strip(), False
    if model.notice:
        over = _over_text(model.table) if model.table.match.over and not model.alarm and not model.replay else ""
        return f"{model.notice} {over}".strip(), model.alarm
    if model.replay:
        where = "leaves" if model.table.is_record else "leads back"
        return f"left, right step; Space runs; Enter plays on from here; Esc {where}.", False
    if model.table.banner and not model.line.text.strip():
        return model.table.banner, True
    if words := _command(model, found):
        return words, False
    return _about_move(model, found)


def _command(model: Model, found: Draft) -> str:
    """What a word of ours does, while it is typed."""
    text = model.line.text
    word = text.split(" ")[0].lower()
    if not word or found.stage == "legal":
        return ""
    there = offered(model.table.place)
    fitting = [one for one in there if one.word.startswith(word) and (one.word == word or " " not in text)]
    if not fitting or (found.stage == "begun" and fitting[0].word != word):
        return ""
    if len(fitting) == 1 or fitting[0].word == word:
        return f"{fitting[0].typed}: {fitting[0].help}."
    return "Tab: " + "  ".join(one.word for one in fitting)


def _about_move(model: Model, found: Draft) -> tuple[str, bool]:
    table = model.table
    if table.turn is None:
        return _over_text(table), False
    if found.stage == "legal":
        return f"{model.line.text.strip()} is legal{_gain(model, found)}. Enter plays it.", False
    if found.stage == "begun":
        more = " …" if len(found.words) > _MOST_WORDS else ""
        words = f"Tab: {'  '.join(found.words[:_MOST_WORDS])}{more}" if found.words else ""
        stop = "" if not found.says or found.says.endswith("?") else "."
        return f"{found.says}{stop} {words}".strip(), False
    if found.stage in ("wrong", "foreign"):
        return found.says, True
    if model.line.text.strip():
        why = NO_SEAT.get(table.place, "It is not your turn: this is kept until it is")
        return f"{why}.", False
    return _invitation(model, found), False


def _invitation(model: Model, found: Draft) -> str:
    """What can be done when nothing is typed."""
    table = model.table
    if table.paused:
        return "Paused: pause once more (F8) goes on."
    if not table.is_mine:
        who = table.called(table.turn or 0)
        return f"{who} is thinking." if table.chairs[table.turn or 0].bot else f"It is the turn of {who}."
    example = next(iter(found.words), "")
    such = f" ({example})" if example else ""
    if not found.nexts:
        return f"Type a move{such}, or pick one with the arrows or the mouse."
    return f"Type a move{such}, or pick one that is marked with the arrows or the mouse."


def _gain(model: Model, found: Draft) -> str:
    """Which figures a legal move changes: `: points 10 -> 14`."""
    state = shown_state(model)
    pending = state.pending
    if found.after is None or not isinstance(pending, ToMove):
        return ""
    before, after = (_own_figures(figures, pending.seat) for figures in (state.figures(), found.after.figures()))
    changes = [
        f"{_FIGURES.get(name, name.replace('_', ' '))} {before[name]} → {after[name]}"
        for name in before
        if before[name] != after[name]
    ]
    return f": {', '.join(changes)}" if changes else ""


def _own_figures(figures: Figures, seat: int) -> dict[str, int]:
    """The figures of a seat, and those that are the table's."""
    own = {name: row if isinstance(row, int) else row[seat] for name, row in figures.items()}
    return {name: number for name, number in own.items() if isinstance(number, int)}


def _over_text(table: Table) -> str:
    """How it ended, in a line."""
    over = table.match.over
    if over is None:
        return "A card or a coin is owed."
    first = [f"{letter(seat)} {table.called(seat)}" for seat, place in enumerate(over.places) if place == 1]
    who = f"{', '.join(first[:-1])} and {first[-1]} share the first place" if first[1:] else f"{first[0]} wins"
    if len(first) == 1 and over.places.index(1) in table.mine and len(table.mine) == 1:
        who = "You win"
    return f"{who}: {over.reason}. F6 rematch, F5 replay, F7 save."
