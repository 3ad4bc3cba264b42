"""Parcels: all that the members of a meeting say to each other by a relay, sealed with the key of the ticket.

A relay can drop, delay, repeat and exchange parcels, and can't read, change or make one. Each names its sender and
its receiver by numbers that are fresh for each run of a program, so that none counts in another run. Pure functions.
Specification: extras/far/docs/relay.md, "Parcels".
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from nacl.bindings import crypto_secretbox, crypto_secretbox_open
from nacl.exceptions import CryptoError

from quadrille.net.core.errors import PeerError

ID_BYTES: Final = 8
#: The receiver of a parcel for all members.
ALL: Final = bytes(ID_BYTES)
_NONCE_BYTES: Final = 24
#: Maximum bytes of a stream in one parcel.
MOST_DATA: Final = 1 << 13
#: Maximum bytes of a beacon: that of a private room has 52.
MOST_BEACON: Final = 64
_HEAD: Final = 1 + 2 * ID_BYTES
_STREAM_HEAD: Final = _HEAD + 4 + 1 + 4


class ParcelKind(IntEnum):
    """First byte of a parcel."""

    BEACON = 1
    DATA = 2
    END = 3
    RESET = 4
    ACK = 5


class StreamName(NamedTuple):
    """A stream of two members: the number that the member gave that opened it."""

    number: int
    #: Whether the sender of this parcel has opened it.
    is_own: bool


_NO_STREAM: Final = StreamName(0, is_own=False)


@dataclass(frozen=True, slots=True)
class MemberParcel:
    """An open parcel. `sequence` counts the DATA of one direction; in END it is the number of all, in ACK of those
    that have come, and of END.
    """

    kind: ParcelKind
    sender: bytes
    receiver: bytes
    body: bytes = b""
    stream: StreamName = _NO_STREAM
    sequence: int = 0


def sealed(parcel: MemberParcel, key: bytes, draw: Callable[[int], bytes] = secrets.token_bytes) -> bytes:
    plain = bytes([parcel.kind]) + parcel.sender + parcel.receiver
    if parcel.kind is not ParcelKind.BEACON:
        name = parcel.stream
        plain += name.number.to_bytes(4, "big") + bytes([name.is_own]) + parcel.sequence.to_bytes(4, "big")
    nonce = draw(_NONCE_BYTES)
    return nonce + crypto_secretbox(plain + parcel.body, nonce, key)


def opened(data: bytes, key: bytes) -> MemberParcel:
    """A PeerError for a parcel that nobody with this key has sealed, or that is none of ours."""
    try:
        plain = crypto_secretbox_open(data[_NONCE_BYTES:], data[:_NONCE_BYTES], key)
    except (CryptoError, ValueError, TypeError):
        raise PeerError("a parcel that is not sealed with this ticket") from None
    try:
        kind = ParcelKind(plain[0])
    except (ValueError, IndexError):
        raise PeerError("a parcel of an unknown kind") from None
    sender, receiver = plain[1 : 1 + ID_BYTES], plain[1 + ID_BYTES : _HEAD]
    if kind is ParcelKind.BEACON:
        if not _HEAD < len(plain) <= _HEAD + MOST_BEACON:
            raise PeerError("a beacon of a wrong length")
        return MemberParcel(kind, sender, receiver, plain[_HEAD:])
    size = len(plain) - _STREAM_HEAD
    if not (0 < size <= MOST_DATA if kind is ParcelKind.DATA else size == 0) or plain[_HEAD + 4] > 1:
        raise PeerError(f"a parcel {kind.name} of a wrong form")
    name = StreamName(int.from_bytes(plain[_HEAD : _HEAD + 4], "big"), is_own=bool(plain[_HEAD + 4]))
    sequence = int.from_bytes(plain[_HEAD + 5 : _STREAM_HEAD], "big")
    return MemberParcel(kind, sender, receiver, plain[_STREAM_HEAD:], name, sequence)
