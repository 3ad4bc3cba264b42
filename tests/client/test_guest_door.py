"""The door for guests from the host's side: which address is shown first, and which ports are taken."""

import ipaddress
import socket
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from quadrille.client.network import addresses
from quadrille.client.network.addresses import free_port, reachable
from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence.guest_door import GuestServerProcess
from quadrille.client.presence.place import StationPresence, stage_of
from quadrille.client.table.network.wishes import Host
from quadrille.net.core.errors import LocalError
from quadrille.net.link.interfaces import Interface
from quadrille.net.seating.gathering import OPEN
from tests.net.ports import udp_port
from tests.net.tables import terms


def at(name: str, network: str) -> Interface:
    return Interface(name, ipaddress.IPv4Interface(network))


def test_the_wifi_comes_before_bridges_and_tunnels(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        at("lo", "127.0.0.1/8"),
        at("tun0", "10.8.0.2/32"),
        at("docker0", "172.17.0.1/16"),
        at("wlan0", "192.168.1.5/24"),
    ]
    monkeypatch.setattr(addresses, "_gateway_address", lambda: "192.168.1.5")
    assert reachable(found) == ("192.168.1.5", "172.17.0.1", "10.8.0.2")
    monkeypatch.setattr(addresses, "_gateway_address", lambda: "10.8.0.2")  # all traffic goes through the tunnel
    assert reachable(found)[-1] == "10.8.0.2"


def test_a_machine_on_no_network_has_no_address_for_phones() -> None:
    assert reachable([at("lo", "127.0.0.1/8")]) == reachable([]) == ()


def test_a_port_that_is_taken_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port(None, [port], "--phone-port") != port


def test_guests_at_play_are_not_sent_away_by_another_table() -> None:
    playing = SimpleNamespace(over=False, log=SimpleNamespace(now=SimpleNamespace(keys=(b"ann", b"gus"))))
    station = SimpleNamespace(lobby=SimpleNamespace(tables={b"t": playing}))
    door = GuestServerProcess(cast("Any", station), cast("Any", None))
    door._program, door._kept = cast("Any", object()), [b"gus"]
    with pytest.raises(LocalError, match="your guests still play at another table"):
        door.open_for(cast("Any", None), 1, asks=False)


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
