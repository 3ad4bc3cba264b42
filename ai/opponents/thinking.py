"""Thinking with an eye on the clock: a search is gone on with in slices, and between two of them time is looked at.

Rules know no clock (rules/search); this is the one place where a search meets one.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from quadrille.ai.bot import Clock

#: Milliseconds that a slice should take, and so how late an answer can be at most, about.
SLICE: Final = 4.0
#: The part of its budget that is used for thinking; the rest is for all that comes before and after it.
PART: Final = 0.92
#: Without a clock nobody is asked to wait longer than this for a move, in milliseconds.
UNHURRIED: Final = 1500


@dataclass(frozen=True, slots=True)
class Effort:
    """How much a move may cost: so many simulations or positions (None: any number), and until when."""

    most: int | None
    until: float

    def part(self, share: float) -> "Effort":
        """The first part of the same effort."""
        now = time.perf_counter()
        most = None if self.most is None else int(self.most * share)
        return Effort(most, now + (self.until - now) * share)

    def of(self, most: int | None) -> "Effort":
        """So many simulations or positions instead, until the same time."""
        return Effort(most, self.until)

    def spend(self, go_on: Callable[[int], bool], size: int, *, steady: bool = False) -> None:
        """Go on in slices, the first of that size, until there is no more to find, or to spend.

        `steady` slices stay of that size, for a search whose result depends on where it was stopped.
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
    """The next slice after one that took so long: as long as a slice should be, and no longer than what is left."""
    wanted = min(SLICE, max(left, 0.2))
    return max(1, int(size * min(wanted / max(spent, 0.01), 4)))


def effort(most: int | None, clock: Clock) -> Effort:
    """So many simulations or positions; fewer, if it is told so, or if the clock would not wait for them."""
    told = clock.left is not None or clock.work is not None
    budget = clock.budget if told else min(clock.budget, UNHURRIED)
    return Effort(least(most, clock.work), time.perf_counter() + budget * PART / 1000)


def least(one: int | None, other: int | None) -> int | None:
    """Of two counts, of which None is any number."""
    return other if one is None else one if other is None else min(one, other)
