"""Coalitions of every size but all seats but one, against honest seats: 1,000 games in every run of CI."""

import pytest

from tests.net.colluders import Collusion, played

GAMES = 1000
QUICK = 12


def play(numbers: range) -> list[Collusion]:
    """A failure says which game it was: `played(number)` repeats it."""
    found = []
    for number in numbers:
        try:
            found.append(played(number))
        except Exception as error:
            raise AssertionError(f"game {number}: {error}") from error
    return found


@pytest.mark.parametrize("part", range(2))
def test_f3_no_coalition_rewrites_what_is_done(part: int) -> None:
    games = play(range(part, QUICK, 2))
    kinds = {entry.kind for game in games for seat in game.seats for entry in seat.table.log.entries}
    assert kinds == {"begin", "move", "motion", "excluded"}, "there was harm, and there were decisions"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(16))
def test_f3_no_coalition_rewrites_what_is_done_in_many_games(part: int) -> None:
    play(range(QUICK + part, GAMES, 16))


#: A game in which an honest seat was left behind when vouches of all keys shared one list.
CROWDED_OUT = (1,)


def check_flood(numbers: range | tuple[int, ...]) -> None:
    for number in numbers:
        calm, flooded = played(number), played(number, floods=True)
        assert flooded.stranded == calm.stranded, f"game {number}: honest seats are left behind by a flood"


def test_no_flood_of_vouches_leaves_honest_seats_behind() -> None:
    check_flood(CROWDED_OUT)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_no_flood_of_vouches_leaves_honest_seats_behind_in_many_games(part: int) -> None:
    check_flood(range(part, 60, 4))
