"""The squared paper of a scene, as large as room allows: squares, their marks, and the lines between them.

This module knows scenes and no game; special drawings depend on a scene's content (lines, tokens, taken squares). It
also draws the cursor, the places to pick, the half-made move, and the changes that the move would make.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from quadrille.client.screen.draw.canvas import TWINS, Canvas, Piece, Row, seat_style, width
from quadrille.client.words.signs import COIN_VALUES
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.scene import Cell, Link, Mark, Sheet, letter
from quadrille.rules.squares import LETTERS
from quadrille.value import value

_COINS: Final = re.compile("([0-9]*)([pndq])")
_APART: Final = ("", " ")
#: The styles that colour the ground around their text.
_ROUND: Final = ("badge-", "coin-", "dollar")

_MARGIN: Final = 3
#: Columns of a square in which badges and coins have no ground beside them; its lines in which they have it below.
_NARROW: Final = 3
_TWO_LINES: Final = 2
#: Distances between squares in rows and columns, and whether squares are boxes; the first that fits is used.
_LINKED: Final = (
    (6, 12, False), (4, 8, False), (3, 7, False), (3, 6, False), (2, 5, False), (2, 4, False), (1, 3, False),
)  # fmt: skip
_LOOSE: Final = (
    (6, 13, True), (5, 11, True),
    (4, 9, True), (3, 7, True), (2, 7, True), (2, 6, True), (2, 5, True), (2, 5, False), (2, 4, False), (1, 5, False),
    (1, 4, False), (1, 3, False),
)  # fmt: skip
#: The signs of corners and crossings, by the sum of their lines: 1 up, 2 right, 4 down, 8 left.
_LIGHT: Final = "●╵╶└╷│┌├╴┘─┴┐┤┬┼"
_HEAVY: Final = "●╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
_ARROWS: Final = {
    (1, 0): "→", (-1, 0): "←", (0, 1): "↑", (0, -1): "↓", (1, 1): "↗", (-1, 1): "↖", (1, -1): "↘", (-1, -1): "↙"
}  # fmt: skip


@value
class Pitch:
    """The distance between squares, and whether each is a box."""

    rows: int
    columns: int
    boxed: bool

    def size(self, sheet: Sheet) -> tuple[int, int]:
        """Return the rows and columns of the whole sheet."""
        high = self.rows * sheet.height + (2 if self.boxed else self.rows % 2)
        return high, _MARGIN + self.columns * sheet.width + self.boxed


@value
class Marked:
    """Everything drawn beside the position, by names of places; `after` is the sheet after the half-made move, and
    `maze` what the lines of a finished game have made. `signs` are those that a bot put on squares.
    """

    cursor: str = ""
    path: tuple[str, ...] = ()
    nexts: frozenset[str] = frozenset()
    after: Sheet | None = None
    mover: int | None = None
    viewer: int | None = None
    maze: Labyrinth | None = None
    signs: tuple[tuple[str, str], ...] = ()


def pitches(sheet: Sheet) -> list[Pitch]:
    """Return the possible pitches of a sheet, largest first."""
    widest = max(least_width(cell.marks) for cell in sheet.cells)
    rows = _LINKED if sheet.links is not None else _LOOSE
    fitting = [Pitch(*row) for row in rows if row[1] - row[2] >= widest + (sheet.links is not None)]
    return fitting or [Pitch(1, widest + 1, False)]


def pitch_for(sheet: Sheet, rows: int, width: int, among: Iterable[Pitch] = ()) -> Pitch | None:
    """Return the largest pitch that fits, of those `among` if they are known; None if none does."""
    for pitch in among or pitches(sheet):
        high, wide = pitch.size(sheet)
        if high <= rows and wide <= width:
            return pitch
    return None


def is_crowded(sheet: Sheet | None, nexts: Collection[str]) -> bool:
    """Return whether most squares can be picked. Small dots mark them then: larger signs would hide the game."""
    return sheet is not None and 2 * len(nexts) > len(sheet.cells)


class SheetView:
    """A sheet on a canvas: the places of squares, and their drawing."""

    def __init__(self, canvas: Canvas, top: int, left: int, sheet: Sheet, pitch: Pitch, marked: Marked) -> None:
        self.canvas = canvas
        self.top = top
        self.left = left + _MARGIN
        self.sheet = sheet
        self.pitch = pitch
        self.marked = marked
        self.bottom = top + pitch.size(sheet)[0]
        self.numbers = {cell.name: number for number, cell in enumerate(sheet.cells)}
        self.cells = marked.after.cells if marked.after else sheet.cells
        self.crowded = is_crowded(sheet, marked.nexts)

    def draw(self) -> None:
        """Draw everything."""
        self._draw_grounds()
        self._draw_edges()
        if self.pitch.boxed:
            self._draw_boxes()
        new = set(self.marked.after.links or ()) - set(self.sheet.links or ()) if self.marked.after else set()
        for link in (*(self.sheet.links or ()), *new):
            self._draw_link(link, preview=link in new)
        if self.pitch.rows == 1:
            self._draw_brackets(new)
        for number, cell in enumerate(self.sheet.cells):
            self._draw_cell(number, cell)
            self.canvas.spot("pick", cell.name, *self._spot(number))
        if self.marked.maze is not None and self.pitch.rows > 1:
            self._draw_maze(self.marked.maze)
        if self.sheet.links is None:
            self._draw_path()
        self._draw_bots_signs()
        if self.marked.cursor in self.numbers:
            self._draw_cursor(self.numbers[self.marked.cursor])

    # Places

    def corner(self, number: int) -> tuple[int, int]:
        """Return the upper left corner of a square's box, or of its room."""
        column, row = divmod(number, self.sheet.height)
        above = 1 if self.pitch.boxed else 1 + (self.pitch.rows - 1) // 2
        row = self.top + above + (self.sheet.height - 1 - row) * self.pitch.rows
        return row, self.left + column * self.pitch.columns

    def centre(self, number: int) -> tuple[int, int]:
        """Return the place around which a square's texts are centred."""
        row, column = self.corner(number)
        if self.pitch.boxed:
            return row + self.pitch.rows // 2, column + (self.pitch.columns + 1) // 2
        return row, column + self.pitch.columns // 2

    def _spot(self, number: int) -> tuple[int, int, int, int]:
        row, column = self.corner(number)
        if self.pitch.boxed:
            return row + 1, column + 1, self.pitch.columns - 1, self.pitch.rows - 1
        return row - (self.pitch.rows - 1) // 2, column, self.pitch.columns, self.pitch.rows  # no gap for clicks

    def _tile(self, number: int) -> tuple[int, int, int, int]:
        """Return what has the colour of a square: as much of its room as is the same on all sides of its centre."""
        if self.pitch.boxed or self.pitch.rows % 2:
            return self._spot(number)
        row, column = self.centre(number)
        high, wide = self.pitch.rows // 2 - 1, (self.pitch.columns - 2) // 2
        return row - high, column - wide, 2 * wide + 1, 2 * high + 1

    # Drawing

    def _draw_grounds(self) -> None:
        """Colour the sheet, and the squares in the colours of those who own them."""
        ground = self.canvas.ground
        high, wide = self.bottom - self.top - 1, self.pitch.columns * self.sheet.width
        ground(self.top + 1, self.left - (not self.pitch.boxed), wide + 1, high, "sheet")
        for number, cell in enumerate(self.sheet.cells):
            owner = owner_of(self.cells[number].marks)
            if owner is not None:
                ground(*self._tile(number), seat_style(owner, "glow" if cell.fresh else "tint"))

    def _draw_edges(self) -> None:
        """Draw the letters above and the numbers at the left."""
        for column in range(self.sheet.width):
            _, at = self.centre(column * self.sheet.height)
            self.canvas.put(self.top, at, LETTERS[column], "faint")
        for row in range(self.sheet.height):
            at, _ = self.centre(row)
            self.canvas.put(at, self.left - _MARGIN, f"{row + 1:2}", "faint")

    def _draw_boxes(self) -> None:
        wide, high = self.sheet.width, self.sheet.height
        bar = "─" * (self.pitch.columns - 1)
        for line in range(high + 1):
            start, cross, end = "┌┬┐" if line == 0 else "└┴┘" if line == high else "├┼┤"
            row = self.top + 1 + line * self.pitch.rows
            self.canvas.put(row, self.left, start + cross.join([bar] * wide) + end, "line")
            for at in range(row + 1, row + self.pitch.rows if line < high else row):
                for column in range(wide + 1):
                    self.canvas.put(at, self.left + column * self.pitch.columns, "│", "line")

    def _draw_link(self, link: Link, *, preview: bool) -> None:
        """Draw a line between two neighbours; every second seat has heavy lines."""
        ends = sorted(self.centre(self.numbers[name]) for name in (link.start, link.end))
        (row, column), (last_row, last_column) = ends
        style = "preview" if preview else seat_style(link.seat)
        heavy = (link.seat or 0) % 2 == 1
        if row == last_row:
            sign = "╌" if preview else "━" if heavy else "─"
            self.canvas.put(row, column + 1, sign * (last_column - column - 1), style)
        else:
            sign = "╎" if preview else "┃" if heavy else "│"
            for at in range(row + 1, last_row):
                self.canvas.put(at, column, sign, style)

    def _draw_brackets(self, new: set[Link]) -> None:
        """Join letters one above another by brackets at their right, where rows have no room between them."""
        ways: dict[str, int] = {}
        for link in (*(self.sheet.links or ()), *new):
            low, high = sorted((link.start, link.end), key=lambda name: self.numbers[name])
            if self.numbers[high] // self.sheet.height == self.numbers[low] // self.sheet.height:
                ways[low] = ways.get(low, 0) | 1
                ways[high] = ways.get(high, 0) | 4
        for name, bits in ways.items():
            owner = owner_of(self.cells[self.numbers[name]].marks)
            if owner is None:
                continue  # a mark without a letter is a line itself
            row, column = self.centre(self.numbers[name])
            goes_on = self.canvas.sign(row, column + 1) in "─━╌-=~"
            sign = (_HEAVY if owner % 2 else _LIGHT)[bits | 8 | 2 * goes_on]
            self.canvas.put(row, column + 1, sign, seat_style(owner), twin="+")

    def _draw_cell(self, number: int, cell: Cell) -> None:
        marks = self.cells[number].marks
        changed = marks != cell.marks
        row, centre = self.centre(number)
        can = cell.name in self.marked.nexts
        inside = self.pitch.columns - self.pitch.boxed
        parts = pieces(marks, inside - changed)
        if not marks:
            empty = "·" if not can or self.crowded else "○"
            blank = self.pitch.boxed and empty == "·" and not can
            parts = (("", " "),) if blank else (("legal" if can else "faint", empty),)
        if changed:
            parts = tuple(("preview", text) for _, text in parts)
        end = self.corner(number)[1] + self.pitch.columns
        start = at = min(centre - width(parts) // 2, end - width(parts) - changed)
        for style, text in parts:
            text, twin = self._node(number, marks) if marks and marks[-1].kind in ("taken", "start") else (text, "")
            at = self.canvas.put(row, at, text, f"{style} fresh" if cell.fresh and not changed else style, twin=twin)
        apart = can and bool(parts) and not is_round(parts[0][0]) and start - 2 >= self._spot(number)[1]
        self._draw_signs(cell, row, start - 1 - apart, at, changed=changed, can=can and bool(cell.marks))
        self._draw_round(number, row, parts, start, at)

    def _draw_round(self, number: int, row: int, parts: Row, start: int, end: int) -> None:
        """Let the ground of badges and coins go on beside them, as far as nothing is there."""
        top, left, wide, high = self._tile(number)
        if wide <= _NARROW:
            return
        for (style, _), at in ((parts[0], start - 1), (parts[-1], end)):
            if is_round(style) and left <= at < left + wide and self.canvas.sign(row, at) == " ":
                self.canvas.ground(row, at, 1, 1, style)
        if high == _TWO_LINES and all(is_round(style) for style, _ in parts):
            self.canvas.ground(top + 1, start - 1, end - start + 2, 1, parts[-1][0])

    def _draw_signs(self, cell: Cell, row: int, before: int, behind: int, *, changed: bool, can: bool) -> None:
        """Draw small signs beside the texts of a square."""
        put = self.canvas.put
        if changed:
            if behind < self.corner(self.numbers[cell.name])[1] + self.pitch.columns:
                put(row, behind, "?", "preview")
        elif cell.name in self.marked.path and self.sheet.links is None:
            put(row, before, "◆", "picked")
        elif can:
            put(row, before, "○", "legal")
        elif cell.fresh and cell.marks and cell.marks[-1].kind not in ("taken", "start"):
            for at, sign in ((before, "‹"), (behind, "›")):
                if self.canvas.sign(row, at) in " ─━":
                    put(row, at, sign, "fresh")

    def _node(self, number: int, marks: tuple[Mark, ...]) -> tuple[str, str]:
        """Return the sign of a taken square: a corner or crossing of its lines, or a dot for the first one."""
        if marks[-1].kind == "start":
            return "◉", "@"
        ways, heavy = 0, True
        column, row = divmod(number, self.sheet.height)
        for link in self.sheet.links or ():
            ends = [self.numbers[link.start], self.numbers[link.end]]
            if number in ends:
                ends.remove(number)
                other_column, other_row = divmod(ends[0], self.sheet.height)
                step = (other_column - column, other_row - row)
                ways |= {(0, 1): 1, (1, 0): 2, (0, -1): 4, (-1, 0): 8}.get(step, 0)
                heavy = heavy and (link.seat or 0) % 2 == 1
        end = self.sheet.cells[number].fresh or ways in (0, 1, 2, 4, 8)
        return ("●", "O") if end else ((_HEAVY if heavy else _LIGHT)[ways], "o")

    def _draw_maze(self, maze: Labyrinth) -> None:
        """Draw the walls between squares, and dots in the openings along the way; the upper wall hides the letters."""
        from quadrille.client.picture.labyrinth import openings, wall_signs  # imported here: no first screen needs it

        down, across, put = self.pitch.rows, self.pitch.columns, self.canvas.put
        put(self.top, self.left, " " * (maze.size * across))
        for line, at, sign, twin in wall_signs(maze, down, across):
            put(self.top + line, self.left + at, sign, "wall", twin=twin)
        for line, at in openings(maze, down, across):
            put(self.top + line, self.left + at, "•", "picked")

    def _draw_path(self) -> None:
        """Draw arrows along the half-made move, from the mover's piece on."""
        numbers = [self.numbers[name] for name in self.marked.path if name in self.numbers]
        for number, cell in enumerate(self.sheet.cells):
            if numbers and any(not mark.label and mark.seat == self.marked.mover for mark in cell.marks):
                numbers.insert(0, number)
                break
        for one, two in pairwise(numbers):
            (column, row), (to_column, to_row) = divmod(one, self.sheet.height), divmod(two, self.sheet.height)
            arrow = _ARROWS.get((to_column - column, to_row - row))
            if arrow is None:
                continue
            at, start = self.centre(one)
            corner_row, corner_column = self.corner(two)
            if row == to_row:
                between = max(self.corner(one)[1], corner_column)
                self.canvas.put(at, between, arrow, "picked")
            elif self.pitch.rows > 1:
                between = max(self.corner(one)[0], corner_row) - (not self.pitch.boxed)
                column_at = start if column == to_column else max(self.corner(one)[1], corner_column)
                self.canvas.put(between, column_at, arrow, "picked")

    def _draw_bots_signs(self) -> None:
        """Draw the signs that a bot put on squares, to the right of their marks."""
        for name, sign in self.marked.signs:
            if name in self.numbers:
                row, centre = self.centre(self.numbers[name])
                last = self.corner(self.numbers[name])[1] + self.pitch.columns - 1
                at = min(centre + 1, last)
                while at < last and self.canvas.sign(row, at) not in " ─━-=":
                    at += 1
                self.canvas.put(row, at, sign, "alarm", twin="" if sign.isascii() else TWINS.get(sign, "?"))

    def _draw_cursor(self, number: int) -> None:
        """Draw a frame around a square, and its ground in the cursor's colour."""
        row, column = self.corner(number)
        wide, high = self.pitch.columns, self.pitch.rows
        if self.pitch.boxed:
            self.canvas.put(row, column, "┏" + "━" * (wide - 1) + "┓", "picked", twin="#" * (wide + 1))
            self.canvas.put(row + high, column, "┗" + "━" * (wide - 1) + "┛", "picked", twin="#" * (wide + 1))
            for at in range(row + 1, row + high):
                for side in (column, column + wide):
                    self.canvas.put(at, side, "┃", "picked", twin="#")
            self.canvas.ground(row + 1, column + 1, wide - 1, high - 1, "cursor")
            return
        linked = self.sheet.links is not None
        row, centre = self.centre(number)
        left, right = centre - 2, centre + (2 if linked or wide > 4 else 1)
        if high > 1:
            for at, signs in ((row - 1, "╭╮"), (row + 1, "╰╯")):
                self.canvas.put(at, left, signs[0], "picked")
                self.canvas.put(at, right, signs[1], "picked")
        else:
            self.canvas.put(row, centre - 1, "▸", "picked")
        self.canvas.ground(row, left + linked, right - left + 1 - 2 * linked, 1, "cursor")


# The things on a square: the largest form that fits is taken. Coins by value, apart from pieces; then close together;
# then coins by their letters.


def is_round(style: str) -> bool:
    """Return whether a piece of that style has a ground of its own, which goes on beside it."""
    return style.startswith(_ROUND)


def owner_of(marks: tuple[Mark, ...]) -> int | None:
    """Return the seat whose square it is."""
    return next((mark.seat for mark in marks if mark.seat is not None), None)


@lru_cache(maxsize=1 << 12)
def pieces(marks: tuple[Mark, ...], room: int) -> Row:
    """Return what lies on a square, seats' pieces first, in the largest form that has room."""
    form: list[Piece] = []
    for form in _forms(marks):
        if width(form) <= room:
            break
    return tuple(form)


@lru_cache(maxsize=1 << 12)
def least_width(marks: tuple[Mark, ...]) -> int:
    """Return the columns of the smallest form."""
    return min(map(width, _forms(marks)))


def _forms(marks: tuple[Mark, ...]) -> Iterator[list[Piece]]:
    """Yield the forms of what lies on a square, the largest first."""
    seats = [_piece(mark) for mark in marks if not mark.label and mark.seat is not None]
    things = [mark for mark in marks if mark.label]
    valued = seats + [_thing(mark, valued=True) for mark in things]
    yield [piece for number, value in enumerate(valued) for piece in ([_APART] if number else []) + [value]]
    yield valued
    yield seats + [_thing(mark, valued=False) for mark in things]


def _piece(mark: Mark) -> Piece:
    assert mark.seat is not None
    return seat_style(mark.seat, "seat" if mark.kind == "claim" else "badge"), letter(mark.seat)


def _thing(mark: Mark, *, valued: bool) -> Piece:
    coins = _COINS.fullmatch(mark.label) if mark.kind == "coin" else None
    if coins is None:
        own = mark.seat is not None and mark.kind != "dollar"
        return seat_style(mark.seat) if own else mark.kind, mark.label
    count, kind = coins.groups()
    text = (f"{count}×" if count else "") + COIN_VALUES[kind] if valued else mark.label
    return f"coin-{kind}", text
