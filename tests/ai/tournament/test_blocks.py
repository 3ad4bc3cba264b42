"""Blocks are exactly fair: counted, for every number of seats that a game of ours has, and more."""

from collections import Counter
from itertools import permutations

import pytest

from quadrille.ai.tournament.schedules.blocks import block_size, circles, seatings


def test_games_a_block() -> None:
    assert [block_size(seats) for seats in range(2, 9)] == [2, 6, 24, 20, 60, 42, 112]


@pytest.mark.parametrize("seats", range(2, 12))
def test_everybody_in_every_seat_and_before_everybody_else_equally_often(seats: int) -> None:
    games = list(seatings(range(seats)))
    assert len(games) == block_size(seats) == len(set(games))
    assert all(sorted(game) == list(range(seats)) for game in games)
    sat = Counter((entrant, seat) for game in games for seat, entrant in enumerate(game))
    assert sat == dict.fromkeys(
        ((entrant, seat) for entrant in range(seats) for seat in range(seats)), len(games) // seats
    )
    followed = Counter((game[seat - 1], game[seat]) for game in games for seat in range(seats))
    assert followed == dict.fromkeys(permutations(range(seats), 2), len(games) // (seats - 1))


@pytest.mark.parametrize("seats", range(3, 12))
def test_circles_are_a_hamilton_decomposition(seats: int) -> None:
    """Every ordered pair of neighbours is in one circle, or in two where their number is even."""
    arcs = Counter((circle[place - 1], circle[place]) for circle in circles(seats) for place in range(seats))
    assert arcs == dict.fromkeys(permutations(range(seats), 2), 1 if seats % 2 else 2)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_up_to_four_seats_a_block_is_all_permutations(seats: int) -> None:
    assert set(seatings(range(seats))) == set(permutations(range(seats)))


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_part_of_a_block_is_fair_but_for_one_game(seats: int) -> None:
    sat: Counter[tuple[int, int]] = Counter({(entrant, seat): 0 for entrant in range(seats) for seat in range(seats)})
    for game in seatings(range(seats)):
        sat.update((entrant, seat) for seat, entrant in enumerate(game))
        assert max(sat.values()) - min(sat.values()) <= 1
    assert len(set(sat.values())) == 1


def test_by_hand() -> None:
    assert ["".join(game) for game in seatings("ab")] == ["ab", "ba"]
    assert ["".join(game) for game in seatings("abc")] == ["cab", "abc", "bca", "cba", "bac", "acb"]
