"""The addresses at which the members of a meeting say that they may be reached, and which of them are called.

Somebody who lies can name any address. So only such are called as a person's own program may have, each of few, one
after another and seldom. Pure functions and limits. Specification: docs/protocols/relay.md, "Direct ways".
"""

import ipaddress
from collections.abc import Container, Iterable
from typing import Final

from quadrille.net.relay.ticket import MeetingPlace

#: Maximum addresses of one member.
MOST_REACHABLE: Final = 8
#: The lowest port that is called: no server of another kind listens below.
LOWEST_PORT: Final = 1024
_THIS_NETWORK: Final = ipaddress.IPv4Network("0.0.0.0/8")
#: Milliseconds that must pass before a member is believed to have other addresses.
NEWS_EVERY: Final = 5000
#: Milliseconds between two calls, whoever is called, and the timeout of one.
CALL_EVERY: Final = 250
CALL_PATIENCE: Final = 2000
#: Milliseconds of the first pause after all addresses of a member were called in vain, and of the longest.
FIRST_PAUSE: Final = 5000
LAST_PAUSE: Final = 60_000


def callable_places(named: Iterable[tuple[str, int]], own: Container[tuple[str, int]]) -> tuple[MeetingPlace, ...]:
    """Those of the named addresses and ports that are called, without any of `own`."""
    found: dict[MeetingPlace, None] = {}
    for host, port in named:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            continue
        if is_callable(address) and LOWEST_PORT <= port < 1 << 16 and (str(address), port) not in own:
            found[MeetingPlace(address, port)] = None
    return tuple(found)[:MOST_REACHABLE]


def is_callable(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether it is the address of one machine that means the same to a neighbour: no loopback, link or group."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped or address.sixtofour or address.teredo or address.is_site_local or address.scope_id:
            return False
    elif address in _THIS_NETWORK:
        return False
    return not (
        address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified
        or address.is_reserved
    )  # fmt: skip
