"""Cycles of three among entrants: A beats B, B beats C, and C beats A, each more often than chance would.

A rating is one number for each entrant and can't tell such a thing. A block is the unit: the share of a pair is that of
its games in which the one was ahead of the other. A step of a cycle is shown by Student's test, whose level is divided
by the number of all possible steps. So in 95 of 100 tournaments no step is shown wrongly.
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from typing import Final

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.arrays import Array, np
from quadrille.ai.tournament.statistics.quantiles import student
from quadrille.ai.tournament.statistics.ratings import comparisons
from quadrille.value import value

#: The probability that anything is shown wrongly.
ALPHA: Final = 0.05
#: Maximum entrants that are compared, the best ones, and maximum cycles that are named.
MOST_ENTRANTS: Final = 200
MOST_NAMED: Final = 3
#: Blocks with a win and a loss that are added to each pair's, so that few equal blocks show nothing.
_ADDED: Final = 2

Triple = tuple[int, int, int]


@value
class Cycles:
    """The number of cycles beyond chance, and the clearest of them: those whose weakest step is the clearest."""

    shown: int = 0
    clearest: tuple[Triple, ...] = ()


def cycles(results: Iterable[Result], order: Sequence[int]) -> Cycles:
    """Find the cycles among entrants, given best first."""
    chosen = list(order[:MOST_ENTRANTS])
    count = len(chosen)
    if count < 3:
        return Cycles()
    blocks, shares, squares = _compared(results, chosen)
    blocks, shares, squares = blocks + _ADDED, shares + _ADDED / 2, squares + _ADDED / 2
    means = shares / blocks
    spread = np.sqrt(np.maximum(squares / blocks - means**2, 1e-12) / (blocks - 1))
    wrong = 1 - student((means - 0.5) / spread, blocks - 1)
    every = list(_found((wrong < ALPHA / (count * (count - 1))) & (blocks > _ADDED)))
    named = nsmallest(MOST_NAMED, every, key=lambda cycle: _steps(cycle, wrong))
    return Cycles(len(every), tuple((chosen[a], chosen[b], chosen[c]) for a, b, c in named))


def _compared(results: Iterable[Result], chosen: Sequence[int]) -> tuple[Array, Array, Array]:
    """Return for each pair the number of its blocks, and the sums of its shares and their squares."""
    compared = comparisons(results)
    met = compared.entrants(1 + max(*chosen, compared.rows[:, 2:4].max(initial=0)))
    place_of = np.full(met.members, -1)
    place_of[list(chosen)] = np.arange(len(chosen))
    known = (place_of[met.one] >= 0) & (place_of[met.other] >= 0)
    first, other = place_of[met.one[known]], place_of[met.other[known]]
    shares = (met.halves / 2 / met.games)[known]
    sums = np.zeros((3, len(chosen), len(chosen)))
    for here, against, share in ((first, other, shares), (other, first, 1 - shares)):
        for row, part in zip(sums, (np.ones_like(share), share, share**2), strict=True):
            np.add.at(row, (here, against), part)
    return sums[0], sums[1], sums[2]


def _found(beats: Array) -> Iterator[Triple]:
    """Yield the cycles, each told from its best entrant."""
    for first in range(len(beats)):
        for other in np.flatnonzero(beats[first, first + 1 :]) + first + 1:
            for third in np.flatnonzero(beats[other] & beats[:, first]):
                if third > first:
                    yield (first, int(other), int(third))


def _steps(cycle: Triple, wrong: Array) -> float:
    """Return the chance that the weakest step of a cycle is none."""
    first, second, third = cycle
    return float(max(wrong[first, second], wrong[second, third], wrong[third, first]))
