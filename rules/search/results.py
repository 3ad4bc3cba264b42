"""The results of searches, as values, and rows of numbers for learning programs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from quadrille.rules.board import Board
from quadrille.rules.engine.tree import DRAWN, UNIT, Tree
from quadrille.rules.errors import RulesError
from quadrille.rules.options import shown


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random games: their total number of moves; their results, game after game, a number for each seat."""

    moves: int
    seats: int
    results: Any

    @property
    def payoffs(self) -> Any:
        """The results as `payoffs[game][seat]`."""
        return shaped(self.results, [len(self.results) // self.seats, self.seats])


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search: the most tried move, and the visits and values of all moves.

    `values` are the averages of the searching seat's payoffs, in millionths (margins count a little, too). `proved`
    are the certain payoffs, None for the others; for proven moves, only their comparison matters to `move`.
    """

    move: int
    moves: list[int]
    visits: list[int]
    values: list[int]
    proved: list[int | None]

    @property
    def value(self) -> int:
        """The average of `move`, in millionths."""
        return self.values[self.moves.index(self.move)]

    @property
    def most_visits(self) -> int:
        """Number of trials of `move`."""
        return self.visits[self.moves.index(self.move)]

    @property
    def certain(self) -> int | None:
        """The payoff at best play, if it is known."""
        if 1 in self.proved or None not in self.proved:
            return max(known for known in self.proved if known is not None)
        return None


def found_in(tree: Tree) -> Found:
    row = list(tree.result())
    moves, visits = row[::4], row[1::4]
    values = [1_000_000 * value // UNIT for value in row[2::4]]
    proved = [known - DRAWN if known else None for known in row[3::4]]

    def order(at: int) -> tuple[int, int, int]:
        known = proved[at]
        return (0 if known in (0, None) else known or 0, visits[at], values[at])

    best = max(range(len(moves)), key=order)
    return Found(moves[best], moves, visits, values, proved)


@dataclass(frozen=True, slots=True)
class Solved:
    """The result of alpha-beta: a best move, and the value for the seat to move after a search of `depth` turns.

    `value` is the payoff if `certain`; otherwise the board's estimate at best play, in thousandths of the payoff for
    being ahead.
    """

    move: int
    value: int
    certain: bool
    depth: int
    positions: int


def whole_turn(board: Board, first: int, following: Callable[[list[int]], int]) -> list[int]:
    """Return the steps of a turn from its first one on, made on the board: the one that a search finds `following`
    those so far, or any where it finds none.
    """
    steps, plies = [int(first)], board.plies
    while True:
        board.apply(steps[-1])
        if board.plies != plies:
            return steps
        step = int(following(steps))
        if step < 0:
            board.legal()
            step = board.moves[0]
        steps.append(step)


@dataclass(frozen=True, slots=True)
class HalfTurn:
    """The move that turns the opponent's last one by 180 degrees, and the minimum payoff of such answers."""

    move: int
    payoff: int


def shaped(numbers: Any, shape: list[int]) -> Any:
    """Return numbers in rows: a NumPy array if NumPy is installed, else nested lists."""
    try:
        import numpy
    except ImportError:
        return nested(list(numbers), shape)
    return numpy.asarray(numbers, dtype=numpy.int64).reshape(shape)


def nested(row: list[int], shape: list[int]) -> list[Any]:
    if len(shape) == 1:
        return row
    part = len(row) // shape[0] if shape[0] else 0
    return [nested(row[part * at : part * (at + 1)], shape[1:]) for at in range(shape[0])]


def check(what: str, count: int, most: int) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= most:
        raise RulesError(f"{what}: a number from 1 to {most}, not {shown(count)}")
