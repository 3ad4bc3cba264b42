"""Tables at play that are not open here: what others tell of them, until it shows whether this peer has a seat there.

It may have one in three ways: it left the table in the middle; it died when the table was about to begin; the others
named it to play on for somebody. Each is proved by the log, and nothing but the log. Specification: protocols.md,
"Lobby".
"""

from collections.abc import Iterable
from typing import Final

from quadrille.net.cards.umpire import Umpire, Witness
from quadrille.net.entry import read_entry
from quadrille.net.errors import PeerError
from quadrille.net.faults import Fork, Gap, Late
from quadrille.net.log import Log
from quadrille.net.shelf import Shelf
from quadrille.net.wire import Entries, Gone, Head, Message, Want

#: So many tables are heard of at a time; one more takes the place of the one that was heard of first.
MOST_TABLES: Final = 8


def kept_log(data: Iterable[bytes], umpire: Umpire) -> Log:
    """The log that is on a shelf, of one entry at least. What was replaced later on is there too.

    Proofs about cards were checked before they were kept, and a whole game of them would take seconds.
    """
    entries = [read_entry(one) for one in data]
    log = Log(entries[0].table, Witness(umpire))
    for entry in entries:
        try:
            log.take(entry)
        except Fork:
            log.settle(entry)
        except (Gap, Late):
            log.take_aside([entry])
        except PeerError:
            continue
    log.umpire = umpire
    return log


def has_seat(log: Log, key: bytes) -> bool:
    """Whether the holder of this key writes for a seat, or sat down there when it began.

    A log proves either, but at a table of protocol 1 the others could name a stand-in that had not agreed.
    """
    standing = log.now
    return (key in standing.keys and standing.protocol > 1) or key in [chair.key for chair in standing.chairs]


class Hearsay:
    """The logs of such tables, each as far as it is here, all checked."""

    __slots__ = ("_logs", "_shelf", "_umpire")

    def __init__(self, shelf: Shelf, umpire: Umpire) -> None:
        self._shelf = shelf
        self._umpire = umpire
        self._logs: dict[bytes, Log] = {}

    def log(self, table: bytes) -> Log:
        """What is known of a table: to begin with, what is on the shelf."""
        if table not in self._logs:
            if len(self._logs) == MOST_TABLES:
                del self._logs[next(iter(self._logs))]
            kept = self._shelf.entries(table)
            self._logs[table] = kept_log(kept, self._umpire) if kept else Log(table, self._umpire)
        return self._logs[table]

    def hear(self, message: Entries | Head) -> Message | None:
        """Somebody tells of a table; what to say to that, if anything: more is asked for until all of it is here."""
        log = self.log(message.table)
        here = len(log.entries)
        want = Want(message.table, max(0, here - 1))
        if isinstance(message, Head):
            if message.length > here or (message.length == here and message.head != log.head):
                return want
            return Gone(message.table) if message.head == log.head else None
        for data in message.entries:
            entry = read_entry(data)
            if entry.index > len(log.entries):
                return want
            try:
                log.take(entry)
            except Late:
                continue
        return Head(message.table, len(log.entries), log.head) if len(log.entries) > here else None

    def keep(self, table: bytes) -> None:
        """Put on the shelf what is not there yet."""
        kept = set(self._shelf.entries(table))
        for entry in self.log(table).entries:
            if entry.data not in kept:
                self._shelf.keep_entry(entry)

    def forget(self, table: bytes) -> None:
        """The table is open, or no affair of ours."""
        self._logs.pop(table, None)
