"""Strengths from the scores of pairs: the fit, and the groups that no score bounds.

Entrants are rated so, and the seats of a table as well. A comparison is worth 1, a half or 0 to either side. The
chance model is Bradley and Terry's of such scores: strengths that differ by x expect 1 / (1 + exp(-x)). The
likelihood is concave, so that Newton's method finds its one maximum; a weak ridge keeps those finite who win
everything.
"""

from collections.abc import Sequence
from math import log
from typing import Final

from quadrille.ai.tournament.statistics.arrays import Array, np
from quadrille.value import value

#: The ridge, equivalent to a prior with a standard deviation of 10 units, 1,737 points.
RIDGE: Final = 0.01
_STEPS: Final = 100
_HALVINGS: Final = 30
#: Further away than the ridge allows.
_FAR: Final = 100.0


@value
class Meetings:
    """The results of pairs in each block: in order of block and pair, so that the order of games makes no difference.

    In block `block` (counted from 0), `one` (the lower number) and `other` met `games` times, and `one` took `halves`
    half points. `weight` is the weight of each of these comparisons.
    """

    members: int
    block: Array
    one: Array
    other: Array
    games: Array
    halves: Array
    weight: Array

    @classmethod
    def gather(cls, members: int, columns: Sequence[Array], weights: Array) -> "Meetings":
        """Gather comparisons: columns of block, one, other, the half points of one, and the row of `weights`."""
        block, first, other, halves, sort = columns
        turned = first > other
        low, high = np.where(turned, other, first), np.where(turned, first, other)
        halves = np.where(turned, 2 - halves, halves)
        block = np.unique(block, return_inverse=True)[1].reshape(-1)
        keys, row = np.unique(((block * members + low) * members + high) * len(weights) + sort, return_inverse=True)
        games = np.bincount(row, minlength=len(keys))
        taken = np.bincount(row, halves, minlength=len(keys))
        width, pairs = len(weights), members * len(weights)
        return cls(
            members,
            keys // (members * pairs),
            keys // pairs % members,
            keys // width % members,
            games,
            taken,
            weights[keys % width],
        )

    def matrix(self, values: Array) -> Array:
        """Return the sums over all meetings of a row with a column."""
        cells = np.bincount(self.one * self.members + self.other, values, self.members**2)
        return cells.reshape(self.members, self.members)


class Strengths:
    """The best strengths `at`, and the groups within which results bound everybody, from the strongest on; `group` has
    the number of each member's.
    """

    def __init__(self, met: Meetings) -> None:
        self.met = met
        won, lost = met.halves / 2, met.games - met.halves / 2
        self._won = met.matrix(met.weight * won) + met.matrix(met.weight * lost).T
        # a block counts once if all of it is one trial: so it does if nothing but a reverse could be seen
        share = 1 / met.games / self._company()
        self._trials = met.matrix(share * won) + met.matrix(share * lost).T
        self.at = np.zeros(met.members)
        self._fit()
        self.groups = self._groups()
        self.group = np.zeros(met.members, int)
        for number, group in enumerate(self.groups):
            self.group[list(group)] = number

    def _company(self) -> Array:
        """Return for each row the number of others that `first` met in its block."""
        first, other = (self.met.block * self.met.members + end for end in (self.met.one, self.met.other))
        counts = np.bincount(np.concatenate([first, other]))
        company: Array = counts[first]
        return company

    @property
    def games(self) -> Array:
        """The weighted number of meetings of row and column."""
        return self._won + self._won.T

    def expected(self) -> Array:
        """Return the predicted score of the row against the column."""
        return expected(self.at[:, None] - self.at[None, :])

    def reach(self, group: Sequence[int], way: int, risk: float) -> float:
        """Return how far a group can be moved up (1) or down (-1) until the results have a probability of `risk`."""
        members = np.array(group)
        others = np.setdiff1d(np.arange(len(self.at)), members)
        ahead, behind = self._trials[np.ix_(members, others)], self._trials[np.ix_(others, members)].T
        gaps = self.at[members][:, None] - self.at[others]

        def objection(step: float) -> float:
            chances = expected(gaps + step)
            with np.errstate(divide="ignore"):
                seen = (ahead * np.log(chances) + behind * np.log1p(-np.minimum(chances, 1 - 1e-16))).sum()
            return float(RIDGE / 2 * ((self.at[members] + step) ** 2).sum() - seen)

        most = objection(0) - log(risk)
        near, far = 0.0, _FAR
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            near, far = (middle, far) if objection(way * middle) < most else (near, middle)
        return near

    def _fit(self) -> None:
        """Fit by Newton's method with halved steps, until no step helps."""
        value = self._value(self.at)
        games = self.games
        for _ in range(_STEPS):
            expected = self.expected()
            gradient = (self._won - games * expected).sum(1) - RIDGE * self.at
            bends = games * expected * (1 - expected)
            step = np.linalg.solve(np.diag(bends.sum(1) + RIDGE) - bends, gradient)
            if gradient @ step < 1e-12:  # the error is squared with each step: this is the last that changes anything
                self.at = self.at + step
                return
            scale = 1.0
            while (trial := self._value(self.at + scale * step)) < value and scale > 1e-6:
                scale /= 2
            self.at, value = self.at + scale * step, trial
        raise AssertionError("the likelihood is concave: Newton's method ends")

    def _value(self, at: Array) -> float:
        gaps = at[:, None] - at[None, :]
        return float(-(self._won * np.logaddexp(0, -gaps)).sum() - RIDGE / 2 * at @ at)

    def _groups(self) -> tuple[tuple[int, ...], ...]:
        """Return groups whose members all scored against each other, directly or through others (Ford's condition)."""
        held = np.eye(len(self.at), dtype=bool) | (self._won > 0)
        while (further := held @ held).sum() > held.sum():
            held = further
        groups = {tuple(np.flatnonzero(row).tolist()) for row in held & held.T}
        return tuple(sorted(groups, key=lambda group: (-self.at[list(group)].mean(), group)))


def expected(gaps: Array) -> Array:
    """Return the predicted score for these differences of strength."""
    return 1 / (1 + np.exp(-np.clip(gaps, -300, 300)))
