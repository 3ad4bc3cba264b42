"""Hundreds of games on the simulated network for each run of the slow tests; see many_games.py for what they are.

A failure prints the command that plays its game again.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.net.colluders import played as colluded
from tests.net.many_games import IN_A_ROOM, KINDS, LIES, WEATHERS, Ended, play

#: The parts in which dear kinds are played: some seconds each.
PARTS = {"colluders": 2}


def played(kind: str, numbers: range) -> Iterator[Ended]:
    for number in numbers:
        try:
            yield play(f"{kind}/{number}")
        except Exception as error:
            raise AssertionError(f"python -m tests.net.many_games {kind}/{number}: {error}") from error


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "part"), [(kind, part) for kind in KINDS for part in range(PARTS.get(kind, 1))])
def test_many_games(kind: str, part: int) -> None:
    """All end, each with one log at all its seats, and nobody honest is blamed."""
    numbers = range(part, KINDS[kind][1], PARTS.get(kind, 1))
    found = list(played(kind, numbers))
    assert sum(one.games for one in found) == len(numbers) * (IN_A_ROOM if kind == "rooms" else 1)
    if kind == "liars":
        assert sum(one.blamed for one in found) > len(numbers) // 2, "most lies are found out"


#: One of each weather, of small tables with cards, and of each lie.
FEW = {
    "weather": range(3, 7 * len(WEATHERS), 7),
    "cards": range(0, 3 * len(WEATHERS), 3),
    "liars": range(0, 3 * len(LIES), 3),
}


@pytest.mark.first(1)
@pytest.mark.parametrize("kind", FEW)
def test_a_few_games(kind: str) -> None:
    assert sum(one.games for one in played(kind, FEW[kind])) == len(FEW[kind])


def test_no_coalition_rewrites_what_is_done() -> None:
    """It does harm, and is decided about; what has to hold is checked at every step (colluders.py)."""
    games = [colluded(number) for number in range(10)]
    kinds = {entry.kind for game in games for log in game.logs() for entry in log.entries}
    assert kinds == {"begin", "move", "motion", "excluded"}


def test_an_honest_seat_signs_no_second_entry_where_its_branch_gave_way_and_came_back() -> None:
    assert list(played("colluders", range(354, 355)))


@pytest.mark.parametrize("number", [599, 774])
def test_honest_seats_agree_on_a_last_entry_that_a_liar_replaces_after_the_end(number: int) -> None:
    assert list(played("colluders", range(number, number + 1)))


def test_no_flood_of_vouches_leaves_honest_seats_behind() -> None:
    list(played("colluders", range(1, 18, 16)))


def test_the_same_seed_is_the_same_game() -> None:
    assert play("weather/8") == play("weather/8")


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["rooms/1", "weather/8"])
def test_the_same_seed_is_the_same_game_in_every_process(seed: str) -> None:
    """Sets have another order in each process, so a room could not be played again."""
    command = [sys.executable, "-m", "tests.net.many_games", seed]
    root = Path(__file__).parents[2]
    first, second = (
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": order}, cwd=root, stdout=subprocess.PIPE, check=True
        )
        for order in ("1", "2")
    )
    assert first.stdout and first.stdout == second.stdout
