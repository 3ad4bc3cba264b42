"""Outages of a peer are counted from their beginning, and told beside what the clock says."""

import multiprocessing
from typing import Any, cast

import pytest

from extras.league.tests.test_peers import line
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import now
from quadrille.ai.faults import BotFault
from quadrille.ai.peer.policy import Policy
from quadrille.extras.league.peers.exchange import Exchange, _Engagement
from quadrille.extras.league.peers.program import PeerProgram, PeerTalk
from quadrille.extras.league.peers.reliable_stream import ReliableStream
from quadrille.net.entries.terms import Chair
from quadrille.net.program.station import Station
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.net.tables import TABLE, terms


class Weather:
    """A station as far as the exchange looks at it: who is here, and when each was heard last."""

    def __init__(self) -> None:
        self.here: set[bytes] = {b"key"}
        self.outgoing: list[Any] = []
        self.lobby = self
        self.heard = 0

    def need(self, key: bytes) -> None:
        """Every link is there already, or gone."""

    def heard_at(self, key: bytes) -> int | None:
        return self.heard if key in self.here else None


def weather() -> tuple[Weather, Exchange, _Engagement, Any]:
    sky = Weather()
    exchange = Exchange(lambda: cast("Station", sky))
    theirs, ours = multiprocessing.Pipe()
    one = _Engagement(theirs, b"key", terms("maze"), 0, 0, fresh=False)
    one.stream = ReliableStream(TABLE)
    return sky, exchange, one, ours


def pass_time(sky: Weather, exchange: Exchange, one: _Engagement, begin: int, end: int) -> None:
    """The looks of the exchange at a peer, four a second."""
    for time in range(begin, end, 250):
        exchange._listen_for_life(cast("Station", sky), one, time)
        exchange._look_after(cast("Station", sky), one, time)


def test_an_outage_is_counted_from_the_last_sign_of_life() -> None:
    """The link is down for 15 seconds, and the network notices after 5."""
    sky, exchange, one, worker = weather()
    sky.heard = 10_000
    pass_time(sky, exchange, one, 10_000, 15_000)
    sky.here.clear()
    pass_time(sky, exchange, one, 15_000, 25_000)
    sky.here.add(b"key")
    sky.heard = 25_000
    pass_time(sky, exchange, one, 25_000, 26_000)
    assert [exchange.news.get()[1] for _ in range(2)][1] == "is back after 15.0 seconds"
    assert (exchange.links[b"key"].absences, exchange.links[b"key"].away) == (1, 15_000)
    assert [worker.recv() for _ in range(2)] == [("gone", 5000), ("back",)]


def test_an_outage_that_the_network_does_not_notice_is_one_too() -> None:
    """4 seconds without a sign of life: a peer that is there is heard each 2 seconds. Our own delays are no outage."""
    sky, exchange, one, worker = weather()
    sky.heard = 1000
    pass_time(sky, exchange, one, 1000, 5000)
    sky.heard = 5000
    pass_time(sky, exchange, one, 5000, 6000)
    assert exchange.links[b"key"].away == 4000
    assert [worker.recv() for _ in range(2)] == [("gone", 4000), ("back",)]
    sky.heard = 12_000
    pass_time(sky, exchange, one, 12_000, 13_000)  # this thread itself was away
    assert exchange.links[b"key"].away == 4000


@pytest.mark.parametrize("answers", [True, False])
def test_who_is_late_is_asked_whether_it_is_there(answers: bool) -> None:
    """5 seconds a move, and the link is down for all of them: nobody has noticed when the time is over."""
    sky, exchange, one, worker = weather()
    sky.heard = 1000
    pass_time(sky, exchange, one, 1000, 4250)
    one.doubted = 4250
    if answers:
        sky.heard = 4300
    pass_time(sky, exchange, one, 4500, 6500)
    assert worker.recv() == ("quiet", 0 if answers else 3250)
    assert one.doubted is None


def test_a_fault_tells_of_an_outage_that_nobody_had_noticed() -> None:
    ours, theirs = multiprocessing.Pipe()
    talk = PeerTalk(cast("Program", PeerProgram("ada", ours)), start=0)
    theirs.send(("heard", b'{"hello": "ada", "protocol": 1}\n', 5))
    talk.greet()
    match = Match(game("maze"), {"size": 3}, 2)
    talk.dialogue.start(match, match.state, 0, now())
    theirs.send(("heard", b'{"ready": true}\n', 5))
    assert talk.hear(5) is not None
    talk.dialogue.turn(match, match.state, now(), patience=1)
    theirs.send(("quiet", 4900))
    with pytest.raises(
        BotFault, match=r"did not move within .*; its owner's program was out of reach for 4\.9 seconds"
    ):
        _ = [talk.hear(1) for _ in range(100)]
    assert ("doubt",) in [theirs.recv() for _ in range(4)]


def test_an_outage_is_no_delay_of_the_way() -> None:
    ours, theirs = multiprocessing.Pipe()
    one = PeerProgram("ada", ours)
    one.send(line("hello"))
    theirs.send(("gone", 16_000))
    theirs.send(("back",))
    theirs.send(("heard", b'{"hello": "ada"}\n', 5))
    while one.line() is None:
        pass
    one.send(line("start"))
    theirs.send(("heard", b'{"ready": true}\n', 5))
    while one.line() is None:
        pass
    one.close()
    assert [len(lags) for kind, lags in (theirs.recv() for _ in range(3)) if kind == "lags"] == [1]


def test_one_table_is_no_tables() -> None:
    assert Policy(tables=1).objection(terms("maze"), Chair(b"a" * 32, "Ann", "person"), [], 1) == (
        "it sits at 1 table already, as many as it may"
    )
