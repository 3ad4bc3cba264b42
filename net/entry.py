"""One entry of a table's log: what was done, by whom, after what, and the position it led to.

A chain of signed values and nothing more; whether an entry is right is net/log.py's to say. Specification:
protocols.md, "The log".
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from quadrille.net.errors import PeerError
from quadrille.net.hashing import short
from quadrille.net.identity import Identity, verified
from quadrille.net.shapes import Shape, binary, binary_up_to, either, listed, pack, row, text, unpack, whole, word
from quadrille.net.terms import CHAIR, KEY, TERMS

TABLE: Final = binary(16)
HASH: Final = binary(32)
SIGNATURE: Final = binary(64)
SEAT: Final = whole(25)
NOBODY: Final = bytes(32)
UNSIGNED: Final = bytes(64)
MOST_ENTRIES: Final = 100_000

#: What is not a move: who has to sign it is in net/log.py.
MOTIONS: Final = ("draw", "abort", "takeback", "pause", "adjourn", "drop", "stand-in", "back", "flag")
MOTION: Final = row(word(*MOTIONS), whole(MOST_ENTRIES), KEY, text(40))

#: Points and scalars of a whole deck, and the proof of its shuffle (protocols.md, "Cards").
_CARDS: Final = binary_up_to(64 * 54)
_PROOF: Final = binary_up_to(32 * (5 * 54 + 9))

#: What a seat says when it leaves on its own move: its time is up, or what the program that plays there did.
BY_ITSELF: Final = ("time", "crash", "illegal", "stall", "protocol")
_SIGNED: Final = listed(row(SEAT, SIGNATURE), 26)
#: Bytes of an entry that proves its author's guilt; two of them fit into another entry.
MOST_PROOF_BYTES: Final = 16_000
_DRAWN: Final = (
    *(TERMS, listed(CHAIR, 26), whole(1000)),
    *(listed(HASH, 26), listed(SIGNATURE, 26), listed(binary(32), 26)),
)
#: The body of an entry by its kind. A table of protocol 1 began without the signatures on all commitments.
BODIES: Final[dict[str, Shape]] = {
    "begin": either(row(*_DRAWN, listed(SIGNATURE, 26)), row(*_DRAWN)),
    "move": row(text(4096)),
    "left": row(SEAT, word("resigned", "forfeit", *BY_ITSELF), binary_up_to(64), binary_up_to(32)),
    "motion": either(row(MOTION, _SIGNED), row(MOTION, _SIGNED, SIGNATURE)),
    "excluded": row(SEAT, listed(binary_up_to(MOST_PROOF_BYTES), 2)),
    "key": row(HASH, SIGNATURE),
    "shuffle": row(_CARDS, _PROOF),
    "look": row(_CARDS, _CARDS),
    "share": row(_CARDS, SIGNATURE),
}
_CORE: Final = row(
    TABLE, whole(MOST_ENTRIES), HASH, KEY, word(*BODIES), Shape(lambda _: True, "a body"), whole(2**40), HASH
)


@dataclass(frozen=True)
class Entry:
    """`used` is the author's time for it in milliseconds, `digest` that of the position after it."""

    table: bytes
    index: int
    before: bytes
    author: bytes
    kind: str
    body: tuple[Any, ...]
    used: int
    digest: bytes
    signature: bytes = UNSIGNED

    @cached_property
    def core(self) -> bytes:
        """What is signed and hashed."""
        fields = (self.table, self.index, self.before, self.author, self.kind, self.body, self.used, self.digest)
        return pack(fields)

    @cached_property
    def hash(self) -> bytes:
        """What the next entry names as the one before it; the signature is no part of it."""
        return short("entry", self.core)

    @cached_property
    def data(self) -> bytes:
        """As it is stored and sent."""
        return pack((self.core, self.signature))

    def signed(self, identity: Identity) -> "Entry":
        """The same entry with its author's signature."""
        return replace(self, signature=identity.sign(b"quadrille/entry" + self.hash))

    def is_signed(self) -> bool:
        """Whether the signature is the author's; what all seats made together has none of its own."""
        if self.author == NOBODY:
            return self.signature == UNSIGNED
        return verified(self.author, self.signature, b"quadrille/entry" + self.hash)


_ENTRY: Final = row(binary_up_to(60_000), SIGNATURE)


def read_entry(data: bytes) -> Entry:
    """An entry from foreign bytes: its shape is right, nothing else is known of it."""
    value = unpack(data)
    if not _ENTRY.fits(value):
        raise PeerError("an entry is its core and a signature")
    core = unpack(value[0])
    if not _CORE.fits(core):
        raise PeerError(f"the core of an entry is {_CORE.says}")
    table, index, before, author, kind, body, used, digest = core
    entry = Entry(table, index, before, author, kind, body, used, digest, value[1])
    if not BODIES[entry.kind].fits(entry.body):
        raise PeerError(f"the body of {entry.kind} is {BODIES[entry.kind].says}")
    entry.__dict__.update(core=value[0], data=data)  # packing it would give the same bytes again
    return entry


def statement(table: bytes, before: bytes, motion: tuple[Any, ...]) -> bytes:
    """What a seat signs when it agrees to a motion: bound to the head of the log."""
    return b"quadrille/motion" + short("motion", table, before, pack(motion))


def consent(table: bytes, before: bytes, seat: int) -> bytes:
    """What the key signs that is to play on for a seat: bound to the head of the log."""
    return b"quadrille/stand-in" + short("stand-in", table, before, bytes([seat]))


def vouching(table: bytes, before: bytes, entry: bytes) -> bytes:
    """What a seat signs when it hands on the entry of another: it has decided nothing about that seat in that place."""
    return b"quadrille/vouch" + short("vouch", table, before, entry)


def resignation(table: bytes, seat: int, secret: bytes) -> bytes:
    """What a seat signs when it resigns, and tells the secret of its key: for whoever writes the next entry."""
    return b"quadrille/resign" + short("resign", table, bytes([seat]), secret)


def acceptance(table: bytes, turn: int, proposal: bytes, commitment: bytes, *, protocol: int = 1) -> bytes:
    """What a chair signs when it accepts terms and seats, with its commitment to the joint seed.

    An acceptance of protocol 2 begins no table of protocol 1, where the commitments of the others are not signed.
    """
    label = "accept" if protocol == 1 else f"accept/{protocol}"
    return b"quadrille/accept" + short(label, table, turn.to_bytes(4, "big"), proposal, commitment)


def revelation(table: bytes, turn: int, proposal: bytes, commitments: tuple[bytes, ...], secret: bytes) -> bytes:
    """What a chair signs when it reveals its secret: the commitments of all, as it has heard them, and that secret."""
    parts = (table, turn.to_bytes(4, "big"), proposal, *commitments, secret)
    return b"quadrille/reveal" + short("reveal", *parts)


def proposal_hash(terms: tuple[Any, ...], chairs: tuple[tuple[Any, ...], ...]) -> bytes:
    """What is accepted: terms and chairs, in their order."""
    return short("proposal", pack(terms), pack(chairs))
