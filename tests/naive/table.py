"""The games once more, as slowly and plainly as the rule files tell them, to compare the engine with.

Nothing here is taken from the engine: positions are dicts of texts, lists are made by trying everything. What the games
have in common is in this file: whose turn it is, who has left, and how places are counted.
"""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any


class Table(ABC):
    """A game in progress. `turn` is the seat to move; `over` says that nobody is."""

    def __init__(self, options: Mapping[str, Any], seats: int) -> None:
        self.options = options
        self.seats = seats
        self.turn = 0
        self.over = False
        self.left: list[int] = []

    @abstractmethod
    def moves(self) -> list[str]:
        """The legal moves in canonical order; none when the game is over."""

    @abstractmethod
    def play(self, text: str) -> None:
        """Make a legal move."""

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """What decides the game."""

    @abstractmethod
    def rank(self, seat: int) -> Any:
        """What to compare seats by: the greater, the better."""

    @property
    def staying(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.left]

    def after(self, seat: int) -> int:
        """The next seat round the table that has not left."""
        return next(s for s in itertools.chain(range(seat + 1, self.seats), range(seat + 1)) if s not in self.left)

    def leave(self, seat: int) -> None:
        """ "With one seat left the game is over. With more … the turns of a seat that is out are skipped." """
        self.left.append(seat)
        if len(self.left) == self.seats - 1:
            self.over = True
        elif self.turn == seat:
            self.skip()

    def skip(self) -> None:
        """The seat whose turn it is has left."""
        self.turn = self.after(self.turn)

    def places(self) -> list[int]:
        """ "seats that share a place share the number"; "who leaves first is last" """
        ranks = {seat: self.rank(seat) for seat in self.staying}
        return [
            1 + sum(ranks[other] > ranks[seat] for other in ranks)
            if seat in ranks
            else self.seats - self.left.index(seat)
            for seat in range(self.seats)
        ]


def name(column: int, row: int) -> str:
    """The name of a square, column and row counted from 0."""
    return "abcdefghijklmnopqrstuvwxyz"[column] + str(row + 1)


def place(square: str) -> tuple[int, int]:
    """Column and row of a square, counted from 0: what squares are sorted by."""
    return "abcdefghijklmnopqrstuvwxyz".index(square[0]), int(square[1:]) - 1


def sheet(width: int, height: int) -> list[str]:
    """All squares, by column, then by row."""
    return [name(column, row) for column in range(width) for row in range(height)]


def near(square: str, squares: Iterable[str], *, corners: bool = False) -> list[str]:
    """Those of the squares that share a side with this one, or at least a corner."""
    column, row = place(square)
    found = []
    for other in squares:
        across, up = abs(place(other)[0] - column), abs(place(other)[1] - row)
        if across + up == 1 or (corners and max(across, up) == 1):
            found.append(other)
    return found
