"""Errors of strengths, from the scatter of blocks, also with few of them.

A block is the unit: its games are not independent. A block's surplus over the prediction of the strengths, times its
weight in a difference of strengths, is its contribution to the error of that difference. Contributions of few blocks
are too small, because the strengths were fitted to these very blocks. So each is enlarged by the weight of its block
(the bias-reduced linearization of R. M. Bell and D. F. McCaffrey, Survey Methodology 28, 2002). Their sum of squares
has few degrees of freedom (F. E. Satterthwaite), and Student's distribution is used.

If hardly a block scatters, as where seats or shared places decide nearly all games, the next block may be the first
that does. So an interval is never narrower than these few rare blocks allow (the bound of Clopper and Pearson). If a
single block decides a difference, nothing can be said: the interval is infinite.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from statistics import NormalDist
from typing import Final

from quadrille.ai.tournament.statistics.arrays import Array, np
from quadrille.ai.tournament.statistics.quantiles import most_likely_share, student, student_quantile
from quadrille.ai.tournament.statistics.strengths import RIDGE, Strengths

#: Maximum cells of an array at a time.
CELLS: Final = 1 << 22
#: Share of the information above which a single block decides alone.
ALONE: Final = 0.99
#: Minimum observed share of a variance.
SEEN: Final = 0.9
#: Minimum degrees of freedom of an interval.
LEAST_DEGREES: Final = 1.9
#: Minimum number of scattering blocks; fewer are rare.
RARE: Final = 4.0
#: The confidence that no more blocks scatter than an interval allows for.
SURE: Final = 0.95
#: The part of the way to 0 where an interval ends that must not contain it.
SHORT: Final = 0.999
_NOTHING: Final = 1e-10


@dataclass(frozen=True, slots=True)
class Deviations:
    """Errors of some differences of strengths: the standard error (infinite if nothing can be said), its degrees of
    freedom, and the minimum half width of an interval. `shift` is the standard error of the part that no block
    scatters.

    Where scores come near 0 or 1 strengths run away, and their errors with them, but not the evidence that they
    differ at all. That evidence comes from the change of scores on the whole way to no difference, and makes errors
    smaller by a factor (`evidence`).
    """

    error: Array
    degrees: Array
    least: Array
    shift: Array
    evidence: Array

    def half(self, level: float, values: Array) -> Array:
        """Half of the intervals about these values that hold the truth with that probability."""
        inner = np.maximum(student_quantile((1 + level) / 2, self.degrees) * self.error, self.least)
        away = abs(values)
        ruled_out = (self.shift == 0) & (inner * self.evidence < away)
        # The end nearer to 0 is shorter, the other longer: the share of the way to 0 that the interval covers counts
        # for a half. But no interval holds a 0 that is ruled out.
        part = np.minimum(np.divide(inner, away, out=np.ones_like(away), where=away > 0), 1)
        inner = inner * self.evidence ** (part / 2)
        inner = np.where(ruled_out, np.minimum(inner, SHORT * away), inner)
        return np.hypot(inner, NormalDist().inv_cdf((1 + level) / 2) * self.shift)

    def above(self, values: Array) -> Array:
        """The likelihood that differences with these best values are above 0; a half if nothing can be said."""
        # without scatter, only future events are an error
        rare = self.least / student_quantile(0.975, self.degrees)
        error = np.hypot(np.where(self.error > 0, self.error, rare) * self.evidence, self.shift)
        ratio = np.divide(values, error, out=np.zeros_like(values), where=np.isfinite(error) & (error > 0))
        return student(ratio, np.where(self.shift > 0, inf, self.degrees))


@dataclass(frozen=True, slots=True)
class _Tables:
    """Blocks with the same number of members. Equal ones (the same members met as often) share a `kind`.

    For each kind: its members, its information about them (`information`), the `covariance` of their strengths, the
    factor of contributions, and whether it decides alone. For each block: its kind, and each member's `surplus`.
    """

    members: Array
    games: Array
    information: Array
    covariance: Array
    enlarging: Array
    kind: Array
    surplus: Array


class Scatter:
    """The blocks of a fit, and their information about differences of strengths."""

    def __init__(self, fit: Strengths) -> None:
        met = fit.met
        place = np.zeros(met.members, int)
        for number, group in enumerate(fit.groups):
            place[list(group)] = number
        self._chances = fit.expected()
        rows = np.flatnonzero(place[met.one] == place[met.other])  # between groups nothing scatters
        one, other = met.one[rows], met.other[rows]
        games = met.weight[rows] * met.games[rows]
        surplus = met.weight[rows] * met.halves[rows] / 2 - games * self._chances[one, other]
        told = np.zeros((met.members, met.members))
        np.add.at(told, (one, other), games)
        told = (told + told.T) * self._chances * self._chances.T
        self.covariance = np.linalg.inv(np.diag(told.sum(1) + RIDGE) - told)
        self._tables = [self._table(*columns) for columns in _sized(met.block[rows], one, other, games, surplus)]

    def deviations(self, differences: Array) -> Deviations:
        """The deviations of differences (columns); the coefficients of each sum to 0 within every group."""
        at_a_time = max(1, CELLS // max(1, self._cells()))
        parts = [
            self._deviations(differences[:, first : first + at_a_time])
            for first in range(0, differences.shape[1], at_a_time)
        ]
        return Deviations(*(np.concatenate([getattr(part, name) for part in parts]) for name in _NAMES))

    def _cells(self) -> int:
        return sum(table.surplus.size for table in self._tables)

    def _table(self, members: Array, games: Array, surplus: Array) -> _Tables:
        """Blocks with the same number of members."""
        size = members.shape[1]
        keys = np.concatenate([members, games.reshape(len(members), -1)], 1)
        keys, kind = np.unique(keys, axis=0, return_inverse=True)
        members, games = keys[:, :size].astype(int), keys[:, size:].reshape(-1, size, size)
        chances = self._chances[members[:, :, None], members[:, None, :]]
        told = games * chances * chances.transpose(0, 2, 1)
        information = np.eye(size) * told.sum(2)[:, :, None] - told
        covariance = self.covariance[members[:, :, None], members[:, None, :]]
        # (1 - information covariance) ** -1/2, by the symmetric matrix that is similar to it
        values, vectors = np.linalg.eigh(covariance)
        root = (vectors * np.sqrt(values)[:, None]) @ vectors.transpose(0, 2, 1)
        inverse = (vectors / np.sqrt(values)[:, None]) @ vectors.transpose(0, 2, 1)
        values, vectors = np.linalg.eigh(root @ information @ root)
        larger = np.where(values < ALONE, 1 / np.sqrt(1 - np.minimum(values, ALONE)), 0)
        enlarging = inverse @ (vectors * larger[:, None]) @ vectors.transpose(0, 2, 1) @ root
        return _Tables(members, games, information, covariance, enlarging, kind.reshape(-1), surplus)

    def _deviations(self, differences: Array) -> Deviations:
        weights = self.covariance @ differences
        count = differences.shape[1]
        wanted = (differences * weights).sum(0)
        squares, fourths, seen, seen_squares, turned, turned_fourths = (np.zeros(count) for _ in range(6))
        for table in self._tables:
            blocks = np.bincount(table.kind, minlength=len(table.members))[:, None]
            mine = table.enlarging.transpose(0, 2, 1) @ weights[table.members]
            part = np.einsum("bi,bik->bk", table.surplus, mine[table.kind])
            squares += (part**2).sum(0)
            fourths += (part**4).sum(0)
            # the variance of the contribution if all games were independent
            moved = table.information @ mine
            own = (mine * moved).sum(1)
            lost = (moved * (table.covariance @ moved)).sum(1)
            seen += (blocks * (own - lost)).sum(0)
            seen_squares += (blocks * (own - lost) ** 2).sum(0)
            reverse = self._reverse(table, mine)
            turned += (blocks * reverse**2).sum(0)
            turned_fourths += (blocks * reverse**4).sum(0)
        with np.errstate(divide="ignore", invalid="ignore"):
            degrees = np.nan_to_num(seen**2 / seen_squares) - 1
            blocks_that_count = turned**2 / turned_fourths
            scattering = np.where(squares > _NOTHING * wanted, squares**2 / fourths, 0)
            size = np.where(scattering > 0, np.sqrt(squares / scattering), np.sqrt(turned / blocks_that_count))
        empty = ~differences.any(0)
        known = (seen > SEEN * wanted) & (degrees >= LEAST_DEGREES)
        error = np.where(known, np.sqrt(squares), inf)
        least = np.zeros(count)
        rare = known & (scattering < RARE) & ~empty
        if rare.any():
            more = most_likely_share(SURE, scattering[rare], blocks_that_count[rare]) * blocks_that_count[rare]
            least[rare] = (more - scattering[rare]) * size[rare]
        error[empty], least[~known] = 0, inf
        least[empty] = 0
        return Deviations(error, np.maximum(np.where(empty, inf, degrees), 1), least, np.zeros(count), np.ones(count))

    def _reverse(self, table: _Tables, mine: Array) -> Array:
        """The maximum contribution of a block of each kind: all its games reversed."""
        gaps = np.maximum(mine[:, :, None] - mine[:, None, :], 0)
        chances = self._chances[table.members[:, :, None], table.members[:, None, :]]
        ahead = np.einsum("tijk,tij->tk", gaps, table.games * (1 - chances))
        behind = np.einsum("tijk,tij->tk", gaps, table.games * chances)
        return np.maximum(ahead, behind)


_NAMES: Final = ("error", "degrees", "least", "shift", "evidence")


def _sized(
    block: Array, one: Array, other: Array, games: Array, surplus: Array
) -> Iterator[tuple[Array, Array, Array]]:
    """Blocks by the number of their members: the members, the meetings of any two, the surplus of each."""
    if not len(block):
        return
    _, block = np.unique(block, return_inverse=True)
    width = int(other.max()) + 1
    there = np.unique(np.concatenate([block * width + one, block * width + other]))
    sizes = np.bincount(there // width)
    first = np.concatenate([[0], np.cumsum(sizes)])
    here = np.searchsorted(there, block * width + one) - first[block]
    against = np.searchsorted(there, block * width + other) - first[block]
    for size in np.unique(sizes).tolist():
        chosen = np.flatnonzero(sizes == size)
        place = np.cumsum(sizes == size) - 1
        members = (there[first[chosen][:, None] + np.arange(size)]) % width
        rows = np.flatnonzero(sizes[block] == size)
        number, low, high = place[block[rows]], here[rows], against[rows]
        met, beyond = np.zeros((len(chosen), size, size)), np.zeros((len(chosen), size))
        np.add.at(met, (number, low, high), games[rows])
        np.add.at(beyond, (number, low), surplus[rows])
        np.add.at(beyond, (number, high), -surplus[rows])
        yield members, met + met.transpose(0, 2, 1), beyond
