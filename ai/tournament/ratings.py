"""How strong everybody is, with honest error bars: pairwise Bradley-Terry-Davidson for tables of any size.

A game with n seats is n (n - 1) / 2 comparisons. With x the difference of two strengths, seats included, and z a
contest's readiness to share places, a win, a shared place and a loss are in the proportion exp(x / 2) : exp(z) : exp(-x
/ 2) (R. R. Davidson, JASA 65, 1970). The likelihood is concave, so that Newton's method finds its one maximum; a weak
ridge keeps those finite who win everything. The comparisons of a game, and the games of a block, are not independent:
so the errors come from how the blocks scatter (a sandwich clustered by block, times G / (G - p) for G blocks and p
parameters).

Results are counted before anything is reckoned: the same ones in another order give the same ratings to the last bit.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import erf, log, sqrt
from statistics import NormalDist
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.arrays import Array, np
from quadrille.ai.tournament.results import Result

#: Points of Elo for a unit of strength.
ELO: Final = 400 / log(10)
#: The ridge: as if strengths had been drawn with a standard deviation of 10 units, 1,737 points.
RIDGE: Final = 0.01
#: Cells of a matrix of blocks and parameters that are held at a time.
CELLS: Final = 1 << 22
_STEPS: Final = 100
_CHI: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What sitting there is worth in a contest, in points of Elo against the mean of its seats, and give or take."""

    contest: int
    seats: int
    seat: int
    elo: float
    error: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """Rows and columns are entrants. `error` is half of the interval that holds the truth with probability `level`.

    `superiority` has the likelihood that the row is stronger than the column, `expected` the score that it should make.
    `groups` are those within which everybody is bounded by results, from the strongest on; with more than one of them,
    what lies between two is bounded by the ridge alone. Too few blocks for their scatter to be seen (not `clustered`)
    leave the errors that independent comparisons would have.
    """

    elo: tuple[float, ...]
    error: tuple[float, ...]
    level: float
    superiority: tuple[tuple[float, ...], ...]
    expected: tuple[tuple[float, ...], ...]
    seat_effects: tuple[SeatEffect, ...]
    groups: tuple[tuple[int, ...], ...]
    games: int
    blocks: int
    clustered: bool


@dataclass(frozen=True, slots=True)
class Comparisons:
    """All pairs of all games. `kinds` are the pairs of contest and seats; `rows` are the comparisons that differ in
    nothing but their outcome (kind, one, other, seat, seat); an outcome is 0 if the one is ahead, 1 shared, 2 behind.
    """

    kinds: tuple[tuple[int, int], ...]
    rows: Array
    row: Array
    outcome: Array
    block: Array
    games: int


def rate(
    results: Iterable[Result],
    entrants: int,
    *,
    anchor: int | None = None,
    anchored: float = 0.0,
    level: float = 0.95,
    seat_effects: bool = True,
) -> Ratings:
    """Ratings of all entrants: about a mean of 0, or with the anchor's fixed at `anchored` and errors as against it."""
    if anchor is not None and not 0 <= anchor < entrants:
        raise TournamentError(f"the anchor is entrant {anchor}: there are {entrants}, counted from 0")
    compared = comparisons(results)
    model = Model(compared, entrants, seat_effects=seat_effects)
    model.fit()
    covariance, groups, clustered = model.covariance()
    theta, spread = model.at[:entrants], covariance[:entrants, :entrants]
    superiority, variances = _superiority(theta, spread), np.diag(spread)
    if anchor is not None:
        variances = variances + spread[anchor, anchor] - 2 * spread[anchor]
        theta = theta - theta[anchor]
    sigmas = NormalDist().inv_cdf((1 + level) / 2)
    return Ratings(
        elo=tuple((ELO * theta + (anchored if anchor is not None else 0)).tolist()),
        error=tuple((ELO * sigmas * _deviations(variances)).tolist()),
        level=level,
        superiority=_rows(superiority),
        expected=_rows(model.expected()),
        seat_effects=model.seat_effects(covariance, sigmas),
        groups=groups,
        games=compared.games,
        blocks=len(np.unique(compared.block)),
        clustered=clustered,
    )


def comparisons(results: Iterable[Result]) -> Comparisons:
    """Results taken apart into pairs; void ones are left out."""
    sized: dict[tuple[int, int], list[Result]] = defaultdict(list)
    for result in results:
        if not result.void:
            sized[result.contest, len(result.seats)].append(result)
    parts = [np.zeros((0, 7), np.int64)]
    kinds = tuple(sorted(sized))
    for number, kind in enumerate(kinds):
        games = sized[kind]
        seats = np.array([game.seats for game in games], np.int64)
        places = np.array([game.places for game in games], np.int64)
        blocks = np.array([game.block for game in games], np.int64)
        here, there = np.triu_indices(kind[1], 1)
        one, other = seats[:, here], seats[:, there]
        turned = one > other
        columns = [
            np.full(one.shape, number),
            np.where(turned, other, one),
            np.where(turned, one, other),
            np.where(turned, there, here),
            np.where(turned, here, there),
            (1 + np.sign(places[:, here] - places[:, there])) * np.where(turned, -1, 1) + 2 * turned,
            np.repeat(blocks[:, None], len(here), 1),
        ]
        parts.append(np.stack(columns, -1).reshape(-1, 7))
    flat = np.concatenate(parts)
    widths = 1 + flat[:, :5].max(0, initial=0)
    keys, row = np.unique(np.ravel_multi_index(flat[:, :5].T, widths), return_inverse=True)
    rows = np.stack(np.unravel_index(keys, widths), -1)
    return Comparisons(kinds, rows, row.reshape(-1), flat[:, 5], flat[:, 6], sum(map(len, sized.values())))


class Model:
    """The parameters `at`: strengths, then the seats of each kind, then each kind's readiness to share places."""

    def __init__(self, compared: Comparisons, entrants: int, *, seat_effects: bool = True) -> None:
        kinds = compared.kinds
        sizes = [seats if seat_effects else 0 for _, seats in kinds]
        first = [entrants + sum(sizes[:kind]) for kind in range(len(kinds) + 1)]
        rows = compared.rows
        self.compared = compared
        self.entrants = entrants
        self.first = first
        self.size = first[-1] + len(kinds)
        self.at = np.zeros(self.size)
        self.counts = np.bincount(compared.row * 3 + compared.outcome, minlength=3 * len(rows)).reshape(-1, 3)
        # Of n (n - 1) / 2 comparisons of a game many say the same: this weight is the best between equals without
        # shared places, and makes a table of n count for what it tells.
        self.weight = (3 / (np.array([seats for _, seats in kinds]) + 1))[rows[:, 0]]
        self.tie = first[-1] + rows[:, 0]
        if seat_effects:
            start = np.array(first)[rows[:, 0]]
            self.columns = np.stack([rows[:, 1], rows[:, 2], start + rows[:, 3], start + rows[:, 4]], -1)
        else:
            self.columns = rows[:, 1:3]
        self.signs = np.array([1, -1] * (self.columns.shape[1] // 2))
        # what there is to be found out: strengths and seats are differences
        self.free = entrants - 1 + sum(seats - 1 for seats in sizes if seats) + len(kinds)

    def fit(self) -> None:
        """Newton's method with halved steps, to where no step helps."""
        value = self._value(self.at)
        for _ in range(_STEPS):
            gradient, hessian = self._slopes()
            step = np.linalg.solve(hessian, gradient)
            if gradient @ step < 1e-12:  # each step squares what is wrong: this is the last that changes anything
                self.at = self.at + step
                return
            scale = 1.0
            while (trial := self._value(self.at + scale * step)) < value and scale > 1e-6:
                scale /= 2
            self.at = self.at + scale * step
            value = trial
        raise AssertionError("the likelihood is concave: Newton's method ends")

    def covariance(self) -> tuple[Array, tuple[tuple[int, ...], ...], bool]:
        """That of all parameters, the groups of entrants that results bound, and whether it was clustered by block."""
        hessian = self._slopes()[1]
        inverse = np.linalg.inv(hessian)
        independent = spread = inverse @ (hessian - RIDGE * np.eye(self.size)) @ inverse
        meat, blocks = self._scatter()
        clustered = blocks > self.free
        if clustered:
            spread = inverse @ meat @ inverse * (blocks / (blocks - self.free))
            # Balanced blocks quieten strengths, not seats: less scatter there than of games means seats that decide
            # all.
            others = np.arange(self.entrants, self.size)
            spread[others, others] = np.maximum(spread[others, others], independent[others, others])
        groups = self._groups()
        if len(groups) > 1:
            # Nobody of a lower group ever held an upper one: no scatter is seen, and none would be no error at all.
            for place, group in enumerate(groups):
                members = np.array(group)
                ways = [self._reach(members, -1)] if place < len(groups) - 1 else []
                ways += [self._reach(members, 1)] if place else []
                spread[np.ix_(members, members)] += (max(ways) / _CHI) ** 2
        return spread, groups, clustered

    def _reach(self, members: Array, way: int) -> float:
        """How far a group can be moved up (1) or down (-1) before the likelihood objects at 95 %."""
        best, near, far = self._value(self.at), 0.0, 100.0  # the ridge alone objects at 20
        for _ in range(30):
            middle = (near + far) / 2
            moved = self.at.copy()
            moved[members] += way * middle
            near, far = (middle, far) if best - self._value(moved) < _CHI**2 / 2 else (near, middle)
        return near

    def expected(self) -> Array:
        """What everybody should score against everybody, seats aside; contests count by how much they were played."""
        x = self.at[: self.entrants, None] - self.at[None, : self.entrants]
        if not self.compared.kinds:
            return 1 / (1 + np.exp(-x))
        played = np.bincount(self.compared.rows[:, 0], self.counts.sum(1), len(self.compared.kinds))
        return sum(
            share * (_chances(x, self.at[self.first[-1] + kind]) @ np.array([1, 0.5, 0]))
            for kind, share in enumerate(played / played.sum())
        )

    def seat_effects(self, covariance: Array, sigmas: float) -> tuple[SeatEffect, ...]:
        """Those of all kinds, if they are part of the model."""
        errors = ELO * sigmas * _deviations(np.diag(covariance))
        return tuple(
            SeatEffect(contest, seats, index - start, float(ELO * self.at[index]), float(errors[index]))
            for (contest, seats), start, stop in zip(self.compared.kinds, self.first[:-1], self.first[1:], strict=True)
            for index in range(start, stop)
        )

    def _chances(self, at: Array) -> Array:
        return _chances((at[self.columns] * self.signs).sum(1), at[self.tie])

    def _value(self, at: Array) -> float:
        chances = np.maximum(self._chances(at), 1e-300)
        return float((self.weight[:, None] * self.counts * np.log(chances)).sum() - RIDGE / 2 * at @ at)

    def _slopes(self) -> tuple[Array, Array]:
        """The gradient and the negative Hessian."""
        chances = self._chances(self.at)
        ahead, shared, behind = chances.T
        many = self.weight * self.counts.sum(1)
        residual = self.weight[:, None] * self.counts - many[:, None] * chances
        by_x, by_z = (residual[:, 0] - residual[:, 2]) / 2, residual[:, 1]
        xx = many * (ahead + behind - (ahead - behind) ** 2) / 4
        xz = -many * shared * (ahead - behind) / 2
        zz = many * shared * (1 - shared)
        columns = np.concatenate([self.columns, self.tie[:, None]], 1)
        slopes = np.concatenate([by_x[:, None] * self.signs, by_z[:, None]], 1)
        bends = np.concatenate(
            [xx[:, None, None] * np.outer(self.signs, self.signs), (xz[:, None] * self.signs)[:, None]], 1
        )
        edge = np.concatenate([xz[:, None] * self.signs, zz[:, None]], 1)
        bends = np.concatenate([bends, edge[:, :, None]], 2)
        places = columns[:, :, None] * self.size + columns[:, None, :]
        hessian = np.bincount(places.ravel(), bends.ravel(), self.size**2).reshape(self.size, self.size)
        gradient = np.bincount(columns.ravel(), slopes.ravel(), self.size)
        return gradient - RIDGE * self.at, hessian + RIDGE * np.eye(self.size)

    def _scatter(self) -> tuple[Array, int]:
        """The sum over blocks of the outer product of a block's gradient with itself, and how many blocks there are."""
        compared = self.compared
        numbers, block = np.unique(compared.block, return_inverse=True)
        keys, counts = np.unique(
            (block.reshape(-1) * len(compared.rows) + compared.row) * 3 + compared.outcome, return_counts=True
        )
        block, rest = np.divmod(keys, 3 * max(1, len(compared.rows)))
        row, outcome = np.divmod(rest, 3)
        chances = self._chances(self.at)[row]
        many = self.weight[row] * counts
        by_x = many * ((1 - outcome) - (chances[:, 0] - chances[:, 2])) / 2
        by_z = many * ((outcome == 1) - chances[:, 1])
        columns = np.concatenate([self.columns, self.tie[:, None]], 1)[row]
        slopes = np.concatenate([by_x[:, None] * self.signs, by_z[:, None]], 1)
        meat = np.zeros((self.size, self.size))
        at_a_time = min(max(1, CELLS // self.size), len(numbers))
        for first in range(0, len(numbers), at_a_time or 1):
            low, high = np.searchsorted(block, [first, first + at_a_time])
            cells = (block[low:high, None] - first) * self.size + columns[low:high]
            part = np.bincount(cells.ravel(), slopes[low:high].ravel(), at_a_time * self.size).reshape(-1, self.size)
            meat += part.T @ part
        return meat, len(numbers)

    def _groups(self) -> tuple[tuple[int, ...], ...]:
        """Entrants who each got something off each other, directly or through others (Ford's condition)."""
        rows = self.compared.rows
        held = np.eye(self.entrants, dtype=bool)
        up, down = rows[self.counts[:, :2].sum(1) > 0], rows[self.counts[:, 1:].sum(1) > 0]
        held[up[:, 1], up[:, 2]] = held[down[:, 2], down[:, 1]] = True
        while (further := held @ held).sum() > held.sum():
            held = further
        groups = {tuple(np.flatnonzero(row).tolist()) for row in held & held.T}
        return tuple(sorted(groups, key=lambda group: (-self.at[list(group)].mean(), group)))


def _chances(x: Array, z: Array) -> Array:
    """The chances of being ahead, level and behind; the last axis has the three."""
    logits = np.stack(np.broadcast_arrays(x / 2, z, -x / 2), -1)
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def _deviations(variances: Array) -> Array:
    """Where nothing varies between blocks, a variance comes out a hair below 0."""
    found: Array = np.sqrt(np.maximum(variances, 0))
    return found


def _superiority(theta: Array, spread: Array) -> Array:
    difference = theta[:, None] - theta[None, :]
    variances = np.diag(spread)
    sigma = np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * spread, 1e-12))
    return np.vectorize(lambda z: (1 + erf(z / sqrt(2))) / 2, otypes=[float])(difference / sigma)


def _rows(matrix: Array) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, matrix.tolist()))
