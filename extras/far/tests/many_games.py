"""Eleven hundred games over hostile relays and behind NATs, as those of tests/net/many_games.py.

python -m extras.far.tests.many_games relays/37
"""

import sys

from extras.far.tests.nat_world import Homes, NatWorld
from extras.far.tests.relay_world import Malice, RelayedWorld
from tests.net.many_games import CALM, LARGE, SMALL, Ended, Kinds, ended, game, play, with_a_liar
from tests.net.simulation import Weather, gather

MALICE = (
    Malice(drops=20),
    Malice(exchanges=200),
    Malice(repeats=300),
    Malice(lies=200),
    Malice(deaths=60),
    Malice(delay=400),
    Malice(drops=10, exchanges=100, repeats=100, lies=100, deaths=10, delay=60),
)
HOMES = (
    Homes((0, 0, 1)),
    Homes((0, 1, 2), frozenset({0}), forgets=30),
    Homes((0, 1, 0), frozenset({1}), forgets=60, moves=20),
    Homes((0, 1, 2), frozenset({0, 1, 2}), forgets=100, moves=40),
    Homes((0, 1, 2)),
)


def over_relays(seed: str, number: int) -> Ended:
    malice = MALICE[number // 7 % len(MALICE)]
    relays = ((malice, Malice()), (malice, malice), (malice,))[number % 3]
    world = RelayedWorld(seed, game(number), relays, Weather(crashes=5) if number % 5 == 4 else CALM)
    gather(world)
    return ended(world)


def behind_nats(seed: str, number: int) -> Ended:
    malice = MALICE[number // 7 % len(MALICE)]
    weather = Weather(crashes=5) if number % 4 == 3 else CALM
    world = NatWorld(seed, game(number), HOMES[number % len(HOMES)], (malice, Malice())[: 1 + number % 2], weather)
    gather(world)
    return ended(world)


def among_liars(seed: str, number: int) -> Ended:
    """One of three or four lies, over a relay that lies too."""
    agreed = (SMALL[3], SMALL[3], LARGE[0])[number % 3]
    return with_a_liar(RelayedWorld(seed, agreed, (Malice(repeats=100, lies=50),)), number)


FAR_KINDS: Kinds = {"relays": (over_relays, 640), "nats": (behind_nats, 480), "liars": (among_liars, 40)}


if __name__ == "__main__":
    print(play(sys.argv[1], FAR_KINDS))
