"""Seeds: HOST:PORT or HOST from a person, resolved to addresses.

Specification: docs/protocols/discovery.md, "Neighbours".
"""

import socket

from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import host_of, is_ipv6
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.rules.squares import quoted

_DIGITS = 5


def endpoints(text: str) -> list[Endpoint]:
    """Resolve HOST:PORT, or HOST with port 0, to all its addresses, those of IPv4 first; a `LocalError` says why there
    is none.

    An IPv6 address with a port is in brackets. The host name is looked up once.
    """
    host, port = _parts(text)
    if port is None:
        raise LocalError(
            f"{quoted(text)} is no peer's address: expected HOST or HOST:PORT, with a port from 1 to 65535, "
            "and an IPv6 address in brackets, as in [fd77::1]:50000"
        )
    hosts = sorted(_addresses(host), key=is_ipv6)
    if not hosts and host.lower().startswith("fe80:") and "%" not in host:
        raise LocalError(
            f"{quoted(text)} is an address on every link: say by which interface of this machine, as in {host}%eth0"
        )
    if not hosts:
        raise LocalError(f"no machine called {quoted(host)} is found: is its name right, and is there a network?")
    return [Endpoint(address, port) for address in hosts]


def _parts(text: str) -> tuple[str, int | None]:
    """Split into host and port; the port is None if the text is no address at all."""
    if text.startswith("["):
        host, closed, rest = text[1:].partition("]")
        colon, port = rest[:1], rest[1:]
        if not closed or not is_ipv6(host) or colon not in ("", ":"):
            return host, None
    elif text.count(":") > 1:
        host, colon, port = text, "", ""
    else:
        host, colon, port = text.partition(":")
    if not colon:
        return host, 0
    is_port = port.isascii() and port.isdigit() and len(port) <= _DIGITS and 0 < int(port) < 1 << 16
    return host, int(port) if is_port and host else None


def _addresses(host: str) -> list[str]:
    try:
        answers = socket.getaddrinfo(host, None, 0, socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    families = (socket.AF_INET, socket.AF_INET6)
    hosts = [host_of(address) for family, _, _, _, address in answers if family in families]
    return list(dict.fromkeys(one for one in hosts if one is not None))
