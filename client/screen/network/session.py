"""One person's session on the network, behind a screen: one place in front, others at their tables behind it.

The machines of client/table/network decide, and client/words has the sentences. A turn takes orders and returns news,
in the worker thread of a task (screen/evening_stage.py). The screen gets values: the table's own match, on which each
thread plays on only on a copy, and times by its own clock, which skips nothing but sleep.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from quadrille.client.bots.levels import level_text
from quadrille.client.claimed_names import is_own, parts, short_names, shown_name
from quadrille.client.foreign import shown
from quadrille.client.presence.invitation import half_blocks, matrix
from quadrille.client.presence.place import StationPresence, next_stage, stage_of
from quadrille.client.screen.network import news
from quadrille.client.screen.network.entrance import ScanCode, ShownEntrance
from quadrille.client.screen.table.shown import seated
from quadrille.client.table import notices
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import GuestEntrance
from quadrille.client.table.stage import Bystander, Heard, NetworkContext, NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import BareWish, Host, JoinTable, PlaceWish, PlayMove, Return, TextWish, Verb
from quadrille.client.words.phones import GUESTS_RISK, NO_WAY, SCAN, TICKET_SCAN, entrance_line, wifi_scan
from quadrille.client.words.story import YOU, few
from quadrille.client.words.table import by_name, lines_of
from quadrille.client.words.terms import game_words, terms_text
from quadrille.net.core.ip_addresses import bracketed
from quadrille.net.core.machine import drain
from quadrille.net.core.machine import now as clock
from quadrille.net.entries.terms import PEOPLE, Chair, Terms
from quadrille.net.entries.wire import Offer
from quadrille.net.link.interfaces import outside
from quadrille.net.private_room.room import weakness
from quadrille.net.seating import gathering as phases
from quadrille.net.seating.lobby import At
from quadrille.net.seating.offers import offers, unplayable
from quadrille.net.trust.guard import author_of
from quadrille.net.trust.names import plain_name
from quadrille.rules.errors import RulesError

#: Maximum milliseconds between two turns, and between two reads of the interfaces.
_TURN: Final = 1000
_LOOK_EVERY: Final = 2000
#: Milliseconds for what a person has just done to leave this machine.
_SENDING: Final = 5
#: Maximum remembered lines of a table, and maximum finished games in a list.
_MOST_SAID: Final = 300
_REMARK: Final = notices.Fact.REMARK


class NetworkSession:
    """From the start of the station until it is left."""

    def __init__(self, place: StationPresence) -> None:
        self.place = place
        #: The name of the next session, if it changes.
        self.renamed = ""
        self.lobby = place.station.lobby
        self.front: NetworkStage = Bystander(place.context)
        self.seats: dict[bytes, TableSeat] = {}
        #: The person leaves.
        self.ends = False
        self._told: list[news.Told] = []  # not returned yet
        self._straight = False
        self._said: dict[bytes, tuple[str, ...]] = {}  # lines reported at each table
        self._chat: dict[bytes, tuple[str, ...]] = {}  # the chat lines among them
        room = place.options.room
        weak = weakness(room.passphrase) if room is not None else None
        self._fresh = [f"Note: {weak}."] if weak else []  # lines not shown yet
        self._refused = False  # one of these lines is a refusal
        self._on_the_way: list[str] = []  # those of no table, told where the person goes on from in a moment
        self._remarks: list[str] = []  # remarks about identities for the lobby, each shown once
        self._remarked: set[str] = set()
        self._look_due = 0
        self._around = news.Around()
        self._last: news.News | None = None

    def begin(self, first: news.Order | None, *, straight: bool) -> None:
        """Carry out the order for which the program was started. `straight`: there is nothing else to stay for."""
        self._straight = straight
        if self.place.options.evening:
            self._obey(BareWish.SHOW_ENTRANCE)
        if first is not None:
            self._obey(first)
        if straight and isinstance(self.front, Bystander):
            self.front.code, self.ends = 1, True

    def turn(self, orders: "deque[news.Order]") -> list[news.Told]:
        """Wait a second at most for something to happen, or for an order; return what the screen is to know then."""
        station = self.place.station
        self._listen(_TURN if self._look_due and not orders else 0)
        while orders and not self.ends:
            self._obey(orders.popleft())
            self._listen(_SENDING)  # the station sends a move before this shows it
        self._fresh += (ended := self.place.ended(self.front))
        with station.watch("what is due here"):
            self._go_on()
        if isinstance(self.front, WaitingRoom | TableSearch):
            self._on_the_way += ended
        if not self.ends:
            with station.watch("what is shown"):
                self._show()
        return drain(self._told)

    def leave(self) -> list[news.Told]:
        """Leave the present place; return the last news, with an exit code unless another session follows."""
        if not self.front.done:
            self.front.leave()
            self._collect(self.front)
        self.place.station.flush()
        if not self.renamed:
            self._fresh += self.place.parting()
            self._told.append(news.StationLeft(self.front.code, tuple(self._fresh)))
        return drain(self._told)

    # Output

    def _collect(self, stage: NetworkStage, order: news.Order | None = None, *, passing: bool = False) -> None:
        """Report a place's notices, perhaps after an order, and keep them unless they are `passing`."""
        table, hides = stage.number, isinstance(stage, TableSeat) and stage.is_secret  # a hand is for one of those here
        for notice in stage.drain():
            lines = lines_of(stage, notice, order)
            if isinstance(stage, Bystander) and isinstance(notice, notices.About) and notice.fact is _REMARK:
                self._remarks += [text for text in lines if text not in self._remarked]
                self._remarked.update(lines)
            elif stage is self.front and not (isinstance(notice, notices.LineSaid) and notice.own):
                self._fresh += lines  # the person's own chat lines are in the list of lines
                self._refused |= isinstance(notice, notices.Refused)
                if not isinstance(stage, TableSeat) and isinstance(notice, notices.About) and notice.fact is _REMARK:
                    self._on_the_way += lines  # somebody with a friend's name is there, perhaps
            if not (table is None or passing or (hides and isinstance(notice, notices.CardsSeen | notices.MoveMade))):
                for kept in (self._said, self._chat)[: 1 + isinstance(notice, notices.LineSaid)]:
                    kept[table] = (*kept.get(table, ()), *lines)[-_MOST_SAID:]

    def _begin(self, stage: NetworkStage) -> None:
        """Bring a place to the front, and drop its first notices: their lines are on the screen anyway."""
        self.front = stage
        stage.begin()
        stage.drain()
        if isinstance(stage, TableSeat):
            name = stage.table.log.table
            if name not in self.seats:
                level = level_text(stage.seats.kinds, stage.table.log.now.match.state)
                self._chat[name] = tuple(by_name(line, stage.seats) for line in stage.said)
                self._said[name] = (*self._chat[name], *filter(None, [level]))
                self._fresh += filter(None, [level])
            self.seats[name] = stage
            self._fresh += drain(self._on_the_way)

    # Events

    def _listen(self, timeout: int) -> None:
        """Run the network for at most `timeout` milliseconds, and hear what has happened."""
        for event in self.place.turn(timeout):
            with self.place.station.watch("the news here", author_of(event)):
                self._hear(event)

    def _hear(self, event: Heard) -> None:
        match event:
            case At(name) if name in self.seats:
                for stage in dict.fromkeys((self.seats[name], self.front)):
                    stage.hear(event)
                    self._collect(stage)
            case _:
                self.front.hear(event)
                self._collect(self.front)

    def _go_on(self) -> None:
        """Do all due work once the events are processed."""
        for name, seat in list(self.seats.items()):
            if name not in self.lobby.tables:  # a game that was put away
                del self.seats[name]
                continue
            seat.tick()
            self._collect(seat)
        if self.front.number not in self.seats:
            self.front.tick()
            self._collect(self.front)
        while (after := next_stage(self.front)) is not None:
            self._begin(after)
        if self.front.done and self._straight:
            self.ends = True
        elif self.front.done:
            self.seats.pop(self.front.number or b"", None)
            self._go_to_lobby()

    def _go_to_lobby(self) -> None:
        self.front, self._on_the_way = Bystander(self.place.context), []
        self.place.door.rest()
        self._look_due = 0

    # Orders

    def _obey(self, order: news.Order) -> None:
        """Carry out an order, or refuse it."""
        stage = self.front
        match order:
            case JoinTable() | Host() | Return():
                if isinstance(stage, Bystander | TableSearch):  # otherwise the person would be there twice
                    stage.attempt(lambda: self._go(order))
            case TextWish(Verb.EVENING, ""):
                self._told.append(notices.EveningTold(tuple(self.place.evening.board.lines())))
            case news.Rename(name):
                stage.attempt(lambda: self._rename(name))
            case BareWish.SHOW_ENTRANCE if isinstance(stage, Bystander | TableSearch):
                stage.attempt(self._open_door)
            case PlayMove() if not isinstance(stage, TableSeat):
                return  # the table has gone meanwhile
            case BareWish.LEAVE if isinstance(stage, TableSeat) and not self._straight:
                if stage.seat is not None and not (stage.table.over or stage.is_out):
                    self._fresh.append(by_name(notices.Fact.STEPPED_ASIDE, stage.seats))
                stage.turn_down_rematch()
                self._go_to_lobby()
            case _:
                stage.wish(order)
                self._collect(stage, order, passing=True)
                return
        self._collect(stage, passing=True)

    def _go(self, order: PlaceWish) -> None:
        stage, sentences = stage_of(self.place, order, self.seats)
        self._begin(stage)
        self._look_due = 0
        if isinstance(stage, WaitingRoom):
            self._said[stage.gathering.table] = tuple(" ".join(line.split()) for line in sentences)
        elif sentences and (entrance := self.place.context.entrance()) is not None:
            self._fresh.append(entrance_line(entrance))

    def _rename(self, name: str) -> None:
        """Change the name, which needs a new session with a new advert."""
        if self.lobby.gatherings or any(not table.over for table in self.lobby.tables.values()):
            raise RulesError("others know you at a table by your name: change it when the game is over")
        if self._around.entrance is not None:
            raise RulesError("your guests would have to scan another code: change your name before the evening begins")
        self.renamed = plain_name(name)
        self.ends = True

    def _open_door(self) -> None:
        self._fresh += [text for text in self.place.door.open() if text != GUESTS_RISK]
        self._look_due = 0

    # State

    def _show(self) -> None:
        """Tell the screen where the person is now, if anything of that has changed."""
        now = self.place.context.now()
        if is_due := now >= self._look_due:
            self._look_due = now + _LOOK_EVERY
            self._look()
        if is_due or not isinstance(self.front, TableSeat):  # nobody sees the lobby behind a table
            self._around = self._looked_around()
        shown = news.News(
            replace(self._around, searching=isinstance(self.front, TableSearch)), self._shown_front(),
            tuple(drain(self._fresh)), tuple(drain(self._remarks)), self._refused,
        )  # fmt: skip
        self._refused = False
        if shown != self._last:
            self._told.append(shown)
            self._last = replace(shown, said=(), remarks=(), refused=False)

    def _look(self) -> None:
        """Check what changes seldom: the interfaces, and the bots."""
        here = outside(self.place.options.interfaces)
        address = f"{bracketed(here[0])}:{self.place.station.node.tcp_port}" if here else ""
        self._around = replace(self._around, address=address, entrance=shown_entrance(self.place.context.entrance()))
        if isinstance(self.front, Bystander):
            self.place.let_bots_go()
        there = {*self.lobby.tables, *self.lobby.gatherings}
        for name in [name for name in self._said if name not in there]:
            for kept in (self.seats, self._said, self._chat):
                kept.pop(name, None)

    def _looked_around(self) -> news.Around:
        context, here = self.place.context, len(self.lobby.peers)
        if context.cut_off():
            link = "NO NETWORK"
        elif not self.place.station.node.broadcast.has_network:
            link = "this machine only"
        else:
            options = self.place.options
            where = "ticket" if options.ticket is not None else f"room {options.room.name}" if options.room else "LAN"
            link = f"{where}: {here or 'nobody'} {'other' if here == 1 else 'others' if here else 'else'} here"
        seen, since = context.now() + clock.apart, {(row.id, row.state): row.since for row in self._around.tables}
        tables = tuple(
            row if row.state == "unplayable" else replace(row, since=since.get((row.id, row.state), seen))
            for row in listed(context)
        )
        absent, door = tuple(guest.text for guest in context.absent()), self.place.door
        rows = (*door.guests, *people(context))
        return replace(self._around, tables=tables, people=rows, link=link, missing=absent, guests=len(door.here))

    def _shown_front(self) -> news.Front:
        match self.front:
            case WaitingRoom() as stage:
                return room(stage, self._said.get(stage.gathering.table, ()))
            case TableSeat() as stage:
                name = stage.table.log.table
                return seated(
                    stage, self._chat[name], self._said[name], here=len(self.lobby.peers),
                    serves_guests=self._around.entrance is not None,
                )  # fmt: skip
        return None


#: Maximum addresses of this machine with a QR code.
_MOST_CODES: Final = 3


# The lobby


def listed(context: NetworkContext) -> tuple[news.TableRow, ...]:
    """List the tables of this person and of others."""
    lobby, rows = context.lobby, list[news.TableRow]()
    for table in lobby.tables.values():
        if not table.over and table.seat is not None:
            chairs = tuple(chair for chair in table.log.now.chairs if not is_own(chair, context.key))
            row = _row(context, table.log.table, table.log.now.terms, chairs, "mine")
            keys = tuple("" if chair.key == context.key else chair.key.hex() for chair in chairs)
            rows.append(replace(row, taken=row.seats, my_turn=context.is_own_turn(table), keys=keys))
    there = {row.id for row in rows}
    states: tuple[news.TableState, ...] = ("open", "agreeing", "playing")
    met = [(offer, state) for state in states for offer in offers(lobby, state) if offer.table.hex() not in there]
    rows += [_offered(context, offer, state) for offer, state in met]
    rows += [replace(_offered(context, offer, "unplayable"), terms=shown(why)) for offer, why in unplayable(lobby)]
    return tuple(rows)


def _offered(context: NetworkContext, offer: Offer, state: news.TableState) -> news.TableRow:
    """Describe a table of others: by its host, before it is at play."""
    row, host = _row(context, offer.table, offer.terms, offer.chairs, state), context.lobby.peers.get(offer.host)
    return row if state == "playing" else replace(row, host=context.name(host) if host else "?")


def _row(
    context: NetworkContext, table: bytes, terms: Terms, chairs: Sequence[Chair], state: news.TableState
) -> news.TableRow:
    """Describe a table where these sit, besides this person."""
    (title, options), names = game_words(terms), tuple(map(context.name_of, chairs))
    return news.TableRow(
        table.hex(), title, options, few(short_names(names)), len(chairs), terms.seats, state,
        may_watch=terms.watchers == "anyone", terms=terms_text(terms), names=names,
    )  # fmt: skip


def people(context: NetworkContext, without: Iterable[bytes] = ()) -> tuple[news.PersonRow, ...]:
    """List everybody who is here, people first, with their activities; an idle bot's is its kind."""
    lobby, gone = context.lobby, set(without)
    peers = [peer for key, peer in lobby.peers.items() if key not in gone]
    peers.sort(key=lambda peer: (peer.kind not in PEOPLE, context.name(peer).casefold(), peer.key))
    doing, names = _doing(offers(lobby)), [context.name(peer) for peer in peers]
    rows = zip(peers, short_names(tuple(names)), names, strict=True)
    return tuple(
        news.PersonRow(peer.key.hex(), short, peer.kind, doing.get(peer.key) or parts(name)[1])
        for peer, short, name in rows
    )


def _doing(there: Iterable[Offer]) -> dict[bytes, str]:
    """Say what each peer does, by the first of the present offers that names the peer."""
    doing: dict[bytes, str] = {}
    for offer in there:
        title = game_words(offer.terms)[0]
        for chair in offer.chairs:
            doing.setdefault(chair.key, f"plays {title}" if offer.state == "playing" else f"waits at {title}")
        doing.setdefault(offer.host, f"hosts {title}")
    return doing


# A table before its first move


@lru_cache(maxsize=4)
def shown_entrance(entrance: GuestEntrance | None) -> ShownEntrance | None:
    """Tell how guests come, with the QR codes for it."""
    if entrance is None:
        return None
    codes: tuple[ScanCode, ...] = ()
    if entrance.outside:
        pages = list(zip(entrance.pages, entrance.links, strict=True))[:_MOST_CODES]
        codes = tuple(
            ScanCode("Another address" if place else "Sit down", SCAN, half_blocks(matrix(link)), page)
            for place, (page, link) in enumerate(pages)
        )
    if entrance.wifi is not None and entrance.outside:
        name, text = entrance.wifi
        codes = (*codes, ScanCode("Join the Wi-Fi", wifi_scan(name), half_blocks(matrix(text))))
    trouble = "" if entrance.outside else NO_WAY
    return ShownEntrance(entrance.pages[0], entrance.code, codes, trouble, entrance.seats)


def room(stage: WaitingRoom, said: tuple[str, ...], guest: str | None = None) -> news.Room:
    """Describe the people at a table, and those whom the person could invite; to a `guest` of this program the first
    alone.
    """
    gathering, context, sitting, terms = stage.gathering, stage.context, stage.chairs, stage.gathering.terms
    own = [chair for chair in sitting if (chair.key, chair.name if chair.at else None) == (context.key, guest)]
    chairs = tuple(
        news.PersonRow(chair.key.hex(), YOU if chair in own else stage.called(chair), chair.kind) for chair in sitting
    )
    others = people(context, [chair.key for chair in sitting]) if guest is None else ()
    return news.Room(
        gathering.table.hex(),
        terms.game,
        " ".join(game_words(terms)).strip(),
        terms_text(terms),
        gathering.hosts,
        terms.seats,
        chairs,
        coming=tuple(shown_name(one.name, one.key) for one in gathering.chairs if one.key in gathering.coming),
        others=tuple(
            replace(row, doing=news.INVITED) if bytes.fromhex(row.key) in gathering.invited else row for row in others
        ),
        way=" ".join(stage.way.split()),
        beginning=gathering.phase != phases.OPEN,
        said=said,
        question=by_name(stage.asking[0], stage.seats) if stage.asking else "",
        again=bool(gathering.reserved),
        ticket=ScanCode("Ticket", TICKET_SCAN, half_blocks(matrix(stage.ticket))) if stage.ticket else None,
    )
