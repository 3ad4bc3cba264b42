"""What lies around the machines of tables: a station that opens real envelopes, and the door of a private room."""

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.wire import sealed
from quadrille.net.private_room.door import (
    CONFIRM,
    INSIDE,
    MOST_WAITING,
    REFUSAL,
    SHARE,
    VERSION,
    VERSION_HEADER,
    Admitted,
    Door,
)
from quadrille.net.private_room.guesses import GUESSES, MOST_BANNED
from quadrille.net.private_room.pake import PakeMessage, PakeRun
from quadrille.net.private_room.room import HEADER, End, run_between
from quadrille.net.program.station import Station
from quadrille.net.trust.identity import KEY_FILE
from tests.fuzz.liar import FOES, Liar
from tests.fuzz.logs import CHECKER
from tests.fuzz.worlds import World
from tests.net.cards.stub import STUB
from tests.net.tables import identity


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
    station = Station("me", "person", folder=folder, durability="normal")
    station.lobby._checker = station.lobby._unopened._checker = CHECKER
    return station


@pytest.mark.parametrize("seed", ["station/0", pytest.param("station/1", marks=pytest.mark.slow)])
def test_envelopes_that_a_station_opens(seed: str, tmp_path: Path) -> None:
    station = station_at(tmp_path)
    try:
        world, liar = World(seed, station.lobby), Liar(seed)
        dice = world.dice
        for one in FOES.values():
            station._keys[one.peer] = one.key
        for _ in range(600):
            author, message = liar.message(world.names, world.logs())
            data = sealed(message, author)
            id = dice.choice([*FOES.values()]).peer if dice.random() < 0.1 else author.peer
            peer = cast("Any", SimpleNamespace(id=id))
            station._open(peer, damaged(data, dice) if dice.random() < 0.1 else data)
            station.flush()
            for event in station.lobby.events:
                station._keep(event)
            station.lobby.events.clear()
            if dice.random() < 0.05:
                world.pass_time()
        assert station.guard.count == 0
        for table in station.lobby.tables.values():
            kept = set(station.shelf.entries(table.log.table))
            assert {entry.data for entry in table.log.entries} <= kept  # nothing is lost
    finally:
        station.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_door_in_whatever_hands(seed: int) -> None:
    """Members and strangers say anything at any time, with right and wrong shares; a Door remembers only so many."""
    dice, key, now = Random(seed), bytes([5]) * 32, 1_000_000
    own, others = identity(1), [identity(number) for number in range(2, 62)]
    door = Door(own, key, bytes(32), draw=dice.randbytes, group=STUB)
    ours = End(own.curve().public, own.peer, bytes(32))
    runs: dict[bytes, PakeRun] = {}
    inside = 0
    for _ in range(3000):
        one = dice.choice(others)
        curve = one.curve().public
        match dice.randrange(8):
            case 0 | 1:
                peer = one.peer if dice.random() < 0.9 else dice.choice(others).peer
                theirs = End(curve, peer, bytes([dice.randrange(2)]) * 32)
                headers = {HEADER: dice.choice((theirs.nonce.hex(), theirs.nonce.hex(), "zz")), VERSION_HEADER: VERSION}
                if dice.random() < 0.1:
                    headers[VERSION_HEADER] = dice.choice(("1", "99", "x", ""))
                right = key if dice.random() < 0.7 else bytes(32)
                runs[curve] = run_between(STUB, right, theirs, ours, dice.randbytes)
                door.hello(curve, peer, headers, now)
            case 2 | 3 | 4:
                _answer(door, curve, runs.get(curve), dice, now)
            case 5:
                kind = dice.choice((0, REFUSAL, SHARE, CONFIRM, 9))
                door.receive(curve, bytes([kind]) + dice.randbytes(dice.randrange(80)), now)
            case 6:
                door.gone(curve)
            case 7:
                now += dice.choice((1, 300, 6000, 700_000))
                door.wake(now)
        inside += sum(isinstance(event, Admitted) for event in door.events)
        for peer, said in door.outgoing:
            run = next((runs[one.curve().public] for one in others if one.peer == peer and said[0] == SHARE), None)
            if run is not None and dice.random() < 0.9:
                run.hears(PakeMessage(said[1:], ours.data))
        door.outgoing.clear()
        door.events.clear()
        assert len(door._bans) <= MOST_BANNED
        assert sum(guest.state != INSIDE for guest in door._guests.values()) <= 2 * MOST_WAITING
        assert all(0 <= budget.left <= GUESSES for budget in (door._strangers, door._known))
    assert inside > 5


def _answer(door: Door, curve: bytes, run: PakeRun | None, dice: Random, now: int) -> None:
    """A share and its claim, most often the right ones in their order."""
    if run is None:
        return
    if dice.random() < 0.9:
        door.receive(curve, bytes([SHARE]) + run.sent.share, now)
    if run._theirs is not None and dice.random() < 0.9:
        door.receive(curve, bytes([CONFIRM]) + run.tag, now)
