"""The direct ways of a node to the members of its meeting: where it may be reached, and where they may be.

relay_links.py makes the connections. Specification: docs/protocols/relay.md, "Direct ways".
"""

import ipaddress
from collections.abc import Sequence
from typing import Final

from quadrille.net.link.interfaces import outside
from quadrille.net.link.relay_links import RelayLinks
from quadrille.net.neighbours.neighbourhood import Neighbourhood
from quadrille.net.relay.meeting import is_virtual
from quadrille.net.relay.reachable import MOST_REACHABLE, is_callable

#: Maximum addresses of one family, so that many bridges of this machine leave room for the other.
MOST_OF_A_FAMILY: Final = MOST_REACHABLE // 2


class DirectWays:
    """The direct ways of one node."""

    def __init__(self, machine: Neighbourhood, relays: RelayLinks, interfaces: Sequence[str] | None) -> None:
        self._machine = machine
        self._relays = relays
        self._interfaces = interfaces
        self._addresses: tuple[str, ...] = ()

    def refresh(self) -> None:
        """Read our addresses again."""
        self._addresses = own_addresses(self._interfaces)

    def reachable(self, peer: bytes) -> tuple[tuple[tuple[str, int], ...], bytes] | None:
        """Where a peer that is met in the meeting may reach us directly, and the key for that; None for others."""
        host = self._host(peer)
        return None if host is None else self._relays.reachable(host, self._addresses)

    def may_reach(self, peer: bytes, places: Sequence[tuple[str, int]], seal: bytes, now: int) -> None:
        """A peer says where it may be reached directly. Of others than those of the meeting that means nothing."""
        if (host := self._host(peer)) is not None:
            self._relays.may_reach(host, places, seal, now)

    def is_direct(self, peer: bytes) -> bool:
        """Whether a peer is reached without a relay of the ticket."""
        host = self._host(peer)
        return host is None or self._relays.is_direct(host)

    def began_by_relay(self, peer: bytes) -> bool:
        """Whether a peer was met in the meeting, and not in a network of our own."""
        return self._host(peer) is not None

    def _host(self, peer: bytes) -> str | None:
        """The address in the meeting from which a peer speaks. Its link is proved, so this is the member."""
        host = self._machine.speaks_from(peer)
        return host if host is not None and is_virtual(host) else None


def own_addresses(chosen: Sequence[str] | None) -> tuple[str, ...]:
    """The addresses that a neighbour can call, of the interfaces that beacons use (discovery.md, "IPv6")."""
    found: dict[int, list[str]] = {4: [], 6: []}
    for address in map(ipaddress.ip_address, outside(chosen)):
        if is_callable(address):
            found[address.version].append(str(address))
    return tuple(address for family in found.values() for address in family[:MOST_OF_A_FAMILY])
