"""Synchronises the logs of a table's peers: heads, requests, entries, and branches that differ.

A machine without sockets; `now` is in milliseconds. net/game_log/log.py decides whether an entry is valid, table.py
what follows from a new one. Specification: docs/protocols/play.md.
"""

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final, Protocol

from quadrille.net.core.pace import Buckets, a_second
from quadrille.net.entries.bodies import ExcludedBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.faults import Desync, Fault, Fork, Gap, Late
from quadrille.net.entries.wire import Entries, Head, Message, Want
from quadrille.net.game_log.news import Blamed, Stopped
from quadrille.net.tables.convictions import Convictions
from quadrille.net.tables.promises import Promises
from quadrille.net.tables.table_context import LogMark, TableContext

#: Milliseconds after another seat's first head in which other seats may report a longer log.
CATCHING_UP: Final = 5000
#: Maximum bytes of entries in one message, unless a single one is larger, and maximum entries.
MOST_BYTES: Final = 48_000
MOST_ENTRIES_TOLD: Final = 256
#: How far back a peer first asks for another branch, in entries; doubled with each answer that does not reach the
#: fork.
FIRST_STEP_BACK: Final = 8
#: Bytes of the log per second and in a burst: for a seat, for another peer. Then the price of an empty answer.
SEAT_RATE: Final = (1 << 20, 1 << 21)
OTHERS_RATE: Final = (1 << 18, 1 << 19)
ANSWER: Final = 256


class EntryWriter(Protocol):
    """The part of a table that writes entries, and continues when the log has grown."""

    def went_on(self, now: int, before: LogMark) -> None:
        """The log has new entries since this mark."""

    def carry(self, now: int) -> bool:
        """Write an entry that the seats have decided together, if one is due."""


class Rest(Enum):
    """The fate of the entries behind one in its message."""

    #: They are taken too.
    TAKEN = auto()
    #: They can't be added either; they are kept, because their branch may come to stand.
    KEPT = auto()
    #: The entry is false, and nothing that comes with it is looked at.
    DROPPED = auto()


class LogExchange:
    """One peer's part in the exchange of a table's log: what it sends, requests and accepts."""

    __slots__ = (
        "_accusers",
        "_answered",
        "_context",
        "_convictions",
        "_for_others",
        "_for_seats",
        "_log",
        "_promises",
        "_settled",
        "_steps_back",
        "_told",
        "_writer",
        "waits_for_head",
    )

    def __init__(
        self,
        context: TableContext,
        promises: Promises,
        convictions: Convictions,
        writer: EntryWriter,
    ) -> None:
        self._context, self._log = context, context.log
        self._promises, self._convictions, self._writer = promises, convictions, writer
        #: Whether this seat writes nothing yet, because its stored log may be older than what it has signed
        #: (`resume`).
        self.waits_for_head = False
        self._answered: set[bytes] = set()
        self._accusers: set[bytes] = set()  # the others who say that this seat computes false positions
        self._steps_back: dict[bytes, int] = {}
        self._settled = 0
        self._told: dict[bytes, tuple[int, int]] = {}  # the last length that each other seat reported, and since when
        self._for_seats = Buckets[bytes](a_second(*SEAT_RATE), shared=context.log.now.terms.seats)
        self._for_others = Buckets[bytes](a_second(*OTHERS_RATE), shared=8)

    def head(self) -> Head:
        """The length of the log here, as a message."""
        return Head(self._log.table, len(self._log.entries), self._log.head)

    def beat(self) -> None:
        """A new heartbeat: branches may be shown again."""
        self._answered.clear()

    def changed(self, since: int) -> None:
        """Entries from that place on are new, so they may not be on disk."""
        self._settled = min(self._settled, since)

    # A seat that comes back

    def resume(self) -> None:
        """Write nothing before another seat has reported its length: the stored log may be an old backup."""
        standing, key = self._log.now, self._context.identity.key
        writes = self._context.seat is not None or key == standing.terms.arbiter
        self.waits_for_head = writes and bool(self._others()) and not standing.over

    def _others(self) -> set[bytes]:
        standing = self._log.now
        return {standing.keys[seat] for seat in standing.seats_in()} - {self._context.identity.key}

    def has_caught_up(self, now: int) -> bool:
        """Whether a waiting seat may write: all other seats have reported their length, and this log is as long.

        It waits for absent seats, or for a length that nobody proves, no longer than `CATCHING_UP`.
        """
        if not self.waits_for_head or not self._told:
            return False
        lengths, here = [length for length, _ in self._told.values()], len(self._log.entries)
        late = now - min(since for _, since in self._told.values()) >= CATCHING_UP
        all_told = self._others() <= self._told.keys()
        self.waits_for_head = not ((all_told and here >= max(lengths)) or (late and here >= min(lengths)))
        return not self.waits_for_head

    # Heads and entries

    def compare(self, author: bytes, said: Head, now: int) -> None:
        """Compare logs: send what the other lacks, or ask for what is missing here."""
        here = len(self._log.entries)
        if said.length < here:
            same = said.length > 0 and self._log.entries[said.length - 1].hash == said.head
            self.send(author, said.length if same else max(0, said.length - 1), now)
        elif said.length > here or said.head != self._log.head:
            self.ask(author, here - 1)

    def note(self, author: bytes, said: Head, now: int) -> None:
        """Remember a seat's length, while this peer's own seat waits."""
        if self._is_seated(author):
            self._told[author] = (said.length, self._told.get(author, (0, now))[1])

    def ask(self, key: bytes, start: int) -> None:
        """Ask for the entries from that index on."""
        self._tell(key, (Want(self._log.table, max(0, start)),))

    def send(self, author: bytes, start: int, now: int) -> bool:
        """Send the entries from that index on, as many as one message holds; the peer asks for the rest.

        False, and nothing is sent, if the peer exceeds its rate.
        """
        size, chosen = 0, list[Entry]()
        for entry in self._log.entries[start : start + MOST_ENTRIES_TOLD]:
            size += len(entry.data) + 5
            if chosen and size > MOST_BYTES:
                break
            chosen.append(entry)
        budgets = self._for_seats if self._is_seated(author) else self._for_others
        if not budgets.take(author, now, ANSWER + size):
            return False
        if chosen:
            self._settle()
            self._tell(author, (Entries(self._log.table, tuple(chosen)),))
        return True

    # Entries of others

    def take(self, sender: bytes, entries: tuple[Entry, ...], now: int) -> None:
        """Add entries to the log; keep those of another branch that may come to stand. The first false one ends it."""
        before = len(self._log.entries)
        for place, entry in enumerate(entries):
            rest = Rest.DROPPED if self._context.stopped else self._take(sender, entry, now)
            if rest is Rest.KEPT and not self._context.stopped:
                self._keep(sender, entries[place:], now)
            if rest is not Rest.TAKEN:
                break
        if len(entries) > 1 and len(self._log.entries) > before:
            self._tell(sender, (self.head(),))

    def _take(self, sender: bytes, entry: Entry, now: int) -> Rest:
        """Add one entry."""
        if self._promises.refuses(entry):
            return Rest.KEPT
        mark = self._context.mark()
        try:
            new = self._log.take(entry, sender)
        except Gap:
            self.ask(sender, mark.length - 1)
            return Rest.KEPT
        except Late:
            self._show(sender, entry, now)
            return Rest.KEPT
        except (Fork, Desync) as error:
            return self._convict(error, sender, entry, now)
        except Fault as error:
            self._blame(sender, entry, error)
            return Rest.DROPPED
        if new:
            self._writer.went_on(now, mark)
        return Rest.TAKEN

    def _keep(self, sender: bytes, entries: Iterable[Entry], now: int) -> None:
        """Put entries aside, up to the first false one; their branch may stand at once."""
        mark = self._context.mark()
        for entry in entries:
            try:
                self._log.put_aside(entry, sender)
            except Fault as error:
                self._blame(sender, entry, error)
                break
        if self._log.reconsider():
            self._writer.went_on(now, mark)

    def _convict(self, error: Fork | Desync, sender: bytes, entry: Entry, now: int) -> Rest:
        """Keep a proof of guilt. All peers keep the same of two entries, and the culprit's seat has to go."""
        proof = (self._log.entries[entry.index], entry) if isinstance(error, Fork) else (entry,)
        if error.culprit == self._context.identity.key:
            self._context.stop(Stopped(error.culprit, f"{error}: another program plays with this identity", ()))
            return Rest.DROPPED
        if self._convictions.is_shown(error.culprit):
            self._show(sender, entry, now)
            return Rest.KEPT
        mark = self._context.mark()
        if isinstance(error, Fork) and self._log.take_aside([entry]):
            self._writer.went_on(now, mark)
        elif isinstance(error, Fork):
            self._show(sender, entry, now)
        if entry.author == NOBODY or not self._convictions.convict(error, *proof):
            self._context.events.append(Blamed(error.culprit, str(error)))
        self._writer.carry(now)
        return Rest.TAKEN if isinstance(error, Fork) else Rest.DROPPED

    def _blame(self, sender: bytes, entry: Entry, error: Fault) -> None:
        match entry.body:
            case ExcludedBody(seat, [_]) if seat == self._context.seat:
                self._accusers.add(sender)
                if self._others() <= self._accusers:
                    why = "another program computes other positions than this one"
                    self._context.stop(Stopped(sender, why, ()))
        self._convictions.keep_fault(entry, error)
        self._context.events.append(Blamed(sender if error.culprit == NOBODY else error.culprit, str(error)))

    def _show(self, key: bytes, entry: Entry, now: int) -> None:
        """Another branch stands at that peer: show ours with its vouches, and ask for the other's earlier entries.

        Once per heartbeat, because two peers that differ would answer each other for ever.
        """
        if key in self._answered:
            return
        self._answered.add(key)
        start = entry.index
        if start and entry.before != self._log.entries[start - 1].hash:
            back = self._steps_back.get(key, FIRST_STEP_BACK)
            self._steps_back[key] = min(2 * back, MOST_ENTRIES_TOLD)
            start = max(0, start - back)
            self.ask(key, start)
        self.send(key, start, now)
        if 0 < entry.index < len(self._log.entries):
            self._tell(key, self._promises.vouches(self._log.entries[entry.index]))

    def _tell(self, key: bytes, messages: Iterable[Message]) -> None:
        self._context.outgoing += [(key, message) for message in messages]

    def _is_seated(self, key: bytes) -> bool:
        standing = self._log.now
        return key in standing.keys or any(key == chair.key for chair in standing.chairs)

    def _settle(self) -> None:
        """Flush others' entries before they are relayed.

        A peer that relays a seat's entry must never sign later that the seat did not write it. The promise is on disk
        first, so it survives a power cut.
        """
        length = len(self._log.entries)
        if self._context.seat is not None and self._settled < length and self._log.now.terms.seats > 2:
            self._context.shelf.settle(self._log.table)
            self._settled = length
