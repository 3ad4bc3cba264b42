"""A person's place on the network, until it is left: the station, the bots and guests that come along, and what its
stages share. And how a table is come by: opened, looked for, or gone back to.

The thread that is in a place owns the station. What a person sees is a face's (client/plain, client/screen/network).
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from quadrille.client.network import unfinished_games as unfinished
from quadrille.client.network.options import NetworkOptions, is_address
from quadrille.client.network.station import network_words, own_station
from quadrille.client.network.surroundings import at_address
from quadrille.client.presence.bot_processes import BotProcesses, at_home
from quadrille.client.presence.guest_door import GuestServerProcess
from quadrille.client.table.network.context import NetworkContext
from quadrille.client.table.network.reasons import NotGranted
from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.words.network.absent_peers import missing
from quadrille.client.words.network.refusals import refusal
from quadrille.net import known
from quadrille.net.home import home
from quadrille.net.interfaces import present, usable
from quadrille.net.lobby import Event, SeatAwaited
from quadrille.net.station import Remark, Station, now
from quadrille.net.table import Table
from quadrille.net.terms import Chair, Terms
from quadrille.rules.errors import RulesError


class StationPresence:
    """Everything of one person on the network, as long as it is there."""

    def __init__(self, options: NetworkOptions) -> None:
        self.station = own_station(options)
        self.options = options
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            undo.enter_context(self.station)
            words = network_words(self.options, self.station.node.tcp_port)
            at_home = home(self.options.home)
            self.bots = undo.enter_context(BotProcesses(at_home, words, self.station.lobby.name, self.options))
            self.context = NetworkContext(
                self.station.lobby,
                now,
                self._nickname,
                self._bring,
                lambda: os.urandom(8),
                arbiters=set(self.options.arbiters),
                block=self.station.block,
                asks=not self.options.is_guest,
                missing=lambda: missing(self.station),
            )
            self.door = undo.enter_context(GuestServerProcess(self.station, self.options))
            self._undo = undo.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._undo.close()

    def _nickname(self, key: bytes) -> str | None:
        peer = known.peer(self.station.store, key)
        return peer.nickname if peer else None

    def _bring(self, kind: str, table: Table) -> Chair:
        taken = {chair.key for chair in table.log.now.chairs} | set(table.log.now.keys)
        return self.bots.bring(kind, table.log.table, taken)

    def ended(self) -> list[str]:
        """What is to be said of programs of bots and guests that have ended; no chair is kept for them any more."""
        said = self.door.ended()
        for key, sentence in self.bots.ended():
            for gathering in self.station.lobby.gatherings.values():
                gathering.take_back(key)
            said += [sentence] if sentence else []
        return said


def events(station: Station, timeout: int) -> Iterator[Event | Remark]:
    """What happens on the network in at most so many milliseconds, but for tables that were given up."""
    for event in station.turn(timeout):
        if not (isinstance(event, SeatAwaited) and unfinished.is_forgotten(station, event.log.table)):
            yield event


def opened_table(
    place: StationPresence, terms: Terms, bots: Sequence[str], guests: int
) -> tuple[WaitingRoom, list[str]]:
    """The table, open, with the bots on their way; and how so many guests come to it, and what that means."""
    mine, context, sits = place.station, place.context, len(bots) < terms.seats
    free = terms.seats - len(bots) - sits - guests
    gathering = mine.lobby.host(terms, context.nonce(), context.now(), sits=sits)
    for bot in bots:
        gathering.keep(place.bots.start(bot, gathering.table))
    way = _way(place) if free else ""
    guests_way = place.door.open_for(gathering, guests) if guests else []
    return WaitingRoom(context, gathering, way=way), guests_way


def _way(place: StationPresence) -> str:
    """How others come here."""
    found = [one for one in usable(present(), place.options.interfaces) if not one.network.is_loopback]
    here = ["Others sit down with", "  quadrille join"]
    there = [f"  quadrille join {one.address}:{place.station.node.tcp_port}" for one in found[:1]]
    return "\n".join(["", *here, *(["or, where broadcasts do not get through,", *there] if there else [])])


def sought_table(place: StationPresence, wanted: str, *, sits: bool) -> TableSearch:
    """Looks for an open table to sit down, or for one at play to look on."""
    if not is_address(wanted):
        return TableSearch(place.context, wanted, sits=sits)
    accepts = at_address(place.station, wanted)
    place.station.node.seed(wanted)
    return TableSearch(place.context, sits=sits, accepts=accepts)


def resumed_table(place: StationPresence, wanted: str) -> NetworkSeat:
    """The table that is meant, with the bots that were brought along on their way back."""
    unfinished.wait_for_stand_in(place.station, wanted)
    log, context = unfinished.one_left(place.station, wanted), place.context
    if place.station.identity.key not in [chair.key for chair in log.now.chairs]:  # it is to stand in
        try:
            context.check_arbiter(log.now.terms, log.now.chairs[0].key, log.now.chairs)
        except NotGranted as denied:
            raise RulesError(refusal(denied.why, (), ())) from None
    table = place.station.resume(log.table)
    for name in at_home(home(place.options.home), log.now.keys):
        place.bots.start_again(name, log.table)
    return NetworkSeat(context, table)
