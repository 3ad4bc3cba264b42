"""The windows of a sheet of squares, and which of them share their weights (extras/lab/docs/learned.md, "Windows").

Windows that are mirror images of each other share their weights. A window at an edge or in a corner of the sheet has
weights of its own. They are worked out once for each size; extras/lab/engine/sums.py keeps up the sums. Nothing here
knows a game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from quadrille.extras.lab.engine.sums import Patterns, images, lowered, shared
from quadrille.rules.arrays import array, packed
from quadrille.rules.board import Board
from quadrille.rules.ints import i64, vec

#: Whether a window lies at the left, right, lower and upper edge.
Edges: TypeAlias = tuple[bool, bool, bool, bool]
#: The columns and rows, inside the window, of its squares in the order in which they are numbered.
Order: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class LearnedSheet:
    """A sheet of columns x rows squares; column by column they are numbered from `first`, columns `stride` apart.

    Each square shows one of `faces`. Its windows have the shapes (width, height). If the game is the same when it is
    mirrored in a `diagonal`, each shape lies both ways.
    """

    columns: int
    rows: int
    stride: int
    first: int
    faces: int
    shapes: tuple[tuple[int, int], ...]
    diagonal: bool

    @classmethod
    def of(cls, patterns: Patterns, board: Board) -> "LearnedSheet":
        """Read the sheet of a board that patterns describe."""
        columns, rows, stride, first, faces, diagonal, *sides = patterns.sheet(board)
        shapes = tuple(zip(sides[::2], sides[1::2], strict=True))
        return cls(columns, rows, stride, first, faces, shapes, bool(diagonal))


@dataclass(frozen=True, slots=True)
class Windows:
    """The arrays of `Patterns` for a sheet, and the number of different weights."""

    span: int
    links: vec[i64]
    starts: vec[i64]
    slots: vec[i64]
    weights: int


def views(width: int, height: int, edges: Edges, *, turned: bool) -> Iterator[tuple[Edges, Order]]:
    """Yield the four ways to look at a window, a `turned` one along its longer side: edges and squares in order."""
    left, right, low, high = (edges[2], edges[3], edges[0], edges[1]) if turned else edges
    for across in (False, True):
        for upside in (False, True):
            order = []
            for x in range(width):
                for y in range(height):
                    column, row = width - 1 - x if across else x, height - 1 - y if upside else y
                    order.append((row, column) if turned else (column, row))
            sides = (right, left) if across else (left, right)
            ends = (high, low) if upside else (low, high)
            yield (*sides, *ends), tuple(order)


@lru_cache(maxsize=8)
def windows(sheet: LearnedSheet) -> Windows:
    """Work out the windows of a sheet; it is as large as its smallest shape."""
    links: dict[int, list[int]] = {}
    begins: list[int] = []
    kinds: dict[tuple[int, int, Edges], int] = {}
    slots: list[vec[i64]] = []
    room = 0
    weights = 0
    for width, height in sheet.shapes:
        for turned in (False, True)[: 1 + (sheet.diagonal and width != height)]:
            wide, high = (height, width) if turned else (width, height)
            for column in range(sheet.columns - wide + 1):
                for row in range(sheet.rows - high + 1):
                    edges = (column == 0, column + wide == sheet.columns, row == 0, row + high == sheet.rows)
                    seen = list(views(width, height, edges, turned=turned))
                    kind = max(edges for edges, _ in seen)
                    alike = [order for edges, order in seen if edges == kind]
                    if (width, height, kind) not in kinds:
                        kinds[width, height, kind] = room
                        own_least = least(sheet.faces, alike)
                        weights = shared(own_least, weights)
                        slots.append(own_least)
                        room += len(own_least)
                    for place, (x, y) in enumerate(alike[0]):
                        square = sheet.first + sheet.stride * (column + x) + row + y
                        links.setdefault(square, []).extend((len(begins), sheet.faces**place))
                    begins.append(kinds[width, height, kind])
    span = 1 + max(map(len, links.values()))
    rows = [links.get(square, []) for square in range(sheet.first + sheet.stride * sheet.columns)]
    places = array([place for row in slots for place in row])
    return Windows(span, packed(rows, span), array(begins), places, weights)


def least(faces: int, alike: list[Order]) -> vec[i64]:
    """Return, for each number of a window, the least of those that show the same in one of these orders."""
    first, *others = alike
    lowest = images(faces, array(range(len(first))))
    for order in others:
        lowered(lowest, images(faces, array(first.index(square) for square in order)))
    return lowest
