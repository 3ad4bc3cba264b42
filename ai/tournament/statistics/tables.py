"""The tables of a report besides ratings: cross-table, seats, standing, duplicates, time, faults.

Computed from results alone, in any order; void ones count nowhere. A game's point is shared among the opponents one
could beat: with n seats each opponent behind is worth 1 / (n - 1), and half of that if the place is shared.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from quadrille.ai.tournament.results import Fault, Result


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """An entrant's record against another: number of games ahead, level and behind."""

    ahead: int = 0
    level: int = 0
    behind: int = 0

    @property
    def games(self) -> int:
        """Number of games in which they met."""
        return self.ahead + self.level + self.behind

    @property
    def score(self) -> float | None:
        """The entrant's share; None if they have not met."""
        return (self.ahead + self.level / 2) / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """An entrant in the standing. The rank, shared by equals, is by points per game: not all play the same number.
    `places` counts games by place from the first on; a shared place is the best of those shared.
    """

    rank: int
    entrant: int
    games: int
    points: Fraction
    places: tuple[int, ...]

    @property
    def score(self) -> float | None:
        """Points per game."""
        return float(self.points / self.games) if self.games else None


@dataclass(frozen=True, slots=True)
class SeatLine:
    """The record of a seat."""

    contest: int
    seats: int
    seat: int
    games: int
    points: Fraction
    places: tuple[int, ...]

    @property
    def score(self) -> float:
        """Points per game."""
        return float(self.points / self.games)


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Games that repeat another, move by move, with the same entrants in the same seats: they add no information.

    `groups` are the ids of equal games.
    """

    games: int
    groups: tuple[tuple[str, ...], ...]

    @property
    def effective(self) -> int:
        """Number of different games."""
        return self.games - sum(len(group) - 1 for group in self.groups)

    @property
    def share(self) -> float:
        """The redundant share; a run warns above 0.05."""
        return 1 - self.effective / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class TimeLine:
    """An entrant's seconds: in all, and in its longest game."""

    games: int
    total: float
    most: float

    @property
    def mean(self) -> float:
        """Seconds per game."""
        return self.total / self.games if self.games else 0.0


def played(results: Iterable[Result]) -> list[Result]:
    """The results that count, in one order."""
    return sorted((result for result in results if not result.void), key=lambda result: (result.block, result.game))


def cross_table(results: Iterable[Result], entrants: int) -> tuple[tuple[HeadToHead, ...], ...]:
    """A row for each entrant, a column for each opponent."""
    counts = [[[0, 0, 0] for _ in range(entrants)] for _ in range(entrants)]
    for result in played(results):
        for entrant, place in zip(result.seats, result.places, strict=True):
            for other, theirs in zip(result.seats, result.places, strict=True):
                if entrant != other:
                    counts[entrant][other][(place >= theirs) + (place > theirs)] += 1
    return tuple(tuple(HeadToHead(*count) for count in row) for row in counts)


def standing(results: Iterable[Result], entrants: int) -> tuple[EntrantLine, ...]:
    """All entrants, best first; those without a game come last."""
    won: list[Counter[int]] = [Counter() for _ in range(entrants)]  # half points, by the number of seats
    places: list[Counter[int]] = [Counter() for _ in range(entrants)]
    for result in played(results):
        for entrant, halves, place in zip(result.seats, result.halves, _places(result), strict=True):
            won[entrant][len(result.seats)] += halves
            places[entrant][place] += 1
    points = [sum((Fraction(row[seats], 2 * (seats - 1)) for seats in row), Fraction(0)) for row in won]
    games = [row.total() for row in places]
    rates = [points[entrant] / games[entrant] if games[entrant] else Fraction(-1) for entrant in range(entrants)]
    last = max((place for row in places for place in row), default=-1) + 1
    return tuple(
        EntrantLine(
            rank=1 + sum(rate > rates[entrant] for rate in rates),
            entrant=entrant,
            games=games[entrant],
            points=points[entrant],
            places=tuple(places[entrant][place] for place in range(last)),
        )
        for entrant in sorted(range(entrants), key=lambda entrant: (-rates[entrant], entrant))
    )


def seat_table(results: Iterable[Result]) -> tuple[SeatLine, ...]:
    """A line for each seat of each contest."""
    won: Counter[tuple[int, int, int]] = Counter()
    places: dict[tuple[int, int, int], Counter[int]] = defaultdict(Counter)
    for result in played(results):
        count = len(result.seats)
        for seat, (halves, place) in enumerate(zip(result.halves, _places(result), strict=True)):
            won[result.contest, count, seat] += halves
            places[result.contest, count, seat][place] += 1
    return tuple(
        SeatLine(
            *key,
            places[key].total(),
            Fraction(won[key], 2 * (key[1] - 1)),
            tuple(places[key][place] for place in range(key[1])),
        )
        for key in sorted(places)
    )


def duplicates(results: Iterable[Result]) -> Duplicates:
    """Games with equal hashes of moves; those without a hash are all different."""
    rows = played(results)
    same: dict[tuple[int, tuple[int, ...], str], list[str]] = defaultdict(list)
    for result in rows:
        if result.moves:
            same[result.contest, result.seats, result.moves].append(result.game)
    return Duplicates(len(rows), tuple(tuple(group) for group in same.values() if len(group) > 1))


def time_used(results: Iterable[Result], entrants: int) -> tuple[TimeLine, ...]:
    """A line for each entrant, of the games with known times."""
    times: list[list[float]] = [[] for _ in range(entrants)]
    for result in played(results):
        if result.times:
            for entrant, seconds in zip(result.seats, result.times, strict=True):
                times[entrant].append(seconds)
    return tuple(TimeLine(len(row), sum(row), max(row, default=0.0)) for row in times)


def faults(results: Iterable[Result], entrants: int) -> tuple[dict[Fault, tuple[str, ...]], ...]:
    """For each entrant the games that it lost by a fault, by kind."""
    found: list[dict[Fault, list[str]]] = [defaultdict(list) for _ in range(entrants)]
    for result in played(results):
        for entrant, fault in zip(result.seats, result.faults, strict=False):
            if fault is not None:
                found[entrant][fault].append(result.game)
    return tuple({fault: tuple(games) for fault, games in sorted(row.items())} for row in found)


def _places(result: Result) -> list[int]:
    """Places counted from 0; a shared one is the best of those shared."""
    return [sum(other < place for other in result.places) for place in result.places]
