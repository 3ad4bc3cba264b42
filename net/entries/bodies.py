"""The bodies of entries: a class for each kind, with its shape and its values.

Only `read_body` makes one from foreign values. net/game_log/ruling.py decides whether a body is valid and who may
write it. Specification: docs/protocols/log.md, "The log".
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Self

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import Shape, binary, binary_up_to, either, listed, row, text, whole, word
from quadrille.net.entries.motions import MOTION, TableMotion, read_motion
from quadrille.net.entries.terms import CHAIR, TERMS, Chair

HASH: Final = binary(32)
SIGNATURE: Final = binary(64)
SEAT: Final = whole(25)
#: Reasons why a seat leaves on its own move: its time is up, or its program failed in this way.
BY_ITSELF: Final = ("time", "crash", "illegal", "stall", "protocol")
#: Maximum bytes of one entry that proves its author's guilt, and of two together. An exclusion with two is so short
#: that it fits into another one, that one into a third, and so on for all seats of a table.
MOST_PROOF_ENTRY: Final = 59_000
MOST_PROOF_BYTES: Final = 52_000

#: Points and scalars of a whole deck, and the proof of its shuffle (docs/protocols/cards.md).
_CARDS: Final = binary_up_to(64 * 54)
_PROOF: Final = binary_up_to(32 * (5 * 54 + 9))
_SIGNED: Final = listed(row(SEAT, SIGNATURE), 26)


class EntryBody:
    """The values that an entry adds to its core."""

    __slots__ = ()
    WORD: ClassVar[str]
    SHAPE: ClassVar[Shape]

    def plain(self) -> tuple[Any, ...]:
        """The body as an entry's core holds it."""
        return tuple([getattr(self, field.name) for field in fields(self)])  # type: ignore[arg-type]

    @classmethod
    def read(cls, plain: tuple[Any, ...]) -> Self:
        """A body from values of its shape."""
        return cls(*plain)


@dataclass(frozen=True, slots=True)
class BeginBody(EntryBody):
    """The content that all chairs signed: the terms in their signed form, the chairs, and their joint seed.

    `revelations` are the signatures on all commitments and the chair's own secret.
    """

    terms: tuple[Any, ...]
    chairs: tuple[Chair, ...]
    turn: int
    commitments: tuple[bytes, ...]
    signatures: tuple[bytes, ...]
    secrets: tuple[bytes, ...]
    revelations: tuple[bytes, ...]

    WORD: ClassVar = "begin"
    SHAPE: ClassVar = row(
        *(TERMS, listed(CHAIR, 26), whole(1000), listed(HASH, 26)),
        *(listed(SIGNATURE, 26), listed(binary(32), 26), listed(SIGNATURE, 26)),
    )

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys of the chairs, in their order."""
        return tuple(chair.key for chair in self.chairs)

    @property
    def plain_chairs(self) -> tuple[tuple[Any, ...], ...]:
        """The chairs in their signed form."""
        return tuple(chair.plain() for chair in self.chairs)

    @property
    def all_signatures(self) -> tuple[bytes, ...]:
        """The chairs' signatures, in two rows."""
        return (*self.signatures, *self.revelations)

    def is_same_drawing(self, other: "BeginBody") -> bool:
        """Whether the chairs sign the same terms, chairs, turn and commitments in both."""
        mine, theirs = ((one.terms, one.chairs, one.turn, one.commitments) for one in (self, other))
        return mine == theirs

    def plain(self) -> tuple[Any, ...]:
        """The chairs are plain, too."""
        drawn = (self.terms, self.plain_chairs, self.turn, self.commitments, self.signatures, self.secrets)
        return (*drawn, self.revelations)

    @classmethod
    def read(cls, plain: tuple[Any, ...]) -> Self:
        """Reads the chairs. The log reads the terms."""
        terms, chairs, *rest = plain
        return cls(terms, tuple(Chair(*chair) for chair in chairs), *rest)


@dataclass(frozen=True, slots=True)
class MoveBody(EntryBody):
    """A move, in canonical notation."""

    move: str

    WORD: ClassVar = "move"
    SHAPE: ClassVar = row(text(4096))


@dataclass(frozen=True, slots=True)
class LeftBody(EntryBody):
    """A seat leaves the game. `secret` is the secret of its key for the cards, `signature` that of a resignation."""

    seat: int
    how: str
    signature: bytes = b""
    secret: bytes = b""

    WORD: ClassVar = "left"
    SHAPE: ClassVar = row(SEAT, word("resigned", "forfeit", *BY_ITSELF), binary_up_to(64), binary_up_to(32))


@dataclass(frozen=True, slots=True)
class MotionBody(EntryBody):
    """A motion with its signatures, and the consent of a stand-in."""

    motion: TableMotion
    signatures: tuple[tuple[int, bytes], ...]
    consent: bytes = b""

    WORD: ClassVar = "motion"
    SHAPE: ClassVar = either(row(MOTION, _SIGNED), row(MOTION, _SIGNED, SIGNATURE))

    def plain(self) -> tuple[Any, ...]:
        """Without the consent if there is none."""
        signed = (self.motion.plain(), self.signatures)
        return (*signed, self.consent) if self.consent else signed

    @classmethod
    def read(cls, plain: tuple[Any, ...]) -> Self:
        """Reads the motion too."""
        motion, *rest = plain
        return cls(read_motion(motion), *rest)


@dataclass(frozen=True, slots=True)
class ExcludedBody(EntryBody):
    """A seat leaves the game because its own entries prove that it cheated."""

    seat: int
    proof: tuple[bytes, ...]

    WORD: ClassVar = "excluded"
    SHAPE: ClassVar = row(SEAT, listed(binary_up_to(MOST_PROOF_ENTRY), 2))


@dataclass(frozen=True, slots=True)
class KeyBody(EntryBody):
    """A key for the cards of this epoch, and a proof that its seat knows the secret."""

    point: bytes
    proof: bytes

    WORD: ClassVar = "key"
    SHAPE: ClassVar = row(HASH, SIGNATURE)


@dataclass(frozen=True, slots=True)
class ShuffleBody(EntryBody):
    """The shuffled and masked cards."""

    cards: bytes
    proof: bytes

    WORD: ClassVar = "shuffle"
    SHAPE: ClassVar = row(_CARDS, _PROOF)


@dataclass(frozen=True, slots=True)
class LookBody(EntryBody):
    """The blinded points of cards that a seat looks at."""

    points: bytes
    proofs: bytes

    WORD: ClassVar = "look"
    SHAPE: ClassVar = row(_CARDS, _CARDS)


@dataclass(frozen=True, slots=True)
class ShareBody(EntryBody):
    """A seat's share of the secret that opens cards."""

    points: bytes
    proof: bytes

    WORD: ClassVar = "share"
    SHAPE: ClassVar = row(_CARDS, SIGNATURE)


#: The bodies by kind of entry.
BODIES: Final[Mapping[str, type[EntryBody]]] = {
    kind.WORD: kind
    for kind in (BeginBody, MoveBody, LeftBody, MotionBody, ExcludedBody, KeyBody, ShuffleBody, LookBody, ShareBody)
}


def read_body(kind: str, plain: Any) -> EntryBody:
    """The body of an entry of a known kind, or a `PeerError`."""
    body = BODIES[kind]
    if not body.SHAPE.fits(plain):
        raise PeerError(f"the body of {kind} is {body.SHAPE.says}")
    return body.read(plain)
