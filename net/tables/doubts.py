"""Doubts about the time that seats state: the sum of what their peers measured beyond it.

A move states the time that its seat used, and nobody else can know it. One move says little, because the network
takes time too; the sum over a game says more. Specification: docs/protocols/play.md.
"""

from typing import Final

#: Milliseconds of delay that the network explains for a single entry.
LAG: Final = 2000
#: Milliseconds per move that an ordinary network takes; no sum counts them.
USUAL: Final = 300


class Doubts:
    """The sums of one table, as this peer has measured them."""

    __slots__ = ("totals",)

    def __init__(self) -> None:
        self.totals: dict[int, int] = {}

    def add(self, seat: int, said: int, measured: int) -> bool:
        """Add the unexplained part of one entry; True if a person should hear of it now."""
        missing = max(0, measured - said - USUAL)
        before = self.totals.get(seat, 0)
        self.totals[seat] = before + missing
        return missing > LAG or (before + missing) // LAG > before // LAG
