"""The tables of a report besides ratings: each entrant's figures, cross-table, seats, games that are the same.

Computed from the results that count (counting.py) alone. A game's point is shared among the opponents one could beat:
with n seats each opponent behind is worth 1 / (n - 1), and half of that if the place is shared.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from math import sqrt

from quadrille.ai.tournament.results import Fault, Result, half_points
from quadrille.ai.tournament.statistics import FEW_BLOCKS
from quadrille.value import value


@dataclass(slots=True)
class Tally:
    """An entrant's figures in the games that count. `places` counts games by place from 0 on; a shared place is the
    best of those shared. `faults` are the games that it lost so, by kind.
    """

    games: int = 0
    halves: int = 0  # half points
    most: int = 0  # maximum half points of those games
    places: Counter[int] = field(default_factory=Counter)
    faults: dict[Fault, list[str]] = field(default_factory=dict)
    timed: int = 0  # games with known times
    seconds: float = 0.0
    longest: float = 0.0
    blocks: int = 0
    scored: float = 0.0  # scores of blocks, and their squares
    squares: float = 0.0

    def take(self, entrant: int, block: Sequence[Result]) -> None:
        """Count the games of a block."""
        taken = most = 0
        for game in block:
            seat = game.seats.index(entrant)
            place, halves = _placed(game.places)[seat]
            self.places[place] += 1
            taken += halves
            most += 2 * (len(game.seats) - 1)
            if game.times:
                self.timed += 1
                self.seconds += game.times[seat]
                self.longest = max(self.longest, game.times[seat])
            if game.faults and (fault := game.faults[seat]) is not None:
                self.faults.setdefault(fault, []).append(game.game)
        self.games += len(block)
        self.halves += taken
        self.most += most
        self.blocks += 1
        self.scored += taken / most
        self.squares += (taken / most) ** 2

    @property
    def score(self) -> float | None:
        """The share of the maximum."""
        return self.halves / self.most if self.most else None

    @property
    def error(self) -> float | None:
        """The standard error of the score, from the scatter of blocks; None if there are too few."""
        if self.blocks < 2:
            return None
        return sqrt(max(0.0, self.squares - self.scored**2 / self.blocks)) / self.blocks

    @property
    def by_place(self) -> tuple[int, ...]:
        """The number of games for each place down to the worst."""
        return tuple(self.places[place] for place in range(max(self.places, default=-1) + 1))

    @property
    def mean_time(self) -> float:
        """Seconds a game."""
        return self.seconds / self.timed if self.timed else 0.0


@value
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


@value
class SeatLine:
    """The record of a seat."""

    contest: int
    seats: int
    seat: int
    games: int
    score: float
    places: tuple[int, ...]


@value
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


def by_points(tallies: Sequence[Tally]) -> tuple[tuple[int, ...], ...]:
    """Return groups of equals, best first by points a game; those with too few blocks come below all with enough."""
    rates = [(tally.blocks >= FEW_BLOCKS, -1 if tally.score is None else tally.score) for tally in tallies]
    order = sorted(range(len(tallies)), key=rates.__getitem__, reverse=True)  # equals stay in the order of entrants
    return tuple(tuple(group) for _, group in groupby(order, key=rates.__getitem__))


def cross_table(results: Iterable[Result], entrants: int) -> tuple[tuple[HeadToHead, ...], ...]:
    """Return a row for each entrant, with a column for each opponent."""
    counts = [[[0, 0, 0] for _ in range(entrants)] for _ in range(entrants)]
    for (seats, places), games in Counter((result.seats, result.places) for result in results).items():
        for entrant, place in zip(seats, places, strict=True):
            for other, theirs in zip(seats, places, strict=True):
                if entrant != other:
                    counts[entrant][other][(place >= theirs) + (place > theirs)] += games
    return tuple(tuple(HeadToHead(*count) for count in row) for row in counts)


def seat_table(results: Iterable[Result]) -> tuple[SeatLine, ...]:
    """Return a line for each seat of each contest."""
    counts: dict[tuple[int, int, int], Counter[int]] = defaultdict(Counter)
    halves: Counter[tuple[int, int, int]] = Counter()
    for (contest, places), games in Counter((result.contest, result.places) for result in results).items():
        for seat, (place, taken) in enumerate(_placed(places)):
            key = contest, len(places), seat
            counts[key][place] += games
            halves[key] += games * taken
    return tuple(
        SeatLine(
            *key,
            games := counts[key].total(),
            halves[key] / (2 * games * (key[1] - 1)),
            tuple(counts[key][place] for place in range(key[1])),
        )
        for key in sorted(counts)
    )


def duplicates(results: Sequence[Result]) -> Duplicates:
    """Find games with equal hashes of moves; those without a hash are all different."""
    same: dict[tuple[int, tuple[int, ...], str], list[str]] = defaultdict(list)
    for result in results:
        if result.moves:
            same[result.contest, result.seats, result.moves].append(result.game)
    return Duplicates(len(results), tuple(tuple(group) for group in same.values() if len(group) > 1))


@lru_cache(maxsize=1 << 12)
def _placed(places: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return by seat the place from 0 on, where a shared one is the best of those shared, and the half points."""
    return tuple(
        (sum(other < place for other in places), halves)
        for place, halves in zip(places, half_points(places), strict=True)
    )
