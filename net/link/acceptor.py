"""The accepting side: a listening socket, and limits on the connections it accepts.

Everybody who can reach our port may connect, as far as net/core/doorkeeper.py has room. An address that breaks a
limit may reconnect only at a low rate. Its other connections stay open, because several programs or a whole household
can share an address.
net/neighbours/neighbours.py decides what a message means. Specification: docs/protocols/links.md, "Connections".
"""

import contextlib
import errno
import socket
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from quadrille.net.core.doorkeeper import Doorkeeper
from quadrille.net.core.ip_addresses import crowd_of, host_of, is_ipv6
from quadrille.net.core.pace import Bucket, a_second
from quadrille.net.neighbours.neighbour import Source, Way
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.zeromq.connection import Connection, Connections
from quadrille.net.zeromq.sockets import RECEIVE_BUFFER, prepare, refusal

#: The listen backlog, and the maximum connections accepted in one turn.
BACKLOG: Final = 128
ACCEPTS_A_TURN: Final = 16
#: Milliseconds between two looks for connections that said nothing.
SWEEP_EVERY: Final = 1000
#: Connections that an address may open after it broke a limit, the milliseconds after which that is forgotten, and the
#: maximum of remembered addresses.
PATIENCE: Final = a_second(5, 20)
PARDON: Final = 60_000
MOST_OFFENDERS: Final = 1024
#: Addresses of an IPv6 network that broke a limit, after which the whole network counts as one that did.
OFFENDERS_OF_A_CROWD: Final = 8


class Acceptor:
    """The accepting side of a node."""

    def __init__(self, neighbours: Neighbours, exchange: Connections, admits: Callable[[str], bool], most: int) -> None:
        """Accept addresses that `admits`. At most `most` connections are open; neighbours keep their places."""
        self._neighbours = neighbours
        self._exchange = exchange
        self._admits = admits
        self._doors = Doorkeeper(most, self._dismiss, proved=neighbours.streams)
        self._listeners: list[socket.socket] = []
        self._connections: dict[int, Connection] = {}
        self._numbers = 0
        self._offenders: dict[str, tuple[Bucket, int]] = {}  # the connections still allowed; when it broke a limit

    def __len__(self) -> int:
        return len(self._connections)

    def bind(self, ports: Iterable[int]) -> int:
        """Listen with IPv4 and IPv6 on the first of these ports that is free; a LocalError explains a failure."""
        for port in ports:
            try:
                self._listeners.append(_listener(socket.AF_INET, port))
                if socket.has_ipv6:
                    self._listeners.append(_listener(socket.AF_INET6, port))
            except OSError as error:
                if self._listeners and error.errno != errno.EADDRINUSE:  # this machine has no IPv6
                    return port
                refused = error
                self.close()
            else:
                return port
        taken = "another program: choose another, or none for any that is free"
        raise refusal(f"TCP port {port}", refused, taken=taken, nobody="nobody can reach us")

    @property
    def listeners(self) -> Sequence[socket.socket]:
        """The sockets of IPv4 and of IPv6, if there is IPv6."""
        return self._listeners

    def accept(self, now: int) -> bool:
        """Accept waiting connections. Return False if the system has no room for more, so that accepting must pause."""
        return all(self._accept_at(listener, now) for listener in self._listeners)

    def _accept_at(self, listener: socket.socket, now: int) -> bool:
        for _ in range(ACCEPTS_A_TURN):
            try:
                accepted, whence = listener.accept()
            except (BlockingIOError, ConnectionError):
                return True
            except OSError as error:
                return error.errno not in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
            address = host_of(whence)
            if address is not None and self._admits(address):
                prepare(accepted)
                self.adopt(accepted, address, now)
            else:
                accepted.close()
        return True

    def adopt(self, accepted: socket.socket, address: str, now: int) -> None:
        """Take a connection from this address, if the limits allow it."""
        self._numbers += 1
        if not self._may_connect(address, now):
            return accepted.close()
        if self._doors.admit(self._numbers, address, now) is not None:
            self._neighbours.counts["no room for a connection"] += 1
            return accepted.close()
        made = self._exchange.begin(accepted, self, self._numbers, address)
        if made is None:
            self._doors.left(self._numbers)
            self._neighbours.counts["no room in the system"] += 1
        else:
            self._connections[self._numbers] = made
        return None

    def _dismiss(self, number: int, now: int) -> None:
        self._connections[number].close(now)

    def _may_connect(self, address: str, now: int) -> bool:
        """Return False if an address or its crowd broke a limit lately and has not waited long enough since."""
        for offender in dict.fromkeys((address, crowd_of(address))):
            bucket, _ = self._offenders.get(offender, (None, 0))
            if bucket is not None and not bucket.take(now):
                self._neighbours.counts["connected too often"] += 1
                return False
        return True

    def sweep(self, now: int) -> None:
        """Close connections that missed the deadline of the first message, and forget offences that are long over."""
        self._offenders = {one: entry for one, entry in self._offenders.items() if now - entry[1] < PARDON}
        for number in self._doors.late(now):
            late = self._connections[number]
            late.close(now, "said nothing" if late.is_joined else "")

    def send(self, number: int, frames: list[bytes], now: int) -> None:
        """Send a message; close the connection if its peer does not read."""
        connection = self._connections.get(number)
        if connection is not None and not connection.send(frames, now):
            connection.close(now, "does not read")

    def on(self, number: int) -> Connection | None:
        return self._connections.get(number)

    def cut(self, number: int) -> None:
        """Close a connection without telling the neighbours."""
        self._doors.left(number)
        if connection := self._connections.pop(number, None):
            connection.hang_up()

    def close(self) -> None:
        """Stop listening. `Connections` closes the connections."""
        for listener in self._listeners:
            listener.close()
        self._listeners.clear()

    # Called by connections

    def opened(self, connection: Connection) -> None:
        """Do nothing: the peer's HELLO will say who it is."""

    def came(self, connection: Connection, frames: list[bytes], now: int) -> None:
        """Pass a message and its source on."""
        self._doors.spoke(connection.number)
        source = Source(connection.address, Way(connection.number, 0, connection.end.identity), connection.end.key)
        self._neighbours.receive(source, frames, now)

    def matters(self, connection: Connection) -> bool:
        """Return True if a peer that matters uses this connection."""
        return self._neighbours.matters(Way(connection.number))

    def closed(self, connection: Connection, fault: str, now: int) -> None:
        """Give up a connection whose other end is gone or broke a limit."""
        self._doors.left(connection.number)
        self._connections.pop(connection.number, None)
        if fault:
            self._blame(connection.address, now)
            self._neighbours.counts[fault] += 1
            self._neighbours.broke(connection.number, fault, now)
        elif not connection.is_joined:
            self._neighbours.counts["no room in the system"] += 1
        self._neighbours.cut(connection.number, now)

    def _blame(self, address: str, now: int) -> None:
        self._slow_down(address, now)
        if is_ipv6(address):
            crowd = crowd_of(address)
            if sum(crowd_of(one) == crowd for one in self._offenders) >= OFFENDERS_OF_A_CROWD:
                self._slow_down(crowd, now)

    def _slow_down(self, offender: str, now: int) -> None:
        bucket, _ = self._offenders.pop(offender, (Bucket(PATIENCE), 0))
        self._offenders[offender] = bucket, now
        if len(self._offenders) > MOST_OFFENDERS:
            del self._offenders[next(iter(self._offenders))]


def _listener(family: socket.AddressFamily, port: int) -> socket.socket:
    with contextlib.ExitStack() as unless_listening:
        listener = unless_listening.enter_context(socket.socket(family, socket.SOCK_STREAM))
        if sys.platform != "win32":  # there this would share the port with other programs
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        listener.bind(("", port))
        listener.listen(BACKLOG)
        listener.setblocking(False)
        unless_listening.pop_all()
    return listener
