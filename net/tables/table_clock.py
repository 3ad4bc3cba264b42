"""The clocks of one table as one peer measures them.

`now` is in milliseconds. Specification: docs/protocols/play.md, "Time".
"""

from typing import Final

from quadrille.net.entries.clocks import Clocks
from quadrille.net.tables.table_context import TableContext

#: Milliseconds of delay that the network explains for a single entry.
LAG: Final = 2000


class TableClock:
    """The time of all seats since the last entry."""

    __slots__ = ("_context", "began")

    def __init__(self, context: TableContext, now: int) -> None:
        self._context = context
        #: When the last entry came.
        self.began = now

    @property
    def clocks(self) -> Clocks | None:
        """The clocks; None without any. This machine measures the clock of the seat to move."""
        standing = self._context.log.now
        if standing.terms.clock is None:
            return None
        turn = None if self._context.stopped or standing.paused else standing.turn
        return Clocks(standing.terms.clock, standing.remaining, turn, self.began)

    @property
    def charges_cards(self) -> bool:
        """Tell whether a seat's clock pays for serving the deck."""
        return self._context.log.now.terms.clock is not None

    def used_for_cards(self, now: int) -> int:
        """The time that a seat states for serving the deck: 0 if the network explains it."""
        runs = self.charges_cards and not self._context.log.now.paused
        return max(0, now - self.began - LAG) if runs else 0
