"""How far a seat's word about its time may be believed: what its peers measured beyond what it stated, added up.

A move states the time that its seat used, and nobody else can know it. One move says little, since the network takes
time too; a sum over the game says more. Specification: protocols.md, "Play".
"""

from typing import Final

#: Milliseconds by which a single entry may be late for no reason but the network.
LAG: Final = 2000
#: Milliseconds a move that an ordinary network takes, and that no sum counts.
USUAL: Final = 300


class Doubts:
    """The sums of one table, as this peer has measured them."""

    __slots__ = ("totals",)

    def __init__(self) -> None:
        self.totals: dict[int, int] = {}

    def add(self, seat: int, said: int, measured: int) -> bool:
        """Add what one entry leaves unexplained; whether a person should hear of it now."""
        missing = max(0, measured - said - USUAL)
        before = self.totals.get(seat, 0)
        self.totals[seat] = before + missing
        return missing > LAG or (before + missing) // LAG > before // LAG
