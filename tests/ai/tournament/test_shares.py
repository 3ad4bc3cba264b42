"""Mean shares and their intervals: by hand, by other ways of counting, and by how often they hold the truth."""

import random
from math import comb, sqrt
from statistics import mean, stdev

import pytest

from quadrille.ai.tournament.statistics.shares import MeanShare, mean_share


def by_hand(share: MeanShare, low: float, high: float, within: float = 0.001) -> None:
    assert share.low == pytest.approx(low, abs=within) and share.high == pytest.approx(high, abs=within)


def test_single_games_have_the_interval_of_any_textbook() -> None:
    """Student's 0.975 quantile with 9 degrees of freedom is 2.262."""
    points = [1.0, 0.0, 0.5, 1.0, 0.0, 1.0, 0.5, 0.0, 1.0, 0.0]
    half = 2.262 * stdev(points) / sqrt(10)
    found = mean_share((1, point) for point in points)
    assert (found.units, found.games, found.mean) == (10, 10, 0.5)
    by_hand(found, mean(points) - half, mean(points) + half)


def test_blocks_of_different_sizes_agree_with_the_jackknife() -> None:
    """The second way: the estimate without each block in turn (J. Tukey)."""
    dice = random.Random(1)
    units = [
        (games := dice.randrange(1, 4), sum(dice.choice((0.0, 0.5, 1.0)) for _ in range(games))) for _ in range(60)
    ]
    games, points = sum(row[0] for row in units), sum(row[1] for row in units)
    without = [(points - took) / (games - there) for there, took in units]
    error = sqrt((len(units) - 1) / len(units) * sum((one - mean(without)) ** 2 for one in without))
    found = mean_share(units)
    assert (found.high - found.low) / 2 == pytest.approx(2.0 * error, rel=0.05)  # Student's 0.975 quantile


def test_games_that_were_all_won_leave_room_for_a_loss() -> None:
    """Clopper and Pearson: 10 of 10 are as rare as 1 in 40 at a chance of 0.025 ** (1 / 10)."""
    by_hand(mean_share([(1, 1.0)] * 10), 0.025 ** (1 / 10), 1.0, within=0.01)
    by_hand(mean_share([(1, 0.0)] * 10), 0.0, 1 - 0.025 ** (1 / 10), within=0.01)


def test_one_loss_among_many_wins_is_no_narrower_than_the_exact_bound() -> None:
    low = mean_share([(1, 1.0)] * 29 + [(1, 0.0)]).low
    at_most_one_loss = sum(comb(30, lost) * low ** (30 - lost) * (1 - low) ** lost for lost in (0, 1))
    assert at_most_one_loss < 0.03


def test_too_few_units_tell_nothing() -> None:
    for units in ([(1, 1.0)], [(1, 1.0), (1, 0.0)], [(30, 15.0), (1, 1.0), (1, 0.0)]):
        found = mean_share(units)
        assert (found.low, found.high) == (None, None)


@pytest.mark.first(1)
@pytest.mark.parametrize("chance", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("blocks", [6, 25])
def test_intervals_hold_the_truth(chance: float, blocks: int) -> None:
    """In 95 of 100 cases: where both games of half of the blocks are the same, too."""
    dice, held = random.Random(f"{chance} {blocks}"), 0

    def block() -> tuple[int, float]:
        first, second = float(dice.random() < chance), float(dice.random() < chance)
        return dice.choice(((1, first), (2, first + second), (2, 2 * first)))

    for _ in range(400):
        found = mean_share(block() for _ in range(blocks))
        held += found.low is None or (found.high is not None and found.low <= chance <= found.high)
    assert held / 400 > 0.925
