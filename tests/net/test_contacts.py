"""Peers that tell each other of third ones: real stations on loopback, none of which hears another's beacons."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quadrille.net.neighbours.neighbour import Contact, Endpoint
from quadrille.net.program.station import Station, now
from quadrille.net.seating.lobby import Dropped
from quadrille.net.trust.identity import peer_of
from tests.net.ports import udp_port

PATIENCE = 120_000  # milliseconds; only a failing test waits so long


class Islands:
    """Stations each with a UDP port of its own; a seed leads from one to another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stations: list[Station] = []

    def start(self, name: str, *seeds: Station) -> Station:
        words = [f"127.0.0.1:{seed.node.tcp_port}" for seed in seeds]
        folder = self.folder / name
        own = Station(name, "bot", folder=folder, port=udp_port(), interfaces=["127.0.0.1"], seeds=words)
        self.stations.append(own.start())
        return own

    def until_met(self, *these: Station) -> None:
        """Let all go on until these know each other."""
        names = {station.lobby.name for station in these}
        end = now() + PATIENCE
        while any({peer.name for peer in one.lobby.peers.values()} < names - {one.lobby.name} for one in these):
            assert now() < end, "they do not meet"
            for station in self.stations:
                assert not [event for event in station.turn(5) if isinstance(event, Dropped)]


@pytest.fixture
def islands(tmp_path: Path) -> Iterator[Islands]:
    made = Islands(tmp_path)
    yield made
    for station in made.stations:
        station.close()


def test_who_comes_is_told_of_those_who_are_there(islands: Islands) -> None:
    hub = islands.start("hub")
    old, new = islands.start("old", hub), islands.start("new", hub)
    islands.until_met(hub, old, new)


@pytest.mark.slow
def test_those_who_are_there_are_told_of_who_comes(islands: Islands, monkeypatch: pytest.MonkeyPatch) -> None:
    """It can't call them itself: its own firewall may let calls in, and not out."""
    hub = islands.start("hub")
    old = islands.start("old", hub)
    islands.until_met(hub, old)
    new = islands.start("new", hub)
    called: list[Contact] = []
    monkeypatch.setattr(new.node, "introduce", lambda contact, by: called.append(contact))
    islands.until_met(hub, old, new)
    assert peer_of(old.identity.key) in {contact.id for contact in called}


def test_where_a_peer_is(islands: Islands) -> None:
    hub = islands.start("hub")
    other = islands.start("other", hub)
    islands.until_met(hub, other)
    peer = peer_of(hub.identity.key)
    assert other.node.is_at(peer, Endpoint("127.0.0.1", hub.node.tcp_port))
    assert not other.node.is_at(peer, Endpoint("127.0.0.1", other.node.tcp_port))
    assert not other.node.is_at(bytes(16), Endpoint("127.0.0.1", hub.node.tcp_port))
