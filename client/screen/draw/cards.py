"""Rows of cards and tracks on the screen: each seat's track with its rows below, then the rows of no seat.

Cards have 7 lines, 5, 3 or 1. Brackets mark a card that only the viewer sees. A small letter beside a card
face down names another seat that has looked at it, and a number counts several. This module knows scenes and no game.
"""

from typing import Final

from quadrille.client.screen.draw.canvas import (
    WINNER,
    Canvas,
    SeatLabel,
    clipped,
    columns,
    seat_style,
    seat_texts,
    wrapped,
)
from quadrille.client.screen.draw.sheet import Marked
from quadrille.client.words.signs import face
from quadrille.rules.scene import Row, Scene, Track, letter
from quadrille.rules.squares import LETTERS
from quadrille.value import value

HEIGHTS: Final = (7, 5, 3, 1)
#: The columns of a card, by its lines.
_WIDTHS: Final = {7: 9, 5: 7, 3: 5, 1: 5}
#: The least columns of a name and of a track beside it, and the most of a name on a narrow screen.
_NAME: Final = 16
_LEAST_BAR: Final = 8
_LONGEST_NAME: Final = 28
_LEAST_COMMON: Final = 2


def _strip(row: Row, high: int) -> int:
    """Return the width of a row with cards of that height."""
    places, wide = max(len(row.marks), 1), _WIDTHS[high]
    return places * (wide + 1) + 1 if high > 1 else 2 + places * (wide + 2)


def rows_of(scene: Scene, seat: int) -> list[Row]:
    """Return the rows of a seat that are not empty."""
    return [row for row in scene.rows if row.seat == seat and any(row.marks)]


def height(scene: Scene, width: int, high: int) -> int:
    """Return the lines that all rows take with cards of that height; 0 if they don't fit the width."""
    lines = 0
    for panel in scene.panels:
        rows = rows_of(scene, panel.seat)
        across = _across(rows, width, high)
        if rows and not across:
            return 0
        lines += 1 + (-(-len(rows) // across) * high if rows else 0)
    common = [row for row in scene.rows if row.seat is None]
    return lines + sum(len(_common(row, width, _LEAST_COMMON)) for row in common)


def _across(rows: list[Row], width: int, high: int) -> int:
    return (width - 2 + 1) // (max(_strip(row, high) for row in rows) + 1) if rows else 1


def _common(row: Row, width: int, most: int) -> list[str]:
    """Return a row of no seat, in at most `most` lines."""
    faces = " ".join(face(mark.label) for mark in row.marks if mark)
    return wrapped(f"{row.name}: {faces}", width - 1, most)


@value
class CardsView:
    """Rows and tracks on a canvas. `high` is the lines of a card; the rows of no seat end at the row `end`."""

    canvas: Canvas
    top: int
    end: int
    width: int
    scene: Scene
    seated: list[SeatLabel]
    marked: Marked
    high: int

    @property
    def wide(self) -> int:
        """The columns of a card."""
        return _WIDTHS[self.high]

    def draw(self) -> int:
        """Draw everything; return the row after it."""
        row, (names, wide) = self.top, self._names()
        tracks = {track.seat: track for track in self.scene.tracks}
        for panel in self.scene.panels:
            self._draw_seat(row, panel.seat, names[panel.seat], wide, tracks.get(panel.seat))
            row = self._draw_rows(row + 1, rows_of(self.scene, panel.seat))
        common = [one for one in self.scene.rows if one.seat is None]
        for after, one in zip(range(len(common))[::-1], common, strict=True):
            room = self.end - row - after * _LEAST_COMMON
            for line in _common(one, self.width, max(_LEAST_COMMON, room)):
                self._draw_common(row, line)
                row += 1
        return row

    def _draw_common(self, row: int, line: str) -> None:
        """Draw a line of cards of no seat, each in the colour of its suit."""
        at = 1
        for word in line.split(" "):
            style = "red" if word[-1:] in "♥♦" and word[:1] != "…" else "card" if word[-1:] in "♠♣★" else "faint"
            at = self.canvas.put(row, at, word, style) + 1

    def _draw_seat(self, row: int, seat: int, name: str, wide: int, track: Track | None) -> None:
        """Draw a seat's name, its turn, and its peg on the track."""
        put, seated = self.canvas.put, self.seated[seat]
        self.canvas.draw_place(row, 0, seated.place, to_move=seated.to_move)
        shift = int(seated.place > 0)
        put(row, 2 + shift, clipped(name, wide - shift), WINNER if seated.place == 1 else seat_style(seat))
        if track is None:
            return
        progress = self._told(track)
        start = 2 + wide + 1
        bar = max(_LEAST_BAR, self.width - start - columns(progress) - 2)
        at = track.place * (bar - 1) // track.length
        put(row, start, "━" * at + "●" + "─" * (bar - 1 - at), seat_style(seat))
        put(row, start + bar + 1, progress, "strong" if seated.to_move else "")

    def _names(self) -> tuple[list[str], int]:
        """Return what stands before each track, with the kinds of bots as far as all of them fit, and its columns."""
        told = max((columns(self._told(track)) for track in self.scene.tracks), default=0)
        room = min(self.width - 5 - _LEAST_BAR - told, max(_LONGEST_NAME, self.width * 3 // 5))
        marks, placed = [f"{letter(seat)} p{seat + 1} " for seat in range(len(self.seated))], self.seated[0].place > 0
        texts = seat_texts(self.seated, room - len(marks[-1]) - placed)
        names = [mark + text + " " * placed for mark, text in zip(marks, texts, strict=True)]
        return names, max(_NAME, min(room, max(map(columns, names))))

    def _told(self, track: Track) -> str:
        """Return the clock of a seat and the position of its peg, in words."""
        seated, lap = self.seated[track.seat], min(track.laps + 1, track.laps_wanted)
        progress = f"{track.place:3}/{track.length}  lap {lap}/{track.laps_wanted}"
        if track.laps >= track.laps_wanted:
            progress = "the lap is done" if track.laps_wanted == 1 else f"all {track.laps_wanted} laps done"
        elif track.place >= track.length:
            progress += " waits"
        return f"{seated.clock}  {progress}" if seated.clock else progress

    def _draw_rows(self, top: int, rows: list[Row]) -> int:
        across = max(1, _across(rows, self.width, self.high))
        for number, row in enumerate(rows):
            line, place = divmod(number, across)
            column = 2 + place * (max(_strip(other, self.high) for other in rows) + 1)
            self._draw_row(top + line * self.high, column, row)
        return top + -(-len(rows) // across) * self.high if rows else top

    def _draw_row(self, top: int, column: int, row: Row) -> None:
        """Draw a row: boxed cards with their slots in the upper edge, or its number and the cards in one line."""
        put, boxed, number = self.canvas.put, self.high > 1, row.name.split()[-1]
        wide = self.wide
        bottom, step = top + self.high - 1, wide + 1 if boxed else wide + 2
        if boxed:
            bars = ["─" * wide] * len(row.marks)
            put(top, column, "┌" + "┬".join(bars) + "┐", "line")
            for line in range(top + 1, bottom):
                put(line, column, "│" + "│".join([" " * wide] * len(row.marks)) + "│", "line")
            put(bottom, column, "└" + "┴".join(bars) + "┘", "line")
        else:
            put(top, column, number, "faint")
        for place, mark in enumerate(row.marks):
            at, name = column + (1 if boxed else 3) + place * step, f"{row.name}{LETTERS[place]}"
            if boxed:
                put(top, at, f"{number}{LETTERS[place]}", "faint")
            self._draw_card(top + self.high // 2, at, row, place, name)
            self._draw_sign(top, at + wide - 2 if boxed else at - 1, name)
            put(bottom, at + wide - 2 if boxed else at + wide, self._lookers(row, place), "strong")
            if mark:
                self.canvas.spot("pick", name, top + boxed, at, wide, max(1, self.high - 2))
                if self.marked.cursor == name:
                    self._draw_cursor(top, at)

    def _draw_card(self, row: int, column: int, cards: Row, place: int, name: str) -> None:
        mark = cards.marks[place]
        if mark is None:
            self.canvas.put(row, column + self.wide // 2, "·", "faint")
            return
        can = not self.marked.path or name in (*self.marked.nexts, *self.marked.path)
        around = max(0, self.high - 3) // 2
        if mark.label == "?":
            for line in range(row - around, row + around + 1):
                self.canvas.put(line, column, "░" * self.wide, "back" if can else "faint")
            return
        is_mine = bool(cards.lookers) and self.marked.viewer in cards.lookers[place]
        text = f"({face(mark.label)})" if is_mine else face(mark.label)
        style = "red" if mark.label[-1] in "HD" else "card"
        for line in range(row - around, row + around + 1):
            self.canvas.put(line, column, " " * self.wide, style)
        self.canvas.put(row, column + (self.wide - columns(text) + 1) // 2, text, style if can else f"{style} faint")

    def _lookers(self, row: Row, place: int) -> str:
        """Return the letter of the other seat that has looked at a card, or the number of several."""
        seats = [seat for seat in row.lookers[place] if seat != self.marked.viewer] if row.lookers else []
        return "" if not seats else letter(seats[0]).lower() if len(seats) == 1 else str(len(seats))

    def _draw_sign(self, row: int, column: int, name: str) -> None:
        if name in self.marked.path:
            self.canvas.put(row, column, "◆", "picked")
        elif self.marked.path and name in self.marked.nexts:
            self.canvas.put(row, column, "○", "legal")

    def _draw_cursor(self, top: int, at: int) -> None:
        if self.high > 1:
            for line in range(top, top + self.high):
                edge = line in (top, top + self.high - 1)
                for side in (at - 1, at + self.wide):
                    self.canvas.put(line, side, "┃" if not edge else "╋", "picked", twin="#")
            self.canvas.shade(top + 1, at, self.wide, "held", self.high - 2)
        else:
            self.canvas.put(top, at - 1, "▸", "picked")
            self.canvas.shade(top, at, self.wide, "held")
