"""Errors of strengths, from the scatter of blocks, also with few of them.

A block is the unit: its games are not independent. A block's surplus over the prediction of the strengths, times its
weight in a difference of strengths, is its contribution to the error of that difference. The number of blocks is that
of equal ones that would tell as much (F. E. Satterthwaite). Contributions of few blocks are too small, because the
strengths were fitted to these very blocks: so they are enlarged, and Student's distribution is used.

Where seats or shared places decide nearly all games, hardly a block scatters, and those that do may be more frequent
than they were seen. So an error is never smaller than a few of them make it (`LEAST`), whose size is that of the blocks
that scatter most. One that went as far as it can is counted among them, with a weight that matters only where blocks
hardly scatter. If a single block decides a difference, nothing can be said: the interval is infinite.
"""

from math import inf
from statistics import NormalDist
from typing import Final

from quadrille.ai.tournament.statistics import LEVEL
from quadrille.ai.tournament.statistics.arrays import Array, np
from quadrille.ai.tournament.statistics.quantiles import student, student_quantile
from quadrille.ai.tournament.statistics.strengths import RIDGE, Strengths
from quadrille.value import value

#: Maximum cells of an array at a time.
CELLS: Final = 1 << 17
#: Minimum degrees of freedom of an interval.
LEAST_DEGREES: Final = 1.9
#: Minimum number of blocks that scatter. Two make an interval as wide as Clopper's and Pearson's bound where none of
#: many blocks has scattered.
LEAST: Final = 2.0
#: The weight of a block as it was never seen, against one whose games are independent.
UNSEEN: Final = 0.1
#: The part of the way to 0 where an interval ends that must not contain it.
SHORT: Final = 0.999


@value
class Deviations:
    """Errors of some differences of strengths: the standard error (infinite if nothing can be said), and its degrees
    of freedom. `shift` is the standard error of the part that no block scatters.

    Where scores come near 0 or 1 strengths run away, and their errors with them, but not the evidence that they
    differ at all. That evidence comes from the change of scores on the whole way to no difference, and makes errors
    smaller by a factor (`evidence`).
    """

    error: Array
    degrees: Array
    shift: Array
    evidence: Array

    def half(self, values: Array) -> Array:
        """Return half of the intervals about these values that hold the truth with probability `LEVEL`."""
        inner = student_quantile((1 + LEVEL) / 2, self.degrees) * self.error
        away = abs(values)
        ruled_out = (self.shift == 0) & (inner * self.evidence < away)
        # The end nearer to 0 is shorter, the other longer: the share of the way to 0 that the interval covers counts
        # for a half. But no interval holds a 0 that is ruled out.
        part = np.minimum(np.divide(inner, away, out=np.ones_like(away), where=away > 0), 1)
        inner = inner * self.evidence ** (part / 2)
        inner = np.where(ruled_out, np.minimum(inner, SHORT * away), inner)
        return np.hypot(inner, NormalDist().inv_cdf((1 + LEVEL) / 2) * self.shift)

    def above(self, values: Array) -> Array:
        """Return the likelihood that differences with these best values are above 0; a half if nothing can be said."""
        error = np.hypot(self.error * self.evidence, self.shift)
        ratio = np.divide(values, error, out=np.zeros_like(values), where=np.isfinite(error) & (error > 0))
        return student(ratio, np.where(self.shift > 0, inf, self.degrees))


class Scatter:
    """The blocks of a fit, and their information about differences of strengths."""

    def __init__(self, fit: Strengths) -> None:
        met, group = fit.met, fit.group
        within = np.flatnonzero(group[met.one] == group[met.other])  # between groups nothing scatters
        one, other, games = met.one[within], met.other[within], met.weight[within] * met.games[within]
        chance = fit.expected()[one, other]
        surplus = met.weight[within] * met.halves[within] / 2 - games * chance
        variance = games * chance * (1 - chance)
        information = np.zeros((met.members, met.members))
        np.add.at(information, (one, other), variance)
        information += information.T
        self.covariance = np.linalg.inv(np.diag(information.sum(1) + RIDGE) - information)
        begins = np.diff(met.block[within], prepend=-1) > 0
        block, first = np.cumsum(begins) - 1, np.flatnonzero(begins)
        self._surplus = np.zeros((met.members, len(first)))
        np.add.at(self._surplus, (one, block), surplus)
        np.subtract.at(self._surplus, (other, block), surplus)
        seats = np.unique(np.concatenate([block * met.members + one, block * met.members + other]))
        free, fitted = len(seats) - len(first), met.members - len(fit.groups)
        self._larger = free / (free - fitted) if free > fitted else inf
        # Blocks in which the same members met as often tell the same: one of each kind is looked at.
        kinds: dict[bytes, list[int]] = {}
        for number, meetings in enumerate(np.split(np.stack([one, other, games], 1), first)[1:]):
            kinds.setdefault(meetings.tobytes(), []).append(number)
        chosen = np.isin(block, [numbers[0] for numbers in kinds.values()])
        self._one, self._other, self._told = one[chosen], other[chosen], variance[chosen]
        self._first = np.flatnonzero(begins[chosen])
        self._times = np.array([len(numbers) for numbers in kinds.values()])
        # as far as a block can go: games that all end so are as many times what independent ones are on average
        self._farthest = self._times * np.bincount(block[chosen], games[chosen])[block[chosen][self._first]]

    def errors(self, columns: Array, first: Array, other: Array) -> tuple[Array, Array]:
        """Return the errors of differences of two columns, whose coefficients sum to 0 within every group, and the
        degrees of freedom of each.
        """
        ways, count = columns.T @ self.covariance, len(first)
        parts, gaps = ways @ self._surplus, ways[:, self._one] - ways[:, self._other]
        sums = np.zeros((5, count))
        at_a_time = max(1, CELLS // max(1, parts.shape[1], gaps.shape[1]))
        for start in range(0, count if len(self._first) else 0, at_a_time):  # reduceat refuses no block at all
            here = slice(start, start + at_a_time)
            part = np.square(parts[first[here]] - parts[other[here]])
            own = self._told * np.square(gaps[first[here]] - gaps[other[here]])
            own = np.add.reduceat(own, self._first, axis=1)
            sums[:, here] = part.sum(1), (part**2).sum(1), own @ self._times, own**2 @ self._times, own @ self._farthest
        squares, fourths, seen, seen_squares, whole = sums
        with np.errstate(divide="ignore", invalid="ignore"):
            blocks = np.nan_to_num(seen**2 / seen_squares)
            unseen = UNSEEN * (seen / blocks) ** 2
            size = (fourths + unseen) / (squares + unseen * blocks / whole)
            larger = np.maximum(blocks / (blocks - 1), self._larger)
            error = np.sqrt(np.maximum(squares * larger, LEAST * size))
        empty, degrees = (columns[:, first] == columns[:, other]).all(0), blocks - 1
        error = np.where(empty, 0, np.where(degrees >= LEAST_DEGREES, error, inf))
        return error, np.maximum(np.where(empty, inf, degrees), 1)
