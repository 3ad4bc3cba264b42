"""The words of the table screen: whose turn it is, what the line at the prompt means, how the game ended."""

from typing import Final

from quadrille.client.reports import is_move
from quadrille.client.screen.table.draft import Draft
from quadrille.client.screen.table.model import Model, Question, ShownTable, first_news, shown_match, shown_state
from quadrille.client.table.local import Cover
from quadrille.client.table_setup import is_first_game
from quadrille.client.words.answers import LETTERS, PRESSED, asked
from quadrille.client.words.commands import NO_SEAT, by_word, offered
from quadrille.client.words.story import by_name, sentence, stopped, story_since, verdict
from quadrille.net.core.spans import clock_text
from quadrille.rules.core import Figures, Over, ToMove
from quadrille.rules.drawing.plain_text import letter
from quadrille.rules.match import Adjudicated, Agreed, Played

_MOST_WORDS: Final = 12
#: Figures whose names alone do not say what they count.
_FIGURES: Final = {"last_coin": "last coin in turn"}


def head_right(model: Model) -> tuple[str, bool]:
    """The right end of the first line, and whether it is to catch the eye."""
    table = model.table
    parts, strong = whose_turn(model)
    if not model.replay:
        parts = f"{'WATCHING  ' if table.is_watched else ''}{'PAUSED  ' if table.rests else ''}{parts}"
    turn = table.turn
    left = table.time_left(turn, model.now) if turn is not None and not model.replay else None
    if left is not None:
        parts += f"  {clock_text(left)}"
    return f"{parts}  {table.link}", strong


def whose_turn(model: Model) -> tuple[str, bool]:
    """Who is to move, and whether that is somebody here."""
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
            return asked(text), True
        case Cover(seat):
            return (
                f"{model.notice} Press Enter, then hand over to {letter(seat)} {model.table.called(seat)}.".strip(),
                False,
            )
    if model.notice:
        if (over := model.table.match.over) and not model.alarm and not model.replay:
            return f"{stopped(model.notice)} {_over_text(model.table, over)}", False
        return model.notice, model.alarm
    if model.replay and (number := model.line.text.strip()).isdecimal():
        return f"Enter goes to move {number} of {len(model.table.match.entries)}.", False
    if model.replay:
        where = "leaves" if model.table.is_record else "leads back"
        return f"left, right step; Space runs; Enter plays on from here; Esc {where}.", False
    if model.table.banner and not model.line.text.strip():
        return _banner(model), True
    if words := _command(model, found):
        return words, False
    return _about_move(model, found)


def touch_message(model: Model, found: Draft) -> tuple[str, bool]:
    """The same where there are no keys: what others ask is asked apart, and buttons say what can be done."""
    table = model.table
    over = None if model.replay else table.match.over
    if over and not model.alarm:
        return f"{stopped(model.notice) if model.notice else ''} {_ending(table, over)}".strip(), False
    if model.notice:
        return model.notice, model.alarm
    if model.replay:
        return "", False
    if table.banner and not table.asks:
        return table.banner, True
    if table.turn is None:
        return f"{turning_cards(table)}.", False
    match found.stage:
        case "legal":
            return f"{model.line.text.strip()} is legal{_gain(model, found)}.", False
        case "begun":
            return sentence(found.says) if found.says else "", False
        case "wrong" | "foreign" if table.is_mine:
            return sentence(by_name(found.says, table.called)), True
    invites = _awaited(table)
    if table.is_mine:
        invites = "Touch a marked place." if found.nexts else "Choose a move."
    return " ".join(filter(None, (_story(model), invites))), False


def _banner(model: Model) -> str:
    """What concerns this person; while the cursor is on the board, Enter and Esc do not answer it."""
    banner, on_board = model.table.banner, model.focus == "board" and bool(model.cursor)
    return asked(banner, LETTERS if on_board else PRESSED) if model.table.asks else banner


def turning_cards(table: ShownTable) -> str:
    """What is done while nobody is to move, and whose part in it is awaited."""
    said = "Cards are being turned"
    if table.awaits is None or table.awaits == table.viewer:
        return said
    return f"{said}: {table.called(table.awaits)} is awaited"


def _command(model: Model, found: Draft) -> str:
    """What a word of ours does, while it is typed."""
    text = model.line.text
    word = text.split(" ")[0].lower()
    if not word or found.stage == "legal" or is_move(model.table.match, text):
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
    if over := table.match.over:
        return _over_text(table, over), False
    if table.turn is None:
        types = bool(model.line.text.strip()) and not table.is_watched
        kept = " Your line is kept until your turn." if types else ""
        return f"{turning_cards(table)}.{kept}", False
    if found.stage == "legal":
        return f"{model.line.text.strip()} is legal{_gain(model, found)}. Enter plays it.", False
    if found.stage == "begun":
        more = " …" if len(found.words) > _MOST_WORDS else ""
        words = f"Tab: {'  '.join(found.words[:_MOST_WORDS])}{more}" if found.words else ""
        return f"{sentence(found.says) if found.says else ''} {words}".strip(), False
    if found.stage in ("wrong", "foreign"):
        return sentence(by_name(found.says, table.called)), True
    if model.line.text.strip():
        why = NO_SEAT.get(table.place, "It is not your turn. Your line is kept until it is")
        return f"{why}.", False
    return " ".join(filter(None, (_story(model), _lesson(table), _invitation(model, found)))), False


def _story(model: Model) -> str:
    """What the moves did that counts, from the last one of a person here on; a person who looks on hears of one."""
    match, first = shown_match(model), first_news(model)
    before = match.entries[first - 1] if first else None
    own = isinstance(before, Played) and before.seat in model.table.mine
    return story_since(match, first - own, model.table.called)


def _lesson(table: ShownTable) -> str:
    """The aim at the first move of a first game, and a tip at each of the next ones."""
    match = table.match
    if not table.is_mine or not table.local or not is_first_game(match, [chair.bot for chair in table.chairs]):
        return ""
    made = sum(isinstance(entry, Played) and entry.seat in table.mine for entry in match.entries)
    told = (match.game.lesson.goal, *(f"Tip: {tip}" for tip in match.game.lesson.tips))
    return told[made] if made < len(told) else ""


def _invitation(model: Model, found: Draft) -> str:
    """What can be done when nothing is typed."""
    table = model.table
    if table.paused:
        return "Paused. F8 continues."
    if not table.is_mine:
        return _awaited(table)
    example = next(iter(found.words), "")
    such = f", such as {example}" if example else ""
    if not found.nexts:
        return f"Type a move{such}, or choose one with arrows or mouse."
    return f"Type a move{such}, or choose a marked place with arrows or mouse."


def _awaited(table: ShownTable) -> str:
    """Whose move it is."""
    who = table.called(table.turn or 0)
    return f"{who} is thinking." if table.chairs[table.turn or 0].bot else f"It is the turn of {who}."


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


def _over_text(table: ShownTable, over: Over) -> str:
    """How it ended, in a line, with the keys that go on."""
    rematch = "F6 rematch, " if "rematch" in by_word(table.place) else ""
    return f"{_ending(table, over)} {rematch}F5 replay, F7 save."


def _ending(table: ShownTable, over: Over) -> str:
    """Who has won, by what, and why it is over."""
    own = table.mine[0] if len(table.mine) == 1 else None
    told = verdict(table.match, over, table.called, own)
    why = by_name(over.reason, table.called)
    why = sentence(why) if isinstance(table.match.entries[-1], Agreed | Adjudicated) else f"The game is over: {why}."
    return f"{told} {why}"
