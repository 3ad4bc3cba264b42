"""Options of every TCP socket, the codes of a call that is under way, and the reasons of a port that can't be had."""

import contextlib
import errno
import socket
from typing import Final

from quadrille.net.core.errors import LocalError

#: Receive buffer of the operating system, in bytes. Unless it is set, Linux lets a flood grow it to 6 MiB.
RECEIVE_BUFFER: Final = 1 << 18
#: Codes of a call that is under way.
IN_PROGRESS: Final = {0, errno.EINPROGRESS, errno.EWOULDBLOCK, getattr(errno, "WSAEWOULDBLOCK", errno.EWOULDBLOCK)}

#: Keepalive that detects a cut cable in 4 s, before beacons do in 5: seconds of idleness, seconds between probes,
#: number of probes; milliseconds that sent bytes may stay unacknowledged.
_PROBES: Final = ((1, 1, 3), 4000)


def prepare(connected: socket.socket, probes: tuple[tuple[int, int, int], int] = _PROBES) -> None:
    """Set the options of every connection: no delay, and probes by which the system notices a dead machine."""
    connected.setblocking(False)
    ((idle, between, number), unconfirmed) = probes
    for name, value in (
        ("SO_KEEPALIVE", 1), ("TCP_NODELAY", 1), ("TCP_KEEPIDLE", idle), ("TCP_KEEPALIVE", idle),
        ("TCP_KEEPINTVL", between), ("TCP_KEEPCNT", number), ("TCP_USER_TIMEOUT", unconfirmed),
    ):  # fmt: skip
        if hasattr(socket, name):
            level = socket.SOL_SOCKET if name.startswith("SO_") else socket.IPPROTO_TCP
            with contextlib.suppress(OSError):  # only the option's name is known, or the other side has reset it (BSD)
                connected.setsockopt(level, getattr(socket, name), value)


def refusal(port: str, error: OSError, *, taken: str, nobody: str) -> LocalError:
    """Say why this program can't listen at a port: the port is `taken` by, or `nobody` can reach it there."""
    match error.errno:
        case errno.EADDRINUSE:
            return LocalError(f"{port} is taken by {taken}")
        case errno.EACCES | errno.EPERM:
            return LocalError(f"this system does not let us listen at {port}: choose a port from 1024 up")
    return LocalError(f"{nobody} at {port}: {error.strerror or error}")
