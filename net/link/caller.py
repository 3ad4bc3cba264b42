"""The calling side: one connection for each link that net/neighbours/neighbours.py asks for.

Messages sent before the handshake is over wait, within limits. Received messages are passed on unread. Specification:
docs/protocols/links.md, "Connections".
"""

import socket
from functools import partial
from typing import Final

from quadrille.net.core.ip_addresses import family_of, is_virtual, socket_address
from quadrille.net.link.overlay import Overlay
from quadrille.net.neighbours.neighbour import Endpoint, Source, Way
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.zeromq.connection import Connection, Connections
from quadrille.net.zeromq.sockets import IN_PROGRESS, prepare

#: Milliseconds between the end of a link and its report. The peer's last messages come by another connection
#: meanwhile.
LAST_WORDS_OF_OTHERS: Final = 100


class Caller:
    """The calling side of a node."""

    def __init__(self, neighbours: Neighbours, exchange: Connections, overlay: Overlay | None) -> None:
        self._overlay = overlay
        self._neighbours = neighbours
        self._exchange = exchange
        self._links: dict[int, Connection] = {}
        self._awaited: dict[int, list[list[bytes]]] = {}  # links that the overlay makes, each with what waits for it
        self._lost: dict[int, int] = {}  # ended links, each with the time to report it

    def dial(self, link: int, endpoint: Endpoint, key: bytes | None, now: int) -> None:
        self._awaited[link] = []
        joined = partial(self._joined, link, endpoint, key)
        if self._overlay is None or not is_virtual(endpoint.host):
            return joined(self._begun(endpoint), now)
        self._neighbours.reached(link)
        return self._overlay.dial(endpoint.host, now, joined)

    def _joined(
        self, link: int, endpoint: Endpoint, key: bytes | None, calling: socket.socket | None, now: int
    ) -> None:
        waiting = self._awaited.pop(link, None)
        if calling is None or waiting is None:  # there is no connection, or nobody wants it any more
            self._lost |= {} if waiting is None else {link: now}
            return calling.close() if calling else None
        reached = partial(self._neighbours.reached, link)
        made = self._exchange.begin(calling, self, link, endpoint.host, key=key, connecting=reached)
        if made is None:
            self._lost[link] = now
            return None
        self._links[link] = made
        for frames in waiting:
            self.send(link, frames, now)
        return None

    def _begun(self, endpoint: Endpoint) -> socket.socket | None:
        """Begin a connection; None if that fails."""
        try:
            calling = socket.socket(family_of(endpoint.host), socket.SOCK_STREAM)
        except OSError:  # no descriptors left, or no IPv6
            return None
        try:
            prepare(calling)
            under_way = calling.connect_ex(socket_address(*endpoint)) in IN_PROGRESS
        except (OSError, OverflowError):  # an address that cannot be connected to
            under_way = False
        if under_way:
            return calling
        calling.close()
        return None

    def send(self, link: int, frames: list[bytes], now: int) -> None:
        if link in self._awaited:
            self._awaited[link].append(frames)
        connection = self._links.get(link)
        if connection is not None and not connection.send(frames, now):
            self._neighbours.choked(link, now)

    def on(self, link: int) -> Connection | None:
        return self._links.get(link)

    def hang_up(self, link: int) -> None:
        """Close a link without telling the neighbours."""
        self._lost.pop(link, None)
        self._awaited.pop(link, None)
        if connection := self._links.pop(link, None):
            connection.hang_up()

    @property
    def deadline(self) -> int | None:
        return min(self._lost.values(), default=None)

    def wake(self, now: int) -> None:
        """Report lost links to the neighbours."""
        for link in [link for link, due in self._lost.items() if now >= due]:
            del self._lost[link]
            self._neighbours.lost(link, now)

    # Called by connections

    def opened(self, connection: Connection) -> None:
        self._neighbours.connected(connection.number)

    def came(self, connection: Connection, frames: list[bytes], now: int) -> None:
        """Pass an answer on."""
        self._neighbours.receive(Source(connection.address, Way(link=connection.number)), frames, now)

    def matters(self, connection: Connection) -> bool:
        """Return True if a peer that matters answers on it."""
        return self._neighbours.matters(Way(link=connection.number))

    def closed(self, connection: Connection, fault: str, now: int) -> None:
        """Report a link that failed or broke, after a moment for its last messages."""
        del self._links[connection.number]
        if fault:
            self._neighbours.counts[fault] += 1
        stood = connection.is_ready and not fault
        self._lost[connection.number] = now + (LAST_WORDS_OF_OTHERS if stood else 0)
