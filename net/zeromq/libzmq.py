"""libzmq, which speaks ZMTP for us: greeting, NULL or CURVE, frames.

One ROUTER has all accepted connections, and each call has a DEALER of its own (RFC 36). libzmq sees pipes instead of
TCP, so that connection.py counts what each peer costs. The ROUTER *calls* each pipe under a number of ours: messages
come and go by it, whatever identity a peer claims, and two connections of one identity never meet. libzmq's heartbeats
stay off: in 4.3 they end the program when they meet a connection that is ending.
Specification: docs/protocols/links.md, "Connections".
"""

import contextlib
import errno
import os
import secrets
import select
import shutil
import socket
import struct
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final

import zmq

from quadrille.net.zeromq.zre import MOST_FRAME_BYTES

#: Descriptors of a connection: TCP and both ends of the pipe. A call takes one more, or two where there is no eventfd,
#: for libzmq's signal; but no more than half of all connections are calls.
DESCRIPTORS: Final = 4
#: Buffer of the pipe into libzmq, in bytes; the system doubles it. With TCP the other end has half as much.
PIPE_BUFFER: Final = 1 << 14
#: Bytes that a frame of CURVE has more than its content: "MESSAGE", a nonce, a box, its flags.
SEALING: Final = 33
#: Maximum messages of a connection that wait in libzmq: for a peer that does not read, whose bytes connection.py
#: counts; and for us.
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
#: The longest path of a socket on macOS, in bytes; Linux has four more.
_PATH_BYTES = 103
_POLLIN = int(zmq.POLLIN)
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
        self._taken: deque[tuple[bytes, zmq.Frame, list[bytes]]] = deque()
        # one for all pipes: to name each one anew made the hundredth connection twice as dear to open as the first
        self.pipes = select.poll() if hasattr(select, "poll") else None  # none on Windows

    @property
    def has_message(self) -> bool:
        """Return True if a message can be taken out. Ask after each use of the socket: the signal comes once only, and
        any use can take it.
        """
        return bool(self._taken) or self._has_begun

    @property
    def _has_begun(self) -> bool:
        """Return True if a message has come. To be asked makes libzmq take the first part of one out of its pipe."""
        return not self.socket.closed and bool(int(self.socket.get(zmq.EVENTS)) & _POLLIN)

    def settle(self) -> None:
        """Take out the message that libzmq has begun, before a pipe is left: if it is left in the middle of a message,
        libzmq waits for the other parts for ever, or ends the program.
        """
        if self._has_begun:
            number = self.socket.recv() if self._has_many else b""
            first = self.socket.recv(copy=False)
            frames = [first.bytes, *(self.socket.recv_multipart() if first.more else ())]
            self._taken.append((number, first, frames))

    def messages(self) -> "Iterator[tuple[WireEnd, list[bytes]]]":
        """Take out all messages, each with the end that it came by. Drop those of an end that we have left."""
        while self.has_message:
            if not self._taken:
                self.settle()
            number, first, frames = self._taken.popleft()
            if (end := self.ends.get(number)) is not None:
                if self._has_many and self.is_private and end.key is None:
                    end.prove(first)
                yield end, frames

    def hung_up(self) -> "list[WireEnd]":
        """Return the ends whose pipe libzmq has closed, and which were not left."""
        found = {descriptor for descriptor, _ in self.pipes.poll(0)} if self.pipes is not None else ()
        return [end for end in self.ends.values() if end.pipe.fileno() in found] if found else []


class WireEnd:
    """Our end of one connection: the pipe by which its bytes come and go, and the messenger of its messages."""

    def __init__(self, messenger: Messenger, number: int, doors: "_Doors", *, calls: bool) -> None:
        """Let the messenger call a new pipe; a ROUTER calls it by this number."""
        self.messenger = messenger
        self._number = b"" if calls else b"%d" % number
        with contextlib.ExitStack() as unless_made:
            self.pipe, self._place, self._is_ours = doors.open(number, unless_made)  # the pipe itself after `join`
            if not calls:
                messenger.socket.connect_routing_id = self._number
            messenger.socket.connect(self._place)
            self._door = unless_made.pop_all()
        messenger.ends[self._number] = self
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
        if not self._is_ours(pipe):
            pipe.close()
            return False
        self._door.close()
        self.pipe = pipe
        pipe.setblocking(False)
        pipe.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, PIPE_BUFFER)
        if pipe.family is socket.AF_INET:
            pipe.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._descriptor = pipe.fileno()
        if self.messenger.pipes is not None:
            self.messenger.pipes.register(pipe, getattr(select, "POLLRDHUP", 0))
        return True

    def prove(self, first: zmq.Frame) -> None:
        """Note whose key an accepted connection of a private room has proved, and the identity that goes with it."""
        self.key = bytes.fromhex(str(first.get("User-Id")))
        with contextlib.suppress(ValueError, zmq.ZMQError):  # it has none, or it is no hexadecimal digits
            self.identity = bytes.fromhex(str(first.get("Identity")))

    def send(self, frames: Sequence[bytes]) -> bool:
        """Send a message as soon as the handshake is over. Return False if too many wait."""
        try:
            self.messenger.socket.send_multipart([self._number, *frames] if self._number else frames, zmq.NOBLOCK)
        except zmq.ZMQError:
            return False
        return True

    def finish(self, linger: int = _LINGER) -> None:
        """Send and receive nothing more; the pipe ends when all that was sent has come out of it."""
        if self.messenger.ends.pop(self._number, None) is None:
            return
        if self.messenger.pipes is not None and self._descriptor >= 0:
            self.messenger.pipes.unregister(self._descriptor)
        self.messenger.socket.linger = linger
        if self._number:
            self.messenger.settle()
            self.messenger.socket.disconnect(self._place)
        else:
            self.messenger.socket.close()

    def close(self) -> None:
        """Drop everything."""
        self.finish(0)
        self.pipe.close()
        self._door.close()


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
        with contextlib.ExitStack() as unless_made:
            try:
                messenger = self._messenger(key, calls=True) if calls else self.router
                if calls:
                    unless_made.callback(messenger.socket.close, 0)
                end = WireEnd(messenger, next(self._numbers), self._doors, calls=calls)
            except zmq.ZMQError as error:
                raise OSError(error.errno, error.strerror) from None
            unless_made.pop_all()
        return end

    def close(self) -> None:
        self._context.destroy(linger=0)
        self._doors.close()


class _Doors:
    """Where libzmq finds a pipe. It calls, because the accept() of its `ipc` ends the program where descriptors run
    out; without any it does not call at all. Each pipe has a door of its own, and the door is gone when it is joined.
    """

    def __init__(self) -> None:
        self._name = f"quadrille-{secrets.token_hex(8)}"
        self._folder = ""

    def open(
        self, number: int, stack: contextlib.ExitStack
    ) -> tuple[socket.socket, str, Callable[[socket.socket], bool]]:
        """Open a socket that waits for libzmq's call, and leave it to the stack to close it. Return with it the place
        to call, and what says of an accepted pipe that it was libzmq who called.
        """
        with contextlib.suppress(OSError):  # no folder, no room in it, or its path is too long
            if _HAS_UNIX:
                return self._open_unix(number, stack)
        with socket.create_server(("127.0.0.1", 0)) as unused:
            whence = int(unused.getsockname()[1])  # other programs of this machine call from other ports
        door = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=8))
        door.setblocking(False)
        place = f"tcp://127.0.0.1:{whence};127.0.0.1:{door.getsockname()[1]}"
        return door, place, lambda pipe: bool(pipe.getpeername()[1] == whence)

    def _open_unix(
        self, number: int, stack: contextlib.ExitStack
    ) -> tuple[socket.socket, str, Callable[[socket.socket], bool]]:
        with contextlib.ExitStack() as unless_open:
            door = unless_open.enter_context(socket.socket(socket.AF_UNIX))
            if _IS_ABSTRACT:
                place = f"@{self._name}-{number}"
                door.bind(f"\0{place[1:]}")
            else:
                self._folder = self._folder or _folder()
                place = f"{self._folder}/{number}"
                if len(os.fsencode(place)) > _PATH_BYTES:
                    raise OSError(errno.ENAMETOOLONG, "too long a path for a socket")
                door.bind(place)
                unless_open.callback(os.unlink, place)
            door.listen(8)
            door.setblocking(False)
            stack.push(unless_open.pop_all())
        return door, f"ipc://{place}", _is_own

    def close(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _folder() -> str:
    """Make a folder for this program's pipes, and remove those of programs that were killed."""
    for left in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*-*"):
        try:
            os.kill(int(left.name.removeprefix(_FOLDER).partition("-")[0]), 0)
        except ProcessLookupError:
            shutil.rmtree(left, ignore_errors=True)
        except (ValueError, OSError):  # no folder of ours, or of another user
            continue
    return tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-")  # for this user alone


def _is_own(pipe: socket.socket) -> bool:
    """Return True if this very program has called. On Linux everybody on the machine can, elsewhere nobody else."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    caller, _, _ = struct.unpack("3i", pipe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return bool(caller == os.getpid())
