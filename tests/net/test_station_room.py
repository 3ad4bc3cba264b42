"""Stations in a private room: those with the passphrase play, and who has another hears nothing but that."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quadrille.net.entry import NOBODY
from quadrille.net.lobby import Arrived
from quadrille.net.station import PrivateRoom, Remark, Station, now
from tests.net.tables import terms

PATIENCE = 20.0


@pytest.fixture
def stations(tmp_path: Path) -> Iterator[Callable[[str, str], Station]]:
    opened: list[Station] = []

    def enter(name: str, passphrase: str) -> Station:
        room = PrivateRoom(f"room of {tmp_path.name}", passphrase)
        opened.append(Station(name, "bot", folder=tmp_path / name, room=room).start())
        return opened[-1]

    yield enter
    for station in opened:
        station.close()


def until(stations: list[Station], condition: Callable[[], object]) -> list[tuple[Station, object]]:
    """Turn all of them until it is so; what they told."""
    told: list[tuple[Station, object]] = []
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "not in time"
        for station in stations:
            told += [(station, event) for event in station.turn(20)]
    return told


def test_members_play_and_a_stranger_is_told_of_nobody(stations: Callable[[str, str], Station]) -> None:
    phrase = "four words that rhyme"
    host, guest, stranger = stations("host", phrase), stations("guest", phrase), stations("stranger", "another phrase")
    everybody = [host, guest, stranger]
    gathering = host.lobby.host(terms("maze", options={"size": 2}), b"nonce", now())
    told = until(everybody, lambda: any(peer.tables for peer in guest.lobby.peers.values()))
    guest.lobby.join(guest.lobby.peers[host.identity.key].tables[0], now())
    told += until(everybody, lambda: len(gathering.chairs) == 2)
    gathering.start(now())
    told += until(everybody, lambda: host.lobby.tables and guest.lobby.tables)
    tables = [next(iter(station.lobby.tables.values())) for station in (host, guest)]

    def played() -> bool:
        for table in tables:
            if table.is_my_turn:
                table.play(str(next(iter(table.log.now.match.state.moves))), now())
        return all(table.over for table in tables)

    told += until(everybody, played)
    told += until(everybody, lambda: any(one is stranger for one, _ in told))
    assert tables[0].log.head == tables[1].log.head
    assert {event.peer.name for one, event in told if isinstance(event, Arrived) and one is host} == {"guest"}
    assert [event for one, event in told if one is stranger] == [
        Remark(NOBODY, "somebody in this room has another passphrase than you")
    ] * sum(one is stranger for one, _ in told)
    assert not stranger.lobby.peers
