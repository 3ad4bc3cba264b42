"""Clocks: the time that each seat has left, and whose clock runs. All arithmetic of clocks is here.

Used by local tables (client/table/), games between programs (ai/bots/local.py) and logs (log.py, table.py).
Reads no clock: `now` is an argument. Specification: docs/protocols/bots.md, and docs/protocols/play.md, "Time".
"""

from dataclasses import replace
from typing import Self

from quadrille.net.entries.terms import TimeControl
from quadrille.value import value


@value
class Clocks:
    """The time of each seat, in milliseconds. The clock of `seat` has run since `since`; None: no clock runs."""

    terms: TimeControl
    left: tuple[int, ...]
    seat: int | None = None
    since: int = 0

    @classmethod
    def full(cls, terms: TimeControl, seats: int) -> Self:
        return cls(terms, (terms.initial,) * seats)

    def at(self, seat: int, now: int) -> int:
        """Return the time that a seat has left; negative once its time is up."""
        return self.left[seat] - (max(0, now - self.since) if seat == self.seat else 0)

    def runs(self, seat: int | None, now: int) -> Self:
        """Start the clock of that seat. The seat whose clock ran before pays for its time."""
        paid = self if self.seat is None else self.paid(self.seat, now - self.since)
        return replace(paid, seat=seat, since=now)

    def paid(self, seat: int, used: int) -> Self:
        """Take the used time off a seat's clock, or all that it had."""
        return self._with(seat, max(0, self.left[seat] - used))

    def moved(self, seat: int, used: int = 0) -> Self:
        """Take the time that a move `used` off the seat's clock, and add the increment."""
        return self._with(seat, max(0, self.left[seat] - used) + self.terms.increment)

    def renewed(self, seat: int) -> Self:
        """Give a seat the initial time once more, after the last move of a period."""
        return self._with(seat, self.left[seat] + self.terms.initial)

    def _with(self, seat: int, left: int) -> Self:
        row = (*self.left[:seat], left, *self.left[seat + 1 :])
        return type(self)(self.terms, row, self.seat, self.since)  # `replace` takes six times as long
