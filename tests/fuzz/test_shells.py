"""What lies around the machines of tables: a station that opens real envelopes."""

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.wire import sealed
from quadrille.net.program.station import Station
from quadrille.net.trust.identity import KEY_FILE
from tests.fuzz.liar import FOES
from tests.fuzz.logs import CHECKER
from tests.fuzz.worlds import World


def damaged(data: bytes, dice: Random) -> bytes:
    """An envelope with a byte changed, cut off, or written in another version or by another."""
    at = dice.randrange(len(data))
    match dice.randrange(4):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]
        case 2:
            version, *rest = unpack(data)
            return pack((version + 1, *rest))
    return pack((unpack(data)[0], *unpack(data)[1:], b""))


def station_at(folder: Path) -> Station:
    """A station of ours that is not on any network, in the group in which the logs of the fuzz were made."""
    file = folder / KEY_FILE
    file.write_bytes(bytes([1]) * 32)
    file.chmod(0o600)
    station = Station("me", "person", folder=folder)
    station.lobby._checker = CHECKER
    return station


@pytest.mark.slow
def test_envelopes_that_a_station_opens(tmp_path: Path) -> None:
    station = station_at(tmp_path)
    try:
        world = World("station/0", station.lobby)
        dice = world.dice
        for one in FOES.values():
            station._keys[one.peer] = one.key
        for _ in range(600):
            author, message = world.lie()
            data = sealed(message, author)
            id = dice.choice([*FOES.values()]).peer if dice.random() < 0.1 else author.peer
            peer = cast("Any", SimpleNamespace(id=id))
            station._open(peer, damaged(data, dice) if dice.random() < 0.1 else data)
            station.flush()
            for event in station.lobby.events:
                station._keep(event)
            station.lobby.events.clear()
            if dice.random() < 0.05:
                world.pass_time(dice.choice((1, 300, 1100, 11_000)))
        assert station.guard.counts.total() == 0
        for table in station.lobby.tables.values():
            kept = set(station.shelf.entries(table.log.table))
            assert {entry.data for entry in table.log.entries} <= kept  # nothing is lost
    finally:
        station.close()
