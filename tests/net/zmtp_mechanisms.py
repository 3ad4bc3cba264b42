"""Mechanisms of a ZMTP handshake: their interface, the metadata of READY, and the mechanism NULL.

Part of zmtp_wire.py: no socket, no clock, no frames. CURVE is in zmtp_curve.py. Specification: RFC 23 and 37 of
ZeroMQ, and docs/protocols/links.md, "Connections".
"""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from quadrille.net.core.errors import PeerError

#: Bits of a frame's flag octet.
MORE: Final = 1
COMMAND: Final = 4
#: Maximum bytes of an end's properties, and their maximum number.
MOST_METADATA_BYTES: Final = 1024
MOST_PROPERTIES: Final = 16

#: The socket types that ZRE uses, each with the type it talks to.
OPPOSITE: Final[Mapping[bytes, bytes]] = {b"ROUTER": b"DEALER", b"DEALER": b"ROUTER"}

Command = tuple[bytes, bytes]


class Mechanism(Protocol):
    """One end of a handshake, and its encoding of every later frame. A `PeerError` ends the connection."""

    name: bytes
    is_server: bool
    overhead: int  # bytes that a frame on the wire has more than its content
    peer: Mapping[bytes, bytes] | None  # properties of the other end by lower-case name; None during the handshake
    key: bytes | None  # the proven long-term key of the other end

    def begin(self) -> Sequence[Command]:
        """Commands that this end sends first, as names and data."""

    def answer(self, name: bytes, data: bytes) -> Sequence[Command]:
        """The reply to a handshake command of the other end."""

    def seal(self, flags: int, content: bytes) -> tuple[int, bytes]:
        """The flags and bytes on the wire for a frame."""

    def unseal(self, flags: int, body: bytes) -> tuple[int, bytes]:
        """The flags and content of a received frame."""


def encode_properties(socket_type: bytes, identity: bytes) -> bytes:
    """The metadata of one end."""
    properties = [(b"Socket-Type", socket_type), (b"Identity", identity)]
    return b"".join(
        bytes([len(name)]) + name + len(value).to_bytes(4, "big") + value for name, value in properties if value
    )


def decode_properties(data: bytes, socket_type: bytes) -> Mapping[bytes, bytes]:
    """The metadata of the other end: "Property names are case-insensitive" (RFC 23). Its socket type must fit ours."""
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
    """NULL: nobody proves anything, each end sends READY."""

    name: bytes = b"NULL"
    is_server = False
    overhead = 0
    key: bytes | None = None

    def __init__(self, socket_type: bytes, identity: bytes = b"") -> None:
        self.peer: Mapping[bytes, bytes] | None = None
        self._socket_type = socket_type
        self._metadata = encode_properties(socket_type, identity)

    def begin(self) -> Sequence[Command]:
        """READY, sent without waiting for the other end's."""
        return [(b"READY", self._metadata)]

    def answer(self, name: bytes, data: bytes) -> Sequence[Command]:
        """Accept the other end's READY, and nothing else."""
        if name != b"READY":
            raise PeerError("no READY")
        self.peer = decode_properties(data, self._socket_type)
        return ()

    def seal(self, flags: int, content: bytes) -> tuple[int, bytes]:
        """Unchanged."""
        return flags, content

    def unseal(self, flags: int, body: bytes) -> tuple[int, bytes]:
        """Unchanged."""
        return flags, body
