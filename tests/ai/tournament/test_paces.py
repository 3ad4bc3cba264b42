"""Medians and longest moves from the few numbers that are kept, against those of all moves."""

from statistics import quantiles

import pytest

from quadrille.ai.tournament.play.paces import MoveTimes, pace
from tests.ai.tournament.simulated import Chance


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
