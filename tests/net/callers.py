"""Strangers made of plain sockets, who say ZMTP octet by octet, or what they like instead; and DEALERs of libzmq."""

import contextlib
import socket
import struct
from collections.abc import Iterator

import zmq
from zmq.utils import z85

from quadrille.net.zeromq.zre import Hello, encode
from tests.net.zmtp import MORE, frame, message

HOST = "127.0.0.1"
#: A frame of as many bytes as one may have, of a message that goes on.
LONG_FRAME = frame(MORE, bytes(1 << 16))


def hello(port: int, name: str = "stranger") -> bytes:
    """HELLO of somebody who listens there."""
    return message(*encode(Hello(1, f"tcp://{HOST}:{port}", (), 0, name, ())))


class Stranger:
    """A connection to a node's port, or one that a node has made."""

    def __init__(self, port: int = 0, accepted: socket.socket | None = None) -> None:
        self.socket = accepted or socket.create_connection((HOST, port))
        self.socket.setblocking(False)

    def say(self, *data: bytes) -> bool:
        """Send it all, as far as the system takes it at once; False if the node has closed the connection."""
        try:
            self.socket.sendall(b"".join(data))
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True

    def heard(self) -> bytes:
        """All that has come."""
        with contextlib.suppress(OSError):
            return self.socket.recv(1 << 16, socket.MSG_PEEK)
        return b""

    def is_answered(self) -> bool:
        """Whether the node's READY has come: libzmq takes no message before it has sent its own."""
        return b"READY" in self.heard()

    def is_closed(self) -> bool:
        """Whether the node has closed it; what it said before is thrown away."""
        try:
            while data := self.socket.recv(1 << 16):
                assert data
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def cut(self, *, rudely: bool = False) -> None:
        """Close it; rudely, nothing that is on its way arrives any more."""
        if rudely:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


@contextlib.contextmanager
def strangers(port: int, number: int) -> Iterator[list[Stranger]]:
    """So many connections."""
    all_of_them = [Stranger(port) for _ in range(number)]
    try:
        yield all_of_them
    finally:
        for each in all_of_them:
            each.cut()


@contextlib.contextmanager
def dealer(
    port: int, routing_id: bytes, keys: tuple[bytes, bytes, bytes] | None = None, patience: int = 0
) -> Iterator["zmq.Socket[bytes]"]:
    """A DEALER that calls a node; in a room by its public and its secret key, and by the node's public one. One of
    `patience` says PING ten times within so many milliseconds, and calls anew if nothing has come by then.
    """
    with zmq.Context() as context, context.socket(zmq.DEALER) as made:
        made.linger, made.routing_id = 0, routing_id
        made.heartbeat_ivl, made.heartbeat_timeout = patience // 10, patience
        if keys is not None:
            made.curve_publickey, made.curve_secretkey, made.curve_serverkey = map(z85.encode, keys)
        made.connect(f"tcp://{HOST}:{port}")
        yield made
