"""Formats in which everybody meets as planned, whatever the results: round robin and gauntlet.

With two seats the plan is exact. With more, tables are filled so that any two sit together about equally often: a
greedy choice, mended by exchanges. After every round all have played equally often, give or take a game. Pairs have met
equally often, give or take one meeting about the mean, or two in fields that leave little choice, such as 12 at tables
of 6.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import ClassVar, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.schedule import Drawing, Round, Table
from quadrille.rules.chance import Stream

#: From how many shuffles the best tables of a round are taken.
SHUFFLES: Final = 8


class Acquaintance:
    """How often any two have met, and how often each has played."""

    __slots__ = ("met", "played")

    def __init__(self, entrants: int) -> None:
        self.met = [[0] * entrants for _ in range(entrants)]
        self.played = [0] * entrants

    def note(self, table: Table) -> None:
        """They have sat together."""
        for entrant in table:
            self.played[entrant] += 1
            for other in table:
                self.met[entrant][other] += entrant != other

    def among(self, table: Sequence[int]) -> int:
        """How often any two have met, in squares: one meeting too many weighs more than one too few."""
        return sum(self.met[one][other] ** 2 for one, other in combinations(table, 2))

    def tables(self, members: Sequence[int], size: int, stream: Stream) -> tuple[Table, ...]:
        """As many tables as the members fill: of those who have played least, and have met each other least."""
        best: list[list[int]] = []
        for _ in range(SHUFFLES):
            order = list(members)
            stream.shuffle(order)
            order.sort(key=self.played.__getitem__)
            tables = self._greedy(order[: len(order) // size * size], size)
            while self._mend(tables):
                pass
            if not best or sum(map(self.among, tables)) < sum(map(self.among, best)):
                best = tables
        return tuple(tuple(sorted(table)) for table in best)

    def _greedy(self, order: list[int], size: int) -> list[list[int]]:
        """Who has waited longest takes a place, and then whoever has met least of those who sit there."""
        tables = []
        while order:
            table = [order.pop(0)]
            while len(table) < size:
                fresh = min(order, key=lambda entrant: self._with(entrant, table))
                order.remove(fresh)
                table.append(fresh)
            tables.append(table)
        return tables

    def _mend(self, tables: list[list[int]]) -> bool:
        """Let two change places wherever that brings together those who have met less; whether anybody did."""
        mended = False
        for one, other in combinations(tables, 2):
            for here in range(len(one)):
                for there in range(len(other)):
                    left, right = one[here], other[there]
                    before = self._with(left, one) + self._with(right, other)
                    after = self._with(right, one) + self._with(left, other) - 2 * self.met[left][right] ** 2
                    if after < before:
                        one[here], other[there] = right, left
                        mended = True
        return mended

    def _with(self, entrant: int, table: Sequence[int]) -> int:
        return sum(self.met[entrant][other] ** 2 for other in table)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Any two meet once in a cycle, at one start for all; with more than two seats about once, at a start a round."""

    cycles: int = 1
    behind: ClassVar[None] = None

    def check(self, entrants: int, seats: int) -> None:
        """A cycle at least."""
        check_count("round robin", "cycles", self.cycles)

    def tables(self, entrants: int, seats: int) -> int:
        """All of them."""
        if seats == 2:
            return self.cycles * comb(entrants, 2)
        return self._rounds(entrants, seats) * (entrants // seats)

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """Round by round; who has no table sits out."""
        stream = Stream(seed, "round robin")
        if entrants == 2:
            yield Round(range(self.cycles), ((0, 1),))  # one round, however long a match is
        elif seats == 2:
            for cycle in range(self.cycles):
                for pairs in all_pairs(entrants, stream):
                    yield Round(range(cycle, cycle + 1), pairs)
        else:
            acquaintance = Acquaintance(entrants)
            for number in range(self._rounds(entrants, seats)):
                tables = acquaintance.tables(range(entrants), seats, stream)
                for table in tables:
                    acquaintance.note(table)
                yield Round(range(number, number + 1), tables)
        return None

    def _rounds(self, entrants: int, seats: int) -> int:
        """As many as it takes that any two have met as often as there are cycles, on average at least."""
        return -(-self.cycles * comb(entrants, 2) // (comb(seats, 2) * (entrants // seats)))


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """The first `seeds` entrants meet all others once in a cycle, and not each other.

    With more than two seats a table is one of them and challengers who have met each other least; where challengers
    don't come out even with tables, a cycle leaves some of them out, each in turn.
    """

    seeds: int = 1
    cycles: int = 1
    behind: ClassVar[None] = None

    def check(self, entrants: int, seats: int) -> None:
        """There have to be challengers for a table."""
        check_count("gauntlet", "cycles", self.cycles)
        check_count("gauntlet", "seeds", self.seeds)
        if entrants - self.seeds < seats - 1:
            raise TournamentError(
                f"a gauntlet of {self.seeds} seeds for {seats} seats needs {self.seeds + seats - 1} entrants or more: "
                f"there are {entrants}"
            )

    def tables(self, entrants: int, seats: int) -> int:
        """All of them."""
        return self.cycles * self.seeds * ((entrants - self.seeds) // (seats - 1))

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """A round is a seed against all challengers; in a cycle all have the same start."""
        stream = Stream(seed, "gauntlet")
        challengers = range(self.seeds, entrants)
        before = [Acquaintance(entrants) for _ in range(self.seeds)]
        for cycle in range(self.cycles):
            for champion, acquaintance in enumerate(before):
                groups = acquaintance.tables(challengers, seats - 1, stream)
                for group in groups:
                    acquaintance.note(group)
                yield Round(range(cycle, cycle + 1), tuple((champion, *group) for group in groups))
        return None


def all_pairs(entrants: int, stream: Stream) -> Iterator[tuple[Table, ...]]:
    """All pairs once, in rounds in which nobody has two games: one stays in its place, the others walk around it."""
    circle: list[int | None] = list(range(entrants))
    stream.shuffle(circle)
    if entrants % 2:
        circle.append(None)
    half = len(circle) // 2
    for _ in range(len(circle) - 1):
        facing = zip(circle[:half], reversed(circle[half:]), strict=True)
        yield tuple(
            (min(one, other), max(one, other)) for one, other in facing if one is not None and other is not None
        )
        circle.insert(1, circle.pop())


def check_count(format: str, what: str, count: int) -> None:
    """Refuse fewer than one of something."""
    if count < 1:
        raise TournamentError(f"a {format} needs 1 of {what} or more, not {count}")
