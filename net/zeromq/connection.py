"""Connections by which ZMTP is spoken, accepted or called: I/O and limits.

A `Connection` joins a TCP socket and libzmq (libzmq.py), and lets in what its budget allows: what is inside comes out
of the one ROUTER, whosever it is. `Connections` holds all connections of a node, serves them in turn, and limits their
number and memory. Specification: docs/protocols/links.md, "Connections".
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
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.zeromq.libzmq import SEALING, Libzmq, Messenger, WireEnd
from quadrille.net.zeromq.zre import MOST_CONTENT_FRAMES

#: Maximum bytes read from a connection in one turn, one pipe full: a flood delays all others by the work for these.
CHUNK: Final = 1 << 14
#: Maximum frames of a connection that go into libzmq in one turn, for the same reason: an empty frame has two bytes.
FRAMES_A_TURN: Final = 64
#: Bytes that count as much work as one frame, chosen so that the largest frame pays for 64 more.
BYTES_FOR_A_FRAME: Final = 1024
#: Milliseconds after which a connection that overdrew its budget is tried again: other strangers may have left some
#: of the shared budget.
LONGEST_REST: Final = 250
#: Maximum bytes that go into libzmq before a whole message comes out: two full frames, and what fits into the pipe.
MOST_INSIDE: Final = 3 << 16
#: Maximum bytes that may wait for a peer that does not read, or come from one that we have ended; and that all
#: connections may hold, in each direction: 32 peers at that bound.
MOST_UNSENT: Final = 1 << 20
MOST_HELD: Final = 1 << 25
#: Maximum connections that we have ended and that still send their last bytes. No clock ends one: who does not read it
#: keeps the descriptors until others come after it.
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

    def __init__(
        self, selector: selectors.BaseSelector, connected: socket.socket, turn: Callable[[int, int], None]
    ) -> None:
        self._selector = selector
        self._turn = turn
        self.interest = 0  # _READ, _WRITE, or both
        self.socket = connected
        self.outgoing = b""

    def watch(self, interest: int) -> None:
        """Change what the selector waits for."""
        if not self.interest:
            self._selector.register(self.socket, interest, self._turn)
        elif interest:
            self._selector.modify(self.socket, interest, self._turn)
        else:
            self._selector.unregister(self.socket)
        self.interest = interest

    def flush(self) -> bool:
        """Write as much as the system takes. Return False if nobody reads it any more."""
        try:
            while self.outgoing:
                self.outgoing = self.outgoing[self.socket.send(self.outgoing) :]
        except BlockingIOError:
            pass
        except OSError:
            self.outgoing = b""
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
        if self.interest:
            self.watch(0)
        self.socket.close()


class _Heads:
    """The heads of the frames that pass on their way into libzmq, which would collect any number of them (RFC 23).

    In CURVE each frame looks like a message of its own, and is so long that its bytes are enough to count.
    """

    def __init__(self, *, is_sealed: bool = False) -> None:
        self._is_sealed = is_sealed  # they are ours, in CURVE
        self._opening = b""
        self._left = 64  # until the next head: the length of a greeting
        self._head = b""  # as much of it as has come
        self._frames = 0  # of the message that is under way
        self.is_ready = False  # the handshake is over, as far as it can be seen

    def read(self, data: bytes, most: int) -> tuple[int, int]:
        """Read what comes next, at most `most` frames. Return the bytes that were read and the frames that began in
        them. A PeerError says what ends the connection.
        """
        before, data = len(self._head), self._head + data
        at, end, begun = self._left, len(data), 0
        self._head = b""
        while at < end and begun < most:
            flags, size = data[at], 9 if data[at] & _LONG else 2
            if at + size > end:
                self._head, at = data[at:], end
                break
            content = int.from_bytes(data[at + 1 : at + 9], "big") if flags & _LONG else data[at + 1]
            at += size + content
            begun += 1
            if not flags & _COMMAND:  # a command may stand between two frames of a message
                self._frames = self._frames + 1 if flags & _MORE else 0
            if (content < LEAST_COMMAND and flags & _COMMAND) or (content == PONG_BYTES and self._is_sealed):
                raise PeerError("a command too short")
            if self._frames > MOST_CONTENT_FRAMES:
                raise PeerError("a message of too many frames")
        self._left, read = (at - end, end - before) if at > end else (0, at - before)
        if len(self._opening) < MOST_OPENING:
            self._opening += data[before:][: min(read, MOST_OPENING - len(self._opening))]
            first, tenth, version = self._opening[0], self._opening[9:10] or b"\1", self._opening[10:11]
            if first != 0xFF or not tenth[0] & 1 or version in (b"\0", b"\1", b"\2"):
                raise PeerError("no ZMTP 3")
            self.is_ready = self.is_ready or _READY in self._opening
        return read, begun

    def identity(self) -> bytes:
        """Read what the other end claims to be in its READY (RFC 23), in NULL."""
        rest = self._opening.partition(_READY)[2]
        while rest:
            name_ends = 1 + rest[0]
            ends = name_ends + 4 + int.from_bytes(rest[name_ends : name_ends + 4], "big")
            if rest[1:name_ends] == b"Identity":
                return rest[name_ends + 4 : ends]
            rest = rest[ends:]
        return b""


class Connection:
    """One end of a TCP connection, and the gate between it and libzmq.

    Bytes of the other end go through a pipe into libzmq, which makes messages of them; libzmq writes our messages into
    the pipe as bytes.
    """

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
        self._said = _Heads(is_sealed=True) if end.messenger.is_private else None  # what we say: a PONG is hidden there
        self.owner = owner
        self.number = number
        self.address = address
        self.held = 0
        self._unread = b""  # bytes of the other end that have not gone into libzmq
        self._inside = 0  # those that have, since its last whole message came out
        self._queued = 0  # bytes of ours that have not come out of the pipe
        self._is_open = True
        self.has_spoken = False  # a message of it has come out
        self.is_joined = False  # the pipe is there
        self._connecting = connecting
        self.error = 0  # of a call that could not be made
        self._ended = False  # TCP says nothing more
        self._finished = False  # libzmq says nothing more
        self.is_ready = False  # the other end speaks ZMTP
        self.parts = False
        self._is_stranger = exchange.rates.tells_apart
        self._account = Bucket(exchange.rates.stranger if self._is_stranger else exchange.rates.each)
        self.want()

    def weigh(self, now: int) -> None:
        """Report the bytes of memory that the connection takes, both ways together."""
        weight = len(self._unread) + self._inside + self._queued + len(self._tcp.outgoing)
        if weight != self.held and self._is_open:
            self._exchange.held += weight - self.held
            self.held = weight
            if self._exchange.held > MOST_HELD:
                self._exchange.lighten(now)

    def _turn_door(self, _: int, now: int) -> None:
        """Take the pipe: libzmq has called."""
        if not self._is_open:
            return None
        self._pipe.watch(0)
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
        self.weigh(now)
        sent = self.end.send(frames)
        self._exchange.schedule_read(self.end.messenger)
        return sent

    def _turn_pipe(self, mask: int, now: int) -> None:
        """Pass on what libzmq says, and to it what has waited."""
        if not self._is_open:
            return None
        if mask & _WRITE:
            self._pass(now)
        data = self._pipe.read(CHUNK) if mask & _READ else None
        if data:
            try:
                if self._said is not None:
                    self._said.read(data, len(data))
            except PeerError as error:
                return self.close(now, str(error))
            self._queued = max(0, self._queued - len(data))
            self._tcp.outgoing += data
        elif data is not None:
            self._finished = True
            self._exchange.take(self.end.messenger, now)  # all that was whole is there
            if not self.parts:
                return self.close(now, "" if self._ended else "not ZMTP as we speak it")
        return self._flush(now)

    def _flush(self, now: int) -> None:
        """Write to TCP as much as the system takes."""
        if self._connecting is None and not self._tcp.flush():
            return self._end_of_tcp(now)
        if self.parts and self._finished and not self._tcp.outgoing:
            self._tcp.shut()
        if self._finished or self._tcp.outgoing or self._tcp.interest != _READ:
            self.want()
        return self.weigh(now)

    # Input: bytes from TCP into the pipe, messages out of libzmq

    def _turn_tcp(self, mask: int, now: int) -> None:
        """Handle readiness to write or read. Data already read may have closed the connection."""
        if not self._is_open:
            return None
        if mask & _WRITE:
            if self._connecting is not None:
                if error := self._tcp.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                    self.error = error
                    return self.close(now)
                self._connecting()
                self._connecting = None
            self._flush(now)
        if mask & _READ and self._inside == MOST_INSIDE and not self.parts:
            self._exchange.take(self.end.messenger, now)  # what is whole comes out first
            if self._inside == MOST_INSIDE:
                return self.close(now, "a message too long")
        if not mask & _READ or self._unread or not self._is_open:
            return None
        data = self._tcp.read(min(CHUNK, (MOST_UNSENT if self.parts else MOST_INSIDE) - self._inside))
        if data == b"":
            return self._end_of_tcp(now)
        if data is None:
            return None
        if self.parts:
            self._inside += len(data)
            return self.drop() if self._inside == MOST_UNSENT else None
        self._unread = data
        return self.work(now)

    def _end_of_tcp(self, now: int) -> None:
        """Let everything that the other end has sent come out of libzmq, then close: its TCP stream has ended."""
        if self.parts:
            return self.drop()
        self._ended = True
        return self._pass(now)

    def work(self, now: int) -> None:
        """Let in what was read, up to the limit of one turn."""
        if not self._is_open or self.parts:
            return None
        if self._unread and not self._pipe.outgoing:
            try:
                size, frames = self._heads.read(self._unread, FRAMES_A_TURN)
            except PeerError as error:
                return self.close(now, str(error))
            self._inside += size
            if self._account.pay(now, frames + size // BYTES_FOR_A_FRAME) and (rest := self.rest(now)):
                self._exchange.rest(self, now + rest)
            self._pipe.outgoing, self._unread = self._unread[:size], self._unread[size:]
            if self._heads.is_ready and not self.is_ready:
                self.is_ready, self._inside = True, 0
                self.owner.opened(self)
        self._pass(now)
        return self.weigh(now)

    def _pass(self, now: int) -> None:
        """Write to the pipe. If libzmq does not read any more, the pipe's end will be read."""
        self._pipe.flush()
        if self._ended and not self._unread and not self._pipe.outgoing:
            self._pipe.shut()
        if self._unread and not self._pipe.outgoing:
            self._exchange.rest(self, 0)
        elif self._ended or self._pipe.outgoing or self._pipe.interest != _READ or self._tcp.interest != _READ:
            self.want()

    def came(self, frames: list[bytes], now: int) -> None:
        """Take a message that has come out."""
        if not self._is_open or self.parts:
            return None
        if len(frames) > 1 + MOST_CONTENT_FRAMES:
            return self.close(now, "a message of too many frames")
        self._inside, self.is_ready = 0, True
        if not self.has_spoken:
            self.has_spoken = True
            self.end.identity = self.end.identity or self._heads.identity()
        self.owner.came(self, frames, now)
        return self.weigh(now)

    def rest(self, now: int) -> int:
        """Return the milliseconds for which nothing should be read, because the budget is overdrawn. A stranger's debt
        goes to the budget that all strangers share.
        """
        if self._account.rest(now) and self._is_stranger:
            self._account.borrow(self._exchange.common, now)
            # It counts as a stranger until its first debt: who has proved itself by then gets an account of its own.
            if self._account.rest(now) and self.owner.matters(self):
                self._is_stranger = False
                self._account = Bucket(self._exchange.rates.each)
        return min(self._account.rest(now), LONGEST_REST)

    # Selector and closing

    def want(self) -> None:
        """Update the selector: TCP is read only when all that was read before has gone into the pipe. While both are
        read and no bytes wait nothing changes, so `_pass` and `_flush` do not ask then: each message comes by there.
        """
        if not self._is_open:
            return
        stops = self in self._exchange.resting
        blocked = self._connecting or self._ended or self._finished or self._pipe.outgoing or self._unread or stops
        reads_tcp = self.parts or (self.is_joined and not blocked)
        reads_pipe = not self._finished and (self.parts or len(self._tcp.outgoing) < CHUNK)
        tcp = _READ * reads_tcp | _WRITE * bool(self._tcp.outgoing or self._connecting)
        pipe = _READ * reads_pipe | _WRITE * bool(self._pipe.outgoing)
        if tcp != self._tcp.interest:
            self._tcp.watch(tcp)
        if pipe != self._pipe.interest:
            self._pipe.watch(pipe)

    def close(self, now: int, fault: str = "") -> None:
        """Close the connection and tell its owner, unless we have ended it before."""
        if self._is_open:
            self.drop()
            if not self.parts:
                self.owner.closed(self, fault, now)

    def part(self) -> None:
        """Send what is queued and nothing more, and wait until the other end closes: then it has read everything.

        A connection closed with unread input is reset, and the other end loses what it has not read yet.
        """
        if not self.is_ready or self._ended or self._finished:
            self.drop()
        elif not self.parts:
            self.parts, self._unread = True, b""
            self._exchange.finish(self.end)
            self.want()

    def drop(self) -> None:
        """Close the connection. Read its input first: unread input would make the system discard our last bytes."""
        if not self._is_open:
            return
        self._is_open = False
        self._exchange.dismiss(self)
        self._tcp.read(CHUNK)
        self._tcp.shut()
        self._tcp.close()
        if self._pipe.interest:
            self._pipe.watch(0)
        self._exchange.finish(self.end, drops=True)


@dataclass(frozen=True, slots=True)
class FrameRates:
    """How many frames connections may send: per second in the long run, and in a burst.

    If it `tells_apart` peers that matter, each stranger has a small budget and all strangers share a larger one.
    """

    each: Pace
    stranger: Pace
    strangers: Pace
    tells_apart: bool


class Connections:
    """All connections of a node."""

    def __init__(self, selector: selectors.BaseSelector, rates: FrameRates, libzmq: Libzmq, most: int) -> None:
        """Keep at most `most` connections open."""
        self.selector = selector
        self.rates = rates
        self.common = Bucket(rates.strangers)
        self.held = 0
        self._libzmq = libzmq
        self.most = most
        self._connections: dict[WireEnd, Connection] = {}
        self._ready: dict[Messenger, None] = {}  # they may have messages, and do not signal it
        #: From these nothing is read until then; 0: until what was read before has gone into libzmq, turn by turn.
        self.resting: dict[Connection, int] = {}
        self._leaving: dict[Connection, None] = {}
        self._hear(libzmq.router)
        if libzmq.asks is not None:
            selector.register(libzmq.asks, _READ, lambda *_: libzmq.answer())

    def begin(
        self,
        connected: socket.socket,
        owner: Owner,
        number: int,
        address: str,
        now: int,
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
            self._bury(now)
            end = self._libzmq.end(key, calls=connecting is not None)
        except OSError:
            connected.close()
            return None
        made = self._connections[end] = Connection(self, connected, end, owner, number, address, connecting=connecting)
        if end.messenger is not self._libzmq.router:
            self._hear(end.messenger)
        self.schedule_read(end.messenger)
        return made

    def _bury(self, now: int) -> None:
        """Leave the ends that libzmq has closed of its own accord. It goes on to name their sessions by their addresses
        in memory: to leave one later would end the new connection that has got its memory. So until a look finds none,
        what they said is taken out and they are left.
        """
        while hung_up := self._libzmq.router.hung_up():
            self.take(self._libzmq.router, now)
            for end in hung_up:
                end.finish(0)
            self.schedule_read(self._libzmq.router)

    # Messages

    def _hear(self, messenger: Messenger) -> None:
        self.selector.register(messenger.signal, _READ, lambda _, now: self.take(messenger, now))

    def take(self, messenger: Messenger, now: int) -> None:
        self._ready[messenger] = None  # until all are out, even if an owner fails
        for end, frames in messenger.messages():
            self._connections[end].came(frames, now)
        self._ready.pop(messenger, None)

    def schedule_read(self, messenger: Messenger) -> None:
        """Look for messages soon, if there are any: we have used the socket."""
        if messenger not in self._ready and messenger.settle():
            self._ready[messenger] = None

    def finish(self, end: WireEnd, *, drops: bool = False) -> None:
        """Send nothing more by an end; drop what was sent, or let it come out."""
        if end.messenger.ends and end.messenger is not self._libzmq.router:
            self.selector.unregister(end.messenger.signal)
        if drops:
            end.close()
        else:
            end.finish()
        self.schedule_read(end.messenger)

    # Time

    @property
    def deadline(self) -> int:
        """The time of the next `wake`; 0 means at once."""
        if self._ready:
            return 0
        return min(self.resting.values()) if self.resting else NO_DEADLINE

    def wake(self, now: int) -> None:
        """Continue with connections that have rested, or that have sent more than one turn lets in."""
        due = [resting for resting, until in self.resting.items() if now >= until] if self.resting else ()
        for connection in due:
            if self.resting.pop(connection, None) is None:
                continue  # the turn of another has closed it
            if rest := connection.rest(now):
                self.rest(connection, now + rest)
            else:
                connection.work(now)
        for messenger in [*self._ready]:
            self.take(messenger, now)

    # Called by connections

    def dismiss(self, connection: Connection) -> None:
        self._connections.pop(connection.end, None)
        self.resting.pop(connection, None)
        self._leaving.pop(connection, None)
        self.held -= connection.held
        connection.held = 0

    def leave(self, connection: Connection) -> None:
        """End a connection without telling its owner. All that was sent goes out, unless too many connections leave."""
        connection.part()
        if connection.end in self._connections:
            self._leaving[connection] = None
        if len(self._leaving) > MOST_LEAVING:
            next(iter(self._leaving)).drop()

    def rest(self, connection: Connection, until: int) -> None:
        """Read nothing from a connection until then, or until a later time that was said before."""
        self.resting[connection] = max(until, self.resting.pop(connection, 0))  # the last to have its turn again
        connection.want()

    def lighten(self, now: int) -> None:
        """Close those that hold most, because all together hold too much. A stranger's share counts eight times:
        strangers that hold little each go before a player on a slow line.
        """
        while self.held > MOST_HELD:
            most = max(
                self._connections.values(),
                key=lambda connection: connection.held * (1 if connection.owner.matters(connection) else 8),
            )
            most.close(now, "too much in all")

    def part(self) -> bool:
        """Send nothing more. Return True while a peer has not closed its end yet."""
        for connection in list(self._connections.values()):
            connection.part()
        return bool(self._connections)

    def close(self) -> None:
        for connection in list(self._connections.values()):
            connection.drop()
        self._libzmq.close()
