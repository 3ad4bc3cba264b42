"""Tables at play that are not open here: which of them concern this peer, by what others tell.

A table concerns this peer in three cases: it left the table in the middle (the log is stored); its program died as the
table was about to begin (its own signature is in entry 0); it asked this sender to watch, or for a seat there. So
entry 0 decides, and nothing is remembered of other tables. A sender of such a table pays for the work by itself
(net/program/charges.py). Specification: docs/protocols/gathering.md, "Lobby".
"""

from collections.abc import Iterable

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import Entry, read_entry
from quadrille.net.entries.faults import Fork, Gap, Late
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.wire import Entries, Gone, Head, Message, Want
from quadrille.net.game_log.log import Log, replayed


def kept_log(data: Iterable[bytes]) -> Log:
    """Read a stored log of one entry at least; a PeerError says why it can't go on here, as where the file of its game
    was edited since. Entries replaced later are stored too.

    Proofs about cards were checked before they were stored; to check a whole game again would take seconds.
    """
    entries = [read_entry(text) for text in data]
    log = Log(entries[0].table, believes=True)
    for entry in entries:
        try:
            log.take(entry)
        except (Fork, Gap, Late):
            log.take_aside([entry])
        except PeerError:
            if entry.index == 0 and not log.entries:
                raise
    log.believes = False
    return log


def concerning(message: Entries | Head, shelf: TableStore, key: bytes, *, watches: bool) -> Log | Message | None:
    """Return the log of a table that concerns the peer with this key, all checked, or the answer to send, if any. The
    peer `watches` the table that it asked this sender to show.
    """
    if kept := shelf.entries(message.table):
        try:
            log = kept_log(kept)
        except PeerError:  # the sender is not to blame for what is missing here
            return None
        return log if watches or log.now.has_seat(key) else Gone(log.table)  # it only watched once
    match message:
        case Entries(table, (Entry(index=0, body=BeginBody() as body), *_)) if watches or key in body.keys:
            return replayed(table, message.entries)  # my own signature is in it, or it can't be taken
        case Entries(table, (Entry(index=0), *_)):
            return Gone(table)
    return Want(message.table, 0)
