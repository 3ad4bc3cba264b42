"""The ladder: endless, with games where the ranking is least certain.

Which of two is better matters little if they are nearly equal, and is no question if one is far ahead. So the value
of a game is the expected loss of ranking two entrants as they stand: the mean of how much stronger the lower one may
be. It is large if the error is large, and the difference is small against it.

`RunningRating` is the number to show beside names while games come in. Unlike the ratings of ratings.py it depends on
the order of games, and must be marked as provisional.
"""

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from quadrille.ai.missing import missing
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.meetings import check_count
from quadrille.ai.tournament.schedules.schedule import Drawing, Points, Round, Table
from quadrille.rules.chance import Stream

if TYPE_CHECKING:
    from quadrille.ai.tournament.schedules.certainty import Certainty


@dataclass(frozen=True, slots=True)
class Ladder:
    """Rounds of `at_once` different tables, endless or a fixed number. A round is drawn while the one before it is
    still being played, so that nobody waits; it uses that one's games, but not their results.
    """

    at_once: int = 8
    rounds: int | None = None
    behind: ClassVar[int] = 1
    needs_all: ClassVar[bool] = False

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
        from quadrille.ai.tournament.schedules.certainty import (
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


class RunningRating:
    """The running rating of openskill (Bradley-Terry, full pairing), game after game: provisional."""

    def __init__(self, entrants: int) -> None:
        try:
            from openskill.models import BradleyTerryFull
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] != "openskill":
                raise
            raise missing("openskill", "openskill") from None
        self._model: Any = BradleyTerryFull()
        self._ratings: list[Any] = [self._model.rating() for _ in range(entrants)]

    def take(self, result: Result) -> None:
        """Add a game, in schedule order for reproducible ratings; a void one does not count."""
        if not result.void:
            teams = [[self._ratings[entrant]] for entrant in result.seats]
            rated = self._model.rate(teams, ranks=list(result.places))
            for entrant, [rating] in zip(result.seats, rated, strict=True):
                self._ratings[entrant] = rating

    def shown(self) -> list[tuple[float, float]]:
        """The mean and uncertainty of each entrant, on openskill's scale: initially 25."""
        return [(rating.mu, rating.sigma) for rating in self._ratings]
