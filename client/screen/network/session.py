"""One person's session on the network, behind a screen: one place in front, others at their tables behind it.

The machines of client/table/network decide, client/words has the sentences, and views.py makes values for the
screen. A turn takes orders and returns news, in the worker thread of station_task.py.
"""

from collections import deque
from dataclasses import replace
from typing import Final

from quadrille.client.bots.levels import level_text_by_kind
from quadrille.client.presence.place import StationPresence, next_stage, stage_of
from quadrille.client.screen.network import news
from quadrille.client.screen.network.entrance import ShownEntrance
from quadrille.client.screen.network.views import guests_here, listed, people, room, seated, shown_entrance
from quadrille.client.table import notices
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.stage import Bystander, Heard, NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import Host, JoinTable, LeaveTable, PlaceWish, PlayMove, Return, ShowEvening, Watch
from quadrille.client.words.commands import word_of
from quadrille.client.words.phones import GUESTS_RISK, entrance_line
from quadrille.client.words.table import by_name, lines_of
from quadrille.net.core.ip_addresses import bracketed
from quadrille.net.core.machine import drain
from quadrille.net.core.machine import now as clock
from quadrille.net.game_log.news import Took
from quadrille.net.link.interfaces import outside
from quadrille.net.private_room.room import weakness
from quadrille.net.seating.lobby import At
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
        self._since: dict[tuple[str, str], int] = {}
        self._look_due = 0
        self._address = ""
        self._entrance: ShownEntrance | None = None
        self._around = news.Around()
        self._last: news.News | None = None

    def begin(self, first: news.Order | None) -> None:
        """Carry out the order for which the program was started; if it is refused, there is nothing to stay for."""
        self._straight = news.leaves_with(first, evening=self.place.options.evening)
        if self.place.options.evening:
            self._obey(news.OpenDoor())
        if first is not None:
            self._obey(first)
        if self._straight and isinstance(self.front, Bystander):
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

    def _collect(self, stage: NetworkStage, line: str = "", *, passing: bool = False) -> None:
        """Report a place's notices, and keep them unless they are `passing`. `line` was typed."""
        table = stage.number
        for notice in stage.drain():
            lines = lines_of(stage, notice, line)
            if isinstance(stage, Bystander) and isinstance(notice, notices.About) and notice.fact is _REMARK:
                self._remarks += [text for text in lines if text not in self._remarked]
                self._remarked.update(lines)
            elif stage is self.front and not (isinstance(notice, notices.LineSaid) and notice.own):
                self._fresh += lines  # the person's own chat lines are in the list of lines
                self._refused |= isinstance(notice, notices.Refused)
                if not isinstance(stage, TableSeat) and isinstance(notice, notices.About) and notice.fact is _REMARK:
                    self._on_the_way += lines  # somebody with a friend's name is there, perhaps
            if table is not None and not passing:
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
                level = level_text_by_kind(stage.seats.kinds, stage.table.log.now.match.state)
                self._chat[name] = tuple(by_name(said, stage.seats) for said in stage.said)
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
            case At(name, what) if name in self.seats:
                seat = self.seats[name]
                seat.hear(event)
                self._collect(seat)
                if isinstance(what, Took) and seat is not self.front and seat.is_my_turn:
                    self._fresh.append(by_name(notices.About(notices.Fact.TURN_ELSEWHERE, table=name), seat.seats))
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
            case JoinTable() | Watch() | Host() | Return():
                if isinstance(stage, Bystander | TableSearch):  # otherwise the person would be there twice
                    stage.attempt(lambda: self._go(order))
            case ShowEvening(""):
                self._told.append(notices.EveningTold(tuple(self.place.evening.board.lines())))
            case news.Rename(name):
                stage.attempt(lambda: self._rename(name))
            case news.OpenDoor():
                stage.attempt(self._open_door)
            case PlayMove() if not isinstance(stage, TableSeat):
                return  # the table has gone meanwhile
            case LeaveTable() if isinstance(stage, TableSeat) and not self._straight:
                if stage.seat is not None and not (stage.table.over or stage.is_out):
                    self._fresh.append(by_name(notices.Fact.STEPPED_ASIDE, stage.seats))
                stage.turn_down_rematch()
                self._go_to_lobby()
            case _:
                stage.wish(order)
                self._collect(stage, word_of(order), passing=True)
                return
        self._collect(stage, passing=True)

    def _go(self, order: PlaceWish) -> None:
        stage, said = stage_of(self.place, order, self.seats)
        self._begin(stage)
        self._look_due = 0
        if isinstance(stage, WaitingRoom):
            self._said[stage.gathering.table] = tuple(" ".join(line.split()) for line in said)
        elif said and (entrance := self.place.context.entrance()) is not None:
            self._fresh.append(entrance_line(entrance))

    def _rename(self, name: str) -> None:
        """Change the name, which needs a new session with a new advert."""
        if self.lobby.gatherings or any(not table.over for table in self.lobby.tables.values()):
            raise RulesError("others know you at a table by your name: change it when the game is over")
        if self._entrance is not None:
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
        told = news.News(
            self._around, self._shown_front(), tuple(drain(self._fresh)), isinstance(self.front, TableSearch),
            self._entrance, tuple(drain(self._remarks)), self._refused,
        )  # fmt: skip
        self._refused = False
        if told != self._last:
            self._told.append(told)
            self._last = replace(told, said=(), remarks=(), refused=False)

    def _look(self) -> None:
        """Check what changes seldom: the interfaces, and the bots."""
        chosen = self.place.options.interfaces
        self._entrance = shown_entrance(self.place.context.entrance())
        here = outside(chosen)
        self._address = f"{bracketed(here[0])}:{self.place.station.node.tcp_port}" if here else ""
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
        tables = listed(context, lambda *row: self._since.setdefault(row, context.now() + clock.skipped))
        absent, guests = tuple(one.text for one in context.absent()), self.place.door.guests
        rows, at_door = (*guests_here(guests), *people(context)), sum(one.here for one in guests)
        return news.Around(tables, rows, link, self._address, absent, at_door)

    def _shown_front(self) -> news.Front:
        match self.front:
            case WaitingRoom() as stage:
                return room(stage, self._said.get(stage.gathering.table, ()), self._entrance)
            case TableSeat() as stage:
                name = stage.table.log.table
                return seated(
                    stage, self._chat[name], self._said[name], here=len(self.lobby.peers),
                    serves_guests=self._entrance is not None,
                )  # fmt: skip
        return None
