"""Seatings: how the entrants of a table change seats over the games of one block, all of one start.

What is dealt is the same for all of them only where everybody sees it (secret.py).

A block is exactly fair: everybody sits in every seat equally often, and everybody sits just before everybody else
equally often, the last seat being before the first. Turning the seats alone would not do with more than two: whoever
always moves after a weak player has an easier life.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def circles(count: int) -> list[tuple[int, ...]]:
    """Ways to sit 0 to `count` - 1 around a table, such that in all of them together everybody has everybody else as
    the next one equally often: once where their number is odd, twice where it is even (for 4 and 6 once is impossible).

    Walecki's zigzag: one of them stays in its place, and the others go 0, 1, -1, 2, -2, ... around a ring of their own;
    turning that ring gives the other circles. Each is also walked backwards.
    """
    if count == 2:
        return [(0, 1)]
    ring = count - 1
    path = [-(step // 2) if step % 2 == 0 else step // 2 + 1 for step in range(ring)]
    found: list[tuple[int, ...]] = []
    for turn in range(ring if count % 2 == 0 else ring // 2):
        circle = (ring, *((place + turn) % ring for place in path))
        found += [circle, circle[:1] + circle[:0:-1]]
    return found


def block_size(seats: int, *, neighbours: bool = True) -> int:
    """How many games a block has: 2, 6, 24, 20, 60 for 2 to 6 seats; without balanced neighbours as many as seats."""
    return len(circles(seats)) * seats if neighbours else seats


def seatings(table: Sequence[T], *, neighbours: bool = True) -> Iterator[tuple[T, ...]]:
    """Who sits where in each game of a block. After any number of games no two have been in a seat more than one game
    apart.

    Without `neighbours` the table only turns once: everybody in every seat, in the order that was given, which has to
    be shuffled for each block.
    """
    for circle in circles(len(table)) if neighbours else [tuple(range(len(table)))]:
        for turn in range(len(table)):
            yield tuple(table[circle[(seat + turn) % len(table)]] for seat in range(len(table)))
