"""Options of every TCP socket, and the codes of a call that is under way."""

import contextlib
import errno
import socket
from collections.abc import Sequence
from typing import Final

#: Receive buffer of the operating system, in bytes.
RECEIVE_BUFFER: Final = 1 << 18
#: Codes of a call that is under way.
IN_PROGRESS: Final = {0, errno.EINPROGRESS, errno.EWOULDBLOCK, getattr(errno, "WSAEWOULDBLOCK", errno.EWOULDBLOCK)}

#: Keepalive settings that detect a cut cable: seconds of idleness, seconds between probes, number of probes;
#: milliseconds that sent bytes may stay unacknowledged.
_LOOKS: Final = (("TCP_KEEPIDLE", 1), ("TCP_KEEPALIVE", 1), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 3))
_UNCONFIRMED: Final = 4000


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
