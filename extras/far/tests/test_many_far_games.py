"""The games of many_games.py. A failure prints the command that plays its game again."""

from collections.abc import Iterator

import pytest

from extras.far.tests.many_games import FAR_KINDS
from tests.net.many_games import Ended, play

#: The parts in which each kind is played: some seconds each.
PARTS = {"relays": 3, "nats": 3, "liars": 1}


def played(kind: str, numbers: range) -> Iterator[Ended]:
    for number in numbers:
        try:
            yield play(f"{kind}/{number}", FAR_KINDS)
        except Exception as error:
            raise AssertionError(f"python -m extras.far.tests.many_games {kind}/{number}: {error}") from error


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "part"), [(kind, part) for kind, parts in PARTS.items() for part in range(parts)])
def test_many_far_games(kind: str, part: int) -> None:
    """All end, each with one log at all its seats, and nobody honest is blamed."""
    numbers = range(part, FAR_KINDS[kind][1], PARTS[kind])
    found = list(played(kind, numbers))
    assert sum(one.games for one in found) == len(numbers)
    if kind == "liars":
        assert sum(one.blamed for one in found) > len(numbers) // 2, "most lies are found out"


@pytest.mark.parametrize("kind", FAR_KINDS)
def test_a_far_game_of_each_kind(kind: str) -> None:
    [found] = played(kind, range(3, 4))
    assert found.games == 1


def test_a_seat_that_decided_against_an_entry_and_was_dropped_since_is_freed_although_that_entry_is_final() -> None:
    [found] = played("relays", range(69, 70))
    assert found.longest < 90_000


def test_the_same_seed_is_the_same_far_game() -> None:
    assert play("nats/8", FAR_KINDS) == play("nats/8", FAR_KINDS)
