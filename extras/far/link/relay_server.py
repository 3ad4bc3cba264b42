"""The sockets of a relay: listening, reading and writing for extras/far/relay/exchange.py, which decides.

One thread calls `turn` again and again, or hands its own selector over. Nothing is written to disk. Specification:
extras/far/docs/relay.md, "Relays".
"""

import contextlib
import errno
import selectors
import socket
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Final, Self

from quadrille.extras.far.relay.exchange import Close, PassOn, RelayExchange, RelayLimits
from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import crowd_of
from quadrille.net.core.machine import drain
from quadrille.net.link.file_limit import raise_file_limit
from quadrille.net.trust.guard import ExceptionGuard
from quadrille.net.zeromq.sockets import look, probe

BACKLOG: Final = 256
ACCEPTS_A_TURN: Final = 64
#: Bytes read from a connection in one turn.
CHUNK: Final = 1 << 14
#: Milliseconds between two looks at unsent bytes and at pauses.
SWEEP_EVERY: Final = 250
#: Milliseconds that a closing connection has to take its last bytes, and a whole relay.
LAST_WORDS: Final = 1000
LAST_LOOK: Final = 200
#: Maximum refused connections that still hear why; more are closed without a word.
MOST_REFUSED: Final = 64
#: Longest pause in reading from a connection over its limits, in milliseconds; then it is asked again.
LONGEST_REST: Final = 1000
#: Seconds of idleness before a probe, between probes, and their number; milliseconds for sent bytes to be confirmed.
_LOOKS: Final = (("TCP_KEEPIDLE", 10), ("TCP_KEEPALIVE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 4))
_UNCONFIRMED: Final = 20_000


class _Line:
    """One connection."""

    __slots__ = ("closes_at", "number", "rests_until", "socket", "unsent", "watched")

    def __init__(self, number: int, connected: socket.socket) -> None:
        self.number = number
        self.socket = connected
        self.unsent = bytearray()
        self.rests_until = 0
        self.closes_at: int | None = None
        self.watched = 0


class RelayServer:
    """A relay on its sockets."""

    def __init__(
        self,
        port: int,
        *,
        limits: RelayLimits | None = None,
        only: bytes | None = None,
    ) -> None:
        """Port 0 means any. With `only` it serves the meeting of that number and no other."""
        self._exchange = RelayExchange(limits, only)
        self._port = port
        self._own = selectors.DefaultSelector()
        self._selector: selectors.BaseSelector = self._own
        self._listeners: list[socket.socket] = []
        self._lines: dict[int, _Line] = {}
        self._dirty: dict[int, _Line] = {}
        self._refused: dict[int, None] = {}  # those that hear why, and are closed
        self._behind: dict[int, _Line] = {}  # those that have not taken all yet
        self._numbers = 0
        self._sweep_due = 0
        self._deaf = False
        self._alarm, self._bell = socket.socketpair()

    @property
    def _is_alone(self) -> bool:
        """Whether `turn` is its loop."""
        return self._selector is self._own

    @property
    def port(self) -> int:
        return self._port

    @property
    def exchange(self) -> RelayExchange:
        return self._exchange

    def start(self, selector: selectors.BaseSelector | None = None) -> Self:
        """Listen, by IPv6 too where the system has it; a LocalError explains a failure. On the selector of another
        loop, that loop calls what it finds there, and `wake`.
        """
        if selector is not None:
            self._own.close()
            self._selector = selector
        raise_file_limit(self._exchange.limits.connections + 64)
        try:
            self._listen(socket.AF_INET, "")
        except OSError as error:
            self.close()
            raise LocalError(_refusal(self._port, error)) from None
        with contextlib.suppress(OSError):  # a machine without IPv6
            self._listen(socket.AF_INET6, "::")
        for listener in self._listeners:
            self._selector.register(listener, selectors.EVENT_READ, self._acceptor(listener))
        if self._is_alone:
            self._alarm.setblocking(False)
            self._bell.setblocking(False)
            self._own.register(self._alarm, selectors.EVENT_READ, self._hear_alarm)
        self._sweep_due = _now() + SWEEP_EVERY
        return self

    def wake_up(self) -> None:
        """Make `turn` return at once. For signals and other threads."""
        with contextlib.suppress(OSError):  # full: `turn` returns anyway; closed: nobody waits
            self._bell.send(b"!")

    def _hear_alarm(self, _: int, __: int) -> None:
        with contextlib.suppress(BlockingIOError):
            self._alarm.recv(4096)

    def _listen(self, family: socket.AddressFamily, host: str) -> None:
        with contextlib.ExitStack() as unless_bound:
            listener = unless_bound.enter_context(socket.socket(family, socket.SOCK_STREAM))
            if sys.platform != "win32":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind((host, self._port))
            listener.listen(BACKLOG)
            listener.setblocking(False)
            unless_bound.pop_all()
        self._port = listener.getsockname()[1]
        self._listeners.append(listener)

    def close(self) -> None:
        """Tell everybody, and close everything."""
        for listener in self._listeners:
            if not self._deaf:
                self._selector.unregister(listener)
            listener.close()
        self._listeners.clear()
        self._exchange.ends()
        end = _now() + LAST_LOOK
        self._perform(_now())
        while self._is_alone and self._lines and (now := _now()) < end:
            for key, mask in self._own.select((end - now) / 1000):
                key.data(mask, now)
            self._perform(_now())
        for line in list(self._lines.values()):
            self._drop(line)
        self._own.close()
        self._alarm.close()
        self._bell.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # The loop

    def turn(self, timeout: int) -> None:
        """Work for at most `timeout` milliseconds, or until something has come."""
        now = _now()
        wait = min(now + timeout, self.deadline) - now
        found = self._own.select(max(0, wait) / 1000)
        now = _now()
        for key, mask in found:
            key.data(mask, now)
        self.wake(now)

    @property
    def deadline(self) -> int:
        """When to call `wake` next."""
        return min(self._sweep_due, self._exchange.deadline)

    def wake(self, now: int) -> None:
        """Do what is due, and send what waits."""
        self._exchange.wake(now)
        if now >= self._sweep_due:
            self._sweep_due = now + SWEEP_EVERY
            self._sweep(now)
        self._perform(now)

    def _sweep(self, now: int) -> None:
        if self._deaf:
            self._deaf = False
            for listener in self._listeners:
                self._selector.register(listener, selectors.EVENT_READ, self._acceptor(listener))
        for line in list(self._lines.values()):
            if line.closes_at is not None and now >= line.closes_at:
                self._drop(line)
            elif line.rests_until and now >= line.rests_until:
                line.rests_until = 0
                self._watch(line)

    def _perform(self, now: int) -> None:
        """Queue what the machine wants sent, then write each connection once."""
        for action in drain(self._exchange.outgoing):
            if (line := self._lines.get(action.connection)) is None:
                continue
            match action:
                case PassOn(_, data) if line.closes_at is None:
                    line.unsent += data
                    self._dirty[line.number] = line
                case Close():
                    line.closes_at = now + LAST_WORDS
                    self._dirty[line.number] = line
        dirty, self._dirty = self._dirty, {}
        for line in dirty.values():
            self._flush(line)
        self._bound()
        if self._exchange.outgoing:  # connections that broke while they were written
            self._perform(now)

    def _bound(self) -> None:
        """Close connections that do not read."""
        limits, waiting = self._exchange.limits, list(self._behind.values())
        for line in waiting:
            if len(line.unsent) > limits.unsent:
                self._break(line, "does not read")
        while sum(len(line.unsent) for line in waiting) > limits.unsent_in_all:
            largest = max(waiting, key=lambda line: len(line.unsent))
            waiting.remove(largest)
            self._break(largest, "too much in all")

    # Connections

    def _acceptor(self, listener: socket.socket) -> Callable[[int, int], None]:
        def accept(_: int, now: int) -> None:
            for _ in range(ACCEPTS_A_TURN):
                try:
                    accepted, address = listener.accept()
                except (BlockingIOError, ConnectionError):
                    break
                except OSError as error:
                    if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                        self._pause()
                    break
                self._accepted(accepted, crowd_of(str(address[0])), now)

        return accept

    def _pause(self) -> None:
        """The system has no room for another connection: listen again after the next sweep."""
        self._exchange.counts["no room in the system"] += 1
        self._deaf = True
        for listener in self._listeners:
            self._selector.unregister(listener)

    def _accepted(self, accepted: socket.socket, address: str, now: int) -> None:
        accepted.setblocking(False)
        with contextlib.suppress(OSError):
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        keep_alive(accepted)
        self._numbers += 1
        line = _Line(self._numbers, accepted)
        if not self._exchange.connected(self._numbers, address, now):
            if len(self._refused) >= MOST_REFUSED:
                self._exchange.outgoing.pop()  # the refusal, which nobody hears
                accepted.close()
                return
            # Its ENTER is on the way. A connection that is closed with unread bytes may lose the refusal.
            self._refused[line.number] = None
            self._exchange.outgoing.append(Close(line.number))
        self._lines[line.number] = line
        self._watch(line)

    def _watch(self, line: _Line) -> None:
        wanted = 0 if line.rests_until else selectors.EVENT_READ
        self._behind.pop(line.number, None)
        if line.unsent:
            wanted |= selectors.EVENT_WRITE
            self._behind[line.number] = line
        look(self._selector, line.socket, line.watched, wanted, partial(self._ready, line))
        line.watched = wanted

    def _ready(self, line: _Line, mask: int, now: int) -> None:
        if line.number not in self._lines:
            return
        with ExceptionGuard(lambda _: self._break(line, "a fault of this program")):
            if mask & selectors.EVENT_WRITE:
                self._flush(line)
            if mask & selectors.EVENT_READ and line.number in self._lines:
                self._read(line, now)

    def _read(self, line: _Line, now: int) -> None:
        try:
            data = line.socket.recv(CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            return self._drop(line)
        if line.closes_at is None and (rest := self._exchange.read(line.number, data, now)):
            line.rests_until = now + min(rest, LONGEST_REST)
            self._watch(line)
        return None

    def _flush(self, line: _Line) -> None:
        if line.number not in self._lines:
            return None
        try:
            while line.unsent:
                del line.unsent[: line.socket.send(line.unsent)]
        except BlockingIOError:
            pass
        except OSError:
            return self._drop(line)
        if line.closes_at is not None and not line.unsent:
            with contextlib.suppress(OSError):
                line.socket.shutdown(socket.SHUT_WR)
        return self._watch(line)

    def _break(self, line: _Line, why: str) -> None:
        self._exchange.counts[why] += 1
        self._drop(line)

    def _drop(self, line: _Line) -> None:
        look(self._selector, line.socket, line.watched, 0, partial(self._ready, line))
        line.watched = 0
        self._lines.pop(line.number, None)
        self._behind.pop(line.number, None)
        self._refused.pop(line.number, None)
        line.socket.close()
        self._exchange.closed(line.number)


def keep_alive(connected: socket.socket) -> None:
    """Let the system notice a machine that is gone, with the patience of a link across the world."""
    with contextlib.suppress(OSError):
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    probe(connected, _LOOKS, _UNCONFIRMED)


def _refusal(port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"TCP port {port} is taken by another program: choose another port"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"this system does not let us listen at TCP port {port}: choose a port from 1024 up"
    return f"nobody can reach a relay at TCP port {port}: {error.strerror}"


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
