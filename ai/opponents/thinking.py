"""Time control: runs a search in slices, and checks the clock between them.

The rules know no clock (rules/search); this is the only place where a search meets one.
"""

import time
from collections.abc import Callable
from typing import Final

from quadrille.ai.bot import Clock
from quadrille.value import value

#: Target milliseconds of a slice, and so about the maximum delay of an answer.
SLICE: Final = 4.0
#: The share of the budget for thinking; the rest is for the work before and after.
PART: Final = 0.92
#: Maximum simulations or positions that a table without a clock waits for, however slow the machine, so that the same
#: seed gives the same game; levels 1 to 4 need at most 2,000. More may take minutes in plain Python, so advice is kept.
COUNTED: Final = 4000


@value
class Effort:
    """The effort for a move: a number of simulations or positions (None: unlimited), and a deadline."""

    most: int | None
    until: float

    def part(self, share: float) -> "Effort":
        """Return the first part of the same effort."""
        now = time.perf_counter()
        most = None if self.most is None else int(self.most * share)
        return Effort(most, now + (self.until - now) * share)

    def of(self, most: int | None) -> "Effort":
        """Return an effort of that many simulations or positions, until the same deadline."""
        return Effort(most, self.until)

    def spend(self, go_on: Callable[[int], bool], size: int, *, steady: bool = False) -> None:
        """Search in slices, the first of that size, until nothing is left to find or to spend.

        `steady` slices keep that size, for a search whose result depends on where it was stopped.
        """
        left = self.most
        begin = time.perf_counter()
        while (left is None or left > 0) and begin < self.until:
            count = size if left is None else min(size, left)
            if not go_on(count):
                return
            now = time.perf_counter()
            if not steady:
                size = resized(size, 1000 * (now - begin), 1000 * (self.until - now))
            left = None if left is None else left - count
            begin = now


def resized(size: int, spent: float, left: float) -> int:
    """Return the size of the next slice, by the time of the last: near the target, and within the time left."""
    wanted = min(SLICE, max(left, 0.2))
    return max(1, int(size * min(wanted / max(spent, 0.01), 4)))


def effort(most: int | None, clock: Clock) -> Effort:
    """Return the effort of that many simulations or positions; fewer by `Clock.work`, or if the clock requires it."""
    waits = clock.left is None and most is not None and most <= COUNTED
    budget = max(clock.budget, clock.patience) if waits else clock.budget
    return Effort(least(most, clock.work), time.perf_counter() + budget * PART / 1000)


def least(span: int | None, other: int | None) -> int | None:
    """Return the smaller of two counts, where None is unlimited."""
    return other if span is None else span if other is None else min(span, other)
