"""Single games on the simulated network that say more than that they end alike; see many_games.py for those."""

import pytest

from quadrille.net.core.shapes import unpack
from quadrille.net.entries.bodies import LeftBody
from quadrille.net.entries.entry import read_entry
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.net.tables.accord import PROOF, evidence_label
from tests.net.many_games import GRACE, LARGE, SMALL, WEATHERS, tells_one_another_move
from tests.net.network import CALM, Weather
from tests.net.simulation import Peer, World, gather
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


def test_a_dead_seat_is_dropped_by_all_the_others() -> None:
    world, peers = at_table(LARGE[0])
    world.crash(peers[0], None)
    world.run(world.settled)
    kinds = [entry.kind for entry in world.logs()[0].entries]
    assert kinds.count("motion") == 1
    assert len(world.logs()[0].now.seats_in()) == 3


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


def test_two_entries_in_one_place_are_kept_and_shown_as_proof() -> None:
    world, (_, _, liar, _) = at_table(LARGE[0])
    world.liars[liar.key] = tells_one_another_move
    honest = world.honest()
    world.run(world.settled)
    assert {found.culprit for found in world.blamed} == {liar.key}
    excluded = [entry for entry in world.logs()[0].entries if entry.kind == "excluded"]
    assert len(excluded) == 1, "it costs the liar the game, and nobody else"
    assert all(not table.stopped for table in world.tables())
    for peer in honest:
        [kept] = [data for (_, label), data in peer.shelf.secrets.items() if label == evidence_label(PROOF, liar.key)]
        one, other = (read_entry(data) for data in unpack(kept)[1])
        assert (one.author, one.index) == (other.author, other.index) == (liar.key, one.index)
        assert one.hash != other.hash and one.is_signed() and other.is_signed()
