"""Tables that gather, whatever their people do, and links and programs too: they agree who sits, and begin.

A hypothesis state machine over the simulated lobbies. Cases that say why somebody is refused: test_gathering.py.
"""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.entries.terms import Chair, chairs_objection
from quadrille.net.seating.gathering import OPEN, Gathering
from tests.net.network import Weather
from tests.net.simulation import NOTICED, Peer
from tests.net.tables import terms
from tests.net.test_lobby import SMALL, Offered

GUESTS, NAMES = st.integers(0, 2), st.sampled_from(["Cid", "Dora", "Emil"])
#: After so long without cuts every answer is given and every link is back.
CALM = 40_000


class Gatherings(RuleBasedStateMachine):
    """A host, three who may sit with it, and what becomes of its table of four seats."""

    def __init__(self) -> None:
        super().__init__()
        self.world = Offered(terms("barons", 4, SMALL), weather=Weather(in_order=True))
        self.table, self.host = self.world.table, self.world.host

    @property
    def is_open(self) -> bool:
        return self.table.begun is None

    def of(self, guest: int) -> tuple[Peer, Gathering | None]:
        peer = self.world.guests[guest]
        return peer, peer.lobby.gatherings.get(self.table.table) if peer.lobby else None

    def asks(self, guest: int, action: Callable[[Gathering], object]) -> None:
        """A guest whose host gave it a chair does something; its program may say that it can't now."""
        peer, mine = self.of(guest)
        with suppress(LocalError):
            self.world.do(peer, lambda *_: action(mine) if mine else None)

    def hosts(self, action: Callable[[Gathering], object]) -> None:
        with suppress(LocalError, PeerError):  # two of one name, or too few seats for the game
            self.world.hosts(lambda table: action(table) if table.phase is OPEN else None)

    @precondition(lambda self: self.is_open)
    @rule(guest=GUESTS, names=st.lists(NAMES, max_size=2), wait=st.sampled_from([0, 200]))
    def wants(self, guest: int, names: list[str], wait: int) -> None:
        """A guest joins with others; one that has joined wants seats for more, one after another."""
        peer, mine = self.of(guest)
        if peer.lobby and mine is None:
            brought = [(name, "guest") for name in names]
            self.world.do(peer, lambda lobby, now: lobby.join(self.table.offer(), now, brought))
        for name in names if mine is not None else ():
            self.asks(guest, lambda mine, name=name: mine.add(name, "guest"))
            self.world.pass_time(wait)
        self.world.pass_time(wait)

    @rule(guest=GUESTS, name=NAMES)
    def removes(self, guest: int, name: str) -> None:
        self.asks(guest, lambda mine: mine.remove(name))

    @rule(guest=GUESTS)
    def leaves(self, guest: int) -> None:
        self.asks(guest, Gathering.leave)

    @rule(guest=GUESTS, anger=st.integers(0, 9))
    def kicks(self, guest: int, anger: int) -> None:
        """Now and then: nobody who was kicked comes back."""
        if anger == 9:
            self.hosts(lambda table: table.kick(self.world.guests[guest].key, "not today"))

    @rule(name=NAMES, comes=st.booleans())
    def host_adds(self, name: str, *, comes: bool) -> None:
        self.hosts(lambda table: table.add(name, "guest", comes=comes))

    @rule(name=NAMES)
    def host_removes(self, name: str) -> None:
        self.hosts(lambda table: table.remove(name))

    @rule(name=NAMES, player=NAMES)
    def player_comes(self, name: str, player: str) -> None:
        self.hosts(lambda table: table.came_to(name, player))

    @rule(guest=GUESTS)
    def keeps(self, guest: int) -> None:
        key = self.world.guests[guest].key
        sits = key in {chair.key for chair in self.table.chairs} | self.table.kicked
        self.hosts(lambda table: table.take_back(key) if sits else table.keep(Chair(key, "on the way", "bot")))

    @rule()
    def drops_free_chairs(self) -> None:
        self.hosts(Gathering.drop_free_chairs)

    @rule(guest=GUESTS, time=st.integers(NOTICED + 1, 3 * NOTICED))
    def breaks_a_link(self, guest: int, time: int) -> None:
        """For so long that both notice: what is lost on a shorter cut, a link sends again."""
        if not self.world.is_cut(self.host.key, self.world.guests[guest].key):
            self.world.sever(self.host, self.world.guests[guest], time)

    @rule(guest=GUESTS)
    def dies_and_comes_back(self, guest: int) -> None:
        """It forgets that it had asked, and the host notices that it is gone."""
        peer, _ = self.of(guest)
        if peer.lobby:
            self.world.crash(peer, NOTICED + 500)

    @rule(time=st.integers(1, 2 * NOTICED))
    def waits(self, time: int) -> None:
        self.world.pass_time(time)

    @rule()
    def starts(self) -> None:
        self.world.hosts(lambda table: table.start(self.world.now))

    @invariant()
    def chairs_can_sit_together(self) -> None:
        table, keys = self.table, {chair.key for chair in self.table.chairs}
        assert len(table.chairs) <= table.terms.seats and not chairs_objection(table.terms, table.chairs)
        assert not table.kicked & keys and table.coming <= keys & table.kept.keys()
        assert table.expected <= {chair.name for chair in table.chairs if chair.key == self.host.key}

    def teardown(self) -> None:
        """In calm weather all know who sits, and the game begins with just these."""
        self.world.pass_time(CALM)
        if self.is_open:
            for guest in range(3):
                peer, mine = self.of(guest)
                asked = mine._request.chairs(peer.key) if mine is not None and mine._request else ()
                assert mine is None or mine._request == mine._granted, "a question was not answered"
                seated = {chair for chair in self.table.chairs if chair.key == peer.key} - {*self.table.kept.values()}
                assert seated == {*asked}, "host and guest think otherwise of who sits"
            for name in sorted(self.table.expected):
                self.hosts(lambda table, name=name: table.remove(name))
            self.hosts(lambda table: [table.take_back(key) for key in sorted(table.coming)])
            for number in range(self.table.terms.seats - len(self.table.chairs)):
                self.hosts(lambda table, number=number: table.add(f"guest {number}", "guest"))
            self.starts()
        self.world.run(lambda: self.table.begun is not None)
        begun, name = self.table.begun.body, self.table.table
        there = [peer for peer in self.world.peers.values() if peer.key in begun.keys]
        self.world.run(lambda: all(peer.lobby and name in peer.lobby.tables for peer in there))
        assert {peer.lobby.tables[name].log.entries[0] for peer in there if peer.lobby} == {self.table.begun}


@pytest.mark.parametrize("examples", [6, pytest.param(24, marks=pytest.mark.slow)])
def test_whatever_people_do_around_a_table_it_begins_with_those_who_sit(examples: int) -> None:
    run_state_machine_as_test(Gatherings, settings=settings(max_examples=examples, stateful_step_count=25))


#: What the state machine has found, as short as it could make it.
FOUND = {
    "a reservation ends as its peer comes": lambda at: (at.keeps(0), at.wants(0, [], 0), at.waits(80), at.keeps(0)),
    "who asks while the link is cut asks again": lambda at: (
        at.breaks_a_link(1, 6270),
        at.waits(3422),
        at.wants(1, [], 0),
    ),
    "a guest stays where a round ends without its answer": lambda at: (
        *(at.wants(0, [], 200), at.wants(1, [], 200), at.drops_free_chairs()),
        *(at.breaks_a_link(1, 4608), at.leaves(0), at.starts()),
    ),
    "a question that changes nothing is not asked": lambda at: (
        *(at.keeps(2), at.wants(1, [], 200), at.removes(1, "Cid")),
        *(at.wants(1, ["Emil"], 0), at.wants(2, ["Cid"], 0), at.wants(1, ["Cid"], 0)),
    ),
}


@pytest.mark.parametrize("found", FOUND)
def test_host_and_guest_agree_who_sits(found: str) -> None:
    gathering = Gatherings()
    FOUND[found](gathering)
    gathering.teardown()
