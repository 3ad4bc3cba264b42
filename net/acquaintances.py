"""Whom a node knows of, whom it does not want to know, and for how many it has room.

Part of net/neighbourhood.py: no links, no messages, only who is on the list.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from quadrille.net.neighbour import Endpoint, Limits, Neighbour, Phase

MOST_BANS = 1024


class Acquaintances:
    """Neighbours by identity, seeds that have not said theirs, and bans."""

    def __init__(
        self,
        limits: Limits,
        key: bytes | None,
        certify: Callable[[bytes, bytes], bool] | None,
    ) -> None:
        """With a `key` of our own everybody must have one; `certify(id, key)` says whether they belong together."""
        self._limits = limits
        self._key = key
        self._certify = certify
        self._by_id: dict[bytes, Neighbour] = {}
        self._unnamed: list[Neighbour] = []
        self._bans: dict[bytes, int] = {}

    def __iter__(self) -> Iterator[Neighbour]:
        return chain(self._by_id.values(), self._unnamed)

    def get(self, peer: bytes) -> Neighbour | None:
        """The neighbour of that identity."""
        return self._by_id.get(peer)

    def unnamed(self) -> Iterable[Neighbour]:
        """Seeds that have not answered yet."""
        return self._unnamed

    def add(self, peer: bytes, key: bytes | None) -> Neighbour:
        """One more."""
        neighbour = self._by_id[peer] = Neighbour(
            peer, key, admitted=self._key is None, tokens=self._limits.burst * 1000
        )
        return neighbour

    def add_seed(self, seed: Endpoint) -> None:
        """Somebody should be there."""
        if all(one.seed != seed for one in self):
            self._unnamed.append(Neighbour(None, seed=seed, contacts=[seed]))

    def forget(self, neighbour: Neighbour) -> None:
        """One less; but a seed stays a seed, for somebody may be there again."""
        if neighbour.id is None:
            if neighbour in self._unnamed:
                self._unnamed.remove(neighbour)
        elif self._by_id.get(neighbour.id) is neighbour:
            del self._by_id[neighbour.id]
            if neighbour.seed is not None:
                self.add_seed(neighbour.seed)

    def is_full(self, phase: Phase, known: Neighbour | None = None) -> bool:
        """Whether there is no room for one more to be in that phase, who may be `known` already."""
        limits = self._limits
        if phase is Phase.HEARD and sum(one.hello is not None for one in self._by_id.values()) >= limits.peers:
            return True
        return known is None and len(self._by_id) >= limits.peers + limits.calls

    def weakest(self, phase: Phase) -> Neighbour | None:
        """Who makes room for one more: who has said HELLO goes before who has not."""
        weaker = (Phase.AWAY,) if phase is Phase.AWAY else (Phase.AWAY, Phase.GREETED)
        return next((one for one in self._by_id.values() if one.phase in weaker and one.seed is None), None)

    def ban(self, peer: bytes, until: int) -> None:
        """Not to be known until then."""
        self._bans.pop(peer, None)
        self._bans[peer] = until
        if len(self._bans) > MOST_BANS:
            del self._bans[next(iter(self._bans))]

    def is_welcome(self, peer: bytes, key: bytes | None, now: int) -> bool:
        """Whether it is not banned, and in a private room has the key that belongs to the identity."""
        if peer in self._bans:
            if now < self._bans[peer]:
                return False
            del self._bans[peer]
        if self._key is None:
            return True
        known = self._by_id.get(peer)
        if known is not None:
            return known.key == key
        return key is not None and (self._certify is None or self._certify(peer, key))
