"""Programs that meet over a real relay and go on without it, on loopback. docs/protocols/relay.md, "Direct ways"."""

import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from quadrille.net.link import node
from quadrille.net.program import direct_desk
from quadrille.net.program.station import Remark, Station, now
from quadrille.net.relay import reachable
from quadrille.net.seating.lobby import Departed
from quadrille.net.seating.offers import offers
from tests.net.tables import terms
from tests.net.test_relay import running
from tests.net.test_relay_meetings import station, turn_until_met, words_for


@pytest.fixture(params=["127.0.0.1", "::1"])
def home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address of loopback stands for that of the machine."""
    address = str(request.param)
    try:
        socket.create_server((address, 0), family=socket.AF_INET6 if ":" in address else socket.AF_INET).close()
    except OSError:
        pytest.skip(f"this machine has no {address}")
    monkeypatch.setattr(node, "own_addresses", lambda _: (address,))
    monkeypatch.setattr(reachable, "is_callable", lambda _: True)
    monkeypatch.setattr(direct_desk, "LOOK_EVERY", 20)
    monkeypatch.setattr(direct_desk, "SETTLED", 0)


class Both:
    """Two programs, and all that they have said to their persons. Nobody goes."""

    def __init__(self, *stations: Station) -> None:
        self.stations = stations
        self.said: list[str] = []

    def turn_until(self, is_so: Callable[[], object]) -> None:
        for _ in range(3000):
            for one in self.stations:
                events = one.turn(5)
                assert not any(isinstance(event, Departed) for event in events)
                self.said += [event.text for event in events if isinstance(event, Remark)]
            if is_so():
                return
        raise AssertionError([(one.node.relays(), one.node.counts, self.said) for one in self.stations])

    def hear(self, words: str) -> None:
        """Each person is told so, of the other."""
        self.turn_until(lambda: len(self.said) == 2)
        assert sorted(self.said) == [f"{name} and you reach each other {words}" for name in ("ann", "bob")]
        self.said.clear()

    @property
    def ways(self) -> set[bool]:
        """Whether each reaches the other directly."""
        return {one.node.is_direct(peer.id) for one in self.stations for peer in one.node.peers()}


@pytest.mark.usefixtures("home")
def test_programs_go_on_without_the_relay_and_go_back_to_it(tmp_path: Path) -> None:
    """Nobody has gone or come meanwhile, and each person hears of the way."""
    with running() as free:
        port = free.port
    ticket = words_for(port)
    with ExitStack() as stack, ExitStack() as first:
        first.enter_context(running(port=port))
        ann, bob = (stack.enter_context(station(tmp_path, name, ticket)) for name in ("ann", "bob"))
        turn_until_met(ann, bob)
        both = Both(ann, bob)
        both.hear("directly now, without a relay")
        first.close()
        both.turn_until(lambda: all(one.node.relays()[0][0].trouble for one in both.stations))
        ann.lobby.host(terms("maze", 2, {"size": 3}), b"n" * 8, now())
        both.turn_until(lambda: offers(bob.lobby, "open"))
        assert both.ways == {True}
        stack.enter_context(running(port=port))
        both.turn_until(lambda: not any(one.node.relays()[0][0].trouble for one in both.stations))
        for one in both.stations:
            one.node._relays._own.close()  # type: ignore[union-attr]
        bob.lobby.join(offers(bob.lobby, "open")[0], now())
        both.turn_until(lambda: len(next(iter(ann.lobby.gatherings.values())).chairs) == 2)
        both.hear("by a relay again: the direct way is gone")
        assert both.ways == {False}
