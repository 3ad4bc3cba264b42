"""Errors of strengths, from the scatter of blocks, also with few of them.

A block is the unit: its games are not independent. A block's surplus over the prediction of the strengths, times its
weight in a difference of strengths, is its contribution to the error of that difference. Contributions of few blocks
are too small, because the strengths were fitted to these very blocks. So each is enlarged by the weight of its block
(the bias-reduced linearization of R. M. Bell and D. F. McCaffrey, Survey Methodology 28, 2002). Their sum of squares
has few degrees of freedom (F. E. Satterthwaite), and Student's distribution is used.

A rare block, as where seats or shared places decide nearly all games, may be more frequent than it was seen: up to the
bound of Clopper and Pearson. So an error is never smaller than as many more blocks allow (`rare`). This is so for all
results; where many blocks scatter, to either side, Student's error is the larger one anyway.
If a single block decides a difference, nothing can be said: the interval is infinite.
"""

from collections.abc import Iterator
from math import inf
from statistics import NormalDist
from typing import Final

from quadrille.ai.tournament.statistics.arrays import Array, np
from quadrille.ai.tournament.statistics.quantiles import most_likely_share, student, student_quantile
from quadrille.ai.tournament.statistics.strengths import RIDGE, Strengths
from quadrille.value import value

#: Maximum cells of an array at a time.
CELLS: Final = 1 << 17
#: Share of the information above which a single block decides alone.
ALONE: Final = 0.99
#: Minimum observed share of a variance.
SEEN: Final = 0.9
#: Minimum degrees of freedom of an interval.
LEAST_DEGREES: Final = 1.9
#: The confidence that rare blocks are not more frequent than an interval allows for.
SURE: Final = 0.95
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

    def half(self, level: float, values: Array) -> Array:
        """Return half of the intervals about these values that hold the truth with that probability."""
        inner = student_quantile((1 + level) / 2, self.degrees) * self.error
        away = abs(values)
        ruled_out = (self.shift == 0) & (inner * self.evidence < away)
        # The end nearer to 0 is shorter, the other longer: the share of the way to 0 that the interval covers counts
        # for a half. But no interval holds a 0 that is ruled out.
        part = np.minimum(np.divide(inner, away, out=np.ones_like(away), where=away > 0), 1)
        inner = inner * self.evidence ** (part / 2)
        inner = np.where(ruled_out, np.minimum(inner, SHORT * away), inner)
        return np.hypot(inner, NormalDist().inv_cdf((1 + level) / 2) * self.shift)

    def above(self, values: Array) -> Array:
        """Return the likelihood that differences with these best values are above 0; a half if nothing can be said."""
        error = np.hypot(self.error * self.evidence, self.shift)
        ratio = np.divide(values, error, out=np.zeros_like(values), where=np.isfinite(error) & (error > 0))
        return student(ratio, np.where(self.shift > 0, inf, self.degrees))


@value
class _Tables:
    """Blocks with the same number of members. Equal ones (the same members met as often) are a kind, with a `number`.

    All that follows is linear in the strengths, so that a difference of them is one of rows. `parts`: contributions of
    blocks. Of each kind, `own`: what has the same square as its contribution on average if games were independent;
    `gaps`: the contribution of a game of any two that ends so and not otherwise, times their games; `lean`: by how much
    more a block can go ahead than behind.
    """

    number: Array
    parts: Array
    own: Array
    gaps: Array
    lean: Array


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

    def deviations(self, columns: Array, one: Array, other: Array) -> Deviations:
        """Return the deviations of differences of two columns; the coefficients of each sum to 0 within every group."""
        differences = columns[:, one] - columns[:, other]
        count, wanted = len(one), (differences * (self.covariance @ differences)).sum(0)
        sums = np.zeros((7, count))
        for table in self._tables:
            rows = [columns.T @ part for part in (table.parts, table.own, table.gaps, table.lean)]
            at_a_time = max(1, CELLS // max(table.parts.shape[-1], table.gaps[:, 0].size))
            for first in range(0, count, at_a_time):
                here = slice(first, first + at_a_time)
                apart = [row[..., one[here], :] - row[..., other[here], :] for row in rows]
                sums[:, here] += _sums(apart, table.number)
        squares, cubes, fourths, seen, seen_squares, whole, whole_squares = sums
        with np.errstate(divide="ignore", invalid="ignore"):
            degrees = np.nan_to_num(seen**2 / seen_squares) - 1
            more = rare((squares, cubes, fourths), seen, whole, whole**2 / whole_squares, SURE)
        empty = ~differences.any(0)
        known = (seen > SEEN * wanted) & (degrees >= LEAST_DEGREES)
        degrees = np.maximum(np.where(empty, inf, degrees), 1)
        error = np.maximum(np.sqrt(squares), more / student_quantile((1 + SURE) / 2, degrees))
        error = np.where(empty, 0, np.where(known, error, inf))
        return Deviations(error, degrees, np.zeros(count), np.ones(count))

    def _table(self, members: Array, games: Array, surplus: Array) -> _Tables:
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
        enlarging = root @ (vectors * larger[:, None]) @ vectors.transpose(0, 2, 1) @ inverse
        mine = enlarging @ self.covariance[members]
        values, vectors = np.linalg.eigh(information - information @ covariance @ information)
        own = (vectors * np.sqrt(np.maximum(values, 0))[:, None])[:, :, 1:].transpose(0, 2, 1) @ mine
        one, other = np.triu_indices(size, 1)
        gaps = games[:, one, other, None] * (mine[:, one] - mine[:, other])
        lean = ((1 - 2 * chances[:, one, other, None]) * gaps).sum(1)
        parts = np.einsum("bi,bik->kb", surplus, mine[kind.reshape(-1)])
        columns = (np.ascontiguousarray(rows.T.swapaxes(0, -2)) for rows in (own, gaps, lean))
        return _Tables(np.bincount(kind.reshape(-1)), parts, *columns)


def _sums(rows: list[Array], number: Array) -> Array:
    """Return sums over all blocks for each difference (rows): as `deviations` names them."""
    part, own, gaps, lean = rows
    square, own = part * part, np.square(own).sum(0)
    whole = np.square((abs(gaps).sum(0) + abs(lean)) / 2)
    often = own * number, whole * number
    pairs = (part, part), (square, part), (square, square)
    found = [np.einsum("kb,kb->k", *pair) for pair in (*pairs, (often[0], own), (often[1], whole))]
    return np.array([*found[:3], often[0].sum(1), found[3], often[1].sum(1), found[4]])


def rare(sums: tuple[Array, Array, Array], own: Array, whole: Array, blocks: Array, sure: float) -> Array:
    """Return how far off the sum of contributions of that many blocks may be: rare ones may be more frequent.

    `sums` are those of their squares, cubes and fourth powers; `own` and `whole` those of their squares if games were
    independent, and if each block went as far as it can.

    The size of a rare block is that of the blocks that scatter most. One that went as far as it can is counted among
    them, with a weight that matters only where blocks hardly scatter. Cubes tell how many went to one side only: those
    that went to both make Student's error, and need no more.
    """
    squares, cubes, fourths = sums
    farthest, unseen = whole / blocks, UNSEEN * (own / blocks) ** 2
    size = np.sqrt((fourths + unseen) / (squares + unseen / farthest))
    seen = np.minimum(abs(cubes) / size**3, blocks)
    found: Array = (most_likely_share(sure, seen, blocks) * blocks - seen) * size
    return found


def _sized(
    block: Array, one: Array, other: Array, games: Array, surplus: Array
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield blocks by the number of their members: the members, the meetings of any two, the surplus of each."""
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
