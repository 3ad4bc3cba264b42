"""Seeds: HOST:PORT or HOST from a person, resolved to IPv4 addresses.

Specification: docs/protocols/discovery.md, "Neighbours".
"""

import ipaddress
import socket

from quadrille.net.core.errors import LocalError
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.rules.squares import quoted

_DIGITS = 5


def endpoints(text: str) -> list[Endpoint]:
    """All addresses of HOST:PORT, or of HOST with port 0; a `LocalError` says why there is none.

    The host name is looked up once.
    """
    refuse_ipv6(text)
    host, colon, port = text.rpartition(":")
    host = host if colon else text
    is_port = port.isascii() and port.isdigit() and len(port) <= _DIGITS
    if colon and not (is_port and 0 < int(port) < 1 << 16):
        raise LocalError(
            f"{quoted(text)} is no peer's address: expected HOST or HOST:PORT, with a port from 1 to 65535"
        )
    found = _addresses(host, socket.AF_INET)
    if not found and _addresses(host, socket.AF_INET6):
        raise LocalError(
            f"{quoted(host)} has IPv6 addresses only, and this version speaks IPv4: give it an IPv4 address"
        )
    if not found:
        raise LocalError(f"no machine called {quoted(host)} is found: is its name right, and is there a network?")
    return [Endpoint(address, int(port) if colon else 0) for address in found]


def refuse_ipv6(text: str) -> None:
    """A `LocalError` for an IPv6 address, with or without a port."""
    inner = text[1 : text.index("]")] if text.startswith("[") and "]" in text else text
    try:
        ipaddress.IPv6Address(inner.partition("%")[0])
    except ValueError:
        return
    raise LocalError(
        f"{quoted(text)} is an IPv6 address, and this version speaks IPv4 only: give the machine's IPv4 address, "
        "such as 192.168.1.5:50000"
    )


def _addresses(host: str, family: socket.AddressFamily) -> list[str]:
    try:
        found = socket.getaddrinfo(host, None, family, socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(one[4][0]) for one in found))
