"""One more network of a node, carried over others: peers whom a plug-in brings together.

Each peer on it has an address that no machine has (net/core/ip_addresses.py, `is_virtual`), as if on a LAN.
"""

import selectors
import socket
from collections.abc import Callable
from typing import Protocol


class Overlay(Protocol):
    """Calls in the node's thread; what the overlay waits for is on the node's selector. Times are in milliseconds."""

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

    def unreached(self) -> list[str]:
        """Return a sentence for each way to this network that is shut, for a person."""

    def missing(self, now: int) -> list[str]:
        """Return these sentences, and those that say why nobody else may be there."""
