"""The ladder: endless, with games where the ranking is least certain.

Which of two is better matters little if they are nearly equal, and is no question if one is far ahead. So the value
of a game is the expected loss of ranking two entrants as they stand: the mean of how much stronger the lower one may
be. It is large if the error is large, and the difference is small against it.
"""

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, ClassVar

from quadrille.ai.tournament.schedules.meetings import check_count
from quadrille.ai.tournament.schedules.schedule import Drawing, Format, Points, Round, Table
from quadrille.rules.chance import Stream

if TYPE_CHECKING:
    from quadrille.extras.league.formats.certainty import Certainty


@dataclass(frozen=True, slots=True)
class Ladder(Format):
    """Rounds of `at_once` different tables, endless or a fixed number. A round is drawn while the one before it is
    still being played, so that nobody waits; it uses that one's games, but not their results.
    """

    at_once: int = 8
    rounds: int | None = None
    behind: ClassVar[int] = 1
    grows: ClassVar[str] = "rounds"

    def check(self, entrants: int, seats: int) -> None:
        """Require at least one table."""
        check_count("ladder", "at_once", self.at_once)
        if self.rounds is not None:
            check_count("ladder", "rounds", self.rounds)

    def tables(self, entrants: int, seats: int) -> int | None:
        """All tables, if it ends."""
        return None if self.rounds is None else self.rounds * min(self.at_once, comb(entrants, seats))

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """Each round has a start of its own."""
        from quadrille.extras.league.formats.certainty import (
            Certainty,  # imported here, because numpy takes long, and to refuse a missing one at once
        )

        return self._rounds(Certainty(entrants, seats), entrants, seats, Stream(seed, "ladder"))

    def _rounds(self, certainty: "Certainty", entrants: int, seats: int, stream: Stream) -> Drawing:
        playing: list[tuple[Table, ...]] = []
        number = 0
        while self.rounds is None or number < self.rounds:
            tables = self._round(certainty, entrants, seats, stream)
            playing.append(tables)
            points: Points = yield Round(range(number, number + 1), tables)
            if points:
                certainty.enter(playing.pop(0), points)
            number += 1
        return None

    def _round(self, certainty: "Certainty", entrants: int, seats: int, stream: Stream) -> tuple[Table, ...]:
        """The tables with the most gain, one after another: each is planned before the next is chosen."""
        tables: list[Table] = []
        lots = list(range(entrants))
        for _ in range(min(self.at_once, comb(entrants, seats))):
            stream.shuffle(lots)
            table = next(table for table in certainty.promising(lots) if table not in tables)
            certainty.plan(table)
            tables.append(table)
        return tuple(tables)
