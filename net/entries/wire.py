"""The messages of tables, and the signed envelope that proves their author.

Only `opened` decodes messages; invalid bytes are a `PeerError`. net/tables/table.py and net/seating/gathering.py act
on them. Specification with vectors: docs/protocols/tables.md, "Messages".
"""

from typing import Annotated, Any, Final, TypeAlias

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import (
    Record,
    Shape,
    binary_up_to,
    listed,
    named,
    numbered,
    pack,
    record,
    row,
    text,
    unpack,
    whole,
    word,
)
from quadrille.net.entries.entry import ENTRY, NOBODY, Entry
from quadrille.net.entries.motions import MOTION, TableMotion
from quadrille.net.entries.terms import (
    HASH,
    KEY,
    KINDS,
    LOOKOUT,
    MOST_ENTRIES,
    MOST_SEATS,
    NAME,
    SEAT,
    SIGNATURE,
    Chair,
    Flag,
    Hash,
    Index,
    Key,
    Name,
    Seat,
    Signature,
    Signer,
    TableId,
    Terms,
    Turn,
    of_seats,
)
from quadrille.net.trust.identity import Identity, verified

VERSION: Final = 3
ROLES: Final = ("seat", "watch")
STATES: Final = ("open", "agreeing", "playing", "over")
#: Answers to Engage: the bot plays, its tables are full, it refuses, or how its program failed.
REPLIES: Final = ("yes", "full", "no", "crash", "stall", "protocol")

#: Maximum tables in an advert, entries in a message, and rows of a book: seats times epochs.
MOST_OFFERS: Final = 32
MOST_ENTRIES_TOLD: Final = 256
MOST_ROWS: Final = 256

Reason: TypeAlias = Annotated[str, text(200)]
Count: TypeAlias = Annotated[int, whole(2**53)]
Chairs: TypeAlias = Annotated[tuple[Chair, ...], of_seats(Chair.SHAPE)]


@record("offer")
class Offer(Record):
    """A table as its host offers it and a lobby shows it."""

    table: TableId
    host: Key
    terms: Terms
    chairs: Chairs
    state: Annotated[str, word(*STATES)]
    since: Count


@record("posted words")
class Advert(Record):
    """A peer's name and the tables it hosts: the content of its posting (net/hall/posting.py), and no message."""

    name: Name
    kind: Annotated[str, word(*KINDS, LOOKOUT)]
    tables: Annotated[tuple[Offer, ...], listed(Offer.SHAPE, MOST_OFFERS)]


@record(number=1, spare=True)
class Ask(Record):
    """Asks for a seat or to watch. `others` are further seats that the peer wants to hold, by name and kind."""

    table: TableId
    role: Annotated[str, word(*ROLES)]
    name: Name
    kind: Annotated[str, word(*KINDS)]
    others: Annotated[tuple[tuple[str, str], ...], listed(row(NAME, word(*KINDS)), MOST_SEATS - 1, 1)] = ()

    def chairs(self, key: bytes) -> tuple[Chair, ...]:
        """Return the chairs that the holder of that key asks for."""
        return (Chair(key, self.name, self.kind), *(Chair(key, name, kind, self.name) for name, kind in self.others))


@record(number=2)
class Answer(Record):
    """Yes, or no with a reason: to an Ask, or later to a peer that has to go (kicked, or the table is closed). A yes
    with a reason leaves a peer the chairs that it has, and gives it no others; without a chair it is in line for one.
    """

    table: TableId
    yes: Flag
    why: Reason


@record(number=3)
class Invite(Record):
    """Invites a peer to a table with these terms."""

    table: TableId
    terms: Terms


@record(number=4)
class Propose(Record):
    """The host proposes terms and chairs, in this order; the turn counts proposals of the table."""

    table: TableId
    turn: Turn
    terms: Terms
    chairs: Chairs


@record(number=5)
class Accept(Record):
    """A peer signs a proposal together with its commitment to the joint seed."""

    table: TableId
    turn: Turn
    proposal: Hash
    commitment: Hash
    signature: Signature


@record(number=6)
class Reveal(Record):
    """A peer's share of the joint seed, sent after all have committed.

    `accepted` are all commitments as the sender received them, each with its peer's signature; `signature` binds the
    secret to them.
    """

    table: TableId
    turn: Turn
    secret: Hash
    accepted: Annotated[tuple[tuple[bytes, bytes], ...], of_seats(row(HASH, SIGNATURE))]
    signature: Signature


@record(number=7)
class Entries(Record):
    """Consecutive entries of the log."""

    table: TableId
    entries: Annotated[tuple[Entry, ...], listed(ENTRY, MOST_ENTRIES_TOLD)]


@record(number=8)
class Head(Record):
    """The length of the sender's log and the hash of its last entry: sent now and then, so that a peer that is behind
    can ask.
    """

    table: TableId
    length: Index
    head: Hash


@record(number=9)
class Want(Record):
    """Asks for the entries from this index on."""

    table: TableId
    start: Index


@record(number=10)
class Motion(Record):
    """A seat proposes a motion or agrees to one, for all seats of its peer; bound to the head of the log."""

    table: TableId
    before: Hash
    motion: Annotated[TableMotion, MOTION]
    seat: Signer
    signature: Signature


@record(number=11)
class Decline(Record):
    """A seat refuses a motion."""

    table: TableId
    before: Hash
    motion: Annotated[TableMotion, MOTION]


@record(number=12)
class Resign(Record):
    """A seat resigns; the last one of its peer reveals the secret of its key for the cards. The author of the next
    entry carries it.
    """

    table: TableId
    seat: Seat
    signature: Signature
    secret: Annotated[bytes, binary_up_to(32)]


@record(number=13)
class Chat(Record):
    """A chat line at the table; the author numbers its own lines from 0."""

    table: TableId
    number: Annotated[int, whole(2**31)]
    line: Annotated[str, text(500, joined=True)]


@record(number=14)
class Gone(Record):
    """The sender leaves the table, before it began or as a watcher, or has nothing to do with it."""

    table: TableId


@record(number=16)
class Book(Record):
    """After the game, the secrets of the sender's keys for its cards: `[epoch, seat, secret]` each."""

    table: TableId
    secrets: Annotated[tuple[tuple[int, int, bytes], ...], listed(row(whole(MOST_ENTRIES), SEAT, HASH), MOST_ROWS)]


@record(number=17)
class Engage(Record):
    """A runner asks a peer's bot to play by these terms. `fresh`: its program must be restarted."""

    table: TableId
    terms: Terms
    fresh: Flag


@record(number=18)
class Engaged(Record):
    """The bot's peer answers, or reports how its program failed, and after how many bytes."""

    table: TableId
    reply: Annotated[str, word(*REPLIES)]
    why: Reason
    said: Count


@record(number=19)
class Words(Record):
    """Bytes between a runner and a bot: their offset in the stream, and the offset acknowledged."""

    table: TableId
    start: Count
    heard: Count
    said: Annotated[bytes, binary_up_to(60_000)]


@record(number=20)
class Vouch(Record):
    """A seat relays another's entry, and declares that it signed no decision about that seat in that place."""

    table: TableId
    before: Hash
    entry: Hash
    key: Key
    signature: Signature


Message: TypeAlias = (
    Ask | Answer | Invite | Propose | Accept | Reveal | Entries | Head | Want | Motion | Decline | Resign
    | Chat | Gone | Book | Engage | Engaged | Words | Vouch
)  # fmt: skip
#: The messages by their numbers on the wire.
TYPES: Final = numbered(Message)
_LIST: Final = Shape(lambda value: isinstance(value, tuple), "a list")
_ENVELOPE: Final = named("envelope", row(whole(255), KEY, binary_up_to(63_000), SIGNATURE))
_BARE: Final = named("bare entry", row(whole(255), whole(255), _LIST))
_CONTENT: Final = named("content", row(whole(255), _LIST))
#: The prefix of a signed body.
_PREFIX: Final = b"quadrille/message/3"


def sealed(message: Message, identity: Identity) -> bytes:
    """Write a message: version, author, message, signature. Our own entry goes without an envelope, because it proves
    its author.
    """
    content = (message.NUMBER, message.plain())
    if isinstance(message, Entries) and len(message.entries) == 1 and message.entries[0].author == identity.key:
        return pack((VERSION, *content))
    body = pack(content)
    return pack((VERSION, identity.key, body, identity.sign(_PREFIX + body)))


def opened(data: bytes) -> tuple[bytes, Message]:
    """Read author and message from foreign bytes. Refuse all other bytes with a `PeerError`."""
    envelope = unpack(data)
    version = envelope[0] if isinstance(envelope, tuple) and envelope and isinstance(envelope[0], int) else VERSION
    if version != VERSION:
        raise PeerError(f"speaks version {version} of the table protocol; we speak {VERSION}")
    if _BARE.fits(envelope):
        message = _message(*envelope[1:])
        return _proven_by(message), message
    _, author, body, signature = _ENVELOPE.taken(envelope)
    if not verified(author, signature, _PREFIX + body):
        raise PeerError("a message is not signed by its author")
    return author, _message(*_CONTENT.taken(unpack(body)))


def _message(number: int, values: tuple[Any, ...]) -> Message:
    if number not in TYPES:
        raise PeerError(f"there is no message {number}")
    message: Message = TYPES[number].read(values)
    return message


def _proven_by(message: Message) -> bytes:
    """Return the signer of a single entry without an envelope. Refuse more than one: they would cost us more work than
    their sender paid.
    """
    if not isinstance(message, Entries) or len(message.entries) != 1:
        raise PeerError(f"{type(message).__name__} without an envelope: only a single entry proves itself")
    [entry] = message.entries
    if entry.table != message.table or entry.author == NOBODY or not entry.is_signed:
        raise PeerError("an entry without an envelope that does not prove whose message it is")
    return entry.author
