"""The loop of a run's exchange is made to fail: it counts that, bans the sender, and goes on."""

import multiprocessing

import pytest

from quadrille.extras.league.peers.exchange import Exchange, _Engagement
from quadrille.net.entries.wire import Engage
from quadrille.net.seating.lobby import Aside
from tests.client.test_guarded_loops import KEY, Scripted, check, planted, station
from tests.net.tables import terms

__all__ = ["station"]
pytestmark = pytest.mark.usefixtures("guards_on")


def test_a_run_with_peers(station: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    exchange = Exchange(lambda: station)
    station.ends = lambda: setattr(exchange, "_closing", True)  # type: ignore[method-assign]
    station.event = Aside(KEY, Engage(bytes(16), terms(), False))
    way, theirs = multiprocessing.Pipe()
    exchange._open[way] = one = _Engagement(way, KEY, terms(), 0, 0, fresh=False)
    exchange._by_table[one.table] = one
    monkeypatch.setattr(Exchange, "_hear", planted)
    monkeypatch.setattr(Exchange, "_look_after", planted)
    exchange._stay(station)
    assert not exchange._open
    way.close()
    theirs.close()
    check(station, {"what a peer of the run said": 4, "a game with a peer": 4}, 4)
