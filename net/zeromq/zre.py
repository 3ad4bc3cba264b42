"""The ZRE wire: bytes to values and back. No socket, no clock, no state.

RFC 36 of ZeroMQ (ZRE, version 2), and what its text leaves out: docs/protocols/discovery.md, "Beacons", and
docs/protocols/links.md, "Messages of a link". Only this module decodes foreign ZRE bytes. Invalid bytes are a
`PeerError`; values that cannot be encoded are a `LocalError`.
"""

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.rules.squares import quoted

ID_BYTES = 16
KEY_BYTES = 32
MOST_GROUPS = 32
MOST_HEADERS = 32
MOST_HEADER_BYTES = 4096
MOST_CONTENT_FRAMES = 16
#: Maximum bytes of a frame; the sockets refuse longer ones (MAXMSGSIZE) first.
MOST_FRAME_BYTES = 1 << 16
SEQUENCES = 1 << 16

_SIGNATURE = 0xAAA1
_VERSION = 2
_HEAD = struct.Struct(">HBBH")
_ENDPOINT = re.compile(r"tcp://([^/\s]+):([0-9]{1,5})")


# The beacon: one datagram. Version 1 has 22 bytes; version 3 adds the sender's CURVE key, and its version byte is 3
# (RFC 43 draws a 1 there; its implementation sends 3).


@dataclass(frozen=True, slots=True)
class Beacon:
    """Announces a peer and its TCP port; port 0 says that it leaves. A beacon with a key belongs to a private room."""

    id: bytes
    port: int
    key: bytes | None = None

    def encode(self) -> bytes:
        return b"ZRE" + (b"\x03" if self.key else b"\x01") + self.id + self.port.to_bytes(2, "big") + (self.key or b"")


def decode_beacon(datagram: bytes) -> Beacon:
    """Decode a beacon. A PeerError unless it is of version 1 or 3 and of exactly its size."""
    size = len(datagram)
    if datagram[:3] != b"ZRE" or size < 4:
        raise PeerError("a datagram that is no ZRE beacon")
    version = datagram[3]
    if (version, size) not in ((1, 22), (3, 54)):
        raise PeerError(f"a beacon of version {version} and {size} bytes; version 1 has 22, version 3 has 54")
    return Beacon(datagram[4:20], int.from_bytes(datagram[20:22], "big"), datagram[22:] or None)


# Messages


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message on a link: the sender, its endpoint, its groups."""

    sequence: int
    endpoint: str
    groups: tuple[str, ...]
    status: int
    name: str
    headers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Whisper:
    """Content for one peer: any number of frames, even none."""

    sequence: int
    content: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Ping:
    """Asks for a sign of life."""

    sequence: int


@dataclass(frozen=True, slots=True)
class PingOk:
    """Answers a Ping."""

    sequence: int


@dataclass(frozen=True, slots=True)
class Unused:
    """A command that we do not use: SHOUT, JOIN and LEAVE, which are about groups (3, 4, 5), and Zyre's ELECT, LEADER
    and GOODBYE (8, 9, 10). It still counts in the sequence.
    """

    command: int
    sequence: int


Command: TypeAlias = Hello | Whisper | Ping | PingOk
Message: TypeAlias = Command | Unused
#: The commands that we use, by their numbers on the wire.
TYPES: Final[Mapping[int, type[Command]]] = {1: Hello, 2: Whisper, 6: Ping, 7: PingOk}
_NUMBER_OF: Final = {kind: number for number, kind in TYPES.items()}


def encode(message: Message) -> list[bytes]:
    """Encode a message as frames. Text that does not fit is a LocalError, because it is ours."""
    command = message.command if isinstance(message, Unused) else _NUMBER_OF[type(message)]
    head = _HEAD.pack(_SIGNATURE, command, _VERSION, message.sequence)
    match message:
        case Hello():
            return [head + _hello_bytes(message)]
        case Whisper(_, content):
            return [head, *content]
    return [head]


def decode(frames: Sequence[bytes]) -> Message:
    """Decode a message. Bytes left over are an error."""
    head, content = b"".join(frames[:1]), tuple(frames[1:])
    if len(head) < _HEAD.size:
        raise PeerError(f"a message of {len(head)} bytes; its head alone has {_HEAD.size}")
    signature, command, version, sequence = _HEAD.unpack_from(head)
    if signature != _SIGNATURE:
        raise PeerError(f"a message that begins with {signature:04x}; ZRE begins with {_SIGNATURE:04x}")
    if version != _VERSION:
        raise PeerError(f"a message of version {version}; only version {_VERSION} is spoken")
    kind = TYPES.get(command)
    if kind is None:
        return Unused(command, sequence)
    if len(content) > (MOST_CONTENT_FRAMES if kind is Whisper else 0):
        raise PeerError(f"command {command} with {len(content)} frames of content")
    rest = _Rest(head, _HEAD.size)
    message: Message = Whisper(sequence, content)
    if issubclass(kind, Hello):
        message = _hello(sequence, rest)
    elif issubclass(kind, Ping | PingOk):
        message = kind(sequence)
    rest.end()
    return message


def port_of(endpoint: str) -> int:
    """Read the TCP port of an endpoint. Ignore its host: packets show where a peer is."""
    parts = _ENDPOINT.fullmatch(endpoint)
    port = int(parts[2]) if parts else 0
    if not 0 < port < 1 << 16:
        raise PeerError(f"the endpoint {quoted(endpoint)}; expected tcp://HOST:PORT")
    return port


def _hello(sequence: int, rest: "_Rest") -> Hello:
    """Decode a HELLO. Counts are checked first, so that a false count costs nothing."""
    endpoint = rest.string("endpoint")
    groups = tuple(rest.longstr("group", 255) for _ in range(rest.count("groups", MOST_GROUPS)))
    status = rest.number(1)
    name = rest.string("name")
    count = rest.count("headers", MOST_HEADERS)
    headers = tuple((rest.string("header"), rest.longstr("header", MOST_HEADER_BYTES)) for _ in range(count))
    if sequence != 1:
        raise PeerError(f"a HELLO with number {sequence}; it is the first message, number 1")
    if len(set(groups)) < len(groups) or len(dict(headers)) < count:
        raise PeerError("a HELLO that names a group or a header twice")
    port_of(endpoint)
    return Hello(sequence, endpoint, groups, status, name, headers)


def _hello_bytes(hello: Hello) -> bytes:
    if len(hello.headers) > MOST_HEADERS:
        raise LocalError(f"a peer can have {MOST_HEADERS} headers, not more")
    parts = [_string(hello.endpoint), len(hello.groups).to_bytes(4, "big"), *map(_longstr, hello.groups)]
    parts += [bytes([hello.status]), _string(hello.name), len(hello.headers).to_bytes(4, "big")]
    for name, value in hello.headers:
        if len(_utf8(value)) > MOST_HEADER_BYTES:
            raise LocalError(f"the header {quoted(name)} is longer than {MOST_HEADER_BYTES} bytes")
        parts += [_string(name), _longstr(value)]
    return b"".join(parts)


def _utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise LocalError(f"the text {quoted(text)} cannot be written as UTF-8") from None


def _string(text: str) -> bytes:
    """Write a one-byte length, then the text: lengths count bytes, not characters."""
    data = _utf8(text)
    if len(data) > 255:
        raise LocalError(f"the name {quoted(text)} has {len(data)} bytes; at most 255 are allowed")
    return bytes([len(data)]) + data


def _longstr(text: str) -> bytes:
    data = _utf8(text)
    return len(data).to_bytes(4, "big") + data


class _Rest:
    """The unread part of a frame."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    def take(self, size: int) -> bytes:
        start, self._at = self._at, self._at + size
        if self._at > len(self._data):
            raise PeerError(f"a message that ends {self._at - len(self._data)} bytes too early")
        return self._data[start : self._at]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def count(self, what: str, most: int) -> int:
        count = self.number(4)
        if count > most:
            raise PeerError(f"{count} {what}; at most {most} are allowed")
        return count

    def string(self, what: str) -> str:
        return self._text(what, self.number(1))

    def longstr(self, what: str, most: int) -> str:
        return self._text(what, self.count(f"bytes of a {what}", most))

    def _text(self, what: str, size: int) -> str:
        data = self.take(size)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise PeerError(f"a {what} that is not UTF-8") from None

    def end(self) -> None:
        if self._at < len(self._data):
            raise PeerError(f"{len(self._data) - self._at} bytes after the end of a message")
