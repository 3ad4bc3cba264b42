"""Squares and their names, the same for every game on a grid.

A letter for the column from the left, a number for the row from the bottom: `a1` is the lower left corner. Boards
number squares column by column, so the order of numbers is that of squares (column, then row).
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from quadrille.rules.errors import BadNotation

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_NAME: Final = re.compile(r"([a-z])([1-9][0-9]?)")
_SHOWN: Final = 40
#: Letters without ink that change how their neighbours are written: Persian needs U+200C; Hindi and pictures of
#: families need U+200D. Python does not count them as printable.
JOINERS: Final = frozenset("\u200c\u200d")


class Square(NamedTuple):
    """A square by column and row, both counted from 0; it prints as its name."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"{LETTERS[self.column]}{self.row + 1}"


class Grid:
    """The squares of a width x height sheet: names, numbers, neighbours."""

    __slots__ = ("around", "beside", "height", "names", "squares", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.squares = tuple(Square(c, r) for c in range(width) for r in range(height))
        self.names = tuple(str(square) for square in self.squares)
        beside = ((-1, 0), (0, -1), (0, 1), (1, 0))
        around = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
        self.beside = tuple(self._near(square, beside) for square in self.squares)
        self.around = tuple(self._near(square, around) for square in self.squares)

    def _near(self, square: Square, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        """Return the numbers of the squares at these distances that lie on the grid, ascending if the distances are."""
        column, row = square
        places = ((column + dc, row + dr) for dc, dr in steps)
        return tuple(c * self.height + r for c, r in places if 0 <= c < self.width and 0 <= r < self.height)

    def number(self, square: Square) -> int | None:
        """Return the number of a square; None if it is off this grid."""
        column, row = square
        there = 0 <= column < self.width and 0 <= row < self.height
        return column * self.height + row if there else None

    def read(self, text: str) -> Square:
        """Return the square with that name, in lower case; a refusal says why there is none."""
        name_parts = _NAME.fullmatch(text)
        if name_parts is None:
            raise BadNotation(f"{quoted(text)} is no square: write a letter and a number, such as {self.names[-1]}")
        square = Square(LETTERS.index(name_parts[1]), int(name_parts[2]) - 1)
        if self.number(square) is None:
            raise BadNotation(f"{text} is off the board: its squares go from a1 to {self.names[-1]}")
        return square


@lru_cache(maxsize=64)
def grid(width: int, height: int) -> Grid:
    """Return the grid of that size; it is made once."""
    return Grid(width, height)


def quoted(text: str, most: int = _SHOWN) -> str:
    """Quote a typed text for a sentence: escaped, and cut short."""
    shown = text if len(text) <= most else text[:most] + "…"
    return '"' + "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in shown) + '"'


def is_line(text: str) -> bool:
    """Pass a line of printable text, with joiners."""
    return all(letter.isprintable() or letter in JOINERS for letter in text)


def nearest(word: object, known: Iterable[str], otherwise: str) -> str:
    """Return the end of a refusal of an unknown word: the one that was perhaps meant, or `otherwise`."""
    from difflib import get_close_matches  # only a wrong word needs it, and all commands import this

    names, typed = list(known), word[:_SHOWN].lower() if isinstance(word, str) else ""
    near = get_close_matches(typed, names, 1) or [name for name in names if len(typed) > 2 and typed in name]
    return f"did you mean {near[0]}?" if near else otherwise


def clean(text: object) -> str:
    """Return the text of a move in lower case with single blanks; refuse a text that can't be one at all."""
    if not isinstance(text, str):
        raise BadNotation(f"a move is a line of text, not {type(text).__name__}")
    if len(text) > 4096:
        raise BadNotation(f"a move is a line of text of at most 4096 characters, not {len(text)}")
    if not text.isascii():
        raise BadNotation(f"{quoted(text)} is no move: moves are written in plain letters, digits and signs")
    words = " ".join(text.lower().split())
    if not words:
        raise BadNotation("an empty line is no move")
    return words
