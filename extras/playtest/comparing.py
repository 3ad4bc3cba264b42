"""Means with their errors, and comparisons that allow for how many of them a page makes.

An interval holds the truth in 95 of 100 cases. Among a hundred differences that are none, five leave it. So a page
calls a difference found only if it passes Holm's procedure over all of its comparisons: then one page in twenty names
any that is none (S. Holm, Scandinavian Journal of Statistics 6, 1979).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from statistics import fmean, variance
from typing import Final

from quadrille.ai.tournament.statistics import LEVEL
from quadrille.ai.tournament.statistics.arrays import np
from quadrille.ai.tournament.statistics.quantiles import student, student_quantile
from quadrille.ai.tournament.statistics.shares import mean_share

#: Minimum number of games on each side of a comparison.
LEAST: Final = 4
#: A difference of shares that hardly anybody would notice.
SLIGHT: Final = 0.05
#: Games that were not played and would speak for either side: without them a few equal games would look certain.
_DOUBT: Final = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of some games and the ends of its interval. It may be compared with a number: `chance` is the probability
    of such a distance between equals.
    """

    games: int
    mean: float
    low: float
    high: float
    against: float | None = None
    chance: float = 1.0
    found: bool = False

    @property
    def slight(self) -> bool:
        """Tell whether a share surely lies close to what it is compared with."""
        away = self.against or 0.0
        return max(away - self.low, self.high - away) <= SLIGHT


NOTHING: Final = Mean(0, 0.0, -inf, inf)


def share(values: Sequence[float]) -> Mean:
    """Average values from 0 to 1."""
    if not values:
        return NOTHING
    estimate = mean_share((1, value) for value in values)
    low, high = (end if end is not None else float(at) for at, end in enumerate((estimate.low, estimate.high)))
    return Mean(len(values), estimate.mean, low, high)


def average(values: Sequence[float]) -> Mean:
    if len(values) < LEAST:
        return NOTHING
    half = _half(sqrt(variance(values) / len(values)), len(values) - 1.0)
    return Mean(len(values), fmean(values), fmean(values) - half, fmean(values) + half)


def compared(values: Sequence[float]) -> Mean:
    """Compare the mean of shares with a half."""
    doubtful = [*values, *_DOUBT]
    error = sqrt(variance(doubtful) / len(doubtful))
    chance = _chance((fmean(doubtful) - 0.5) / error, len(doubtful) - 1.0)
    return replace(share(values), against=0.5, chance=chance if len(values) >= LEAST else 1.0)


def difference(values: Sequence[float], others: Sequence[float], *, shares: bool = False) -> Mean:
    """Compare the mean of values less that of others with 0 (B. L. Welch, Biometrika 34, 1947)."""
    if min(len(values), len(others)) < LEAST:
        return replace(NOTHING, against=0.0)
    away = fmean(values) - fmean(others)
    rows = [[*row, *_DOUBT] if shares else [*row] for row in (values, others)]
    scatter, whole = [variance(row) for row in rows], variance([*rows[0], *rows[1]])
    if whole == 0:
        return Mean(len(values), away, away, away, 0.0)
    # a few games that are alike don't tell how much others would scatter: the scatter of all tells it for them
    parts = [(own or whole) / len(row) for own, row in zip(scatter, rows, strict=True)]
    error = sqrt(sum(parts))
    degrees = sum(parts) ** 2 / sum(part**2 / (len(row) - 1) for part, row in zip(parts, rows, strict=True))
    half, most = _half(error, degrees) if any(scatter) else 0.0, 1.0 if shares else inf
    chance = _chance((fmean(rows[0]) - fmean(rows[1])) / error, degrees)
    return Mean(len(values), away, max(-most, away - half), min(most, away + half), 0.0, chance)


def settled(estimates: Sequence[Mean]) -> list[Mean]:
    """Add the verdicts: the least likely ones are found, while each is unlikely among those left."""
    means = list(estimates)
    compared = sorted((mean.chance, at) for at, mean in enumerate(means) if mean.against is not None)
    for left, (chance, at) in zip(range(len(compared), 0, -1), compared, strict=True):
        if chance * left > 1 - LEVEL:
            break
        means[at] = replace(means[at], found=True)
    return means


def _half(error: float, degrees: float) -> float:
    return float(student_quantile((1 + LEVEL) / 2, np.array(degrees))) * error


def _chance(deviate: float, degrees: float) -> float:
    """Return the probability of such a deviate or a greater one, to either side."""
    return 2 * (1 - float(student(np.array(abs(deviate)), np.array(degrees))))
