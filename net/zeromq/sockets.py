"""What every TCP socket of ours needs: the selector's interest in it, options, codes of a call under way."""

import contextlib
import errno
import selectors
import socket
from collections.abc import Callable, Sequence
from typing import Final

#: Maximum bytes read from a connection in one turn.
CHUNK: Final = 1 << 16
#: Receive buffer of the operating system, in bytes.
RECEIVE_BUFFER: Final = 1 << 18
#: Codes of a call that is under way.
IN_PROGRESS: Final = {0, errno.EINPROGRESS, errno.EWOULDBLOCK, getattr(errno, "WSAEWOULDBLOCK", errno.EWOULDBLOCK)}

#: Keepalive settings that detect a cut cable: seconds of idleness, seconds between probes, number of probes;
#: milliseconds that sent bytes may stay unacknowledged.
_LOOKS: Final = (("TCP_KEEPIDLE", 1), ("TCP_KEEPALIVE", 1), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 3))
_UNCONFIRMED: Final = 4000


def look(
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


def prepare(connected: socket.socket) -> None:
    """Options of every connection: no delay, and keepalive so that the system notices a dead machine."""
    connected.setblocking(False)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    probe(connected, _LOOKS, _UNCONFIRMED)


def probe(connected: socket.socket, looks: Sequence[tuple[str, int]], unconfirmed: int) -> None:
    """Tell the system how long a machine may be silent, as far as it has these options: names and values of keepalive,
    and milliseconds that sent bytes may stay unacknowledged.
    """
    for name, value in (*looks, ("TCP_USER_TIMEOUT", unconfirmed)):
        if hasattr(socket, name):
            with contextlib.suppress(OSError):  # some systems know the name of this option only
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
