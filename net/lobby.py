"""One peer's whole part on the network: who is here, which tables there are, and every table it has to do with.

A machine like those it holds: messages and time come in, messages and events go out. It decides nothing about a game.
Specification: protocols.md, "Lobby".
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from quadrille.net.adverts import Adverts
from quadrille.net.cards.umpire import Umpire
from quadrille.net.entry import Entry
from quadrille.net.errors import PeerError
from quadrille.net.gathering import BEGUN, CLOSED, Gathering, Refused
from quadrille.net.gathering import Event as GatheringEvent
from quadrille.net.guard import Watch
from quadrille.net.hashing import short
from quadrille.net.hearsay import Hearsay, has_seat, kept_log
from quadrille.net.identity import Identity
from quadrille.net.log import Log
from quadrille.net.news import Event as TableEvent
from quadrille.net.news import Took
from quadrille.net.shelf import Shelf
from quadrille.net.table import Table
from quadrille.net.terms import Chair, Terms, read_terms
from quadrille.net.wire import (
    Advert,
    Answer,
    Ask,
    Contacts,
    Engage,
    Engaged,
    Entries,
    Gone,
    Head,
    Invite,
    Message,
    Offer,
    Words,
    read_offer,
)

#: How long a table that is over still speaks by itself, in milliseconds; then it only answers.
LAST_WORDS: Final = 10_000
#: Motions by which another writes for a seat from now on.
BY_ANOTHER: Final = ("stand-in", "back")


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
class Awaited:
    """Somebody waits for me at a table that is not open here, and that has a seat of mine: it is on the shelf."""

    key: bytes
    log: Log


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


@dataclass(frozen=True, slots=True)
class Aside:
    """Something about an engagement (net/engagement.py), or a leave from what is no table here; and who said it."""

    key: bytes
    message: Engage | Engaged | Words | Gone


Event = Arrived | Departed | Invited | Began | Awaited | At | Dropped | Aside


class Lobby:
    """Peers, gatherings and tables of one identity."""

    __slots__ = (
        "_adverts",
        "_at",
        "_awaited",
        "_ends",
        "_hearsay",
        "_offers",
        "_quiet",
        "_resumes",
        "_umpire",
        "events",
        "faults",
        "gatherings",
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

    def __init__(
        self,
        identity: Identity,
        name: str,
        kind: str,
        shelf: Shelf,
        *,
        resumes: bool = True,
        umpire: Umpire | None = None,
    ) -> None:
        """One that `resumes` sits down by itself wherever it hears that it has a seat; else it is only told of that.

        The umpire checks what seats say about hidden cards, in the best group there is.
        """
        self.identity = identity
        self.name = name
        self.kind = kind
        self.shelf = shelf
        self.here: set[bytes] = set()
        self.peers: dict[bytes, Peer] = {}
        self.gatherings: dict[bytes, Gathering] = {}
        self.tables: dict[bytes, Table] = {}
        self.watching: dict[bytes, bytes] = {}  # the tables where I look on, and whom I asked
        self.watchers: dict[bytes, set[bytes]] = {}
        self.outgoing: list[tuple[bytes, Message]] = []
        self.events: list[Event] = []
        #: What is done about a fault of this program in some place (net/guard.py); raised, if nothing else is said.
        self.faults: Callable[[str, Exception], None] = _raised
        self._adverts = Adverts(name, kind)
        self._umpire = umpire or Umpire()
        self._hearsay = Hearsay(shelf, self._umpire)
        self._offers: dict[bytes, tuple[Any, ...]] = {}
        self._ends: dict[bytes, int] = {}  # until when a table that is over speaks
        self._quiet: set[bytes] = set()
        self._resumes = resumes
        self._awaited: set[bytes] = set()
        self._at: dict[bytes, set[bytes]] = {}  # who shows at a table that it is there, and not only on the network

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

    def turn_down(self, invited: Invited, why: str) -> None:
        """Do not come to a table, and say why."""
        self.outgoing.append((invited.key, Answer(invited.table, False, why)))

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
        self.shelf.keep_secret(table, _guest_label(key), b"")
        self.outgoing.append((key, Invite(table, self.tables[table].log.now.terms.plain())))

    def watch(self, table: bytes, key: bytes) -> None:
        """Look on at a table that this peer is at."""
        self.watching[table] = key
        self.outgoing.append((key, Ask(table, "watch", self.name, self.kind)))

    def resume(self, entries: Iterable[bytes], now: int) -> Table:
        """Sit down again where the log on the shelf left off."""
        return self._seat(kept_log(entries, self._umpire), now)

    def forget(self, table: bytes) -> None:
        """A table that is over and that nobody here looks at any more. It stays on the shelf."""
        del self.tables[table]
        self.watchers.pop(table, None)
        self.watching.pop(table, None)
        self._at.pop(table, None)
        self._ends.pop(table, None)
        self._quiet.discard(table)

    def _seat(self, log: Log, now: int) -> Table:
        table = Table(log, self.identity, self.shelf, now)
        self.tables[log.table] = table
        self.gatherings.pop(log.table, None)
        self._hearsay.forget(log.table)
        self.events.append(Began(log.table))
        self._at[log.table] = set(self.here) if len(log.entries) == 1 else set()
        for seat, key in enumerate(log.now.keys):
            if key != self.identity.key and key not in self._at[log.table]:
                table.gone[seat] = now
        for key in self._members(log.table, table):
            self.outgoing.append((key, _head(table)))
        return table

    # What others do

    def came(self, key: bytes, now: int) -> None:
        """A peer can be reached."""
        self.here.add(key)
        for gathering in self.gatherings.values():
            gathering.came(key)
        for name, asked in self.watching.items():
            if asked == key and name not in self.tables:  # what was asked, or the answer, may have been lost
                self.watch(name, key)
        for name, table in self.tables.items():
            if key in self._concerned(name, table):
                self.outgoing.append((key, _head(table)))
        self._collect(now)

    def went(self, key: bytes, now: int) -> None:
        """A peer can't be reached any more."""
        for gathering in self.gatherings.values():
            gathering.went(key, now)
        for name, table in self.tables.items():
            self._at[name].discard(key)
            table.went(key, now)
        if peer := self.peers.pop(key, None):
            self.events.append(Departed(peer))
        self.here.discard(key)
        self._adverts.forget(key)
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
                del self.watching[table]
                self.events.append(At(table, Refused(why)))
            case Contacts():
                pass  # the node's affair
            case Gone(None):
                self.went(author, now)
            case _ if message.table in self.tables:
                self._at_table(author, message, self.tables[message.table], now)
            case _ if message.table in self.gatherings:
                self.gatherings[message.table].receive(author, message, now)
            case Engage() | Engaged() | Words() | Gone():
                self.events.append(Aside(author, message))
            case Ask(table):
                self._adverts.forget(author)  # what it has heard of mine is old
                self.outgoing.append((author, Answer(table, False, "there is no such table here")))

    def _at_table(self, author: bytes, message: Message, table: Table, now: int) -> None:
        """Whoever is not at the table may only look on, if the terms let it; it has to ask, or to show that it does."""
        name = table.log.table
        if author not in self._concerned(name, table):
            if not self._may_watch(name, author, table):
                if isinstance(message, Ask):
                    self.outgoing.append((author, Answer(name, False, "you may not look on at this table")))
                return
            self.watchers.setdefault(name, set()).add(author)
        if isinstance(message, Gone):
            self.watchers.get(name, set()).discard(author)
        elif author not in self._at[name]:
            self._at[name].add(author)
            if not isinstance(message, Ask):  # which is answered with all there is
                table.came(author, now)
        table.receive(author, message, now)

    def _may_watch(self, name: bytes, key: bytes, table: Table) -> bool:
        return table.log.now.terms.watchers == "anyone" or self.shelf.secret(name, _guest_label(key)) is not None

    def _hear_advert(self, author: bytes, advert: Advert) -> None:
        offers = []
        for plain in advert.tables:
            offer = read_offer(plain)
            if offer.host == author:
                offers.append(offer)
        if author not in self.peers:
            self._adverts.forget(author)  # it may not have heard mine
        self.peers[author] = peer = Peer(author, advert.name, advert.kind, tuple(offers))
        self.events.append(Arrived(peer))

    def _hear_of_table(self, author: bytes, message: Entries | Head, now: int) -> None:
        """A table at play that is not open here."""
        table = message.table
        if table in self._awaited:
            return
        answer = self._hearsay.hear(message)
        log = self._hearsay.log(table)
        seated = bool(log.entries) and has_seat(log, self.identity.key)
        if log.entries and (table in self.watching or (seated and self._sits_down(log))):
            self._hearsay.keep(table)
            self._open(log, now)
            self.tables[table].receive(author, message, now)
        elif seated:
            self._hearsay.keep(table)
            self._hearsay.forget(table)
            self._awaited.add(table)
            self.events.append(Awaited(author, log))
        elif answer is not None:
            if isinstance(answer, Gone):
                self._hearsay.forget(table)
            self.outgoing.append((author, answer))

    def _sits_down(self, log: Log) -> bool:
        """Whether this program plays on by itself. A game that is over is only told of, which does no harm."""
        return self._resumes or log.table in self.gatherings or log.now.over is not None

    # Time, and what goes out

    @property
    def deadline(self) -> int:
        """When `wake` is wanted."""
        due = [gathering.deadline for gathering in self.gatherings.values()]
        due += [table.deadline for name, table in self.tables.items() if name not in self._quiet]
        return min([*due, self._adverts.deadline])

    def wake(self, now: int) -> None:
        """Time has passed."""
        for gathering in list(self.gatherings.values()):
            with Watch(partial(self.faults, "a table that has not begun")) as watch:
                gathering.wake(now)
            if watch.failed:
                gathering.fail()
        self._quiet |= {name for name, end in self._ends.items() if now >= end}
        for name, table in self.tables.items():
            if name not in self._quiet:
                with Watch(partial(self.faults, "a table")) as watch:
                    table.wake(now)
                if watch.failed:
                    table.fail()
                    self._quiet.add(name)
        self._adverts.wake(now)
        self._collect(now)

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
            self._look_after(name, table, now)
            for key, message in table.outgoing:
                self.outgoing += [(to, message) for to in ([key] if key else self._members(name, table))]
            table.outgoing.clear()
            self.events += [At(name, event) for event in table.events]
            table.events.clear()
        self._advertise(now)

    def _look_after(self, name: bytes, table: Table, now: int) -> None:
        """Who plays on for a seat is here or not, whoever had it before; and what is over soon falls silent."""
        for event in table.events[:]:
            if isinstance(event, Took) and event.entry.kind == "begin":  # the host proposed again: others may sit here
                own, keys = self.identity.key, enumerate(table.log.now.keys)
                table.gone = {seat: now for seat, key in keys if key != own and key not in self._at[name]}
            elif isinstance(event, Took) and event.entry.kind == "motion" and event.entry.body[0][0] in BY_ANOTHER:
                seat = event.entry.body[0][1]
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
            del self._ends[name]  # what ended it was replaced
            self._quiet.discard(name)

    def _begin(self, entry: Entry, now: int) -> None:
        log = Log(entry.table, self._umpire)
        log.take(entry)
        self.shelf.keep_entry(entry)
        self._open(log, now)

    def _open(self, log: Log, now: int) -> None:
        """A table that was not open here. When it has just begun, others may not have heard of that."""
        self._seat(log, now)
        if len(log.entries) == 1 and self.identity.key in log.now.keys:
            begin = Entries(log.table, (log.entries[0].data,))
            self.outgoing += [(key, begin) for key in log.now.keys if key in self.here]

    def _concerned(self, name: bytes, table: Table) -> set[bytes]:
        """Everybody at a table: who sits, who sat down first, who looks on."""
        standing = table.log.now
        return {*standing.keys, *(chair.key for chair in standing.chairs), *self.watchers.get(name, ())}

    def _members(self, name: bytes, table: Table) -> list[bytes]:
        """Those of them who can be told something."""
        return sorted(key for key in self._concerned(name, table) if key in self.here and key != self.identity.key)

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

    def _advertise(self, now: int) -> None:
        """Tell every peer whose copy of my advert is old."""
        hosted = [gathering for gathering in self.gatherings.values() if gathering.hosts]
        offers = [gathering.offer().plain() for gathering in hosted]
        offers += [offer for table in self.tables.values() if (offer := self._offer(table)) is not None]
        self._adverts.offer(offers, now, waits=bool(hosted))
        self.outgoing += [(key, self._adverts.advert) for key in self._adverts.owed(self.here)]


def _raised(_: str, error: Exception) -> None:
    raise error


def _head(table: Table) -> Head:
    return Head(table.log.table, len(table.log.entries), table.log.head)


def _guest_label(key: bytes) -> str:
    """Under what it is kept that somebody may look on."""
    return f"guest/{key.hex()}"
