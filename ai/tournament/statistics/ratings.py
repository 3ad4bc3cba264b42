"""Ratings with honest error bars: Bradley and Terry's strengths of scores, for tables of any size.

**Elo** is that of a score, as in stopping.py: entrants that are d points apart expect 1 / (1 + 10 ** (-d / 400)) of
the points from each other, over all seats in turn. A shared place is half a point. A game with n seats is n (n - 1) /
2 comparisons. Blocks are balanced, so that no seat favours anybody; the effects of seats are computed separately, by
the same model with seats in place of entrants.

strengths.py fits, scatter.py computes the errors. Where only the ridge bounds a difference, because some entrants
lost everything against others, its uncertainty follows from the number of blocks between them, each block a trial.

Results are sorted before the computation: the same ones in another order give the same ratings to the last bit.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log
from statistics import NormalDist
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics import LEVEL
from quadrille.ai.tournament.statistics.arrays import Array, np
from quadrille.ai.tournament.statistics.scatter import Deviations, Scatter
from quadrille.ai.tournament.statistics.strengths import RIDGE, Meetings, Strengths, expected

__all__ = ["ELO", "RIDGE", "Ratings", "SeatEffect", "rate"]

#: Smaller numbers count as zero.
TINY: Final = 1e-12
#: Points of Elo for a unit of strength.
ELO: Final = 400 / log(10)
#: The largest error that tables show: ± 1,000 spans scores of 0.003 to 0.997 against an equal. Wider ones follow from
#: whom somebody met rather than from results: they differed by thousands between equal records.
WIDEST: Final = 1000.0


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """The advantage of a seat in a contest, in points of Elo against the mean of its seats, and its error.

    The error is infinite if blocks are too few.
    """

    contest: int
    seats: int
    seat: int
    elo: float
    error: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """Rows and columns are entrants. `error` is half of the interval that holds the truth with probability `LEVEL`;
    infinite beyond `WIDEST`, or if blocks are too few.

    `superiority` has the likelihood that the row is stronger than the column (a half if nothing is known), `expected`
    the predicted score. `groups` are those within which results bound everybody, from the strongest on; with more
    than one of them, only the ridge bounds one side of the differences between two.
    """

    elo: tuple[float, ...]
    error: tuple[float, ...]
    superiority: tuple[tuple[float, ...], ...]
    expected: tuple[tuple[float, ...], ...]
    seat_effects: tuple[SeatEffect, ...]
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Comparisons:
    """All pairs of all games, a row each, and the `kinds` of tables: contest and number of seats.

    Columns: kind, block, the entrants, their seats, the half points of the one.
    """

    kinds: tuple[tuple[int, int], ...]
    rows: Array

    def entrants(self, count: int) -> Meetings:
        # Of the n (n - 1) / 2 comparisons of a game many say the same: this weight is the best between equals, and
        # gives a table of n its due.
        weights = np.array([3 / (seats + 1) for _, seats in self.kinds])
        kind, block, first, other, _, _, halves = self.rows.T
        return Meetings.gather(count, (block, first, other, halves, kind), weights)

    def seats(self, kind: int) -> Meetings:
        """Return the meetings of seats at the tables of a kind."""
        _, block, _, _, first, other, halves = self.rows[self.rows[:, 0] == kind].T
        return Meetings.gather(self.kinds[kind][1], (block, first, other, halves, 0 * block), np.ones(1))


def rate(results: Iterable[Result], entrants: int, *, anchor: int | None = None, seat_effects: bool = True) -> Ratings:
    """Rate all entrants, with a mean of 0; or with the anchor's rating fixed at 0, and errors relative to it.

    If results don't bound all of them, the mean is that of the largest group within which they do.
    """
    compared = comparisons(results)
    scale = Scale(compared.entrants(entrants))
    return Ratings(
        elo=scale.elo(anchor),
        error=tuple(map(told, scale.errors(anchor))),
        superiority=tuple(map(tuple, scale.superiority().tolist())),
        expected=tuple(map(tuple, scale.fit.expected().tolist())),
        seat_effects=tuple(_seat_effects(compared)) if seat_effects else (),
        groups=scale.fit.groups,
    )


def told(error: float) -> float:
    """Return an error in Elo, or infinity beyond `WIDEST`."""
    return float(error) if error <= WIDEST else inf


def elo(results: Iterable[Result], entrants: int, anchor: int | None = None) -> tuple[float, ...]:
    """Return the Elo of `rate`, without all the rest, which takes longer."""
    return Scale(comparisons(results).entrants(entrants)).elo(anchor)


def comparisons(results: Iterable[Result]) -> Comparisons:
    """Return the pairs of all results, without void ones."""
    sized: dict[tuple[int, int], list[Result]] = defaultdict(list)
    for result in results:
        if not result.void:
            sized[result.contest, len(result.seats)].append(result)
    parts = [np.zeros((0, 7), np.int64)]
    for number, (kind, games) in enumerate(sorted(sized.items())):
        seats = np.array([game.seats for game in games], np.int64)
        places = np.array([game.places for game in games], np.int64)
        blocks = np.array([game.block for game in games], np.int64)
        here, there = np.triu_indices(kind[1], 1)
        first = seats[:, here]
        columns = [
            np.full(first.shape, number),
            np.repeat(blocks[:, None], len(here), 1),
            first,
            seats[:, there],
            np.broadcast_to(here, first.shape),
            np.broadcast_to(there, first.shape),
            1 - np.sign(places[:, here] - places[:, there]),
        ]
        parts.append(np.stack(columns, -1).reshape(-1, 7))
    return Comparisons(tuple(sorted(sized)), np.concatenate(parts))


class Scale:
    """Strengths with their errors. Their zero is the mean of the largest group that results bound; or of all, if no
    group is the largest.

    Every other group may be off as a whole, as far as the games between it and its neighbours allow.
    """

    def __init__(self, met: Meetings) -> None:
        self.fit = Strengths(met)
        self._group, groups = self.fit.group, self.fit.groups
        sizes = sorted(map(len, groups))
        self._largest = max(groups, key=len) if len(groups) == 1 or sizes[-1] > sizes[-2] else None
        self.at = self.fit.at - self.fit.at[slice(None) if self._largest is None else list(self._largest)].mean()

    @cached_property
    def _scatter(self) -> Scatter:
        return Scatter(self.fit)

    @cached_property
    def _shift(self) -> Array:
        """The standard error of each group's offset."""
        reach = [0.0 if group == self._largest else self._reach(group) for group in self.fit.groups]
        return np.array(reach) / NormalDist().inv_cdf((1 + LEVEL) / 2)

    def elo(self, anchor: int | None) -> tuple[float, ...]:
        """Return points of Elo, counted from the zero or from the anchor."""
        if anchor is not None and not 0 <= anchor < len(self.at):
            raise TournamentError(f"the anchor is entrant {anchor}: there are {len(self.at)}, counted from 0")
        return tuple((ELO * (self.at - (0 if anchor is None else self.at[anchor]))).tolist())

    def errors(self, anchor: int | None) -> Array:
        """Return half of the interval of each rating in Elo: relative to the zero, or to the anchor."""
        everybody = np.arange(len(self.at))
        if anchor is not None:
            return ELO * self._pairs(everybody, 0 * everybody + anchor).half(self.at - self.at[anchor])
        columns = np.append(np.eye(len(self.at)) - self._mean(), np.zeros((len(self.at), 1)), 1)
        deviations = self._deviations(
            columns, everybody, 0 * everybody - 1, self._shift[self._group], (everybody, -self.at)
        )
        return ELO * deviations.half(self.at)

    def superiority(self) -> Array:
        """Return the likelihood that the row is stronger than the column."""
        count = len(self.at)
        first, other = np.triu_indices(count, 1)
        table = np.full((count, count), 0.5)
        table[first, other] = self._pairs(first, other).above(self.at[first] - self.at[other])
        table[other, first] = 1 - table[first, other]
        return table

    def _pairs(self, first: Array, other: Array) -> Deviations:
        """Return the deviations of one group's members against the other's."""
        unit = np.eye(len(self.at))
        own = unit - self._mean()
        apart = self._group[first] != self._group[other]
        gaps, sure = self.at[first] - self.at[other], np.diag(self._scatter.covariance)
        part = sure[first] / (sure[first] + sure[other])  # the less certain one goes further towards equality
        off = np.where(apart, len(unit), 0)
        shift = apart * np.maximum(self._shift[self._group[first]], self._shift[self._group[other]])
        moves = (first, -part * gaps), (other, (1 - part) * gaps)
        return self._deviations(np.append(unit, own, 1), first + off, other + off, shift, *moves)

    def _deviations(
        self, columns: Array, first: Array, other: Array, shift: Array, *moves: tuple[Array, Array]
    ) -> Deviations:
        """Return the deviations of differences of two columns; `moves` say who goes how far to where none is left."""
        games, gaps = self.fit.games, self.at[:, None] - self.at
        score = expected(gaps)
        goes = np.zeros((len(first), len(self.at)))
        for who, far in moves:
            goes[np.arange(len(first)), who] = far
        begin, whole = np.zeros((2, len(first)))
        for who, far in moves:
            ways = far[:, None] - goes
            pull = np.where(goes == 0, 1, 0.5) * games[who] * ways  # both sides move towards each other
            begin += (pull * (score * (1 - score))[who] * ways).sum(1)
            whole += (pull * (expected(gaps[who] + ways) - score[who])).sum(1)
        evidence = np.divide(begin, whole, out=np.ones_like(whole), where=whole > TINY)
        return Deviations(*self._scatter.errors(columns, first, other), shift, evidence)

    def _mean(self) -> Array:
        """Return a column for each member: the mean of its group."""
        same = self._group[:, None] == self._group[None, :]
        means: Array = same / same.sum(0)
        return means

    def _reach(self, group: Sequence[int]) -> float:
        """Return the possible offset of a group towards its neighbours."""
        at = self.fit.groups.index(tuple(group))
        ways = ([-1] if at < len(self.fit.groups) - 1 else []) + ([1] if at else [])
        return max(self.fit.reach(group, way, (1 - LEVEL) / 2) for way in ways)


def _seat_effects(compared: Comparisons) -> Iterator[SeatEffect]:
    for number, (contest, seats) in enumerate(compared.kinds):
        scale = Scale(compared.seats(number))
        for seat, (at, error) in enumerate(zip(scale.at, scale.errors(None), strict=True)):
            yield SeatEffect(contest, seats, seat, float(ELO * at), told(error))
