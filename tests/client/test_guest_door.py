"""The door for guests from the host's side: which address is shown first, and which ports are taken."""

import ipaddress
import socket
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from quadrille.client.network import addresses
from quadrille.client.network.addresses import reachable
from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence.guest_door import EveningGuest, GuestDoor
from quadrille.client.presence.guest_seats import GuestSeats, Lead
from quadrille.client.presence.place import StationPresence, stage_of
from quadrille.client.table.notices import GuestAsks, GuestGone
from quadrille.client.table.wishes import Host
from quadrille.client.words.phones import NOBODY_YET
from quadrille.net.core.errors import LocalError
from quadrille.net.link.interfaces import Interface
from quadrille.net.seating.gathering import OPEN, Gathering
from quadrille.net.trust.identity import Identity
from tests.net.ports import udp_port
from tests.net.tables import terms

ANN = Identity(b"a" * 32)


def at(name: str, network: str) -> Interface:
    return Interface(name, (ipaddress.IPv4Interface(network),))


def test_the_wifi_comes_before_bridges_and_tunnels(monkeypatch: pytest.MonkeyPatch) -> None:
    nets = {"lo": "127.0.0.1/8", "tun0": "10.8.0.2/32", "docker0": "172.17.0.1/16", "wlan0": "192.168.1.5/24"}
    found = [at(name, network) for name, network in nets.items()]
    monkeypatch.setattr(addresses, "_gateway_address", lambda: "192.168.1.5")
    assert reachable(found) == ("192.168.1.5", "172.17.0.1", "10.8.0.2")
    monkeypatch.setattr(addresses, "_gateway_address", lambda: "10.8.0.2")  # all traffic goes through the tunnel
    assert reachable(found)[-1] == "10.8.0.2"
    assert reachable([at("lo", "127.0.0.1/8")]) == reachable([]) == ()


def test_guests_at_play_are_not_sent_away_by_another_table_or_an_older_one(tmp_path: Path) -> None:
    options = NetworkOptions("Ann", str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, None)
    seats = GuestSeats(options, tmp_path)
    gus = seats.give("Gus").key
    playing = SimpleNamespace(over=False, log=SimpleNamespace(table=b"t", now=SimpleNamespace(keys=(b"ann", gus))))
    left = SimpleNamespace(table=b"left", now=SimpleNamespace(keys=(gus,), over=None))
    door = GuestDoor(SimpleNamespace(lobby=SimpleNamespace(tables={b"t": playing})), options)
    door._seated = frozenset({gus})
    for lead in (partial(door.lead_to, seats=1, asks=False), door.come_back_to):
        with pytest.raises(LocalError, match="your guests still play at another table"):
            lead(left)
    seats.close(over=False)


@pytest.mark.slow
def test_a_table_that_no_guest_can_come_to_is_not_left_open(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        mine = NetworkOptions("Ann", str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, None)
        with StationPresence(replace(mine, phone_port=taken.getsockname()[1])) as place:
            with pytest.raises(LocalError, match="--phone-port"):
                stage_of(place, Host(terms("barons", 2), guests=1), {})
            assert all(one.phase != OPEN for one in place.station.lobby.gatherings.values())
            assert place.door.entrance() is None


def chairs_of(gathering: Gathering) -> list[tuple[str, bool]]:
    """Who has a chair, and whether the host still waits for them."""
    return [(chair.name, chair.key in gathering.coming) for chair in gathering.chairs]


def guest(name: str, *, here: bool = True) -> EveningGuest:
    return EveningGuest(name, name, name.encode().ljust(32), "code", here)


@pytest.fixture
def opened() -> tuple[GuestDoor, Gathering]:
    """A door without its program, and a table of it that keeps two chairs for guests."""
    gathering = Gathering(bytes(16), ANN.key, terms("barons", 3), ANN, 0)
    lobby = SimpleNamespace(tables={}, gatherings={gathering.table: gathering})
    door = GuestDoor(SimpleNamespace(lobby=lobby), None)
    door.open = lambda *, asks=False: []
    return door, gathering


def test_chairs_go_to_those_who_are_here_first_to_who_had_none_the_last_time(
    opened: tuple[GuestDoor, Gathering],
) -> None:
    door, gathering = opened
    door.guests = (guest("asleep", here=False), guest("ben"), guest("cleo"), guest("dora"))
    door._seated = frozenset({guest("ben").key})
    door.lead_to(gathering, 2, asks=False)
    assert chairs_of(gathering) == [("cleo", True), ("dora", True)]
    assert door._lead.chairs == ("cleo", "dora") and door._lead.free == 0


def test_a_chair_of_somebody_who_is_asleep_before_the_game_goes_to_another(opened: tuple[GuestDoor, Gathering]) -> None:
    door, gathering = opened
    door.lead_to(gathering, 2, asks=False)
    assert door._lead.free == 2
    door.guests = (guest("ben"),)
    door.follow()
    assert chairs_of(gathering) == [(NOBODY_YET, True), ("ben", True)] and door._lead.free == 1
    door.guests = (guest("ben", here=False), guest("cleo"), guest("dora"))
    door.follow()
    assert chairs_of(gathering) == [("cleo", True), ("dora", True)]
    gathering.coming.clear()  # they sit
    door.guests = (guest("ben"), guest("cleo", here=False), guest("dora"))
    door.follow()
    assert chairs_of(gathering) == [("cleo", False), ("dora", False)], "who sits may sleep"
    gathering.kick(guest("cleo").key, "")
    door.follow()
    assert chairs_of(gathering) == [("dora", False)] and door._lead.chairs == ("dora",)


def test_a_table_that_closes_before_its_game_leads_back_to_the_evening(opened: tuple[GuestDoor, Gathering]) -> None:
    door, gathering = opened
    door.lead_to(gathering, 1, asks=False)
    assert door._lead.table == gathering.table.hex()
    gathering.leave()
    door.follow()
    assert door._lead == Lead()


@pytest.mark.parametrize(
    "told", [b"7", b'{"x": 1}', b'{"folder": "1", "name": "Ben", "key": "00", "code": "c", "here": true}', b"[[]]"]
)
def test_the_host_believes_no_guest_without_a_key(opened: tuple[GuestDoor, Gathering], told: bytes) -> None:
    door, _ = opened
    door._hear(b'{"guests": [' + told + b"]}")
    assert door.guests == ()
    key = b"ab" * 32
    door._hear(b'{"guests": [{"folder": "1", "name": "Ben", "key": "' + key + b'", "code": "c", "here": true}]}')
    assert [one.name for one in door.guests] == ["Ben"]


def test_all_who_asked_have_gone_when_the_guests_program_dies(opened: tuple[GuestDoor, Gathering]) -> None:
    opened[0]._station.node = SimpleNamespace(wake_up=lambda: None)
    opened[0]._listen(BytesIO(b'{"ask": 1, "name": "Ben", "from": "::1"}\n'), Event())
    assert [*opened[0].requests()] == [GuestAsks(1, "Ben", "::1"), GuestGone()]


def test_a_door_that_is_open_hears_that_the_host_is_asked_from_now_on() -> None:
    pipe = BytesIO()
    door = GuestDoor(None, None)
    door.program = SimpleNamespace(stdin=pipe)
    for asks in (False, True, True):
        door.open(asks=asks)
    assert pipe.getvalue().decode() == Lead(asks=True).to_json() + "\n"
