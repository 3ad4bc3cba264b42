"""Hundreds of games on the simulated network for each run of the slow tests; many_games.py says what they are.

A failure prints the command that plays its game again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pytest

from quadrille.net.entries.terms import Terms
from tests.net.colluders import played as colluded
from tests.net.many_games import IN_A_ROOM, KINDS, LARGE, SMALL, TABLES, WEATHERS, Ended, play
from tests.net.simulation import World, seat

# Single games that say more than that they end alike


@pytest.mark.parametrize("weather", ["a bad day", "another planet"])
@pytest.mark.parametrize(("offered", "seats"), [(SMALL[6], 2), (LARGE[0], 4), (LARGE[0], 3)])
def test_a_table_begins_within_a_minute_in_the_worst_weather(offered: Terms, seats: int, weather: str) -> None:
    """Patience counts answers. A table may have fewer seats in the end than it was offered with."""
    world = World("single", replace(offered, seats=seats), WEATHERS[weather])
    for peer in world.seated:
        world.start(peer)
    seat(world, world.seated, offered)
    world.begin()
    assert world.now < 60_000 and {log.now.terms.seats for log in world.logs()} == {seats}


#: One of every second weather by default; slow tests play all, and kinds of some seconds a game in two parts.
PARTS = (
    ("weather", range(3, len(TABLES) * len(WEATHERS), 2 * len(TABLES) + 1)),
    *((kind, numbers[part::2]) for kind, (_, numbers) in KINDS.items() for part in range(2)),
)


def played(kind: str, numbers: Iterable[int]) -> Iterator[Ended]:
    for number in numbers:
        try:
            yield play(f"{kind}/{number}")
        except Exception as error:
            raise AssertionError(f"python -m tests.net.many_games {kind}/{number}: {error}") from error


@pytest.mark.first(1)
@pytest.mark.parametrize(("kind", "numbers"), PARTS)
def test_many_games(kind: str, numbers: Sequence[int]) -> None:
    """All end, each with one log at all its seats, and nobody honest is blamed."""
    found = list(played(kind, numbers))
    assert sum(one.games for one in found) == len(numbers) * (IN_A_ROOM if kind == "rooms" else 1)


def test_no_coalition_rewrites_what_is_done() -> None:
    """It does harm, and is decided about; what has to hold is checked at every step (colluders.py)."""
    games = [colluded(number) for number in range(5)]
    kinds = {entry.kind for game in games for log in game.logs() for entry in log.entries}
    assert kinds == {"begin", "move", "motion", "excluded"}


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(354, id="an honest seat signs no second entry where its branch gave way and came back"),
        pytest.param(599, id="honest seats agree on a last entry that a liar replaces after the end"),
        pytest.param(774, id="and so do others"),
    ],
)
def test_a_coalition_that_did_harm_once(number: int) -> None:
    assert list(played("colluders", range(number, number + 1)))


def test_no_flood_of_vouches_leaves_honest_seats_behind() -> None:
    list(played("colluders", range(1, 18, 16)))


def test_the_same_seed_is_the_same_game() -> None:
    assert play("weather/8") == play("weather/8")
