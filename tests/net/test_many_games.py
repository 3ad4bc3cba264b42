"""Hundreds of games in simulated worlds for each run of the slow tests; see many_games.py for what they are.

A failure prints the command that plays its game again.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.net.many_games import KINDS, Ended, count_of, play

#: The parts in which each kind is played: some seconds each.
PARTS = {"weather": 1, "rooms": 3, "liars": 1}


def played(kind: str, numbers: range) -> Iterator[Ended]:
    for number in numbers:
        try:
            yield play(f"{kind}/{number}")
        except Exception as error:
            raise AssertionError(f"python -m tests.net.many_games {kind}/{number}: {error}") from error


def test_there_are_nine_hundred_of_them() -> None:
    assert KINDS.keys() == PARTS.keys()
    assert sum(count_of(kind) for kind in KINDS) >= 900
    assert all(count_of(kind) >= 150 for kind in KINDS)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "part"), [(kind, part) for kind, parts in PARTS.items() for part in range(parts)])
def test_many_games(kind: str, part: int) -> None:
    """All end, each with one log at all its seats, and nobody honest is blamed."""
    numbers = range(part, KINDS[kind][1], PARTS[kind])
    found = list(played(kind, numbers))
    assert sum(one.games for one in found) == len(numbers) * count_of(kind) // KINDS[kind][1]
    if kind == "liars":
        assert sum(one.blamed for one in found) > len(numbers) // 2, "most lies are found out"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "rooms"])
def test_a_game_of_each_kind(kind: str) -> None:
    [found] = played(kind, range(3, 4))
    assert found.games == 1


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
