"""The tables and gatherings that are open here, their members, and their messages.

The lower part of lobby.py, which processes messages and requests. Specification: docs/protocols/gathering.md, "Lobby".
"""

import secrets
from collections.abc import Callable, Iterable
from typing import Any, Final

from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.machine import drain
from quadrille.net.core.pace import ADVERTS, Held
from quadrille.net.entries.bodies import BeginBody, MotionBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import BackMotion, StandInMotion
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.entries.wire import (
    Advert,
    Entries,
    Head,
    Message,
    Offer,
)
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Took
from quadrille.net.seating.adverts import Adverts
from quadrille.net.seating.gathering import Entropy, Gathering
from quadrille.net.seating.gathering_phases import BEGUN, CLOSED
from quadrille.net.seating.lobby_news import AdvertisedPeer, At, Began, Event
from quadrille.net.seating.lobby_news import Arrived as Arrived
from quadrille.net.seating.lobby_news import Aside as Aside
from quadrille.net.seating.lobby_news import Called as Called
from quadrille.net.seating.lobby_news import Departed as Departed
from quadrille.net.seating.lobby_news import Dropped as Dropped
from quadrille.net.seating.lobby_news import Invited as Invited
from quadrille.net.seating.lobby_news import SeatAwaited as SeatAwaited
from quadrille.net.seating.unopened_tables import UnopenedTables, kept_log
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity

#: Milliseconds for which a finished table still sends by itself; then it only answers.
LAST_WORDS: Final = 10_000


class OpenTables:
    """Gatherings and tables of one identity."""

    __slots__ = (
        "_adverts", "_agreed", "_arrivals", "_at", "_awaited", "_ends", "_entropy", "_unopened", "_offers", "_quiet",
        "_resumes", "_checker", "events", "faults", "gatherings", "here", "identity", "kind", "lags", "name",
        "outgoing", "peers", "shelf", "tables", "watchers", "watching",
    )  # fmt: skip

    def __init__(
        self,
        identity: Identity,
        name: str,
        kind: str,
        shelf: TableStore,
        *,
        resumes: bool = True,
        checker: ProofChecker | None = None,
        entropy: Entropy = secrets.token_bytes,
    ) -> None:
        """A lobby that `resumes` sits down by itself at any table where it has a seat; otherwise it only reports the
        table.

        The checker checks the seats' proofs about hidden cards, in the best group available.
        """
        self.identity = identity
        self.name = name
        self.kind = kind
        self.shelf = shelf
        self.here: set[bytes] = set()
        self.peers: dict[bytes, AdvertisedPeer] = {}
        self.gatherings: dict[bytes, Gathering] = {}
        self.tables: dict[bytes, Table] = {}
        self.watching: dict[bytes, bytes] = {}  # the tables that I watch, and whom I asked
        self.watchers: dict[bytes, set[bytes]] = {}
        self.outgoing: list[tuple[bytes, Message]] = []
        self.events: list[Event] = []
        #: Handles a fault of this program in some place (net/trust/guard.py); by default raises it.
        self.faults: Callable[[str, Exception], None] = _raised
        #: Milliseconds that the link with a peer lately took there and back, at most.
        self.lags: Callable[[bytes], int] = lambda _: 0
        self._adverts = Adverts(name, kind)
        self._checker = checker or ProofChecker()
        self._unopened = UnopenedTables(shelf, self._checker, identity.key)
        self._offers: dict[bytes, tuple[Any, ...]] = {}
        self._ends: dict[bytes, int] = {}  # until when a finished table sends
        self._quiet: set[bytes] = set()
        self._resumes = resumes
        self._entropy = entropy
        self._awaited: dict[bytes, Log | None] = {}  # logs where this peer is named and has not agreed
        self._agreed: dict[bytes, Terms] = {}  # the tables at which this peer agreed to stand in for a seat
        self._arrivals: Held[bytes] = Held(ADVERTS)
        self._at: dict[bytes, set[bytes]] = {}  # peers that are at a table, and not only on the network

    @property
    def advert(self) -> Advert:
        """Our own advert."""
        return self._adverts.advert

    def resume(self, entries: Iterable[bytes], now: int) -> Table:
        """Sit down again with the stored log; entries that others have of it come first."""
        table = self._seat(kept_log(entries, self._checker), now)
        table.resume()
        return table

    def forget(self, table: bytes) -> None:
        """Close a finished table that nobody here looks at any more. It stays in the store."""
        del self.tables[table]
        self.watchers.pop(table, None)
        self.watching.pop(table, None)
        self._at.pop(table, None)
        self._ends.pop(table, None)
        self._quiet.discard(table)

    def is_silent(self, table: bytes) -> bool:
        """Whether a finished table has stopped sending."""
        return table in self._quiet

    def _seat(self, log: Log, now: int) -> Table:
        gathering = self.gatherings.pop(log.table, None)
        table = Table(log, self.identity, self.shelf, now, gathering.lines if gathering else ())
        self.tables[log.table] = table
        self._unopened.forget(log.table)
        self.events.append(Began(log.table))
        self._at[log.table] = set(self.here) if len(log.entries) == 1 else set()
        for seat, key in enumerate(log.now.keys):
            if key != self.identity.key and key not in self._at[log.table]:
                table.gone[seat] = now
        for key in self._members(log.table, table):
            self.outgoing.append((key, table_head(table)))
        return table

    def companions(self) -> set[bytes]:
        """Everybody at a table or gathering of this peer, itself included, and whom it watches."""
        found = set(self.watching.values())
        for name, table in self.tables.items():
            if name not in self._quiet:
                found.update(table.players())
        for gathering in self.gatherings.values():
            found.update((gathering.host, *gathering.reserved, *gathering.coming, *gathering.invited))
            found.update(chair.key for chair in self.sitting_down(gathering))
        return found

    def sitting_down(self, gathering: Gathering) -> list[Chair]:
        """The chairs of a gathering, as this peer and the host's advert know them."""
        host = None if gathering.hosts else self.peers.get(gathering.host)
        offers = [offer for offer in host.tables if offer.table == gathering.table] if host else []
        return [*gathering.chairs, *(chair for offer in offers for chair in offer.chairs)]

    # Output

    def flush(self, now: int) -> None:
        """Collect my tables' messages after one of them was called directly."""
        self._collect(now)

    def _collect(self, now: int) -> None:
        for gathering in list(self.gatherings.values()):
            self.outgoing += drain(gathering.outgoing)
            self.events += [At(gathering.table, event) for event in drain(gathering.events)]
            if gathering.phase is BEGUN and gathering.begun is not None:
                self._begin(gathering.begun, now)
            elif gathering.phase is CLOSED:
                del self.gatherings[gathering.table]
        for name, table in self.tables.items():
            self._look_after(name, table, now)
            for key, message in drain(table.outgoing):
                self.outgoing += [(to, message) for to in ([key] if key else self._members(name, table))]
            self.events += [At(name, event) for event in drain(table.events)]
        self._advertise(now)

    def _look_after(self, name: bytes, table: Table, now: int) -> None:
        """Update who is present after a stand-in or an owner took over; silence a finished table after a while."""
        for event in table.events[:]:
            match event:
                case Took(Entry(body=BeginBody())):  # the host proposed again: others may sit here
                    own, keys = self.identity.key, enumerate(table.log.now.keys)
                    table.gone.clear()
                    table.gone.update({seat: now for seat, key in keys if key != own and key not in self._at[name]})
                case Took(Entry(body=MotionBody(StandInMotion(seat) | BackMotion(seat)))):
                    key = table.log.now.keys[seat]
                    if key == self.identity.key:
                        table.gone.pop(seat, None)
                    elif key in self._at[name]:
                        table.came(key, now)
                    else:
                        table.gone[seat] = now
        if table.over or table.stopped:
            self._ends.setdefault(name, now + LAST_WORDS)
        elif name in self._ends:
            del self._ends[name]  # the entry that ended it was replaced
            self._quiet.discard(name)

    def _begin(self, entry: Entry, now: int) -> None:
        log = Log(entry.table, self._checker)
        log.take(entry)
        self.shelf.keep_entry(entry)
        self._open(log, now)

    def _open(self, log: Log, now: int) -> Table:
        """Open a table. If it has just begun, others may not know that."""
        gathered = log.table in self.gatherings
        table = self._seat(log, now)
        if not gathered:
            table.resume()
        if len(log.entries) == 1 and self.identity.key in log.now.keys:
            begin = Entries(log.table, (log.entries[0],))
            self.outgoing += [(key, begin) for key in log.now.keys if key in self.here]
        return table

    # Members

    def _concerned(self, name: bytes, table: Table) -> set[bytes]:
        """Everybody at a table: players and watchers."""
        return table.players() | self.watchers.get(name, set())

    def _members(self, name: bytes, table: Table) -> list[bytes]:
        """Those of them who can be reached."""
        return sorted(key for key in self._concerned(name, table) if key in self.here and key != self.identity.key)

    def _offer(self, table: Table) -> tuple[Any, ...] | None:
        """The offer of a table of mine at play; its people and terms are those of its entry 0."""
        standing = table.log.now
        if standing.over or standing.chairs[0].key != self.identity.key:
            return None
        begun = table.log.entries[0].hash
        if begun not in self._offers:
            offer = Offer(table.log.table, self.identity.key, standing.terms, standing.chairs, "playing", 0)
            self._offers[begun] = offer.plain()
        return self._offers[begun]

    def _advertise(self, now: int) -> None:
        """Send my advert to every peer with an old copy."""
        hosted = [gathering for gathering in self.gatherings.values() if gathering.hosts]
        offers = [gathering.offer().plain() for gathering in hosted]
        offers += [offer for table in self.tables.values() if (offer := self._offer(table)) is not None]
        self._adverts.offer(offers, now, waits=bool(hosted))
        self.outgoing += [(key, self._adverts.advert) for key in self._adverts.owed(self.here)]


def _raised(_: str, error: Exception) -> None:
    raise error


def table_head(table: Table) -> Head:
    """The length of a table's log, as a message."""
    return Head(table.log.table, len(table.log.entries), table.log.head)
