"""Programs that die at each of the points where it could matter: before and after everything that goes to the disk.

Between an entry on the disk and the message that tells of it there is such a point, and none is left out here. With
the power, all is lost that was not said to be safe.
"""

from dataclasses import replace

import pytest

from quadrille.net.entries.terms import Terms, TimeControl
from tests.net.simulation import Weather, World, gather
from tests.net.tables import terms
from tests.net.test_lobby import holder, trio

GRACE = 5000
TWO = terms("barons", 2, {"width": 2, "height": 2}, grace=GRACE, clock=TimeControl(600_000, 0))
THREE = terms("barons", 3, {"width": 3, "height": 2}, grace=GRACE)
CALM = Weather(power=True)
ROUGH = Weather(loss=100, twice=50, delay=400, cuts=10, power=True)


def settled(world: World) -> bool:
    """Everybody has seen the same end; or the table never began, and nobody waits for it any more."""
    lobbies = [peer.lobby for peer in world.peers.values() if not peer.dead]
    if any(lobby is None for lobby in lobbies):
        return False
    if not any(peer.shelf.kept for peer in world.peers.values()):
        return not any(lobby.gatherings for lobby in lobbies if lobby) and world.now > 60_000
    return world.settled() or waits_for_ever(world)


def waits_for_ever(world: World) -> bool:
    """Two are left, and one of them is dead: another was dropped with the last signature of the dead one."""
    dead = {peer.key for peer in world.peers.values() if peer.dead}
    logs = world.logs()
    left = [[log.now.keys[seat] for seat in log.now.seats_in()] for log in logs]
    same = bool(logs) and len({log.head for log in logs}) == 1
    return same and all(len(keys) == 2 and dead & {*keys} for keys in left)


def died(seed: str, agreed: Terms, weather: Weather, number: int, moment: int) -> bool:
    """A game in which a peer dies at a moment; False when it came to none of that number."""
    world = World(seed, agreed, weather)
    gather(world)
    shelf = list(world.peers.values())[number].shelf
    shelf.die_at = moment
    try:
        world.run(lambda: settled(world))
        assert world.blamed == []
    except AssertionError as error:
        raise AssertionError(f"{seed}, peer {number} died at moment {moment}: {error}") from error
    return shelf.moments >= moment


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("agreed", [TWO, pytest.param(THREE, marks=pytest.mark.slow)], ids=["two", "three"])
def test_death_at_every_moment_of_a_game(agreed: Terms, number: int) -> None:
    if number < agreed.seats:
        moment = 1
        while died("calm", agreed, CALM, number, moment):
            moment += 1
        assert moment > 2 * (1 + 4)


@pytest.mark.slow
@pytest.mark.parametrize("weather", [ROUGH, replace(ROUGH, deaths=5)], ids=["rough", "deaths"])
def test_death_at_every_moment_in_bad_weather(weather: Weather) -> None:
    """Each peer at every third of its moments, and all three together at each."""
    for number in range(3):
        moment = 1 + number
        while died("rough", THREE, weather, number, moment):
            moment += 3


def test_who_comes_back_finds_the_lines_in_the_order_in_which_they_were_said() -> None:
    """One's own lines stood before all others, which the others told again."""
    room = trio()
    for seat, line in ((1, "hello"), (0, "hi"), (2, "good evening"), (0, "and to you"), (1, "luck to all")):
        room.does(seat, lambda table, line=line: table.say(line))
        room.settle()
    said = room.table(0).lines()
    assert [line.line for line in said] == ["hello", "hi", "good evening", "and to you", "luck to all"]
    for seats in ((0,), (0, 1, 2)):
        for peer in [holder(room, seat) for seat in seats]:
            room.crash(peer, 4000)
        room.run(lambda: all(peer.lobby is not None for peer in room.seated))
        room.settle(4000)
        assert room.table(0).lines() == room.table(1).lines() == said
