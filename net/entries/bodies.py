"""The bodies of entries: a record for each kind.

net/game_log/log.py decides whether a body is valid and who may write it. Specification:
docs/protocols/log.md, "The log".
"""

from collections.abc import Callable
from dataclasses import field
from typing import Annotated, ClassVar, Final, TypeVar, dataclass_transform

from quadrille.net.core.shapes import Record, binary_up_to, listed, record, row, text, word
from quadrille.net.entries.motions import MOTION, TableMotion
from quadrille.net.entries.terms import (
    HASH,
    SIGNATURE,
    SIGNER,
    Chair,
    Hash,
    Seat,
    Signature,
    Terms,
    Turn,
    of_seats,
    peers,
)

#: Reasons why a seat leaves on its own move: its time is up, or its program failed in this way.
BY_ITSELF: Final = ("time", "crash", "illegal", "stall", "protocol")
#: Maximum bytes of one entry that proves its author's guilt, and of two together. An exclusion with two is so short
#: that it fits into another one, that one into a third, and so on for all seats of a table.
MOST_PROOF_ENTRY: Final = 59_000
MOST_PROOF_BYTES: Final = 52_000

#: Points and scalars of a whole deck, and the proof of its shuffle (docs/protocols/cards.md).
_CARDS: Final = binary_up_to(64 * 54)
_PROOF: Final = binary_up_to(32 * (5 * 54 + 9))
_HASHES: Final = of_seats(HASH)
_SIGNATURES: Final = of_seats(SIGNATURE)


class EntryBody(Record):
    """The values that an entry adds to its core."""

    __slots__ = ()
    WORD: ClassVar[str]


#: The bodies by kind of entry.
BODIES: Final[dict[str, type[EntryBody]]] = {}
Kind = TypeVar("Kind", bound=EntryBody)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def body(word: str) -> Callable[[type[Kind]], type[Kind]]:
    """Make the body of the entries of that kind, as `record` does."""

    def made(cls: type[Kind]) -> type[Kind]:
        kind = record(f"body of {word}")(cls)
        kind.WORD = word
        BODIES[word] = kind
        return kind

    return made


@body("begin")
class BeginBody(EntryBody):
    """The content that all peers signed: the terms, the chairs, and their joint seed.

    The other rows are by peer. `revelations` are the signatures on all commitments and the peer's own secret.
    """

    terms: Terms
    chairs: Annotated[tuple[Chair, ...], of_seats(Chair.SHAPE)]
    turn: Turn
    commitments: Annotated[tuple[bytes, ...], _HASHES]
    signatures: Annotated[tuple[bytes, ...], _SIGNATURES]
    secrets: Annotated[tuple[bytes, ...], _HASHES]
    revelations: Annotated[tuple[bytes, ...], _SIGNATURES]

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys of the peers, in the order of their first chairs."""
        return peers(self.chairs)


@body("move")
class MoveBody(EntryBody):
    """A move, in canonical notation."""

    move: Annotated[str, text(4096)]


@body("left")
class LeftBody(EntryBody):
    """A seat leaves the game. `secret` is the secret of its key for the cards, `signature` that of a resignation."""

    seat: Seat
    how: Annotated[str, word("resigned", *BY_ITSELF)]
    signature: Annotated[bytes, binary_up_to(64)] = b""
    secret: Annotated[bytes, binary_up_to(32)] = b""


@body("motion")
class MotionBody(EntryBody):
    """A motion with its signatures."""

    motion: Annotated[TableMotion, MOTION]
    signatures: Annotated[tuple[tuple[int, bytes], ...], of_seats(row(SIGNER, SIGNATURE))]


@body("excluded")
class ExcludedBody(EntryBody):
    """A seat leaves the game because its own entries prove that it cheated."""

    seat: Seat
    proof: Annotated[tuple[bytes, ...], listed(binary_up_to(MOST_PROOF_ENTRY), 2)]


@body("key")
class KeyBody(EntryBody):
    """A key for the cards of this epoch, and a proof that its seat knows the secret."""

    point: Hash
    proof: Signature


@body("shuffle")
class ShuffleBody(EntryBody):
    """The shuffled and masked cards."""

    cards: Annotated[bytes, _CARDS]
    proof: Annotated[bytes, _PROOF]


@body("look")
class LookBody(EntryBody):
    """The blinded points of cards that a seat looks at."""

    points: Annotated[bytes, _CARDS]
    proofs: Annotated[bytes, _CARDS]


@body("share")
class ShareBody(EntryBody):
    """A seat's share of the secret that opens cards."""

    points: Annotated[bytes, _CARDS]
    proof: Signature
