"""Ratings: worked by hand where that can be done, compared with a naive maximum, and true as often as they say."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import exp, inf, log, sqrt

import numpy as np
import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics import ratings, scatter
from quadrille.ai.tournament.statistics.ratings import ELO, RIDGE, elo, rate
from quadrille.rules.chance import Stream
from tests.ai.tournament.simulated import Case, Chance, elo_of, kept


def duel(ahead: int, level: int, behind: int) -> list[Result]:
    """A match of two who always sit the same way, each game a block of its own."""
    outcomes = [(1, 2)] * ahead + [(1, 1)] * level + [(2, 1)] * behind
    return [Result(str(game), game, (0, 1), places) for game, places in enumerate(outcomes)]


def pairs(*blocks: Sequence[tuple[int, int]]) -> list[Result]:
    """Blocks of two games, given as the places of entrant 0 and 1 in each; the seats change."""
    return [
        Result(f"{number}-{game}", number, (0, 1) if game == 0 else (1, 0), places if game == 0 else places[::-1])
        for number, block in enumerate(blocks)
        for game, places in enumerate(block)
    ]


WIN, LEVEL, LOSS = (1, 2), (1, 1), (2, 1)


def test_two_by_hand() -> None:
    """Elo is that of the score: 230 of 360 points are 99.1 points of Elo, as they are for [stop] and --sprt."""
    found = rate(duel(200, 60, 100), 2, seat_effects=False)
    assert found.elo[0] - found.elo[1] == pytest.approx(elo_of(230 / 360), abs=0.1) == pytest.approx(99.1, abs=0.1)
    assert found.elo[0] == pytest.approx(-found.elo[1], abs=1e-9)
    assert found.expected[0][1] == pytest.approx(230 / 360, abs=1e-4)
    assert found.groups == ((0, 1),)


def test_errors_by_hand() -> None:
    """An error s of the score is one of 4 s of log-odds between equals, and Student's quantile of 69 degrees."""
    blocks = [[WIN, WIN]] * 10 + [[WIN, LOSS]] * 25 + [[LOSS, WIN]] * 25 + [[LOSS, LOSS]] * 10
    found = rate(pairs(*blocks), 2, anchor=1)
    error = sqrt(20 * 0.25) / 70  # blocks scatter less than games: openings that decide are the same for both
    assert found.error[0] == pytest.approx(1.995 * ELO * 4 * error * sqrt(70 / 69), rel=2e-3)
    assert found.error[1] == 0


def test_a_seat_s_worth_by_hand() -> None:
    """Whoever sits first wins 3 of 4: the seats differ by log 3."""
    found = rate(pairs(*[[WIN, LOSS]] * 50, *[[WIN, WIN]] * 25, *[[LOSS, LOSS]] * 25), 2)
    first, second = found.seat_effects
    assert (first.contest, first.seats, first.seat, second.seat) == (0, 2, 0, 1)
    assert first.elo - second.elo == pytest.approx(400 * log(3) / log(10), abs=0.3)
    assert found.elo[0] == pytest.approx(0, abs=1e-9)
    assert first.error == pytest.approx(second.error)
    assert 20 < first.error < 60


def naive(results: Sequence[Result], entrants: int) -> list[float]:
    """Strengths that make the ridged likelihood largest, by going up its slope in small steps."""
    theta = [0.0] * entrants
    for _ in range(20000):
        slope = [-RIDGE * value for value in theta]
        for result in results:
            weight = 3 / (len(result.seats) + 1)
            for (one, mine), (other, theirs) in combinations(zip(result.seats, result.places, strict=True), 2):
                push = weight * ((mine <= theirs) / 2 + (mine < theirs) / 2 - 1 / (1 + exp(theta[other] - theta[one])))
                slope[one] += push
                slope[other] -= push
        step = 0.5 / len(results)
        theta = [value + step * by for value, by in zip(theta, slope, strict=True)]
        if max(map(abs, slope)) < 1e-9:
            return theta
    raise AssertionError("the naive maximum was not found")


def test_the_maximum_is_the_naive_one() -> None:
    results = Case(3, 2, (0.0, 0.1, 0.2, 0.4, 0.7), ties=0.3).results(Chance("naive"))
    found = rate(results, 5, seat_effects=False)
    assert [value / ELO for value in found.elo] == pytest.approx(naive(results, 5), abs=1e-6)


def mixed() -> list[Result]:
    return Case(3, 150, tuple(0.25 * number for number in range(7)), ties=0.2).results(Chance("mixed"))


def test_order_voids_and_numbers_of_places_do_not_matter_to_the_last_bit() -> None:
    results, stream = mixed(), Stream("shuffles")
    found = rate(results, 7)
    for _ in range(5):
        stream.shuffle(results)
        assert rate(results, 7) == found
    assert rate([*[Result("void", 9999, (0, 1), (1, 2), void=True)] * 50, *results], 7) == found
    assert rate([replace(one, places=tuple(10 * place for place in one.places)) for one in results], 7) == found


def test_names_of_entrants_do_not_matter() -> None:
    results, order = mixed(), [3, 0, 6, 2, 5, 1, 4]
    found = rate(results, 7)
    again = rate([replace(one, seats=tuple(order[entrant] for entrant in one.seats)) for one in results], 7)
    assert [again.elo[order[entrant]] for entrant in range(7)] == pytest.approx(found.elo, abs=1e-9)
    assert [again.error[order[entrant]] for entrant in range(7)] == pytest.approx(found.error, abs=1e-6)


def test_an_anchor() -> None:
    results = mixed()
    free, tied = rate(results, 7), rate(results, 7, anchor=2)
    assert tied.elo[2] == tied.error[2] == 0
    assert tied.elo == elo(results, 7, 2) and free.elo == elo(results, 7)
    assert list(tied.elo) == pytest.approx([value - free.elo[2] for value in free.elo])
    assert tied.superiority == free.superiority
    assert sum(free.elo) == pytest.approx(0, abs=1e-8)
    with pytest.raises(TournamentError, match="the anchor is entrant 7: there are 7, counted from 0"):
        rate(results, 7, anchor=7)


def test_the_likelihood_of_superiority(monkeypatch: pytest.MonkeyPatch) -> None:
    found = rate(mixed(), 7)
    for one, other in combinations(range(7), 2):
        assert found.superiority[one][other] + found.superiority[other][one] == pytest.approx(1)
        assert (found.superiority[one][other] > 0.5) == (found.elo[one] > found.elo[other])
        assert found.expected[one][other] + found.expected[other][one] == pytest.approx(1)
    assert all(found.superiority[entrant][entrant] == 0.5 for entrant in range(7))
    # two: what an interval that ends at 0 holds is what the likelihood leaves
    found = rate(duel(60, 0, 40), 2)
    for module in (ratings, scatter):
        monkeypatch.setattr(module, "LEVEL", 2 * found.superiority[0][1] - 1)
    found = rate(duel(60, 0, 40), 2, seat_effects=False)
    assert found.error[0] == pytest.approx(found.elo[0], rel=0.02)


def test_equal_records_of_two_rounds_show_no_errors_that_differ() -> None:
    """Of thirty, one with two wins had shown 1214, the others 3907 and more."""
    played, points = list[Result](), [0] * 30
    for number in range(2):
        order = sorted(range(30), key=lambda one: (-points[one], -one * 7 % 30))
        for block, (won, lost) in enumerate(zip(order[::2], order[1::2], strict=True), 15 * number):
            played += [Result(f"{block} {won}", block, (won, lost), WIN), Result("", block, (lost, won), LOSS)]
            points[won] += 1
    errors = rate(played, 30).error
    assert [{errors[one] for one in range(30) if points[one] == record} for record in (0, 2)] == [{inf}, {inf}]


@pytest.mark.parametrize(("games", "likely"), [(4, 0.75), (10, 0.95), (100, 0.99)])
def test_who_wins_everything_stays_finite_and_uncertain(games: int, likely: float) -> None:
    found = rate(pairs(*[[WIN, WIN]] * (games // 2)), 2)
    assert found.groups == ((0,), (1,))
    assert 400 < found.elo[0] < 1000
    assert found.error[0] > 600
    assert likely < found.superiority[0][1] < 0.999
    more = rate([*pairs(*[[WIN, WIN]] * (games // 2)), *pairs([WIN, LOSS], [LOSS, WIN])], 2)
    assert more.groups == ((0, 1),)
    assert more.elo[0] < found.elo[0]


def test_who_has_not_played_is_known_to_be_unknown() -> None:
    found = rate(pairs(*[[WIN, LOSS]] * 20, *[[LOSS, LOSS]] * 5), 3)
    assert {*found.groups} == {(0, 1), (2,)}
    assert found.error[2] > 3000
    assert found.superiority[1][2] == pytest.approx(0.5, abs=0.1)
    nobody = rate([], 2)
    assert nobody.elo == (0, 0)


def test_seats_that_decide_everything_are_not_said_to_be_certain() -> None:
    found = rate(pairs(*[[WIN, LOSS]] * 30), 2)
    assert found.elo == pytest.approx((0, 0), abs=1e-6)
    assert found.superiority[0][1] == pytest.approx(0.5, abs=1e-3)
    assert found.seat_effects[0].elo > 300
    assert found.seat_effects[0].error > 100


def test_two_blocks_have_no_interval_and_three_have_a_wide_one() -> None:
    found = rate(pairs([WIN, LEVEL], [LOSS, WIN]), 2)
    assert (found.error, found.superiority[0][1]) == ((inf, inf), 0.5)
    found = rate(pairs([WIN, LEVEL], [LOSS, WIN], [WIN, LOSS]), 2)
    assert 100 < found.error[0] < 400


def test_a_block_that_alone_tells_of_an_entrant_says_nothing_about_its_error() -> None:
    met = pairs(*[[WIN, LOSS], [WIN, WIN], [LOSS, LOSS]] * 5)
    found = rate([*met, Result("x", 99, (0, 2), WIN), Result("y", 99, (2, 0), WIN)], 3)
    assert found.error[2] == inf
    assert found.superiority[1][2] == 0.5
    again = rate(met, 3)
    assert (again.elo[:2], again.error[:2]) == (rate(met, 2).elo, rate(met, 2).error)


@pytest.mark.parametrize(
    ("results", "score"), [(pairs(*[[LOSS, WIN]] * 49, [WIN, WIN]), 0.51), (duel(1, 99, 0), 0.505)]
)
def test_one_win_among_many_games_that_decide_nothing_decides_nothing(results: list[Result], score: float) -> None:
    """It had shown +177 give or take 85, and +263 give or take 160, and over 99.9 %."""
    found = rate(results, 2)
    assert found.elo[0] - found.elo[1] == pytest.approx(elo_of(score), abs=0.01)
    assert found.error[0] > 2 * found.elo[0]
    assert found.superiority[0][1] == pytest.approx(0.76, abs=0.01)


@pytest.mark.parametrize(("count", "student"), [(5, 2.776), (15, 2.145), (50, 2.010), (300, 1.968)])
@pytest.mark.parametrize("blocks", [[LEVEL, LEVEL], [WIN, LOSS]])
def test_blocks_that_all_go_alike_leave_an_error(blocks: list[tuple[int, int]], count: int, student: float) -> None:
    """It had shown 0 give or take 0. Here it is that of two blocks that go as far as they can, which moves the score by
    a half each: as wide as the bound for what nobody saw in so many (Clopper and Pearson), but for a tenth.
    """
    found = rate(pairs(*[blocks] * count), 2)
    assert found.elo == pytest.approx((0, 0), abs=1e-9)
    assert found.superiority[0][1] == 0.5
    assert found.error[0] == pytest.approx(ELO * student * sqrt(2) / count, rel=0.002)
    assert found.error[0] > 0.9 * ELO * (1 - 0.05 ** (1 / count))


def test_who_loses_everything_takes_nothing_from_what_is_known_of_others() -> None:
    met = pairs(*[[WIN, LOSS], [WIN, WIN], [LOSS, LOSS], [WIN, LOSS]] * 10)
    lost = [
        Result(f"{number}", number, seats, (1, 2) if seats[1] == 2 else (2, 1))
        for number in range(100, 140)
        for seats in ((number % 2, 2), (2, number % 2))
    ]
    alone, found = rate(met, 2), rate([*met, *lost], 3)
    assert found.groups == ((0, 1), (2,))
    assert found.elo[:2] == pytest.approx(alone.elo, abs=1)
    assert found.error[:2] == pytest.approx(alone.error, rel=0.01)
    assert found.elo[2] < -500 and found.error[2] > 300
    assert found.superiority[0][2] > 0.99


@pytest.mark.slow
def test_whatever_happens_newton_ends() -> None:
    """Odd fields: few games, all level, one seat always first, groups that never met."""
    stream = Stream("odd")
    for _ in range(50):
        entrants = 2 + stream.randrange(5)
        results = []
        for game in range(stream.randrange(12)):
            seats = list(range(entrants))
            stream.shuffle(seats)
            size = 2 + stream.randrange(entrants - 1)
            spread = 1 + stream.randrange(3)
            places = tuple(stream.randrange(spread) if stream.randrange(3) else seat for seat in range(size))
            results.append(Result(str(game), game // 2, tuple(seats[:size]), places, contest=stream.randrange(2)))
        found = rate(results, entrants)
        assert np.isfinite(found.elo).all() and min(found.error) >= 0
        assert sorted(sum(found.groups, ())) == list(range(entrants))
        assert np.isfinite(found.superiority).all() and np.isfinite(found.expected).all()


#: Equals: matches whose seats or shared places decide much, fields with few blocks, and starts that favour some.
EQUALS = (
    Case(2, 25, decided=0.9),
    Case(2, 25, ties=0.9),
    Case(2, 40, (0.0,) * 6, effect=0.6),
    Case(3, 8, (0.0,) * 6, effect=0.6),
    Case(6, 5, (0.0,) * 6, effect=0.6),
)
#: Matches of which hardly a block scatters: intervals may then hold the truth more often, and likelihoods say less.
RARE = (
    Case(2, 5, decided=0.5),
    Case(2, 5, ties=0.99),
    Case(2, 10, (0.3, -0.3), decided=0.9),
    Case(2, 8, (0.0,) * 6, effect=0.6),
)


@pytest.mark.slow
@pytest.mark.parametrize("case", EQUALS, ids=str)
def test_ratings_keep_their_word(case: Case) -> None:
    """With twice the standard error of so few tournaments, whose figures in a field go together."""
    found = kept(case, 100)
    assert found.missing <= 0.005  # a field of few games in which somebody won them all
    assert 0.93 - 0.02 <= found.covered <= 0.97 + 0.025
    assert 0.08 - 0.04 <= found.likely <= 0.12 + 0.04


@pytest.mark.slow
@pytest.mark.parametrize("case", RARE, ids=str)
def test_where_hardly_a_block_scatters_more_is_left_open(case: Case) -> None:
    found = kept(case, 200)
    assert found.covered >= 0.93
    assert len(set(case.strengths)) > 1 or found.likely <= 0.12


@pytest.mark.first(2)
@pytest.mark.parametrize(("seats", "rule"), [(2, 0.9), (3, 0.98), (6, 0.997)])
def test_blocks_that_are_nearly_all_equal_and_not_level_hold_the_truth(seats: int, rule: float) -> None:
    """It had been held by 0.24 to 0.7 of the intervals, which were a fraction of a point wide."""
    assert kept(Case(seats, 5, (0.0,) * seats, rule=rule), 25).covered >= 0.88


@pytest.mark.parametrize("count", [5, 10, 25])
def test_equal_blocks_are_as_sure_as_their_interval(count: int) -> None:
    """A block that was not seen in five may be frequent enough to make both equal; in 25 not."""
    found = rate(pairs(*[[WIN, LEVEL]] * count), 2)
    assert (found.superiority[0][1] > 0.975) == (found.elo[0] > found.error[0]) == (count > 5)
    assert found.error[0] > 0.2 * found.elo[0] and found.superiority[0][1] < 1


def test_schedules_and_tables_need_no_numpy() -> None:
    formats = ("schedule", "meetings", "swiss", "formats", "blocks")
    names = ("results", "statistics.tables", *(f"schedules.{name}" for name in formats))
    imports = "; ".join(f"import quadrille.ai.tournament.{name}" for name in names)
    subprocess.run([sys.executable, "-c", f"import sys; sys.modules['numpy'] = None; {imports}"], check=True)
