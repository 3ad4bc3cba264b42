"""The time limits of bots in a game, as one value for every table. See net/entries/clocks.py for clocks."""

from typing import Final

from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.value import value

#: Timeout for a move without a clock, in milliseconds.
PATIENCE: Final = 60_000


@value
class TimeTerms:
    """Times in milliseconds. Without a `clock` each move may take `patience`. With a clock, a seat gets its initial
    time again after every `period` of its moves, and `free` milliseconds of each move cost nothing. A move is late
    once `margin` has passed as well. `budget` is the advised time for a move, and `work` its amount of thinking.
    """

    clock: TimeControl | None = None
    patience: int = PATIENCE
    budget: int | None = None
    period: int = 0
    free: int = 0
    margin: int = 0
    work: int | None = None

    def clocks(self, seats: int) -> Clocks | None:
        return Clocks.full(self.clock, seats) if self.clock else None

    def after(self, clocks: Clocks, seat: int, used: float, moves: int) -> Clocks:
        """Return the clocks after a move of a seat that has made that many `moves`."""
        after = clocks.moved(seat, max(round(used) - self.free, 0))
        return after.renewed(seat) if self.period and moves % self.period == 0 else after


USUAL_TERMS: Final = TimeTerms()
#: Without a clock at a person's own table: a move may take a day, because waiting costs nothing there.
AT_HOME: Final = TimeTerms(patience=86_400_000, budget=1500)
#: Milliseconds between two reports to that person that a bot still thinks.
LONG: Final = 15_000
