"""Spaced repetition by Leitner's boxes (Sebastian Leitner, "So lernt man lernen", 1972). Days come from outside.

A new position is in the first box. Solved at the first try it moves to the next box, where it waits longer. Otherwise
it goes back to the first one.
"""

from collections.abc import Iterable
from typing import Final

from quadrille.client.value import value

#: Days until a position comes back, by its box.
INTERVALS: Final = (1, 3, 7, 14, 30, 90)
BOXES: Final = len(INTERVALS)


@value
class Repetition:
    """The box of a position, from 1, and the day from which it is due."""

    box: int = 1
    due: int = 0

    def is_due(self, today: int) -> bool:
        """Whether it is due. A day that no interval reaches was set by a wrong clock."""
        return self.due <= today or self.due > today + INTERVALS[-1]

    def after(self, today: int, *, right: bool) -> "Repetition":
        """The repetition after an answer."""
        box = min(self.box + 1, BOXES) if right else 1
        return Repetition(box, today + INTERVALS[box - 1])


def next_due(repetitions: Iterable[Repetition], today: int) -> int | None:
    """The first day after today on which something is due; None if nothing waits."""
    return min((one.due for one in repetitions if not one.is_due(today)), default=None)
