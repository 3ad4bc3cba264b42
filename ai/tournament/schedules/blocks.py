"""Seatings: the rotation of a table's entrants over the seats in the games of one block, all with one start.

They share the deal only if everybody sees it (secret.py).

A block is exactly fair: everybody sits in every seat equally often, and everybody sits just before everybody else
equally often, the last seat being before the first. With more than two seats a mere rotation would not be fair: an
entrant that always moves after a weak player has an easier life.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def circles(count: int) -> list[tuple[int, ...]]:
    """Return circular seatings of 0 to `count` - 1 in which, all together, everybody sits next to everybody else
    equally often: once for an odd number, twice for an even one (for 4 and 6 once is impossible).

    Walecki's zigzag: one of them stays in its place, and the others go 0, 1, -1, 2, -2, ... around a ring of their own;
    rotations of that ring give the other circles. Each is also walked backwards.
    """
    if count == 2:
        return [(0, 1)]
    ring = count - 1
    path = [-(step // 2) if step % 2 == 0 else step // 2 + 1 for step in range(ring)]
    circles: list[tuple[int, ...]] = []
    for turn in range(ring if count % 2 == 0 else ring // 2):
        circle = (ring, *((place + turn) % ring for place in path))
        circles += [circle, circle[:1] + circle[:0:-1]]
    return circles


def block_size(seats: int) -> int:
    """Return the number of games of a block: 2, 6, 24, 20, 60 for 2 to 6 seats."""
    return len(circles(seats)) * seats


def seatings(table: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Yield the seating of each game of a block. After any number of games, no two entrants' counts in a seat differ by
    more than one.
    """
    for circle in circles(len(table)):
        for turn in range(len(table)):
            yield tuple(table[circle[(seat + turn) % len(table)]] for seat in range(len(table)))
