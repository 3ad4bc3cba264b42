"""Ways to this machine for people without Quadrille: its addresses, and a port."""

import socket
import sys
from collections.abc import Sequence
from typing import Final

from quadrille.net.core.errors import LocalError
from quadrille.net.link.interfaces import Interface

#: An address behind the usual gateway (RFC 5737). No packet is sent there.
_ELSEWHERE: Final = ("192.0.2.1", 9)


def reachable(interfaces: Sequence[Interface]) -> tuple[str, ...]:
    """Return the addresses at which other machines may reach this one, the likeliest first.

    A network of many has a broadcast address, and most tunnels have none; of several networks the one with the usual
    gateway is rather the Wi-Fi than a bridge of virtual machines.
    """
    by_gateway = _gateway_address()
    outside = [interface for interface in interfaces if not interface.network.is_loopback]
    outside.sort(
        key=lambda interface: (
            interface.broadcast is None,
            interface.network.is_link_local,
            interface.address != by_gateway,
        )
    )
    return tuple(dict.fromkeys(interface.address for interface in outside))


def _gateway_address() -> str:
    """Return the address of this machine from which packets go to the usual gateway; "" without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def free_port(wanted: int | None, usual: Sequence[int], option: str) -> int:
    """Return the port that somebody wants, or the first free one of the usual ones; a LocalError if it is taken."""
    for port in (wanted,) if wanted else (*usual, 0):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if sys.platform != "win32":  # on Windows the option would let two programs share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError as error:
                reason = error.strerror or str(error)
                continue
            return int(probe.getsockname()[1])
    raise LocalError(f"port {wanted} can't be used ({reason}): name another one with {option}")
