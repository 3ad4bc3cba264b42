"""Knockout: the better half of each table goes on, until one entrant is left.

The entrants' order is the seeding: the first meets the last, again in each round among the remaining. If a field
doesn't fill the tables, the first seeds rest in the first round.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import ClassVar

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.schedule import Drawing, Format, Round, Table


class Series:
    """The points of a table so far, and how many of its entrants are eliminated."""

    __slots__ = ("home", "won")

    def __init__(self, table: Table, home: int) -> None:
        self.won = dict.fromkeys(table, 0)
        self.home = home

    @property
    def tied(self) -> bool:
        """Return whether the entrants on both sides of the cut have equal points."""
        order = sorted(self.won.values())
        return order[self.home - 1] == order[self.home]

    def out(self) -> list[int]:
        """Return all but the best, and but the better seeds of equals."""
        return sorted(self.won, key=lambda entrant: (-self.won[entrant], entrant))[-self.home :]

    def place(self, entrant: int) -> int:
        """Count the entrants of the table with more points."""
        return sum(won > self.won[entrant] for won in self.won.values())


@dataclass(frozen=True, slots=True)
class Knockout(Format):
    """A series is `starts` blocks, and another one while the cut is tied, at most `extra` more: then the better seeds
    go on.
    """

    starts: int = 2
    extra: int = field(default=8, metadata={"least": 0})
    behind: ClassVar[int] = 0
    needs_all: ClassVar[bool] = True
    places_by: ClassVar[str] = "the round that an entrant reached"

    def tables(self, entrants: int, seats: int) -> None:
        """Return None: the number of tied series is unknown."""

    def final(self, results: Iterable[Result]) -> Mapping[int, float]:
        points = bracket(results)[-1][1]
        return {entrant: halves / 2 for entrant, halves in points.most_common()}

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """Draw all series of a round with the same starts. Rank by the round reached, then by place at the table."""
        left = list(range(entrants))
        ranking: list[tuple[int, ...]] = []
        start = 0
        while len(left) > 1:
            home = sent_home(len(left), seats)
            tables = facing(left[len(left) - seats * len(home) :], seats)
            round_ = [Series(table, count) for table, count in zip(tables, home, strict=True)]
            playing, starts = round_, range(start, start + self.starts)
            last = starts.stop + self.extra
            while playing:
                points = yield Round(starts, tuple(tuple(series.won) for series in playing))
                for series, row in zip(playing, points, strict=True):
                    for entrant, won in zip(series.won, row, strict=True):
                        series.won[entrant] += won
                start = starts.stop
                starts = range(start, start + 1)
                playing = [series for series in playing if series.tied and start < last]
            left = sorted({*left} - {entrant for series in round_ for entrant in series.out()})
            ranking = [*_ranked(round_), *ranking]
        return ((left[0],), *ranking)


def _ranked(round_: Sequence[Series]) -> list[tuple[int, ...]]:
    """Group the eliminated entrants by their places at their tables."""
    places: dict[int, list[int]] = defaultdict(list)
    for series in round_:
        for entrant in series.out():
            places[series.place(entrant)].append(entrant)
    return [tuple(sorted(places[place])) for place in sorted(places)]


def bracket(results: Iterable[Result]) -> list[tuple[int, Counter[int]]]:
    """Return the series that were begun, in their order: the round of each, and the half points of its entrants.

    The same entrants meet in no other round, so the results alone tell, also in the middle of a series.
    """
    pairs: dict[frozenset[int], tuple[int, Counter[int]]] = {}
    reached = Counter[int]()
    for result in sorted(results, key=attrgetter("block")):
        table = frozenset(result.seats)
        if table not in pairs:
            pairs[table] = max(reached[entrant] for entrant in table) + 1, Counter()
            reached |= dict.fromkeys(table, pairs[table][0])
        pairs[table][1].update(dict(zip(result.seats, result.halves, strict=True)))
    return sorted(pairs.values(), key=itemgetter(0))


def sent_home(left: int, seats: int) -> list[int]:
    """Count those eliminated from each table of the next round: half of them, once a round fills all tables.

    The first round is to leave a number that fills tables whose better halves fill tables, and so on.
    """
    if left == seats:
        return [seats - 1]
    half = seats // 2
    even = seats
    while even * seats // half < left:
        even = even * seats // half
    tables = min(-(-(left - even) // (seats - half)), left // seats)
    home = min(left - even, tables * (seats - 1))
    return [home // tables + (table < home % tables) for table in range(tables)]


def facing(seeds: Sequence[int], seats: int) -> list[Table]:
    """Lay out tables of about the same strength: there and back along the row of seeds."""
    count = len(seeds) // seats
    rows = [seeds[first : first + count] for first in range(0, len(seeds), count)]
    turned = [row if number % 2 == 0 else row[::-1] for number, row in enumerate(rows)]
    return list(zip(*turned, strict=True))
