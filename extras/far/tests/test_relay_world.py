"""Whole games over relays that drop, delay, exchange, repeat and lie, from one seed each; see relay_world.py."""

import pytest

from extras.far.tests.relay_world import CALM, Malice, RelayedWorld, over_relays
from quadrille.net.entries.terms import Terms
from tests.net.cards.dotter_world import small
from tests.net.simulation import Weather
from tests.net.tables import terms

GRACE = 5000
GAMES = {
    "barons-2": terms("barons", 2, {"width": 3, "height": 3}, grace=GRACE),
    "barons-4": terms("barons", 4, {"width": 4, "height": 3}, grace=GRACE),
    "coin-isolation-3": terms("coin-isolation", 3, grace=GRACE),
    "maze-2": terms("maze", 2, {"size": 4}, grace=GRACE),
    "dollar-draw-2": terms("dollar-draw", 2, {"width": 4, "height": 4}, grace=GRACE),
    "dotter-3": small(3),
}
MALICE = {
    "drops": Malice(drops=20),
    "exchanges": Malice(exchanges=200),
    "repeats": Malice(repeats=300),
    "lies": Malice(lies=200),
    "deaths": Malice(deaths=60),
    "delay": Malice(delay=400),
    "all": Malice(drops=10, exchanges=100, repeats=100, lies=100, deaths=10, delay=60),
}
CRASHES = Weather(crashes=12)


def played(seed: str, agreed: Terms, malice: tuple[Malice, ...], weather: Weather = CALM) -> RelayedWorld:
    """A game to its end; nobody is blamed."""
    world = over_relays(seed, agreed, malice, weather)
    assert world.blamed == []
    return world


@pytest.mark.parametrize("name", MALICE)
def test_a_lying_relay_changes_nothing(name: str) -> None:
    played(f"coin-isolation-3/{name}", GAMES["coin-isolation-3"], (MALICE[name], Malice()))


def test_two_hostile_relays_end_no_game() -> None:
    world = played("both", GAMES["barons-4"], (MALICE["all"], MALICE["all"]))
    dropped = [reason for member in world.members.values() for reason in member.meeting.counts]
    assert "a parcel that is not sealed with this ticket" in dropped and "a parcel for another" in dropped


def test_peers_that_crash_come_back_over_relays() -> None:
    worlds = [
        played(f"crashes/{number}", GAMES["barons-2"], (MALICE["exchanges"], Malice()), CRASHES) for number in range(6)
    ]
    assert any(peer.lives > 1 for world in worlds for peer in world.peers.values())
