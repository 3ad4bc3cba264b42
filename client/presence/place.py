"""A person's place on the network: the station, the bots and guests that come along, and the context of its stages.
It opens, finds or resumes tables, and saves their logs to files.

The thread that is in a place owns the station. Faces (client/plain, client/screen/network) show it.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final, Self

from quadrille.client.bots.boxes import USUAL
from quadrille.client.claimed_names import chair_names, is_own
from quadrille.client.evening.kept import KeptEvening
from quadrille.client.evening.scores import EndedGame
from quadrille.client.files import is_page, page_of, path_of, save, write_file
from quadrille.client.kept.games import locked, network_games, one_of, told_of
from quadrille.client.network.options import OPEN_PORT, NetworkOptions, is_address
from quadrille.client.network.station import network_words, own_station
from quadrille.client.network.table_terms import checked_terms
from quadrille.client.network.tickets import is_ticket
from quadrille.client.phones.guests import Guests
from quadrille.client.presence.bot_processes import BotProcesses, at_home
from quadrille.client.presence.deputies import Deputies
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import EveningTold, GameKept, Notice
from quadrille.client.table.players import Players
from quadrille.client.table.stage import Absence, Heard, NetworkContext, NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import Host, JoinTable, PlaceWish, Return
from quadrille.client.words.absent_peers import absences, cause_text
from quadrille.client.words.terms import in_room, number
from quadrille.client.words.thoughts import thoughts_kept
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import home
from quadrille.net.core.ip_addresses import bracketed, is_loopback
from quadrille.net.core.machine import drain
from quadrille.net.entries.terms import PEOPLE, Terms
from quadrille.net.game_log import archive
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.own_cards import CARDS
from quadrille.net.link.interfaces import facing, outside, present
from quadrille.net.neighbours.neighbour import Endpoint, Trouble
from quadrille.net.neighbours.seeds import endpoints
from quadrille.net.program.station import Station, now
from quadrille.net.seating.gathering import OPEN, Gathering
from quadrille.net.tables.table import Table
from quadrille.net.trust import known
from quadrille.net.trust.identity import peer_of
from quadrille.plugs import whole_names
from quadrille.rules.errors import RulesError
from quadrille.rules.options import read_settings
from quadrille.rules.registry import game
from quadrille.rules.squares import quoted

#: Milliseconds for which nicknames are cached, because a table asks for all of them at every turn.
_NICKNAMES_HOLD: Final = 2000
_ABSENCES_HOLD: Final = 500
#: Maximum games whose files are named to a person who leaves.
_MOST_PARTING: Final = 5


class StationPresence:
    """Everything of one person on the network, as long as they are there."""

    def __init__(self, options: NetworkOptions, kind: str = "", bot: str = "") -> None:
        """`kind` and the identity `bot` are those of a program that sits here (`own_station`)."""
        self.station = own_station(options, kind=kind or "person", bot=bot)
        self.options = options
        self.watch = self.station.watch
        self._undo, self._evening_file = ExitStack(), Path()
        self._nicknames: dict[bytes, str | None] = {}
        self._nicknames_due = self._absent_due = 0
        self._absent: list[Absence] = []

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            undo.enter_context(self.station)
            words = network_words(self.options, self.station.node.tcp_port)
            at_home = home(self.options.home)
            self.bots = BotProcesses(at_home, words, self.station.lobby.name, self.options, self._people)
            undo.callback(self.bots.close)
            self.deputies = Deputies(self.station.node.wake_up, self.options.isolate or USUAL)
            undo.callback(self.deputies.act, (), 0)
            self.context = NetworkContext(
                self.station.lobby,
                now,
                self._nickname,
                lambda: os.urandom(8),
                block=self.station.block,
                keep=keep_log,
                absent=self._absences,
                cut_off=lambda: cause_text(Trouble.CUT_OFF) if self.station.node.broadcast.is_cut_off else "",
                room=in_room(self.options.room.name) if self.options.room is not None else "",
                come_along=self.bots.start,
                entrance=lambda: self.door.entrance(),
                deputies=self.deputies.bots,
                ballots=self.deputies.ballots,
                turn_out=lambda name: self.door.turn_out(name),
                leads=self._leads,
                next_game=lambda stage, text: next_game(self, stage, text),
                evening=self._show_evening,
                is_forgotten=lambda table: (
                    (kept := self.station.store.table(table)) is not None and kept.state == "forgotten"
                ),
            )
            self.evening = KeptEvening(self.station.store)
            self._counted: dict[bytes, None] = {}  # ended games
            self.door = Guests(self.station, self.options, self.context, self.evening)
            undo.callback(self.door.close)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def _people(self) -> list[str]:
        """Return the names of the people here: peers, guests, and those at tables before their games."""
        lobby = self.station.lobby
        chairs = [chair for gathering in lobby.gatherings.values() for chair in gathering.chairs if chair.is_person]
        peers = [peer.name for peer in lobby.peers.values() if peer.kind in PEOPLE]
        return [*peers, *(chair.name for chair in chairs), *(guest.name for guest in self.door.guests)]

    def _nickname(self, key: bytes) -> str | None:
        """Return the person's nickname for the holder of a key; another program's change shows a little later."""
        if now() >= self._nicknames_due:
            self._nicknames.clear()
            self._nicknames_due = now() + _NICKNAMES_HOLD
        if key not in self._nicknames:
            peer = known.peer(self.station.store, key)
            self._nicknames[key] = peer.nickname if peer else None
        return self._nicknames[key]

    def _leads(self, log: Log) -> bool:
        """Tell whether only guests of this program and its bots play there: then this person decides alone."""
        others = {*log.now.keys, *(chair.key for chair in log.now.chairs)} - {self.station.identity.key}
        return len(at_home(home(self.options.home), others)) == len(others)

    def let_bots_go(self) -> None:
        """End the bots that no table of this person needs."""
        gatherings = self.station.lobby.gatherings.values()
        playing = [table.log for table in self.station.lobby.tables.values() if not table.over]
        tables = {log.table for log in playing} | {gathering.table for gathering in gatherings}
        keys = {chair.key for gathering in gatherings for chair in gathering.chairs}.union(
            *(log.now.keys for log in playing)
        )
        self.bots.let_go(tables, keys)

    def _absences(self) -> list[Absence]:
        """Say why others are not here; a table asks at every turn."""
        if now() >= self._absent_due:
            self._absent, self._absent_due = absences(self.station, self._way_here), now() + _ABSENCES_HOLD
        return self._absent

    def _way_here(self, host: str) -> str:
        """Say how the program at `host` calls this one; "" where it would need a call back, and for an address that
        means another machine there.
        """
        own = facing(host)
        if self.options.room is not None or self.options.ticket is not None or "%" in own:
            return ""
        if any(gathering.hosts for gathering in self.station.lobby.gatherings.values()):
            return f"type {self.join_command(own)}"
        return f"add --connect {bracketed(own)}:{self.station.node.tcp_port} to the command"

    def join_command(self, host: str = "") -> str:
        """Return the command by which others sit down: by beacons, or by an address of this machine."""
        udp, where = self.options.port, f" {bracketed(host)}:{self.station.node.tcp_port}" if host else ""
        return f"quadrille join{where}{f' --port {udp}' if udp != OPEN_PORT else ''}{self.context.room}"

    def turn(self, timeout: int) -> list[Heard]:
        """Run the network for at most `timeout` milliseconds, and the seats of guests and of stand-ins; return the
        events for a person.
        """
        station = self.station
        events = station.turn(0 if station.lobby.events else timeout)
        tables = station.lobby.tables.values()
        if self.deputies.bots or any(table.log.now.lent for table in tables):
            with self.watch("bots that play for somebody"):
                self.deputies.act(tables, now())
        if self.door.pages is not None:
            if self.door.obey():
                events += station.turn(0)
            self.door.hear(events)
        return list(events)

    def ended(self, stage: NetworkStage | None = None) -> list[str]:
        """Tell of ended games, and of ended programs of bots: their reserved chairs are free again. Forget ended games,
        but for the last ones and that at the table of the `stage`.
        """
        sentences = [*drain(self.door.news), *drain(self.deputies.news), *self._count()]
        store, looked_at = self.station.store, (stage and stage.number, self.door.table)
        for name in self.station.lobby.forget_ended(
            lambda name: name in looked_at or store.secret(name, CARDS) is not None
        ):
            self.context.ballots.pop(name, None)
        for key, sentence in self.bots.ended() if self.bots.sat else ():
            for gathering in self.station.lobby.gatherings.values():
                gathering.take_back(key)
            sentences += [sentence] if sentence else []
        return sentences

    def _show_evening(self, name: str) -> Notice:
        if not name:
            return EveningTold(tuple(self.evening.board.lines()))
        from quadrille.client.evening.page import evening_page  # imported here: few evenings become pages

        if not is_page(name):
            raise RulesError(f"the evening is written as a page: evening {name}.html")
        is_own = path_of(name) == self._evening_file
        self._evening_file = write_file(name, evening_page(self.evening.board), over=is_own)
        return GameKept(str(self._evening_file))

    def _count(self) -> list[str]:
        """Count the games that have ended at tables of this home; return sentences about that."""
        for name, table in self.station.lobby.tables.items():
            if table.over and name not in self._counted:
                self._counted[name] = None
                if self._is_ours(table):
                    self.evening.add(EndedGame.of(table.log, int(time.time() * 1000)))
                    self.evening.said += filter(None, [self.evening.board.sentence()])
                    self.door.show_evening()
        return drain(self.evening.said)

    def _is_ours(self, table: Table) -> bool:
        """Tell whether this person, a guest or a bot of this home sits at a table."""
        keys = {chair.key for chair in table.log.now.chairs}
        return self.station.identity.key in keys or bool(at_home(home(self.options.home), keys))

    def parting(self) -> list[str]:
        """Tell a person who leaves where the thoughts of the bots that came along are, of games that are over."""
        self._count()
        return [thoughts_kept(name, path) for name, path in self.bots.thoughts(self._counted)[-_MOST_PARTING:]]


def stage_of(
    place: StationPresence, wish: PlaceWish, seats: Mapping[bytes, TableSeat]
) -> tuple[NetworkStage, list[str]]:
    """Make the place of a wish, with sentences on how guests come to a new table; `seats` are the person's own."""
    match wish:
        case JoinTable(wanted, others, guests, watches):
            search = _sought_table(place, wanted, sits=not watches, others=others)
            return search, place.door.open() if guests else []
        case Host():
            return _opened_table(place, wish)
        case Return(wanted, True):
            return _opened_game(place, bytes.fromhex(wanted))
        case Return(wanted):
            return _way_back(place, wanted, seats)


def next_stage(stage: NetworkStage) -> NetworkStage | None:
    """Make the next place from the value by which a place names it; return None while the person stays."""
    match stage.onward:
        case bytes() as table:
            return TableSeat(stage.context, stage.context.lobby.tables[table])
        case Gathering() as gathering:
            return WaitingRoom(stage.context, gathering)
    return None


def next_game(place: StationPresence, stage: NetworkStage, text: str) -> Gathering:
    """Open another game by its name and options for those who are here, from a place that this person leads."""
    if not text.strip():
        raise LocalError("which game? Write next and its name, such as next maze")
    name, *settings = whole_names(text.split())
    played = game(name)
    match stage:
        case WaitingRoom(gathering=before) if before.hosts and before.phase == OPEN:
            sits, put_away = any(is_own(chair, place.context.key) for chair in before.chairs), before.leave
        case TableSeat(table=table) if table.over or place.context.leads(table.log):
            sits, put_away = stage.own_seat is not None, partial(place.door.put_away, table)
        case _:
            raise LocalError("others decide too what is played here: leave the table, and open another one")
    people = sits + len(place.door.here)
    seats = max(played.seats[0], min(people, played.seats[-1]))
    guests = 0 if place.door.entrance() is None else seats - sits
    terms = checked_terms(Terms(played.key, tuple(read_settings(played.Options, settings).items()), seats))
    opened, _ = _opened_table(place, Host(terms, guests=guests, asks_guests=place.door.asks))
    put_away()
    return opened.gathering


def _way_back(place: StationPresence, wanted: str, seats: Mapping[bytes, TableSeat]) -> tuple[NetworkStage, list[str]]:
    """Return to an unfinished game, bring its bots back, and lead the guests back to theirs."""
    tables = place.station.lobby.tables
    name = next((name for name in tables if name.hex() == wanted), None)
    if name is not None:
        seat = seats.get(name) or TableSeat(place.context, tables[name])
    else:
        seat, _ = _resumed(place, one_of(network_games(place.station.shelf), wanted, place.options.home).table)
        for bot in at_home(home(place.options.home), seat.table.log.now.keys):
            place.bots.start_again(bot, seat.number)
    sentences = place.door.come_back_to(seat.table.log)
    place.let_bots_go()
    return seat, sentences


def _opened_game(place: StationPresence, table: bytes) -> tuple[TableSeat, list[str]]:
    """Open a game at this keyboard to the room: it is one on the network from now on, whose seats others may take."""
    mine = place.station
    with locked(place.options.home, table):
        kept = mine.store.table(table)
        if kept is None or kept.role != "own":
            raise LocalError(f"game {number(table)} is not one at this keyboard any more")
        mine.store.mark_table(table, role="seat")
    seat, bots = _resumed(place, table)
    mine.lobby.open_seats(table, bots or range(1, len(seat.table.log.now.chairs)))
    free, who = ("the seats of the bots", "the bots play on") if bots else ("all seats but the first", "you play there")
    return seat, [f"Others may take {free} now; until then {who}.{_way(place)}"]


def _opened_table(place: StationPresence, wish: Host) -> tuple[WaitingRoom, list[str]]:
    mine, context, terms, guests = place.station, place.context, wish.terms, wish.guests
    others = [(name, "person") for name in wish.others]
    sits = len(wish.bots) + guests < terms.seats
    free = terms.seats - len(wish.bots) - sits - len(others) - guests
    gathering = mine.lobby.host(terms, context.nonce(), context.now(), sits=sits, others=others)
    for bot in wish.bots:
        gathering.keep(place.bots.start(bot, gathering.table))
    way = _way(place) if free else ""
    try:
        leads = guests or place.door.entrance() is not None  # guests of an evening come along, if only to look on
        guests_way = place.door.lead_to(gathering, guests, asks=wish.asks_guests) if leads else []
    except LocalError:
        gathering.leave()
        raise
    place.let_bots_go()
    ticket = place.options.ticket if free else None
    room = WaitingRoom(context, gathering, way=way, ticket=ticket.command if ticket else "")
    return room, guests_way if guests else []


def _way(place: StationPresence) -> str:
    addresses = outside(place.options.interfaces)
    if (ticket := place.options.ticket) is not None:
        return ticket.way
    here = ["Others sit down with", f"  {place.join_command()}"]
    there = [f"  {place.join_command(address)}" for address in addresses[:1]]
    return "\n".join(["", *here, *(["or, where broadcasts do not get through,", *there] if there else [])])


def _sought_table(place: StationPresence, wanted: str, *, sits: bool, others: tuple[str, ...]) -> TableSearch:
    """Search for an open table to sit down at, or for one at play to watch."""
    if is_ticket([wanted]):
        raise RulesError(
            "these are the words of a ticket, which leads to a network of its own: leave, and type "
            f"quadrille join {wanted}"
        )
    if not is_address(wanted):
        return TableSearch(place.context, wanted, sits=sits, others=others)
    is_there = _at_address(place.station, wanted)
    place.station.node.seed(wanted)
    return TableSearch(place.context, sits=sits, others=others, address=wanted, is_there=is_there)


def _at_address(mine: Station, text: str) -> Callable[[bytes], bool]:
    """Return a test for the keys of peers, whether one is the program at HOST:PORT."""
    meant = endpoints(text)
    if meant[0].port == 0:
        raise LocalError(f"{quoted(text)} has no port: give it too, as in [{text.strip('[]')}]:50000")
    here = {host for interface in present() for host in interface.hosts}
    places = {endpoint.host for endpoint in meant}
    if any(address in here or is_loopback(address) for address in places):
        places |= here  # a program on this machine may be met at any of its addresses
    there = [Endpoint(address, meant[0].port) for address in sorted(places)]

    def is_there(key: bytes) -> bool:
        return any(mine.node.neighbours.is_at(peer_of(key), place) for place in there)

    return is_there


def _resumed(place: StationPresence, table: bytes) -> tuple[TableSeat, list[int]]:
    """Resume a stored table; return also the seats of the bots that play on there, if this keyboard began it."""
    log, told = place.station.resume(table).log, told_of(place.station.store, table)
    bots = place.deputies.play_on(log, Players.read(told, len(log.now.chairs)).bots)
    return TableSeat(place.context, place.station.lobby.tables[table]), bots


def keep_log(name: str, log: Log, over: bool, own: Iterable[str] = ()) -> str:
    """Write a log, or the page of its game, anew over its own files, perhaps over another one; return the path."""
    text = page_of(log.now.match, chair_names(log.now.chairs)) if is_page(name) else archive.write(log)
    return save(name, text, over=over, own=own)
