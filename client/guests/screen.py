"""A guest's screen and rights: the door, where the guest gives a name, and then one table. Pure, as all screens are.

Behind the door it is the evening of everybody else (screen/evening.py), cut down to one table: a guest sits before the
host's machine, and must not reach its files, its settings, its programs or its other tables. So nothing is let through
but what is listed here, and of commands what client/words/commands.py allows a guest.
"""

from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from quadrille.client.screen.draw.canvas import Canvas, Picture, wrapped
from quadrille.client.screen.evening import Evening, EveningEffect, EveningEvent, draw_evening, update_evening
from quadrille.client.screen.lobby.draw import LEAST_COLUMNS, LEAST_ROWS, draw_bar, draw_foot, draw_too_small
from quadrille.client.screen.lobby.model import LobbyScreen
from quadrille.client.screen.network.news import PLAYING, Sent, Watch
from quadrille.client.screen.table.line_keys import edited, inserted
from quadrille.client.screen.table.model import (
    COLUMNS,
    ROWS,
    Advise,
    Begun,
    Click,
    Entitle,
    Faulted,
    Key,
    Line,
    Look,
    Pasted,
    PlayMove,
    Quit,
    Redraw,
    Remember,
    Resized,
    Ring,
    Told,
    Wake,
    Wheel,
)
from quadrille.client.table.network.wishes import NetworkWish
from quadrille.client.words.commands import GUESTS, word_of

_LONGEST_NAME: Final = 24
_LEAVING: Final = ("c-c", "c-q", "<sigint>", "escape")
_NOT_HERE: Final = "That is for those who play on their own machine"


@dataclass(frozen=True, slots=True)
class GuestScreen:
    """One guest's screen. `about` describes the table, and `wanted` is its number. A guest with a `code` has a seat;
    a guest with an `evening` has taken it.
    """

    about: str
    wanted: str
    line: Line = field(default_factory=Line)
    notice: str = ""
    code: str = ""
    name: str = ""
    evening: Evening | None = None
    own_look: Look = field(default_factory=lambda: Look(plain=True, title=False))
    own_rows: int = ROWS
    own_columns: int = COLUMNS

    @property
    def look(self) -> Look:
        """The theme, the signs and the sound."""
        return self.own_look if self.evening is None else self.evening.look

    @property
    def rows(self) -> int:
        """The height of the window."""
        return self.own_rows

    @property
    def columns(self) -> int:
        """The width of the window."""
        return self.own_columns

    @property
    def is_looking(self) -> bool:
        """Whether the guest is inside, and its table has not been found yet."""
        return self.evening is not None and self.evening.front is None

    @property
    def may_watch(self) -> bool:
        """Whether the table plays without this guest, and allows watchers."""
        rows = self.evening.lobby.around.tables if self.evening is not None else ()
        return any(row.id == self.wanted and row.state == PLAYING and row.may_watch for row in rows)


# Events and effects of the door


@dataclass(frozen=True, slots=True)
class Knock:
    """The guest has given a name or the code of a seat. `Seat`, `Inside` or `Told` answers it."""

    text: str


@dataclass(frozen=True, slots=True)
class Seat:
    """There is a seat for the guest, with this code."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Enter:
    """The guest takes the seat. `Inside` answers it."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The guest may go in. `plain`: the terminal may know nothing but ASCII."""

    code: str
    name: str
    plain: bool


@dataclass(frozen=True, slots=True)
class Dismissed:
    """The visit is over: the host has left, or the guest has come again by another connection."""


GuestEvent: TypeAlias = EveningEvent | Seat | Inside | Dismissed
GuestEffect: TypeAlias = EveningEffect | Knock | Enter
Effects: TypeAlias = tuple[GuestEffect, ...]


def update_guest(guest: GuestScreen, event: GuestEvent) -> tuple[GuestScreen, Effects]:
    """Return the screen after an event, and its effects."""
    match event:
        case Dismissed():
            return guest, (Quit(),)
        case Resized(rows, columns):
            guest = replace(guest, own_rows=rows, own_columns=columns)
            return _inside(guest, guest.evening, event) if guest.evening else (guest, ())
        case Seat(code, name):
            return replace(guest, code=code, name=name, notice="", line=Line()), ()
        case Inside(code, name, plain):
            lobby = LobbyScreen(Look(plain=plain, title=not plain), guest.rows, guest.columns, name)
            guest = replace(guest, code=code, name=name)
            return _inside(guest, Evening(lobby, straight=True), Begun())
    if guest.evening is None:
        return _at_door(guest, event)
    if guest.is_looking and isinstance(event, Key | Pasted | Click | Wheel):
        return _looking(guest, event)
    return _inside(guest, guest.evening, event)


def _at_door(guest: GuestScreen, event: GuestEvent) -> tuple[GuestScreen, Effects]:
    match event:
        case Told(text):
            return replace(guest, notice=text), ()
        case Key(key) if key in _LEAVING:
            return guest, (Quit(),)
        case Key("c-l"):
            return guest, (Redraw(),)
        case Key("enter") if guest.code:
            return guest, (Enter(),)
        case Key("enter") if text := " ".join(guest.line.text.split()):
            return replace(guest, notice=""), (Knock(text),)
        case Key(key) if not guest.code and (line := edited(guest.line, key)) is not None:
            return replace(guest, line=_short(line), notice=""), ()
        case Pasted(text) if not guest.code:
            return replace(guest, line=_short(inserted(guest.line, text.split("\n")[0]))), ()
    return guest, ()


def _short(line: Line) -> Line:
    return line if len(line.text) <= _LONGEST_NAME else Line.of(line.text[:_LONGEST_NAME])


def _looking(guest: GuestScreen, event: GuestEvent) -> tuple[GuestScreen, Effects]:
    """Handle an event while the table is being found: the guest can only leave, or watch a game that has begun."""
    match event:
        case Key(key) if key in _LEAVING:
            return guest, (Quit(),)
        case Key("c-l"):
            return guest, (Redraw(),)
        case Key("enter") if guest.may_watch:
            return guest, (Sent(Watch(guest.wanted)),)
    return guest, ()


def _inside(guest: GuestScreen, evening: Evening, event: EveningEvent) -> tuple[GuestScreen, Effects]:
    """Pass an event to the evening, and keep only the effects that a guest may have."""
    before = evening.table
    evening, asked = update_evening(evening, event)
    done: list[GuestEffect] = []
    for effect in asked:
        match effect:
            case Ring() | Entitle() | Wake() | Redraw() | Quit() | Sent(PlayMove()):
                done.append(effect)
            case Sent(order) if isinstance(order, NetworkWish) and word_of(order) in GUESTS:
                done.append(effect)
            case Remember():
                pass  # it holds for this visit alone
            case Advise(ticket):
                evening, _ = update_evening(evening, Faulted(ticket, _NOT_HERE))
            case _:
                evening, _ = update_evening(evening, Told(f"{_NOT_HERE}.", alarm=True))
    if evening.table and evening.table != before:
        evening, _ = update_evening(evening, Told(f"If the connection breaks: connect again, and give {guest.code}."))
    return replace(guest, evening=evening), tuple(done)


def draw_guest(guest: GuestScreen) -> Picture:
    """The screen."""
    if guest.evening is not None and not guest.is_looking:
        return draw_evening(guest.evening)
    canvas = Canvas(guest.columns, guest.rows, plain=True)
    if guest.rows < LEAST_ROWS or guest.columns < LEAST_COLUMNS:
        draw_too_small(canvas, LEAST_ROWS, LEAST_COLUMNS)
        return canvas.picture()
    draw_bar(canvas, "Quadrille", guest.name or "a guest")
    row = 2
    for text in _page(guest):
        for line in wrapped(text, canvas.width - 2):
            canvas.put(row, 1, line)
            row += 1
        row += 1
    if guest.evening is not None:
        return canvas.picture()
    asks = "Enter sits down." if guest.code else "Your name, or the code of a seat that you had:"
    keys = (("enter", "Enter", "Go on"), ("c-q", "^Q", "Leave"))
    caret = draw_foot(canvas, guest.notice or asks, guest.line.text, guest.line.at, keys, alarm=bool(guest.notice))
    return canvas.picture(caret)


def _page(guest: GuestScreen) -> tuple[str, ...]:
    if guest.is_looking and guest.may_watch:
        return (guest.about, "The game has begun without you. Enter looks on; Ctrl-Q leaves.")
    if guest.is_looking:
        assert guest.evening is not None
        return (guest.about, "A seat is asked for. Ctrl-Q leaves.", guest.evening.lobby.notice)
    if guest.code:
        return (
            guest.about,
            f"There is a seat for you, {guest.name}. Its code is",
            guest.code,
            "Write it down: if the connection breaks, connect again, and give the code in place of a name.",
        )
    return (
        guest.about,
        "You can sit down here without an install. The host's program plays for you then: it holds your keys and the "
        "cards that only you may see, and what you type comes to it over telnet, which is not encrypted.",
    )
