"""A program's connection to a relay: one line goes there, one comes back, and then it waits or is spliced.

Specification: extras/far/docs/relay.md, "Lines".
"""

import asyncio
import errno
import os
import socket
import time
from typing import Final

from quadrille.extras.far.relay import MOST_LINE, PROBES, VERSION
from quadrille.extras.far.ticket import MeetingPlace
from quadrille.net.zeromq.sockets import prepare

#: Seconds until a relay that does not answer counts as absent, or a member that does not take a call.
PATIENCE: Final = 5.0
#: What can go wrong with a relay: a refusal is a ValueError, as is a line that no relay says.
TROUBLES: Final = (OSError, EOFError, ValueError)
_REASONS: Final = {
    "full": "it is full",
    "address": "it takes no more connections from your address",
    "room": "nobody else fits into this meeting",
    "ending": "it has been ended",
}
_CAUSES: Final = {
    errno.ECONNREFUSED: "no program listens there",
    errno.ETIMEDOUT: "it does not answer",
    errno.ECONNRESET: "it closes the connection",
    **dict.fromkeys(
        (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT), "no way leads there"
    ),
}


class RelayRefusal(ValueError):
    """The reason of a relay, in words for people that follow "the relay at HOST can't be used:"."""

    def __init__(self, words: list[str]) -> None:
        match words:
            case ["version", version] if version.isdecimal():
                older = "it is older" if int(version) < VERSION else "this program is older"
                super().__init__(f"it speaks version {version}, and this program version {VERSION}: {older}")
            case [reason, *_] if reason in _REASONS:
                super().__init__(_REASONS[reason])
            case _:
                super().__init__("it refuses this program")


async def told(line: socket.socket) -> list[str]:
    """Return the words of the relay's next line. No byte after it is read: that may be another program's."""
    data = bytearray()
    while not data.endswith(b"\n"):
        if not (byte := await asyncio.get_running_loop().sock_recv(line, 1)):
            raise EOFError
        data += byte
        if len(data) > MOST_LINE:
            raise ValueError("a line without an end")
    words = data.decode("ascii").split()
    if words[:1] == ["NO"]:
        raise RelayRefusal(words[1:])
    return words


async def opened(place: MeetingPlace, first: str) -> tuple[socket.socket, list[str]]:
    """Connect to a relay and say a first line; return the connection and the words after its OK."""
    loop = asyncio.get_running_loop()
    line = socket.socket(socket.AF_INET6 if place.address.version == 6 else socket.AF_INET, socket.SOCK_STREAM)
    try:
        prepare(line, PROBES)
        async with asyncio.timeout(PATIENCE):
            await loop.sock_connect(line, (str(place.address), place.port))
            await loop.sock_sendall(line, f"QRLY{VERSION} {first}\n".encode())
            answer = await told(line)
        if answer[:1] != ["OK"]:
            raise ValueError("an answer that no relay gives")
    except BaseException:
        line.close()
        raise
    return line, answer[1:]


def trouble(error: Exception) -> str:
    """Return what is wrong with a relay, in words for people."""
    match error:
        case RelayRefusal():
            return str(error)
        case TimeoutError():
            return "it does not answer"
        case OSError():
            code = error.errno or 0
            return _CAUSES.get(code, errno.errorcode.get(code, str(code)))
        case EOFError():
            return "it closes the connection"
    return "what listens there is no relay"


def relay_finding(place: MeetingPlace) -> tuple[str, bool]:
    """Wait in an empty room of a relay for a moment; say how that went, and whether all is fine."""
    began = time.perf_counter()
    try:
        line, _ = asyncio.run(opened(place, f"WAIT {os.urandom(16).hex()} {os.urandom(16).hex()}"))
    except TROUBLES as error:
        return f"The relay at {place} can't be used: {trouble(error)}.", False
    line.close()
    return f"The relay at {place} answers in {1000 * (time.perf_counter() - began):.0f} ms.", True
