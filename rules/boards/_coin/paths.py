"""Whole paths of Coin Isolation: lazily in canonical order, and only one of the paths with the same effect.

That is the first that a depth-first walk finds. `near` has the squares adjacent to each (`CoinTerms`); a path begins,
or goes on, with those from `start` on. `ways` has the bits of each square (`CoinBoard`), `mask` those of the path.
"""

from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.boards._coin.terms import BARE, KINDS, ROW
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, vec

#: Maximum squares tried for the first path over the same squares; above it the path stays as it was walked.
PATIENCE: Final = 4000
ROOM: Final = 64


class Paths:
    """The paths from a start, one after another: `path[:length]`, with its squares' common bits in `common`.

    Two paths over the same squares to the same target have the same continuations, so the second is left out with all
    that begin with it. A table of visited ends holds two keys of 62 bits for each, drawn at random: different ones
    practically never share both.
    """

    __slots__ = ("common", "keys", "length", "masks", "met", "near", "path", "places", "salts", "walked", "ways")

    def __init__(self, near: vec[i64], ways: vec[i64], start: i64, mask: i64) -> None:
        cells: i64 = len(ways)
        self.near = near
        self.ways = ways
        self.length: i64 = 0
        self.common: i64 = 0
        self.path = filled(cells + 1, 0)
        self.places = filled(cells + 2, 0)  # index in `near` at which each square of the path continues
        self.masks = filled(cells + 2, mask)
        self.walked = filled(cells, 0)
        self.keys = filled(2 * cells + 4, 0)
        self.places[0] = start
        dice = Dice(0)
        self.salts = filled(4 * cells, 0)
        for i in range(4 * cells):
            self.salts[i] = dice.word() << 30 ^ dice.word()
        self.met = filled(2 * ROOM, 0)
        self.met[0] = 0

    def go_on(self) -> bool:
        """Walk to the next path; False when there is none."""
        near = self.near
        ways = self.ways
        places = self.places
        walked = self.walked
        length = self.length
        while length >= 0:
            place = places[length]
            q = near[place]
            if q < 0:
                length -= 1
                if length >= 0:
                    walked[self.path[length]] = 0
                continue
            places[length] = place + 1
            common = self.masks[length] & ways[q]
            if common and walked[q] == 0 and self.is_new(length, q):
                walked[q] = 1
                self.path[length] = q
                length += 1
                self.masks[length] = common
                places[length] = ROW * q
                self.length = length
                self.common = common
                return True
        self.length = length
        return False

    def is_new(self, length: i64, q: i64) -> bool:
        """Whether these squares with this last one are new; remember them."""
        keys = self.keys
        salts = self.salts
        one = keys[2 * length] ^ salts[4 * q]
        two = keys[2 * length + 1] ^ salts[4 * q + 1]
        keys[2 * length + 2] = one
        keys[2 * length + 3] = two
        return self.remember(one ^ salts[4 * q + 2], two ^ salts[4 * q + 3])

    def remember(self, one: i64, two: i64) -> bool:
        """Put two keys into the table; False if they are there already. The first entry counts the others."""
        met = self.met
        size = len(met) // 2
        if 2 * met[0] > size:
            self.met = filled(4 * size, 0)
            for slot in range(1, size):
                if met[2 * slot]:
                    self.remember(met[2 * slot], met[2 * slot + 1])
            met = self.met
            size *= 2
        slot = one % (size - 1) + 1
        while met[2 * slot]:
            if met[2 * slot] == one and met[2 * slot + 1] == two:
                return False
            slot = slot + 1 if slot + 1 < size else 1
        met[2 * slot] = one
        met[2 * slot + 1] = two
        met[0] += 1
        return True


def followers(near: vec[i64], place: i64) -> list[i64]:
    """The squares of one row of `near`."""
    found: list[i64] = []
    while near[place] >= 0:
        found.append(near[place])
        place += 1
    return found


def renegade_paths(near: vec[i64], ways: vec[i64], start: i64, mask: i64) -> list[list[i64]]:
    """A shortest path to each target that a renegade can reach, the first in canonical order."""
    best: dict[i64, list[i64]] = {}
    for bit in range(KINDS + 1):
        if mask >> bit & 1 == 0:
            continue
        for path in shortest(near, ways, start, 1 << bit if bit < KINDS else BARE):
            known = best.get(path[-1])
            if known is None or (len(path), path) < (len(known), known):
                best[path[-1]] = path
    return sorted(best.values())


def shortest(near: vec[i64], ways: vec[i64], start: i64, kind: i64) -> list[list[i64]]:
    """Breadth first over squares of one kind: met in canonical order, each first by its first shortest path."""
    queue: list[list[i64]] = [[]]
    met: set[i64] = set()
    for path in queue:
        for q in followers(near, ROW * path[-1] if path else start):
            if q not in met and ways[q] & kind:
                met.add(q)
                queue.append([*path, q])
    return queue[1:]


class FirstAlike:
    """Searches the listed path among those over the same squares to the same target."""

    __slots__ = ("found", "near", "rest", "target", "tried")

    def __init__(self, near: vec[i64], path: list[i64]) -> None:
        self.near = near
        self.target = path[-1]
        self.rest = set(path)
        self.found: list[i64] = []
        self.tried: i64 = 0

    def walk(self, place: i64) -> bool:
        """Continue from a row of `near`; return whether the path is complete."""
        for q in followers(self.near, place):
            if q not in self.rest or (q == self.target and len(self.rest) > 1):
                continue
            self.tried += 1
            if self.tried > PATIENCE:
                return False
            self.rest.discard(q)
            self.found.append(q)
            if not self.rest or (self.connected(q) and self.walk(ROW * q)):
                return True
            self.rest.add(q)
            self.found.pop()
        return False

    def connected(self, start: i64) -> bool:
        """Whether all remaining squares can be reached from here over such squares."""
        reached = {start}
        edge = [start]
        while edge:
            for q in followers(self.near, ROW * edge.pop()):
                if q in self.rest and q not in reached:
                    reached.add(q)
                    edge.append(q)
        return len(reached) == len(self.rest) + 1


def first_alike(near: vec[i64], start: i64, path: list[i64]) -> list[i64]:
    """The listed path among those over the same squares to the same target.

    Depth first, cut off when the remaining squares fall apart; if nothing is found within PATIENCE squares, the path
    itself is returned (it is as legal as the other).
    """
    search = FirstAlike(near, path)
    return search.found if len(path) > 1 and search.walk(start) else path
