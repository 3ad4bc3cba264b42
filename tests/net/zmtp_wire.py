"""The tests' own ZMTP 3, a second implementation beside libzmq: bytes come in; messages, and bytes to send, come out.

A `Wire` is one end of one connection, accepting or calling, with a mechanism (zmtp_mechanisms.py, zmtp_curve.py). A
violation is a `PeerError`. Specification: RFC 23 (ZMTP 3.0) and 37 (ZMTP 3.1) of ZeroMQ, and docs/protocols/links.md,
"Connections".
"""

from collections.abc import Iterator, Sequence
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.zeromq.zre import MOST_CONTENT_FRAMES, MOST_FRAME_BYTES
from tests.net.zmtp_mechanisms import COMMAND, MORE, Mechanism

GREETING_BYTES: Final = 64
#: Maximum frames of a message: its head, and content.
MOST_FRAMES: Final = 1 + MOST_CONTENT_FRAMES
#: Maximum bytes of a message, all frames together.
MOST_MESSAGE_BYTES: Final = 1 << 18
#: Maximum bytes of a command, in the handshake and after it.
MOST_COMMAND_BYTES: Final = 2048
#: "A PING may carry a context of at most 16 octets" (RFC 37).
MOST_CONTEXT_BYTES: Final = 16
#: Unsent bytes above which a peer's PINGs get no PONG, because it does not read.
MOST_UNSENT_FOR_PONG: Final = 4096

_LONG = 2
_SIGNATURE = b"\xff" + bytes(8) + b"\x7f"
_VERSION = b"\x03\x01"
_MECHANISM_BYTES = 20


def _greeting(mechanism: Mechanism) -> bytes:
    """ "greeting = signature version mechanism as-server filler" (RFC 23)."""
    head = _SIGNATURE + _VERSION + mechanism.name.ljust(_MECHANISM_BYTES, b"\0") + bytes([mechanism.is_server])
    return head.ljust(GREETING_BYTES, b"\0")


def _frame(flags: int, body: bytes) -> bytes:
    """ "short-size = OCTET, long-size = 8OCTET" (RFC 23)."""
    if len(body) < 256:
        return bytes((flags, len(body))) + body
    return bytes((flags | _LONG,)) + len(body).to_bytes(8, "big") + body


class Wire:
    """One end of a connection. `outgoing` holds the bytes to send; the I/O loop removes from its front what it has
    sent.
    """

    __slots__ = (
        "_at", "_frames", "_greeted", "_incoming", "_mechanism", "_size", "_waiting", "_waiting_bytes", "is_busy",
        "outgoing", "parsed",
    )  # fmt: skip

    def __init__(self, mechanism: Mechanism) -> None:
        self.outgoing = bytearray(_greeting(mechanism))
        self.is_busy = False  # whether bytes are left that `messages` has not parsed
        self.parsed = 0  # frames so far, commands included: the work that the other end caused
        self._mechanism = mechanism
        self._greeted = False
        self._incoming = bytearray()
        self._at = 0
        self._frames: list[bytes] = []  # of the incomplete message
        self._size = 0
        self._waiting: list[Sequence[bytes]] = []  # messages queued until the handshake is over
        self._waiting_bytes = 0

    @property
    def is_ready(self) -> bool:
        """Whether the handshake is over."""
        return self._mechanism.peer is not None

    @property
    def identity(self) -> bytes:
        """The identity that the other end claims once it is ready."""
        return (self._mechanism.peer or {}).get(b"identity", b"")

    @property
    def key(self) -> bytes | None:
        """The other end's proven CURVE key."""
        return self._mechanism.key

    @property
    def held(self) -> int:
        """Bytes of an incomplete message."""
        return len(self._incoming) - self._at + self._size

    @property
    def unsent(self) -> int:
        """Bytes to be sent."""
        return len(self.outgoing) + self._waiting_bytes

    def send(self, frames: Sequence[bytes]) -> None:
        """Send a message, or queue it during the handshake."""
        if not self.is_ready:
            self._waiting.append(frames)
            self._waiting_bytes += sum(map(len, frames))
            return
        last = len(frames) - 1
        for number, frame in enumerate(frames):
            self.outgoing += _frame(*self._mechanism.seal(MORE if number < last else 0, frame))

    def feed(self, data: bytes) -> None:
        """Take received bytes."""
        self._incoming += data
        self.is_busy = True

    def messages(self, most: int) -> Iterator[list[bytes]]:
        """The complete messages, up to `most` frames; `is_busy` says whether to call again.

        Messages before a `PeerError` are valid.
        """
        try:
            if not self._greeted and not self._read_greeting():
                self.is_busy = False
                return
            for _ in range(most):
                frame = self._next_frame()
                if frame is None:
                    self.is_busy = False
                    return
                self.parsed += 1
                if not self.is_ready:
                    self._shake_hands(*frame)
                elif (message := self._take(*self._mechanism.unseal(*frame))) is not None:
                    yield message
        except PeerError as error:
            if self._greeted and not self.is_ready:
                reason = str(error).encode()
                self._send_command(b"ERROR", bytes([len(reason)]) + reason)
            raise
        finally:
            del self._incoming[: self._at]
            self._at = 0

    # Greeting and handshake

    def _read_greeting(self) -> bool:
        """Whether the greeting is complete. It may come octet by octet; a wrong one fails at the first wrong octet."""
        came = self._incoming
        if (came and came[0] != 0xFF) or (len(came) > 9 and not came[9] & 1) or (len(came) > 10 and came[10] < 3):
            raise PeerError("no ZMTP 3")
        if len(came) < GREETING_BYTES:
            return False
        if came[12 : 12 + _MECHANISM_BYTES].rstrip(b"\0") != self._mechanism.name:
            raise PeerError("another mechanism")
        if came[32] and self._mechanism.is_server:  # libzmq never claims to be the server
            raise PeerError("two servers")
        self._at, self._greeted = GREETING_BYTES, True
        for name, data in self._mechanism.begin():
            self._send_command(name, data)
        return True

    def _shake_hands(self, flags: int, body: bytes) -> None:
        name, data = _command(flags, body)
        if name == b"ERROR":
            raise PeerError("refused by the other end")
        for reply in self._mechanism.answer(name, data):
            self._send_command(*reply)
        if self.is_ready:
            waiting, self._waiting, self._waiting_bytes = self._waiting, [], 0
            for frames in waiting:
                self.send(frames)

    def _send_command(self, name: bytes, data: bytes) -> None:
        """ "command-name = OCTET 1*255command-name-char" (RFC 23). The handshake itself is not encrypted."""
        self.outgoing += _frame(COMMAND, bytes([len(name)]) + name + data)

    # Traffic

    def _next_frame(self) -> tuple[int, bytes] | None:
        """The next frame, once complete. A frame that is too long fails before it is complete."""
        came, at = self._incoming, self._at
        if len(came) - at < 2:
            return None
        flags = came[at]
        if flags & ~(MORE | _LONG | COMMAND):
            raise PeerError("reserved flags")
        if flags & _LONG:
            if len(came) - at < 9:
                return None
            size, begin = int.from_bytes(came[at + 1 : at + 9], "big"), at + 9
        else:
            size, begin = came[at + 1], at + 2
        self._check_size(flags, size)
        if len(came) < begin + size:
            return None
        self._at = begin + size
        return flags & ~_LONG, bytes(came[begin : begin + size])

    def _check_size(self, flags: int, size: int) -> None:
        """Refuse an oversized frame. CURVE hides what a frame is, so a command in it may be as long as content."""
        if not self.is_ready or (flags & COMMAND and not self._mechanism.overhead):
            if size > MOST_COMMAND_BYTES:
                raise PeerError("a command too long")
        elif size > MOST_FRAME_BYTES + self._mechanism.overhead:
            raise PeerError("a frame too long")
        elif len(self._frames) == MOST_FRAMES and not flags & COMMAND:
            raise PeerError("a message of too many frames")
        elif self._size + size > MOST_MESSAGE_BYTES:
            raise PeerError("a message too long")

    def _take(self, flags: int, content: bytes) -> list[bytes] | None:
        """Add a frame; return the message if that was its last frame."""
        if flags & COMMAND:
            self._obey(*_command(flags, content))
            return None
        if len(self._frames) == MOST_FRAMES:
            raise PeerError("a message of too many frames")
        self._frames.append(content)
        self._size += len(content)
        if flags & MORE:
            return None
        message, self._frames, self._size = self._frames, [], 0
        return message

    def _obey(self, name: bytes, data: bytes) -> None:
        """Answer PING by a PONG with the same context (RFC 37); ignore other commands."""
        if name != b"PING":
            return
        if not 2 <= len(data) <= 2 + MOST_CONTEXT_BYTES:
            raise PeerError("a malformed command")
        if len(self.outgoing) <= MOST_UNSENT_FOR_PONG:
            self.outgoing += _frame(*self._mechanism.seal(COMMAND, b"\x04PONG" + data[2:]))


def _command(flags: int, body: bytes) -> tuple[bytes, bytes]:
    """A command's name and data."""
    if flags != COMMAND or not body or not body[0] or len(body) < 1 + body[0]:
        raise PeerError("a malformed command")
    return body[1 : 1 + body[0]], body[1 + body[0] :]
