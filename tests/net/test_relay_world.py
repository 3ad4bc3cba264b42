"""Whole games over relays that drop, delay, exchange, repeat and lie, from one seed each; see relay_world.py."""

import itertools

import pytest

from quadrille.net.entries.terms import Terms
from tests.net.cards.dotter_world import small
from tests.net.relay_world import CALM, Malice, Paths, RelayedWorld, over_relays
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


#: Direct ways, over one relay that is honest.
PATHS = {
    "opens": Paths(opens=150),
    "flaps": Paths(opens=400, closes=100),
    "swallows": Paths(opens=500, closes=30, malice=Malice(drops=300)),
    "lies": Paths(opens=500, closes=30, malice=MALICE["all"]),
}
FAR = Malice(delay=150)


def played(
    seed: str, agreed: Terms, malice: tuple[Malice, ...], weather: Weather = CALM, paths: Paths | None = None
) -> RelayedWorld:
    """A game to its end; nobody is blamed."""
    world = over_relays(seed, agreed, malice, weather, paths)
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


@pytest.mark.parametrize("name", PATHS)
def test_a_game_changes_to_a_direct_way_and_back(name: str) -> None:
    """In the middle of deals, shuffles and moves. While the ways are honest nobody was gone for anybody."""
    game = {"flaps": "dotter-3", "lies": "barons-4"}.get(name, "barons-2")
    world = played(f"{game}/{name}", GAMES[game], (FAR,), paths=PATHS[name])
    assert world.moves["direct"] and (world.moves["back"] or name == "opens"), world.moves
    assert not world.moves["gone"] or name in ("swallows", "lies"), world.moves


def test_a_game_goes_on_directly_where_relays_die() -> None:
    world = played("die", GAMES["barons-4"], (Malice(delay=150, deaths=300),), paths=PATHS["opens"])
    assert world.relays[0].lives and world.moves["direct"], world.moves


@pytest.mark.slow
@pytest.mark.parametrize("name", PATHS)
def test_many_games_by_direct_ways(name: str) -> None:
    """A failure prints the seed."""
    games = ("coin-isolation-3", "barons-4" if name == "swallows" else "dotter-3")
    owed = set[str]()
    for game, number in itertools.product(games, range(4)):
        seed = f"direct/{game}/{name}/{number}"
        malice = (MALICE["all" if number == 3 else "deaths" if number == 2 else "delay"],) * (1 + number % 2)
        try:
            owed |= played(seed, GAMES[game], malice, CRASHES if number == 1 else CALM, PATHS[name]).owed.keys()
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    assert name != "flaps" or owed >= {"move", "shuffle", "share"}, owed
