"""TCP connections that speak ZMTP, accepted or called: I/O and limits.

A `Connection` joins a socket and its `Wire` (zmtp.py). `Connections` holds all connections of a node, serves them in
turn, and limits their total memory. net/link/acceptor.py decides who may connect, net/link/caller.py whom we call.
Specification: docs/protocols/links.md, "Connections".
"""

import contextlib
import errno
import selectors
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from quadrille.net.core.errors import PeerError
from quadrille.net.core.pace import Bucket, Pace
from quadrille.net.zeromq.zmtp import Wire

#: Bytes read from a connection in one turn: the maximum, the maximum of all busy connections together, the minimum.
CHUNK: Final = 1 << 16
CHUNKS_TOGETHER: Final = 1 << 20
LEAST_CHUNK: Final = 1 << 12
#: Maximum frames of a connection in one turn.
FRAMES_A_TURN: Final = 64
#: Bytes that cost as much work as one frame.
BYTES_FOR_A_FRAME: Final = 1024
#: Milliseconds after which a connection that overdrew its budget is tried again: other strangers may have left some
#: of the shared budget.
LONGEST_REST: Final = 250
#: Maximum bytes that may wait for a peer that does not read; also the maximum that all connections may hold, in each
#: direction.
MOST_UNSENT: Final = 1 << 20
MOST_HELD: Final = 1 << 25
#: Receive buffer of the operating system, in bytes.
RECEIVE_BUFFER: Final = 1 << 18

#: Keepalive settings that detect a cut cable: seconds of idleness, seconds between probes, number of probes;
#: milliseconds that sent bytes may stay unacknowledged.
_LOOKS: Final = (("TCP_KEEPIDLE", 1), ("TCP_KEEPALIVE", 1), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 3))
_UNCONFIRMED: Final = 4000
#: Codes of a call that is under way.
IN_PROGRESS: Final = {0, errno.EINPROGRESS, errno.EWOULDBLOCK, getattr(errno, "WSAEWOULDBLOCK", errno.EWOULDBLOCK)}


class Owner(Protocol):
    """The part that a connection belongs to and reports to."""

    def opened(self, connection: "Connection") -> None:
        """The handshake is over."""

    def came(self, connection: "Connection", frames: list[bytes], now: int) -> None:
        """A message has arrived."""

    def matters(self, connection: "Connection") -> bool:
        """Whether a peer that may send more than strangers uses the connection."""

    def closed(self, connection: "Connection", fault: str, now: int) -> None:
        """The connection is closed; `fault` says what the other end did wrong, if that is the reason."""


class Connection:
    """One end of a TCP connection."""

    __slots__ = (
        "_account", "_connecting", "_exchange", "_interest", "_is_open", "_is_stranger", "_socket", "_was_ready",
        "address", "held", "number", "owner", "parts", "wire",
    )  # fmt: skip

    def __init__(
        self,
        exchange: "Connections",
        connected: socket.socket,
        wire: Wire,
        owner: Owner,
        number: int,
        address: str,
        now: int,
        *,
        connecting: Callable[[], None] | None = None,
    ) -> None:
        """`number` names the connection to its owner. A connection that is still being made calls `connecting` once
        it is established.
        """
        self._exchange = exchange
        self._socket = connected
        self.wire = wire
        self.owner = owner
        self.number = number
        self.address = address
        self.held = 0
        self._is_open = True
        self._connecting = connecting
        self.parts = False
        self._was_ready = False
        self._interest = 0
        self._is_stranger = exchange.work.tells_apart
        self._account = exchange.work.account(now, stranger=self._is_stranger)
        exchange.admit(self)
        self._want()

    # Output

    def send(self, frames: Sequence[bytes], now: int) -> bool:
        """Send a message; False if too many bytes wait because the other end does not read."""
        if self.wire.unsent + sum(map(len, frames)) > MOST_UNSENT:
            return False
        if self._is_open:
            self.wire.send(frames)
            self._flush(now)
        return True

    def _flush(self, now: int) -> None:
        """Write as much as the system takes."""
        if self._connecting is None:
            out = self.wire.outgoing
            try:
                while out:
                    del out[: self._socket.send(out)]
            except BlockingIOError:
                pass
            except OSError:
                self.close(now)
                return
        self._want()
        self._exchange.weigh(self, now)

    # Input

    def turn(self, mask: int, now: int) -> None:
        """Handle readiness to write or read. Data already read may have closed the connection."""
        if not self._is_open:
            return None
        if mask & selectors.EVENT_WRITE:
            if self._connecting is not None:
                if self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                    return self.close(now)
                self._connecting()
                self._connecting = None
            self._flush(now)
        if mask & selectors.EVENT_READ and self._is_open and not self.wire.is_busy:
            self._read(now)
        return None

    def _read(self, now: int) -> None:
        try:
            data = self._socket.recv(self._exchange.chunk)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            return self.hang_up() if self.parts else self.close(now)
        if self.parts:
            return None
        self._pay(len(data) // BYTES_FOR_A_FRAME, now)
        self.wire.feed(data)
        return self.work(now)

    def work(self, now: int) -> None:
        """Process received data, up to the limit of one turn."""
        before = self.wire.parsed
        fault = ""
        try:
            for message in self.wire.messages(FRAMES_A_TURN):
                self.owner.came(self, message, now)
        except PeerError as error:
            fault = str(error)
        if self.wire.is_ready and not self._was_ready:
            self._was_ready = True
            self.owner.opened(self)
        self._pay(self.wire.parsed - before, now)
        if self.wire.outgoing:
            self._flush(now)
        if fault:
            self.close(now, fault)
        elif self._is_open:
            self._exchange.schedule(self, now)
            self._exchange.weigh(self, now)

    def _pay(self, price: int, now: int) -> None:
        """Charge some work to its budget; strangers go on with their shared one."""
        self._account.pay(now, price)
        if self._is_stranger:
            self._account.borrow(self._exchange.common, now)

    def rest(self, now: int) -> int:
        """Milliseconds for which nothing should be read, because the budget is overdrawn."""
        self._pay(0, now)
        if self._account.rest(now) and self._is_stranger and self.owner.matters(self):
            self._is_stranger = False
            self._account = self._exchange.work.account(now, stranger=False)
        return min(self._account.rest(now), LONGEST_REST)

    # Selector and closing

    def _want(self) -> None:
        """Update the selector: wait for writability only while something is queued."""
        interest = 0 if self._connecting or self._exchange.rests(self) else selectors.EVENT_READ
        if self._connecting or self.wire.outgoing:
            interest |= selectors.EVENT_WRITE
        if interest != self._interest and self._is_open:
            self._exchange.look(self._socket, self._interest, interest, self.turn)
            self._interest = interest

    def wake(self) -> None:
        """The rest has begun or ended."""
        self._want()

    def close(self, now: int, fault: str = "") -> None:
        """Close it and tell its owner."""
        if self._is_open:
            self.hang_up()
            self.owner.closed(self, fault, now)

    def part(self) -> None:
        """Send nothing more, and wait until the other end closes: then it has read everything.

        A connection closed with unread input is reset, and the other end loses what it has not read yet.
        """
        if not self.wire.is_ready:
            return self.hang_up()
        self.parts = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        return None

    def hang_up(self) -> None:
        """Close it without telling its owner. Its input is read first, because unread input would make the system
        discard our last bytes.
        """
        if not self._is_open:
            return
        self._exchange.look(self._socket, self._interest, 0, self.turn)
        self._is_open = False
        self._exchange.dismiss(self)
        with contextlib.suppress(OSError):
            self._socket.recv(CHUNK)
            self._socket.shutdown(socket.SHUT_WR)
        self._socket.close()


@dataclass(frozen=True, slots=True)
class Work:
    """How many frames connections may send: per second in the long run, and in a burst.

    If it `tells_apart` peers that matter, each stranger has a small budget and all strangers share a larger one.
    """

    each: Pace
    stranger: Pace
    strangers: Pace
    tells_apart: bool

    def account(self, now: int, *, stranger: bool) -> Bucket:
        """A new connection's account."""
        return Bucket(self.stranger if stranger else self.each)


class Connections:
    """All connections of a node."""

    def __init__(self, selector: selectors.BaseSelector, work: Work) -> None:
        self.work = work
        self.common = Bucket(work.strangers)
        self.chunk = CHUNK
        self.held = 0
        self._selector = selector
        self._connections: dict[Connection, None] = {}
        self._busy: dict[Connection, None] = {}
        self._resting: dict[Connection, int] = {}

    # Time

    @property
    def deadline(self) -> int | None:
        """When to call `wake` next; 0 means at once."""
        return 0 if self._busy else min(self._resting.values(), default=None)

    def turn(self, ready: int, now: int) -> None:
        """A turn begins with `ready` readable connections."""
        self.chunk = max(LEAST_CHUNK, min(CHUNK, CHUNKS_TOGETHER // max(ready, 1)))

    def wake(self, now: int) -> None:
        """Continue with the connections that have rested or had more data than one turn allows."""
        for connection in [one for one, until in self._resting.items() if now >= until]:
            del self._resting[connection]
            self.schedule(connection, now)
            connection.wake()
        for connection in list(self._busy):
            if connection in self._busy:
                connection.work(now)

    # Called by connections

    def admit(self, connection: Connection) -> None:
        self._connections[connection] = None

    def dismiss(self, connection: Connection) -> None:
        self._connections.pop(connection, None)
        self._busy.pop(connection, None)
        self._resting.pop(connection, None)
        self.held -= connection.held
        connection.held = 0

    def rests(self, connection: Connection) -> bool:
        """Whether reading from it is paused."""
        return connection in self._resting

    def schedule(self, connection: Connection, now: int) -> None:
        """Decide whether it continues at once, rests, or waits for bytes."""
        self._busy.pop(connection, None)
        if rest := connection.rest(now):
            self._resting[connection] = now + rest
            connection.wake()
        elif connection.wire.is_busy:
            self._busy[connection] = None

    def rest(self, connection: Connection, until: int) -> None:
        """Read nothing from it until then."""
        self._busy.pop(connection, None)
        self._resting[connection] = until
        connection.wake()

    def weigh(self, connection: Connection, now: int) -> None:
        """Update its memory. If all together hold too much, close the connection that holds most."""
        held = connection.wire.held + connection.wire.unsent
        self.held += held - connection.held
        connection.held = held
        while self.held > MOST_HELD:
            max(self._connections, key=lambda one: one.held).close(now, "too much in all")

    def look(self, at: socket.socket, before: int, after: int, turn: Callable[[int, int], None]) -> None:
        """Change what the selector waits for."""
        look(self._selector, at, before, after, turn)

    @property
    def unsent(self) -> bool:
        """Whether output waits on a connection whose handshake is over."""
        return any(one.wire.outgoing and one.wire.is_ready for one in self._connections)

    def part(self) -> bool:
        """Send nothing more; True while a peer has not closed its end yet."""
        for connection in list(self._connections):
            if not connection.parts:
                connection.part()
        return bool(self._connections)

    def close(self) -> None:
        """Close all without telling their owners."""
        for connection in list(self._connections):
            connection.hang_up()


def look(
    selector: selectors.BaseSelector, at: socket.socket, before: int, after: int, turn: Callable[[int, int], None]
) -> None:
    """Change what a selector waits for at a socket from one mask to another; 0 is nothing."""
    if before == after:
        return
    if not before:
        selector.register(at, after, turn)
    elif after:
        selector.modify(at, after, turn)
    else:
        selector.unregister(at)


def prepare(connected: socket.socket) -> None:
    """Options of every connection: no delay, and keepalive so that the system notices a dead machine."""
    connected.setblocking(False)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    probe(connected, _LOOKS, _UNCONFIRMED)


def probe(connected: socket.socket, looks: Sequence[tuple[str, int]], unconfirmed: int) -> None:
    """Tell the system how long a machine may be silent, as far as it has these options: names and values of keepalive,
    and milliseconds that sent bytes may stay unacknowledged.
    """
    for name, value in (*looks, ("TCP_USER_TIMEOUT", unconfirmed)):
        if hasattr(socket, name):
            with contextlib.suppress(OSError):  # some systems know the name of this option only
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
