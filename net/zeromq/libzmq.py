"""libzmq, which speaks ZMTP for us: greeting, NULL or CURVE, frames.

Each connection has a socket of libzmq of its own: a ROUTER if it was accepted, a DEALER if it was called. libzmq sees a
pipe instead of TCP. So connection.py counts what each peer costs, and two connections of one identity never
meet. libzmq's heartbeats stay off: in 4.3 they end the program when they meet a connection that is ending.
Specification: docs/protocols/links.md, "Connections".
"""

import contextlib
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Final

import zmq

from quadrille.net.core.errors import PeerError
from quadrille.net.zeromq.zre import MOST_CONTENT_FRAMES, MOST_FRAME_BYTES, TAIL_BYTES

#: Descriptors of a connection: TCP, both ends of the pipe, and libzmq's signal, which is two where there is no eventfd.
DESCRIPTORS: Final = 4 if sys.platform in ("linux", "win32") else 5
#: Buffer of the pipe into libzmq, in bytes; the system doubles it. With TCP the other end has half as much.
PIPE_BUFFER: Final = 1 << 14
#: Bytes that a frame of CURVE has more than its content: "MESSAGE", a nonce, a box, its flags.
SEALING: Final = 33
#: Maximum messages that wait in libzmq: for a peer that does not read, whose bytes connection.py counts; and for us.
MOST_WAITING: Final = 1 << 13
MOST_UNREAD: Final = 1 << 6
#: Maximum sockets of libzmq, with those that it has not yet cleared away.
_MOST_SOCKETS = 8192
#: Milliseconds that libzmq has to hand over what was sent, once we finish.
_LINGER = 1000
#: Milliseconds until libzmq would look for a pipe again that has ended: never.
_NEVER = 1 << 30
#: Python has no sockets of Unix on Windows. Their paths have at most so many bytes, on macOS; Linux has four more.
_HAS_UNIX = hasattr(socket, "AF_UNIX")
_PATH_BYTES = 103
_HANDLER = "inproc://zeromq.zap.01"


class WireEnd:
    """Our end of one connection: a socket of libzmq, and the pipe by which its bytes come and go."""

    __slots__ = ("_calls", "_door", "_socket", "_whence", "identity", "is_private", "key", "pipe", "signal")

    def __init__(self, made: "zmq.Socket[bytes]", *, calls: bool, is_private: bool) -> None:
        self._socket = made
        self._calls = calls
        self.is_private = is_private
        self.signal = int(made.get(zmq.FD))  # readable when `receive` has something to look at
        with contextlib.ExitStack() as unless_made:
            self.pipe, self._whence = _door(made, unless_made)  # the pipe itself once `join` is True
            self._door = unless_made.pop_all()
        self.identity = b""  # what the other end of an accepted connection claims, with its first message
        self.key: bytes | None = None  # what it has proved

    def join(self) -> bool:
        """Take the call that makes the pipe readable. Return False if another program called. An OSError says that no
        descriptor is left.
        """
        try:
            pipe, whence = self.pipe.accept()
        except (BlockingIOError, ConnectionError):
            return False
        if self._whence and whence[1] != self._whence:
            pipe.close()
            return False
        self._door.close()
        self.pipe = pipe
        pipe.setblocking(False)
        pipe.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, PIPE_BUFFER)
        if self._whence:
            pipe.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return True

    def receive(self) -> list[bytes] | None:
        """Return the next whole message, or None; a PeerError says what ends the connection. The signal comes once
        only: call this after each signal and each message sent, until it returns None.
        """
        if not int(self._socket.get(zmq.EVENTS)) & zmq.POLLIN:
            return None
        if not self._calls:
            self.identity = self._socket.recv()
        first = self._socket.recv(copy=False)
        if self.is_private and not self._calls and self.key is None:
            self.key = bytes.fromhex(str(first.get("User-Id")))
        frames = [first.bytes]
        while self._socket.get(zmq.RCVMORE):
            if len(frames) > MOST_CONTENT_FRAMES:
                raise PeerError("a message of too many frames")
            frames.append(self._socket.recv())
        return frames

    def send(self, frames: Sequence[bytes]) -> bool:
        """Send a message as soon as the handshake is over. Return False if too many wait."""
        try:
            self._socket.send_multipart(frames if self._calls else [self.identity, *frames], zmq.NOBLOCK)
        except zmq.ZMQError:
            return False
        return True

    def finish(self) -> None:
        """Send and receive nothing more; the pipe ends when all that was sent has come out of it."""
        self._socket.close(_LINGER)

    def close(self) -> None:
        """Drop everything."""
        self._socket.close(0)
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
        self._context = zmq.Context()
        self._context.max_sockets = _MOST_SOCKETS
        self._asked = self._context.socket(zmq.REP) if keys else None
        if self._asked:
            self._asked.bind(_HANDLER)
        self.signal = int(self._asked.get(zmq.FD)) if self._asked else None  # readable when `answer` is to be called

    def answer(self) -> None:
        """Say who may come in: ZAP (RFC 27)."""
        while self._asked and int(self._asked.get(zmq.EVENTS)) & zmq.POLLIN:
            version, request, _, _, _, mechanism, *credentials = self._asked.recv_multipart()
            allowed = mechanism == b"CURVE" and self._allows(credentials[0])
            verdict = (b"200", b"", credentials[0].hex().encode()) if allowed else (b"400", b"not welcome", b"")
            self._asked.send_multipart([version, request, *verdict, b""])

    def end(self, key: bytes | None, *, calls: bool) -> WireEnd:
        """Open our end of a connection that was accepted, or that calls the owner of this key. An OSError says that the
        system has no room for it.
        """
        with contextlib.ExitStack() as unless_made:
            try:
                made = unless_made.enter_context(self._context.socket(zmq.DEALER if calls else zmq.ROUTER))
                made.linger, made.reconnect_ivl = 0, _NEVER
                made.sndhwm, made.rcvhwm = MOST_WAITING, MOST_UNREAD
                made.rcvbuf = PIPE_BUFFER >> 1
                is_private = self._keys is not None and (key is not None or not calls)
                made.maxmsgsize = MOST_FRAME_BYTES + (SEALING if is_private else 0)
                if calls:
                    made.routing_id = self._identity + (secrets.token_bytes(TAIL_BYTES) if is_private else b"")
                else:
                    made.router_mandatory = True  # what can't be sent is not forgotten
                if is_private and self._keys:
                    made.curve_publickey, made.curve_secretkey = self._keys
                    if calls:
                        made.curve_serverkey = key
                    else:
                        made.curve_server, made.zap_domain = True, b"room"
                end = WireEnd(made, calls=calls, is_private=is_private)
            except zmq.ZMQError as error:
                raise OSError(error.errno, error.strerror) from None
            unless_made.pop_all()
        return end

    def close(self) -> None:
        self._context.destroy(linger=0)


def _door(made: "zmq.Socket[bytes]", stack: contextlib.ExitStack) -> tuple[socket.socket, int]:
    """Open a socket that waits for libzmq's call. Return with it the TCP port that libzmq calls from, 0 if it is not
    TCP.

    libzmq calls, because its accept() ends the program where descriptors run out. Without any it does not call at all.
    """
    if _HAS_UNIX and len(os.fsencode(f"{tempfile.gettempdir()}/quadrille-12345678/door")) <= _PATH_BYTES:
        whence = 0
        folder = tempfile.mkdtemp(prefix="quadrille-")  # for this user alone
        stack.callback(os.rmdir, folder)
        door = stack.enter_context(socket.socket(socket.AF_UNIX))
        door.bind(f"{folder}/door")
        stack.callback(os.unlink, f"{folder}/door")
        place = f"ipc://{folder}/door"
    else:
        with socket.create_server(("127.0.0.1", 0)) as unused:
            whence = int(unused.getsockname()[1])  # other programs of this machine call from other ports
        door = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        place = f"tcp://127.0.0.1:{whence};127.0.0.1:{door.getsockname()[1]}"
    door.listen(8)
    door.setblocking(False)
    made.connect(place)
    return door, whence
