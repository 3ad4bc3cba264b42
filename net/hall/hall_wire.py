"""The messages between peers of a hall, and their bytes.

They carry no signature of their own: a posting proves its author, and nothing else here is believed. Specification:
docs/protocols/hall.md, "Messages of a hall".
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, Final, TypeAlias

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import Shape, binary, binary_up_to, listed, pack, row, unpack, whole
from quadrille.net.hall.posting import LIFE, MARK, MARK_BYTES, MOST_SERIALS, POSTING, SIGNED, read_posting
from quadrille.net.hall.posting import Posting as Posting

#: The first byte of these messages in a WHISPER of the open network, where 4 begins the proof of a link.
HALL: Final = 5
#: The value of the header of HELLO by which a peer says that it reads these messages.
HALL_VERSION: Final = 2
#: Parts into which postings fall by the first bits of their marks; and bytes of the sum of one part.
PARTS: Final = 64
SUM_BYTES: Final = 8
#: Maximum marks in one message.
MOST_MARKS: Final = 1024
#: Maximum postings or beats in one message.
MOST_ROWS_TOLD: Final = 400
#: Maximum bytes of postings in one message, unless a single one is larger.
MOST_TOLD: Final = 45_000
#: `[mark, beat, lives, signature, seconds]`: a beat of a posting that the receiver may keep.
BeatRow: TypeAlias = tuple[bytes, int, int, bytes, int]
BEAT_ROW: Final = row(MARK, whole(MOST_SERIALS), LIFE, SIGNED, LIFE)


@dataclass(frozen=True, slots=True)
class Digest:
    """The sums of all postings that the sender keeps, one for each part; an answer names the parts that differ."""

    sums: bytes

    SHAPE: ClassVar = row(binary(PARTS * SUM_BYTES))


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks that the sender keeps in each of these parts, one after another."""

    parts: tuple[tuple[int, bytes], ...]

    SHAPE: ClassVar = row(listed(row(whole(PARTS - 1), binary_up_to(MOST_MARKS * MARK_BYTES)), PARTS))


@dataclass(frozen=True, slots=True)
class Lack:
    """The marks of postings that the sender asks for, one after another."""

    marks: bytes

    SHAPE: ClassVar = row(binary_up_to(MOST_MARKS * MARK_BYTES))


@dataclass(frozen=True, slots=True)
class Postings:
    """Postings, and how many seconds ago their authors signed them, as far as the sender knows."""

    rows: tuple[tuple[Posting, int], ...]

    SHAPE: ClassVar = row(listed(row(POSTING, LIFE), MOST_ROWS_TOLD))


@dataclass(frozen=True, slots=True)
class Beats:
    """New beats of postings that the receiver keeps: `[mark, beat, lives, signature, seconds]` each."""

    rows: tuple[BeatRow, ...]

    SHAPE: ClassVar = row(listed(BEAT_ROW, MOST_ROWS_TOLD))


@dataclass(frozen=True, slots=True)
class Spare:
    """The sender can do without this link; where both can, the link ends."""

    SHAPE: ClassVar = row()


@dataclass(frozen=True, slots=True)
class Missed:
    """The newest known beats of peers that somebody lost sight of: a newer beat is the answer."""

    rows: tuple[BeatRow, ...]

    SHAPE: ClassVar = row(listed(BEAT_ROW, MOST_ROWS_TOLD))


HallMessage: TypeAlias = Digest | Marks | Lack | Postings | Beats | Spare | Missed
#: The first version that reads `Missed`.
MISSED_SINCE: Final = 2
#: The messages by their numbers on the wire.
HALL_TYPES: Final[Mapping[int, type[HallMessage]]] = {
    0: Digest, 1: Marks, 2: Lack, 3: Postings, 4: Beats, 5: Spare, 6: Missed
}  # fmt: skip
_CONTENT: Final = row(whole(255), Shape(lambda value: isinstance(value, tuple), "a list"))
_NUMBER_OF: Final = {kind: number for number, kind in HALL_TYPES.items()}


def hall_bytes(message: HallMessage) -> bytes:
    """The bytes of a message."""
    if isinstance(message, Postings):
        values = [tuple([(posting.plain(), age) for posting, age in message.rows])]
    else:
        values = [getattr(message, field.name) for field in fields(message)]
    return bytes([HALL]) + pack((_NUMBER_OF[type(message)], tuple(values)))


def is_of_hall(content: bytes) -> bool:
    """Whether a WHISPER carries a message of the hall, right or wrong."""
    return content[:1] == bytes([HALL])


def hall_message(content: bytes) -> HallMessage:
    """A message from its bytes, or a `PeerError`."""
    value = unpack(content[1:])
    kind = HALL_TYPES.get(value[0]) if _CONTENT.fits(value) else None
    if kind is None:
        raise PeerError("a message of a hall is its number and its fields")
    values = value[1]
    if not kind.SHAPE.fits(values):
        raise PeerError(f"{kind.__name__} is {kind.SHAPE.says}")
    if kind is Postings:
        return Postings(tuple((read_posting(plain), age) for plain, age in values[0]))
    return kind(*values)
