"""The heads of ZMTP's frames, read in passing where they are not encrypted: the greeting's version, and how large a
message grows before it is whole.

libzmq refuses a frame that is too long, but collects frames without end. Specification: RFC 23 and 37 of ZeroMQ, and
docs/protocols/links.md, "Connections".
"""

from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.zeromq.zre import MOST_CONTENT_FRAMES

#: Maximum frames of a message: its head, and content. Maximum bytes of all of them.
MOST_FRAMES: Final = 1 + MOST_CONTENT_FRAMES
MOST_MESSAGE_BYTES: Final = 1 << 18

_GREETING_BYTES = 64
#: "signature = %xFF 8%x00 %x7F", then the major version.
_VERSION_AT = 10
_MORE, _LONG, _COMMAND = 1, 2, 4


class FrameHeads:
    """What one end of a connection with NULL sends."""

    __slots__ = ("_frames", "_is_greeted", "_left", "_size", "_skip")

    def __init__(self) -> None:
        self._is_greeted = False
        self._left = b""  # the begun head
        self._skip = 0  # bytes until the next head
        self._frames = 0
        self._size = 0

    def read(self, data: bytes) -> None:
        """Read on. A PeerError says what ends the connection; it comes before the frame that is too much."""
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        data = self._left + data[skipped:]
        at = 0
        if not self._is_greeted:
            self._is_greeted = len(data) > _VERSION_AT
            if data[0] != 0xFF or (self._is_greeted and (not data[_VERSION_AT - 1] & 1 or data[_VERSION_AT] < 3)):
                raise PeerError("no ZMTP 3")  # libzmq would speak ZMTP 1 and 2 as well
            at = _GREETING_BYTES if self._is_greeted else 0
        while self._is_greeted and len(data) - at > 1:
            flags, size, body = data[at], data[at + 1], at + 2
            if flags & _LONG:
                body = at + 9
                if len(data) < body:
                    break
                size = int.from_bytes(data[at + 1 : body], "big")
            if not flags & _COMMAND:
                self._count(size, is_last=not flags & _MORE)
            elif flags & _MORE:
                raise PeerError("a malformed command")
            at = body + size
        self._skip += max(0, at - len(data))
        self._left = data[at:]

    def _count(self, size: int, *, is_last: bool) -> None:
        self._frames += 1
        self._size += size
        if self._frames > MOST_FRAMES:
            raise PeerError("a message of too many frames")
        if self._size > MOST_MESSAGE_BYTES:
            raise PeerError("a message too long")
        if is_last:
            self._frames = self._size = 0
