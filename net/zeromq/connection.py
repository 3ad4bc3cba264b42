"""Connections by which ZMTP is spoken, accepted or called: I/O and limits.

A `Connection` joins a TCP socket and libzmq (libzmq.py), and counts what passes. `Connections` holds all connections of
a node, serves them in turn, and limits their number and memory. Specification: docs/protocols/links.md, "Connections".
"""

import contextlib
import errno
import selectors
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from quadrille.net.core.errors import PeerError
from quadrille.net.core.limits import Bucket, Pace
from quadrille.net.zeromq.libzmq import SEALING, Libzmq, WireEnd
from quadrille.net.zeromq.zre import MOST_CONTENT_FRAMES

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
#: Maximum bytes that go into libzmq before a whole message comes out: two full frames, and what fits into the pipe.
MOST_INSIDE: Final = 3 << 16
#: Maximum bytes that may wait for a peer that does not read, or come from one that we have ended; and that all
#: connections may hold, in each direction.
MOST_UNSENT: Final = 1 << 20
MOST_HELD: Final = 1 << 25
#: Maximum connections that we have ended and that still send their last bytes.
MOST_LEAVING: Final = 16
#: Maximum bytes of the other end's handshake that are read: the signature and version of its greeting, and the last
#: command of a called end, which is in the clear with NULL and CURVE.
MOST_OPENING: Final = 512
#: Bytes of the shortest command that we read, a PING: libzmq 4.3 answers a shorter one with 16 bytes of its own memory.
#: In CURVE a PING is hidden, and that answer has the length of no frame of ours.
LEAST_COMMAND: Final = 7
PONG_BYTES: Final = SEALING + 21
_READY: Final = b"\x05READY"
_MORE, _LONG, _COMMAND = 1, 2, 4

_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class Owner(Protocol):
    """The object that a connection belongs to and reports to."""

    def opened(self, connection: "Connection") -> None:
        """Note that the other end speaks ZMTP."""

    def came(self, connection: "Connection", frames: list[bytes], now: int) -> None:
        """Take a message that has arrived."""

    def matters(self, connection: "Connection") -> bool:
        """Return True if a peer that may send more than strangers uses the connection."""

    def closed(self, connection: "Connection", fault: str, now: int) -> None:
        """Note that the connection is closed; `fault` says what the other end did wrong, if that is the reason."""


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
        """Wait until the socket can be read; until it can be written too, if anything is queued or `writes`."""
        interest = _READ * reads | _WRITE * (writes or bool(self.outgoing))
        _look(self._selector, self.socket, self._interest, interest, self._turn)
        self._interest = interest

    def flush(self) -> bool:
        """Write as much as the system takes. Return False if nobody reads it any more."""
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
        """Read at most `most` bytes: None if nothing is there, no bytes at the end."""
        try:
            return self.socket.recv(most)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def shut(self) -> None:
        """Say that nothing more will be written."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.outgoing.clear()
        self.watch(reads=False)
        self.socket.close()


class _Heads:
    """The heads of the frames that pass on their way into libzmq, which would collect any number of them (RFC 23).

    In CURVE each frame looks like a message of its own, and is so long that its bytes are enough to count.
    """

    __slots__ = ("_frames", "_head", "_is_sealed", "_left", "_opening", "is_ready")

    def __init__(self, *, is_sealed: bool = False) -> None:
        self._is_sealed = is_sealed  # they are ours, in CURVE
        self._opening = b""
        self._left = 64  # until the next head; a greeting is so long
        self._head = b""  # as much of it as has come
        self._frames = 0  # of the message that is under way
        self.is_ready = False  # the handshake is over, as far as it can be seen

    def read(self, data: bytes) -> int:
        """Read what comes next; return how many commands are in it. A PeerError says what ends the connection."""
        if not self.is_ready and len(self._opening) < MOST_OPENING:
            self._opening += data[:MOST_OPENING]
            first, tenth, version = self._opening[0], self._opening[9:10] or b"\1", self._opening[10:11]
            if first != 0xFF or not tenth[0] & 1 or version in (b"\0", b"\1", b"\2"):
                raise PeerError("no ZMTP 3")
            self.is_ready = _READY in self._opening
        at = commands = 0
        while (at := at + self._left) < len(data):
            head = self._head + data[at : at + 9 - len(self._head)]
            size = 9 if head[0] & _LONG else 2
            at += min(size, len(head)) - len(self._head)
            self._left = 0
            self._head = head if len(head) < size else b""
            if not self._head:
                self._left = int.from_bytes(head[1:size], "big")
                if head[0] & _COMMAND:  # it may stand between two frames of a message
                    commands += 1
                else:
                    self._frames = self._frames + 1 if head[0] & _MORE else 0
                is_short = head[0] & _COMMAND and self._left < LEAST_COMMAND
                if is_short or (self._is_sealed and self._left == PONG_BYTES):
                    raise PeerError("a command too short")
                if self._frames > MOST_CONTENT_FRAMES:
                    raise PeerError("a message of too many frames")
        self._left = at - len(data)
        return commands


class Connection:
    """One end of a TCP connection, and the gate between it and libzmq.

    Bytes of the other end go through a pipe into libzmq, which makes messages of them; libzmq writes our messages into
    the pipe as bytes.
    """

    __slots__ = (
        "_account", "_connecting", "_ended", "_exchange", "_finished", "_heads", "_inside", "_is_open", "_is_stranger",
        "_listens", "_pipe", "_queued", "_said", "_tcp", "address", "end", "held", "is_joined", "is_ready", "number",
        "owner", "parts",
    )  # fmt: skip

    def __init__(
        self,
        exchange: "Connections",
        connected: socket.socket,
        end: WireEnd,
        owner: Owner,
        number: int,
        address: str,
        *,
        connecting: Callable[[], None] | None = None,
    ) -> None:
        """Give the connection a `number`, by which its owner knows it. A connection that is still being made calls
        `connecting` once it is established.
        """
        self._exchange = exchange
        self.end = end
        self._tcp = _Stream(exchange.selector, connected, self._turn_tcp)
        self._pipe = _Stream(exchange.selector, end.pipe, self._turn_door)
        self._heads = _Heads()
        self._said = _Heads(is_sealed=True) if end.is_private else None  # what we say, where a PONG is hidden
        self.owner = owner
        self.number = number
        self.address = address
        self.held = 0
        self._inside = 0  # bytes of the other end since its last whole message came out
        self._queued = 0  # bytes of ours that have not come out of the pipe
        self._is_open = True
        self.is_joined = False  # the pipe is there
        self._connecting = connecting
        self._ended = False  # TCP says nothing more
        self._finished = False  # libzmq says nothing more
        self._listens = False  # to libzmq's signal
        self.is_ready = False  # the other end speaks ZMTP
        self.parts = False
        self._is_stranger = exchange.work.tells_apart
        self._account = exchange.work.account(stranger=self._is_stranger)
        self.want()

    @property
    def weight(self) -> int:
        """Bytes of memory that the connection takes, both ways together."""
        return self._inside + self._queued + len(self._tcp.outgoing)

    def _turn_door(self, _: int, now: int) -> None:
        """Take the pipe: libzmq has called."""
        if not self._is_open:
            return None
        self._pipe.watch(reads=False)
        try:
            self.is_joined = self.end.join()
        except OSError:
            return self.close(now)
        turn = self._turn_pipe if self.is_joined else self._turn_door
        self._pipe = _Stream(self._exchange.selector, self.end.pipe, turn)
        return self.want()

    # Output: messages into libzmq, bytes from the pipe to TCP

    def send(self, frames: Sequence[bytes], now: int) -> bool:
        """Send a message. Return False if too much waits because the other end does not read."""
        size = sum(map(len, frames))
        if self._queued + len(self._tcp.outgoing) + size > MOST_UNSENT:
            return False
        if not self._is_open or self.parts or self._finished:
            return True
        self._queued += size
        self._exchange.note(self)
        self._exchange.weigh(self, now)
        return self.end.send(frames)

    def _turn_pipe(self, mask: int, now: int) -> None:
        """Pass on what libzmq says, and to it what has waited."""
        if not self._is_open:
            return None
        if mask & _WRITE:
            self._pass()
        data = self._pipe.read(CHUNK) if mask & _READ else None
        if data:
            try:
                if self._said is not None:
                    self._said.read(data)
            except PeerError as error:
                return self.close(now, str(error))
            self._queued = max(0, self._queued - len(data))
            self._tcp.outgoing += data
        elif data is not None:
            self._finished = True
            if not self.parts:
                return self.work(now)
        return self._flush(now)

    def _flush(self, now: int) -> None:
        """Write to TCP as much as the system takes."""
        if self._connecting is None and not self._tcp.flush():
            return self._end_of_tcp()
        if self.parts and self._finished and not self._tcp.outgoing:
            self._tcp.shut()
        self.want()
        return self._exchange.weigh(self, now)

    # Input: bytes from TCP into the pipe, messages out of libzmq

    def _turn_tcp(self, mask: int, now: int) -> None:
        """Handle readiness to write or read. Data already read may have closed the connection."""
        if not self._is_open:
            return None
        if mask & _WRITE:
            if self._connecting is not None:
                if self._tcp.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                    return self.close(now)
                self._connecting()
                self._connecting = None
            self._flush(now)
        if mask & _READ and self._is_open and self not in self._exchange.busy:
            self._read(now)
        return None

    def _read(self, now: int) -> None:
        data = self._tcp.read(self._exchange.chunk)
        if data == b"":
            return self._end_of_tcp()
        if data is None:
            return None
        if self.parts:
            self._inside += len(data)
            return self.drop() if self._inside > MOST_UNSENT else None
        self._pay(len(data) // BYTES_FOR_A_FRAME, now)
        if self._inside + len(data) > MOST_INSIDE:
            self.work(now)  # what is whole comes out first
        if not self._is_open or self.parts:
            return None
        self._inside += len(data)
        try:
            self._pay(self._heads.read(data), now)  # a command never comes out
            if self._inside > MOST_INSIDE:
                raise PeerError("a message too long")
        except PeerError as error:
            return self.close(now, str(error))
        if self._heads.is_ready and not self.is_ready:
            self.is_ready, self._inside = True, 0
            self.owner.opened(self)
        self._pipe.outgoing += data
        self._pass()
        self._exchange.schedule(self, now, is_busy=self in self._exchange.busy)
        return self._exchange.weigh(self, now)

    def _end_of_tcp(self) -> None:
        """Let everything that the other end has sent come out of libzmq, then close: its TCP stream has ended."""
        if self.parts:
            return self.drop()
        self._ended = True
        return self._pass()

    def _pass(self) -> None:
        """Write to the pipe. If libzmq does not read any more, the pipe's end will be read."""
        self._pipe.flush()
        if self._ended and not self._pipe.outgoing:
            self._pipe.shut()
        self.want()

    def work(self, now: int) -> None:
        """Take messages out, up to the limit of one turn."""
        frames, message = 0, None
        try:
            while self._is_open and not self.parts and frames < FRAMES_A_TURN:
                if (message := self.end.receive()) is None:
                    break
                self.is_ready = True
                self._inside = 0
                frames += len(message)
                self.owner.came(self, message, now)
        except PeerError as error:
            return self.close(now, str(error))
        if not self._is_open or self.parts:
            return None
        self._pay(frames, now)
        if self._finished and message is None:
            return self.close(now, "" if self._ended else "not ZMTP as we speak it")
        self._exchange.schedule(self, now, is_busy=message is not None)
        return self._exchange.weigh(self, now)

    def _pay(self, price: int, now: int) -> None:
        """Charge work to the connection's budget; a stranger's debt goes to the budget that all strangers share."""
        self._account.pay(now, price)
        if self._is_stranger:
            self._account.borrow(self._exchange.common, now)

    def rest(self, now: int) -> int:
        """Return the milliseconds for which nothing should be read, because the budget is overdrawn."""
        self._pay(0, now)
        if self._account.rest(now) and self._is_stranger and self.owner.matters(self):
            self._is_stranger = False
            self._account = self._exchange.work.account(stranger=False)
        return min(self._account.rest(now), LONGEST_REST)

    # Selector and closing

    def want(self) -> None:
        """Update the selector: TCP is read only when the pipe has taken all that was read before."""
        if not self._is_open:
            return
        stops = self in self._exchange.resting
        blocked = self._connecting or self._ended or self._finished or self._pipe.outgoing or stops
        self._tcp.watch(reads=self.parts or (self.is_joined and not blocked), writes=self._connecting is not None)
        self._pipe.watch(reads=not self._finished and (self.parts or len(self._tcp.outgoing) < CHUNK))
        self._listen(not self.parts and not stops)

    def _listen(self, listens: bool) -> None:
        before, after = _READ * self._listens, _READ * listens
        _look(self._exchange.selector, self.end.signal, before, after, lambda _, now: self.work(now))
        self._listens = listens

    def close(self, now: int, fault: str = "") -> None:
        """Close the connection and tell its owner, unless we have ended it before."""
        if self._is_open:
            self.drop()
            if not self.parts:
                self.owner.closed(self, fault, now)

    def hang_up(self) -> None:
        """Close the connection without telling its owner. Messages that were sent before still go out."""
        self.part()
        self._exchange.leave(self)

    def part(self) -> None:
        """Send what is queued and nothing more, and wait until the other end closes: then it has read everything.

        A connection closed with unread input is reset, and the other end loses what it has not read yet.
        """
        if not self.is_ready or self._ended or self._finished:
            self.drop()
        elif not self.parts:
            self.parts = True
            self._listen(False)
            self.end.finish()
            self.want()

    def drop(self) -> None:
        """Close the connection. Read its input first: unread input would make the system discard our last bytes."""
        if not self._is_open:
            return
        self._is_open = False
        self._exchange.dismiss(self)
        self._listen(False)
        self._tcp.read(CHUNK)
        self._tcp.shut()
        self._tcp.close()
        self._pipe.close()
        self.end.close()


@dataclass(frozen=True, slots=True)
class Work:
    """How many frames connections may send: per second in the long run, and in a burst.

    If it `tells_apart` peers that matter, each stranger has a small budget and all strangers share a larger one.
    """

    each: Pace
    stranger: Pace
    strangers: Pace
    tells_apart: bool

    def account(self, *, stranger: bool) -> Bucket:
        return Bucket(self.stranger if stranger else self.each)


class Connections:
    """All connections of a node."""

    def __init__(self, selector: selectors.BaseSelector, work: Work, libzmq: Libzmq, most: int) -> None:
        """Keep at most `most` connections open."""
        self.selector = selector
        self.work = work
        self.common = Bucket(work.strangers)
        self.chunk = CHUNK
        self.held = 0
        self._libzmq = libzmq
        self.most = most
        self._connections: dict[Connection, None] = {}
        self.busy: dict[Connection, None] = {}  # they may have messages that have not been taken out
        self.resting: dict[Connection, int] = {}  # from these nothing is read until then
        self._leaving: dict[Connection, None] = {}
        self._asks = libzmq.signal
        if self._asks is not None:
            selector.register(self._asks, _READ, lambda *_: libzmq.answer())

    def begin(
        self,
        connected: socket.socket,
        owner: Owner,
        number: int,
        address: str,
        *,
        key: bytes | None = None,
        connecting: Callable[[], None] | None = None,
    ) -> Connection | None:
        """Begin with a connection that was accepted, or that we make to the owner of a key and that calls `connecting`.
        If there is no room for it, close it and return None.
        """
        try:
            if len(self._connections) >= self.most:
                raise OSError(errno.EMFILE, "too many connections")
            end = self._libzmq.end(key, calls=connecting is not None)
        except OSError:
            connected.close()
            return None
        made = Connection(self, connected, end, owner, number, address, connecting=connecting)
        self._connections[made] = None
        return made

    # Time

    @property
    def deadline(self) -> int | None:
        """The time of the next `wake`; 0 means at once."""
        return 0 if self.busy else min(self.resting.values(), default=None)

    def turn(self, ready: int) -> None:
        """Begin a turn with `ready` readable connections: they share the bytes that may be read."""
        self.chunk = max(LEAST_CHUNK, min(CHUNK, CHUNKS_TOGETHER // max(ready, 1)))

    def wake(self, now: int) -> None:
        """Continue with the connections that have rested or have more messages than one turn allows."""
        for connection in [one for one, until in self.resting.items() if now >= until]:
            del self.resting[connection]
            self.schedule(connection, now, is_busy=True)
            connection.want()
        for connection in list(self.busy):
            if connection in self.busy:
                connection.work(now)

    # Called by connections

    def dismiss(self, connection: Connection) -> None:
        for waiting in (self._connections, self.busy, self.resting, self._leaving):
            waiting.pop(connection, None)
        self.held -= connection.held
        connection.held = 0

    def leave(self, connection: Connection) -> None:
        """Keep a connection that we have ended until its last bytes are sent; drop the oldest if there are too many."""
        if connection in self._connections:
            self._leaving[connection] = None
        if len(self._leaving) > MOST_LEAVING:
            next(iter(self._leaving)).drop()

    def note(self, connection: Connection) -> None:
        """Look at a connection's messages soon."""
        if connection not in self.resting:
            self.busy[connection] = None

    def schedule(self, connection: Connection, now: int, *, is_busy: bool) -> None:
        """Decide whether a connection continues at once, rests, or waits for bytes."""
        self.busy.pop(connection, None)
        if rest := connection.rest(now):
            self.rest(connection, now + rest)
        elif is_busy:
            self.busy[connection] = None

    def rest(self, connection: Connection, until: int) -> None:
        """Read nothing from a connection until then."""
        self.busy.pop(connection, None)
        self.resting[connection] = until
        connection.want()

    def weigh(self, connection: Connection, now: int) -> None:
        """Update a connection's share of memory. If all together hold too much, close the one that holds most; a
        stranger's share counts eight times.
        """
        if connection in self._connections:
            self.held += connection.weight - connection.held
            connection.held = connection.weight
        while self.held > MOST_HELD:
            most = max(self._connections, key=lambda one: one.held * (1 if one.owner.matters(one) else 8))
            most.close(now, "too much in all")

    def part(self) -> bool:
        """Send nothing more. Return True while a peer has not closed its end yet."""
        for connection in list(self._connections):
            connection.part()
        return bool(self._connections)

    def close(self) -> None:
        """Close all without telling their owners."""
        for connection in list(self._connections):
            connection.drop()
        if self._asks is not None:
            self.selector.unregister(self._asks)
            self._asks = None
        self._libzmq.close()


def _look(
    selector: selectors.BaseSelector, at: socket.socket | int, before: int, after: int, turn: Callable[[int, int], None]
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
