"""The messages of tables, and the signed envelope that proves their author.

Only `opened` decodes messages; invalid bytes are a `PeerError`. net/tables/table.py and net/seating/gathering.py act
on them. Specification with vectors: docs/protocols/tables.md, "Messages".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, TypeAlias

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import (
    FLAG,
    Shape,
    binary_up_to,
    listed,
    maybe,
    pack,
    row,
    text,
    unpack,
    whole,
    word,
)
from quadrille.net.entries.bodies import HASH, SEAT, SIGNATURE
from quadrille.net.entries.entry import NOBODY, TABLE, Entry, read_entry
from quadrille.net.entries.motions import MOTION, TableMotion, read_motion
from quadrille.net.entries.terms import CHAIR, KEY, KINDS, LOOKOUT, MOST_ENTRIES, TERMS, Chair, Terms, read_terms
from quadrille.net.trust.identity import Identity, verified

VERSION: Final = 2
ROLES: Final = ("seat", "watch")
STATES: Final = ("open", "agreeing", "playing", "over")
#: Answers to Engage: the bot plays, its tables are full, it refuses, or how its program failed.
REPLIES: Final = ("yes", "full", "no", "crash", "stall", "protocol")

#: Maximum rows of a book: seats times epochs.
MOST_ROWS: Final = 256

OFFER: Final = row(TABLE, KEY, TERMS, listed(CHAIR, 26), word(*STATES), whole(2**53))


@dataclass(frozen=True, slots=True)
class Advert:
    """A peer's name and the tables it hosts: the content of its posting (net/hall/posting.py), and no message."""

    name: str
    kind: str
    tables: tuple[tuple[Any, ...], ...]

    SHAPE: ClassVar = row(text(40), word(*KINDS, LOOKOUT), listed(OFFER, 32))


@dataclass(frozen=True, slots=True)
class Ask:
    """Asks for a seat or to watch."""

    table: bytes
    role: str
    name: str
    kind: str

    SHAPE: ClassVar = row(TABLE, word(*ROLES), text(40), word(*KINDS))


@dataclass(frozen=True, slots=True)
class Answer:
    """Yes, or no with a reason: to an Ask, or later to a peer that has to go (kicked, or the table is closed)."""

    table: bytes
    yes: bool
    why: str

    SHAPE: ClassVar = row(TABLE, FLAG, text(200))


@dataclass(frozen=True, slots=True)
class Invite:
    """Invites a peer to a table with these terms."""

    table: bytes
    terms: tuple[Any, ...]

    SHAPE: ClassVar = row(TABLE, TERMS)


@dataclass(frozen=True, slots=True)
class Propose:
    """The host proposes terms and chairs, in this order; the turn counts proposals of the table."""

    table: bytes
    turn: int
    terms: tuple[Any, ...]
    chairs: tuple[tuple[Any, ...], ...]

    SHAPE: ClassVar = row(TABLE, whole(1000), TERMS, listed(CHAIR, 26))


@dataclass(frozen=True, slots=True)
class Accept:
    """A chair signs a proposal together with its commitment to the joint seed."""

    table: bytes
    turn: int
    proposal: bytes
    commitment: bytes
    signature: bytes

    SHAPE: ClassVar = row(TABLE, whole(1000), HASH, HASH, SIGNATURE)


@dataclass(frozen=True, slots=True)
class Reveal:
    """A chair's share of the joint seed, sent after all have committed.

    `accepted` are all commitments as the sender received them, each with its chair's signature; `signature` binds the
    secret to them.
    """

    table: bytes
    turn: int
    secret: bytes
    accepted: tuple[tuple[bytes, bytes], ...]
    signature: bytes

    SHAPE: ClassVar = row(TABLE, whole(1000), HASH, listed(row(HASH, SIGNATURE), 26), SIGNATURE)


@dataclass(frozen=True, slots=True)
class Entries:
    """Consecutive entries of the log."""

    table: bytes
    entries: tuple[Entry, ...]

    SHAPE: ClassVar = row(TABLE, listed(binary_up_to(60_000), 256))


@dataclass(frozen=True, slots=True)
class Head:
    """The length of the sender's log and the hash of its last entry: sent now and then, so that a peer that is behind
    can ask.
    """

    table: bytes
    length: int
    head: bytes

    SHAPE: ClassVar = row(TABLE, whole(MOST_ENTRIES), HASH)


@dataclass(frozen=True, slots=True)
class Want:
    """Asks for the entries from this index on."""

    table: bytes
    start: int

    SHAPE: ClassVar = row(TABLE, whole(MOST_ENTRIES))


@dataclass(frozen=True, slots=True)
class Motion:
    """A seat proposes a motion or agrees to one; bound to the head of the log.

    `consent` is the signature of a stand-in's key; empty for all other motions.
    """

    table: bytes
    before: bytes
    motion: TableMotion
    seat: int
    signature: bytes
    consent: bytes = b""

    SHAPE: ClassVar = row(TABLE, HASH, MOTION, SEAT, SIGNATURE, binary_up_to(64))


@dataclass(frozen=True, slots=True)
class Decline:
    """A seat refuses a motion."""

    table: bytes
    before: bytes
    motion: TableMotion

    SHAPE: ClassVar = row(TABLE, HASH, MOTION)


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat resigns and reveals the secret of its key for the cards; the author of the next entry carries it."""

    table: bytes
    seat: int
    signature: bytes
    secret: bytes

    SHAPE: ClassVar = row(TABLE, SEAT, SIGNATURE, binary_up_to(32))


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat line at the table; the author numbers its own lines from 0."""

    table: bytes
    number: int
    line: str

    SHAPE: ClassVar = row(TABLE, whole(2**31), text(500))


@dataclass(frozen=True, slots=True)
class Gone:
    """The sender leaves: the table, before it began or as a watcher; without a table, the room."""

    table: bytes | None

    SHAPE: ClassVar = row(maybe(TABLE))


@dataclass(frozen=True, slots=True)
class Book:
    """After the game, the secrets of the sender's keys for its cards: `[epoch, seat, secret]` each."""

    table: bytes
    secrets: tuple[tuple[int, int, bytes], ...]

    SHAPE: ClassVar = row(TABLE, listed(row(whole(MOST_ENTRIES), SEAT, HASH), MOST_ROWS))


@dataclass(frozen=True, slots=True)
class Engage:
    """A runner asks a peer's bot to play by these terms. `fresh`: its program must be restarted."""

    table: bytes
    terms: tuple[Any, ...]
    fresh: bool

    SHAPE: ClassVar = row(TABLE, TERMS, FLAG)


@dataclass(frozen=True, slots=True)
class Engaged:
    """The bot's peer answers, or reports how its program failed, and after how many bytes."""

    table: bytes
    reply: str
    why: str
    said: int

    SHAPE: ClassVar = row(TABLE, word(*REPLIES), text(200), whole(2**53))


@dataclass(frozen=True, slots=True)
class Words:
    """Bytes between a runner and a bot: their offset in the stream, and the offset acknowledged.

    `took`: microseconds that the bot's program needed for this answer.
    """

    table: bytes
    start: int
    heard: int
    said: bytes
    took: int

    SHAPE: ClassVar = row(TABLE, whole(2**53), whole(2**53), binary_up_to(60_000), whole(2**53))


@dataclass(frozen=True, slots=True)
class Call:
    """A seat asks a peer to stand in for a seat that is gone."""

    table: bytes
    before: bytes
    seat: int
    terms: tuple[Any, ...]

    SHAPE: ClassVar = row(TABLE, HASH, SEAT, TERMS)


@dataclass(frozen=True, slots=True)
class Consent:
    """The peer agrees to stand in."""

    table: bytes
    before: bytes
    seat: int
    signature: bytes

    SHAPE: ClassVar = row(TABLE, HASH, SEAT, SIGNATURE)


@dataclass(frozen=True, slots=True)
class Vouch:
    """A seat relays another's entry, and declares that it signed no decision about that seat in that place."""

    table: bytes
    before: bytes
    entry: bytes
    key: bytes
    signature: bytes

    SHAPE: ClassVar = row(TABLE, HASH, HASH, KEY, SIGNATURE)


Message: TypeAlias = (
    Ask | Answer | Invite | Propose | Accept | Reveal | Entries | Head | Want | Motion | Decline | Resign
    | Chat | Gone | Book | Engage | Engaged | Words | Call | Consent | Vouch
)  # fmt: skip
#: The messages by their numbers on the wire.
TYPES: Final[Mapping[int, type[Message]]] = {
    1: Ask, 2: Answer, 3: Invite, 4: Propose, 5: Accept, 6: Reveal, 7: Entries, 8: Head, 9: Want,
    10: Motion, 11: Decline, 12: Resign, 13: Chat, 14: Gone, 16: Book, 17: Engage, 18: Engaged,
    19: Words, 20: Call, 21: Consent, 22: Vouch,
}  # fmt: skip
NUMBER_OF: Final = {kind: number for number, kind in TYPES.items()}
_FIELDS: Final = {kind: tuple(field.name for field in fields(kind)) for kind in NUMBER_OF}
#: Fields with a class of their own: how each is decoded and encoded.
_READ: Final[dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    "motion": (read_motion, lambda motion: motion.plain()),
    "entries": (lambda row: tuple(map(read_entry, row)), lambda entries: tuple([entry.data for entry in entries])),
}
_LIST: Final = Shape(lambda value: isinstance(value, tuple), "a list")
_CONTENT: Final = row(whole(255), _LIST)
_BARE: Final = row(whole(255), whole(255), _LIST)
_ENVELOPE: Final = row(whole(255), KEY, binary_up_to(63_000), SIGNATURE)
#: The prefix of a signed body.
_PREFIX: Final = b"quadrille/message/2"


def sealed(message: Message, identity: Identity) -> bytes:
    """The bytes of a message: version, author, message, signature. Our own entry goes without an envelope, because it
    proves its author.
    """
    content = (NUMBER_OF[type(message)], plain(message))
    if isinstance(message, Entries) and len(message.entries) == 1 and message.entries[0].author == identity.key:
        return pack((VERSION, *content))
    body = pack(content)
    return pack((VERSION, identity.key, body, identity.sign(_PREFIX + body)))


def plain(message: Message) -> tuple[Any, ...]:
    """The fields of a message as they are packed."""
    values = [(name, getattr(message, name)) for name in _FIELDS[type(message)]]
    return tuple([_READ[name][1](value) if name in _READ else value for name, value in values])


def opened(data: bytes) -> tuple[bytes, Message]:
    """Author and message from foreign bytes, or a `PeerError`."""
    envelope = unpack(data)
    version = envelope[0] if isinstance(envelope, tuple) and envelope and isinstance(envelope[0], int) else VERSION
    if version != VERSION:
        raise PeerError(f"speaks version {version} of the table protocol; we speak {VERSION}")
    if _BARE.fits(envelope):
        message = message_of(*envelope[1:])
        return _proven_by(message), message
    if not _ENVELOPE.fits(envelope):
        raise PeerError(f"an envelope is {_ENVELOPE.says}")
    _, author, body, signature = envelope
    if not verified(author, signature, _PREFIX + body):
        raise PeerError("a message is not signed by its author")
    content = unpack(body)
    if not _CONTENT.fits(content):
        raise PeerError("a message is its number and its fields")
    return author, message_of(*content)


def message_of(number: int, values: tuple[Any, ...]) -> Message:
    """A message from its number and its packed fields, or a `PeerError`."""
    kind = TYPES.get(number)
    if kind is None:
        raise PeerError(f"there is no message {number}")
    if not kind.SHAPE.fits(values):
        raise PeerError(f"{kind.__name__} is {kind.SHAPE.says}")
    named = zip(_FIELDS[kind], values, strict=True)
    return kind(*[_READ[name][0](value) if name in _READ else value for name, value in named])


def _proven_by(message: Message) -> bytes:
    """The signer of a single entry without an envelope. Only one: more would cost us more work than their sender
    paid.
    """
    if not isinstance(message, Entries) or len(message.entries) != 1:
        raise PeerError(f"{type(message).__name__} without an envelope: only a single entry proves itself")
    [entry] = message.entries
    if entry.table != message.table or entry.author == NOBODY or not entry.is_signed():
        raise PeerError("an entry without an envelope that does not prove whose message it is")
    return entry.author


@dataclass(frozen=True, slots=True)
class Offer:
    """A table as its host offers it and a lobby shows it."""

    table: bytes
    host: bytes
    terms: Terms
    chairs: tuple[Chair, ...]
    state: str
    since: int

    def plain(self) -> tuple[Any, ...]:
        """The offer in an advert."""
        chairs = tuple(chair.plain() for chair in self.chairs)
        return (self.table, self.host, self.terms.plain(), chairs, self.state, self.since)


def read_offer(value: tuple[Any, ...]) -> Offer:
    """An offer from an advert."""
    table, host, terms, chairs, state, since = value
    return Offer(table, host, read_terms(terms), tuple(Chair(*chair) for chair in chairs), state, since)
