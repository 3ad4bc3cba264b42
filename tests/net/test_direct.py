"""Programs that meet over a real relay and go on without it, on loopback. docs/protocols/relay.md, "Direct ways"."""

import itertools
import selectors
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from quadrille.net.link import direct_ways
from quadrille.net.link.relay_link import PlaceState, RelayLink
from quadrille.net.link.relay_links import MOST_CALLED, MOST_FAILURES, RelayLinks
from quadrille.net.link.relay_server import RelayServer
from quadrille.net.program import direct_desk
from quadrille.net.program.station import Remark, Station, now
from quadrille.net.relay import reachable
from quadrille.net.relay.frames import Frame, FrameKind
from quadrille.net.relay.meeting import Meeting
from quadrille.net.relay.parcels import ALL, MemberParcel, ParcelKind, sealed
from quadrille.net.relay.reachable import CALL_EVERY, LAST_PAUSE, MOST_REACHABLE, callable_places
from quadrille.net.seating.lobby import Departed
from quadrille.net.seating.offers import offers
from tests.net.tables import terms
from tests.net.test_interfaces import LOOPBACK, Adapter
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
    monkeypatch.setattr(direct_ways, "own_addresses", lambda _: (address,))
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
        ways = [(one.node.direct, peer.id) for one in self.stations for peer in one.node.peers()]
        return {direct.is_direct(peer) for direct, peer in ways if direct is not None}


def at_the_relay(one: Station) -> bool:
    """Whether it has heard another member at the relay of the ticket, which is place 0."""
    return any(0 in other.numbers for other in one.node._relays._meeting._others.values())  # type: ignore[union-attr]


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
        both.turn_until(lambda: all(at_the_relay(one) for one in both.stations))
        for one in both.stations:
            one.node._relays._own.close()  # type: ignore[union-attr]
        bob.lobby.join(offers(bob.lobby, "open")[0], now())
        both.turn_until(lambda: len(next(iter(ann.lobby.gatherings.values())).chairs) == 2)
        both.hear("by a relay again: the direct way is gone")
        assert both.ways == {False}


# Liars

KEY = b"k" * 32
VICTIM = [("10.77.0.9", port) for port in range(2000, 2000 + MOST_REACHABLE)]


class Called:
    """The calls that a program makes, on a clock of the test; none is answered."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, members: int) -> None:
        self.meeting = Meeting(KEY, Random(1).randbytes)
        self.links = RelayLinks((), b"n" * 16, self.meeting, Random(2))
        self.times: list[int] = []
        self.now = 0
        monkeypatch.setattr(self.links, "_call", self.call)
        self.members = [number.to_bytes(8, "big") for number in range(1, members + 1)]
        self.meeting.entered(0, 0)
        self.hear(*self.members)

    def hear(self, *members: bytes) -> None:
        for member in members:
            parcel = sealed(MemberParcel(ParcelKind.BEACON, member, ALL, b"b"), KEY)
            self.meeting.frame(0, Frame(FrameKind.PARCEL, member[-2:] + parcel), self.now)
        self.meeting.events.clear()

    def call(self, link: RelayLink, now: int) -> None:
        self.times.append(now)
        self.links._lose(link, "nobody listens there", now)

    def lie(self, place: list[tuple[str, int]]) -> None:
        for at in range(len(self.members)):
            self.links.may_reach(f"240.1.0.{at + 1}", place, b"s" * 32, self.now)

    def wait(self, until: int) -> None:
        while self.links.deadline <= until:
            self.now = max(self.now, self.links.deadline)
            for link in list(self.links._links.values()):
                if now_due(link, self.now):
                    self.links._call_member(link, self.now)
        self.now = until


def now_due(link: RelayLink, now: int) -> bool:
    return link.state is PlaceState.AWAY and now >= link.retry_at


def test_a_liar_makes_others_call_a_third_party_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many members lie, and however often they name other addresses."""
    called = Called(monkeypatch, members=40)
    for minute in range(10):
        called.lie([(f"10.77.{minute}.9", port) for _, port in VICTIM])
        called.wait((minute + 1) * 60_000)
    assert len(called.links._by_member) == MOST_CALLED
    gaps = [after - before for before, after in itertools.pairwise(called.times)]
    assert min(gaps) >= CALL_EVERY and len(called.times) <= 600_000 // CALL_EVERY
    one = Called(monkeypatch, members=1)
    one.lie(VICTIM)
    one.wait(600_000)
    assert len(one.times) <= MOST_REACHABLE * (5 + 600_000 // (LAST_PAUSE * 4 // 5))


def test_a_liar_who_has_gone_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    called = Called(monkeypatch, members=1)
    called.lie(VICTIM)
    called.meeting.left(0, 0)
    called.wait((MOST_FAILURES + 2) * LAST_PAUSE)
    assert not called.links._by_member and not called.links._links and not called.meeting._seals


def test_news_of_addresses_count_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    called = Called(monkeypatch, members=1)
    called.lie(VICTIM[:1])
    called.lie(VICTIM[1:2])
    [link] = called.links._by_member.values()
    assert [place.port for place in link.places] == [2000]
    called.now = reachable.NEWS_EVERY
    called.lie(VICTIM[1:3])
    assert [place.port for place in link.places] == [2001, 2002]
    called.now *= 2
    called.lie([("127.0.0.1", 5000)])  # nothing that can be called
    assert [place.port for place in link.places] == [2001, 2002]


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.5.5.5", "::1", "0.0.0.0", "0.1.2.3", "::", "224.0.0.1", "255.255.255.255", "240.1.0.1",
        "ff02::1", "169.254.1.1", "fe80::1", "fe80::1%eth0", "fec0::1", "::ffff:10.0.0.1", "::10.0.0.1",
        "2002:a00:1::1", "2001:0:1::1", "64:ff9b::a00:1", "example.org", "", "10.0.0.1 ", "1",
        "10.0.0.256", "[::1]", "2001:db8::1%1",
    ],
)  # fmt: skip
def test_addresses_that_nobody_may_make_us_call(host: str) -> None:
    assert callable_places([(host, 5000), ("10.0.0.1", 1023), ("10.0.0.1", 0)], ()) == ()


def test_addresses_that_are_called() -> None:
    named = [("192.168.1.5", 5000), ("2001:DB8:0::5", 4696), ("fd00::1", 1024), ("203.0.113.1", 65535)]
    places = callable_places([*named, *named, ("10.0.0.1", 7)], {("192.168.1.5", 5000)})
    assert list(map(str, places)) == ["[2001:db8::5]", "[fd00::1]:1024", "203.0.113.1:65535"]
    assert len(callable_places([("10.0.0.1", port) for port in range(2000, 3000)], ())) == MOST_REACHABLE


def test_own_addresses_that_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of interfaces that the person has chosen, where there is a choice; a few of each family."""
    bridges = [Adapter(f"br{number}", 3 + number, f"172.{16 + number}.0.1") for number in range(9)]
    eth = Adapter("eth0", 2, "192.168.1.5", "169.254.3.4", ("2001:db8::5", 0, 0), ("fe80::5", 0, 2))
    adapters = [LOOPBACK, eth, *bridges]
    monkeypatch.setattr("ifaddr.get_adapters", lambda: adapters)
    told = direct_ways.own_addresses(None)
    assert told[0] == "192.168.1.5" and told[-1] == "2001:db8::5" and len(told) == 1 + direct_ways.MOST_OF_A_FAMILY
    assert direct_ways.own_addresses(["eth0"]) == ("192.168.1.5", "2001:db8::5")
    assert direct_ways.own_addresses(["192.168.1.5"]) == ("192.168.1.5",), "as beacons: an address chooses its family"
    assert direct_ways.own_addresses(["fe80::5"]) == ("2001:db8::5",)
    assert direct_ways.own_addresses([]) == direct_ways.own_addresses(["lo"]) == ()


def test_a_home_takes_no_connection_to_an_address_that_is_not_told() -> None:
    with selectors.DefaultSelector() as selector:
        home = RelayServer(0, listens=lambda address: address == "127.0.0.2").start(selector)
        try:
            with socket.create_connection(("127.0.0.1", home.port), 5) as called:
                for key, mask in selector.select(5):
                    key.data(mask, now())
                assert called.recv(1) == b"" and home.exchange.connections == 0
        finally:
            home.close()
