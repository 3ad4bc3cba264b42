"""TCP connections that speak ZMTP, accepted or called: how bytes get in and out, and what one of them may cost.

A `Connection` joins a socket and its `Wire` (zmtp.py). `Connections` has all of a node's, serves them in turn, and
bounds what they hold together. net/link/acceptor.py decides who may connect, and net/link/caller.py whom we call.
Specification: protocols.md, "Connections".
"""

import contextlib
import selectors
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from quadrille.net.core.budget import Account
from quadrille.net.core.errors import PeerError
from quadrille.net.zeromq.zmtp import Wire

#: Bytes that are read from a connection in one turn; fewer where many have something to say, as many as that together.
CHUNK: Final = 1 << 16
CHUNKS_TOGETHER: Final = 1 << 20
LEAST_CHUNK: Final = 1 << 12
#: Frames of a connection in one turn.
FRAMES_A_TURN: Final = 64
#: Bytes of work that cost as much as a frame.
BYTES_FOR_A_FRAME: Final = 1024
#: Milliseconds until a connection that has cost too much is looked at again: others may have left something for it.
LONGEST_REST: Final = 250
#: Bytes that may wait for one peer that does not read, and that all connections together may hold, either way.
MOST_UNSENT: Final = 1 << 20
MOST_HELD: Final = 1 << 25
#: Bytes that the system keeps of what was not read yet.
RECEIVE_BUFFER: Final = 1 << 18

#: What notices a cable that is cut: seconds until the first look and between looks, and their number; milliseconds that
#: bytes may stay unconfirmed.
_LOOKS: Final = (("TCP_KEEPIDLE", 1), ("TCP_KEEPALIVE", 1), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 3))
_UNCONFIRMED: Final = 4000


class Owner(Protocol):
    """The part that a connection belongs to, and that hears of it."""

    def opened(self, connection: "Connection") -> None:
        """The handshake is over."""

    def came(self, connection: "Connection", frames: list[bytes], now: int) -> None:
        """A message has come."""

    def matters(self, connection: "Connection") -> bool:
        """Whether somebody speaks by it who may say more than strangers."""

    def closed(self, connection: "Connection", fault: str, now: int) -> None:
        """The connection is gone; `fault` is what the other end did wrong, if that is why."""


class Connection:
    """One end of a TCP connection."""

    __slots__ = (
        "_account", "_connecting", "_exchange", "_interest", "_is_open", "_is_stranger", "_socket", "_was_ready",
        "address", "began_at", "heard_at", "held", "number", "owner", "parts", "wire",
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
        """`number` says to its owner which one it is. One that is still `connecting` calls that once it stands."""
        self._exchange = exchange
        self._socket = connected
        self.wire = wire
        self.owner = owner
        self.number = number
        self.address = address
        self.began_at = now
        self.heard_at: int | None = None  # when its last message was whole
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

    # Out

    def send(self, frames: Sequence[bytes], now: int) -> bool:
        """Send a message; False if too much waits already, because the other end does not read."""
        if self.wire.unsent + sum(map(len, frames)) > MOST_UNSENT:
            return False
        if self._is_open:
            self.wire.send(frames)
            self._flush(now)
        return True

    def _flush(self, now: int) -> None:
        """Give the system what it takes."""
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

    # In

    def turn(self, mask: int, now: int) -> None:
        """The selector has found that it can be written or read; what was read before may have ended it."""
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
        """Look at what has come, as far as is good for one turn."""
        before = self.wire.parsed
        fault = ""
        try:
            for message in self.wire.messages(FRAMES_A_TURN):
                self.heard_at = now
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
        """Take the price of some work from what it may cost; strangers go on with what they have in common."""
        self._account.pay(price, now)
        if self._is_stranger:
            self._account.borrow(self._exchange.common, now)

    def rest(self, now: int) -> int:
        """The milliseconds for which nothing should be read, because it has cost too much."""
        self._pay(0, now)
        if self._account.rest() and self._is_stranger and self.owner.matters(self):
            self._is_stranger = False
            self._account = self._exchange.work.account(now, stranger=False)
        return min(self._account.rest(), LONGEST_REST)

    # Interest and end

    def _want(self) -> None:
        """Tell the selector what to look for: whether there is room to write is asked only while something waits."""
        interest = 0 if self._connecting or self._exchange.rests(self) else selectors.EVENT_READ
        if self._connecting or self.wire.outgoing:
            interest |= selectors.EVENT_WRITE
        if interest != self._interest and self._is_open:
            self._exchange.look(self._socket, self._interest, interest, self.turn)
            self._interest = interest

    def wake(self) -> None:
        """It has rested, or has to rest."""
        self._want()

    def close(self, now: int, fault: str = "") -> None:
        """End it, and tell its owner."""
        if self._is_open:
            self.hang_up()
            self.owner.closed(self, fault, now)

    def part(self) -> None:
        """Say nothing more, and wait for the other end to close: then it has read all that was sent.

        A connection that is closed before it has been read to its end is reset, and takes along what the other end has
        not read yet.
        """
        if not self.wire.is_ready:
            return self.hang_up()
        self.parts = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        return None

    def hang_up(self) -> None:
        """End it without a word to its owner. Its last bytes are read, because they would cut off ours otherwise."""
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
    """How many frames connections may send: a second in the long run, and at once.

    Where it `tells_apart` the peers that matter, each stranger has a little, and all strangers share more.
    """

    each: tuple[int, int]
    stranger: tuple[int, int]
    strangers: tuple[int, int]
    tells_apart: bool

    def account(self, now: int, *, stranger: bool) -> Account:
        """That of a connection."""
        return Account(*(self.stranger if stranger else self.each), now)


class Connections:
    """All connections of a node."""

    def __init__(self, selector: selectors.BaseSelector, work: Work) -> None:
        self.work = work
        self.common = Account(*work.strangers, 0)
        self.chunk = CHUNK
        self.held = 0
        self._selector = selector
        self._connections: dict[Connection, None] = {}
        self._busy: dict[Connection, None] = {}
        self._resting: dict[Connection, int] = {}

    # Time

    @property
    def deadline(self) -> int | None:
        """When `wake` is to be called next; 0 is at once."""
        return 0 if self._busy else min(self._resting.values(), default=None)

    def turn(self, ready: int, now: int) -> None:
        """Before those that are ready are read: so many are."""
        self.chunk = max(LEAST_CHUNK, min(CHUNK, CHUNKS_TOGETHER // max(ready, 1)))

    def wake(self, now: int) -> None:
        """Go on with those that have rested, and with those that said more than one turn could take."""
        for connection in [one for one, until in self._resting.items() if now >= until]:
            del self._resting[connection]
            self.schedule(connection, now)
            connection.wake()
        for connection in list(self._busy):
            if connection in self._busy:
                connection.work(now)

    # What connections ask for

    def admit(self, connection: Connection) -> None:
        """One more."""
        self._connections[connection] = None

    def dismiss(self, connection: Connection) -> None:
        """One less."""
        self._connections.pop(connection, None)
        self._busy.pop(connection, None)
        self._resting.pop(connection, None)
        self.held -= connection.held
        connection.held = 0

    def rests(self, connection: Connection) -> bool:
        """Whether nothing is read from it for a while."""
        return connection in self._resting

    def schedule(self, connection: Connection, now: int) -> None:
        """Decide whether it goes on at once, rests, or waits for bytes."""
        self._busy.pop(connection, None)
        if rest := connection.rest(now):
            self._resting[connection] = now + rest
            connection.wake()
        elif connection.wire.is_busy:
            self._busy[connection] = None

    def weigh(self, connection: Connection, now: int) -> None:
        """What it holds has changed. Where all hold too much, the one that holds most goes."""
        held = connection.wire.held + connection.wire.unsent
        self.held += held - connection.held
        connection.held = held
        while self.held > MOST_HELD:
            max(self._connections, key=lambda one: one.held).close(now, "too much in all")

    def look(self, at: socket.socket, before: int, after: int, turn: Callable[[int, int], None]) -> None:
        """Change what the selector looks for."""
        if not before:
            if after:
                self._selector.register(at, after, turn)
        elif after:
            self._selector.modify(at, after, turn)
        else:
            self._selector.unregister(at)

    @property
    def unsent(self) -> bool:
        """Whether something waits to be sent to somebody whose handshake is over."""
        return any(one.wire.outgoing and one.wire.is_ready for one in self._connections)

    def part(self) -> bool:
        """Say nothing more to anybody; whether somebody has not closed its end yet."""
        for connection in list(self._connections):
            if not connection.parts:
                connection.part()
        return bool(self._connections)

    def close(self) -> None:
        """End all, without a word to anybody."""
        for connection in list(self._connections):
            connection.hang_up()


def prepare(connected: socket.socket) -> None:
    """Options of every connection: no delays, and the system itself notices that the other machine is gone."""
    connected.setblocking(False)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _LOOKS:
        if hasattr(socket, name):
            with contextlib.suppress(OSError):  # some systems know its name only
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        with contextlib.suppress(OSError):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNCONFIRMED)
