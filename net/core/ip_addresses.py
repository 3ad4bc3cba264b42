"""IP addresses of hosts as text, and as the system's sockets have them.

An IPv4 address is written with dots. An IPv6 address is in its shortest form; a link-local one ends with the index of
the interface on whose link it is, as in fe80::1%2. Specification: docs/protocols/discovery.md, "IPv6".
"""

import ipaddress
import socket
from functools import lru_cache
from typing import Any, Final

#: Bits of an IPv6 address that name its network. One machine can have all the addresses of a network.
_NETWORK_BITS: Final = 64


def host_of(address: tuple[Any, ...]) -> str | None:
    """Return the host of a socket's address; None if no packet can be sent back there.

    A link-local address without an interface leads nowhere. A mapped IPv4 address never comes over IPv6 honestly.
    """
    if len(address) == 2:
        return str(address[0])
    try:
        ip = ipaddress.IPv6Address(str(address[0]).partition("%")[0])
    except ValueError:
        return None
    if ip.ipv4_mapped is not None or ip.is_multicast or ip.is_unspecified:
        return None
    if not ip.is_link_local:
        return str(ip)
    return f"{ip}%{address[3]}" if address[3] else None


def family_of(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if is_ipv6(host) else socket.AF_INET


def socket_address(host: str, port: int) -> tuple[Any, ...]:
    """Return the address that a socket of this family connects or sends to. An `OSError` says that there is none."""
    if not is_ipv6(host):
        return (host, port)
    address, _, index = host.partition("%")
    if not (index == "" or (index.isascii() and index.isdigit() and len(index) < 10)):
        raise OSError(f"{index} is no index of an interface")
    return (address, port, 0, int(index or 0))


def is_ipv6(host: str) -> bool:
    return ":" in host


def is_link_local_ipv6(host: str) -> bool:
    return "%" in host


def is_loopback(host: str) -> bool:
    return host.startswith("127.") or host == "::1"


def is_virtual(host: str) -> bool:
    """Tell the addresses of peers on an overlay (net/link/overlay.py), which no machine has, from others."""
    return host.startswith("240.")


def is_host(host: str) -> bool:
    """Check that a text is the address of one machine, and means the same to every machine of its network."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    if address.is_multicast or address.is_unspecified:
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return not address.is_reserved
    return not address.is_link_local and address.ipv4_mapped is None and str(address) == host


@lru_cache(maxsize=4096)
def subnet_of(host: str) -> str:
    """Name all the addresses that one machine can have: the network of an IPv6 address, or an IPv4 address itself.

    A link-local network is that of one link. An IPv4 address may come from a socket of both families as one of IPv6.
    """
    if not is_ipv6(host):
        return host
    address, percent, index = host.partition("%")
    try:
        if (mapped := ipaddress.IPv6Address(address).ipv4_mapped) is not None:
            return str(mapped)
        return f"{ipaddress.IPv6Network((address, _NETWORK_BITS), strict=False)}{percent}{index}"
    except ValueError:  # what a peer says of itself may be any text
        return host


def bracketed(host: str) -> str:
    """Write a host as it stands before a colon and a port."""
    return f"[{host}]" if is_ipv6(host) else host
