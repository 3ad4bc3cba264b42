"""The few peers with which a peer of a hall wants links, to hear who is there.

Two of them are the next on the ring of identities, so that all links together leave nobody out; the others are random,
so that a posting needs few steps to everybody. Specification: docs/protocols/hall.md, "Few links".
"""

import heapq
from collections.abc import Collection, Iterable
from random import Random
from typing import Final

from quadrille.net.hall.posting import Posting

#: Peers that are called next on the ring, and links in all that a peer tries to have.
NEXT: Final = 2
FEW: Final = 6
#: Links above which a peer offers to end one that neither end needs.
ENOUGH: Final = 14
#: Milliseconds until a peer that could not be reached is tried again.
PUT_ASIDE: Final = 60_000
#: Maximum peers put aside.
MOST_ASIDE: Final = 256


class FewLinks:
    """The chosen peers, by key."""

    __slots__ = ("_aside", "_me", "_random", "chosen", "ring")

    def __init__(self, me: bytes, random: Random) -> None:
        """`me` is our ZRE identity."""
        self._me = me
        self._random = random
        self._aside: dict[bytes, int] = {}  # peers that could not be reached, until when
        self.chosen: frozenset[bytes] = frozenset()
        self.ring: frozenset[bytes] = frozenset()  # those of them that are next on the ring

    def unreachable(self, key: bytes, now: int) -> None:
        """A chosen peer did not answer: others are called instead for a while."""
        self._aside.pop(key, None)
        self._aside[key] = now + PUT_ASIDE
        if len(self._aside) > MOST_ASIDE:
            del self._aside[next(iter(self._aside))]
        self.give_up(key)

    def give_up(self, key: bytes) -> None:
        """A link that was chosen ends, or can't be had."""
        self.chosen -= {key}

    def choose(self, there: Iterable[Posting], linked: Collection[bytes], now: int) -> None:
        """Choose again among the peers that are there; what is linked stays."""
        self._aside = {key: until for key, until in self._aside.items() if until > now}
        free = {one.peer: one.key for one in there if one.key not in self._aside}
        self.ring = ring = frozenset(self._following(free))
        kept = [key for key in sorted(self.chosen) if key in linked]
        wanting = FEW - len({*linked, *ring})
        others = [key for key in free.values() if key not in linked and key not in ring]
        fresh = self._random.sample(others, min(max(0, wanting), len(others)))
        self.chosen = frozenset((*ring, *kept[:FEW], *fresh))

    def _following(self, free: dict[bytes, bytes]) -> list[bytes]:
        """The keys of the next identities on the ring."""
        after = heapq.nsmallest(NEXT, (peer for peer in free if peer > self._me))
        return [free[peer] for peer in (after + heapq.nsmallest(NEXT, free))[: min(NEXT, len(free))]]
