"""The tables of a report, from games that can be counted by hand."""

from fractions import Fraction

import pytest

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.tables import (
    HeadToHead,
    TimeLine,
    cross_table,
    duplicates,
    faults,
    seat_table,
    standing,
    time_used,
)
from quadrille.rules.chance import Stream

#: Three games at tables of 3, one for two, and one that is void.
GAMES = [
    Result("a", 0, (0, 1, 2), (1, 2, 3), 0, "m1", 30, (1.0, 2.0, 0.5), (None, None, "time")),
    Result("b", 0, (1, 2, 0), (1, 1, 3), 0, "m2", 30, (1.5, 1.0, 4.0), (None, None, None)),
    Result("c", 1, (0, 1, 2), (1, 2, 3), 0, "m1", 30),
    Result("d", 2, (3, 0), (2, 1), 1, "m1", 9, (0.25, 0.5), ("crash", None)),
    Result("e", 3, (3, 0), (1, 2), 1, "m1", 9, (9.0, 9.0), ("stall", "stall"), void=True),
]


def test_the_cross_table() -> None:
    table = cross_table(GAMES, 5)
    assert table[0] == (HeadToHead(), HeadToHead(2, 0, 1), HeadToHead(2, 0, 1), HeadToHead(1, 0, 0), HeadToHead())
    assert table[1] == (HeadToHead(1, 0, 2), HeadToHead(), HeadToHead(2, 1, 0), HeadToHead(), HeadToHead())
    assert table[2] == (HeadToHead(1, 0, 2), HeadToHead(0, 1, 2), HeadToHead(), HeadToHead(), HeadToHead())
    assert (table[0][1].games, table[0][1].score) == (3, pytest.approx(2 / 3))
    assert table[1][2].score == pytest.approx(5 / 6)
    assert table[4][0].score is None


def test_the_standing() -> None:
    lines = standing(GAMES, 5)
    assert [(line.rank, line.entrant, line.games, line.points) for line in lines] == [
        (1, 0, 4, Fraction(3)),
        (2, 1, 3, Fraction(7, 4)),
        (3, 2, 3, Fraction(3, 4)),
        (4, 3, 1, Fraction(0)),
        (5, 4, 0, Fraction(0)),
    ]
    assert [line.places for line in lines] == [(3, 0, 1), (1, 2, 0), (1, 0, 2), (0, 1, 0), (0, 0, 0)]
    assert (lines[0].score, lines[4].score) == (0.75, None)


def test_equals_share_a_rank() -> None:
    games = [Result("a", 0, (0, 1), (1, 1)), Result("b", 0, (2, 3), (1, 1)), Result("c", 0, (0, 3), (1, 2))]
    assert [(line.rank, line.entrant) for line in standing(games, 4)] == [(1, 0), (2, 1), (2, 2), (4, 3)]


def test_results_by_seat() -> None:
    first, second, third, other, last = seat_table(GAMES)
    assert (first.contest, first.seats, first.seat, first.games, first.points) == (0, 3, 0, 3, Fraction(11, 4))
    assert (first.places, second.places, third.places) == ((3, 0, 0), (1, 2, 0), (0, 0, 3))
    assert [line.points for line in (second, third, other, last)] == [Fraction(7, 4), 0, 0, 1]
    assert (other.contest, other.seats, last.seat, last.score) == (1, 2, 1, 1.0)


def test_duplicates_are_games_of_the_same_entrants_in_the_same_seats_with_the_same_moves() -> None:
    found = duplicates(GAMES)
    assert (found.games, found.groups, found.effective, found.share) == (4, (("a", "c"),), 3, 0.25)
    assert duplicates([Result("x", 0, (0, 1), (1, 2)), Result("y", 0, (0, 1), (1, 2))]).groups == ()
    turned = [Result("x", 0, (0, 1), (1, 2), moves="m"), Result("y", 0, (1, 0), (1, 2), moves="m")]
    assert duplicates(turned).effective == 2
    assert duplicates([]).share == 0


def test_time_and_faults() -> None:
    lines = time_used(GAMES, 5)
    assert lines[0] == TimeLine(3, 5.5, 4.0)
    assert lines[0].mean == pytest.approx(5.5 / 3)
    assert lines[3] == TimeLine(1, 0.25, 0.25)
    assert (lines[4], lines[4].mean) == (TimeLine(0, 0, 0.0), 0)
    assert faults(GAMES, 5) == ({}, {}, {"time": ("a",)}, {"crash": ("d",)}, {})


def test_the_order_of_results_does_not_matter() -> None:
    shuffled, stream = list(GAMES), Stream("tables")
    for _ in range(5):
        stream.shuffle(shuffled)
        assert cross_table(shuffled, 5) == cross_table(GAMES, 5)
        assert standing(shuffled, 5) == standing(GAMES, 5)
        assert seat_table(shuffled) == seat_table(GAMES)
        assert duplicates(shuffled) == duplicates(GAMES)
        assert time_used(shuffled, 5) == time_used(GAMES, 5)
        assert faults(shuffled, 5) == faults(GAMES, 5)
