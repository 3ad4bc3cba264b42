"""Maze as this peer knows it: its rules, notation and digest.

Specification: rules/games/maze/page.md; docs/protocols/games.md, "Notation" and "Digest", and docs/protocols/log.md,
"The log" for what is in the digest.
"""

import hashlib
from dataclasses import dataclass
from functools import cache, cached_property

import msgpack

RULES_VERSION = 1


@cache
def beside(size: int, square: int) -> dict[int, int]:
    """Return the neighbours of a square by direction: 0 left, 1 down, 2 up, 3 right. a1 is square 0, a2 is 1, …"""
    column, row = divmod(square, size)
    four = ((0, column - 1, row), (1, column, row - 1), (2, column, row + 1), (3, column + 1, row))
    return {way: x * size + y for way, x, y in four if 0 <= x < size and 0 <= y < size}


@dataclass(frozen=True)
class Maze:
    """A position: the segments in the order they were drawn, each `4 * start + direction`."""

    size: int
    drawn: tuple[int, ...] = ()

    @cached_property
    def taken(self) -> tuple[int, ...]:
        """Squares in the order they were taken, the upper left one first."""
        return (self.size - 1, *(beside(self.size, move // 4)[move % 4] for move in self.drawn))

    def _from(self, start: int) -> list[int]:
        return [4 * start + way for way, end in beside(self.size, start).items() if end not in self.taken]

    @cached_property
    def moves(self) -> list[int]:
        """The moves from the square taken last, if it has an untaken neighbour; if not, from any taken one that has."""
        return self._from(self.taken[-1]) or [move for start in sorted(self.taken) for move in self._from(start)]

    def after(self, move: int) -> "Maze":
        return Maze(self.size, (*self.drawn, move))

    @property
    def turn(self) -> int:
        """The seat to move."""
        return len(self.drawn) % 2

    @property
    def crosses(self) -> int:
        """ "A square with no untaken neighbour when it is taken gets an X." """
        before = [set(self.taken[:when]) for when in range(len(self.taken))]
        return sum(
            before[when].issuperset(beside(self.size, square).values()) for when, square in enumerate(self.taken)
        )

    def text(self, move: int) -> str:
        """Write a move as `a6-b6` ("Notation")."""
        ends = (move // 4, beside(self.size, move // 4)[move % 4])
        return "-".join(f"{chr(ord('a') + square // self.size)}{square % self.size + 1}" for square in ends)

    def digest(self, left: tuple[int, int] = (0, 0)) -> bytes:
        """Hash `[game, rules version, options, seats, left, position]` by BLAKE2b ("Digest")."""
        facts = ("maze", RULES_VERSION, (("size", self.size),), 2, left, (self.turn, self.drawn))
        return hashlib.blake2b(msgpack.packb(facts), digest_size=32).digest()
