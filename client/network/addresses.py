"""A port of this machine at which others find a server."""

import socket
import sys
from collections.abc import Sequence

from quadrille.net.core.errors import LocalError


def free_port(wanted: int | None, usual: Sequence[int], option: str) -> int:
    """Return the port that somebody wants, or the first free one of the usual ones; a LocalError if it is taken."""
    for port in (wanted,) if wanted else (*usual, 0):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if sys.platform != "win32":  # on Windows the option would let two programs share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError as error:
                reason = error.strerror or str(error)
                continue
            return int(probe.getsockname()[1])
    raise LocalError(f"port {wanted} can't be used ({reason}): name another one with {option}")
