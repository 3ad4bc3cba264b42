"""The tables of a report, from games that can be counted by hand."""

from statistics import quantiles

import pytest

from quadrille.ai.tournament.play.paces import MoveTimes, pace
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.tables import (
    HeadToHead,
    Tally,
    by_points,
    cross_table,
    duplicates,
    seat_table,
)
from tests.ai.tournament.simulated import Chance

#: Three games at tables of 3, and one for two.
GAMES = [
    Result("a", 0, (0, 1, 2), (1, 2, 3), 0, "m1", 30, (1.0, 2.0, 0.5), (None, None, "time")),
    Result("b", 0, (1, 2, 0), (1, 1, 3), 0, "m2", 30, (1.5, 1.0, 4.0), (None, None, None)),
    Result("c", 1, (0, 1, 2), (1, 2, 3), 0, "m1", 30),
    Result("d", 2, (3, 0), (2, 1), 1, "m1", 9, (0.25, 0.5), ("crash", None)),
]


def tallies(games: list[Result], entrants: int) -> list[Tally]:
    found = [Tally() for _ in range(entrants)]
    for game in games:
        for entrant in game.seats:
            found[entrant].take(entrant, [game])
    return found


@pytest.mark.parametrize(
    ("places", "halves"),
    [((1, 2), (2, 0)), ((1, 1), (1, 1)), ((3, 1, 2), (0, 4, 2)), ((2, 1, 2, 4), (3, 6, 3, 0)), ((1, 1, 1), (2, 2, 2))],
)
def test_half_points(places: tuple[int, ...], halves: tuple[int, ...]) -> None:
    assert Result("g", 0, tuple(range(len(places))), places).halves == halves


def test_the_cross_table() -> None:
    table = cross_table(GAMES, 5)
    assert table[0] == (HeadToHead(), HeadToHead(2, 0, 1), HeadToHead(2, 0, 1), HeadToHead(1, 0, 0), HeadToHead())
    assert table[1] == (HeadToHead(1, 0, 2), HeadToHead(), HeadToHead(2, 1, 0), HeadToHead(), HeadToHead())
    assert table[2] == (HeadToHead(1, 0, 2), HeadToHead(0, 1, 2), HeadToHead(), HeadToHead(), HeadToHead())
    assert (table[0][1].games, table[0][1].score) == (3, pytest.approx(2 / 3))
    assert table[1][2].score == pytest.approx(5 / 6)
    assert table[4][0].score is None


def test_the_figures_of_an_entrant() -> None:
    first, _, third, fourth, last = lines = tallies(GAMES, 5)
    assert [line.games for line in lines] == [4, 3, 3, 1, 0]
    assert [line.score for line in lines[1:]] == [7 / 12, 1 / 4, 0, None]
    assert [line.by_place for line in lines] == [(3, 0, 1), (1, 2), (1, 0, 2), (0, 1), ()]
    assert (first.timed, first.seconds, first.longest, first.mean_time) == (3, 5.5, 4.0, 5.5 / 3)
    assert (last.mean_time, last.error) == (0, None)
    assert (first.faults, third.faults, fourth.faults) == ({}, {"time": ["a"]}, {"crash": ["d"]})


def test_equals_share_a_rank_and_who_has_not_played_is_last() -> None:
    games = [Result("a", 0, (0, 1), (1, 1)), Result("b", 0, (2, 3), (1, 1)), Result("c", 0, (0, 3), (1, 2))]
    assert by_points(tallies(games, 5)) == ((0,), (1, 2), (3,), (4,))


def test_results_by_seat() -> None:
    first, second, third, other, last = seat_table(GAMES)
    assert (first.contest, first.seats, first.seat, first.games, first.score) == (0, 3, 0, 3, 11 / 12)
    assert (first.places, second.places, third.places) == ((3, 0, 0), (1, 2, 0), (0, 0, 3))
    assert [line.score for line in (second, third, other, last)] == [7 / 12, 0, 0, 1]
    assert (other.contest, other.seats, last.seat, last.score) == (1, 2, 1, 1.0)


def test_duplicates_are_games_of_the_same_entrants_in_the_same_seats_with_the_same_moves() -> None:
    found = duplicates(GAMES)
    assert (found.games, found.groups, found.effective, found.share) == (4, (("a", "c"),), 3, 0.25)
    assert duplicates([Result("x", 0, (0, 1), (1, 2)), Result("y", 0, (0, 1), (1, 2))]).groups == ()
    turned = [Result("x", 0, (0, 1), (1, 2), moves="m"), Result("y", 0, (1, 0), (1, 2), moves="m")]
    assert duplicates(turned).effective == 2
    assert duplicates([]).share == 0


def test_quantiles_are_those_of_all_moves_but_for_a_sixteenth() -> None:
    games = [[float(time) for time in 1000 * Chance(f"game {number}").uniform(30) ** 3] for number in range(40)]
    moves = MoveTimes()
    for game in games:
        moves.take(len(game), sum(game) / 1000, max(game) / 1000, pace(game))
    cuts = quantiles([time for game in games for time in game], n=100, method="inclusive")
    assert moves.count == 1200
    assert moves.within(0.5) == pytest.approx(cuts[49] / 1000, rel=0.0625)
    assert moves.within(0.99) == pytest.approx(cuts[98] / 1000, rel=0.0625)
    assert moves.within(1.0) == pytest.approx(moves.longest, rel=0.0625)
    assert moves.total == pytest.approx(sum(map(sum, games)) / 1000)


def test_moves_in_no_time_and_none_at_all() -> None:
    assert pace([0.0, 0.0005]) == ((0, 2),)
    assert MoveTimes().within(0.5) is None
