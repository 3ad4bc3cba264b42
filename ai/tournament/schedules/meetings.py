"""Formats whose meetings do not depend on results: round robin and gauntlet.

With two seats the plan is exact. With more, tables are filled so that any two sit together about equally often: a
greedy choice, mended by exchanges. After every round all have played equally often, give or take a game. At the end
of each cycle pairs have met equally often, give or take one meeting: the most and the least are two apart. In
between, at tables of 5 or 6 and in some small fields, they may be three apart.

Two tables of 5 or 6 leave too little choice: with 10 to 14 entrants they are often three apart at the end of a cycle
as well, and sometimes with 8 or 15 at tables of 6.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count, islice
from math import comb
from operator import add, sub
from typing import ClassVar, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.schedules.schedule import Drawing, Format, Round, Table
from quadrille.rules.chance import Stream

#: Shuffles from which the best tables of a round are taken.
SHUFFLES: Final = 8
#: With at most this many tables a round has little choice: whole cycles are drawn, and the best taken.
FEW: Final = 3
#: Number of drafts with one table; fewer with more tables.
DRAFTS: Final = 96
#: Maximum difference between pairs at the end of a cycle: one meeting more, and one less, than average.
CLOSE: Final = 2
#: Number of the best drafts that are tried if none leads to such an end of the next cycle.
WAYS: Final = 8
#: Fraction of a meeting in which the distance from the mean is measured.
PART: Final = 16


class Acquaintance:
    """Number of meetings of each pair, and of games of each entrant."""

    __slots__ = ("met", "played")

    def __init__(self, entrants: int) -> None:
        self.met = [[0] * entrants for _ in range(entrants)]
        self.played = [0] * entrants

    def copy(self) -> "Acquaintance":
        made = Acquaintance(0)
        made.met = [row[:] for row in self.met]
        made.played = self.played[:]
        return made

    def note(self, table: Table) -> None:
        """Count the meetings of a table."""
        for entrant in table:
            self.played[entrant] += 1
            for other in table:
                self.met[entrant][other] += entrant != other

    def counts(self) -> list[int]:
        """Return the number of meetings of each pair."""
        return [self.met[one][other] for one, other in combinations(range(len(self.played)), 2)]

    def round(self, size: int, stream: Stream, shuffles: int = SHUFFLES) -> tuple[Table, ...]:
        """Draw the next tables of all entrants, and count them as played."""
        tables = self.tables(range(len(self.played)), size, stream, shuffles)
        for table in tables:
            self.note(table)
        return tables

    def tables(self, members: Sequence[int], size: int, stream: Stream, shuffles: int = SHUFFLES) -> tuple[Table, ...]:
        """Return the maximum number of full tables, of those who have played least, and have met each other least."""
        weights = self._weights(members, size)
        seats = len(members) // size * size
        drafts = []
        for _ in range(shuffles):
            order = list(members)
            stream.shuffle(order)
            order.sort(key=self.played.__getitem__)
            draft = RoundDraft(order[:seats], order[seats:], size, weights)
            draft.mend(self.played)
            drafts.append(draft)
        best = min(drafts, key=RoundDraft.cost)
        return tuple(tuple(sorted(table)) for table in best.tables[: best.full])

    def _weights(self, members: Sequence[int], size: int) -> list[list[int]]:
        """Return the cost of each meeting: the cube of the distance from the mean, negative below it.

        So the sum of the fourth powers of the distances is minimised. With squares, a pair that is off by two would too
        often stay so in favour of others that are off by one.
        """
        meetings = sum(self.met[one][other] for one, other in combinations(members, 2))
        mean = PART * (meetings + len(members) // size * comb(size, 2)) // max(1, comb(len(members), 2))
        # halfway between the present number of meetings and the next
        costs = [(PART * met + PART // 2 - mean) ** 3 for met in range(1 + max(map(max, self.met)))]
        weights = [[costs[met] for met in row] for row in self.met]
        for one, row in enumerate(weights):
            row[one] = 0
        return weights


class RoundDraft:
    """The tables of a round that are being filled. An entrant that sits out has a table of its own, at no cost."""

    __slots__ = ("company", "full", "tables", "weights")

    def __init__(self, order: list[int], resting: Sequence[int], size: int, weights: list[list[int]]) -> None:
        """Give places to the longest waiting entrants, then to those who have met the others there least."""
        self.weights = weights
        self.tables: list[list[int]] = []
        #: For each table the cost of everybody's meeting with all who sit there.
        self.company: list[list[int]] = []
        self.full = len(order) // size
        while order:
            table = [order.pop(0)]
            company = weights[table[0]]
            while len(table) < size:
                fresh = min(order, key=company.__getitem__)
                order.remove(fresh)
                table.append(fresh)
                company = list(map(add, company, weights[fresh]))
            self.tables.append(table)
            self.company.append(company)
        self.tables += [[entrant] for entrant in resting]
        self.company += [weights[entrant] for entrant in resting]

    def cost(self) -> int:
        """Return the cost of all meetings, counted twice."""
        return sum(company[one] for table, company in zip(self.tables, self.company, strict=True) for one in table)

    def mend(self, played: Sequence[int]) -> None:
        """Exchange two places as long as it lowers the cost; an entrant that sits out only with one that has played
        as often.
        """
        mended = True
        while mended:
            mended = False
            for one, other in combinations(range(len(self.tables)), 2):
                if one < self.full and self._exchange(one, other, played):
                    mended = True

    def _exchange(self, one: int, other: int, played: Sequence[int]) -> bool:
        """Exchange two entrants of different tables; return whether it happened."""
        here, there = self.tables[one], self.tables[other]
        near, far = self.company[one], self.company[other]
        exchanged = False
        for place, left in enumerate(here):
            for against, right in enumerate(there):
                cost = far[left] - near[left] + near[right] - far[right] - 2 * self.weights[left][right]
                if cost < 0 and (other < self.full or played[left] == played[right]):
                    here[place], there[against] = right, left
                    change = list(map(sub, self.weights[right], self.weights[left]))
                    near = self.company[one] = list(map(add, near, change))
                    far = self.company[other] = list(map(sub, far, change))
                    left = right
                    exchanged = True
        return exchanged


@dataclass(frozen=True, slots=True)
class PossibleRounds:
    """Possible rounds, the unevenness of pairs after each of them, and the state after all."""

    rounds: tuple[tuple[Table, ...], ...]
    spreads: tuple[int, ...]
    after: Acquaintance

    @classmethod
    def drawn(cls, before: Acquaintance, rounds: int, size: int, stream: Stream) -> "PossibleRounds":
        """Draw that many rounds."""
        after, drawn, spreads = before.copy(), [], []
        for _ in range(rounds):
            drawn.append(after.round(size, stream, shuffles=1))
            counts = after.counts()
            spreads.append(max(counts) - min(counts))
        return cls(tuple(drawn), tuple(spreads), after)

    def unevenness(self) -> tuple[int, int, int]:
        """Return the difference between pairs at the end, then on the way, then from the mean: less is better."""
        counts = self.after.counts()
        return self.spreads[-1], max(self.spreads), sum((len(counts) * met - sum(counts)) ** 4 for met in counts)


def rounds_without_end(entrants: int, size: int, stream: Stream) -> Iterator[tuple[Table, ...]]:
    """Draw tables for all, endlessly: round by round, or with few tables cycle by cycle."""
    before, tables = Acquaintance(entrants), entrants // size
    # at tables of one nobody meets anybody, and there are no cycles
    if size == 1 or tables > FEW:
        while True:
            yield before.round(size, stream)

    def drafts(before: Acquaintance, cycle: int) -> list[PossibleRounds]:
        """Draw drafts of a cycle, the best first."""
        rounds = length(cycle, entrants, size) - length(cycle - 1, entrants, size)
        drawn = [PossibleRounds.drawn(before, rounds, size, stream) for _ in range(DRAFTS // tables)]
        return sorted(drawn, key=PossibleRounds.unevenness)

    cycle = drafts(before, 1)
    for number in count(2):
        # the way to a good end may be a dead end after it
        ways = []
        for draft in cycle[:WAYS]:
            following = drafts(draft.after, number)
            ways.append((draft, following))
            if following[0].spreads[-1] <= CLOSE:
                break
        draft, cycle = min(ways, key=lambda way: [max(CLOSE, one.spreads[-1]) for one in (way[0], way[1][0])])
        yield from draft.rounds


def length(cycles: int, entrants: int, size: int) -> int:
    """Return the number of rounds until any two have met once for each cycle, at least on average."""
    return -(-cycles * comb(entrants, 2) // (comb(size, 2) * (entrants // size)))


@dataclass(frozen=True, slots=True)
class RoundRobin(Format):
    """Any two meet once in a cycle, with one start for all; with more than two seats about once, with a start for
    each round.
    """

    cycles: int = field(default=1, metadata={"help": "how often any two meet"})
    grows: ClassVar[str] = "cycles"
    grown: ClassVar[str] = "grown"

    def tables(self, entrants: int, seats: int) -> int:
        if seats == 2:
            return self.cycles * comb(entrants, 2)
        return length(self.cycles, entrants, seats) * (entrants // seats)

    def uneven(self, entrants: int, seats: int) -> str:
        def tables(cycles: int) -> int:
            return RoundRobin(cycles).tables(entrants, seats)

        return _uneven(f"{entrants} entrants", seats, self.cycles, lambda cycles: tables(cycles) * seats % entrants)

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """Draw round by round; entrants without a table sit out."""
        stream = Stream(seed, "round robin")
        if entrants == 2:
            yield Round(range(self.cycles), ((0, 1),))  # one round, however long a match is
        elif seats == 2:
            for cycle in range(self.cycles):
                for pairs in all_pairs(entrants, stream):
                    yield Round(range(cycle, cycle + 1), pairs)
        else:
            rounds = islice(rounds_without_end(entrants, seats, stream), length(self.cycles, entrants, seats))
            for number, tables in enumerate(rounds):
                yield Round(range(number, number + 1), tables)
        return None


@dataclass(frozen=True, slots=True)
class Gauntlet(Format):
    """The first `seeds` entrants meet all others once in a cycle, and not each other.

    With more than two seats a table has one of them and challengers who have met each other least. If challengers
    don't fill the tables, a cycle leaves some of them out, in turn.
    """

    seeds: int = field(default=1, metadata={"help": "how many of the first entrants meet all others"})
    cycles: int = field(default=1, metadata={"help": "how often they do"})
    grows: ClassVar[str] = "cycles"
    grown: ClassVar[str] = "grown"

    def check(self, entrants: int, seats: int) -> None:
        """Require enough challengers for a table."""
        if entrants - self.seeds < seats - 1:
            raise TournamentError(
                f"a gauntlet of {self.seeds} seeds for {seats} seats needs {self.seeds + seats - 1} entrants or more: "
                f"there are {entrants}"
            )

    def tables(self, entrants: int, seats: int) -> int:
        return self.cycles * self.seeds * ((entrants - self.seeds) // (seats - 1))

    def uneven(self, entrants: int, seats: int) -> str:
        many = entrants - self.seeds
        places = many // (seats - 1) * (seats - 1)
        return _uneven(f"{many} challengers", seats, self.cycles, lambda cycles: cycles * places % many)

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """Draw a seed against all challengers in each round; a cycle has one start."""
        stream = Stream(seed, "gauntlet")
        challengers = [rounds_without_end(entrants - self.seeds, seats - 1, stream) for _ in range(self.seeds)]
        for cycle in range(self.cycles):
            for champion, rounds in enumerate(challengers):
                groups = next(rounds)
                yield Round(
                    range(cycle, cycle + 1),
                    tuple((champion, *(self.seeds + challenger for challenger in group)) for group in groups),
                )
        return None


def all_pairs(entrants: int, stream: Stream) -> Iterator[tuple[Table, ...]]:
    """Yield all pairs once, in rounds in which nobody has two games: one stays in its place, the others rotate."""
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


def _uneven(who: str, seats: int, cycles: int, rest: Callable[[int], int]) -> str:
    """Return a remark if that many cycles leave a `rest` of games, with the number that leaves none."""
    if not rest(cycles):
        return ""
    return (
        f"{who} at tables of {seats} do not come out even: some of them play more games than others. "
        f"With cycles = {next(number for number in count(cycles) if not rest(number))} all of them play as many."
    )
