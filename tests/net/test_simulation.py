"""Single games on the simulated network that say more than that they end alike; see many_games.py for those."""

from dataclasses import replace

import pytest

from quadrille.net.entries.bodies import LeftBody
from quadrille.net.entries.terms import Terms, TimeControl
from tests.net.many_games import GRACE, LARGE, SMALL, WEATHERS
from tests.net.network import CALM, Weather
from tests.net.simulation import Peer, World, gather, seat
from tests.net.tables import terms


def at_table(agreed: Terms, weather: Weather = CALM) -> tuple[World, list[Peer]]:
    """A table that has begun."""
    world = World("single", agreed, weather)
    gather(world)
    world.begin()
    return world, world.seated


@pytest.mark.parametrize("weather", ["a bad day", "another planet"])
@pytest.mark.parametrize("agreed", [SMALL[6], LARGE[0]], ids=["two", "four"])
def test_a_table_begins_within_a_minute_in_the_worst_weather(agreed: Terms, weather: str) -> None:
    """Patience counts answers."""
    world, _ = at_table(agreed, WEATHERS[weather])
    assert world.now < 60_000


@pytest.mark.parametrize("weather", ["a bad day", "another planet"])
def test_a_table_begins_with_fewer_seats_than_it_was_offered_with(weather: str) -> None:
    world = World("fewer", replace(LARGE[0], seats=3), WEATHERS[weather])
    for peer in world.seated:
        world.start(peer)
    seat(world, world.seated, LARGE[0])
    world.begin()
    assert world.now < 60_000
    assert {log.now.terms.seats for log in world.logs()} == {3}


def test_two_seats_wait_for_each_other_for_ever() -> None:
    world, (lost, _) = at_table(SMALL[6])
    world.crash(lost, None)
    world.pass_time(120_000)
    assert world.logs()[0].now.over is None
    world.start(lost)
    lost.dead = False
    world.run(world.settled)


def test_a_flag_falls_by_its_owner_s_own_word() -> None:
    world = World("flag", terms("maze", 2, {"size": 3}, grace=GRACE, clock=TimeControl(60_000, 1000)))
    world.act = lambda peer: None  # type: ignore[method-assign]  # nobody moves
    gather(world)
    world.run(world.settled)
    assert [entry.kind for entry in world.logs()[0].entries] == ["begin", "left"]
    assert world.logs()[0].entries[1].body == LeftBody(0, "time")
