"""The durations of moves in compact form: a histogram of times, in steps of an eighth.

It gives the median and the 99th percentile for any number of games. The longest move is stored exactly.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log2
from typing import Final, TypeAlias

#: A histogram: (step of time, number of moves).
Pace: TypeAlias = tuple[tuple[int, int], ...]
#: Steps in which a time doubles, from a microsecond on.
STEPS: Final = 6


def pace(milliseconds: Iterable[float]) -> Pace:
    """Make the histogram of some moves."""
    counts = Counter(round(STEPS * log2(max(1000 * time, 1))) for time in milliseconds)
    return tuple(sorted(counts.items()))


class MoveTimes:
    """All recorded moves of an entrant."""

    __slots__ = ("count", "longest", "total", "_steps")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.longest = 0.0
        self._steps: Counter[int] = Counter()

    def take(self, count: int, total: float, longest: float, steps: Sequence[Sequence[int]]) -> None:
        """Add the moves of a game, with times in seconds."""
        self.count += count
        self.total += total
        self.longest = max(self.longest, longest)
        for step, times in steps:
            self._steps[step] += times

    def within(self, share: float) -> float | None:
        """Return the time within which that share of all moves was made, in seconds; None if there is none."""
        left = share * self._steps.total()
        for step in sorted(self._steps):
            left -= self._steps[step]
            if left <= 0:
                return float(min(2 ** (step / STEPS) / 1e6, self.longest or 1e9))
        return None
