"""The mean share of the points in some games, with an interval: the games after an opening, for one.

The unit is a block, or a game that belongs to none. Units have different numbers of games, and games of one unit are
not independent. So the error comes from the scatter of units, each by the number of its games (the ratio estimator of
W. G. Cochran, Sampling Techniques, 1977, section 6), with Student's distribution.

If hardly a unit scatters, as where all games were won, the next unit may be the first that does. So an interval is
never narrower than these few rare units allow: the bound of Clopper and Pearson.
"""

from collections.abc import Iterable
from math import sqrt
from statistics import NormalDist
from typing import Final

from quadrille.ai.tournament.statistics import LEVEL
from quadrille.ai.tournament.statistics.arrays import np
from quadrille.ai.tournament.statistics.quantiles import student_quantile
from quadrille.ai.tournament.statistics.scatter import LEAST_DEGREES
from quadrille.value import value

#: Minimum number of scattering units; fewer are rare.
RARE: Final = 4.0


@value
class MeanShare:
    """The mean share of the points, from 0 to 1, and the ends of its interval; None if too few units tell."""

    units: int
    games: int
    mean: float
    low: float | None
    high: float | None


def mean_share(units: Iterable[tuple[int, float]]) -> MeanShare:
    """Return the mean of some units: the number of games in each, and the points taken there."""
    games, points = np.array(list(units), float).T
    total, mean = games.sum(), float(points.sum() / games.sum())
    # the effective number of units: as many of equal size would tell as much
    effective = float(total**2 / (games**2).sum())
    low = high = None
    if effective - 1 >= LEAST_DEGREES:
        away = (points - games * mean) / total
        # only now, or a mean that is not exact would make units scatter
        away[abs(away) < 1e-12] = 0
        squares, fourths = float((away**2).sum()), float((away**4).sum())
        error = sqrt(squares * effective / (effective - 1))
        half = float(student_quantile((1 + LEVEL) / 2, np.array(effective - 1.0))) * error
        scattering = squares**2 / fourths if fourths else 0.0
        rare = 0.0
        if scattering < RARE:
            rare = _most_likely((1 + LEVEL) / 2, scattering, effective) - scattering / effective
        low = max(0.0, min(mean - half, mean - rare * mean))
        high = min(1.0, max(mean + half, mean + rare * (1 - mean)))
    return MeanShare(len(games), int(total), mean, low, high)


def _most_likely(share: float, seen: float, trials: float) -> float:
    """Return the greatest probability of an event seen this often (neither number needs to be whole) that is not ruled
    out at `share`: Camp's and Paulson's approximation of the bound, accurate to 0.01.
    """
    missed = max(trials - seen, 1e-9)
    a, b, z = 1 / (9 * (seen + 1)), 1 / (9 * missed), NormalDist().inv_cdf(share)
    root = (1 - a) * (1 - b) + z * sqrt(max(a * (1 - b) ** 2 + b * (1 - a) ** 2 - z**2 * a * b, 0))
    odds = (seen + 1) / missed * (root / max((1 - b) ** 2 - z**2 * b, 1e-9)) ** 3
    return odds / (1 + odds)
