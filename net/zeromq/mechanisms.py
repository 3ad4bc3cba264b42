"""How two ends of a ZMTP connection begin: what a mechanism does, the metadata of READY, and the mechanism NULL.

Part of zmtp.py: no socket, no clock, no frames. CURVE is in curve.py. Specification: RFC 23 and 37 of ZeroMQ,
and protocols.md, "Connections".
"""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from quadrille.net.core.errors import PeerError

#: What a flag octet says of a frame.
MORE: Final = 1
COMMAND: Final = 4
#: Bytes of all properties that one end may say of itself, and their number.
MOST_METADATA_BYTES: Final = 1024
MOST_PROPERTIES: Final = 16

#: The sockets that ZRE uses, and which one each of them talks with.
OPPOSITE: Final[Mapping[bytes, bytes]] = {b"ROUTER": b"DEALER", b"DEALER": b"ROUTER"}

Command = tuple[bytes, bytes]


class Mechanism(Protocol):
    """One end of a handshake, and what it does to every frame afterwards. A `PeerError` ends the connection."""

    name: bytes
    is_server: bool
    overhead: int  # bytes by which a frame on the wire is longer than its content
    peer: Mapping[bytes, bytes] | None  # the properties of the other end, by small letters; None during the handshake
    key: bytes | None  # the long-term key of the other end, proved

    def begin(self) -> Sequence[Command]:
        """Commands that this end sends unasked, as names and data."""

    def answer(self, name: bytes, data: bytes) -> Sequence[Command]:
        """What this end sends when the other has sent a command of the handshake."""

    def seal(self, flags: int, content: bytes) -> tuple[int, bytes]:
        """The flags and bytes that go on the wire for a frame."""

    def unseal(self, flags: int, body: bytes) -> tuple[int, bytes]:
        """The flags and content of a frame that came."""


def encode_properties(socket_type: bytes, identity: bytes) -> bytes:
    """The metadata of an end."""
    properties = [(b"Socket-Type", socket_type), (b"Identity", identity)]
    return b"".join(
        bytes([len(name)]) + name + len(value).to_bytes(4, "big") + value for name, value in properties if value
    )


def decode_properties(data: bytes, socket_type: bytes) -> Mapping[bytes, bytes]:
    """What the other end says of itself: "Property names are case-insensitive" (RFC 23). It must fit our socket."""
    if len(data) > MOST_METADATA_BYTES:
        raise PeerError("metadata too long")
    found: dict[bytes, bytes] = {}
    at = 0
    while at < len(data):
        name_end = at + 1 + data[at]
        value_at = name_end + 4
        value_end = value_at + int.from_bytes(data[name_end:value_at], "big")
        name = data[at + 1 : name_end].lower()
        if not name or value_end > len(data) or name in found or len(found) == MOST_PROPERTIES:
            raise PeerError("malformed metadata")
        found[name] = data[value_at:value_end]
        at = value_end
    if found.get(b"socket-type") != OPPOSITE[socket_type]:
        raise PeerError("a socket of another type")
    return found


class Null:
    """Nobody proves anything: each end says READY and what it is."""

    name: bytes = b"NULL"
    is_server = False
    overhead = 0
    key: bytes | None = None

    def __init__(self, socket_type: bytes, identity: bytes = b"") -> None:
        self.peer: Mapping[bytes, bytes] | None = None
        self._socket_type = socket_type
        self._metadata = encode_properties(socket_type, identity)

    def begin(self) -> Sequence[Command]:
        """READY; neither end waits for the other's."""
        return [(b"READY", self._metadata)]

    def answer(self, name: bytes, data: bytes) -> Sequence[Command]:
        """READY of the other end, and nothing else."""
        if name != b"READY":
            raise PeerError("no READY")
        self.peer = decode_properties(data, self._socket_type)
        return ()

    def seal(self, flags: int, content: bytes) -> tuple[int, bytes]:
        """As it is."""
        return flags, content

    def unseal(self, flags: int, body: bytes) -> tuple[int, bytes]:
        """As it is."""
        return flags, body
