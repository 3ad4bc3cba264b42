"""A table before its first move, on the screen: its seats, the people to invite, its keys and words. Pure."""

from dataclasses import field, replace
from typing import Any, Final, TypeAlias

from quadrille.client.screen.draw.canvas import Canvas, Picture, clipped, newest, wrapped
from quadrille.client.screen.lobby.draw import draw_people
from quadrille.client.screen.network import news
from quadrille.client.screen.network.entrance import ShownEntrance, entrance_lines, fitting, next_code
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import Effect, Event
from quadrille.client.screen.table.page import Page, keys_page, rules_page
from quadrille.client.screen.table.terminal import Line
from quadrille.client.table.wishes import BareWish, TextWish, Verb
from quadrille.client.words.answers import LETTERS, asked, meaning, pressed
from quadrille.client.words.commands import Place, by_key, by_word, key_line, network_wish
from quadrille.client.words.phones import GUESTS_RISK, RISK_ELSEWHERE
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game
from quadrille.value import value

_KEYS: Final = (*key_line(Place.ROOM)[:-1], ("enter", "Enter", "Invite"), key_line(Place.ROOM)[-1])
_TALK: Final = "Ctrl-T talks to all who sit here."
_OTHER_KEYS: Final = (
    ("up, down", "choose somebody who is here"),
    ("Enter", "invite the highlighted person; on somebody who sits: take the seat away"),
    ("Tab", "complete what is typed; else the next code, where guests are shown the way"),
    ("Esc", "clear the line, else leave"),
)
_OTHERS: Final = "Also on the network"
#: Minimum columns for two lists side by side, and maximum people in a list below another.
_TWO_COLUMNS: Final = 58
_MOST_BELOW: Final = 4
#: Maximum rows for the words of a ticket.
_TICKET_ROWS: Final = 6

Effects: TypeAlias = tuple[Effect | Page | news.Order, ...]


@value
class WaitingRoomScreen:
    """The screen. `chosen` is the key of somebody in one of the lists; `asked` whether to close the table was asked.
    `entrance` is how guests come, and `turns` counts the codes for phones that were shown before this one.
    """

    room: news.Room
    look: terminal.Look = field(default_factory=terminal.Look)
    rows: int = terminal.ROWS
    columns: int = terminal.COLUMNS
    line: Line = field(default_factory=Line)
    lines: tuple[str, ...] = ()
    recalled: int = 0
    chosen: str = ""
    notice: str = ""
    alarm: bool = False
    asked: bool = False
    entrance: ShownEntrance | None = None
    turns: int = 0

    @property
    def entries(self) -> tuple[str, ...]:
        """The keys that the cursor visits: those who can be invited, then those who sit here."""
        if not self.room.hosts:
            return ()
        return (*(who.key for who in self.room.others), *(who.key for who in self.room.chairs if who.name != "you"))

    @property
    def sitting(self) -> tuple[str, ...]:
        """The other people who sit here, by name."""
        return tuple(who.name for who in self.room.chairs if who.mark == " " and who.name != "you")

    @property
    def free(self) -> int:
        """The number of free seats."""
        return self.room.seats - len(self.room.chairs)

    @property
    def at(self) -> str:
        """The key under the cursor."""
        return self.chosen if self.chosen in self.entries else next(iter(self.entries), "")

    def updated(self, event: Event | Any) -> "tuple[WaitingRoomScreen, Effects]":
        match event:
            case news.Room() as room:
                asks = room.question not in ("", self.room.question)
                rings = asks or (len(room.chairs) > len(self.room.chairs) and room.hosts)
                ring = (terminal.Ring(),) if rings else ()
                return replace(self, room=room), (*ring, terminal.Entitle(f"{room.game}: waiting"))
            case terminal.Key(key):
                return _key(self, key)
            case terminal.Pasted(text) if self.asked:
                if meaning(text) is not None:
                    return _key(self, text.strip())
                return terminal.heard(replace(self, asked=False), event), ()
            case terminal.Click(_, name):
                return _choose(self) if name == self.at else (replace(self, chosen=name), ())
        return terminal.heard(self, event), ()

    def drawn(self) -> Picture:
        canvas, room = Canvas(self.columns, self.rows, plain=self.look.plain), self.room
        if canvas.is_too_small():
            return canvas.picture()
        free = self.free
        state = "ABOUT TO BEGIN" if room.beginning or not free else f"{len(room.chairs)} of {room.seats} seats taken"
        canvas.draw_bar(f"{room.game}   table {room.id[:8]}", state, strong=state.isupper())
        wanted = self.entrance.at(self.turns) if self.entrance is not None else room.ticket if free else None
        code = fitting(canvas, wanted)
        width = canvas.width if code is None else canvas.width - code.width - 1
        if code is not None:
            canvas.text_lines(1, width + 1, code.width, code.lines, "qr")
        text, alarm = _message(self)
        canvas.height = end = canvas.height - canvas.foot_rows(text)  # what has no room above the foot is cut
        below = _draw_people(canvas, self, width)
        if self.entrance is not None:
            below = canvas.text_lines(below, 1, width, entrance_lines(self.entrance, self.turns, code, width - 2)) + 1
        if room.way and free and room.ticket is not None:
            way = f"{room.ticket.sentence}. {room.way}" if code is not None else room.way
            below = canvas.text_lines(below, 1, width, wrapped(way, width - 2, _TICKET_ROWS)) + 1
        elif room.way and free and width == canvas.width:
            below = canvas.text_lines(below, 1, width, wrapped(room.way, width - 2, 2), "faint") + 1
        below -= below == end  # drop the blank row before the newest sentence
        risk = (GUESTS_RISK, RISK_ELSEWHERE) if self.entrance is not None else ("", "")  # it has a page, too
        canvas.text_lines(below, 1, width, newest(room.said, width - 2, end - below, risk))
        canvas.height = self.rows
        line = self.line
        caret = canvas.draw_foot(text, line.text, line.at, _keys(self), alarm=alarm, selected=line.selected)
        return canvas.picture(caret)


def _key(waiting: WaitingRoomScreen, key: str) -> tuple[WaitingRoomScreen, Effects]:
    waiting, ends = terminal.after_answer(waiting, key)
    if ends:
        return waiting, ()
    was_asked, waiting = waiting.asked, replace(waiting, notice="", alarm=False, asked=False)
    if was_asked and (leaves := True if key == "c-q" else pressed(key)) is not None:
        return terminal.answered(waiting, key), (BareWish.LEAVE,) if leaves else ()
    if waiting.room.question and not waiting.line.text and (yes := meaning(key)) is not None:  # Enter invites
        return _obey(terminal.answered(waiting, key), "yes" if yes else "no", "")
    if command := by_key(Place.ROOM).get(key):
        return _obey(waiting, command.word, "")
    match key:
        case "escape" if not waiting.line.text:
            return replace(waiting, asked=True), ()
        case "tab" if waiting.entrance is not None and not waiting.line.text:
            return replace(waiting, turns=waiting.turns + 1), ()
        case "up" | "down" if waiting.entries:
            at = terminal.stepped(waiting.entries.index(waiting.at), key, len(waiting.entries)) or 0
            return replace(waiting, chosen=waiting.entries[at]), ()
        case "enter":
            return _submit(waiting) if waiting.line.text.strip() else _choose(waiting)
    return terminal.at_prompt(waiting, key, Place.ROOM) or waiting, ()


def question(waiting: WaitingRoomScreen) -> str:
    """Return the question before the person leaves."""
    if not waiting.room.hosts:
        return "Give your seat back?"
    return f"Close the table? {', '.join(waiting.sitting)} must go then." if waiting.sitting else "Close the table?"


def _choose(waiting: WaitingRoomScreen) -> tuple[WaitingRoomScreen, Effects]:
    """Enter on somebody: invite them, or take their seat away."""
    for who in waiting.room.others:
        if who.key == waiting.at:
            return waiting, (TextWish(Verb.INVITE, who.name),)
    for who in waiting.room.chairs:
        if who.key == waiting.at:
            return replace(waiting, line=Line.of(f"kick {who.name}")), ()
    return waiting, ()


def _submit(waiting: WaitingRoomScreen) -> tuple[WaitingRoomScreen, Effects]:
    waiting, text, command, rest = terminal.read_line(waiting, Place.ROOM)
    if command is not None:
        return _obey(waiting, command.word, rest)
    return terminal.not_known(waiting, text, Place.ROOM, _TALK), ()


def _obey(waiting: WaitingRoomScreen, word: str, rest: str) -> tuple[WaitingRoomScreen, Effects]:
    match word:
        case "help":
            rows = [*_OTHER_KEYS, *(command.row for command in by_word(Place.ROOM).values() if command.help)]
            begins = "The game begins by itself when all seats are taken."
            return waiting, (keys_page("Waiting for the others", (begins, rows)),)
        case "chat":
            return replace(waiting, line=Line.of(f"say {rest}")), ()
        case "rules":
            return waiting, (rules_page(game(waiting.room.key)),)
        case "quit" if waiting.sitting and waiting.room.hosts:  # a table with other people is closed after a question
            return replace(waiting, asked=True), ()
        case "quit":
            return waiting, (BareWish.LEAVE,)
        case "yes" | "no":  # the guest who asked is answered, before the network has heard of it
            waiting = replace(waiting, room=replace(waiting.room, question=""))
    try:
        return waiting, (network_wish(Place.ROOM, word, rest),)
    except RulesError as error:
        return terminal.refused(waiting, error), ()


def _keys(waiting: WaitingRoomScreen) -> tuple[tuple[str, str, str], ...]:
    """Return the keys at the foot, with Tab if there is another code."""
    after = next_code(waiting.entrance, waiting.turns)
    return (*_KEYS[:-1], *((("tab", "Tab", after),) if after else ()), _KEYS[-1])


def _draw_people(canvas: Canvas, waiting: WaitingRoomScreen, width: int) -> int:
    """Draw the terms, the seats, and the others: beside the seats, or below them. Return the row after them."""
    room = waiting.room
    top = canvas.text_lines(2, 1, width, wrapped(f"{room.terms}.", width - 2, 3)) + 1
    if width >= _TWO_COLUMNS:
        half, most = width // 2, max(room.seats, 4)
        _draw_seats(canvas, waiting, top, half - 2)
        draw_people(canvas, _OTHERS, room.others, range(top, top + most + 2), range(half, width - 1), waiting.at)
        return top + most + 2
    _draw_seats(canvas, waiting, top, width - 2)
    below = top + room.seats + 2
    most = min(len(room.others), _MOST_BELOW)
    if not most:
        canvas.put(below, 1, "Nobody else is on the network yet.", "faint")
        return below + 2
    draw_people(canvas, _OTHERS, room.others, range(below, below + most + 1), range(1, width - 1), waiting.at)
    return below + most + 2


def _draw_seats(canvas: Canvas, waiting: WaitingRoomScreen, top: int, width: int) -> None:
    room = waiting.room
    canvas.put(top, 1, "Seats", "title")
    for row, who in enumerate(room.chairs, top + 1):
        canvas.put(row, 2, f"{who.mark}{clipped(who.name, width - 4)}", "strong")
        canvas.draw_cursor(row, 1, width - 1, who.key, chosen=waiting.at == who.key)
    for number in range(room.seats - len(room.chairs)):
        kept = f"( {clipped(f'kept for {room.coming[number]}', width - 6)} )" if room.coming[number:] else "( free )"
        canvas.put(top + 1 + len(room.chairs) + number, 3, kept, "faint")


def _message(waiting: WaitingRoomScreen) -> tuple[str, bool]:
    if waiting.asked:
        return asked(question(waiting)), True
    if waiting.room.question and not waiting.line.text:
        return asked(waiting.room.question, LETTERS), True
    if waiting.notice:
        return waiting.notice, waiting.alarm
    if text := waiting.line.text.strip():
        return terminal.typed_text(text, Place.ROOM) or f"No word here begins so. {_TALK}", False
    what = "Others find it in their lobby; bot 2 fills a seat."
    if waiting.room.again:
        what = "The seats are kept for those who played."
    if waiting.room.ticket is not None:
        what = "Others come with the words of the ticket."
    if not waiting.room.hosts:
        what = "Ctrl-Q stands up and goes."
    elif chosen := [person for person in waiting.room.others if person.key == waiting.at]:
        what = f"Enter invites {chosen[0].name}."
        if chosen[0].doing == news.INVITED:
            what = f"{chosen[0].name} is {'asked for a rematch' if waiting.room.again else 'invited'}."
    begins = "when all are here" if waiting.room.again else "by itself when all seats are taken"
    if waiting.room.hosts and not waiting.room.again:
        begins = "when all are here, or by start"
    return f"The game begins {begins}. {what}", False
