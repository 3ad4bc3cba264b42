"""Many games on the simulated network: in all weathers, many tables in one room, with coalitions at the table.

    python -m tests.net.many_games weather/37

plays one of them again: its kind and number are its seed, and say all about it. Boards are small, because what is tried
is the network. The numbers of a kind go through all pairs of a table and a weather once, or as often as it says. After
every step the worlds check what their modules promise (simulation.py, colluders.py); here only the end of a game is
judged.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from quadrille.net.entries.terms import Terms, TimeControl
from tests.net import colluders
from tests.net.cards.dotter_world import DotterWorld, small
from tests.net.cards.stub import stubbed
from tests.net.network import CALM, Weather, signatures_checked_once
from tests.net.simulation import Peer, World, gather, seat
from tests.net.tables import terms

GRACE = 5000
#: Most virtual milliseconds of a game, whatever happens: colluders and weather cost time, and not more than this.
LONGEST = 600_000
MOST_STEPS = 400_000
#: Tables of one room.
IN_A_ROOM = 12

SMALL = (
    terms("maze", 2, {"size": 3}, grace=GRACE),
    terms("barons", 2, {"width": 3, "height": 2}, grace=GRACE),
    terms("dollar-draw", 2, {"width": 3, "height": 3}, grace=GRACE),
    terms("barons", 3, {"width": 3, "height": 2}, grace=GRACE),
    terms("maze", 2, {"size": 3}, grace=GRACE, clock=TimeControl(60_000, 1000)),
    terms("dollar-draw", 2, {"width": 2, "height": 2}, grace=GRACE),
    terms("barons", 2, {"width": 3, "height": 3}, grace=GRACE),
)
LARGE = (
    terms("barons", 4, {"width": 3, "height": 3}, grace=GRACE),
    terms("coin-isolation", 2, grace=GRACE),
    terms("coin-isolation", 3, grace=GRACE),
    terms("barons", 6, {"width": 4, "height": 4}, grace=GRACE),
    terms("coin-isolation", 4, {"renegade": True, "idle_rounds": 2}, grace=GRACE),
    terms("maze", 2, {"size": 4}, grace=GRACE),
    small(3),
)
#: Tables whose peers hold several seats, with how many each holds.
SEVERAL = (
    (LARGE[0], (3, 1)),
    (terms("barons", 5, {"width": 3, "height": 3}, grace=GRACE), (2, 2, 1)),
    (LARGE[3], (3, 2, 1)),
    (LARGE[4], (1, 2, 1)),
    (replace(LARGE[0], clock=TimeControl(60_000, 1000)), (2, 1, 1)),
    (SMALL[0], (2,)),
    (LARGE[2], (2, 1)),
    (replace(LARGE[0], lot=False), (1, 3)),
)
#: How many seats each peer holds where cards are dealt.
DEALT = ((1, 1), (3, 2, 1), (1, 1, 1), (3, 1), (2, 2, 1), (1, 1, 1, 1), (1, 2), (2, 1, 1))
CRASHES = Weather(loss=20, delay=100, crashes=5)
DEATHS = Weather(loss=20, delay=100, cuts=2, deaths=5)
WEATHERS = {
    "calm": CALM,
    "lossy": Weather(loss=100, twice=50, delay=300),
    "cuts": Weather(loss=20, delay=100, cuts=5),
    "crashes": CRASHES,
    "storm": Weather(loss=50, twice=50, delay=200, cuts=3, crashes=3),
    "deaths": DEATHS,
    "power cuts": Weather(loss=50, twice=20, delay=200, cuts=4, crashes=8, power=True),
    "clocks": Weather(loss=20, delay=100, cuts=3, crashes=2, clocks=(1100, 900, 1000), jumps=4),
    "a bad day": Weather(loss=200, delay=600),
    "another planet": Weather(delay=1400, in_order=True),
    "a slow line": Weather(delay=100, in_order=True, bandwidth=12_000, away=2),
}


@dataclass(frozen=True)
class Ended:
    """Games that came to the same end everywhere, and what became of the dishonest."""

    games: int
    longest: int  # virtual milliseconds
    blamed: int = 0


#: All tables in the weathers, each with how many seats its peers hold: one, unless it is said.
TABLES = (*((agreed, ()) for agreed in (*SMALL, *LARGE)), *SEVERAL)


def ended(world: World) -> Ended:
    """Play to the end and judge it: nobody honest is blamed, all have the same log, and it took no age."""
    world.run(world.settled, MOST_STEPS)
    culprits = {found.culprit for found in world.blamed}
    assert culprits <= world.liars.keys(), f"somebody honest is blamed: {world.blamed}"
    assert world.now <= LONGEST, f"it took {world.now} ms"
    return Ended(1, world.now, len(culprits))


def in_weather(seed: str, number: int) -> Ended:
    (agreed, held), weather = TABLES[number % len(TABLES)], list(WEATHERS.values())[number // len(TABLES)]
    if weather is DEATHS and (len(held) or agreed.seats) < 3:
        weather = CRASHES  # two peers can't tell who is gone: they wait
    world = World(seed, agreed, weather, held=held)
    gather(world)
    return ended(world)


def with_cards(seed: str, number: int) -> Ended:
    """Dotter, whose world looks into every seat's cards."""
    held, weather = DEALT[number % len(DEALT)], list(WEATHERS.values())[number % len(WEATHERS)]
    weather = CRASHES if weather is DEATHS and len(held) == 2 else weather
    with stubbed():
        return ended(DotterWorld(seed, small(sum(held)), weather, held=held))


class ManyTables(World):
    """Many tables at once, whose peers all know each other."""

    def __init__(self, seed: str, tables: list[Terms], weather: Weather) -> None:
        super().__init__(seed, tables[0], weather, others=sum(one.seats for one in tables[1:]))
        peers = iter(self.peers.values())
        self.groups: list[list[Peer]] = [[next(peers) for _ in range(one.seats)] for one in tables]
        for peer in self.peers.values():
            self.start(peer)
        for group, agreed in zip(self.groups, tables, strict=True):
            self.later(self.dice.randrange(8000), lambda group=group, agreed=agreed: seat(self, group, agreed))

    def settled(self) -> bool:
        return all(map(self.is_settled, self.groups))


def in_rooms(seed: str, number: int) -> Ended:
    agreed = [SMALL[(number + table) % len(SMALL)] for table in range(IN_A_ROOM)]
    found = ended(ManyTables(seed, agreed, Weather(cuts=1, crashes=1) if number % 2 else CALM))
    return Ended(len(agreed), found.longest)


def among_colluders(_: str, number: int) -> Ended:
    """Coalitions of all sizes but one; every 16th floods, too, and leaves no more of the honest behind."""
    found = colluders.played(number)
    if number % 16 == 1:
        flooded = colluders.played(number, floods=True)
        assert flooded.stranded == found.stranded, "honest seats are left behind by a flood"
    return Ended(1, found.now, len({one.culprit for one in found.blamed}))


Kinds: TypeAlias = dict[str, tuple[Callable[[str, int], Ended], Sequence[int]]]
#: How each kind is played, and by which numbers.
KINDS: Kinds = {
    "weather": (in_weather, range(len(TABLES) * len(WEATHERS))),
    "cards": (with_cards, range(4 * len(WEATHERS))),  # each weather with four of DEALT
    "rooms": (in_rooms, range(12)),
    "colluders": (among_colluders, (*range(240), *range(colluders.THREE_HELD, colluders.THREE_HELD + 60))),
}


def play(seed: str, kinds: Kinds = KINDS) -> Ended:
    kind, number = seed.split("/")
    with signatures_checked_once():
        return kinds[kind][0](seed, int(number))


if __name__ == "__main__":
    print(play(sys.argv[1]))
