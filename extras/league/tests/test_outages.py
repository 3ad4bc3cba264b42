"""Outages of a peer are counted from their beginning, and told beside what the clock says."""

import multiprocessing
import threading
from typing import Any, cast

import pytest

from extras.league.tests.test_peers import Way, way
from quadrille.ai.bots.lines.dialogue import Seating
from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import now
from quadrille.ai.faults import BotFault
from quadrille.extras.league.peers.exchange import _MOST_OUTAGES, Exchange, _Engagement
from quadrille.extras.league.peers.program import PeerTalk
from quadrille.extras.league.peers.reliable_stream import ReliableStream
from quadrille.net.entries.wire import Engage, Engaged, Gone, Words
from quadrille.net.program.station import Station
from quadrille.net.seating.lobby import StrayMessage
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.client.test_guarded_loops import KEY, Scripted, check, planted, station
from tests.net.tables import TABLE, terms
from tests.waiting import DEADLINE

__all__ = ["station", "way"]


class Weather:
    """A station as far as the exchange looks at it: whether one peer is here, and when it was heard last."""

    def __init__(self) -> None:
        self.here: set[bytes] = set()
        self.outgoing: list[Any] = []
        self.lobby = self
        self.heard = 0
        self.exchange = Exchange(lambda: cast("Station", self))
        theirs, self.worker = multiprocessing.Pipe()
        self.peer = _Engagement(theirs, b"key", terms("maze"), 0, 0, fresh=False)
        self.peer.stream = ReliableStream(TABLE)

    def need(self, key: bytes) -> None:
        """Every link is there already, or gone."""

    def heard_at(self, key: bytes) -> int | None:
        return self.heard if key in self.here else None

    def passes(self, begin: int, end: int, *, heard: bool = False, here: bool = True) -> None:
        """Let the exchange look at the peer, four times a second; it is `heard` at the beginning."""
        self.here = {b"key"} if here else set()
        self.heard = begin if heard else self.heard
        for time in range(begin, end, 250):
            self.exchange._listen_for_life(cast("Station", self), self.peer, time)
            self.exchange._look_after(cast("Station", self), self.peer, time)


def test_an_outage_is_counted_from_the_last_sign_of_life() -> None:
    """The link is down for 15 seconds, and the network notices after 5."""
    sky = Weather()
    sky.passes(1000, 6000, heard=True)
    sky.passes(6000, 16_000, here=False)
    sky.passes(16_000, 17_000, heard=True)
    assert [sky.exchange.news.get()[1] for _ in range(2)][1] == "is back after 15.0 seconds"
    assert [sky.worker.recv() for _ in range(2)] == [("gone", 5000), ("back",)]


def test_an_outage_that_the_network_does_not_notice_is_one_too() -> None:
    """4 seconds without a sign of life: a peer that is there is heard each 2 seconds."""
    sky = Weather()
    sky.passes(1000, 5000, heard=True)
    sky.passes(5000, 6000, heard=True)
    assert [sky.worker.recv() for _ in range(2)] == [("gone", 4000), ("back",)]
    assert not sky.worker.poll()


@pytest.mark.parametrize("piece", [1, 2000, 60_000])
def test_a_peer_that_speaks_fails_comes_and_goes_without_end_never_fills_the_way_to_a_worker(piece: int) -> None:
    """The exchange has one thread: were the pipe full, all games of the run would wait while their clocks run."""
    sky = Weather()
    sky.exchange._by_table[sky.peer.table] = sky.peer

    def attack() -> None:
        for number in range(200):
            sky.passes(1000, 1250, heard=True)
            sky.passes(1250, 1500, here=False)
            assert sky.peer.stream is not None
            said = Words(sky.peer.table, sky.peer.stream.heard, 0, bytes(piece))
            for message in (
                said,
                *[Gone(sky.peer.table), Engaged(sky.peer.table, "crash", "ended", 0)] * (number > 150),
            ):
                sky.exchange._hear(cast("Station", sky), StrayMessage(b"key", message))

    thread = threading.Thread(target=attack, daemon=True)
    thread.start()
    thread.join(DEADLINE)
    assert not thread.is_alive()
    told = [sky.worker.recv()[0] for _ in iter(sky.worker.poll, False)]
    assert told.count("ended") == 1 and sky.exchange.news.qsize() <= 2 * _MOST_OUTAGES


def test_a_fault_tells_of_an_outage(way: Way) -> None:
    talk = PeerTalk(cast("Program", way.worker), start=0)
    way.exchange.send(("heard", b'{"hello": "ada", "protocol": 1}\n'))
    talk.greet()
    match = Match(game("maze"), {"size": 3}, 2)
    talk.dialogue.start(match, match.state, Seating(), now())
    way.exchange.send(("heard", b'{"ready": true}\n'))
    assert talk.hear(5) is not None
    talk.dialogue.turn(match, match.state, now(), TimeTerms(patience=1))
    for told in (("gone", 4900), ("back",)):
        way.exchange.send(told)
    with pytest.raises(BotFault, match=r"did not move within .*; its owner's program was out of reach for [45]\.\d"):
        _ = [talk.hear(1) for _ in range(100)]


@pytest.mark.usefixtures("guards_on")
def test_a_run_counts_failures_bans_and_goes_on(station: Scripted, way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    exchange = Exchange(lambda: station)
    station.ends = lambda: setattr(exchange, "_closing", True)  # type: ignore[method-assign]
    station.event = StrayMessage(KEY, Engage(bytes(16), terms(), False))
    exchange._open[way.exchange] = one = _Engagement(way.exchange, KEY, terms(), 0, 0, fresh=False)
    exchange._by_table[one.table] = one
    monkeypatch.setattr(Exchange, "_hear", planted)
    monkeypatch.setattr(Exchange, "_look_after", planted)
    exchange._stay(station)
    assert not exchange._open
    check(station, {"what a peer of the run said": 4, "a game with a peer": 4}, 4)
