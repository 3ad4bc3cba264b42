"""The effect of every event on the screen: `update(model, event) -> (model, effects)`, pure.

A key goes to an overlay, else to the replay, the commands, the board's cursor, the line. See commands.py for
commands, and local.py for the wishes that a local table grants.
"""

import re
from dataclasses import replace
from typing import Final

from quadrille.client.screen.draw.canvas import ClickTarget
from quadrille.client.screen.table import local, terminal
from quadrille.client.screen.table.commands import act, grant, submit, wished
from quadrille.client.screen.table.draft import drop, pick, tidy
from quadrille.client.screen.table.draw import current_draft, draw, scene_of
from quadrille.client.screen.table.line_keys import (
    Line,
    after_answer,
    answered,
    completed,
    edited,
    heard,
    recalled,
    stepped,
)
from quadrille.client.screen.table.model import (
    Changed,
    Effects,
    Entered,
    Event,
    LookedBack,
    Menu,
    Model,
    Picked,
    Question,
    Replay,
    Touch,
    Written,
    shown_match,
    shown_state,
)
from quadrille.client.screen.table.overlays import in_menu
from quadrille.client.screen.table.page import Page, turned
from quadrille.client.table.effects import Wake
from quadrille.client.table.local import Cover
from quadrille.client.table.wishes import BareWish, Begin, StayAfterAll, TimeIs, Uncover
from quadrille.client.words.answers import meaning, pressed
from quadrille.client.words.commands import COMMANDS, Command, Place, by_key, by_word, no_seat
from quadrille.rules.match import Played

#: Keys of commands at a table; a command that makes no sense is refused with a reason.
KEYS: Final = by_key(Place.OWN)
ARROWS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
PACE: Final = 700
_SECOND: Final = 1000
#: Entries by which a key steps in a replay; the longest steps reach the end of any game.
_STEPS: Final = {
    "left": -1, "right": 1, "up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6,
}  # fmt: skip


def update(model: Model, event: Event) -> tuple[Model, Effects]:
    after, effects = _updated(model, event)
    if after.table.match.over and after.cursor:  # nothing can be picked any more
        after = replace(after, cursor="", picked="", focus="line")
    return after, effects


def _updated(model: Model, event: Event) -> tuple[Model, Effects]:
    match event:
        case terminal.Key("c-q" | "c-c" | "<sigint>"):
            return act(model, COMMANDS["quit"], "")
        case terminal.Key() | terminal.Wheel() if isinstance(model.overlay, Page):
            return replace(model, overlay=turned(model.overlay, event, model.rows, model.columns)), ()
        case terminal.Key(name):
            return _key(model, name)
        case terminal.Pasted(text) if isinstance(model.overlay, Question) and meaning(text) is not None:
            return _question_key(model, model.overlay, text.strip())
        case terminal.Pasted():
            return replace(heard(model, event), focus="line"), ()
        case terminal.Resized() | terminal.Told():
            return heard(model, event), ()
        case terminal.Click(does, name):
            return _clicked(model, does, name)
        case terminal.Wheel(up) if isinstance(model.overlay, Menu) or model.replay:
            return _key(model, ("up" if up else "down") if model.overlay else ("left" if up else "right"))
        case terminal.Tick(now):
            return _tick(replace(model, now=now))
        case Changed():
            return _table_changed(model, event)
        case Picked() | Written() | Entered() | LookedBack():
            return _touched(model, event)
        case terminal.Begun() if model.table.is_record:
            return model, (terminal.Entitle(model.table.match.game.title),)
        case terminal.Begun():
            return local.grant(model, Begin()) if model.table.local else (model, _clock(model))
        case terminal.Wheel():
            return model, ()
    return local.grant(model, event)


def _touched(model: Model, event: Touch) -> tuple[Model, Effects]:
    """Take input from screens without keys."""
    match event:
        case Picked(place):
            return (_picked(model, place) if place in scene_of(shown_state(model)).places else model), ()
        case Written(line):
            return replace(model, line=Line.of(line), picked="", focus="board", notice="", alarm=False), ()
        case Entered(line):
            after, effects = submit(replace(model, line=Line.of(line), overlay=None, notice="", alarm=False))
            return (after if after.line.text else replace(after, line=model.line, picked=model.picked)), effects
        case LookedBack(int(at)):
            replay = Replay(max(0, min(at, len(model.table.match.entries))))
            return replace(model, replay=replay, line=Line(), picked="", notice="", alarm=False), ()
    return local.looked_back(model) if model.replay else (model, ())


def _table_changed(model: Model, event: Changed) -> tuple[Model, Effects]:
    """Show a changed network table; typed text stays."""
    before, table = model.table, event.table
    moved = (before.match.opening, before.match.entries) != (table.match.opening, table.match.entries)
    after = replace(model, table=table, ticket=model.ticket + moved, picked="" if moved else model.picked)
    if event.notice:
        after = replace(after, notice=event.notice, alarm=event.alarm)
    elif (table.is_mine and not before.is_mine) or (table.match.over and not before.match.over):
        after = replace(after, notice="")  # reported before others moved
    if isinstance(after.overlay, Menu) and in_menu(after) != in_menu(model):
        after = replace(after, overlay=None)
    ring = (terminal.Ring(),) if table.is_mine and not before.is_mine else ()
    return after, (*ring, *_clock(after))


def _clock(model: Model) -> Effects:
    table = model.table
    if table.clocks is None:
        return ()
    if table.local:
        return (Wake(0),)
    return (Wake(_SECOND),) if table.runs else ()


def _tick(model: Model) -> tuple[Model, Effects]:
    """Let time pass: for the clocks, and for a running replay."""
    timed = model.table.local and model.table.clocks
    model, effects = local.grant(model, TimeIs(model.now)) if timed else (model, _clock(model))
    replay = model.replay
    if replay is None or not replay.runs:
        return model, effects
    at, last = replay.at + 1, len(model.table.match.entries)
    if at >= last:
        return replace(model, replay=Replay(last)), effects
    return replace(model, replay=Replay(at, runs=True)), (*effects, Wake(PACE))


# Keys


def _key(model: Model, key: str) -> tuple[Model, Effects]:
    model, ends = after_answer(model, key, letter_ends=model.overlay is None)
    if ends:
        return model, ()
    match model.overlay:
        case Menu():
            return _menu_key(model, model.overlay, key)
        case Question():
            return _question_key(model, model.overlay, key)
        case Cover():
            return local.grant(model, Uncover()) if key == "enter" else (model, ())
    if command := _command(model, key):
        return act(model, command, "")
    if _answers(model, key):
        return _answered(model, key)
    if model.replay and (not model.line.text or key in ARROWS):
        found = _replay_key(model, model.replay, key)
        if found is not None:
            return found
    return _board_key(replace(model, notice="", alarm=False) if not model.replay else model, key)


def _command(model: Model, key: str) -> Command | None:
    """Return the command of a key; None if it has none. In a lesson some keys have commands of their own."""
    return (by_key(model.table.place) if model.table.lesson else {}).get(key, KEYS.get(key))


def _board_key(model: Model, key: str) -> tuple[Model, Effects]:
    """Take a key of the board or the line."""
    on_board = model.focus == "board" and bool(model.cursor)
    match key:
        case "up" | "down" | "left" | "right":
            return _moved_cursor(model, ARROWS[key]), ()
        case "enter" if on_board:
            return _chosen(model)
        case "enter":
            return submit(model)
        case " " if on_board:
            return _picked(model, model.cursor), ()
        case "backspace" | "c-h" if model.focus == "board" and not model.line.selected:
            shorter = drop(shown_state(model), model.line.text) if model.table.is_mine else ""
            return replace(model, line=Line.of(shorter), picked=""), ()
        case "escape":
            cursor = model.cursor if model.line.text else ""
            return replace(model, line=Line(), cursor=cursor, picked="", notice=""), ()
        case "tab":
            return _completed(model), ()
        case "c-p" | "c-n":
            return replace(recalled(model, key), focus="line"), ()
    # A move typed after another was picked replaces it.
    afresh = on_board and key.isalnum() and len(key) == 1 and current_draft(model).stage == "legal"
    line = edited(Line() if afresh else model.line, key)
    return (model if line is None else replace(model, line=line, focus="line", picked="")), ()


def _menu_key(model: Model, overlay: Menu, key: str) -> tuple[Model, Effects]:
    if key in ("escape", "f10"):
        return replace(model, overlay=None), ()
    if key == "enter":
        return _menu_choice(model, overlay.at)
    if command := _command(model, key):
        return act(replace(model, overlay=None), command, "")
    at = stepped(overlay.at, key, len(in_menu(model)))
    return (model if at is None else replace(model, overlay=Menu(at))), ()


def _menu_choice(model: Model, number: int) -> tuple[Model, Effects]:
    """Carry out a command of the menu; put one with an argument at the prompt, to be completed there."""
    command = in_menu(model)[number]
    closed = replace(model, overlay=None)
    if command.takes and not command.takes.startswith("[") and command.word != "save":
        return replace(closed, line=Line.of(f"{command.word} "), focus="line", notice=""), ()
    return act(closed, command, "")


def _question_key(model: Model, overlay: Question, key: str) -> tuple[Model, Effects]:
    answer = pressed(key)
    if answer is None:
        return model, ()
    if answer:
        after, effects = wished(replace(model, overlay=None), overlay.line, "")
    else:
        after, effects = local.grant(replace(model, overlay=None, notice=""), StayAfterAll())
    return answered(after, key), effects


def _answers(model: Model, key: str) -> bool:
    """Return whether a key answers a question of others, and does not belong to a line, the board or a replay."""
    line = model.line
    if not model.table.asks or (line.text and not line.selected) or model.replay or pressed(key) is None:
        return False
    if key in ("enter", "escape"):  # only if the question is what is shown
        return not (line.text or model.notice or (model.focus == "board" and model.cursor))
    return not any(place.startswith(key.lower()) for place in scene_of(shown_state(model)).places)


def _answered(model: Model, key: str) -> tuple[Model, Effects]:
    """Answer a question of others; it is not shown again before the table reports its new state."""
    after = replace(model, table=replace(model.table, asks=False, banner=""), line=Line(), notice="", alarm=False)
    after, effects = grant(after, BareWish.AGREE if pressed(key) else BareWish.DECLINE)
    return answered(after, key), effects


def _replay_key(model: Model, replay: Replay, key: str) -> tuple[Model, Effects] | None:
    """Take a key during a replay; return None for one that means nothing there."""
    last = len(model.table.match.entries)
    if key in _STEPS:
        return replace(model, replay=Replay(max(0, min(last, replay.at + _STEPS[key]))), notice=""), ()
    match key:
        case " ":
            if replay.runs:
                return replace(model, replay=Replay(replay.at)), ()
            at = 0 if replay.at == last else replay.at
            return replace(model, replay=Replay(at, runs=True), notice=""), (Wake(PACE),)
        case "escape":
            after, effects = local.looked_back(model)
            return after, (*effects, *_clock(after))
        case "enter":
            return wished(model, "play-on?", "")
    return None


# The board's cursor, and the mouse


def _moved_cursor(model: Model, step: tuple[int, int]) -> Model:
    """Move the cursor to the nearest place in that direction; after the end nothing can be picked."""
    if model.table.match.over:
        return model
    places = [spot for spot in draw(model).spots if spot.does in ("pick", "word")]
    here = next((spot for spot in places if spot.name == model.cursor), None)
    if here is None:
        return replace(model, cursor=_first_place(model, places), focus="board")
    row, column = here.centre

    def far(spot: ClickTarget) -> tuple[int, int] | None:
        down, right = spot.centre[0] - row, spot.centre[1] - column
        along, across = (down * step[0] * 2, right) if step[0] else (right * step[1], down * 2)
        return (along + 3 * abs(across), along) if along > 0 else None

    found = [(distance, spot.name) for spot in places if (distance := far(spot)) is not None]
    return replace(model, cursor=min(found)[1] if found else model.cursor, focus="board")


def _first_place(model: Model, places: list[ClickTarget]) -> str:
    """Return the cursor's first place: the last picked one, else what can be picked nearest to the last move."""
    found = current_draft(model)
    by_name = {spot.name: spot for spot in places}
    if found.path and found.path[-1] in by_name:
        return found.path[-1]
    names = list(by_name)
    wanted = [name for name in names if name in found.nexts] or [line for _, line in found.choices] or names
    moved = [by_name[place] for place in _last_places(model) if place in by_name]
    if not moved:
        return wanted[len(wanted) // 2] if wanted else ""
    row, column = moved[-1].centre

    def far(name: str) -> int:
        return (2 * (by_name[name].centre[0] - row)) ** 2 + (by_name[name].centre[1] - column) ** 2

    return min((name for name in wanted if name in by_name), key=far, default="")


def _last_places(model: Model) -> list[str]:
    """Return the places that the last move names."""
    played = [entry for entry in shown_match(model).entries if isinstance(entry, Played)]
    known = scene_of(shown_state(model)).places
    return [word for word in re.findall(r"\w+", str(played[-1].move)) if word in known] if played else []


def _picked(model: Model, name: str) -> Model:
    """Pick a place or a choice: the line changes."""
    if not model.table.is_mine or model.replay:
        why = f"{no_seat(model.table.place)}." if model.table.is_watched else "It is not your turn."
        return replace(model, notice=why, alarm=True) if not model.replay else model
    words = [line for _, line in current_draft(model).choices]
    line = name if name in words else pick(shown_state(model), model.line.text, name)
    return replace(model, line=Line.of(line), picked=name, cursor=name, focus="board", notice="", alarm=False)


def _chosen(model: Model) -> tuple[Model, Effects]:
    """Enter or a click on a place of the board: pick it; a second time: play."""
    found = current_draft(model)
    if found.stage == "legal" and model.cursor in (model.picked, tidy(model.line.text)):
        return wished(model, "", model.line.text)
    return _picked(model, model.cursor), ()


def _completed(model: Model) -> Model:
    """Complete the line as far as there is only one continuation."""
    text = model.line.text
    found = current_draft(model)
    words = list(found.words)
    if " " not in text:
        words += [word for word in by_word(model.table.place) if word.startswith(text) and text]
    return replace(model, line=completed(model.line, words), focus="line", picked="") if words else model


def _clicked(model: Model, does: str, name: str) -> tuple[Model, Effects]:
    if does == "choice":
        return _menu_choice(model, int(name))
    return (model, ()) if model.overlay else _chosen(replace(model, cursor=name, focus="board", notice=""))
