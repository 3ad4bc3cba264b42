"""Connections by which ZMTP is spoken, accepted or called: I/O and limits.

A `Connection` joins a TCP socket and libzmq (libzmq.py), and counts what passes. `Connections` holds all connections of
a node, serves them in turn, and limits their total memory. net/link/acceptor.py decides who may connect,
net/link/caller.py whom we call. Specification: docs/protocols/links.md, "Connections".
"""

import contextlib
import selectors
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from quadrille.net.core.errors import PeerError
from quadrille.net.core.pace import Bucket, Pace
from quadrille.net.zeromq.frame_heads import MOST_MESSAGE_BYTES, FrameHeads
from quadrille.net.zeromq.libzmq import Libzmq, WireEnd
from quadrille.net.zeromq.sockets import CHUNK, look

#: Bytes read in one turn from all busy connections together, and the minimum of a connection.
CHUNKS_TOGETHER: Final = 1 << 20
LEAST_CHUNK: Final = 1 << 12
#: Maximum frames of a connection in one turn.
FRAMES_A_TURN: Final = 64
#: Bytes that cost as much work as one frame.
BYTES_FOR_A_FRAME: Final = 1024
#: Milliseconds after which a connection that overdrew its budget is tried again: other strangers may have left some
#: of the shared budget.
LONGEST_REST: Final = 250
#: Maximum bytes that go into libzmq before a whole message comes out: one message, and what fits into the pipe before
#: libzmq has its turn.
MOST_INSIDE: Final = MOST_MESSAGE_BYTES + 4 * CHUNK
#: Maximum bytes that may wait for a peer that does not read; also the maximum that all connections may hold, in each
#: direction.
MOST_UNSENT: Final = 1 << 20
MOST_HELD: Final = 1 << 25
#: Maximum connections that we have ended and that still send their last bytes.
MOST_LEAVING: Final = 16


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


class _Stream:
    """A socket that never blocks, what waits to be written to it, and what the selector waits for there."""

    __slots__ = ("_interest", "_selector", "_turn", "outgoing", "socket")

    def __init__(
        self, selector: selectors.BaseSelector, connected: socket.socket, turn: Callable[[int, int], None]
    ) -> None:
        self._selector = selector
        self._turn = turn
        self._interest = 0
        self.socket = connected
        self.outgoing = bytearray()

    def watch(self, *, reads: bool, writes: bool = False) -> None:
        """Wait until it can be read; until it can be written too, if anything is queued or `writes`."""
        interest = selectors.EVENT_READ if reads else 0
        if writes or self.outgoing:
            interest |= selectors.EVENT_WRITE
        look(self._selector, self.socket, self._interest, interest, self._turn)
        self._interest = interest

    def flush(self) -> bool:
        """Write as much as the system takes; False if nobody reads it any more."""
        try:
            while self.outgoing:
                del self.outgoing[: self.socket.send(self.outgoing)]
        except BlockingIOError:
            pass
        except OSError:
            self.outgoing.clear()
            return False
        return True

    def read(self, most: int) -> bytes | None:
        """None if nothing is there, no bytes at the end."""
        try:
            return self.socket.recv(most)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def shut(self) -> None:
        """Nothing more will be written."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        look(self._selector, self.socket, self._interest, 0, self._turn)
        self._interest = 0
        self.socket.close()


class Connection:
    """One end of a TCP connection, and the gate between it and libzmq.

    What comes is passed to libzmq by a pipe, and comes out as messages; what is sent comes out of the pipe as bytes.
    """

    __slots__ = (
        "_account", "_connecting", "_end", "_ended", "_exchange", "_finished", "_has_said", "_heads", "_inside",
        "_is_open", "_is_stranger", "_listens", "_pipe", "_queued", "_tcp", "_waiting", "_was_ready", "address",
        "held", "number", "owner", "parts",
    )  # fmt: skip

    def __init__(
        self,
        exchange: "Connections",
        connected: socket.socket,
        end: WireEnd,
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
        self._end = end
        self._tcp = _Stream(exchange.selector, connected, self._turn_tcp)
        self._pipe = _Stream(exchange.selector, end.pipe, self._turn_pipe)
        self._heads = FrameHeads() if end.is_plain else None
        self.owner = owner
        self.number = number
        self.address = address
        self.held = 0
        self._inside = 0  # bytes of the other end since its last whole message came out
        self._queued = 0  # bytes of ours that have not come out of the pipe
        self._waiting: list[Sequence[bytes]] = []  # messages until the handshake is over
        self._is_open = True
        self._connecting = connecting
        self._ended = False  # TCP says nothing more
        self._finished = False  # libzmq says nothing more
        self._has_said = False
        self._was_ready = False
        self._listens = False  # to libzmq's signal
        self.parts = False
        self._is_stranger = exchange.work.tells_apart
        self._account = exchange.work.account(now, stranger=self._is_stranger)
        exchange.admit(self)
        self._want()

    @property
    def is_ready(self) -> bool:
        """Whether the handshake is over."""
        return self._end.is_ready

    @property
    def identity(self) -> bytes:
        """The identity that the other end of an accepted connection claims."""
        return self._end.identity

    @property
    def key(self) -> bytes | None:
        """The other end's proven CURVE key, of an accepted connection."""
        return self._end.key

    @property
    def unsent(self) -> int:
        """Bytes to be sent."""
        return self._queued + len(self._tcp.outgoing)

    @property
    def weight(self) -> int:
        """Bytes that are kept for it, either way."""
        return (self._inside + self.unsent) * self._is_open

    # Output: messages into libzmq, bytes from the pipe to TCP

    def send(self, frames: Sequence[bytes], now: int) -> bool:
        """Send a message; False if too many bytes wait because the other end does not read."""
        size = sum(map(len, frames))
        if self.unsent + size > MOST_UNSENT:
            return False
        if self._is_open and not self.parts:
            self._queued += size
            if self._was_ready:
                self._say(frames)
            else:
                self._waiting.append(frames)
            self._exchange.weigh(self, now)
        return True

    def _say(self, frames: Sequence[bytes]) -> None:
        self._has_said = True
        self._end.send(frames)
        self._exchange.note(self)

    def _turn_pipe(self, mask: int, now: int) -> None:
        """Pass on what libzmq says, and to it what has waited."""
        if not self._is_open:
            return None
        if mask & selectors.EVENT_WRITE:
            self._pass()
        if not mask & selectors.EVENT_READ or (data := self._pipe.read(CHUNK)) is None:
            return self._want()
        if data:
            self._queued = max(0, self._queued - len(data))
            self._tcp.outgoing += data
            return self._flush(now)
        self._finished = True
        return self._flush(now) if self.parts else self.work(now)

    def _flush(self, now: int) -> None:
        """Write to TCP as much as the system takes."""
        if self._connecting is None and not self._tcp.flush():
            return self._close_tcp(now)
        if self.parts and self._finished and not self._tcp.outgoing:
            self._tcp.shut()
        self._want()
        self._exchange.weigh(self, now)
        return None

    # Input: bytes from TCP into the pipe, messages out of libzmq

    def _turn_tcp(self, mask: int, now: int) -> None:
        """Handle readiness to write or read. Data already read may have closed the connection."""
        if not self._is_open:
            return None
        if mask & selectors.EVENT_WRITE:
            if self._connecting is not None:
                if self._tcp.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                    return self.close(now)
                self._connecting()
                self._connecting = None
            self._flush(now)
        if mask & selectors.EVENT_READ and self._is_open and not self._exchange.is_busy(self):
            self._read(now)
        return None

    def _read(self, now: int) -> None:
        data = self._tcp.read(self._exchange.chunk)
        if data == b"":
            return self._close_tcp(now)
        if data is None or self.parts:
            return None
        self._pay(len(data) // BYTES_FOR_A_FRAME, now)
        if self._inside + len(data) > MOST_INSIDE:
            self.work(now)  # what is whole comes out first
        if not self._is_open:
            return None
        self._inside += len(data)
        try:
            if self._heads:
                self._heads.read(data)
            if self._inside > MOST_INSIDE:
                raise PeerError("a message too long")
        except PeerError as error:
            return self.close(now, str(error))
        self._pipe.outgoing += data
        self._pass()
        self._exchange.schedule(self, now, is_busy=self._exchange.is_busy(self))
        self._exchange.weigh(self, now)
        return None

    def _close_tcp(self, now: int) -> None:
        """The other end says nothing more: what it has said comes out of libzmq before we close."""
        if self.parts:
            return self.drop()
        self._ended = True
        return self._pass()

    def _pass(self) -> None:
        """Write to the pipe. If libzmq does not read any more, the pipe's end will be read."""
        self._pipe.flush()
        if self._ended and not self._pipe.outgoing:
            self._pipe.shut()
        self._want()

    def _turn_signal(self, _: int, now: int) -> None:
        if self._is_open:
            self.work(now)

    def work(self, now: int) -> None:
        """Take messages out, up to the limit of one turn."""
        if self.parts:
            return
        frames, message = 0, None
        while not self.parts and frames < FRAMES_A_TURN and (message := self._end.receive()) is not None:
            self._inside = 0
            frames += len(message)
            self.owner.came(self, message, now)
            if not self._is_open:
                return
        self._pay(frames, now)
        if self.is_ready and not self._was_ready:
            self._was_ready = True
            self._inside = 0
            for waiting in self._waiting:
                self._say(waiting)
            self._waiting.clear()
            self.owner.opened(self)
        if self._finished and message is None:
            self.close(now, "" if self._ended else "not ZMTP as we speak it")
        else:
            self._exchange.schedule(self, now, is_busy=message is not None)
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

    def wake(self) -> None:
        """The rest has begun or ended."""
        self._want()

    def _want(self) -> None:
        """Update the selector: TCP is read only when libzmq has all that was read before."""
        if not self._is_open:
            return
        stops = self._exchange.rests(self)
        full = self._connecting or self._ended or self._pipe.outgoing or stops
        self._tcp.watch(reads=self.parts or not full, writes=self._connecting is not None)
        self._pipe.watch(reads=not self._finished and (self.parts or len(self._tcp.outgoing) < CHUNK))
        self._listen(not self.parts and not stops)

    def _listen(self, listens: bool) -> None:
        read = selectors.EVENT_READ
        look(self._exchange.selector, self._end.signal, read * self._listens, read * listens, self._turn_signal)
        self._listens = listens

    def close(self, now: int, fault: str = "") -> None:
        """Close it and tell its owner, unless we have ended it before."""
        if self._is_open:
            self.drop()
            if not self.parts:
                self.owner.closed(self, fault, now)

    def hang_up(self) -> None:
        """Close it without telling its owner. What was sent before still goes out."""
        if self._has_said and not self._ended:
            self.part()
            self._exchange.leave(self)
        else:
            self.drop()

    def part(self) -> None:
        """Send what is queued and nothing more, and wait until the other end closes: then it has read everything.

        A connection closed with unread input is reset, and the other end loses what it has not read yet.
        """
        if not self._was_ready or self._ended:
            self.drop()
        elif not self.parts:
            self.parts = True
            self._listen(False)
            self._end.finish()
            self._want()

    def drop(self) -> None:
        """Close it. Its input is read first, because unread input would make the system discard our last bytes."""
        if not self._is_open:
            return
        self._is_open = False
        self._exchange.dismiss(self)
        self._listen(False)
        self._tcp.read(CHUNK)
        self._tcp.shut()
        self._tcp.close()
        self._pipe.close()
        self._end.close()


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

    def __init__(self, selector: selectors.BaseSelector, work: Work, libzmq: Libzmq) -> None:
        self.selector = selector
        self.work = work
        self.common = Bucket(work.strangers)
        self.chunk = CHUNK
        self.held = 0
        self._libzmq = libzmq
        self._connections: dict[Connection, None] = {}
        self._busy: dict[Connection, None] = {}
        self._resting: dict[Connection, int] = {}
        self._leaving: dict[Connection, None] = {}
        self._signal = libzmq.signal
        if self._signal is not None:
            selector.register(self._signal, selectors.EVENT_READ, lambda *_: libzmq.answer())

    def accepted(self, connected: socket.socket, owner: Owner, number: int, address: str, now: int) -> Connection:
        """Begin with a connection that a peer has made. An OSError says that the system has no room for it."""
        return Connection(self, connected, self._libzmq.accepting(), owner, number, address, now)

    def called(
        self,
        calling: socket.socket,
        owner: Owner,
        number: int,
        address: str,
        now: int,
        *,
        key: bytes | None,
        connecting: Callable[[], None],
    ) -> Connection:
        """Begin with a connection that we make to the owner of a key; an OSError as above."""
        end = self._libzmq.calling(key)
        return Connection(self, calling, end, owner, number, address, now, connecting=connecting)

    # Time

    @property
    def deadline(self) -> int | None:
        """When to call `wake` next; 0 means at once."""
        return 0 if self._busy else min(self._resting.values(), default=None)

    def turn(self, ready: int, now: int) -> None:
        """A turn begins with `ready` readable connections."""
        self.chunk = max(LEAST_CHUNK, min(CHUNK, CHUNKS_TOGETHER // max(ready, 1)))

    def wake(self, now: int) -> None:
        """Continue with the connections that have rested or have more messages than one turn allows."""
        for connection in [one for one, until in self._resting.items() if now >= until]:
            del self._resting[connection]
            self.schedule(connection, now, is_busy=True)
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
        self._leaving.pop(connection, None)
        self.held -= connection.held
        connection.held = 0

    def leave(self, connection: Connection) -> None:
        """We have ended it, and its last bytes are on their way."""
        self._leaving[connection] = None
        if len(self._leaving) > MOST_LEAVING:
            next(iter(self._leaving)).drop()

    def rests(self, connection: Connection) -> bool:
        """Whether reading from it is paused."""
        return connection in self._resting

    def is_busy(self, connection: Connection) -> bool:
        """Whether it may have messages that have not been taken out."""
        return connection in self._busy

    def note(self, connection: Connection) -> None:
        """Look at its messages soon."""
        if connection not in self._resting:
            self._busy[connection] = None

    def schedule(self, connection: Connection, now: int, *, is_busy: bool) -> None:
        """Decide whether it continues at once, rests, or waits for bytes."""
        self._busy.pop(connection, None)
        if rest := connection.rest(now):
            self.rest(connection, now + rest)
        elif is_busy:
            self._busy[connection] = None

    def rest(self, connection: Connection, until: int) -> None:
        """Read nothing from it until then."""
        self._busy.pop(connection, None)
        self._resting[connection] = until
        connection.wake()

    def weigh(self, connection: Connection, now: int) -> None:
        """Update its memory. If all together hold too much, close the connection that holds most."""
        held = connection.weight
        self.held += held - connection.held
        connection.held = held
        while self.held > MOST_HELD:
            max(self._connections, key=lambda one: one.held).close(now, "too much in all")

    @property
    def unsent(self) -> bool:
        """Whether output waits on a connection whose handshake is over."""
        return any(one.unsent and one.is_ready for one in self._connections)

    def part(self) -> bool:
        """Send nothing more; True while a peer has not closed its end yet."""
        for connection in list(self._connections):
            connection.part()
        return bool(self._connections)

    def close(self) -> None:
        """Close all without telling their owners."""
        for connection in list(self._connections):
            connection.drop()
        if self._signal is not None:
            self.selector.unregister(self._signal)
            self._signal = None
        self._libzmq.close()
