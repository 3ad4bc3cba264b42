"""Beacons heard without a link: which identities are on the network, and where each can be called.

Part of neighbours.py. Specification: docs/protocols/hall.md, "Datagrams".
"""

from typing import Final

from quadrille.net.core.ip_addresses import crowd_of, is_ipv6, is_link_local_ipv6
from quadrille.net.core.limits import PerKey
from quadrille.net.neighbours.neighbour import Endpoint

#: Maximum remembered identities; half of them from one address.
MOST_HEARD: Final = 4096
#: Milliseconds that each heard identity adds to the time between our own beacons, and the longest such time.
BEACON_SHARE: Final = 40
LONGEST_BEACON: Final = 60_000
#: Missed beacons after which an identity is no longer counted.
MISSED_OF_MANY: Final = 5


class Ear:
    """Identities by their beacons, the one heard longest ago first."""

    __slots__ = ("_counted_at", "_every", "_heard", "_ipv6_at")

    def __init__(self, every: int) -> None:
        """`every`: milliseconds between two beacons of a peer in a small room."""
        self._every = every
        self._heard = PerKey[str, bytes, tuple[Endpoint, int, int]](MOST_HEARD // 2, MOST_HEARD)
        self._ipv6_at: int | None = None  # when a beacon of somebody whom IPv4 does not bring was heard
        self._counted_at: int | None = None

    def note(self, peer: bytes, endpoint: Endpoint, now: int) -> None:
        """Note a heard beacon. Many at once count at once. IPv6 replaces nothing that is heard by IPv4."""
        before = self._heard.get(peer)
        if is_ipv6(endpoint.host):
            if before is not None and not is_ipv6(before[0].host) and before[1] >= self._lately(now):
                return
            if is_link_local_ipv6(endpoint.host):
                self._ipv6_at = now
        self._heard.put(crowd_of(endpoint.host), peer, (endpoint, now, now if before is None else before[2]))

    def forget(self, peer: bytes) -> None:
        self._heard.pop(peer)

    def where(self, peer: bytes) -> Endpoint | None:
        """Return the place from which a peer's last beacon came."""
        heard = self._heard.get(peer)
        return None if heard is None else heard[0]

    def since(self, peer: bytes) -> int | None:
        """Return the time when a peer's first beacon came."""
        heard = self._heard.get(peer)
        return None if heard is None else heard[2]

    def needs_ipv6(self, now: int) -> bool:
        """Return True if somebody on a link of ours is heard by IPv6 alone."""
        return self._ipv6_at is not None and self._ipv6_at >= self._lately(now)

    def _lately(self, now: int) -> int:
        return now - MISSED_OF_MANY * max(self._every, min(LONGEST_BEACON, BEACON_SHARE * len(self._heard)))

    def beacon_every(self, now: int) -> int:
        """Return the milliseconds between two beacons of ours, so that all beacons together stay few."""
        return max(self._every, min(LONGEST_BEACON, BEACON_SHARE * self.count(now)))

    def count(self, now: int) -> int:
        """Count the identities heard lately; once a second, drop those that fell silent."""
        if self._counted_at is None or now - self._counted_at >= self._every:
            self._counted_at = now
            lately = self._lately(now)
            for peer, (_, at, _) in list(self._heard.items()):
                if at >= lately:
                    break
                self._heard.pop(peer)
        return len(self._heard)
