"""The dialog for a new table as a value, made from the game's own options, and the table that it describes. Pure.

One dialog serves local tables and tables on the network, which have terms, too. It says at once why a table can't be
played.
"""

import argparse
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, Literal

from quadrille.client.bots.names import KINDS, LEVELS, bot_name
from quadrille.client.network.options import WATCHERS, clock, span
from quadrille.client.network.table_terms import checked_terms
from quadrille.client.pages import plain, seats_text
from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.network.news import Host
from quadrille.client.screen.table import terminal
from quadrille.client.value import value
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.options import Spec, Value
from quadrille.rules.registry import game, games

USUAL: Final = "usual"
NONE: Final = "none"
_CLOCKS: Final = (NONE, "3m+2s", "5m+10s", "15m+10s", "30m")
_GRACES: Final = ("15s", "30s", "60s", "5m")
_YES_NO: Final = ("yes", "no")
_BOTS: Final = (*LEVELS, *KINDS)


@value
class DialogRow:
    """One line of the dialog, with its usual value. Left and right go through `choices`; a number has bounds; others
    are typed. A "bot" is chosen or typed: a letter that begins no choice is typed, such as a dot.
    """

    name: str
    label: str
    help: str
    kind: Literal["choice", "number", "text", "bot"]
    usual: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0


@value
class NewTable:
    """The dialog: what was set so far, as text, by the name of the row; all else is as usual. `at` is the row."""

    key: str
    local: bool
    values: Mapping[str, str] = field(default_factory=dict)
    at: int = 0
    look: terminal.Look = field(default_factory=terminal.Look)
    rows: int = terminal.ROWS
    columns: int = terminal.COLUMNS
    notice: str = ""

    @property
    def game(self) -> Game[Any, Any]:
        """Which game is to be played."""
        return game(self.key)


def rows_of(dialog: NewTable) -> tuple[DialogRow, ...]:
    """Its lines, from the top."""
    played, (least, most) = dialog.game, (dialog.game.seats[0], dialog.game.seats[-1])
    seats, count = played.usual_seats, _bot_count(dialog)
    found = [
        DialogRow("game", "Game", "which game is played", "choice", dialog.key, tuple(one.key for one in games())),
        DialogRow("seats", "Seats", f"{seats_text(played.seats)} play it", "number", f"{seats}", (), least, most),
        DialogRow("bots", "Bots", "how many of the seats bots take", "number", f"{count}", (), int(dialog.local), most),
        *_bots(dialog, max(1, min(count, most))),
        DialogRow("clock", "Clock", "time for each, and more after each move: 5m+10s", "text", NONE, _CLOCKS),
    ]
    if not dialog.local:
        away = "how long a seat may be gone before the others may decide"
        found += [
            DialogRow("watchers", "Watchers", "who may look on", "choice", WATCHERS[0], WATCHERS),
            DialogRow("takebacks", "Takebacks", "whether moves can be taken back", "choice", "yes", _YES_NO),
            DialogRow("lot", "Seats by lot", "or in the order of sitting down", "choice", "yes", _YES_NO),
            DialogRow("grace", "Grace", away, "text", "60s", _GRACES),
        ]
        if played.hidden:
            found = [row for row in found if row.name != "takebacks"]
    if played.presets:
        presets = (USUAL, *played.presets)
        found.append(DialogRow("preset", "Preset", "some options under one name", "choice", USUAL, presets))
    return (*found, *(_option(dialog, spec) for spec in played.Options.specs()))


def _bots(dialog: NewTable, count: int) -> list[DialogRow]:
    """One line for each bot that has room; what is set in the first is as usual in the others."""
    kinds, first = "1 to 5, a kind, or ./PROGRAM", dialog.values.get("bot", "2")
    rows = [DialogRow("bot", "Bot 1" if count > 1 else "Their level", kinds, "bot", "2", _BOTS)]
    same = "the same as Bot 1, or another"
    return rows + [DialogRow(f"bot {at}", f"Bot {at}", same, "bot", first, _BOTS) for at in range(2, count + 1)]


def _bot_count(dialog: NewTable) -> int:
    usual = int(_number(dialog, "seats", dialog.game.usual_seats)) - 1 if dialog.local else 0
    return _number(dialog, "bots", usual)


def _option(dialog: NewTable, spec: Spec) -> DialogRow:
    name, label = f"set {spec.name}", spec.name.replace("_", " ").capitalize()
    value = _preset(dialog).get(spec.name, getattr(dialog.game.Options(), spec.name))
    usual = plain(value) if not isinstance(value, bool) else "yes" if value else "no"
    match spec.kind:
        case "number":
            bounds = f"{spec.help} ({spec.least} to {spec.most})"
            return DialogRow(name, label, bounds, "number", usual, (), spec.least, spec.most)
        case "choice" | "flag":
            choices = spec.choices if spec.kind == "choice" else _YES_NO
            return DialogRow(name, label, spec.help, "choice", usual, choices)
    return DialogRow(name, label, spec.help, "text", usual)


def value_of(dialog: NewTable, row: DialogRow) -> str:
    """What a line says now."""
    return dialog.values.get(row.name, row.usual)


def _preset(dialog: NewTable) -> Mapping[str, Value]:
    name = dialog.values.get("preset", USUAL)
    return dialog.game.presets[name].options if name in dialog.game.presets else {}


def _number(dialog: NewTable, name: str, usual: int) -> int:
    text = dialog.values.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else usual


# What it comes to


def request(dialog: NewTable) -> NewGame | Host:
    """The table that is wanted; a RulesError or a NetError says what is wrong with it."""
    try:
        return _requested(dialog)
    except argparse.ArgumentTypeError as error:
        raise RulesError(str(error)) from None


def _requested(dialog: NewTable) -> NewGame | Host:
    played = dialog.game
    values = {row.name: value_of(dialog, row) for row in rows_of(dialog)}
    seats, count = _whole(values["seats"], "seats"), _whole(values["bots"], "bots")
    given = {name.removeprefix("set "): text for name, text in dialog.values.items() if name.startswith("set ")}
    specs = {spec.name: spec for spec in played.Options.specs()}
    options = dict(_preset(dialog)) | {name: specs[name].read(text) for name, text in given.items() if name in specs}
    if dialog.local:
        read = played.read_options(options)
        played.check_seats(seats)
        played.check(read, seats)
        if not 0 <= count < seats:
            raise RulesError(f"{count} bots leave no seat for you: there are {seats} seats")
        row = ("",) * (seats - count) + _named(values, count)
        return NewGame(played.key, tuple(options.items()), row, _clock(values["clock"]))
    bots = _named(values, count)
    terms = checked_terms(
        played,
        options,
        seats,
        bots=len(bots),
        clock=_clock(values["clock"]),
        watchers=values["watchers"],
        takebacks=values.get("takebacks") != "no",
        lot=values["lot"] != "no",
        grace=span(values["grace"]),
    )
    return Host(terms, bots)


def _named(values: Mapping[str, str], count: int) -> tuple[str, ...]:
    """The bots. Those without a line are too many, and refused as such."""
    written = (values["bot"], *(values.get(f"bot {number}", values["bot"]) for number in range(2, count + 1)))[:count]
    return tuple(text if text in _BOTS else bot_name(text) for text in written)


def _clock(text: str) -> TimeControl | None:
    return None if text == NONE else TimeControl(*clock(text))


def _whole(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise RulesError(f"{what} takes a whole number, not {text!r}")
    return int(text)
