"""libzmq, which speaks ZMTP for us: greeting, NULL or CURVE, frames.

Each connection has a socket of libzmq of its own, a ROUTER if it was accepted and a DEALER if it was called, and libzmq
sees a pipe instead of TCP. So connection.py counts what each peer costs, and two connections of one identity never
meet. libzmq's heartbeats stay off: in 4.3 they end the program when they meet a connection that is ending.
Specification: docs/protocols/links.md, "Connections".
"""

import contextlib
import errno
import os
import secrets
import socket
import tempfile
from collections.abc import Callable, Sequence
from typing import Final

import zmq
from zmq.utils.monitor import recv_monitor_message

from quadrille.net.zeromq.zre import MOST_FRAME_BYTES, TAIL_BYTES

#: Descriptors of a connection: TCP, both ends of the pipe, the door of the pipe, and libzmq's signal.
DESCRIPTORS: Final = 5
#: Bytes that a frame of CURVE has more than its content: "MESSAGE", a nonce, a box, its flags.
SEALING: Final = 33
#: Free descriptors without which there is no new connection: libzmq ends the program if its own accept() finds none.
SPARE: Final = 16
#: Maximum sockets of libzmq, with those that it has not yet cleared away.
_MOST_SOCKETS = 8192
#: Milliseconds that libzmq has to hand over what was sent, once we finish.
_LINGER = 1000
#: Python has no sockets of Unix on Windows.
_HAS_UNIX = hasattr(socket, "AF_UNIX")
_HANDLER = "inproc://zeromq.zap.01"


class WireEnd:
    """Our end of one connection: a socket of libzmq, and the pipe by which its bytes come and go."""

    __slots__ = ("_calls", "_socket", "identity", "is_plain", "is_ready", "key", "pipe", "signal")

    def __init__(self, made: "zmq.Socket[bytes]", *, calls: bool, is_plain: bool) -> None:
        self._socket = made
        self.is_plain = is_plain  # NULL: nothing is encrypted
        self._calls = calls
        self.signal = int(made.get(zmq.FD))  # readable when `receive` has something to look at
        self.pipe = _pipe(made)
        self.is_ready = False  # whether the handshake is over
        self.identity = b""  # what the other end claims, with its first message
        self.key: bytes | None = None  # what the other end has proved

    def receive(self) -> list[bytes] | None:
        """The next whole message. The signal comes once only: call this after each signal and each message sent, until
        it returns None.
        """
        events = int(self._socket.get(zmq.EVENTS))
        if self._calls and events & zmq.POLLOUT:
            self.is_ready = True
        if not events & zmq.POLLIN:
            return None
        frames = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
        if not self._calls:
            first = frames.pop(0)
            if not self.is_ready:
                self.is_ready, self.identity = True, first.bytes
                with contextlib.suppress(zmq.ZMQError):  # not a private room
                    self.key = bytes.fromhex(str(frames[0].get("User-Id")))
        return [frame.bytes for frame in frames]

    def send(self, frames: Sequence[bytes]) -> bool:
        """Send a message once the handshake is over; False if the other end is gone."""
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


class Libzmq:
    """libzmq in one node, and its question who may come into a private room."""

    def __init__(self, identity: bytes, keys: tuple[bytes, bytes] | None, allows: Callable[[bytes], bool]) -> None:
        """`identity` is the one that DEALERs claim; `keys`, public and secret, make this a private room, into which the
        owner of each key comes that `allows(key)` lets in.
        """
        self._identity = identity
        self._keys = keys
        self._allows = allows
        self._context = zmq.Context()
        self._context.max_sockets = _MOST_SOCKETS
        self._asked = self._context.socket(zmq.REP) if keys else None
        if self._asked:
            self._asked.bind(_HANDLER)

    @property
    def signal(self) -> int | None:
        """Readable when `answer` has something to do."""
        return int(self._asked.get(zmq.FD)) if self._asked else None

    def answer(self) -> None:
        """Say who may come in: ZAP (RFC 27)."""
        while self._asked and int(self._asked.get(zmq.EVENTS)) & zmq.POLLIN:
            version, request, _, _, _, mechanism, *credentials = self._asked.recv_multipart()
            allowed = mechanism == b"CURVE" and self._allows(credentials[0])
            verdict = (b"200", b"", credentials[0].hex().encode()) if allowed else (b"400", b"not welcome", b"")
            self._asked.send_multipart([version, request, *verdict, b""])

    def accepting(self) -> WireEnd:
        """The end of an accepted connection. An OSError says that the system has no room for it."""
        return self._end(zmq.ROUTER, self._keys is not None, None)

    def calling(self, key: bytes | None) -> WireEnd:
        """The end of a connection to the owner of this key; an OSError as above."""
        return self._end(zmq.DEALER, self._keys is not None and key is not None, key)

    def _end(self, kind: int, is_private: bool, key: bytes | None) -> WireEnd:
        _check_room()
        with contextlib.ExitStack() as unless_made:
            try:
                made = unless_made.enter_context(self._context.socket(kind))
                made.linger = 0
                made.sndhwm = 0  # connection.py counts bytes
                made.maxmsgsize = MOST_FRAME_BYTES + (SEALING if is_private else 0)
                if kind == zmq.DEALER:
                    made.routing_id = self._identity + (secrets.token_bytes(TAIL_BYTES) if is_private else b"")
                if is_private and self._keys:
                    made.curve_publickey, made.curve_secretkey = self._keys
                    if key is None:
                        made.curve_server, made.zap_domain = True, b"room"
                    else:
                        made.curve_serverkey = key
                end = WireEnd(made, calls=kind == zmq.DEALER, is_plain=not is_private)
            except zmq.ZMQError as error:
                raise OSError(error.errno, error.strerror) from None
            unless_made.pop_all()
        return end

    def close(self) -> None:
        self._context.destroy(linger=0)


def _check_room() -> None:
    """Raise the system's OSError if few descriptors are left."""
    with contextlib.ExitStack() as stack, open(os.devnull, "rb") as file:
        for _ in range(SPARE):
            stack.callback(os.close, os.dup(file.fileno()))


def _pipe(made: "zmq.Socket[bytes]") -> socket.socket:
    """Our end of a pipe to this socket of libzmq, which only we can reach."""
    if not _HAS_UNIX:
        return _loopback(made)
    pipe = socket.socket(socket.AF_UNIX)
    with contextlib.ExitStack() as unless_connected:
        unless_connected.enter_context(pipe)
        with tempfile.TemporaryDirectory(prefix="quadrille-") as folder:  # for this user alone; the door goes with it
            made.bind(f"ipc://{folder}/door")
            pipe.connect(f"{folder}/door")
        pipe.setblocking(False)
        unless_connected.pop_all()
    return pipe


def _loopback(made: "zmq.Socket[bytes]") -> socket.socket:
    """The same by TCP, for Windows. Its door is closed as soon as we are in, and nobody else may have come before."""
    with made.get_monitor_socket(zmq.EVENT_ACCEPTED | zmq.EVENT_CLOSED) as monitor:
        port = made.bind_to_random_port("tcp://127.0.0.1")
        pipe = socket.create_connection(("127.0.0.1", port))
        with contextlib.ExitStack() as unless_alone:
            unless_alone.enter_context(pipe)
            pipe.recv(1, socket.MSG_PEEK)  # libzmq greets: it has accepted us
            made.unbind(f"tcp://127.0.0.1:{port}")
            accepted = 0
            while recv_monitor_message(monitor)["event"] != zmq.EVENT_CLOSED:
                accepted += 1
            made.disable_monitor()
            if accepted > 1:
                raise OSError(errno.EADDRINUSE, "another program of this machine came into a pipe of ours")
            pipe.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            pipe.setblocking(False)
            unless_alone.pop_all()
    return pipe
