"""The column beside the board: players with their figures, choices, notes, moves, chat, as far as there is room."""

import re
from typing import Final

from quadrille.client.clocks import clock_text
from quadrille.client.screen.draw.canvas import Canvas, clipped, columns, wrapped
from quadrille.client.screen.draw.cards import face
from quadrille.client.screen.draw.theme import seat_style
from quadrille.client.screen.table.draft import Draft
from quadrille.client.screen.table.model import Model, Table, shown_match, shown_state
from quadrille.client.table.sight import seen
from quadrille.client.words.table import YOU
from quadrille.rules.core import WHOLE
from quadrille.rules.match import WAYS_OUT, Adjudicated, Agreed, Left, Match, Played
from quadrille.rules.plain_text import letter
from quadrille.rules.scene import Scene

_LEAST_MOVES: Final = 4
_NUMBER: Final = 4
_MOST_NOTES: Final = 6
#: Who somebody is in the notes of a scene.
_PLAYER: Final = re.compile(r"\bPlayer ([1-9])\b")


def clock_of(model: Model, seat: int) -> str:
    """What a seat has left, where there is a clock."""
    left = None if model.replay else model.table.time_left(seat, model.now)
    return "" if left is None else clock_text(left)


def entry_line(match: Match, number: int, table: Table) -> tuple[str, int | None]:
    """What happened in an entry, short, and whose it was."""
    entry = match.entries[number]
    match entry:
        case Played(seat, move):
            viewer = match.viewer if match.viewer == table.viewer else table.viewer
            if viewer != WHOLE and not match.state.recalls and not table.match.over and number < table.match.length - 1:
                viewer = None  # what was looked at earlier is for the person to remember
            faces = seen(match, number, viewer) if match.viewer in ("whole", viewer) else list(entry.faces)
            drawn = f" = {' '.join(face(str(drawn)) for drawn in faces)}" if faces else ""
            return f"{letter(seat)} {move}{drawn}", seat
        case Left(seat, how):
            return f"{letter(seat)} {WAYS_OUT[how]}", seat
        case Agreed():
            return "a draw is agreed", None
        case Adjudicated():
            return "the table has decided", None


def last_moves(match: Match, table: Table, most: int) -> list[tuple[str, int | None]]:
    """The last entries with their numbers."""
    count = len(match.entries)
    found = []
    for number in range(max(0, count - most), count):
        text, seat = entry_line(match, number, table)
        found.append((f"{number + 1:3} {text}", seat))
    return found


class Side:
    """The column on a canvas."""

    def __init__(self, canvas: Canvas, model: Model, scene: Scene, draft: Draft, column: int, rows: int) -> None:
        self.canvas = canvas
        self.model = model
        self.scene = scene
        self.draft = draft
        self.column = column
        self.width = canvas.width - column
        self.row = 1
        self.end = 1 + rows

    def draw(self, *, players: bool) -> None:
        """All of it; `players` are left out where the board tells about them."""
        if players:
            self._draw_players()
        self._draw_choices()
        room = self.end - self.row
        said = self.model.table.chat[-max(1, room) :]  # there may be hundreds, and each has a line at least
        chat = [line for text in said for line in wrapped(text, self.width)]
        if notes := self._notes(max(0, min(_MOST_NOTES, room - _LEAST_MOVES - 2))):
            self._gap()
            for line in notes:
                self._put(line, "faint")
        room = self.end - self.row
        chat = chat[-max(0, min(room // 3, room - _LEAST_MOVES - 2)) :] if room > _LEAST_MOVES + 3 and chat else []
        self._draw_moves(self.end - self.row - (len(chat) + 2 if chat else 0))
        if chat:
            self._gap()
            self._put("Chat", "title")
            for line in chat:
                self._put(line)

    def _notes(self, most: int) -> list[str]:
        """Legend and notes by the names of the players, in so many lines; what is cut ends in a sign of it."""
        lines: list[str] = []
        for note in filter(None, (shown_state(self.model).legend, *self.scene.notes)):
            lines += wrapped(_PLAYER.sub(self._name, note), self.width, most - len(lines)) if len(lines) < most else []
        return lines

    def _name(self, found: re.Match[str]) -> str:
        """Letter and name of a player of the rules; "you" would not go with what is said of somebody."""
        seat = int(found[1]) - 1
        name = self.model.table.called(seat)
        return letter(seat) if name == YOU else f"{letter(seat)} {name}"

    def _gap(self) -> None:
        if self.row > 1:
            self.row += 1

    def _put(self, text: str, style: str = "") -> None:
        if self.row < self.end:
            self.canvas.put(self.row, self.column, clipped(text, self.width), style)
            self.row += 1

    def _draw_players(self) -> None:
        """The seats with as many figures as have room."""
        names = [name for name, _ in self.scene.panels[0].figures]
        table = self.model.table
        rows = []
        clocks = [clock_of(self.model, panel.seat) for panel in self.scene.panels]
        for panel in self.scene.panels:
            role = f"{panel.role}: " if panel.role else ""
            rows.append(f"{role}{table.called(panel.seat)}{' (left)' if panel.left else ''}")
        longest = max(map(columns, rows))
        shown: list[str] = []
        timed = max(map(len, clocks)) + 1 if any(clocks) else 0
        room = self.width - 4 - min(longest, 10) - timed
        for name in names:
            if (room := room - max(len(name), 3) - 1) < 0:
                break
            shown.append(name)
        widths = [max(len(name), 3) + 1 for name in shown]
        self.canvas.put(self.row, self.column, "Players", "title")
        heads = "".join(name.replace("_", " ").rjust(width) for name, width in zip(shown, widths, strict=True))
        self.canvas.put(self.row, self.canvas.width - len(heads), heads, "faint")
        self.row += 1
        for panel, text, clock in zip(self.scene.panels, rows, clocks, strict=True):
            figures = dict(panel.figures)
            numbers = clock.rjust(timed) + "".join(
                str(figures[name]).rjust(width) for name, width in zip(shown, widths, strict=True)
            )
            self.canvas.put(self.row, self.column, "▸" if panel.to_move else " ", "picked")
            style = seat_style(panel.seat)
            self.canvas.put(self.row, self.column + 2, letter(panel.seat), style)
            name = clipped(text, self.width - 4 - len(numbers))
            self.canvas.put(self.row, self.column + 4, name, "faint" if panel.left else style)
            self.canvas.put(self.row, self.canvas.width - len(numbers), numbers)
            self.row += 1

    def _draw_choices(self) -> None:
        """What can be chosen that is no place of the board, in as many columns as fit."""
        if not self.draft.choices:
            return
        self._gap()
        self.row = draw_choices(self.canvas, self.model, self.draft, self.row, self.column, self.width)

    def _draw_moves(self, room: int) -> None:
        if room < 2:
            return
        end = self.row + room
        self._gap()
        self._put("Moves", "title")
        lines: list[tuple[str, int | None]] = []
        for text, seat in last_moves(shown_match(self.model), self.model.table, end - self.row):
            first, *more = wrapped(text[_NUMBER:], self.width - _NUMBER)
            lines += [(text[:_NUMBER] + first, seat), *((" " * (_NUMBER + 2) + line, seat) for line in more)]
        lines = lines[max(0, len(lines) - (end - self.row)) :]
        while lines and lines[0][0].startswith(" " * _NUMBER):  # the rest of a move whose beginning has no room
            del lines[0]
        for text, seat in lines:
            self._put(text, seat_style(seat))


def draw_choices(canvas: Canvas, model: Model, draft: Draft, row: int, column: int, width: int) -> int:
    """Choices side by side, each to be clicked or reached by the cursor; the row after them."""
    at = column
    for name, line in draft.choices:
        text = f"[ {name} ]"
        if at > column and at + columns(text) > column + width:
            row, at = row + 1, column
        chosen = model.cursor == line
        canvas.put(row, at, text.replace("[ ", "[▸") if chosen else text, "cursor" if chosen else "legal")
        canvas.spot("word", line, row, at, columns(text))
        at += columns(text) + 1
    return row + 1
