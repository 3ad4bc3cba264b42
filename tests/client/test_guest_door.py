"""The door for guests from the host's side: which address is shown first, and which ports are taken."""

import ipaddress
import socket

import pytest

from quadrille.client.presence import guest_door
from quadrille.client.presence.guest_door import reachable
from quadrille.net.link.interfaces import Interface


def at(name: str, network: str) -> Interface:
    return Interface(name, ipaddress.IPv4Interface(network))


def test_the_wifi_comes_before_bridges_and_tunnels(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        at("lo", "127.0.0.1/8"),
        at("tun0", "10.8.0.2/32"),
        at("docker0", "172.17.0.1/16"),
        at("wlan0", "192.168.1.5/24"),
    ]
    monkeypatch.setattr(guest_door, "_gateway_address", lambda: "192.168.1.5")
    assert reachable(found) == ("192.168.1.5", "172.17.0.1", "10.8.0.2")
    monkeypatch.setattr(guest_door, "_gateway_address", lambda: "10.8.0.2")  # all traffic goes through the tunnel
    assert reachable(found)[-1] == "10.8.0.2"


def test_a_machine_on_no_network_has_no_address_for_phones() -> None:
    assert reachable([at("lo", "127.0.0.1/8")]) == reachable([]) == ()


def test_a_port_that_is_taken_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert guest_door._port(None, [port], "--phone-port") != port
