"""The results of puzzles, and the days in a row on which one was solved. Days come from outside."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Final, TypeAlias

from quadrille.client.value import value

#: The highest number of a hint: it tells the move.
TOLD: Final = 2


@value
class PuzzleResult:
    """A person's result at a puzzle: moves tried, up to the right one, and the highest number of a hint that was told.

    `in_time`: it was begun on its own day when it was solved.
    """

    tries: int = 0
    hint: int = 0
    solved: bool = False
    in_time: bool = False

    def tried(self, *, right: bool, in_time: bool) -> "PuzzleResult":
        """The result after a move; nothing changes once it is solved."""
        if self.solved:
            return self
        return replace(self, tries=self.tries + 1, solved=right, in_time=right and in_time)

    def hinted(self, hint: int) -> "PuzzleResult":
        return self if self.solved else replace(self, hint=max(self.hint, hint))


#: The results by day and game.
PuzzleResults: TypeAlias = Mapping[tuple[date, str], PuzzleResult]


def solved_days(results: PuzzleResults) -> frozenset[date]:
    """The days whose puzzle was solved in time, of whichever game."""
    return frozenset(day for (day, _), result in results.items() if result.solved and result.in_time)


def in_a_row(days: Collection[date], today: date) -> int:
    """The number of solved days in a row up to today; a day that is not over yet ends no row."""
    day = today if today in days else today - timedelta(1)
    count = 0
    while day in days:
        count, day = count + 1, day - timedelta(1)
    return count


def in_month(days: Collection[date], today: date) -> int:
    """The number of solved days of this month, up to today."""
    return sum((day.year, day.month) == (today.year, today.month) and day <= today for day in days)
