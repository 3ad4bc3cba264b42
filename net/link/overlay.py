"""One more network of a node, carried over others: peers whom a plug-in brings together.

Each peer on it has an address that no machine has (net/core/ip_addresses.py, `is_virtual`). Beacons come from there,
connections lead there, and all that is above a connection runs as on a LAN.
"""

import selectors
import socket
from collections.abc import Callable
from typing import Protocol


class Overlay(Protocol):
    """Four calls, and a socket pair for each connection, whose near end the node has. All happens on the node's
    selector and in its thread; times are in milliseconds.
    """

    @property
    def deadline(self) -> int:
        """When to call `wake` next."""

    def open(
        self,
        selector: selectors.BaseSelector,
        accept: Callable[[socket.socket, str, int], None],
        heard: Callable[[str, bytes, int], None],
    ) -> None:
        """Begin: give `accept` each connection that another peer has made, and `heard` each beacon."""

    def announce(self, datagram: bytes, now: int) -> None:
        """Send our beacon."""

    def dial(self, host: str) -> socket.socket | None:
        """Return a connection to a peer; None if it is not there any more."""

    def wake(self, now: int) -> None:
        """Do what is due."""

    def close(self) -> None:
        """Close everything; what the system takes at once is still sent."""

    def unreached(self) -> list[str]:
        """Return a sentence for each way to this network that is shut, for a person."""

    def missing(self, now: int) -> list[str]:
        """Return these sentences, and those that say why nobody else may be there."""
