"""One peer's whole part on the network: who is here, which tables there are, and every table it has to do with.

A machine like those it holds: messages and time come in, messages and events go out. It decides nothing about a game.
Specification: protocols.md, "Lobby".
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from quadrille.net.entry import Entry, read_entry
from quadrille.net.errors import PeerError
from quadrille.net.gathering import BEGUN, CLOSED, Gathering, Refused
from quadrille.net.gathering import Event as GatheringEvent
from quadrille.net.hashing import short
from quadrille.net.identity import Identity
from quadrille.net.log import Log
from quadrille.net.table import Event as TableEvent
from quadrille.net.table import Shelf, Table
from quadrille.net.terms import Chair, Terms, read_terms
from quadrille.net.wire import (
    Advert,
    Answer,
    Ask,
    Contacts,
    Entries,
    Gone,
    Head,
    Invite,
    Message,
    Offer,
    Want,
    read_offer,
)

#: How often a host says again what it offers, in milliseconds: an advert can be lost with a link.
OFFERED_AGAIN: Final = 5000


@dataclass(frozen=True, slots=True)
class Peer:
    """Somebody on the network, by the word of its newest advert."""

    key: bytes
    name: str
    kind: str
    tables: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Arrived:
    """A peer is here, or its advert reads otherwise now."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Departed:
    """A peer is gone."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody wants me at a table."""

    key: bytes
    table: bytes
    terms: Terms


@dataclass(frozen=True, slots=True)
class Began:
    """A table of mine is at play."""

    table: bytes


@dataclass(frozen=True, slots=True)
class At:
    """Something happened at one of my tables."""

    table: bytes
    event: GatheringEvent | TableEvent


@dataclass(frozen=True, slots=True)
class Dropped:
    """A message that can't stand, and who sent it."""

    key: bytes
    why: str


Event = Arrived | Departed | Invited | Began | At | Dropped


class Lobby:
    """Peers, gatherings and tables of one identity."""

    __slots__ = (
        "_again",
        "_offers",
        "_said",
        "events",
        "gatherings",
        "guests",
        "here",
        "identity",
        "kind",
        "name",
        "outgoing",
        "peers",
        "shelf",
        "tables",
        "watchers",
        "watching",
    )

    def __init__(self, identity: Identity, name: str, kind: str, shelf: Shelf) -> None:
        self.identity = identity
        self.name = name
        self.kind = kind
        self.shelf = shelf
        self.here: set[bytes] = set()
        self.peers: dict[bytes, Peer] = {}
        self.gatherings: dict[bytes, Gathering] = {}
        self.tables: dict[bytes, Table] = {}
        self.watching: set[bytes] = set()
        self.watchers: dict[bytes, set[bytes]] = {}
        self.guests: dict[bytes, set[bytes]] = {}
        self.outgoing: list[tuple[bytes, Message]] = []
        self.events: list[Event] = []
        self._said: dict[bytes, Advert] = {}
        self._offers: dict[bytes, tuple[Any, ...]] = {}
        self._again = 0

    # What a person does

    def host(self, terms: Terms, nonce: bytes, now: int, *, sits: bool = True) -> Gathering:
        """Offer a table; its name on the network is made from my key and a nonce that I never use again."""
        terms.check()
        table = short("table", self.identity.key, nonce)[:16]
        gathering = Gathering(table, self.identity.key, terms, self.identity, now)
        self.gatherings[table] = gathering
        if sits:
            gathering.sit(Chair(self.identity.key, self.name, self.kind))
        self._collect(now)
        return gathering

    def join(self, offer: Offer, now: int) -> Gathering:
        """Ask for a chair at a table."""
        offer.terms.check()
        gathering = Gathering(offer.table, offer.host, offer.terms, self.identity, now)
        gathering.ask(self.name, self.kind)
        self.gatherings[offer.table] = gathering
        self._collect(now)
        return gathering

    def rematch(self, table: bytes, nonce: bytes, now: int) -> Gathering:
        """The same terms and people again, everybody one seat further; the others are invited."""
        standing = self.tables[table].log.now
        again = self.host(replace(standing.terms, lot=False), nonce, now)
        keys = [chair.key for chair in standing.chairs]
        again.reserved = (*keys[1:], keys[0])
        for key in keys:
            if key != self.identity.key:
                again.invite(key)
        self._collect(now)
        return again

    def let_watch(self, table: bytes, key: bytes) -> None:
        """Invite somebody to look on at a table whose watchers are invited."""
        self.guests.setdefault(table, set()).add(key)
        self.outgoing.append((key, Invite(table, self.tables[table].log.now.terms.plain())))

    def watch(self, table: bytes, key: bytes) -> None:
        """Look on at a table that this peer is at."""
        self.watching.add(table)
        self.outgoing.append((key, Ask(table, "watch", self.name, self.kind)))

    def resume(self, entries: Iterable[bytes], now: int) -> Table:
        """Sit down again where the log on the shelf left off."""
        read = [read_entry(data) for data in entries]
        log = Log(read[0].table)
        for entry in read:
            try:
                log.take(entry)
            except PeerError:
                continue  # what was replaced later on is on the shelf too
        return self._seat(log, now)

    def _seat(self, log: Log, now: int) -> Table:
        table = Table(log, self.identity, self.shelf, now)
        self.tables[log.table] = table
        self.gatherings.pop(log.table, None)
        self.events.append(Began(log.table))
        for key in self._members(log.table, table):
            table.came(key, now)
        for chair in log.now.keys:
            if chair not in self.here and chair != self.identity.key:
                table.went(chair, now)
        return table

    # What others do

    def came(self, key: bytes, now: int) -> None:
        """A peer can be reached."""
        self.here.add(key)
        for name, table in self.tables.items():
            if key in self._concerned(name, table):
                table.came(key, now)
        self._collect(now)

    def went(self, key: bytes, now: int) -> None:
        """A peer can't be reached any more."""
        for gathering in self.gatherings.values():
            gathering.went(key, now)
        for table in self.tables.values():
            table.went(key, now)
        if peer := self.peers.pop(key, None):
            self.events.append(Departed(peer))
        self.here.discard(key)
        self._said.pop(key, None)
        self._collect(now)

    def receive(self, author: bytes, message: Message, now: int) -> None:
        """A message that its author signed."""
        try:
            self._route(author, message, now)
        except PeerError as error:
            self.dropped(author, str(error))
        self._collect(now)

    def dropped(self, key: bytes, why: str) -> None:
        """Somebody sent what is no message."""
        self.events.append(Dropped(key, why))

    def _route(self, author: bytes, message: Message, now: int) -> None:
        match message:
            case Advert():
                self._hear_advert(author, message)
            case Invite(table, terms):
                self.events.append(Invited(author, table, read_terms(terms)))
            case Entries() | Head() if message.table not in self.tables:
                self._hear_of_table(author, message, now)
            case Answer(table, False, why) if table in self.watching and table not in self.tables:
                self.watching.discard(table)
                self.events.append(At(table, Refused(why)))
            case Contacts():
                pass  # the node's affair
            case Gone(None):
                self.went(author, now)
            case _ if message.table in self.tables:
                self._at_table(author, message, self.tables[message.table], now)
            case _ if message.table in self.gatherings:
                self.gatherings[message.table].receive(author, message, now)
            case Ask(table):
                self.outgoing.append((author, Answer(table, False, "there is no such table here")))

    def _at_table(self, author: bytes, message: Message, table: Table, now: int) -> None:
        """Whoever is not at the table may only look on, if the terms let it; it has to ask, or to show that it does."""
        name = table.log.table
        if author not in self._concerned(name, table):
            welcome = table.log.now.terms.watchers == "anyone" or author in self.guests.get(name, ())
            if not welcome:
                if isinstance(message, Ask):
                    self.outgoing.append((author, Answer(name, False, "you may not look on at this table")))
                return
            self.watchers.setdefault(name, set()).add(author)
        table.receive(author, message, now)

    def _hear_advert(self, author: bytes, advert: Advert) -> None:
        offers = []
        for plain in advert.tables:
            offer = read_offer(plain)
            if offer.host == author:
                offers.append(offer)
        if author not in self.peers:
            self._said.pop(author, None)  # it may not have heard mine
        self.peers[author] = peer = Peer(author, advert.name, advert.kind, tuple(offers))
        self.events.append(Arrived(peer))

    def _hear_of_table(self, author: bytes, message: Entries | Head, now: int) -> None:
        """A table at play that is not open here: it is on the shelf, I look on, or I died when it was about to begin.

        That I agreed to it, its entry 0 proves: my signature is in it.
        """
        table = message.table
        if kept := self.shelf.entries(table):
            self.resume(kept, now).receive(author, message, now)
            return
        first = read_entry(message.entries[0]) if isinstance(message, Entries) and message.entries else None
        if first is not None and first.table != table:
            raise PeerError("an entry of another table")
        if first is None or first.index > 0:
            self.outgoing.append((author, Want(table, 0)))
        elif table in self.watching or self.identity.key in [chair[0] for chair in _chairs(first)]:
            self._begin(first, now)
            self.tables[table].receive(author, message, now)

    # Time, and what goes out

    @property
    def deadline(self) -> int:
        """When `wake` is wanted."""
        due = [gathering.deadline for gathering in self.gatherings.values()]
        if self._hosts():
            due.append(self._again)
        return min(due + [table.deadline for table in self.tables.values()], default=2**60)

    def wake(self, now: int) -> None:
        """Time has passed."""
        for gathering in list(self.gatherings.values()):
            gathering.wake(now)
        for table in self.tables.values():
            table.wake(now)
        if self._hosts() and now >= self._again:
            self._again = now + OFFERED_AGAIN
            self._said.clear()
        self._collect(now)

    def _hosts(self) -> bool:
        return any(gathering.hosts for gathering in self.gatherings.values())

    def flush(self, now: int) -> None:
        """Gather what my tables want to say, after something was done to one of them directly."""
        self._collect(now)

    def _collect(self, now: int) -> None:
        for gathering in list(self.gatherings.values()):
            self.outgoing += [(key, message) for key, message in gathering.outgoing if key is not None]
            gathering.outgoing.clear()
            self.events += [At(gathering.table, event) for event in gathering.events]
            gathering.events.clear()
            if gathering.phase == BEGUN and gathering.begun is not None:
                self._begin(gathering.begun, now)
            elif gathering.phase == CLOSED:
                del self.gatherings[gathering.table]
        for name, table in self.tables.items():
            for key, message in table.outgoing:
                self.outgoing += [(to, message) for to in ([key] if key else self._members(name, table))]
            table.outgoing.clear()
            self.events += [At(name, event) for event in table.events]
            table.events.clear()
        self._advertise()

    def _begin(self, entry: Entry, now: int) -> None:
        log = Log(entry.table)
        log.take(entry)
        self.shelf.keep_entry(entry)
        self._seat(log, now)
        if self.identity.key in log.now.keys:
            self.outgoing += [(key, Entries(entry.table, (entry.data,))) for key in log.now.keys if key in self.here]

    def _concerned(self, name: bytes, table: Table) -> set[bytes]:
        """Everybody at a table: who sits, who sat down first, who looks on."""
        standing = table.log.now
        return {*standing.keys, *(chair.key for chair in standing.chairs), *self.watchers.get(name, ())}

    def _members(self, name: bytes, table: Table) -> list[bytes]:
        """Those of them who can be told something."""
        return sorted(key for key in self._concerned(name, table) if key in self.here and key != self.identity.key)

    def _advert(self) -> Advert:
        offers = [gathering.offer().plain() for gathering in self.gatherings.values() if gathering.hosts]
        offers += [offer for table in self.tables.values() if (offer := self._offer(table)) is not None]
        return Advert(self.name, self.kind, tuple(offers[:32]))

    def _offer(self, table: Table) -> tuple[Any, ...] | None:
        """A table that I offered and that is at play; who sat down first and the terms are those of its entry 0."""
        standing = table.log.now
        if standing.over or standing.chairs[0].key != self.identity.key:
            return None
        begun = table.log.entries[0].hash
        if begun not in self._offers:
            offer = Offer(table.log.table, self.identity.key, standing.terms, standing.chairs, "playing", 0)
            self._offers[begun] = offer.plain()
        return self._offers[begun]

    def _advertise(self) -> None:
        """Tell every peer whose copy of my advert is old."""
        advert = self._advert()
        for key in sorted(self.here):
            if self._said.get(key) != advert:
                self._said[key] = advert
                self.outgoing.append((key, advert))


def _chairs(entry: Entry) -> tuple[tuple[bytes, str, str], ...]:
    """Who sat down, by an entry 0 that nobody has checked."""
    return entry.body[1] if entry.kind == "begin" else ()
