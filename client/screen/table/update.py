"""What every event does to the screen: `update(model, event) -> (model, effects)`, pure.

Keys find their way here: what lies over the board comes first, then looking back, then the actions, the board's cursor,
and the line. What an action does is in commands.py, what a table does with a wish in local.py.
"""

from dataclasses import replace
from typing import Final

from quadrille.client.screen.draw.canvas import Spot
from quadrille.client.screen.table import local
from quadrille.client.screen.table.commands import act, submit, wished
from quadrille.client.screen.table.draft import drop, pick, tidy
from quadrille.client.screen.table.draw import current_draft, draw
from quadrille.client.screen.table.line_keys import edited, inserted, recalled
from quadrille.client.screen.table.model import (
    Begun,
    Changed,
    Click,
    Cover,
    Effects,
    Entitle,
    Event,
    Key,
    Line,
    Menu,
    Model,
    Page,
    Pasted,
    Question,
    Redraw,
    Replay,
    Resized,
    Ring,
    Suspend,
    Tick,
    Told,
    Wake,
    Wheel,
    shown_state,
)
from quadrille.client.screen.table.page import turned
from quadrille.client.table.wishes import Begin, Stay, TimeIs, Uncover
from quadrille.client.words.commands import COMMANDS, NO_SEAT, Place, by_key, by_word, offered
from quadrille.rules.half import common_start

#: Keys of commands at a table; where a command makes no sense, its refusal says so.
KEYS: Final = by_key(Place.OWN)
ARROWS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
PACE: Final = 700
_SECOND: Final = 1000
_PAGE: Final = 10


def update(model: Model, event: Event) -> tuple[Model, Effects]:
    """The screen after an event, and what is to be done."""
    match event:
        case Key(name):
            return _key(model, name)
        case Pasted(text):
            return replace(model, line=inserted(model.line, text.split("\n")[0]), focus="line", notice=""), ()
        case Click(row, column):
            return _click(model, row, column)
        case Wheel(up):
            return _wheel(model, up=up)
        case Resized(rows, columns):
            return replace(model, rows=rows, columns=columns), ()
        case Tick(now):
            return _tick(replace(model, now=now))
        case Told(text, alarm):
            return replace(model, notice=text, alarm=alarm), ()
        case Changed():
            return _table_changed(model, event)
        case Begun():
            return _begun(model)
    return local.grant(model, event)


def _begun(model: Model) -> tuple[Model, Effects]:
    """The screen is there."""
    if model.table.is_record:
        return model, (Entitle(model.table.match.game.title),)
    return local.grant(model, Begin()) if model.table.local else (model, _clock(model))


def _table_changed(model: Model, event: Changed) -> tuple[Model, Effects]:
    """A table on the network is as it is now; what is typed stays."""
    before, table = model.table, event.table
    moved = (before.match.opening, before.match.entries) != (table.match.opening, table.match.entries)
    after = replace(model, table=table, ticket=model.ticket + moved, picked="" if moved else model.picked)
    if event.notice:
        after = replace(after, notice=event.notice, alarm=False)
    ring = (Ring(),) if table.is_mine and not before.is_mine else ()
    return after, (*ring, *_clock(after))


def _clock(model: Model) -> Effects:
    table = model.table
    if table.timer is not None:
        return (Wake(0),)
    return (Wake(_SECOND),) if table.clocks is not None and table.runs else ()


def _tick(model: Model) -> tuple[Model, Effects]:
    """Time has passed: for the clocks, and for a replay that runs."""
    model, effects = local.grant(model, TimeIs(model.now)) if model.table.timer else (model, _clock(model))
    replay = model.replay
    if replay is None or not replay.runs:
        return model, effects
    at, last = replay.at + 1, len(model.table.match.entries)
    if at >= last:
        return replace(model, replay=Replay(last)), effects
    return replace(model, replay=Replay(at, runs=True)), (*effects, Wake(PACE))


# Keys


def _key(model: Model, key: str) -> tuple[Model, Effects]:
    match key:
        case "c-z":
            return model, (Suspend(),)
        case "c-l":
            return model, (Redraw(),)
        case "c-q" | "c-c" | "<sigint>":
            return act(model, COMMANDS["quit"], "")
    match model.overlay:
        case Page():
            return replace(model, overlay=turned(model.overlay, Key(key), model.rows, model.columns)), ()
        case Menu():
            return _menu_key(model, model.overlay, key)
        case Question():
            return _question_key(model, model.overlay, key)
        case Cover():
            return local.grant(model, Uncover()) if key == "enter" else (model, ())
    if key in KEYS:
        return act(model, KEYS[key], "")
    if model.replay and (not model.line.text or key in ARROWS):
        found = _replay_key(model, model.replay, key)
        if found is not None:
            return found
    return _board_key(replace(model, notice="", alarm=False) if not model.replay else model, key)


def _board_key(model: Model, key: str) -> tuple[Model, Effects]:
    """A key that is the board's or the line's."""
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
        case "backspace" | "c-h" if model.focus == "board":
            shorter = drop(shown_state(model), model.line.text) if model.table.is_mine else ""
            return replace(model, line=Line.of(shorter), picked=""), ()
        case "escape":
            cursor = model.cursor if model.line.text else ""
            return replace(model, line=Line(), cursor=cursor, picked="", notice=""), ()
        case "tab":
            return _completed(model), ()
        case "c-p":
            return recalled(model, -1), ()
        case "c-n":
            return recalled(model, 1), ()
    line = edited(model.line, key)
    return (model if line is None else replace(model, line=line, focus="line", picked="")), ()


def _menu_key(model: Model, overlay: Menu, key: str) -> tuple[Model, Effects]:
    commands = offered(model.table.place)
    match key:
        case "up" | "down":
            at = (overlay.at + (1 if key == "down" else -1)) % len(commands)
            return replace(model, overlay=Menu(at)), ()
        case "home" | "end":
            return replace(model, overlay=Menu(0 if key == "home" else len(commands) - 1)), ()
        case "escape" | "f10":
            return replace(model, overlay=None), ()
        case "enter":
            return _menu_choice(model, overlay.at)
    if key in KEYS:
        return act(replace(model, overlay=None), KEYS[key], "")
    return model, ()


def _menu_choice(model: Model, number: int) -> tuple[Model, Effects]:
    """A command of the menu; one that takes a word is put at the prompt, to be finished there."""
    command = offered(model.table.place)[number]
    closed = replace(model, overlay=None)
    if command.takes and not command.takes.startswith("[") and command.word != "save":
        return replace(closed, line=Line.of(f"{command.word} "), focus="line", notice=""), ()
    return act(closed, command, "")


def _question_key(model: Model, overlay: Question, key: str) -> tuple[Model, Effects]:
    if key in ("enter", "y", "Y"):
        word, _, rest = overlay.line.partition(" ")
        return wished(replace(model, overlay=None), word, rest)
    return local.grant(replace(model, overlay=None, notice=""), Stay()) if key in ("escape", "n", "N") else (model, ())


def _replay_key(model: Model, replay: Replay, key: str) -> tuple[Model, Effects] | None:
    """A key while looking back; None for one that means nothing there."""
    last = len(model.table.match.entries)
    steps = {
        "left": -1,
        "right": 1,
        "up": -1,
        "down": 1,
        "pageup": -_PAGE,
        "pagedown": _PAGE,
        "home": -last,
        "end": last,
    }
    if key in steps:
        return replace(model, replay=Replay(max(0, min(last, replay.at + steps[key]))), notice=""), ()
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


def _places(model: Model) -> list[Spot]:
    return [spot for spot in draw(model).spots if spot.does in ("pick", "word")]


def _moved_cursor(model: Model, step: tuple[int, int]) -> Model:
    """The nearest place in that direction."""
    places = _places(model)
    here = next((spot for spot in places if spot.name == model.cursor), None)
    if here is None:
        return replace(model, cursor=_first_place(model, places), focus="board")
    row, column = here.centre

    def far(spot: Spot) -> tuple[int, int] | None:
        down, right = spot.centre[0] - row, spot.centre[1] - column
        along, across = (down * step[0] * 2, right) if step[0] else (right * step[1], down * 2)
        return (along + 3 * abs(across), along) if along > 0 else None

    found = [(distance, spot.name) for spot in places if (distance := far(spot)) is not None]
    return replace(model, cursor=min(found)[1] if found else model.cursor, focus="board")


def _first_place(model: Model, places: list[Spot]) -> str:
    """Where the cursor comes to: something that can be picked."""
    found = current_draft(model)
    names = [spot.name for spot in places]
    wanted = [name for name in names if name in found.nexts] or names
    return found.path[-1] if found.path and found.path[-1] in names else wanted[len(wanted) // 2] if wanted else ""


def _picked(model: Model, name: str) -> Model:
    """A place or a choice is picked: the line says so."""
    if not model.table.is_mine or model.replay:
        why = f"{NO_SEAT[model.table.place]}." if model.table.is_watched else "It is not your turn."
        return replace(model, notice=why, alarm=True) if not model.replay else model
    words = [line for _, line in current_draft(model).choices]
    line = name if name in words else pick(shown_state(model), model.line.text, name)
    return replace(model, line=Line.of(line), picked=name, cursor=name, focus="board", notice="", alarm=False)


def _chosen(model: Model) -> tuple[Model, Effects]:
    """Enter on a place of the board, or a click there: pick it; once more: play."""
    found = current_draft(model)
    if found.stage == "legal" and model.cursor in (model.picked, tidy(model.line.text)):
        return wished(model, "", model.line.text)
    return _picked(model, model.cursor), ()


def _completed(model: Model) -> Model:
    """The line as far as it can only go on in one way."""
    text = model.line.text
    found = current_draft(model)
    words = [word for word in found.words if word.startswith(text)]
    if " " not in text:
        words += [word for word in by_word(model.table.place) if word.startswith(text) and text]
    if not words:
        return model
    common = common_start(words)
    line = common if len(common) > len(text) else words[0]
    return replace(model, line=Line.of(line), focus="line", picked="")


def _click(model: Model, row: int, column: int) -> tuple[Model, Effects]:
    spot = draw(model).at(row, column)
    if spot is None:
        return model, ()
    if spot.does == "key":
        if spot.name.startswith("menu "):
            return _menu_choice(model, int(spot.name[5:]))
        return _key(model, spot.name)
    if model.overlay:
        return model, ()
    return _chosen(replace(model, cursor=spot.name, focus="board", notice=""))


def _wheel(model: Model, *, up: bool) -> tuple[Model, Effects]:
    if isinstance(model.overlay, Page):
        return replace(model, overlay=turned(model.overlay, Wheel(up), model.rows, model.columns)), ()
    if isinstance(model.overlay, Menu) or model.replay:
        return _key(model, ("up" if up else "down") if model.overlay else ("left" if up else "right"))
    return model, ()
