"""Frames between a relay and the members of a meeting, as bytes.

A frame is its length (2 bytes), its kind (1) and a body; all numbers are big-endian. A relay never looks into a
parcel: that is for the other members (parcels.py). Specification: extras/far/docs/relay.md, "Frames".
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from quadrille.net.core.errors import PeerError

VERSION: Final = 1
MAGIC: Final = b"QRLY"
NUMBER_BYTES: Final = 16
#: Maximum bytes of a parcel, and of the body that has it.
MOST_PARCEL: Final = 1 << 14
_MOST_BODY: Final = MOST_PARCEL + 2
_HEAD: Final = 3


class FrameKind(IntEnum):
    """First byte of a frame."""

    # from a member
    ENTER = 1
    POST = 2
    PING = 3
    # from a relay
    ENTERED = 16
    PARCEL = 17
    PONG = 18
    CAME = 19
    WENT = 20
    REFUSED = 21


class RefusalReason(IntEnum):
    """Body of REFUSED: the reason for which a relay closes a connection."""

    VERSION = 1
    FULL = 2
    MEETING_FULL = 3
    ADDRESS_FULL = 4
    ENDING = 5


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame."""

    kind: FrameKind
    body: bytes

    @property
    def packed(self) -> bytes:
        return (len(self.body) + 1).to_bytes(2, "big") + bytes([self.kind]) + self.body

    @property
    def member(self) -> int:
        """The number of a member at the beginning of the body."""
        return int.from_bytes(self.body[:2], "big")

    @property
    def parcel(self) -> bytes:
        return self.body[2:]


#: Fewest and most bytes of a body.
_SIZES: Final = {
    FrameKind.ENTER: (len(MAGIC) + 1 + NUMBER_BYTES,) * 2,
    FrameKind.POST: (3, _MOST_BODY),
    FrameKind.PING: (0, 0),
    FrameKind.ENTERED: (3, 3),
    FrameKind.PARCEL: (3, _MOST_BODY),
    FrameKind.PONG: (0, 0),
    FrameKind.CAME: (2, 2),
    FrameKind.WENT: (2, 2),
    FrameKind.REFUSED: (2, 2),
}


def enter(number: bytes) -> bytes:
    return Frame(FrameKind.ENTER, MAGIC + bytes([VERSION]) + number).packed


def entered(member: int) -> bytes:
    return Frame(FrameKind.ENTERED, bytes([VERSION]) + member.to_bytes(2, "big")).packed


def post(to: int, parcel: bytes) -> bytes:
    """A parcel for one member, or for all the others (0)."""
    return Frame(FrameKind.POST, to.to_bytes(2, "big") + parcel).packed


def parcel_from(member: int, parcel: bytes) -> bytes:
    return Frame(FrameKind.PARCEL, member.to_bytes(2, "big") + parcel).packed


def came(member: int) -> bytes:
    return Frame(FrameKind.CAME, member.to_bytes(2, "big")).packed


def went(member: int) -> bytes:
    return Frame(FrameKind.WENT, member.to_bytes(2, "big")).packed


def refused(reason: RefusalReason) -> bytes:
    """Refuse, with the relay's own version."""
    return Frame(FrameKind.REFUSED, bytes([reason, VERSION])).packed


PING: Final = Frame(FrameKind.PING, b"").packed
PONG: Final = Frame(FrameKind.PONG, b"").packed


class FrameReader:
    """Bytes of a connection, cut into frames. It holds less than one frame."""

    __slots__ = ("_held", "_kinds")

    def __init__(self, *, of_relay: bool) -> None:
        """Take the frames that members send, or those of a relay."""
        self._held = bytearray()
        self._kinds = {int(kind): kind for kind in FrameKind if (kind >= FrameKind.ENTERED) == of_relay}

    def __len__(self) -> int:
        return len(self._held)

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that are whole now. A PeerError for a frame that nobody may send; nothing may follow it."""
        held = self._held
        held += data
        found, at = [], 0
        while len(held) - at >= _HEAD:
            size = int.from_bytes(held[at : at + 2], "big") - 1
            kind = self._kinds.get(held[at + 2])
            if kind is None:
                raise PeerError("a frame of an unknown kind")
            fewest, most = _SIZES[kind]
            if not fewest <= size <= most:
                raise PeerError(f"a frame {kind.name} of {size} bytes")
            end = at + _HEAD + size
            if len(held) < end:
                break
            found.append(Frame(kind, bytes(held[at + _HEAD : end])))
            at = end
        del held[:at]
        return found
