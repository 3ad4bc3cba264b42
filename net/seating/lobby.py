"""One peer's whole part on the network: its peers, the tables offered, and its own gatherings and tables.

A machine like those it holds: messages and time come in, messages and events go out. It decides nothing about a game.
See net/game_log/news.py for the events of a table. Specification: docs/protocols/gathering.md, "Lobby".
"""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import short
from quadrille.net.core.machine import NO_DEADLINE, drain
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.terms import LOOKOUT, PEOPLE, Chair, Terms, peers
from quadrille.net.entries.wire import (
    MOST_OFFERS,
    Advert,
    Answer,
    Ask,
    Chat,
    Engage,
    Engaged,
    Entries,
    Gone,
    Head,
    Invite,
    Message,
    Offer,
    Words,
)
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.game_log.news import Event as TableEvent
from quadrille.net.seating.gathering import (
    BEGUN,
    CLOSED,
    OPEN,
    ChairRefused,
    Entropy,
    Gathering,
    InLine,
    SeatWanted,
)
from quadrille.net.seating.gathering import Event as GatheringEvent
from quadrille.net.seating.unopened_tables import concerning, kept_log
from quadrille.net.tables.table import PlacesInLine, Table
from quadrille.net.trust.guard import Guarded
from quadrille.net.trust.identity import Identity

#: Tables of ended games that stay open, for a rematch or a last look.
ENDED_KEPT: Final = 2
#: Maximum peers looking on that a host invites to a rematch.
MOST_TOLD: Final = 32


@dataclass(frozen=True, slots=True)
class AdvertisedPeer:
    """A peer by its newest advert. `unplayable` are its tables with terms that can't be played here, each with the
    reason.
    """

    key: bytes
    name: str
    kind: str
    tables: tuple[Offer, ...]
    unplayable: tuple[tuple[Offer, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Arrived:
    """A peer is here, or has a new advert."""

    peer: AdvertisedPeer


@dataclass(frozen=True, slots=True)
class Departed:
    """A peer is gone."""

    peer: AdvertisedPeer


@dataclass(frozen=True, slots=True)
class Invited:
    """A peer invites me to a table."""

    key: bytes
    table: bytes
    terms: Terms


@dataclass(frozen=True, slots=True)
class Began:
    """A table of mine has begun."""

    table: bytes


@dataclass(frozen=True, slots=True)
class SeatAwaited:
    """A table that is not open here waits for me at my seat (`Lobby.resume`)."""

    key: bytes
    log: Log


@dataclass(frozen=True, slots=True)
class At:
    """An event of one of my tables."""

    table: bytes
    event: GatheringEvent | TableEvent


@dataclass(frozen=True, slots=True)
class Dropped:
    """An invalid message and its sender."""

    key: bytes
    why: str


@dataclass(frozen=True, slots=True)
class StrayMessage:
    """A message about an engagement of a bot, or a farewell that concerns no table here, with its author."""

    key: bytes
    message: Engage | Engaged | Words | Gone


Event: TypeAlias = Arrived | Departed | Invited | Began | SeatAwaited | At | Dropped | StrayMessage


class Lobby:
    """Peers, gatherings and tables of one identity."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        kind: str,
        shelf: TableStore,
        *,
        resumes: bool = True,
        entropy: Entropy = secrets.token_bytes,
    ) -> None:
        """Open a lobby. One that `resumes` sits down by itself at any table where it has a seat; otherwise it only
        reports the table.
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
        self.outgoing: list[tuple[bytes, Message]] = []
        self.events: list[Event] = []
        #: Handles a fault of this program in some place, and tells if it is one (net/trust/guard.py); raises it by
        #: default.
        self.faults: Callable[[str, Exception], bool] = _raised
        #: Whether the bots of this peer leave their seats to those in line.
        self.gives_way = False
        #: Milliseconds that the link with a peer lately took there and back, at most.
        self.lags: Callable[[bytes], int] = lambda _: 0
        #: My words to everybody, which net/hall/hall.py posts.
        self.advert = Advert(name, kind, ())
        self._resumes = resumes
        self._entropy = entropy
        self._awaited: set[bytes] = set()  # tables that wait for this peer, and were told of once

    # Time

    @property
    def deadline(self) -> int:
        due = [gathering.deadline for gathering in self.gatherings.values()]
        due += [table.deadline for table in self.tables.values()]
        return min(due, default=NO_DEADLINE)

    def wake(self, now: int) -> None:
        for gathering in list(self.gatherings.values()):
            with Guarded(partial(self._failed, "a table that has not begun", gathering)):
                gathering.wake(now)
        for table in [table for table in self.tables.values() if not table.is_silent]:
            with Guarded(partial(self._failed, "a table", table)):
                table.wake(now)
        self.flush(now)

    def pay(self, skipped: int) -> None:
        """Charge time in which this program did not run (net/core/machine.py) to the clocks of its own seats."""
        for table in self.tables.values():
            if table.is_my_turn:
                table.began -= skipped

    def _failed(self, place: str, machine: Gathering | Table, error: Exception) -> None:
        if self.faults(place, error):
            machine.fail()

    # Called for a person

    def host(
        self, terms: Terms, nonce: bytes, now: int, *, sits: bool = True, others: Iterable[tuple[str, str]] = ()
    ) -> Gathering:
        """Offer a table, with further chairs for `others` who play at this program, by name and kind. Its id is made
        from my key and a nonce that I never use again.
        """
        terms.check()
        table = short("table", self.identity.key, nonce)[:16]
        gathering = self._gathering(table, self.identity.key, terms, now)
        if sits:
            gathering.sit(Chair(self.identity.key, self.name, self.kind))
        for name, kind in others:
            gathering.add(name, kind)
        self.flush(now)
        return gathering

    def _gathering(self, table: bytes, host: bytes, terms: Terms, now: int) -> Gathering:
        self.gatherings[table] = made = Gathering(
            table, host, terms, self.identity, now, name=self.name, entropy=self._entropy, lags=self.lags,
            offered_as=lambda: offer.state if (offer := self.offer_of(host, table)) else "",
        )  # fmt: skip
        return made

    def offer_of(self, host: bytes, table: bytes) -> Offer | None:
        """Return the offer of a table in its host's posting."""
        offers = self.peers[host].tables if host in self.peers else ()
        return next((offer for offer in offers if offer.table == table), None)

    def join(self, offer: Offer, now: int, others: Iterable[tuple[str, str]] = ()) -> Gathering:
        """Ask for a chair at a table, and for further ones for `others` who play at this program."""
        offer.terms.check()
        gathering = self._gathering(offer.table, offer.host, offer.terms, now)
        gathering.ask(self.name, self.kind, tuple(others))
        if offer.host not in self.here:  # it is asked again once it can be reached
            gathering.went(offer.host, now)
        self.flush(now)
        return gathering

    def turn_down(self, invited: Invited, reason: str) -> None:
        """Decline an invitation with a reason."""
        self.outgoing.append((invited.key, Answer(invited.table, False, reason)))

    def rematch(self, table: bytes, nonce: bytes, now: int) -> Gathering:
        """Offer the same terms to the same people, everybody one seat further; invite the others."""
        ended, own = self.tables[table], self.identity.key
        chairs = ended.log.now.chairs
        mine = [(chair.name, chair.kind) for chair in chairs if chair.key == own and chair.at]
        sits = any(chair.key == own and not chair.at for chair in chairs)
        again = self.host(replace(ended.log.now.terms.offered, lot=False), nonce, now, sits=sits, others=mine)
        waiting = self.in_line(ended)
        again.line = PlacesInLine(key for key, _ in waiting)
        for chair in (*chairs[1:], chairs[0]):  # a bot gives way to a person in line
            key, ask = waiting.pop(0) if chair.kind == "bot" and waiting else (chair.key, None)
            again.reserved += (Chair(key, ask.name, ask.kind) if ask else chair,)
        looking_on = sorted(ended.watchers & self.here)[:MOST_TOLD]
        for key in dict.fromkeys((*peers(again.reserved), *looking_on)):
            if key != own:
                again.invite(key)
        self.flush(now)
        return again

    def open_seats(self, table: bytes, seats: Iterable[int]) -> None:
        """Offer seats that this peer holds in a running game, to whoever asks first; none of them closes the offer."""
        self.tables[table].opened = {*seats}
        self._advertise()

    def ask_for_seat(self, table: bytes, *keys: bytes) -> None:
        """Ask these, or all who play at a table that this peer looks on at, for the next seat that can be had there."""
        self.tables[table].wants_seat = True
        players = ({*keys} or self.tables[table].players()) & self.here
        self.outgoing += [(key, Ask(table, "seat", self.name, self.kind)) for key in sorted(players)]

    def in_line(self, table: Table) -> list[tuple[bytes, Ask]]:
        """Return those who are here and wait for a seat of a table at play, in their order, each with the request."""
        return [(key, table.line.asks[key]) for key in table.line.keys if key in self.here]

    def _free(self, table: Table) -> list[int]:
        """Return the seats at a table that this peer offers and still holds, and does not play for another."""
        mine = {*table.seats} & {*table.log.now.seats_in()} - {*table.log.now.lent}
        return sorted(table.opened & mine) if table.over is None else []

    def _hear_seat_wanted(self, author: bytes, ask: Ask, table: Table, now: int) -> None:
        """Put a peer in line, or say why not. It looks on, and plays once all have signed."""
        name, free, line = table.log.table, self._free(table), table.line
        waits_for_bot = ask.kind in PEOPLE and table.seats and self._may_watch(author, table)
        waited, may_wait = author in line.asks, len(ask.others) < len(free) if free else waits_for_bot
        place = line.take(author, ask, self.here) if may_wait else ""
        why = "not that many seats are free there" if free else "the game has begun"
        if place:
            why = place if len(self.in_line(table)) > len(free) else ""
        self.outgoing.append((author, Answer(name, bool(place), why)))
        if place:
            self.events += [At(name, SeatWanted(author))] if not waited and not free else []
            table.watchers.add(author)
            table.receive(author, ask, now)  # the entries, which mean nothing to the peer before the answer

    def _offer_seat(self, table: Table, now: int) -> None:
        """Propose that the first in line plays on at a free seat, or at that of a bot of this peer."""
        for key in [key for key in table.line.asks if table.log.now.has_seat(key)]:
            del table.line.asks[key]
        seats = self._free(table) or [seat for seat in table.seats if self.gives_way and seat == table.bot_giving_way]
        if seats:
            waiting = [(key, ask.name) for key, ask in self.in_line(table) if key not in table.accord.turned_away]
            waiting.sort(key=lambda asker: table.accord.lapses[asker[0]])
            table.hand_on(seats[0], waiting, now)

    def let_watch(self, table: bytes, key: bytes) -> None:
        """Invite a peer to watch a table whose watchers are invited."""
        self.shelf.keep_secret(table, _guest_label(key), b"")
        self.outgoing.append((key, Invite(table, self.tables[table].log.now.terms)))

    def watch(self, table: bytes, key: bytes) -> None:
        """Ask a peer to let us watch a table where it is."""
        self.watching[table] = key
        self.outgoing.append((key, Ask(table, "watch", self.name, self.kind)))

    def resume(self, table: bytes, now: int) -> Table:
        """Sit down at a stored table; entries that others have of it come first."""
        return self._open(kept_log(self.shelf.entries(table)), now)

    def forget(self, table: bytes) -> None:
        """Close a finished table that nobody here looks at any more. It stays in the store."""
        del self.tables[table]
        self.watching.pop(table, None)

    def forget_ended(self, keeps: Callable[[bytes], bool]) -> list[bytes]:
        """Close the tables whose games are over and told, but for the last `ENDED_KEPT` and those that it `keeps`:
        an evening has hundreds. Return their names.
        """
        ended = [name for name, table in self.tables.items() if table.over and table.is_silent]
        closed = [name for name in ended[:-ENDED_KEPT] if not keeps(name)]
        for name in closed:
            self.forget(name)
        return closed

    # Asked for a person

    def sitting(self, table: bytes) -> set[bytes]:
        """Return the host of a table that gathers here, and the peers with a chair there, by this peer and the host's
        advert.
        """
        gathering = self.gatherings.get(table)
        if gathering is None:
            return set()
        offer = self.offer_of(gathering.host, table)
        offered = offer.chairs if offer is not None and not gathering.hosts else ()
        return {gathering.host, *(chair.key for chair in (*gathering.chairs, *offered))}

    def companions(self) -> set[bytes]:
        """Return everybody at a table or gathering of this peer, itself included, and the peers that it watches."""
        companions = set(self.watching.values())
        for table in self.tables.values():
            if not table.is_silent:
                companions.update(table.players())
        for name, gathering in self.gatherings.items():
            companions.update(self.sitting(name), peers(gathering.reserved), gathering.coming, gathering.invited)
        return companions

    # Called for other peers

    def came(self, key: bytes, now: int) -> None:
        """Note that a peer can be reached."""
        self.here.add(key)
        for gathering in self.gatherings.values():
            gathering.came(key)
        for name, asked in self.watching.items():
            if asked == key and name not in self.tables:  # the request or its answer may have been lost
                self.watch(name, key)
        for name, table in self.tables.items():
            if key in table.concerned():
                self.outgoing.append((key, table.head))
            if table.wants_seat and key in table.players():
                self.outgoing.append((key, Ask(name, "seat", self.name, self.kind)))
        self.flush(now)

    def went(self, key: bytes, now: int, *, is_gone: bool = False) -> None:
        """Note that a peer is out of reach. It may still be there, without a link, unless its program `is_gone`."""
        for gathering in self.gatherings.values():
            gathering.went(key, now, is_gone=is_gone)
        for table in self.tables.values():
            table.went(key, now)
        self.here.discard(key)
        self.flush(now)

    def unlist_peer(self, key: bytes) -> None:
        """Forget a peer that is not there any more (net/hall/hall.py)."""
        if peer := self.peers.pop(key, None):
            self.events.append(Departed(peer))

    def receive(self, author: bytes, message: Message, now: int) -> None:
        """Process a message with a checked signature."""
        try:
            self._route(author, message, now)
        except PeerError as error:
            self.dropped(author, str(error))
        self.flush(now)

    def dropped(self, key: bytes, reason: str) -> None:
        self.events.append(Dropped(key, reason))

    # Messages

    def _route(self, author: bytes, message: Message, now: int) -> None:
        match message:
            case Invite():
                if (objection := message.terms.objection()) is None:
                    self.events.append(Invited(author, message.table, message.terms))
                else:  # it can't be played here
                    self.outgoing.append((author, Answer(message.table, False, objection)))
            case Entries(table, entries) if table in self.gatherings and entries and not entries[0].index:
                self._hear_of_beginning(author, message, now)
            case Entries() | Head() if message.table not in self.tables:
                self._hear_of_table(author, message, now)
            case Answer(table, False, why) if table in self.watching and table not in self.tables:
                del self.watching[table]
                self.events.append(At(table, ChairRefused(why)))
            case _ if message.table in self.tables:
                self._at_table(author, message, self.tables[message.table], now)
            case Chat() if message.table in self.gatherings and author not in self.sitting(message.table):
                pass  # an answer to nothing
            case _ if message.table in self.gatherings:
                self.gatherings[message.table].receive(author, message, now)
            case Engage() | Engaged() | Words() | Gone():
                self.events.append(StrayMessage(author, message))
            case Ask(table):
                self.outgoing.append((author, Answer(table, False, "there is no such table here")))

    def _at_table(self, author: bytes, message: Message, table: Table, now: int) -> None:
        """Pass a message on to its table. A peer that is not at the table may only watch, and has to ask first."""
        name = table.log.table
        if isinstance(message, Ask) and message.role == "seat" and not table.log.now.has_seat(author):
            self._hear_seat_wanted(author, message, table, now)
            return
        if author not in table.concerned():
            if not self._may_watch(author, table):
                if isinstance(message, Ask):
                    self.outgoing.append((author, Answer(name, False, "you may not look on at this table")))
                return
            table.watchers.add(author)
        if isinstance(message, Gone):
            table.watchers.discard(author)
            table.line.asks.pop(author, None)
        elif isinstance(message, Answer) and message.why and table.wants_seat and author in table.players():
            self.events.append(At(name, InLine(message.why) if message.yes else ChairRefused(message.why)))
        elif author not in table.at:
            table.came(author, now)
        table.receive(author, message, now, asked=self.watching.get(name) == author)

    def _may_watch(self, key: bytes, table: Table) -> bool:
        invited = self.shelf.secret(table.log.table, _guest_label(key)) is not None
        return invited or table.log.now.terms.watchers == "anyone"

    def list_peer(self, author: bytes, advert: Advert) -> None:
        """List a peer that is there, with or without a link, and the tables that it offers (net/hall/hall.py)."""
        offers, unplayable = [], []
        for offer in advert.tables:
            if offer.host != author or advert.kind == LOOKOUT:
                continue
            if (objection := offer.terms.objection()) is None:
                offers.append(offer)
            else:
                unplayable.append((offer, objection))
        self.peers[author] = peer = AdvertisedPeer(author, advert.name, advert.kind, tuple(offers), tuple(unplayable))
        self.events.append(Arrived(peer))

    def _hear_of_beginning(self, author: bytes, message: Entries, now: int) -> None:
        """Hear that a table that I gather has begun elsewhere, or had begun before this program forgot it."""
        gathering = self.gatherings[message.table]
        gathering.receive(author, message, now)
        if gathering.begun is None:
            self._hear_of_table(author, message, now)

    def _hear_of_table(self, author: bytes, message: Entries | Head, now: int) -> None:
        """Hear of a table at play that is not open here."""
        table, gathering = message.table, self.gatherings.get(message.table)
        if table in self._awaited:
            return
        waits = gathering is not None and gathering.phase is OPEN and gathering.host == author
        asked = waits or self.watching.get(table) == author
        log = concerning(message, self.shelf, self.identity.key, watches=asked)
        if not isinstance(log, Log):
            self.outgoing += [(author, log)] if log is not None else []
        elif gathering is None or gathering.stands(log.entries[0]):
            kept = {*self.shelf.entries(table)}
            for entry in log.entries:
                if entry.data not in kept:
                    self.shelf.keep_entry(entry)
            # a table that is over is only shown
            if self._resumes or asked or gathering is not None or log.now.over is not None:
                self._open(log, now).receive(author, message, now, asked=asked)
            else:
                self._awaited.add(table)
                self.events.append(SeatAwaited(author, log))

    # Tables that open

    def _open(self, log: Log, now: int) -> Table:
        """Open a table. If it has just begun, others may not know that."""
        gathering, own = self.gatherings.get(log.table), self.identity.key
        table = Table(log, self.identity, self.shelf, now, gathering.lines if gathering else ())
        self.tables[log.table] = table
        self.gatherings.pop(log.table, None)  # where a full disk refuses the table, it begins with a later flush
        if gathering is not None and log.now.terms.watchers == "anyone":
            table.line, table.watchers = gathering.line, {*gathering.line.asks}
        elif gathering is not None:
            self.outgoing += [(key, Answer(log.table, False, "the game has begun")) for key in gathering.line.asks]
        self.events.append(Began(log.table))
        if len(log.entries) == 1:
            table.at.update(self.here)
        table.gone.update((seat, now) for seat, key in enumerate(log.now.keys) if key not in {*table.at, own})
        for key in self._members(table):
            self.outgoing.append((key, table.head))
        if gathering is None:
            table.resume()
        elif own not in log.now.keys:
            self.watching[log.table] = gathering.host
            self.ask_for_seat(log.table, *(() if gathering.in_line else (gathering.host,)))
        if len(log.entries) == 1 and self.identity.key in log.now.keys:  # who lacks a secret yet begins with it, too
            begin = Entries(log.table, (log.entries[0],))
            self.outgoing += [(key, begin) for key in dict.fromkeys(log.now.keys) if key in self.here]
        return table

    # Output

    def flush(self, now: int) -> None:
        """Collect the messages and events of my tables, also after one of them was called directly."""
        for gathering in list(self.gatherings.values()):
            gathering.serve()
            self.outgoing += drain(gathering.outgoing)
            self.events += [At(gathering.table, event) for event in drain(gathering.events)]
            if gathering.phase is BEGUN and gathering.begun is not None:
                self.shelf.keep_entry(gathering.begun)
                self._open(replayed(gathering.table, (gathering.begun,)), now)
            elif gathering.phase is CLOSED:
                del self.gatherings[gathering.table]
        for name, table in self.tables.items():
            if table.line.asks:
                self._offer_seat(table, now)
            for key, message in drain(table.outgoing):
                self.outgoing += [(to, message) for to in ([key] if key else self._members(table))]
            self.events += [At(name, event) for event in drain(table.events)]
        self._advertise()

    def _advertise(self) -> None:
        """Bring my advert up to date."""
        offers = [gathering.offer() for gathering in self.gatherings.values() if gathering.hosts]
        offers += [offer for table in self.tables.values() if (offer := self._offer(table)) is not None]
        if (tables := tuple(offers[:MOST_OFFERS])) != self.advert.tables:
            self.advert = replace(self.advert, tables=tables)

    def _offer(self, table: Table) -> Offer | None:
        """Write the offer of a table of mine at play; its people and terms are those of its entry 0."""
        standing = table.log.now
        free = self._free(table)
        if standing.over or (standing.chairs[0].key != self.identity.key and not free):
            return None
        chairs = tuple(chair for seat, chair in enumerate(standing.chairs) if seat not in free)
        terms, state = standing.terms.offered, "open" if free else "playing"
        return Offer(table.log.table, self.identity.key, terms, chairs, state, 0)

    def _members(self, table: Table) -> list[bytes]:
        """Return those at a table who can be reached, seats first: forty watchers must not make an opponent wait."""
        others = [key for key in table.concerned() if key in self.here and key != self.identity.key]
        players = table.players()
        return sorted(others, key=lambda key: (key not in players, key))


def _raised(_: str, error: Exception) -> bool:
    raise error


def _guest_label(key: bytes) -> str:
    return f"guest/{key.hex()}"
