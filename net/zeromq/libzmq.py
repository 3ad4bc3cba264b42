"""libzmq, which speaks ZMTP for us: greeting, NULL or CURVE, frames.

One ROUTER has all accepted connections, and each call has a DEALER of its own (RFC 36). libzmq sees pipes instead of
TCP, so that connection.py counts what each peer costs. The ROUTER *calls* each pipe under a number of ours: messages
come and go by it, whatever identity a peer claims, and two connections of one identity never meet. libzmq's heartbeats
stay off: in 4.3 they end the program when they meet a connection that is ending.
Specification: docs/protocols/links.md, "Connections".
"""

import contextlib
import os
import secrets
import select
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from tempfile import TemporaryDirectory
from typing import Final

import zmq

from quadrille.net.core.home import temporary_folder
from quadrille.net.zeromq.zre import MOST_FRAME_BYTES

#: Descriptors of a connection: TCP and both ends of the pipe. A call takes one more, or two where there is no eventfd,
#: for libzmq's signal; but no more than half of all connections are calls.
DESCRIPTORS: Final = 4
#: Buffer of the pipe into libzmq, in bytes; the system doubles it. With TCP the other end has half as much.
PIPE_BUFFER: Final = 1 << 14
#: Bytes that a frame of CURVE has more than its content: "MESSAGE", a nonce, a box, its flags.
SEALING: Final = 33
#: Maximum messages of a connection that wait in libzmq: for a peer that does not read, whose bytes connection.py
#: counts; and for us, where nobody counts them (a thousand empty frames take half a MiB).
MOST_WAITING: Final = 1 << 13
MOST_UNREAD: Final = 1 << 6
#: Maximum sockets of libzmq, with those that it has not yet cleared away.
_MOST_SOCKETS = 8192
#: Milliseconds that libzmq has to hand over what was sent, once we finish.
_LINGER = 1000
#: Milliseconds until libzmq would look for a pipe again that has ended: never. Until we leave it, its messages can be
#: taken out. With -1, "do not look", libzmq would drop them.
_NEVER = 1 << 30
#: Only Linux has sockets of Unix without a file, and Python on Windows has none at all.
_IS_ABSTRACT = sys.platform == "linux"
_HAS_UNIX = hasattr(socket, "AF_UNIX")
#: Plain numbers: to join flags of pyzmq makes an object each time.
_POLLIN, _NOBLOCK, _MORE = int(zmq.POLLIN), int(zmq.NOBLOCK), int(zmq.NOBLOCK | zmq.SNDMORE)
#: Tells which of many pipes are hung up, on Linux without a look at all the others; nothing does on Windows.
_POLL, _HUNG_UP = getattr(select, "epoll", getattr(select, "poll", None)), getattr(select, "POLLRDHUP", 0)
_FOLDER = "quadrille-pipes-"
_HANDLER = "inproc://zeromq.zap.01"


class Messenger:
    """A socket of libzmq: the ROUTER of all accepted connections, or the DEALER of a call."""

    def __init__(self, made: "zmq.Socket[bytes]", *, is_private: bool) -> None:
        self.socket = made
        self.is_private = is_private
        self._has_many = made.type == zmq.ROUTER
        self.signal = int(made.get(zmq.FD))  # readable when a message may have come
        self.ends: dict[bytes, WireEnd] = {}
        self._asked = [(made, _POLLIN)]
        self._taken: deque[tuple[bytes, zmq.Frame, list[bytes]]] = deque()
        # one for all pipes: to name each one anew made the hundredth connection twice as dear to open as the first
        self.pipes = _POLL() if _POLL is not None and self._has_many else None

    def settle(self) -> bool:
        """Take out a message, if one has come; return True if there is one now. Do so after each use of the socket,
        because the signal comes once only and any use can take it; and before a pipe is left. To be asked for a message
        makes libzmq take the first part of one out of its pipe: if that pipe is left then, libzmq waits for the other
        parts for ever, or ends the program.
        """
        if not self.socket.closed and zmq.zmq_poll(self._asked, 0):  # EVENTS say the same, and take longer in pyzmq
            receive = self.socket.recv
            number = receive() if self._has_many else b""
            part = first = receive(copy=False)
            frames = [part.bytes]
            while part.more:
                part = receive(copy=False)
                frames.append(part.bytes)
            self._taken.append((number, first, frames))
        return bool(self._taken)

    def messages(self) -> "Iterator[tuple[WireEnd, list[bytes]]]":
        """Take out all messages, each with the end that it came by. Drop those of an end that we have left."""
        while self._taken or self.settle():
            number, first, frames = self._taken.popleft()
            if (end := self.ends.get(number)) is not None:
                if self._has_many and self.is_private and end.key is None:
                    end.prove(first)
                yield end, frames

    def hung_up(self) -> "list[WireEnd]":
        """Return the ends whose pipe libzmq has closed, and which were not left."""
        hung_up = {descriptor for descriptor, _ in self.pipes.poll(0)} if self.pipes is not None else ()
        return [end for end in self.ends.values() if end.pipe.fileno() in hung_up] if hung_up else []


class WireEnd:
    """Our end of one connection: the pipe by which its bytes come and go, and the messenger of its messages."""

    def __init__(self, messenger: Messenger, number: bytes, door: tuple[socket.socket, str, int]) -> None:
        """Let the messenger call a new pipe at a door: a ROUTER under this number, a DEALER under none."""
        self.messenger = messenger
        self._number = number
        self.pipe, self._place, self._whence = door  # the pipe itself after `join`
        if number:
            messenger.socket.set(zmq.CONNECT_ROUTING_ID, number)
        messenger.socket.connect(self._place)
        messenger.ends[number] = self
        self._descriptor = -1  # of the pipe
        self.identity = b""  # what the other end of an accepted connection claims
        self.key: bytes | None = None  # what it has proved

    def join(self) -> bool:
        """Take the call that makes the pipe readable. Return False if another program called. An OSError says that no
        descriptor is left.
        """
        try:
            pipe, _ = self.pipe.accept()
        except (BlockingIOError, ConnectionError):
            return False
        if not _is_own(pipe, self._whence):
            pipe.close()
            return False
        _shut(self.pipe, self._place)
        self.pipe = pipe
        pipe.setblocking(False)
        pipe.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, PIPE_BUFFER)
        if self._whence:
            pipe.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._descriptor = pipe.fileno()
        if self.messenger.pipes is not None:
            self.messenger.pipes.register(pipe, _HUNG_UP)
        return True

    def prove(self, first: zmq.Frame) -> None:
        """Note whose key an accepted connection of a private room has proved, and the identity that goes with it."""
        self.key = bytes.fromhex(str(first.get("User-Id")))
        with contextlib.suppress(ValueError, zmq.ZMQError):  # it has none, or it is no hexadecimal digits
            self.identity = bytes.fromhex(str(first.get("Identity")))

    def send(self, frames: Sequence[bytes]) -> bool:
        """Send a message as soon as the handshake is over. Return False if too many wait."""
        try:
            send = self.messenger.socket.send
            if self._number:
                send(self._number, _MORE)
            for frame in frames[:-1]:
                send(frame, _MORE)
            send(frames[-1], _NOBLOCK)
        except zmq.ZMQError:
            return False
        return True

    def finish(self, linger: int = _LINGER) -> None:
        """Send and receive nothing more; the pipe ends when all that was sent has come out of it."""
        if self.messenger.ends.pop(self._number, None) is None:
            return
        if self.messenger.pipes is not None and self._descriptor >= 0:
            self.messenger.pipes.unregister(self._descriptor)
        self.messenger.socket.set(zmq.LINGER, linger)
        if self._number:
            self.messenger.settle()
            self.messenger.socket.disconnect(self._place)
        else:
            self.messenger.socket.close()

    def close(self) -> None:
        """Drop everything."""
        self.finish(0)
        _shut(self.pipe, self._place)


class Libzmq:
    """libzmq in one node, and its question who may come into a private room."""

    def __init__(self, identity: bytes, keys: tuple[bytes, bytes] | None, allows: Callable[[bytes], bool]) -> None:
        """Let DEALERs claim `identity`. With `keys`, public and secret, this is a private room for the owners of keys
        that `allows(key)`.
        """
        self._identity = identity
        self._keys = keys
        self._allows = allows
        self._doors = _Doors()
        self._numbers = count(1)  # never used again: libzmq ends the program where two pipes have one
        self._context = zmq.Context()
        self._context.max_sockets = _MOST_SOCKETS
        self._asked = self._context.socket(zmq.REP) if keys else None
        if self._asked:
            self._asked.bind(_HANDLER)
        self.asks = int(self._asked.get(zmq.FD)) if self._asked else None  # readable when `answer` is to be called
        #: Of all accepted connections.
        self.router = self._messenger(None, calls=False)

    def answer(self) -> None:
        """Say who may come in: ZAP (RFC 27)."""
        while self._asked and int(self._asked.get(zmq.EVENTS)) & zmq.POLLIN:
            version, request, _, _, _, mechanism, *credentials = self._asked.recv_multipart()
            allowed = mechanism == b"CURVE" and self._allows(credentials[0])
            verdict = (b"200", b"", credentials[0].hex().encode()) if allowed else (b"400", b"not welcome", b"")
            self._asked.send_multipart([version, request, *verdict, b""])

    def _messenger(self, key: bytes | None, *, calls: bool) -> Messenger:
        made = self._context.socket(zmq.DEALER if calls else zmq.ROUTER)
        made.linger, made.reconnect_ivl = 0, _NEVER
        made.sndhwm, made.rcvhwm = MOST_WAITING, MOST_UNREAD
        made.rcvbuf = PIPE_BUFFER >> 1
        is_private = self._keys is not None and (key is not None or not calls)
        made.maxmsgsize = MOST_FRAME_BYTES + (SEALING if is_private else 0)
        if calls:  # in CURVE libzmq tells the other end what we claim only as text
            made.routing_id = self._identity.hex().encode() if is_private else self._identity
        else:
            made.router_mandatory = True  # what can't be sent is not forgotten
        if is_private and self._keys:
            made.curve_publickey, made.curve_secretkey = self._keys
            if calls:
                made.curve_serverkey = key
            else:
                made.curve_server, made.zap_domain = True, b"room"
        return Messenger(made, is_private=is_private)

    def end(self, key: bytes | None, *, calls: bool) -> WireEnd:
        """Open our end of a connection that was accepted, or that calls the owner of this key. An OSError says that the
        system has no room for it.
        """
        door, messenger = self._doors.open(number := next(self._numbers)), self.router
        try:
            if calls:
                messenger = self._messenger(key, calls=True)
            return WireEnd(messenger, b"" if calls else b"%d" % number, door)
        except zmq.ZMQError as error:
            _shut(*door[:2])
            if messenger is not self.router:
                messenger.socket.close(0)
            raise OSError(error.errno, error.strerror) from None

    def close(self) -> None:
        self._context.destroy(linger=0)
        self._doors.close()


class _Doors:
    """Where libzmq finds a pipe. It calls, because the accept() of its `ipc` ends the program where descriptors run
    out; without any it does not call at all. Each pipe has a door of its own, and the door is gone when it is joined.
    """

    def __init__(self) -> None:
        self._name = f"quadrille-{secrets.token_hex(8)}"
        self._folder: TemporaryDirectory[str] | None = None

    def open(self, number: int) -> tuple[socket.socket, str, int]:
        """Open a socket that waits for libzmq's call. Return with it the place to call, and the port from which libzmq
        calls if it calls by TCP.
        """
        with contextlib.suppress(OSError):  # no folder, no room in it, or its path is too long
            if _HAS_UNIX:
                return *self._open_unix(number), 0
        with socket.create_server(("127.0.0.1", 0)) as unused:
            whence = int(unused.getsockname()[1])  # other programs of this machine call from other ports
        door = socket.create_server(("127.0.0.1", 0), backlog=8)
        door.setblocking(False)
        return door, f"tcp://127.0.0.1:{whence};127.0.0.1:{door.getsockname()[1]}", whence

    def _open_unix(self, number: int) -> tuple[socket.socket, str]:
        if not _IS_ABSTRACT:
            self._folder = self._folder or temporary_folder(_FOLDER)
        place = f"{self._folder.name}/{number}" if self._folder is not None else f"@{self._name}-{number}"
        door = socket.socket(socket.AF_UNIX)
        try:
            door.bind(f"\0{place[1:]}" if _IS_ABSTRACT else place)
        except OSError:
            door.close()
            raise
        door.listen(8)
        door.setblocking(False)
        return door, f"ipc://{place}"

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def _shut(pipe: socket.socket, place: str) -> None:
    """Close a pipe, or a door, and leave no file of it."""
    pipe.close()
    if place.startswith("ipc:///"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place.removeprefix("ipc://"))


def _is_own(pipe: socket.socket, whence: int) -> bool:
    """Return True if this very program has called. By TCP everybody on the machine can, on Linux by Unix too."""
    if whence or not hasattr(socket, "SO_PEERCRED"):
        return not whence or bool(pipe.getpeername()[1] == whence)
    return pipe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED) == os.getpid()  # its first number is the process
