"""Rivals: streams that claim an identity whose place is taken, until they prove it or time out.

Part of neighbourhood.py. A rival is a Neighbour outside the directory. It is answered on its own connection, and its
messages are held. Specification: docs/protocols/links.md, "Proof of a link".
"""

from collections.abc import Iterator

from quadrille.net.core.ip_addresses import crowd_of
from quadrille.net.neighbours.neighbour import Neighbour, NeighbourLimits, Way


class Rivals:
    """All rivals, the oldest first."""

    def __init__(self, limits: NeighbourLimits) -> None:
        self._limits = limits
        self._by_way: dict[Way, Neighbour] = {}

    def __iter__(self) -> Iterator[Neighbour]:
        return iter(list(self._by_way.values()))

    def get(self, way: Way) -> Neighbour | None:
        """The rival whose stream comes that way."""
        return self._by_way.get(way)

    def __contains__(self, neighbour: Neighbour) -> bool:
        return self._by_way.get(neighbour.way) is neighbour

    def add(self, rival: Neighbour) -> None:
        self._by_way[rival.way] = rival

    def remove(self, rival: Neighbour) -> None:
        self._by_way.pop(rival.way, None)

    def surplus(self, peer: bytes, host: str) -> Neighbour | None:
        """The rival to evict before another one for that peer can come from that host. One from the same host goes
        first, so a flood from one machine evicts itself.
        """
        waiting = [one for one in self._by_way.values() if not one.proved]
        near = [one for one in waiting if one.came_from is not None and one.came_from.host == host]
        if len(near) >= self._limits.rivals_each:
            return near[0]
        crowd = [one for one in waiting if one.came_from and crowd_of(one.came_from.host) == crowd_of(host)]
        if len(crowd) >= self._limits.rivals // 2:
            return crowd[0]
        same = [one for one in waiting if one.id == peer]
        if len(same) >= self._limits.rivals_each:
            return next((one for one in same if one in near), same[0])
        return self._oldest() if len(self._by_way) >= self._limits.rivals else None

    def _oldest(self) -> Neighbour:
        return min(self._by_way.values(), key=lambda one: (one.proved, one.since))
