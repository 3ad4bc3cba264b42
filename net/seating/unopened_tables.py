"""Tables at play that are not open here: which of them concern this peer, by what others tell.

A table concerns this peer in four cases: it left the table in the middle (the log is stored); its program died as the
table was about to begin (its own signature is in entry 0); it asked to watch; it agreed to stand in, and the seats have
decided that. In the last case alone a log is gathered first, for each sender by itself, until an entry names this peer;
the proofs about cards in it are checked then. Nothing is remembered of other tables. A sender of such a table pays for
the work by itself (net/program/charges.py). Specification:
docs/protocols/gathering.md, "Lobby".
"""

from collections.abc import Iterable
from typing import Final

from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import PeerError
from quadrille.net.core.limits import FairBuffer
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import Entry, read_entry
from quadrille.net.entries.faults import Fork, Gap, Late
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.wire import Entries, Gone, Head, Message, Want
from quadrille.net.game_log.log import Log, replayed

#: Maximum logs that are gathered, in all and from one sender, and maximum entries of such a log.
MOST_TABLES: Final = 8
SENDER_TABLES: Final = 2
MOST_ENTRIES: Final = 1024


def kept_log(data: Iterable[bytes], checker: ProofChecker) -> Log:
    """Read a stored log of one entry at least; a PeerError says why it can't go on here, as where the file of its game
    was edited since. Entries replaced later are stored too.

    Proofs about cards were checked before they were stored; to check a whole game again would take seconds.
    """
    entries = [read_entry(one) for one in data]
    log = Log(entries[0].table, checker.believing)
    for entry in entries:
        try:
            log.take(entry)
        except (Fork, Gap, Late):
            log.take_aside([entry])
        except PeerError:
            if entry.index == 0 and not log.entries:
                raise
    log.checker = checker
    return log


class UnopenedTables:
    """The logs of such tables; `key` is this peer's."""

    def __init__(self, shelf: TableStore, checker: ProofChecker, key: bytes) -> None:
        self._shelf = shelf
        self._checker = checker
        self._key = key
        self._gathered = FairBuffer[bytes, tuple[bytes, bytes], Log](SENDER_TABLES, MOST_TABLES)

    def hear(
        self, sender: bytes, message: Entries | Head, *, watches: bool = False, agreed: bool = False
    ) -> Log | Message | None:
        """Return the log of a table that concerns this peer, all checked, or the answer to send, if any.

        The peer `watches` the table that it asked this sender to watch; it `agreed` to stand in there.
        """
        entries = message.entries if isinstance(message, Entries) else ()
        if kept := self._shelf.entries(message.table):
            try:
                log = kept_log(kept, self._checker)
            except PeerError:  # the sender is not to blame for what is missing here
                return None
            return log if watches or log.now.has_seat(self._key) else Gone(log.table)  # it only watched once
        try:
            if agreed:
                return self._named(sender, message)
            return self._begun(message.table, entries, watches=watches)
        except PeerError:
            self._gathered.pop((sender, message.table))
            raise

    def _begun(self, table: bytes, told: tuple[Entry, ...], *, watches: bool) -> Log | Message:
        """Return the log of a table, if these entries begin it."""
        match told:
            case (Entry(index=0, body=BeginBody() as body), *_) if watches or self._key in body.keys:
                return replayed(table, told, self._checker)  # my own signature is in it, or it can't be taken
            case (Entry(index=0), *_):
                return Gone(table)
        return Want(table, 0)

    def _named(self, sender: bytes, message: Entries | Head) -> Log | Message | None:
        """Gather a log until an entry names this peer, which takes its own signature; then check its proofs."""
        table, row = message.table, (sender, message.table)
        log = self._gathered.get(row) or Log(table, self._checker.believing)
        before = len(log.entries)
        if isinstance(message, Head):
            return Want(table, max(0, before - 1)) if message.length > before else None
        for entry in message.entries:
            if entry.index > len(log.entries):
                return Want(table, max(0, len(log.entries) - 1))
            if entry.index == MOST_ENTRIES:
                raise PeerError("too long a log, in which I have no seat")
            try:
                log.take(entry)
            except Late:
                log.take_aside([entry])
        if not log.entries or not log.now.has_seat(self._key):
            self._gathered.put(sender, row, log)
            return Head(table, len(log.entries), log.head) if len(log.entries) > before else None
        self._gathered.pop(row)
        return replayed(table, log.entries, self._checker)

    def keep(self, log: Log) -> None:
        """Store the entries that are not stored yet."""
        kept = set(self._shelf.entries(log.table))
        for entry in log.entries:
            if entry.data not in kept:
                self._shelf.keep_entry(entry)
