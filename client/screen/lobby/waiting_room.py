"""A table before its first move, on the screen: who sits, who can be invited; what keys and lines do there. Pure."""

from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from quadrille.client.screen.draw.canvas import Canvas, Picture, clipped, wrapped
from quadrille.client.screen.lobby.draw import LEAST_COLUMNS, LEAST_ROWS, draw_bar, draw_foot, draw_too_small
from quadrille.client.screen.network.news import Room, Sent
from quadrille.client.screen.table.line_keys import edited, inserted
from quadrille.client.screen.table.model import (
    COLUMNS,
    ROWS,
    Click,
    Effect,
    Entitle,
    Event,
    Key,
    Line,
    Look,
    Page,
    Pasted,
    Redraw,
    Resized,
    Ring,
    Suspend,
    Told,
)
from quadrille.client.screen.table.page import rules_page
from quadrille.client.table.network.wishes import InvitePeer, LeaveTable
from quadrille.client.words.commands import Place, by_word, key_line, network_wish
from quadrille.rules.registry import game

_WORDS: Final = by_word(Place.ROOM)
_KEYS: Final = (*key_line(Place.ROOM)[:-1], ("enter", "Enter", "Invite"), key_line(Place.ROOM)[-1])
#: Commands in the order of the help, with the keys that do the same.
_LISTED: Final = {"invite": "", "kick": "", "play-on": "", "block": "", "rules": ", F6", "quit": ", Ctrl-Q, Esc"}
_HELP: Final = (
    "The game begins by itself when all seats are taken.",
    "",
    "  up, down           go over those who are here",
    "  Enter              invite the one that is marked; on a seat of yours to give: take it away again",
    *(f"  {_WORDS[word].typed + keys:19}{_WORDS[word].help}" for word, keys in _LISTED.items()),
)

Effects: TypeAlias = tuple[Effect | Page | Sent, ...]


@dataclass(frozen=True, slots=True)
class WaitingRoomScreen:
    """The screen. `chosen` is the key of somebody in one of the lists; `asked` whether to close the table was asked."""

    room: Room
    look: Look = field(default_factory=Look)
    rows: int = ROWS
    columns: int = COLUMNS
    line: Line = field(default_factory=Line)
    chosen: str = ""
    notice: str = ""
    alarm: bool = False
    asked: bool = False

    @property
    def entries(self) -> tuple[str, ...]:
        """Whom the cursor goes over: those who can be invited, then those who sit here."""
        if not self.room.hosts:
            return ()
        return (*(who.key for who in self.room.others), *(who.key for who in self.room.chairs if who.name != "you"))

    @property
    def at(self) -> str:
        """Who is under the cursor."""
        return self.chosen if self.chosen in self.entries else next(iter(self.entries), "")


def update_waiting(waiting: WaitingRoomScreen, event: Event | Any) -> tuple[WaitingRoomScreen, Effects]:
    """The screen after an event, and what is to be done."""
    match event:
        case Room() as room:
            ring = (Ring(),) if len(room.chairs) > len(waiting.room.chairs) and room.hosts else ()
            return replace(waiting, room=room), (*ring, Entitle(f"{room.game}: waiting"))
        case Key(key):
            return _key(waiting, key)
        case Pasted(text):
            return replace(waiting, line=inserted(waiting.line, text.split("\n")[0]), notice=""), ()
        case Click(row, column):
            spot = draw_waiting(waiting).at(row, column)
            if spot is None:
                return waiting, ()
            if spot.does == "key":
                return _key(waiting, spot.name)
            if spot.name == waiting.at:
                return _choose(waiting)
            return replace(waiting, chosen=spot.name), ()
        case Resized(rows, columns):
            return replace(waiting, rows=rows, columns=columns), ()
        case Told(text, alarm):
            return replace(waiting, notice=text, alarm=alarm), ()
    return waiting, ()


def _key(waiting: WaitingRoomScreen, key: str) -> tuple[WaitingRoomScreen, Effects]:
    asked, waiting = waiting.asked, replace(waiting, notice="", alarm=False, asked=False)
    match key:
        case "c-z":
            return waiting, (Suspend(),)
        case "c-l":
            return waiting, (Redraw(),)
        case "escape" if waiting.line.text:
            return replace(waiting, line=Line()), ()
        case "c-q" | "c-c" | "<sigint>" | "escape":
            return (waiting, (Sent(LeaveTable()),)) if asked else _left(waiting)
        case "f1":
            return waiting, (Page("Waiting for the others", _HELP, prose=True),)
        case "f6":
            return waiting, (rules_page(game(waiting.room.key)),)
        case "up" | "down" if waiting.entries:
            at = waiting.entries.index(waiting.at) + (1 if key == "down" else -1)
            return replace(waiting, chosen=waiting.entries[at % len(waiting.entries)]), ()
        case "enter":
            return _submit(waiting) if waiting.line.text.strip() else _choose(waiting)
    line = edited(waiting.line, key)
    return (waiting if line is None else replace(waiting, line=line)), ()


def _left(waiting: WaitingRoomScreen) -> tuple[WaitingRoomScreen, Effects]:
    """To leave is to close a table of one's own: asked once where people sit at it."""
    sitting = [who.name for who in waiting.room.chairs if who.kind == "person" and who.name != "you"]
    if not waiting.room.hosts or not sitting:
        return waiting, (Sent(LeaveTable()),)
    notice = f"This closes the table, and {', '.join(sitting)} must go. Once more does it; any other key stays."
    return replace(waiting, notice=notice, alarm=True, asked=True), ()


def _choose(waiting: WaitingRoomScreen) -> tuple[WaitingRoomScreen, Effects]:
    """Enter on somebody: invite, or take the seat away."""
    for who in waiting.room.others:
        if who.key == waiting.at:
            return waiting, (Sent(InvitePeer(who.name)),)
    for who in waiting.room.chairs:
        if who.key == waiting.at:
            return replace(waiting, line=Line.of(f"kick {who.name}")), ()
    return waiting, ()


def _submit(waiting: WaitingRoomScreen) -> tuple[WaitingRoomScreen, Effects]:
    first, _, rest = " ".join(waiting.line.text.split()).partition(" ")
    word, waiting = first.lower(), replace(waiting, line=Line())
    if word == "quit" and not rest:
        return _left(waiting)
    if word == "rules":
        return waiting, (rules_page(game(waiting.room.key)),)
    place = Place.HOSTING if waiting.room.hosts else Place.ASKING
    return waiting, (Sent(network_wish(place, word, rest)),)


def draw_waiting(waiting: WaitingRoomScreen) -> Picture:
    """The screen."""
    canvas, room = Canvas(waiting.columns, waiting.rows, plain=waiting.look.plain), waiting.room
    if waiting.rows < LEAST_ROWS or waiting.columns < LEAST_COLUMNS:
        draw_too_small(canvas, LEAST_ROWS, LEAST_COLUMNS)
        return canvas.picture()
    free = room.seats - len(room.chairs)
    state = "ABOUT TO BEGIN" if room.beginning or not free else f"{len(room.chairs)} of {room.seats} seats taken"
    draw_bar(canvas, f"{room.game}   table {room.id[:8]}", state)
    half = canvas.width // 2
    row = 2
    for line in wrapped(f"{room.terms}.", canvas.width - 2, 3):
        canvas.put(row, 1, line)
        row += 1
    top = row + 1
    _draw_seats(canvas, waiting, top, half - 2)
    _draw_others(canvas, waiting, top, half)
    below = top + max(room.seats, 4) + 2
    end = canvas.height - 3
    if room.way and free:
        for line in wrapped(room.way, canvas.width - 2, 2):
            canvas.put(below, 1, line, "faint")
            below += 1
        below += 1
    said = [line for sentence in room.said for line in wrapped(sentence, canvas.width - 2)]
    for line in said[-max(0, end - below) :] if end > below else []:
        canvas.put(below, 1, line)
        below += 1
    told, alarm = _message(waiting)
    caret = draw_foot(canvas, told, waiting.line.text, waiting.line.at, _KEYS, alarm=alarm)
    return canvas.picture(caret)


def _draw_seats(canvas: Canvas, waiting: WaitingRoomScreen, top: int, width: int) -> None:
    room = waiting.room
    canvas.put(top, 1, "Seats", "title")
    for number in range(room.seats):
        row = top + 1 + number
        if number >= len(room.chairs):
            kept = room.coming[number - len(room.chairs) :][:1]
            canvas.put(row, 1, f"  ( {clipped(f'kept for {kept[0]}', width - 6)} )" if kept else "  ( free )", "faint")
            continue
        who = room.chairs[number]
        mark = "*" if who.kind != "person" else " "
        canvas.put(row, 1, f"{'▸' if waiting.at == who.key else ' '}{mark}{clipped(who.name, width - 4)}", "strong")
        canvas.spot("row", who.key, row, 0, width)


def _draw_others(canvas: Canvas, waiting: WaitingRoomScreen, top: int, left: int) -> None:
    room, width = waiting.room, canvas.width - left - 1
    canvas.put(top, left, "Also on the network", "title")
    if not room.others:
        canvas.put(top + 1, left, "nobody yet", "faint")
    space = max(room.seats, 4) + 1
    for row, who in enumerate(room.others[:space], top + 1):
        chosen = waiting.at == who.key
        mark = "*" if who.kind != "person" else " "
        canvas.put(row, left, f"{'▸' if chosen else ' '}{mark}{clipped(who.name, width // 2)}")
        canvas.put(row, left + width // 2 + 3, clipped(who.doing or who.kind, width - width // 2 - 3), "faint")
        if chosen:
            canvas.shade(row, left, width, "chosen")
        canvas.spot("row", who.key, row, left, width)


def _message(waiting: WaitingRoomScreen) -> tuple[str, bool]:
    if waiting.notice:
        return waiting.notice, waiting.alarm
    word = waiting.line.text.split(" ")[0].lower()
    if word:
        fitting = [one for one in _WORDS if one.startswith(word)]
        return "Words here: " + "  ".join(fitting or _WORDS), False
    if not waiting.room.hosts:
        return "The game begins by itself when all seats are taken. Ctrl-Q stands up and goes.", False
    who = next((one for one in waiting.room.others if one.key == waiting.at), None)
    if who is not None:
        return f"The game begins by itself when all seats are taken. Enter invites {who.name}.", False
    return "The game begins by itself when all seats are taken. Others find the table in their lobby.", False
