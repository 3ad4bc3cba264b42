"""One entry of a table's log: an action, its author, the entry before it, and the position after it.

A chain of signed values and nothing more. `read_entry` decodes foreign bytes once, on arrival; a signature is checked
at most once. net/game_log/log.py decides whether an entry is valid. Specification: docs/protocols/log.md, "The log".
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from quadrille.net.core.hashing import short
from quadrille.net.core.shapes import Shape, binary_up_to, named, pack, row, unpack, whole, word
from quadrille.net.entries.bodies import BODIES, EntryBody
from quadrille.net.entries.motions import TableMotion
from quadrille.net.entries.terms import HASH, KEY, MOST_ENTRIES, SIGNATURE, TABLE, Chair, Terms
from quadrille.net.entries.terms import NOBODY as NOBODY
from quadrille.net.trust.identity import Identity, verified

UNSIGNED: Final = bytes(64)
_BODY: Final = Shape(lambda _: True, "a body")
_CORE: Final = named("core", row(TABLE, whole(MOST_ENTRIES - 1), HASH, KEY, word(*BODIES), _BODY, whole(2**40), HASH))
_SIGNED: Final = named("entry", row(binary_up_to(60_000), SIGNATURE))


@dataclass(frozen=True)
class Entry:
    """`used` is the author's time for it in milliseconds, `digest` the digest of the position after it."""

    table: bytes
    index: int
    before: bytes
    author: bytes
    body: EntryBody
    used: int
    digest: bytes
    signature: bytes = UNSIGNED

    @property
    def kind(self) -> str:
        """The entry's kind on the wire and in sentences."""
        return self.body.WORD

    @cached_property
    def core(self) -> bytes:
        """The signed and hashed bytes."""
        fields = (self.table, self.index, self.before, self.author, self.kind, self.body.plain())
        return pack((*fields, self.used, self.digest))

    @cached_property
    def hash(self) -> bytes:
        """The hash by which the next entry names this one; it excludes the signature."""
        return short("entry", self.core)

    @cached_property
    def data(self) -> bytes:
        """The bytes to store and send."""
        return pack((self.core, self.signature))

    def signed(self, identity: Identity) -> "Entry":
        return replace(self, signature=identity.sign(b"quadrille/entry" + self.hash))

    @cached_property
    def is_signed(self) -> bool:
        """Check the author's signature; an entry by NOBODY has none."""
        if self.author == NOBODY:
            return self.signature == UNSIGNED
        return verified(self.author, self.signature, b"quadrille/entry" + self.hash)


def read_entry(data: bytes) -> Entry:
    """Decode an entry and check its shape, nothing more."""
    core, signature = _SIGNED.taken(unpack(data))
    table, index, before, author, kind, body, used, digest = _CORE.taken(unpack(core))
    entry = Entry(table, index, before, author, BODIES[kind].read(body), used, digest, signature)
    entry.__dict__.update(core=core, data=data)  # packing would give the same bytes
    return entry


#: Entries in messages.
ENTRY: Final = replace(binary_up_to(60_000), read=read_entry, plain=lambda entry: entry.data)


def statement(table: bytes, before: bytes, motion: TableMotion) -> bytes:
    """Write the statement that a seat signs to agree to a motion; bound to the head of the log."""
    return b"quadrille/motion" + short("motion", table, before, pack(motion.plain()))


def vouching(table: bytes, before: bytes, entry: bytes) -> bytes:
    """Write the statement of a seat that relays another's entry: it signed no decision against that entry."""
    return b"quadrille/vouch" + short("vouch", table, before, entry)


def resignation(table: bytes, seat: int, secret: bytes) -> bytes:
    """Write the statement that a seat signs to resign and reveal the secret of its key. The author of the next entry
    carries it.
    """
    return b"quadrille/resign" + short("resign", table, bytes([seat]), secret)


def acceptance(table: bytes, turn: int, proposal: bytes, commitment: bytes) -> bytes:
    """Write the statement that a chair signs to accept terms and seats, with its commitment to the joint seed."""
    return b"quadrille/accept" + short("accept/2", table, turn.to_bytes(4, "big"), proposal, commitment)


def revelation(table: bytes, turn: int, proposal: bytes, commitments: tuple[bytes, ...], secret: bytes) -> bytes:
    """Write the statement by which a chair reveals its secret: all commitments as it received them, and the secret."""
    return b"quadrille/reveal" + short("reveal", table, turn.to_bytes(4, "big"), proposal, *commitments, secret)


def proposal_hash(terms: Terms, chairs: tuple[Chair, ...]) -> bytes:
    """Hash the accepted terms and chairs, in their order."""
    return short("proposal", pack(terms.plain()), pack(tuple([chair.plain() for chair in chairs])))
