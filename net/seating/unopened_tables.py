"""Tables at play that are not open here: logs that others send, until this peer finds whether it has a seat there.

A table concerns this peer in four cases: this peer left it in the middle (the log is stored); this peer's program
died as the table was about to begin (its own signature is in entry 0); it asked to watch; others named it as a
stand-in. Only the last case needs a log of unknown people. Such a log is held as bytes, limited for each sender and
in all. It is checked once an entry names this peer, and its proofs about cards only when this peer wants to sit down.
Specification: docs/protocols/gathering.md, "Lobby".
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from quadrille.net.cards.proof_checker import ProofChecker, Witness
from quadrille.net.core.errors import PeerError
from quadrille.net.core.pace import Buckets, a_second
from quadrille.net.core.per_key import PerKey
from quadrille.net.entries.bodies import BeginBody, MotionBody
from quadrille.net.entries.entry import Entry, consent, read_entry
from quadrille.net.entries.faults import Fork, Gap, Late
from quadrille.net.entries.motions import StandInMotion
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.wire import Entries, Gone, Head, Message, Want
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.trust.identity import verified

#: Maximum remembered tables, in all and from one sender.
MOST_TABLES: Final = 8
SENDER_TABLES: Final = 2
#: Maximum bytes and entries of a log in which this peer has no seat yet.
MOST_BYTES: Final = 1 << 20
MOST_ENTRIES: Final = 1024
#: Maximum entries that one message makes this peer check.
CHECKED_AT_ONCE: Final = 64
#: Bytes of unknown tables per second from one sender, its burst, and how many senders may use theirs at once.
RATE: Final = 1 << 17
BURST: Final = 1 << 19
SENDERS: Final = 4
#: Minimum price of a message in that budget.
MESSAGE: Final = 256
#: Milliseconds for which a sender is ignored after an invalid entry.
PAUSE: Final = 10_000


def kept_log(data: Iterable[bytes], checker: ProofChecker) -> Log:
    """A stored log of one entry at least. Entries replaced later are stored too.

    Proofs about cards were checked before they were stored; to check a whole game again would take seconds.
    """
    entries = [read_entry(one) for one in data]
    log = Log(entries[0].table, Witness(checker))
    for entry in entries:
        try:
            log.take(entry)
        except (Fork, Gap, Late):
            log.take_aside([entry])
        except PeerError:
            continue
    log.checker = checker
    return log


def has_seat(log: Log, key: bytes) -> bool:
    """Tell whether the holder of this key writes for a seat, or sat down there when it began. A log proves both."""
    return key in log.now.keys or key in [chair.key for chair in log.now.chairs]


@dataclass(slots=True)
class Rumour:
    """A log that others send. `certain`: it concerns this peer. Otherwise only bytes are held, and `named` says
    whether an entry names this peer.
    """

    log: Log
    certain: bool = False
    named: bool = False
    data: list[bytes] = field(default_factory=list)
    size: int = 0
    head: bytes = b""

    @property
    def length(self) -> int:
        """Number of entries held."""
        return len(self.log.entries) if self.certain else len(self.data)

    @property
    def is_checked(self) -> bool:
        """Whether the log holds all of them."""
        return bool(self.log.entries) and len(self.log.entries) == self.length


class UnopenedTables:
    """The logs of such tables."""

    __slots__ = ("_budgets", "_certain", "_faulty", "_key", "_rumours", "_shelf", "_checker")

    def __init__(self, shelf: TableStore, checker: ProofChecker, key: bytes) -> None:
        """`key` is this peer's."""
        self._shelf = shelf
        self._checker = checker
        self._key = key
        self._certain: dict[bytes, Rumour] = {}
        self._rumours = PerKey[bytes, bytes, Rumour](SENDER_TABLES, MOST_TABLES)  # uncertain ones, by their sender
        self._budgets = Buckets[bytes](a_second(RATE, BURST), shared=SENDERS)
        self._faulty: dict[bytes, int] = {}  # until when senders are ignored

    @property
    def held(self) -> int:
        """Bytes of logs that do not concern this peer yet."""
        return sum(rumour.size for _, rumour in self._rumours.items())

    def _rumour(self, table: bytes) -> Rumour | None:
        return self._certain.get(table) or self._rumours.get(table)

    def log(self, table: bytes) -> Log | None:
        """The log of a table that concerns this peer, checked except for proofs of a table where it is only named."""
        rumour = self._rumour(table)
        if rumour is None or not rumour.is_checked:
            return None
        return rumour.log if rumour.certain or has_seat(rumour.log, self._key) else None

    def hear(self, sender: bytes, message: Entries | Head, now: int, *, wanted: bool = False) -> Message | None:
        """Process another peer's message about a table, and return the answer if any: it asks for more until all is
        here.

        A table is `wanted` if this peer asked this sender to watch it.
        """
        table = message.table
        size = sum(len(entry.data) for entry in message.entries) if isinstance(message, Entries) else 0
        if self._faulty.get(sender, now) > now or not self._budgets.take(sender, now, MESSAGE + size):
            return None
        rumour = self._rumour(table) or self._recalled(sender, table, now, wanted=wanted)
        if isinstance(message, Head):
            return self._compare(rumour, message)
        if not message.entries:
            return None
        try:
            if rumour is None:
                rumour = self._begun(sender, message)
                if rumour is None:
                    return Want(table, 0) if message.entries[0].index else None
            before = rumour.length
            said = self._take_all(rumour, message) if rumour.certain else self._note_all(rumour, message)
        except PeerError:
            self._faulty = {other: end for other, end in self._faulty.items() if end > now} | {sender: now + PAUSE}
            if rumour is not None and not rumour.certain:
                self.forget(table)
            raise
        return said or (self._head(rumour) if rumour.length > before else None)

    def _recalled(self, sender: bytes, table: bytes, now: int, *, wanted: bool) -> Rumour | None:
        """The stored log, or an empty rumour of a wanted table."""
        kept = self._shelf.entries(table)
        if not kept and not wanted:
            return None
        if kept and not self._budgets.take(sender, now, sum(map(len, kept))):
            return None
        return self._add(kept_log(kept, self._checker) if kept else Log(table, self._checker))

    def _add(self, log: Log) -> Rumour:
        """A table that concerns this peer; if there are too many, the oldest goes, because it can be sent again."""
        if len(self._certain) >= MOST_TABLES:
            del self._certain[next(iter(self._certain))]
        self._certain[log.table] = rumour = Rumour(log, certain=True)
        return rumour

    def _begun(self, sender: bytes, message: Entries) -> Rumour | None:
        """An unknown table, sent from its first entry on. If there are too many, one goes of a sender with most."""
        first = message.entries[0]
        if first.index or not isinstance(first.body, BeginBody):
            return None
        if self._key in first.body.keys:  # my own signature is in it, or it can't be taken
            log = Log(first.table, self._checker)
            log.take(first)
            return self._add(log)
        rumour = Rumour(Log(first.table, Witness(self._checker)))
        self._rumours.put(sender, first.table, rumour)
        return rumour

    def _head(self, rumour: Rumour) -> Head:
        head = rumour.log.head if rumour.certain else rumour.head
        return Head(rumour.log.table, rumour.length, head)

    def _compare(self, rumour: Rumour | None, message: Head) -> Message | None:
        """Ask for missing entries. A complete log without a seat for this peer does not concern it."""
        if rumour is None:
            return Want(message.table, 0)
        own = self._head(rumour)
        if (message.length, message.head) == (own.length, own.head):
            if rumour.named and not rumour.is_checked:
                self._check(rumour)
                return None
            return Gone(message.table)
        if message.length >= own.length:
            return Want(message.table, max(0, own.length - 1))
        return None

    def _take_all(self, rumour: Rumour, message: Entries) -> Message | None:
        """Add entries of a table that concerns this peer, with their proofs checked."""
        for entry in message.entries:
            if entry.index > len(rumour.log.entries):
                return Want(message.table, max(0, len(rumour.log.entries) - 1))
            try:
                rumour.log.take(entry)
            except Late:
                continue
        return None

    def _note_all(self, rumour: Rumour, message: Entries) -> Message | None:
        """Hold entries of another table as bytes, and note whether one names this peer."""
        for entry in message.entries:
            data = entry.data
            if entry.table != message.table:
                raise PeerError("an entry of another table")
            if entry.index > len(rumour.data):
                return Want(message.table, max(0, len(rumour.data) - 1))
            if entry.index < len(rumour.data):
                if rumour.data[entry.index] != data:  # one entry replaced another: the sender sends it again
                    self.forget(message.table)
                    return Want(message.table, 0)
                continue
            if rumour.size + len(data) > MOST_BYTES or len(rumour.data) == MOST_ENTRIES:
                raise PeerError("too long a log, in which I have no seat")
            rumour.data.append(data)
            rumour.size += len(data)
            rumour.head = entry.hash
            rumour.named = rumour.named or self._is_named(entry)
        if rumour.named:
            self._check(rumour)
        return None

    def _is_named(self, entry: Entry) -> bool:
        """Whether the entry names this peer as a stand-in, with its own signature of consent."""
        match entry.body:
            case MotionBody(StandInMotion(seat, key), _, own) if own and key == self._key:
                return seat < 256 and verified(key, own, consent(entry.table, entry.before, seat))
        return False

    def _check(self, rumour: Rumour) -> None:
        """Check the next entries of a log in which this peer is named, except for proofs about cards."""
        done = len(rumour.log.entries)
        for data in rumour.data[done : done + CHECKED_AT_ONCE]:
            try:
                rumour.log.take(read_entry(data))
            except PeerError:
                self.forget(rumour.log.table)
                raise

    def proved(self, log: Log) -> Log:
        """The log with all its proofs checked; a `PeerError` says what is wrong with it."""
        return replayed(log.table, log.entries, self._checker) if isinstance(log.checker, Witness) else log

    def keep(self, log: Log) -> None:
        """Store the entries that are not stored yet."""
        kept = set(self._shelf.entries(log.table))
        for entry in log.entries:
            if entry.data not in kept:
                self._shelf.keep_entry(entry)

    def forget(self, table: bytes) -> None:
        """The table is open, or does not concern this peer."""
        self._certain.pop(table, None)
        self._rumours.pop(table)
