"""Whole paths of Coin Isolation, as rows of squares: of those with the same effect one, the first by its squares.

`near` has the squares adjacent to each (`CoinTerms`); a path begins, or goes on, with those of the row at `start`.
`ways` has the bits of each square (`CoinBoard`), `mask` those of the path.
"""

from collections.abc import Iterator
from typing import Final

from quadrille.rules.ints import i64, vec

KINDS: Final = 4
#: The bit of squares without coins, after those of the kinds of coin.
BARE: Final[i64] = 16
#: Places of a row in `CoinTerms.near`: at most twelve squares, and the -1 that ends them.
ROW: Final = 13
#: Maximum squares tried for the first path over the same squares; above it the path stays as it was walked.
PATIENCE: Final = 4000


def followers(near: vec[i64], place: i64) -> list[int]:
    """List the squares of one row of `near`."""
    squares: list[int] = []
    while near[place] >= 0:
        squares.append(near[place])
        place += 1
    return squares


def coin_paths(near: vec[i64], ways: vec[i64], start: i64, mask: i64) -> Iterator[list[int]]:
    """Yield every path on which coins are taken, in canonical order and lazily: there can be too many to list.

    Two paths over the same squares to the same target have the same continuations, so the second is left out with all
    that begin with it.
    """
    one: int = 1
    path: list[int] = []
    places = [start]  # index in `near` at which each square of the path continues
    masks = [mask]
    walked: list[int] = [0]
    met: set[int] = set()
    while places:
        q = near[places[-1]]
        if q < 0:
            places.pop()
            masks.pop()
            walked.pop()
            if path:
                path.pop()
            continue
        places[-1] += 1
        common = masks[-1] & ways[q]
        if common == 0:
            continue
        squares: int = walked[-1] | one << int(q)
        same = squares << 8 | int(q)
        if squares != walked[-1] and same not in met:
            met.add(same)
            path.append(q)
            places.append(ROW * q)
            masks.append(common)
            walked.append(squares)
            yield path[:]


def renegade_paths(near: vec[i64], ways: vec[i64], start: i64, mask: i64) -> list[list[int]]:
    """List a shortest path to each target that a renegade can reach, the first in canonical order."""
    best: dict[int, list[int]] = {}
    for bit in range(KINDS + 1):
        # Breadth first over squares of one kind: met in canonical order, each first by its first shortest path.
        queue: list[list[int]] = [[]]
        met: set[int] = set()
        for path in queue if mask >> bit & 1 else []:
            for q in followers(near, ROW * path[-1] if path else start):
                if q not in met and ways[q] >> bit & 1:
                    met.add(q)
                    queue.append([*path, q])
        for path in queue[1:]:
            known = best.get(path[-1], path)
            best[path[-1]] = path if (len(path), path) < (len(known), known) else known
    return sorted(best.values())


class FirstAlike:
    """Searches for the listed path among those over the same squares to the same target."""

    __slots__ = ("found", "near", "rest", "target", "tried")

    def __init__(self, near: vec[i64], path: list[int]) -> None:
        self.near = near
        self.target = path[-1]
        self.rest = set(path)
        self.found: list[int] = []
        self.tried = 0

    def walk(self, place: i64) -> bool:
        """Continue from a row of `near`, depth first; return whether the path is complete."""
        for q in followers(self.near, place):
            if q not in self.rest or (q == self.target and len(self.rest) > 1):
                continue
            self.tried += 1
            if self.tried > PATIENCE:
                return False
            self.rest.discard(q)
            self.found.append(q)
            if not self.rest or (self.is_connected(q) and self.walk(ROW * q)):
                return True
            self.rest.add(q)
            self.found.pop()
        return False

    def is_connected(self, start: int) -> bool:
        """Return whether all remaining squares can be reached from here over such squares."""
        edge = [start]
        for square in edge:
            edge += [q for q in followers(self.near, ROW * square) if q in self.rest and q not in edge]
        return len(edge) == len(self.rest) + 1


def first_alike(near: vec[i64], start: i64, path: list[int]) -> list[int]:
    """Return the listed path among those over the same squares to the same target.

    If nothing is found within PATIENCE squares, the path itself is returned: it is as legal as the other.
    """
    if len(path) < 3:
        return path
    search = FirstAlike(near, path)
    return search.found if search.walk(start) else path
