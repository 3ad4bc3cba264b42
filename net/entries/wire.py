"""The messages of tables: what peers say to each other, and the envelope that proves who said it.

Bytes become messages in `opened` and nowhere else; whatever is wrong with them is a `PeerError`. What a message does is
net/tables/table.py's and net/seating/gathering.py's affair. Specification with vectors: protocols.md, "Messages".
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, TypeAlias, get_args

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import (
    FLAG,
    Shape,
    binary,
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
from quadrille.net.entries.terms import CHAIR, KEY, KINDS, MOST_ENTRIES, TERMS, Chair, Terms, read_terms
from quadrille.net.trust.identity import Identity, verified

VERSION: Final = 2
ROLES: Final = ("seat", "watch")
STATES: Final = ("open", "agreeing", "playing", "over")
#: What a bot that is engaged says: it plays, its tables are full, it does not, or how its program failed.
REPLIES: Final = ("yes", "full", "no", "crash", "stall", "protocol")

#: Rows of a book: seats times epochs.
MOST_ROWS: Final = 256

OFFER: Final = row(TABLE, KEY, TERMS, listed(CHAIR, 26), word(*STATES), whole(2**53))


@dataclass(frozen=True, slots=True)
class Advert:
    """Who I am, and the tables I host. A peer's newest advert stands for all before it."""

    name: str
    kind: str
    tables: tuple[tuple[Any, ...], ...]

    SHAPE: ClassVar = row(text(40), word(*KINDS), listed(OFFER, 32))


@dataclass(frozen=True, slots=True)
class Ask:
    """May I sit down, or look on?"""

    table: bytes
    role: str
    name: str
    kind: str

    SHAPE: ClassVar = row(TABLE, word(*ROLES), text(40), word(*KINDS))


@dataclass(frozen=True, slots=True)
class Answer:
    """Yes, or no and why: to an ask, or later when somebody has to go (kicked, or the table is closed)."""

    table: bytes
    yes: bool
    why: str

    SHAPE: ClassVar = row(TABLE, FLAG, text(200))


@dataclass(frozen=True, slots=True)
class Invite:
    """Come and sit down: a table and its terms."""

    table: bytes
    terms: tuple[Any, ...]

    SHAPE: ClassVar = row(TABLE, TERMS)


@dataclass(frozen=True, slots=True)
class Propose:
    """The host: these terms and chairs, in this order; the turn counts proposals of the table."""

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
    """A chair's share of the joint seed, told once all have committed.

    `accepted` are the commitments of all chairs as they have come here, each with its chair's signature; `signature`
    binds the secret to them.
    """

    table: bytes
    turn: int
    secret: bytes
    accepted: tuple[tuple[bytes, bytes], ...]
    signature: bytes

    SHAPE: ClassVar = row(TABLE, whole(1000), HASH, listed(row(HASH, SIGNATURE), 26), SIGNATURE)


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries of the log, one after another."""

    table: bytes
    entries: tuple[Entry, ...]

    SHAPE: ClassVar = row(TABLE, listed(binary_up_to(60_000), 256))


@dataclass(frozen=True, slots=True)
class Head:
    """How far my log goes, and the hash of its last entry: sent now and then, so that whoever is behind can ask."""

    table: bytes
    length: int
    head: bytes

    SHAPE: ClassVar = row(TABLE, whole(MOST_ENTRIES), HASH)


@dataclass(frozen=True, slots=True)
class Want:
    """Send me the entries from this one on."""

    table: bytes
    start: int

    SHAPE: ClassVar = row(TABLE, whole(MOST_ENTRIES))


@dataclass(frozen=True, slots=True)
class Motion:
    """A seat proposes, or agrees to, what is not a move; bound to the head of the log.

    `consent` is the signature of the key that is to play on for a seat; empty for all other motions.
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
    """A seat does not agree."""

    table: bytes
    before: bytes
    motion: TableMotion

    SHAPE: ClassVar = row(TABLE, HASH, MOTION)


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat resigns, and tells the secret of its key for the cards: whoever writes the next entry carries it."""

    table: bytes
    seat: int
    signature: bytes
    secret: bytes

    SHAPE: ClassVar = row(TABLE, SEAT, SIGNATURE, binary_up_to(32))


@dataclass(frozen=True, slots=True)
class Chat:
    """A line said at the table; the author counts its own lines from 0."""

    table: bytes
    number: int
    line: str

    SHAPE: ClassVar = row(TABLE, whole(2**31), text(500))


@dataclass(frozen=True, slots=True)
class Gone:
    """I leave: the table, before it began or as a watcher; with no table, the room."""

    table: bytes | None

    SHAPE: ClassVar = row(maybe(TABLE))


@dataclass(frozen=True, slots=True)
class Contacts:
    """Whom I have met, and where: peers tell peers, for those whom no beacon reaches."""

    peers: tuple[tuple[bytes, str, int, bytes | None], ...]

    SHAPE: ClassVar = row(listed(row(binary(16), text(64), whole(65535, 1), maybe(KEY)), 64))


@dataclass(frozen=True, slots=True)
class Book:
    """After the game, the secrets of my keys for its cards: `[epoch, seat, secret]` each."""

    table: bytes
    secrets: tuple[tuple[int, int, bytes], ...]

    SHAPE: ClassVar = row(TABLE, listed(row(whole(MOST_ENTRIES), SEAT, HASH), MOST_ROWS))


@dataclass(frozen=True, slots=True)
class Engage:
    """A runner: may your bot play for me, by these terms? `fresh`: its program is to be started anew."""

    table: bytes
    terms: tuple[Any, ...]
    fresh: bool

    SHAPE: ClassVar = row(TABLE, TERMS, FLAG)


@dataclass(frozen=True, slots=True)
class Engaged:
    """The answer of a bot's peer; or how its program failed, after so many bytes that it wrote."""

    table: bytes
    reply: str
    why: str
    said: int

    SHAPE: ClassVar = row(TABLE, word(*REPLIES), text(200), whole(2**53))


@dataclass(frozen=True, slots=True)
class Words:
    """What a runner and a bot say to each other: bytes from so many on, and how many have been heard.

    `took`: the microseconds for which the bot's program had what it was told before it said this.
    """

    table: bytes
    start: int
    heard: int
    said: bytes
    took: int

    SHAPE: ClassVar = row(TABLE, whole(2**53), whole(2**53), binary_up_to(60_000), whole(2**53))


@dataclass(frozen=True, slots=True)
class Call:
    """A seat asks a peer to play on for a seat that is gone."""

    table: bytes
    before: bytes
    seat: int
    terms: tuple[Any, ...]

    SHAPE: ClassVar = row(TABLE, HASH, SEAT, TERMS)


@dataclass(frozen=True, slots=True)
class Consent:
    """That peer agrees to play on."""

    table: bytes
    before: bytes
    seat: int
    signature: bytes

    SHAPE: ClassVar = row(TABLE, HASH, SEAT, SIGNATURE)


@dataclass(frozen=True, slots=True)
class Vouch:
    """A seat hands on the entry of another, and has decided nothing about that seat in that place."""

    table: bytes
    before: bytes
    entry: bytes
    key: bytes
    signature: bytes

    SHAPE: ClassVar = row(TABLE, HASH, HASH, KEY, SIGNATURE)


Message: TypeAlias = (
    Advert | Ask | Answer | Invite | Propose | Accept | Reveal | Entries | Head | Want | Motion | Decline | Resign
    | Chat | Gone | Contacts | Book | Engage | Engaged | Words | Call | Consent | Vouch
)  # fmt: skip
#: A message's place here is its number on the wire.
TYPES: Final[tuple[type[Message], ...]] = get_args(Message)
_NUMBERS: Final = {kind: number for number, kind in enumerate(TYPES)}
_FIELDS: Final = {kind: tuple(field.name for field in fields(kind)) for kind in TYPES}
#: Fields that are read where a message opens: how each is read, and how it is written.
_READ: Final[dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    "motion": (read_motion, lambda motion: motion.plain()),
    "entries": (lambda row: tuple(map(read_entry, row)), lambda entries: tuple([entry.data for entry in entries])),
}
_LIST: Final = Shape(lambda value: isinstance(value, tuple), "a list")
_CONTENT: Final = row(whole(255), _LIST)
_BARE: Final = row(whole(255), whole(255), _LIST)
_ENVELOPE: Final = row(whole(255), KEY, binary_up_to(63_000), SIGNATURE)
#: The text that a signature on a body begins with, by version.
_PREFIXES: Final = {1: b"quadrille/message", 2: b"quadrille/message/2"}
#: The messages that a peer of protocol 1 is heard with, and answered. Their shapes have not changed since.
_SINCE_1: Final = (Advert, Ask, Answer, Gone)


def sealed(message: Message, identity: Identity, version: int = VERSION) -> bytes:
    """A message as it is sent: version, author, message, signature. An own entry is all the proof it needs."""
    kind = type(message)
    assert version == VERSION or kind in _SINCE_1
    content = (_NUMBERS[kind], plain(message))
    if isinstance(message, Entries) and len(message.entries) == 1 and message.entries[0].author == identity.key:
        return pack((version, *content))
    body = pack(content)
    return pack((version, identity.key, body, identity.sign(_PREFIXES[version] + body)))


def plain(message: Message) -> tuple[Any, ...]:
    """The fields of a message as they are packed."""
    values = [(name, getattr(message, name)) for name in _FIELDS[type(message)]]
    return tuple([_READ[name][1](value) if name in _READ else value for name, value in values])


def opened(data: bytes) -> tuple[bytes, Message]:
    """Author and message from foreign bytes, or a `PeerError`."""
    envelope = unpack(data)
    version = envelope[0] if isinstance(envelope, tuple) and envelope and isinstance(envelope[0], int) else VERSION
    if version not in _PREFIXES:
        raise PeerError(f"speaks version {version} of the table protocol; we speak {VERSION}")
    if _BARE.fits(envelope) and version == VERSION:
        message = message_of(*envelope[1:])
        return _proven_by(message), message
    if not _ENVELOPE.fits(envelope):
        raise PeerError(f"an envelope is {_ENVELOPE.says}")
    _, author, body, signature = envelope
    if not verified(author, signature, _PREFIXES[version] + body):
        raise PeerError("the signature of a message is not its author's")
    content = unpack(body)
    if not _CONTENT.fits(content):
        raise PeerError("a message is its number and its fields")
    message = message_of(*content)
    if version != VERSION and not isinstance(message, _SINCE_1):
        raise PeerError(f"speaks version {version} of the table protocol; tables are played by {VERSION}")
    return author, message


def message_of(number: int, values: tuple[Any, ...]) -> Message:
    """A message from its number and its packed fields, or a `PeerError`."""
    if number >= len(TYPES):
        raise PeerError(f"there is no message {number}")
    kind = TYPES[number]
    if not kind.SHAPE.fits(values):
        raise PeerError(f"{kind.__name__} is {kind.SHAPE.says}")
    named = zip(_FIELDS[kind], values, strict=True)
    return kind(*[_READ[name][0](value) if name in _READ else value for name, value in named])


def _proven_by(message: Message) -> bytes:
    """Who signed the one entry that came without an envelope. Only one: more would cost more than their sender paid."""
    if not isinstance(message, Entries) or len(message.entries) != 1:
        raise PeerError(f"{type(message).__name__} without an envelope: only a single entry proves itself")
    [entry] = message.entries
    if entry.table != message.table or entry.author == NOBODY or not entry.is_signed():
        raise PeerError("an entry without an envelope that does not prove whose message it is")
    return entry.author


@dataclass(frozen=True, slots=True)
class Offer:
    """A table as its host offers it: what a lobby shows."""

    table: bytes
    host: bytes
    terms: Terms
    chairs: tuple[Chair, ...]
    state: str
    since: int

    def plain(self) -> tuple[Any, ...]:
        """As it stands in an advert."""
        chairs = tuple(chair.plain() for chair in self.chairs)
        return (self.table, self.host, self.terms.plain(), chairs, self.state, self.since)


def read_offer(value: tuple[Any, ...]) -> Offer:
    """An offer from an advert."""
    table, host, terms, chairs, state, since = value
    return Offer(table, host, read_terms(terms), tuple(Chair(*chair) for chair in chairs), state, since)
