"""A table before its first move, on the screen: its seats, the people to invite, its keys and words. Pure."""

from dataclasses import field, replace
from typing import Any, Final, TypeAlias

from quadrille.client.screen.draw.canvas import Canvas, Picture, clipped, text_lines, wrapped
from quadrille.client.screen.draw.frame import draw_bar, draw_foot, is_too_small
from quadrille.client.screen.network import news
from quadrille.client.screen.network.entrance import code_beside, draw_code, entrance_lines, fitting, next_code
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.line_keys import Line, after_answer, answered, edited, heard, refused, stepped
from quadrille.client.screen.table.model import Effect, Entered, Event
from quadrille.client.screen.table.page import Page, rules_page
from quadrille.client.table.network.wishes import BareWish, InvitePeer, LeaveTable
from quadrille.client.value import value
from quadrille.client.words.answers import LETTERS, asked, meaning, pressed
from quadrille.client.words.commands import Place, by_any_word, by_word, key_line, slip
from quadrille.client.words.network.wished import network_wish
from quadrille.client.words.phones import GUESTS_RISK, RISK_ELSEWHERE
from quadrille.rules.registry import game
from quadrille.rules.squares import quoted

_WORDS: Final = by_word(Place.ROOM)
_KEYS: Final = (*key_line(Place.ROOM)[:-1], ("enter", "Enter", "Invite"), key_line(Place.ROOM)[-1])
_TALK: Final = "Ctrl-T talks to all who sit here."
#: Words with a key of the same effect.
_KEYED: Final = {"rules": "f6", "help": "f1", "?": "f1", "chat": "c-t"}
_LEAVING: Final = ("c-q", "c-c", "<sigint>")
#: Commands in the order of the help, with their keys.
_LISTED: Final = {
    "say": ", Ctrl-T",
    **dict.fromkeys(("invite", "kick", "play-on", "block", "phones"), ""),
    "rules": ", F6", "quit": ", Ctrl-Q, Esc",
}  # fmt: skip
_HELP: Final = (
    "The game begins by itself when all seats are taken.",
    "",
    "  up, down           choose somebody who is here",
    "  Enter              invite the highlighted person; on somebody who sits: take the seat away",
    *(f"  {_WORDS[word].typed + keys:19}{_WORDS[word].help}" for word, keys in _LISTED.items()),
)

#: Minimum columns for two lists side by side, and maximum people in a list below another.
_TWO_COLUMNS: Final = 58
_MOST_BELOW: Final = 4
#: Maximum rows for the words of a ticket.
_TICKET_ROWS: Final = 6

Effects: TypeAlias = tuple[Effect | Page | news.Order, ...]


@value
class WaitingRoomScreen:
    """The screen. `chosen` is the key of somebody in one of the lists; `asked` whether to close the table was asked.
    `turns` counts the codes for phones that were shown before this one.
    """

    room: news.Room
    look: terminal.Look = field(default_factory=terminal.Look)
    rows: int = terminal.ROWS
    columns: int = terminal.COLUMNS
    line: Line = field(default_factory=Line)
    chosen: str = ""
    notice: str = ""
    alarm: bool = False
    asked: bool = False
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
        return tuple(who.name for who in self.room.chairs if who.kind == "person" and who.name != "you")

    @property
    def free(self) -> int:
        """The number of free seats."""
        return self.room.seats - len(self.room.chairs)

    @property
    def at(self) -> str:
        """The key under the cursor."""
        return self.chosen if self.chosen in self.entries else next(iter(self.entries), "")


def update_waiting(waiting: WaitingRoomScreen, event: Event | Any) -> tuple[WaitingRoomScreen, Effects]:
    """The screen after an event, and its effects."""
    match event:
        case news.Room() as room:
            asks = room.question not in ("", waiting.room.question)
            rings = asks or (len(room.chairs) > len(waiting.room.chairs) and room.hosts)
            ring = (terminal.Ring(),) if rings else ()
            return replace(waiting, room=room), (*ring, terminal.Entitle(f"{room.game}: waiting"))
        case terminal.Key(key):
            return _key(waiting, key)
        case Entered(line):
            return _submit(replace(waiting, line=Line.of(line), notice="", alarm=False))
        case terminal.Pasted(text) if waiting.asked:
            if meaning(text) is not None:
                return _key(waiting, text.strip())
            waiting = replace(waiting, asked=False)
        case terminal.Click(row, column) if spot := draw_waiting(waiting).at(row, column):
            if spot.does == "key":
                return _key(waiting, spot.name)
            return _choose(waiting) if spot.name == waiting.at else (replace(waiting, chosen=spot.name), ())
    return heard(waiting, event), ()


def _key(waiting: WaitingRoomScreen, key: str) -> tuple[WaitingRoomScreen, Effects]:
    waiting, ends = after_answer(waiting, key)
    if ends:
        return waiting, ()
    was_asked, waiting = waiting.asked, replace(waiting, notice="", alarm=False, asked=False)
    if was_asked and (leaves := True if key in _LEAVING else pressed(key)) is not None:
        return answered(waiting, key), (LeaveTable(),) if leaves else ()
    if waiting.room.question and not waiting.line.text and meaning(key) is not None:
        return _answered_guest(waiting, key)
    match key:
        case "escape" if waiting.line.text:
            return replace(waiting, line=Line()), ()
        case "escape":
            return replace(waiting, asked=True), ()
        case _ if key in _LEAVING:
            return _left(waiting)
        case "f1":
            return waiting, (Page("Waiting for the others", _HELP, prose=True),)
        case "c-t":
            return replace(waiting, line=Line.of("say ")), ()
        case "f6":
            return waiting, (rules_page(game(waiting.room.key)),)
        case "tab" if waiting.room.entrance is not None:
            return replace(waiting, turns=waiting.turns + 1), ()
        case "up" | "down" if waiting.entries:
            at = stepped(waiting.entries.index(waiting.at), key, len(waiting.entries)) or 0
            return replace(waiting, chosen=waiting.entries[at]), ()
        case "enter":
            return _submit(waiting) if waiting.line.text.strip() else _choose(waiting)
    return replace(waiting, line=edited(waiting.line, key) or waiting.line), ()


def _answered_guest(waiting: WaitingRoomScreen, answer: str) -> tuple[WaitingRoomScreen, Effects]:
    """Answer a guest's request by a letter or a word. Enter is no answer here: it invites."""
    wish = BareWish.AGREE if meaning(answer) else BareWish.DECLINE
    return answered(replace(waiting, room=replace(waiting.room, question="")), answer), (wish,)


def _left(waiting: WaitingRoomScreen) -> tuple[WaitingRoomScreen, Effects]:
    """Leave; a table with other people is closed only after a question."""
    if waiting.sitting and waiting.room.hosts:
        return replace(waiting, asked=True), ()
    return waiting, (LeaveTable(),)


def question(waiting: WaitingRoomScreen) -> str:
    """The question before the person leaves."""
    if not waiting.room.hosts:
        return "Give your seat back?"
    return f"Close the table? {', '.join(waiting.sitting)} must go then." if waiting.sitting else "Close the table?"


def _choose(waiting: WaitingRoomScreen) -> tuple[WaitingRoomScreen, Effects]:
    """Enter on somebody: invite them, or take their seat away."""
    for who in waiting.room.others:
        if who.key == waiting.at:
            return waiting, (InvitePeer(who.name),)
    for who in waiting.room.chairs:
        if who.key == waiting.at:
            return replace(waiting, line=Line.of(f"kick {who.name}")), ()
    return waiting, ()


def _submit(waiting: WaitingRoomScreen) -> tuple[WaitingRoomScreen, Effects]:
    first, _, rest = " ".join(waiting.line.text.split()).partition(" ")
    word, waiting = first.lower(), replace(waiting, line=Line())
    if waiting.room.question and meaning(word) is not None and not rest:
        return _answered_guest(waiting, word)
    if word == "quit" and not rest:
        return _left(waiting)
    if word in _KEYED:
        return _key(waiting, _KEYED[word])
    place = Place.HOSTING if waiting.room.hosts else Place.ASKING
    if word not in (known := by_any_word(place)):
        near = slip(word, known)
        told = f"I don't know {quoted(first)}. {f'Did you mean {near}? ' if near else ''}{_TALK}"
        return refused(replace(waiting, line=Line.of(f"{first} {rest}".strip()).entered), told), ()
    return waiting, (network_wish(place, word, rest),)


def draw_waiting(waiting: WaitingRoomScreen) -> Picture:
    """The screen."""
    canvas, room = Canvas(waiting.columns, waiting.rows, plain=waiting.look.plain), waiting.room
    if is_too_small(canvas):
        return canvas.picture()
    free = waiting.free
    state = "ABOUT TO BEGIN" if room.beginning or not free else f"{len(room.chairs)} of {room.seats} seats taken"
    draw_bar(canvas, f"{room.game}   table {room.id[:8]}", state, strong=state.isupper())
    code = code_beside(canvas, room.entrance, waiting.turns)
    if room.entrance is None and free:
        code = fitting(canvas, room.ticket)
    width = canvas.width if code is None else canvas.width - code.width - 1
    if code is not None:
        draw_code(canvas, 1, width + 1, code)
    below = _draw_people(canvas, waiting, width)
    end = canvas.height - 3
    if room.entrance is not None:
        lines = [
            part
            for line in entrance_lines(room.entrance, waiting.turns, code, width - 2)
            for part in wrapped(line, width - 2)
        ]
        below = text_lines(canvas, below, 1, width, lines) + 1
    if room.way and free and room.ticket is not None:
        way = f"{room.ticket.sentence}. {room.way}" if code is not None else room.way
        below = text_lines(canvas, below, 1, width, wrapped(way, width - 2, _TICKET_ROWS)) + 1
    elif room.way and free and width == canvas.width:
        below = text_lines(canvas, below, 1, width, wrapped(room.way, width - 2, 2), "faint") + 1
    below -= below == end  # drop the blank row before the newest sentence
    text_lines(canvas, below, 1, width, _said(room, width - 2, end - below))
    told, alarm = _message(waiting)
    caret = draw_foot(canvas, told, waiting.line.text, waiting.line.at, _keys(waiting), alarm=alarm)
    return canvas.picture(caret)


def _said(room: news.Room, width: int, most: int) -> list[str]:
    """The newest sentences that fit, each from its beginning on; the risk of guests has a page, too."""
    rows: list[str] = []
    for sentence in reversed(room.said):
        lines = wrapped(sentence, width)
        if len(rows) + len(lines) > most and room.entrance is not None and sentence == GUESTS_RISK:
            lines = wrapped(RISK_ELSEWHERE, width)
        if len(rows) + len(lines) > most:
            return rows or (wrapped(sentence, width, most) if most > 0 else [])
        rows = [*lines, *rows]
    return rows


def _keys(waiting: WaitingRoomScreen) -> tuple[tuple[str, str, str], ...]:
    """The keys at the foot, with that for the next code."""
    after = next_code(waiting.room.entrance, waiting.turns)
    return (*_KEYS[:-1], *((("tab", "Tab", after),) if after else ()), _KEYS[-1])


def _draw_people(canvas: Canvas, waiting: WaitingRoomScreen, width: int) -> int:
    """Draw the terms, the seats, and the others: beside the seats, or below them. Return the row after them."""
    room = waiting.room
    top = text_lines(canvas, 2, 1, width, wrapped(f"{room.terms}.", width - 2, 3)) + 1
    if width >= _TWO_COLUMNS:
        half, most = width // 2, max(room.seats, 4)
        _draw_seats(canvas, waiting, top, half - 2)
        _draw_others(canvas, waiting, (top, half), width, most + 1)
        return top + most + 2
    _draw_seats(canvas, waiting, top, width - 2)
    below = top + room.seats + 2
    most = min(len(room.others), _MOST_BELOW)
    if not most:
        canvas.put(below, 1, "Nobody else is on the network yet.", "faint")
        return below + 2
    _draw_others(canvas, waiting, (below, 1), width, most)
    return below + most + 2


def _draw_seats(canvas: Canvas, waiting: WaitingRoomScreen, top: int, width: int) -> None:
    room = waiting.room
    canvas.put(top, 1, "Seats", "title")
    for row, who in enumerate(room.chairs, top + 1):
        canvas.put(row, 1, _marked(waiting, who, width - 4), "strong")
        canvas.spot("row", who.key, row, 0, width)
    for number in range(room.seats - len(room.chairs)):
        kept = f"( {clipped(f'kept for {room.coming[number]}', width - 6)} )" if room.coming[number:] else "( free )"
        canvas.put(top + 1 + len(room.chairs) + number, 3, kept, "faint")


def _draw_others(canvas: Canvas, waiting: WaitingRoomScreen, place: tuple[int, int], end: int, most: int) -> None:
    """Draw at most `most` of the others, the chosen one among them."""
    (top, left), others = place, waiting.room.others
    width = end - left - 1
    canvas.put(top, left, "Also on the network", "title")
    if not others:
        canvas.put(top + 1, left, "nobody yet", "faint")
    at = next((number for number, who in enumerate(others) if who.key == waiting.at), 0)
    for row, who in enumerate(others[max(0, at - most + 1) :][:most], top + 1):
        canvas.put(row, left, _marked(waiting, who, width // 2))
        canvas.put(row, left + width // 2 + 3, clipped(who.doing or who.kind, width - width // 2 - 3), "faint")
        if waiting.at == who.key:
            canvas.shade(row, left, width, "chosen")
        canvas.spot("row", who.key, row, left, width)


def _marked(waiting: WaitingRoomScreen, who: news.PersonRow, width: int) -> str:
    return f"{'▸' if waiting.at == who.key else ' '}{who.mark}{clipped(who.name, width)}"


def _message(waiting: WaitingRoomScreen) -> tuple[str, bool]:
    if waiting.asked:
        return asked(question(waiting)), True
    if waiting.room.question and not waiting.line.text:
        return asked(waiting.room.question, LETTERS), True
    if waiting.notice:
        return waiting.notice, waiting.alarm
    if word := waiting.line.text.split(" ")[0].lower():
        words = [one for one in _WORDS if waiting.room.question or meaning(one) is None]
        fitting = [one for one in words if one.startswith(word)]
        known = _WORDS.get(word)
        if known is not None and known.help and " " in waiting.line.text:
            return f"{known.typed}: {known.help}.", False
        if not fitting:
            return f"No word here begins so. {_TALK}", False
        return "Words here: " + "  ".join(fitting), False
    what = "The seats are kept for those who played." if waiting.room.again else "Others find the table in their lobby."
    if waiting.room.ticket is not None:
        what = "Others come with the words of the ticket."
    if not waiting.room.hosts:
        what = "Ctrl-Q stands up and goes."
    elif there := [one for one in waiting.room.others if one.key == waiting.at]:
        what = f"Enter invites {there[0].name}."
        if there[0].doing == news.INVITED:
            what = f"{there[0].name} is {'asked for a rematch' if waiting.room.again else 'invited'}."
    begins = "when all are here" if waiting.room.again else "by itself when all seats are taken"
    return f"The game begins {begins}. {what}", False
