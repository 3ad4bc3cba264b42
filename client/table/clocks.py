"""Clocks at a table of one's own: what each seat has left, and whose time runs. A value, which is told what time it is.

The same arithmetic as at a table on the network (net/ruling.py): a seat pays for its own turns, and gets the increment
with each of its moves.
"""

from dataclasses import dataclass, replace
from typing import Self

from quadrille.net.terms import TimeControl


@dataclass(frozen=True, slots=True)
class Clocks:
    """All in milliseconds. `seat` is whose time runs, since `since`; None: nobody's."""

    terms: TimeControl
    left: tuple[int, ...]
    seat: int | None = None
    since: int = 0

    @classmethod
    def full(cls, terms: TimeControl, seats: int) -> Self:
        """Before the first move."""
        return cls(terms, (terms.initial,) * seats)

    def at(self, seat: int, now: int) -> int:
        """What a seat has left."""
        used = now - self.since if seat == self.seat else 0
        return max(0, self.left[seat] - used)

    def runs(self, seat: int | None, now: int) -> Self:
        """The time of that seat runs from now on; whose ran before has paid for it."""
        if self.seat is None:
            return replace(self, seat=seat, since=now)
        return replace(self._with(self.seat, self.at(self.seat, now)), seat=seat, since=now)

    def moved(self, seat: int) -> Self:
        """A seat has moved, and gets its increment."""
        return self._with(seat, self.left[seat] + self.terms.increment)

    def _with(self, seat: int, left: int) -> Self:
        return replace(self, left=(*self.left[:seat], left, *self.left[seat + 1 :]))


def clock_text(ms: int) -> str:
    """Time that is left: `4:05`."""
    seconds = max(0, ms) // 1000
    return f"{seconds // 60}:{seconds % 60:02}"
