"""The dialog for a new table, made from the game's own options: what is set in it, and what table that comes to. Pure.

The same for a table of one's own against bots and for one on the network; the latter has terms, too. What can't be
played is said while it is set.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from quadrille.client.bots.names import KINDS, LEVELS, bot_name
from quadrille.client.network.options import WATCHERS, clock, span
from quadrille.client.network.table_terms import checked_terms
from quadrille.client.pages import plain, seats_text
from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.network.news import Host
from quadrille.client.screen.table.model import COLUMNS, ROWS, Look
from quadrille.net.errors import NetError
from quadrille.net.terms import Terms, TimeControl
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


@dataclass(frozen=True, slots=True)
class DialogRow:
    """One line of the dialog. Left and right go through `choices`; a number has bounds; the others are typed. Of a
    "bot" both can be: a letter that begins no choice is typed, such as a dot.
    """

    name: str
    label: str
    help: str
    kind: Literal["choice", "number", "text", "bot"]
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class NewTable:
    """The dialog: what was set so far, as text, by the name of the row; all else is as usual. `at` is the row."""

    key: str
    local: bool
    values: Mapping[str, str] = field(default_factory=dict)
    at: int = 0
    look: Look = field(default_factory=Look)
    rows: int = ROWS
    columns: int = COLUMNS
    notice: str = ""

    @property
    def game(self) -> Game[Any, Any]:
        """Which game is to be played."""
        return game(self.key)


def rows_of(dialog: NewTable) -> tuple[DialogRow, ...]:
    """Its lines, from the top."""
    played = dialog.game
    found = [
        DialogRow("game", "Game", "which game is played", "choice", tuple(one.key for one in games())),
        _seats(played),
        DialogRow("bots", "Bots", "how many of the seats bots take", "number", (), int(dialog.local), played.seats[-1]),
        *_bots(dialog),
        DialogRow("clock", "Clock", "time for each, and more after each move: 5m+10s", "text", _CLOCKS),
    ]
    if not dialog.local:
        found += [
            DialogRow("watchers", "Watchers", "who may look on", "choice", WATCHERS),
            *(
                []
                if played.hidden
                else [DialogRow("takebacks", "Takebacks", "whether moves can be taken back", "choice", _YES_NO)]
            ),
            DialogRow("lot", "Seats by lot", "or in the order of sitting down", "choice", _YES_NO),
            DialogRow("grace", "Grace", "how long a seat may be gone before the others may decide", "text", _GRACES),
        ]
    if played.presets:
        found.append(DialogRow("preset", "Preset", "some options under one name", "choice", (USUAL, *played.presets)))
    return (*found, *(_option(spec) for spec in played.Options.specs()))


def _bots(dialog: NewTable) -> list[DialogRow]:
    """One line for each bot that has room; what is set in the first is as usual in the others."""
    count = max(1, min(_bot_count(dialog), dialog.game.seats[-1]))
    kinds = "1 to 5, a kind, or ./PROGRAM"
    if count == 1:
        return [DialogRow("bot", "Their level", kinds, "bot", _BOTS)]
    helps = (kinds, *["the same as Bot 1, or another"] * (count - 1))
    return [DialogRow(_bot_row(at), f"Bot {at}", help, "bot", _BOTS) for at, help in enumerate(helps, 1)]


def _bot_row(number: int) -> str:
    return "bot" if number == 1 else f"bot {number}"


def _bot_count(dialog: NewTable) -> int:
    usual = int(_number(dialog, "seats", dialog.game.usual_seats)) - 1 if dialog.local else 0
    return _number(dialog, "bots", usual)


def _seats(played: Game[Any, Any]) -> DialogRow:
    return DialogRow(
        "seats", "Seats", f"{seats_text(played.seats)} play it", "number", (), played.seats[0], played.seats[-1]
    )


def _option(spec: Spec) -> DialogRow:
    label = spec.name.replace("_", " ").capitalize()
    match spec.kind:
        case "number":
            bounds = f"{spec.help} ({spec.least} to {spec.most})"
            return DialogRow(f"set {spec.name}", label, bounds, "number", (), spec.least, spec.most)
        case "choice":
            return DialogRow(f"set {spec.name}", label, spec.help, "choice", spec.choices)
        case "flag":
            return DialogRow(f"set {spec.name}", label, spec.help, "choice", _YES_NO)
    return DialogRow(f"set {spec.name}", label, spec.help, "text")


def value_of(dialog: NewTable, row: DialogRow) -> str:
    """What a line says now."""
    if row.name == "game":
        return dialog.key
    if row.name in dialog.values:
        return dialog.values[row.name]
    usual = {
        "seats": str(dialog.game.usual_seats), "bots": str(_bot_count(dialog)), "bot": "2", "clock": NONE,
        "watchers": WATCHERS[0], "takebacks": "yes", "lot": "yes", "grace": "60s", "preset": USUAL,
    }  # fmt: skip
    if row.name in usual:
        return usual[row.name]
    if row.name.startswith("bot "):
        return dialog.values.get("bot", usual["bot"])
    name = row.name.removeprefix("set ")
    return _word(_preset(dialog).get(name, getattr(dialog.game.Options(), name)))


def _word(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else plain(value)


def _preset(dialog: NewTable) -> Mapping[str, Value]:
    name = dialog.values.get("preset", USUAL)
    return dialog.game.presets[name].options if name in dialog.game.presets else {}


def _number(dialog: NewTable, name: str, usual: int) -> int:
    text = dialog.values.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else usual


# What it comes to


def request(dialog: NewTable) -> NewGame | Host:
    """The table that is wanted; an error says what is wrong with it."""
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
    return Host(_terms(played, options, seats, bots, values), bots)


def _named(values: Mapping[str, str], count: int) -> tuple[str, ...]:
    """Which bots; those that have no line of their own are too many, and refused as such."""
    written = (values.get(_bot_row(number), values["bot"]) for number in range(1, count + 1))
    return tuple(text if text in _BOTS else _bot(text) for text in written)


def _bot(text: str) -> str:
    try:
        return bot_name(text)
    except argparse.ArgumentTypeError as error:
        raise RulesError(str(error)) from None


def _clock(text: str) -> TimeControl | None:
    try:
        return None if text == NONE else TimeControl(*clock(text))
    except argparse.ArgumentTypeError as error:
        raise RulesError(str(error)) from None


def _terms(
    played: Game[Any, Any], options: Mapping[str, Value], seats: int, bots: Sequence[str], values: Mapping[str, str]
) -> Terms:
    """As the command line would make them."""
    time = _clock(values["clock"])
    try:
        return checked_terms(
            played,
            options,
            seats,
            bots=len(bots),
            clock=time,
            watchers=values["watchers"],
            takebacks=values.get("takebacks") != "no",
            lot=values["lot"] != "no",
            grace=span(values["grace"]),
        )
    except argparse.ArgumentTypeError as error:
        raise RulesError(str(error)) from None


def _whole(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise RulesError(f"{what} takes a whole number, not {text!r}")
    return int(text)


def problem(dialog: NewTable) -> str:
    """What is wrong with it, in a sentence; "" for nothing."""
    try:
        request(dialog)
    except (RulesError, NetError) as error:
        return f"{error}."
    return ""
