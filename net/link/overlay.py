"""One more network of a node, carried over others: peers whom a plug-in brings together.

Each peer on it has an address that no machine has (net/core/ip_addresses.py, `is_virtual`), as if on a LAN.
"""

import selectors
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from quadrille.net.private_room.room import PrivateRoom


class Overlay(Protocol):
    """A network that the node calls in its own thread, and watches by its selector. Times are in milliseconds."""

    def open(
        self,
        selector: selectors.BaseSelector,
        accept: Callable[[socket.socket, str, int], None],
        heard: Callable[[str, bytes, int], None],
    ) -> None:
        """Begin: give `accept` each connection that others make, and `heard` beacons, again and again."""

    def announce(self, datagram: bytes, now: int) -> None:
        """Send our beacon."""

    def dial(self, host: str, now: int, joined: Callable[[socket.socket | None, int], None]) -> None:
        """Give `joined` a connected socket that leads to a peer, or None if it can't be had; at once or later."""

    def close(self) -> None:
        """Close all but the sockets that were given away."""

    def unreached(self) -> Mapping[str, str]:
        """Return the ways to this network that are shut, such as "The relay at 1.2.3.4:5", each with the reason."""

    def missing(self, now: int) -> list[str]:
        """Return sentences that say why nobody else may be there."""


@dataclass(frozen=True, slots=True)
class FarRoom:
    """A private room whose passphrase nobody can guess, and whose members meet on an overlay too, which `overlay`
    makes. `text` leads to the room again; it is kept among the secrets of each table that begins there.
    """

    room: PrivateRoom
    overlay: Callable[[], Overlay]
    text: str = field(repr=False)
