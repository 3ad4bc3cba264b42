"""A guest's screen and rights: the door, where the guest gives a name, and then one table. Pure, as all screens are.

Behind the door it is the usual evening (screen/evening.py), cut down to one table: a guest uses the host's machine,
and must not reach its files, settings, programs or other tables. So only what is listed here gets through, and of
commands what client/words/commands.py allows a guest.
"""

from dataclasses import field, replace
from typing import Final, TypeAlias

from quadrille.client.presence.guest_seats import LONGEST_NAME
from quadrille.client.screen.draw.canvas import Canvas, Picture, text_lines, wrapped
from quadrille.client.screen.draw.frame import draw_bar, draw_foot, is_too_small
from quadrille.client.screen.evening import Evening, EveningEffect, EveningEvent, draw_evening, update_evening
from quadrille.client.screen.lobby.model import LobbyScreen
from quadrille.client.screen.network.news import Sent, StationLeft, Watch
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.line_keys import Line, edited, inserted
from quadrille.client.screen.table.model import Remember
from quadrille.client.table.effects import Advise, Quit, Wake
from quadrille.client.table.network.wishes import NetworkWish
from quadrille.client.table.wishes import Faulted, PlayMove
from quadrille.client.value import value
from quadrille.client.words.commands import GUESTS
from quadrille.client.words.network.wished import word_of

_LEAVING: Final = ("c-c", "c-q", "<sigint>", "escape")
_NOT_HERE: Final = "That is for those who play on their own machine"


@value
class GuestScreen:
    """One guest's screen. `about` describes the table, `wanted` is how its number begins, `returning` says how to come
    back. A guest with a `code` has a seat; a guest who is `inside` has taken it, and sees the evening. `plain`: the
    terminal may know nothing but ASCII.
    """

    about: str
    wanted: str
    returning: str = "If the connection breaks: connect again, and give {code}."
    line: Line = field(default_factory=Line)
    notice: str = ""
    code: str = ""
    name: str = ""
    inside: bool = False
    plain: bool = True
    evening: Evening = field(default_factory=lambda: Evening(LobbyScreen(terminal.Look(plain=True, title=False))))

    @property
    def look(self) -> terminal.Look:
        """The theme, the signs and the sound."""
        return self.evening.look

    @property
    def rows(self) -> int:
        """The height of the window."""
        return self.evening.rows

    @property
    def columns(self) -> int:
        """The width of the window."""
        return self.evening.columns

    @property
    def is_looking(self) -> bool:
        """Whether the guest is inside, and its table has not been found yet."""
        return self.inside and self.evening.front is None

    @property
    def may_watch(self) -> bool:
        """Whether the table plays without this guest, and allows watchers."""
        rows = self.evening.lobby.around.tables
        return any(row.id.startswith(self.wanted) and row.state == "playing" and row.may_watch for row in rows)


# Events and effects of the door


@value
class Knock:
    """The guest has given a name or the code of a seat. `Seat`, `Inside` or `Told` answers it."""

    text: str


@value
class Seat:
    """There is a seat for the guest, with this code."""

    code: str
    name: str


@value
class Lettered:
    """The terminal draws more than ASCII."""


@value
class Enter:
    """The guest takes the seat. `Inside` answers it."""


@value
class Inside:
    """The guest may go in. `plain`: the terminal may know nothing but ASCII."""

    code: str
    name: str
    plain: bool


GuestEvent: TypeAlias = EveningEvent | Lettered | Seat | Inside
GuestEffect: TypeAlias = EveningEffect | Knock | Enter
Effects: TypeAlias = tuple[GuestEffect, ...]


def update_guest(guest: GuestScreen, event: GuestEvent) -> tuple[GuestScreen, Effects]:
    """Return the screen after an event, and its effects."""
    match event:
        case StationLeft(code):
            return guest, (Quit(code),)
        case terminal.Resized():
            return _inside(guest, event)
        case Lettered():
            return replace(guest, plain=False), ()
        case Seat(code, name):
            return replace(guest, code=code, name=name, notice="", line=Line()), ()
        case Inside(code, name, plain):
            lobby = replace(guest.evening.lobby, look=terminal.Look(plain=plain, title=not plain), name=name)
            guest = replace(guest, code=code, name=name, inside=True, evening=Evening(lobby, straight=True))
            return _inside(guest, terminal.Begun())
    if not guest.inside:
        return _at_door(guest, event)
    if guest.is_looking and isinstance(event, terminal.Key | terminal.Pasted | terminal.Click | terminal.Wheel):
        return guest, _looking(guest, event)
    return _inside(guest, event)


def _at_door(guest: GuestScreen, event: GuestEvent) -> tuple[GuestScreen, Effects]:
    match event:
        case terminal.Told(text):
            return replace(guest, notice=text), ()
        case terminal.Key(key) if key in _LEAVING:
            return guest, (Quit(),)
        case terminal.Key("enter") if guest.code:
            return guest, (Enter(),)
        case terminal.Key("enter") if text := " ".join(guest.line.text.split()):
            return replace(guest, notice="", line=guest.line.entered), (Knock(text),)  # on refusal it is replaced
        case terminal.Key(key) if not guest.code and (line := edited(guest.line, key)) is not None:
            return replace(guest, line=_short(line), notice=""), ()
        case terminal.Pasted(text) if not guest.code:
            return replace(guest, line=_short(inserted(guest.line, text.split("\n")[0]))), ()
    return guest, ()


def _short(line: Line) -> Line:
    return line if len(line.text) <= LONGEST_NAME else Line.of(line.text[:LONGEST_NAME])


def _looking(guest: GuestScreen, event: GuestEvent) -> Effects:
    """The effects of an event while the table is being found: the guest leaves, or watches a game that has begun."""
    match event:
        case terminal.Key(key) if key in _LEAVING:
            return (Quit(),)
        case terminal.Key("enter") if guest.may_watch:
            return (Sent(Watch(guest.wanted)),)
    return ()


def _inside(guest: GuestScreen, event: EveningEvent) -> tuple[GuestScreen, Effects]:
    """Pass an event to the evening, and keep only the effects that a guest may have."""
    before = guest.evening.table
    evening, asked = update_evening(guest.evening, event)
    done: list[GuestEffect] = []
    for effect in asked:
        match effect:
            case terminal.Ring() | terminal.Entitle() | Wake() | Quit() | Sent(PlayMove()):
                done.append(effect)
            case Sent(order) if isinstance(order, NetworkWish) and word_of(order) in GUESTS:
                done.append(effect)
            case Remember():
                pass  # it is valid for this visit only
            case Advise(ticket):
                evening, _ = update_evening(evening, Faulted(ticket, _NOT_HERE))
            case _:
                evening, _ = update_evening(evening, terminal.Told(f"{_NOT_HERE}.", alarm=True))
    if evening.table and evening.table != before and guest.returning:
        evening, _ = update_evening(evening, terminal.Told(guest.returning.format(code=guest.code)))
    return replace(guest, evening=evening), tuple(done)


def draw_guest(guest: GuestScreen) -> Picture:
    """The screen."""
    if guest.inside and not guest.is_looking:
        return draw_evening(guest.evening)
    canvas = Canvas(guest.columns, guest.rows, plain=guest.plain)
    if is_too_small(canvas):
        return canvas.picture()
    who = guest.name or "a guest"
    draw_bar(canvas, "Quadrille", who, strong=who.isupper())
    row = 2
    for text in _page(guest):
        row = text_lines(canvas, row, 1, canvas.width, wrapped(text, canvas.width - 2)) + 1
    if guest.inside:
        return canvas.picture()
    asks = "Enter sits down." if guest.code else "Your name, or the code of a seat that you had:"
    keys = (("enter", "Enter", "Go on"), ("c-q", "^Q", "Leave"))
    told, line = guest.notice or asks, guest.line
    caret = draw_foot(canvas, told, line.text, line.at, keys, alarm=bool(guest.notice), selected=line.selected)
    return canvas.picture(caret)


def _page(guest: GuestScreen) -> tuple[str, ...]:
    if guest.is_looking and guest.may_watch:
        return (guest.about, "The game has begun without you. Enter looks on; Ctrl-Q leaves.")
    if guest.is_looking:
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
