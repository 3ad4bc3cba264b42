"""A round robin or gauntlet that got more entrants after games of it were played.

Its first rounds are those of before, game by game. Then each newcomer in turn meets those before it as often as they
were to meet each other. With two seats that is exactly the rest of the longer tournament. At larger tables it is a
gauntlet of the newcomer: it meets everybody about equally often, and the others sit with it and with each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TypeAlias

from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin, rounds_without_end
from quadrille.ai.tournament.schedules.schedule import Drawing, Format, Round
from quadrille.rules.chance import Stream

#: The numbers of entrants and of cycles from some time on.
Stage: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Grown(Format):
    """A format with all stages of its growth; the last one is its present size."""

    shape: RoundRobin | Gauntlet
    stages: tuple[Stage, ...]

    def check(self, entrants: int, seats: int) -> None:
        """Require that each stage is possible."""
        for there, cycles in self.stages:
            replace(self.shape, cycles=cycles).check(there, seats)

    def tables(self, entrants: int, seats: int) -> int:
        """All tables of all stages."""
        found = 0
        for (there, done), (now, cycles) in self._steps():
            if not there:
                found += replace(self.shape, cycles=cycles).tables(now, seats)
                continue
            for newcomer in range(there, now):
                if isinstance(self.shape, Gauntlet):
                    found += done * self.shape.seeds
                else:
                    found += _rounds(done, newcomer, seats) * (newcomer // (seats - 1))
            if cycles > done:
                found += replace(self.shape, cycles=cycles - done).tables(now, seats)
        return found

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """Stage by stage. A table of more than two has a start that no earlier round had."""
        start = 0
        for number, ((there, done), (now, cycles)) in enumerate(self._steps()):
            of_stage = seed if not number else f"{seed} {number}"
            for newcomer in range(there, now) if there else ():
                stream = Stream(of_stage, f"newcomer {newcomer}")
                for drawn in self._newcomer(newcomer, done, seats, stream, start):
                    start = max(start, drawn.starts.stop)
                    yield drawn
            if cycles > done:
                shape = replace(self.shape, cycles=cycles - done)
                first = done if seats == 2 or isinstance(shape, Gauntlet) else start
                for drawn in _drawn(shape, now, seats, of_stage):
                    starts = range(drawn.starts.start + first, drawn.starts.stop + first)
                    start = max(start, starts.stop)
                    yield Round(starts, drawn.tables)
        return None

    def _steps(self) -> Iterator[tuple[Stage, Stage]]:
        """Each stage with the one before it; before the first there is nothing."""
        return zip(((0, 0), *self.stages[:-1]), self.stages, strict=True)

    def _newcomer(self, newcomer: int, cycles: int, seats: int, stream: Stream, start: int) -> Iterator[Round]:
        """The rounds in which a newcomer meets those before it."""
        if isinstance(self.shape, Gauntlet):
            seeds = self.shape.seeds
            company = _company(newcomer - seeds, seats - 2, stream)
            for cycle in range(cycles):
                for champion in range(seeds):
                    others = (seeds + other for other in next(company))
                    yield Round(range(cycle, cycle + 1), ((champion, *others, newcomer),))
            return
        groups = rounds_without_end(newcomer, seats - 1, stream)
        for number, tables in enumerate(islice(groups, _rounds(cycles, newcomer, seats))):
            first = number if seats == 2 else start + number
            yield Round(range(first, first + 1), tuple((*group, newcomer) for group in tables))


def _rounds(cycles: int, others: int, seats: int) -> int:
    """Number of rounds until a newcomer has met so many others once for each cycle, at least on average."""
    return -(-cycles * others // ((seats - 1) * (others // (seats - 1))))


def _company(challengers: int, size: int, stream: Stream) -> Iterator[tuple[int, ...]]:
    """Groups of challengers that fill a newcomer's tables, endlessly."""
    if not size:
        while True:
            yield ()
    yield from chain.from_iterable(rounds_without_end(challengers, size, stream))


def _drawn(shape: RoundRobin | Gauntlet, entrants: int, seats: int, seed: str) -> Iterator[Round]:
    """The rounds of a format that needs no results."""
    drawing = shape.draw(entrants, seats, seed)
    yield from iter(drawing)
