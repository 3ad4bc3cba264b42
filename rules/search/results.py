"""The answers of a search, as values, and rows of numbers for programs that learn."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random games: how many moves they had together; their results, game after game, a number for each seat."""

    moves: int
    seats: int
    results: Any

    @property
    def payoffs(self) -> Any:
        """The results as `payoffs[game][seat]`."""
        return shaped(self.results, [len(self.results) // self.seats, self.seats])


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to: the move that was tried most, and of all its moves how often, and what they came to.

    `values` are the averages of the searching seat's payoffs, in millionths (they also count, a little, by how much
    games were won). `proved` are the payoffs that are certain, None for the others; of moves that are proved, only how
    they compare with the others matters to `move`.
    """

    move: int
    moves: list[int]
    visits: list[int]
    values: list[int]
    proved: list[int | None]

    @property
    def value(self) -> int:
        """What `move` came to on average, in millionths."""
        return self.values[self.moves.index(self.move)]

    @property
    def most_visits(self) -> int:
        """How often `move` was tried."""
        return self.visits[self.moves.index(self.move)]

    @property
    def certain(self) -> int | None:
        """The payoff at best play, if that is known."""
        if 1 in self.proved or None not in self.proved:
            return max(known for known in self.proved if known is not None)
        return None


@dataclass(frozen=True, slots=True)
class Solved:
    """What alpha-beta came to: a best move, and the value for the seat to move when `depth` turns are looked at.

    `value` is the payoff when `certain`; else how well the seat stands by the board's estimate at best play, in
    thousandths of what being ahead is worth.
    """

    move: int
    value: int
    certain: bool
    depth: int
    positions: int


@dataclass(frozen=True, slots=True)
class HalfTurn:
    """The move that turns the opponent's last one by 180 degrees, and the least payoff that such answers lead to."""

    move: int
    payoff: int


def shaped(numbers: Any, shape: list[int]) -> Any:
    """Numbers in rows: a NumPy array where NumPy is installed, else lists in lists."""
    try:
        import numpy
    except ImportError:
        return nested(list(numbers), shape)
    return numpy.asarray(numbers, dtype=numpy.int64).reshape(shape)


def nested(row: list[int], shape: list[int]) -> list[Any]:
    """Lists in lists of that shape."""
    if len(shape) == 1:
        return row
    part = len(row) // shape[0] if shape[0] else 0
    return [nested(row[part * at : part * (at + 1)], shape[1:]) for at in range(shape[0])]
