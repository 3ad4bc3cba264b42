"""One person's stay on the network, behind a screen: one conversation in front, others at their tables behind it.

The same conversations as in plain lines (client/conversation.py) decide what is done and said; here their sentences
are collected, and what they know is made into values (network_views.py). All of it in the porter's thread.
"""

import io
import queue
from collections.abc import Callable
from typing import Final

from quadrille.client.choosing import Choosing
from quadrille.client.conversation import Conversation, Parlour
from quadrille.client.finding import seat_at, view_of
from quadrille.client.floods import Kind
from quadrille.client.foreign import shown
from quadrille.client.hosting import opened
from quadrille.client.missing import missing
from quadrille.client.network_table import NetworkTable
from quadrille.client.resuming import resumed
from quadrille.client.screen.network.news import (
    Around,
    Front,
    Host,
    Join,
    Left,
    Make,
    News,
    Order,
    PlayedRow,
    Rename,
    Return,
    Show,
    Shown,
    Told,
    Type,
    Watch,
)
from quadrille.client.screen.network.views import by_name, chair_names, listed, people, played_row, room, seated
from quadrille.client.sitting import Place
from quadrille.client.unfinished import is_forgotten, left_in_the_middle
from quadrille.client.waiting import Waiting
from quadrille.net.cards.umpire import Umpire
from quadrille.net.guard import author_of
from quadrille.net.hearsay import kept_log
from quadrille.net.interfaces import present, usable
from quadrille.net.lobby import At, Awaited, Began, Called, Event, Invited
from quadrille.net.log import Log
from quadrille.net.names import plain_name
from quadrille.net.news import Line, Took
from quadrille.net.station import Remark
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.squares import quoted

#: How long nothing happens until it is looked whether something is due, in milliseconds; and how often the disk and
#: the interfaces are looked at.
_TURN: Final = 1000
_LOOK_EVERY: Final = 2000
_MOST_SAID: Final = 300
_MOST_PLAYED: Final = 50


class Lounge(Conversation):
    """Where a person is who is at no table: what is said there is for the lobby."""

    def __init__(self, parlour: Parlour) -> None:
        super().__init__(parlour)
        self.commands = {"block": self.block, "play-on": self.play_on}

    def begin(self) -> None:
        """The lobby says it all."""

    def hear(self, event: Event | Remark) -> None:
        """Something happened on the network."""
        match event:
            case Invited(key, table, _):
                peer = self.parlour.lobby.peers.get(key)
                who = self.parlour.name(peer) if peer else "Somebody"
                text = f"{who} invites you to a table: type join {table.hex()[:4]}, or pick it in the list."
                self.tell(Kind.INVITATION, key, text)
            case Awaited(key, log):
                names = {chair.key: chair.name for chair in log.now.chairs}
                who = self.parlour.called(key, names.get(key, "Somebody"))
                which = "that you left" if self.parlour.lobby.identity.key in names else "that asks you to play on"
                self.tell(Kind.INVITATION, key, f"{who} waits for you at a table {which}: pick it in the list.")
            case Began(name) if self.parlour.calls.awaits(name):
                self.successor = NetworkTable(self.parlour, self.parlour.lobby.tables[name])
            case Remark() | Called():
                self.overhear(event)

    def tick(self) -> None:
        """Only sums are due here."""
        self.say_sums()

    def obey(self, line: str) -> None:
        """Nothing is typed here: the lobby's words are orders."""
        raise RulesError(f"there is no table here to hear {line!r}")


class Stay:
    """From the moment the station is there until it is left."""

    def __init__(
        self,
        place: Place,
        out: io.StringIO,
        orders: "queue.SimpleQueue[Order | None]",
        tell: Callable[[Told], None],
        first: Order | None,
    ) -> None:
        self.place = place
        #: The name of the next stay, where it is another.
        self.renamed = ""
        self.lobby = place.station.lobby
        self.front: Conversation = Lounge(place.parlour)
        self.tables: dict[bytes, NetworkTable] = {}
        self._out = out
        self._orders = orders
        self._tell = tell
        self._first = first
        self._said: dict[bytes, list[str]] = {}  # at each table, as far as it is remembered
        self._fresh: list[str] = []  # what the person has not been told yet
        self._since: dict[tuple[str, str], int] = {}
        self._kept: list[Log] = []
        self._unfinished: list[bytes] = []
        self._played: tuple[PlayedRow, ...] = ()
        self._look_due = 0
        self._had_network = False
        self._cut_off = False
        self._address = ""
        self._ends = self._again = False
        self._last: tuple[Around, Front, bool] | None = None

    def run(self) -> bool:
        """Until the person goes; whether another stay is to follow."""
        station = self.place.station
        if self._first is not None:
            self._obey(self._first)
            if isinstance(self.front, Lounge):  # it was refused
                self.front.code, self._ends = 1, True
        while not self._ends:
            self._take_orders()
            with station.watch("what is due here"):
                self._go_on()
            if not self._ends:
                with station.watch("what is shown"):
                    self._show()
            for event in station.turn(0 if self._ends else _TURN):
                if not (isinstance(event, Awaited) and is_forgotten(station, event.log.table)):
                    with station.watch("what is told here", author_of(event)):
                        self._hear(event)
            self._fresh += self.place.ended()
        if not self.front.done:
            self.front.leave()
            self._collect(self.front)
        station.flush()
        if not self._again:
            self._tell(Left(self.front.code, tuple(self._fresh)))
        return self._again

    # What is said

    def _collect(self, talk: Conversation, *, passing: bool = False) -> None:
        """Tell what a conversation has said, and keep it unless it is for the moment (`passing`). Indented lines are
        lists, which the screen shows in another way.
        """
        lines = [line for line in self._out.getvalue().split("\n") if line.strip() and not line.startswith("  ")]
        self._out.seek(0)
        self._out.truncate()
        if isinstance(talk, NetworkTable):
            lines = [by_name(talk, line) for line in lines]
        if talk is self.front:
            self._fresh += lines
        if not passing and (name := _table_of(talk)) is not None:
            self._said[name] = [*self._said.get(name, ()), *lines][-_MOST_SAID:]

    def _begin(self, talk: Conversation) -> None:
        """A conversation comes to the front. What it says first stands on the screen anyway."""
        self.front = talk
        talk.begin()
        self._out.seek(0)
        self._out.truncate()
        if isinstance(talk, NetworkTable):
            name = talk.table.log.table
            if name not in self.tables:
                lines = [(line.author, line.line) for line in talk.table.lines()]
                self._said[name] = [by_name(talk, f"{talk.author(key)}: {shown(line)}") for key, line in lines]
            self.tables[name] = talk

    # What happens

    def _hear(self, event: Event | Remark) -> None:
        match event:
            case At(name, what) if name in self.tables:
                talk = self.tables[name]
                talk.hear(event)
                self._collect(talk)
                if isinstance(what, Line) and what.author == self.lobby.identity.key:
                    self._said[name].append(f"you: {shown(what.line)}")
                if isinstance(what, Took) and talk is not self.front and talk.table.is_my_turn:
                    self._fresh.append("It is your turn at another table: quit leads to the lobby.")
            case _:
                self.front.hear(event)
                self._collect(self.front)

    def _go_on(self) -> None:
        """All that has happened is heard: what is due now."""
        for talk in list(self.tables.values()):
            talk.tick()
            self._collect(talk)
        if _table_of(self.front) not in self.tables:
            self.front.tick()
            self._collect(self.front)
        while self.front.successor is not None:
            self._begin(self.front.successor)
        if self.front.done:
            self._left()

    def _left(self) -> None:
        """The person has gone from where it was."""
        if self._first is not None:
            self._ends = True
            return
        if (name := _table_of(self.front)) is not None:
            self.tables.pop(name, None)
        self.front = Lounge(self.place.parlour)
        self._look_due = 0

    # What the person wants

    def _take_orders(self) -> None:
        while not self._ends:
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                return
            if order is None:
                self._ends = True
            else:
                self._obey(order)

    def _obey(self, order: Order) -> None:
        """Carry it out, or say why not."""
        talk = self.front
        talk.attempt(lambda: self._do(order), getattr(order, "text", "") or getattr(order, "word", "") or "?")
        self._collect(talk, passing=True)

    def _do(self, order: Order) -> None:
        match order:
            case Make(text) if isinstance(self.front, NetworkTable):
                self.front.table.play(text, self.place.parlour.now())
            case Type(word, rest):
                self._type(word, rest)
            case Join() | Watch() | Host() | Return() if not isinstance(self.front, Lounge | Choosing):
                return  # the same twice: the person is there already
            case Join(wanted):
                self._begin(seat_at(self.place, wanted))
            case Watch(wanted):
                self._begin(view_of(self.place, wanted))
            case Host(terms, bots, guests):
                waiting, way = opened(self.place, terms, bots, guests)
                self._begin(waiting)
                self._said[waiting.gathering.table] = [" ".join(line.split()) for line in way]
            case Return(wanted):
                talk = self._own_table(wanted)
                self._begin(talk)
                self._fresh += self.place.door.open_again(talk.table.log)
            case Show(id):
                asked = [log for log in self.lobby.stand_ins if log.table.hex() == id]
                log = asked[0] if asked else kept_log(self.place.station.shelf.entries(bytes.fromhex(id)), Umpire())
                self._tell(Shown(id[:8], log.now.match, chair_names(log.now.chairs)))
            case Rename(name):
                self._rename(name)

    def _type(self, word: str, rest: str) -> None:
        """A word at the table; to leave a game in front of the lobby is only to step aside."""
        talk = self.front
        if word == "quit" and isinstance(talk, NetworkTable) and self._first is None:
            if talk.table.seat is not None and not talk.table.over:
                self._fresh.append("Your table is kept open: pick it in the list to go back.")
            self.front = Lounge(self.place.parlour)
            self._look_due = 0
        elif word in talk.commands:
            talk.commands[word](rest)
        else:
            raise BadNotation(f"{quoted(word)} is no word here")

    def _own_table(self, wanted: str) -> NetworkTable:
        found = [name for name in self.lobby.tables if name.hex() == wanted]
        if not found:
            return resumed(self.place, wanted)
        return self.tables.get(found[0]) or NetworkTable(self.place.parlour, self.lobby.tables[found[0]])

    def _rename(self, name: str) -> None:
        """Another name is another advert from the start: a new stay."""
        if self.lobby.gatherings or any(not table.over for table in self.lobby.tables.values()):
            raise RulesError("others know you at a table by your name: change it when the game is over")
        self.renamed = plain_name(name)
        self._again = self._ends = True

    # How it is now

    def _show(self) -> None:
        """Tell the screen what has changed."""
        now = self.place.parlour.now()
        if now >= self._look_due:
            self._look_due = now + _LOOK_EVERY
            self._look()
        seen = (self._around(), self._front(), isinstance(self.front, Choosing))
        if seen != self._last or self._fresh:
            self._last = seen
            around, front, searching = seen
            self._tell(News(around, front, tuple(self._fresh), searching))
            self._fresh.clear()

    def _look(self) -> None:
        """At what changes seldom: the interfaces, and what is kept."""
        found = usable(present(), self.place.options.interfaces)
        chosen = self.place.options.interfaces is not None
        has_network = any(chosen or not one.network.is_loopback for one in found)
        self._had_network = self._had_network or has_network
        self._cut_off = self._had_network and not has_network
        outside = [one.address for one in found if not one.network.is_loopback]
        self._address = f"{outside[0]}:{self.place.station.node.tcp_port}" if outside else ""
        station = self.place.station
        if (unfinished := station.unfinished()) != self._unfinished:
            self._unfinished = unfinished
            self._kept = [log for log in left_in_the_middle(station) if not is_forgotten(station, log.table)]
        if isinstance(self.front, Lounge):
            self._let_bots_go()
        over = [played_row(kept) for kept in station.store.tables("over")[:_MOST_PLAYED]]
        self._played = tuple(row for row in over if row is not None)

    def _let_bots_go(self) -> None:
        """Those that nobody plays with any more, here or at a table that the person has only stepped aside from."""
        playing = [table.log for table in self.lobby.tables.values() if not table.over]
        gathering = self.lobby.gatherings.values()
        tables = {log.table for log in playing} | {one.table for one in gathering}
        keys = {chair.key for one in gathering for chair in one.chairs}.union(*(log.now.keys for log in playing))
        self.place.bots.let_go(tables, keys)

    def _around(self) -> Around:
        parlour, here = self.place.parlour, len(self.lobby.peers)
        if self._cut_off:
            link = "NO NETWORK"
        elif not self._had_network:
            link = "this machine only"
        else:
            where = "LAN" if self.place.options.room is None else f"room {self.place.options.room.name}"
            link = f"{where}: {here or 'nobody'} {'other' if here == 1 else 'others' if here else 'else'} here"
        tables = listed(parlour, self._kept, self._first_seen)
        return Around(tables, people(parlour), self._played, link, self._address, tuple(missing(self.place.station)))

    def _first_seen(self, table: str, state: str) -> int:
        return self._since.setdefault((table, state), self.place.parlour.now())

    def _front(self) -> Front:
        match self.front:
            case Waiting() as talk:
                return room(talk, tuple(self._said.get(talk.gathering.table, ())))
            case NetworkTable() as talk:
                said = tuple(self._said[talk.table.log.table])
                return seated(talk, said, cut_off=self._cut_off, here=len(self.lobby.peers))
        return None


def _table_of(talk: Conversation) -> bytes | None:
    """The table that a conversation is about."""
    match talk:
        case NetworkTable():
            return talk.table.log.table
        case Waiting():
            return talk.gathering.table
    return None
