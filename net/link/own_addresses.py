"""Our own addresses, of IPv4 and IPv6, at which another member of a meeting may reach this machine.

Specification: docs/protocols/relay.md, "Direct ways".
"""

import ipaddress
from collections.abc import Sequence
from typing import Final

import ifaddr

from quadrille.net.relay.reachable import MOST_REACHABLE, is_callable

#: Maximum addresses of one family, so that many bridges of this machine leave room for the other.
MOST_OF_A_FAMILY: Final = MOST_REACHABLE // 2


def own_addresses(chosen: Sequence[str] | None) -> tuple[str, ...]:
    """The addresses of our interfaces that a neighbour can call; with `chosen`, of the interfaces of that name or
    address alone.
    """
    found: dict[int, dict[str, None]] = {4: {}, 6: {}}
    for adapter in ifaddr.get_adapters():
        names = {adapter.name, adapter.nice_name}
        own = [ipaddress.ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0]) for ip in adapter.ips]
        if chosen is None or names.union(map(str, own)) & set(chosen):
            for address in filter(is_callable, own):
                found[address.version][str(address)] = None
    return tuple(address for family in found.values() for address in list(family)[:MOST_OF_A_FAMILY])
