"""One peer's whole part on the network: who is here, which tables there are, and every table it has to do with.

A machine like those it holds: messages and time come in, messages and events go out. It decides nothing about a game.
Specification: protocols.md, "Lobby".
"""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from quadrille.net.adverts import Adverts
from quadrille.net.cards.umpire import Umpire
from quadrille.net.entry import Entry, consent, read_entry
from quadrille.net.errors import PeerError
from quadrille.net.gathering import BEGUN, CLOSED, ChairRefused, Entropy, Gathering
from quadrille.net.guard import ExceptionGuard
from quadrille.net.hashing import short
from quadrille.net.hearsay import Hearsay, has_seat, kept_log
from quadrille.net.identity import Identity
from quadrille.net.lobby_news import AdvertisedPeer as AdvertisedPeer
from quadrille.net.lobby_news import Arrived as Arrived
from quadrille.net.lobby_news import Aside as Aside
from quadrille.net.lobby_news import At as At
from quadrille.net.lobby_news import Began as Began
from quadrille.net.lobby_news import Called as Called
from quadrille.net.lobby_news import Departed as Departed
from quadrille.net.lobby_news import Dropped as Dropped
from quadrille.net.lobby_news import Event as Event
from quadrille.net.lobby_news import Invited as Invited
from quadrille.net.lobby_news import SeatAwaited as SeatAwaited
from quadrille.net.log import Log
from quadrille.net.news import Took
from quadrille.net.quiet import ADVERTS, Held
from quadrille.net.shelf import Shelf
from quadrille.net.table import Table
from quadrille.net.terms import Chair, Terms, read_terms
from quadrille.net.wire import (
    Advert,
    Answer,
    Ask,
    Call,
    Consent,
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
#: Maximum tables that wait for this peer to say whether it plays on for somebody.
MOST_STAND_INS: Final = 8
#: Motions by which another writes for a seat from now on.
BY_ANOTHER: Final = ("stand-in", "back")


class Lobby:
    """Peers, gatherings and tables of one identity."""

    __slots__ = (
        "_adverts",
        "_agreed",
        "_arrivals",
        "_at",
        "_awaited",
        "_ends",
        "_entropy",
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
        entropy: Entropy = secrets.token_bytes,
    ) -> None:
        """One that `resumes` sits down by itself wherever it hears that it has a seat; else it is only told of that.

        The umpire checks what seats say about hidden cards, in the best group there is.
        """
        self.identity = identity
        self.name = name
        self.kind = kind
        self.shelf = shelf
        self.here: set[bytes] = set()
        self.peers: dict[bytes, AdvertisedPeer] = {}
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
        self._hearsay = Hearsay(shelf, self._umpire, identity.key)
        self._offers: dict[bytes, tuple[Any, ...]] = {}
        self._ends: dict[bytes, int] = {}  # until when a table that is over speaks
        self._quiet: set[bytes] = set()
        self._resumes = resumes
        self._entropy = entropy
        self._awaited: dict[bytes, Log | None] = {}  # the log where this peer is named, and has not said yes
        self._agreed: dict[bytes, Terms] = {}  # the tables at which this peer agreed to play on for a seat
        self._arrivals: Held[bytes] = Held(ADVERTS)
        self._at: dict[bytes, set[bytes]] = {}  # who shows at a table that it is there, and not only on the network

    @property
    def advert(self) -> Advert:
        """What this peer tells everybody."""
        return self._adverts.advert

    # What a person does

    def host(self, terms: Terms, nonce: bytes, now: int, *, sits: bool = True) -> Gathering:
        """Offer a table; its name on the network is made from my key and a nonce that I never use again."""
        terms.check()
        table = short("table", self.identity.key, nonce)[:16]
        gathering = Gathering(table, self.identity.key, terms, self.identity, now, entropy=self._entropy)
        self.gatherings[table] = gathering
        if sits:
            gathering.sit(Chair(self.identity.key, self.name, self.kind))
        self._collect(now)
        return gathering

    def join(self, offer: Offer, now: int) -> Gathering:
        """Ask for a chair at a table."""
        offer.terms.check()
        gathering = Gathering(offer.table, offer.host, offer.terms, self.identity, now, entropy=self._entropy)
        gathering.ask(self.name, self.kind)
        self.gatherings[offer.table] = gathering
        self._collect(now)
        return gathering

    def play_on(self, called: Called) -> None:
        """Agree to play on for a seat by the terms that were told, once the seats of that table have decided it."""
        self._agreed[called.table] = called.terms
        signature = self.identity.sign(consent(called.table, called.before, called.seat))
        self.outgoing.append((called.key, Consent(called.table, called.before, called.seat, signature)))

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
        """Sit down again where the log on the shelf left off; what others have of it comes first."""
        table = self._seat(kept_log(entries, self._umpire), now)
        table.resume()
        return table

    def forget(self, table: bytes) -> None:
        """A table that is over and that nobody here looks at any more. It stays on the shelf."""
        del self.tables[table]
        self.watchers.pop(table, None)
        self.watching.pop(table, None)
        self._at.pop(table, None)
        self._ends.pop(table, None)
        self._quiet.discard(table)

    def is_silent(self, table: bytes) -> bool:
        """Whether a table that is over has spoken its last words."""
        return table in self._quiet

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
        self._arrivals.drop(key)
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
                self._hear_advert(author, message, now)
            case Invite():
                self._hear_invite(author, message)
            case Entries(table, entries) if table in self.gatherings and entries and not read_entry(entries[0]).index:
                self._hear_of_beginning(author, message, now)
            case Entries() | Head() if message.table not in self.tables:
                self._hear_of_table(author, message, now)
            case Answer(table, False, why) if table in self.watching and table not in self.tables:
                del self.watching[table]
                self.events.append(At(table, ChairRefused(why)))
            case Call(table, before, seat, terms):
                self.events.append(Called(author, table, before, seat, read_terms(terms)))
            case Consent(table) if table in self.tables and self.tables[table].accord.is_called(author):
                self.tables[table].receive(author, message, now)
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
        if isinstance(message, Ask) and message.role == "seat" and not has_seat(table.log, author):
            self.outgoing.append((author, Answer(name, False, "the game has begun")))
            return
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

    def _hear_invite(self, author: bytes, invite: Invite) -> None:
        """One to a table that can't be played here is turned down at once."""
        terms = read_terms(invite.terms)
        if (why := terms.objection()) is None:
            self.events.append(Invited(author, invite.table, terms))
        else:
            self.outgoing.append((author, Answer(invite.table, False, why)))

    def _hear_advert(self, author: bytes, advert: Advert, now: int) -> None:
        offers, unplayable = [], []
        for plain in advert.tables:
            offer = read_offer(plain)
            if offer.host != author:
                continue
            if (why := offer.terms.objection()) is None:
                offers.append(offer)
            else:
                unplayable.append((offer, why))
        if author not in self.peers:
            self._adverts.forget(author)  # it may not have heard mine
        self.peers[author] = peer = AdvertisedPeer(author, advert.name, advert.kind, tuple(offers), tuple(unplayable))
        if self._arrivals.hear(author, now):
            self.events.append(Arrived(peer))

    def _hear_of_beginning(self, author: bytes, message: Entries, now: int) -> None:
        """A table that I gather has begun elsewhere, or had begun before this program forgot it."""
        gathering = self.gatherings[message.table]
        gathering.receive(author, message, now)
        if gathering.begun is None:
            self._hear_of_table(author, message, now)

    def _hear_of_table(self, author: bytes, message: Entries | Head, now: int) -> None:
        """A table at play that is not open here."""
        table = message.table
        if table in self._awaited:
            return
        answer = self._hearsay.hear(author, message, now, wanted=self.watching.get(table) == author)
        log = self._hearsay.log(table)
        gathering = self.gatherings.get(table)
        if gathering is not None and log is not None and not gathering.stands(log.entries[0]):
            self._hearsay.forget(table)
            return
        seated = log is not None and has_seat(log, self.identity.key)
        if log is not None and (table in self.watching or (seated and self._sits_down(log))):
            self._accept(log, now)
            self.tables[table].receive(author, message, now)
        elif log is not None and seated:
            self._hearsay.forget(table)
            self._await(author, log)
        elif answer is not None:
            if isinstance(answer, Gone):
                self._hearsay.forget(table)
            self.outgoing.append((author, answer))

    def _await(self, author: bytes, log: Log) -> None:
        """Only the log of a table where this peer sat down is kept at once; of others it is asked first, and of few."""
        if self.identity.key in [chair.key for chair in log.now.chairs]:
            self._hearsay.keep(log)
            self._awaited[log.table] = None
        elif len(self.stand_ins) < MOST_STAND_INS:
            self._awaited[log.table] = log
        else:
            return
        self.events.append(SeatAwaited(author, log))

    @property
    def stand_ins(self) -> list[Log]:
        """Tables that ask this peer to play on for somebody: nothing of them is on the shelf before it says yes."""
        return [log for log in self._awaited.values() if log is not None]

    def accept(self, table: bytes, now: int) -> Table:
        """Sit down where somebody waits for me; a `PeerError` where the log that was told is wrong."""
        log = self._awaited.pop(table, None)
        made = self.resume(self.shelf.entries(table), now) if log is None else self._accept(log, now)
        self._awaited[table] = None
        return made

    def _accept(self, log: Log, now: int) -> Table:
        self._hearsay.forget(log.table)
        proved = self._hearsay.proved(log)
        self._hearsay.keep(proved)
        return self._open(proved, now)

    def _sits_down(self, log: Log) -> bool:
        """Whether this program plays on by itself. A game that is over is only told of, which does no harm."""
        asked_for = log.table in self.gatherings or self._agreed.get(log.table) == log.now.terms
        return self._resumes or asked_for or log.now.over is not None

    # Time, and what goes out

    @property
    def deadline(self) -> int:
        """When `wake` is wanted."""
        due = [gathering.deadline for gathering in self.gatherings.values()]
        due += [table.deadline for name, table in self.tables.items() if name not in self._quiet]
        return min([*due, self._adverts.deadline, self._arrivals.deadline])

    def wake(self, now: int) -> None:
        """Time has passed."""
        self.events += [Arrived(self.peers[key]) for key in self._arrivals.due(now)]
        self._arrivals.sweep(now)
        for gathering in list(self.gatherings.values()):
            with ExceptionGuard(partial(self.faults, "a table that has not begun")) as watch:
                gathering.wake(now)
            if watch.failed:
                gathering.fail()
        self._quiet |= {name for name, end in self._ends.items() if now >= end}
        for name, table in self.tables.items():
            if name not in self._quiet:
                with ExceptionGuard(partial(self.faults, "a table")) as watch:
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

    def _open(self, log: Log, now: int) -> Table:
        """A table that was not open here. When it has just begun, others may not have heard of that."""
        gathered = log.table in self.gatherings
        table = self._seat(log, now)
        if not gathered:
            table.resume()
        if len(log.entries) == 1 and self.identity.key in log.now.keys:
            begin = Entries(log.table, (log.entries[0].data,))
            self.outgoing += [(key, begin) for key in log.now.keys if key in self.here]
        return table

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
