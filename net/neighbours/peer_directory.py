"""The directory of known neighbours: places, evictions and bans.

Part of neighbourhood.py: no links, no messages.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from quadrille.net.core.ip_addresses import crowd_of
from quadrille.net.core.pace import Bucket, a_second
from quadrille.net.core.per_key import PerKey
from quadrille.net.neighbours.neighbour import Endpoint, Neighbour, NeighbourLimits, Phase

#: Maximum bans; half of them from one address, and half of them everywhere.
MOST_BANS = 1024
#: Milliseconds that a newcomer has to prove itself before it counts as unproved.
FRESH = 500


class Newcomer(NamedTuple):
    """A candidate for a place: the identity that it claims, its address, and whether it can prove itself."""

    id: bytes
    host: str
    proves: bool = False


class PeerDirectory:
    """Neighbours by identity, seeds without a known identity, and bans."""

    def __init__(
        self,
        limits: NeighbourLimits,
        key: bytes | None,
        certify: Callable[[bytes, bytes], bool] | None,
        matters: Callable[[bytes], bool],
    ) -> None:
        """With a `key` of our own everybody must have one; `certify(id, key)` says whether they belong together. A
        peer with `matters(id)` keeps its place against strangers.
        """
        self.matters = matters
        self._limits = limits
        self._key = key
        self._certify = certify
        self._by_id: dict[bytes, Neighbour] = {}
        self._unnamed: list[Neighbour] = []
        self._bans = PerKey[str, tuple[bytes, str], int](MOST_BANS // 2, MOST_BANS)
        self._turned_at = 0  # when a stranger last lost its place to one that is no better

    def __iter__(self) -> Iterator[Neighbour]:
        return chain(self._by_id.values(), self._unnamed)

    def get(self, peer: bytes) -> Neighbour | None:
        return self._by_id.get(peer)

    def unnamed(self) -> Iterable[Neighbour]:
        """Seeds that have not answered yet."""
        return self._unnamed

    def add(self, peer: bytes, key: bytes | None) -> Neighbour:
        """Add a neighbour."""
        budget = Bucket(a_second(self._limits.messages_a_second, self._limits.burst))
        neighbour = self._by_id[peer] = Neighbour(peer, key, admitted=self._key is None, budget=budget)
        return neighbour

    def put(self, neighbour: Neighbour) -> None:
        """Add a rival that waited for this place."""
        assert neighbour.id is not None and neighbour.id not in self._by_id
        self._by_id[neighbour.id] = neighbour

    def add_seed(self, seed: Endpoint) -> None:
        """Add a seed."""
        if all(one.seed != seed for one in self):
            self._unnamed.append(Neighbour(None, seed=seed, contacts=[seed]))

    def forget(self, neighbour: Neighbour) -> None:
        """Remove a neighbour; a seed stays, because a peer may appear there again."""
        if neighbour.id is None:
            if neighbour in self._unnamed:
                self._unnamed.remove(neighbour)
        elif self._by_id.get(neighbour.id) is neighbour:
            del self._by_id[neighbour.id]
            if neighbour.seed is not None:
                self.add_seed(neighbour.seed)

    def is_full(self, phase: Phase, known: Neighbour | None = None) -> bool:
        """Whether that phase has no room for one more; `known` may be in it already."""
        limits = self._limits
        if phase is Phase.HEARD and self._is_crowded():
            return True
        return known is None and len(self._by_id) >= limits.peers + limits.calls

    def _is_crowded(self) -> bool:
        return sum(one.hello is not None for one in self._by_id.values()) >= self._limits.peers

    def weakest(self, phase: Phase, newcomer: Newcomer, now: int) -> Neighbour | None:
        """The neighbour to evict for a newcomer. A greeted seed or peer that matters is never evicted."""
        if phase is Phase.HEARD and self._is_crowded():
            return self._least(newcomer, now)
        weaker = (Phase.AWAY,) if phase is Phase.AWAY else (Phase.AWAY, Phase.GREETED)
        return next((one for one in self._strangers() if one.phase in weaker), None)

    def _strangers(self) -> Iterator[Neighbour]:
        return (one for id, one in self._by_id.items() if one.seed is None and not self.matters(id))

    def _least(self, newcomer: Newcomer, now: int) -> Neighbour | None:
        """Unproved strangers go first; then one of the address with the most places, or of a network with more than
        half of them; then, at long intervals, the oldest.
        """
        here = sorted((one for one in self._strangers() if one.hello is not None), key=lambda one: one.since)
        if newcomer.proves or self.matters(newcomer.id):
            nobodies = [one for one in here if not (one.proved and one.admitted)]
            if nobodies:
                return next((one for one in nobodies if now - one.since >= FRESH), nobodies[0])
            if here and self.matters(newcomer.id):
                return here[0]
        hosts = Counter(map(_host, here))
        host, most = next(iter(hosts.most_common(1)), ("", 0))
        if most > hosts[newcomer.host] + 1:
            return next(one for one in here if _host(one) == host)
        crowds = Counter(crowd_of(_host(one)) for one in here)
        crowd, most = next(iter(crowds.most_common(1)), ("", 0))
        if most > self._limits.peers // 2 and crowd != crowd_of(newcomer.host):
            return next(one for one in here if crowd_of(_host(one)) == crowd)
        turnover = self._limits.turnover
        if here and now - here[0].since >= turnover and now - self._turned_at >= turnover:
            self._turned_at = now
            return here[0]
        return None

    def ban(self, peer: bytes, until: int, host: str = "") -> None:
        """Ban a peer until then, everywhere or from that host only."""
        self._bans.put(host, (peer, host), until)

    def is_welcome(self, peer: bytes, key: bytes | None, host: str, now: int) -> bool:
        """Whether it is not banned, and in a private room has the key that belongs to the identity."""
        for ban in ((peer, ""), (peer, host)):
            if now < (self._bans.get(ban) or now):
                return False
            self._bans.pop(ban)
        if self._key is None:
            return True
        known = self._by_id.get(peer)
        if known is not None:
            return known.key == key
        return key is not None and (self._certify is None or self._certify(peer, key))


def _host(neighbour: Neighbour) -> str:
    return "" if neighbour.came_from is None else neighbour.came_from.host
