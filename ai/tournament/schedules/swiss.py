"""Swiss: in each round entrants with equal scores meet.

With two seats the pairing is sound: nobody meets anybody twice while that can be avoided, in a field of any size, and
nobody has a second bye before all have had one. (A maximum matching decides what is possible, after J. Edmonds,
"Paths, trees, and flowers", 1965.) Within that, the first of a score group plays the one in its middle, as in chess.
With more seats, whole tables are filled down the ranking with those who have met least.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from quadrille.ai.tournament.schedules.meetings import Acquaintance
from quadrille.ai.tournament.schedules.schedule import Drawing, Format, Points, Ranking, Round, Table
from quadrille.rules.chance import Stream


class Scores:
    """All scores, in half points. Lots decide remaining ties of rank."""

    __slots__ = ("acquaintance", "byes", "opponents", "points", "_lots")

    def __init__(self, entrants: int, stream: Stream) -> None:
        self.acquaintance = Acquaintance(entrants)
        self.byes = [0] * entrants
        self.points = [0] * entrants
        self.opponents: list[list[int]] = [[] for _ in range(entrants)]
        self._lots = list(range(entrants))
        stream.shuffle(self._lots)

    def rank(self) -> list[int]:
        """Return all entrants, best first: by points, by those of their opponents (Buchholz), by lot."""
        return sorted(range(len(self.points)), key=lambda entrant: (*self._standing(entrant), self._lots[entrant]))

    def ranking(self) -> Ranking:
        """Return the ranking with shared ranks, without lots."""
        groups: list[list[int]] = []
        for entrant in self.rank():
            if groups and self._standing(groups[-1][0]) == self._standing(entrant):
                groups[-1].append(entrant)
            else:
                groups.append([entrant])
        return tuple(tuple(sorted(group)) for group in groups)

    def _standing(self, entrant: int) -> tuple[int, int]:
        return -self.points[entrant], -sum(self.points[other] for other in self.opponents[entrant])

    def enter(self, tables: Sequence[Table], points: Points) -> None:
        """Add the points of a round. An entrant that sat out gets those of a won round."""
        playing = {entrant for table in tables for entrant in table}
        size = len(tables[0])
        for entrant in range(len(self.points)):
            if entrant not in playing:
                self.byes[entrant] += 1
                # the points shared by all at a table are half of the maximum, times their number
                self.points[entrant] += 2 * sum(points[0]) // size
        for table, row in zip(tables, points, strict=True):
            self.acquaintance.note(table)
            for entrant, won in zip(table, row, strict=True):
                self.points[entrant] += won
                self.opponents[entrant] += [other for other in table if other != entrant]


@dataclass(frozen=True, slots=True)
class Swiss(Format):
    """A number of rounds, in which tables play from a number of starts. A bye counts as a won round."""

    rounds: int = field(metadata={"help": "rounds, in which those meet who have done equally well"})
    starts: int = field(default=1, metadata={"help": "blocks that a table plays in each"})
    behind: ClassVar[int] = 0
    grows: ClassVar[str] = "rounds"
    places_by: ClassVar[str] = "the points of all rounds, and an entrant that sits out gets all points of its round"

    def tables(self, entrants: int, seats: int) -> int:
        return self.rounds * self.starts * (entrants // seats)

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """Draw the rounds; all tables of a round have the same starts."""
        scores = Scores(entrants, Stream(seed, "swiss"))
        for number in range(self.rounds):
            tables = pairing(scores) if seats == 2 else seated(scores, seats)
            points = yield Round(range(number * self.starts, (number + 1) * self.starts), tables)
            scores.enter(tables, points)
        return scores.ranking()


def seated(scores: Scores, seats: int) -> tuple[Table, ...]:
    """Seat tables of more than two: the best one left, and of those next in rank the ones who have met least at that
    table.
    """
    ranked = scores.rank()
    backwards = ranked[::-1]
    resting = sorted(backwards, key=scores.byes.__getitem__)[: len(ranked) % seats]
    left = [entrant for entrant in ranked if entrant not in resting]
    tables = []
    while left:
        table = [left.pop(0)]
        while len(table) < seats:
            met = scores.acquaintance.met
            # choose among two tables' worth of neighbours in rank: fresh opponents must not make the ranking
            # meaningless
            near = left[: 2 * seats - len(table)]
            fresh = min(near, key=lambda entrant: sum(met[entrant][other] for other in table))
            left.remove(fresh)
            table.append(fresh)
        tables.append(tuple(sorted(table)))
    return tuple(tables)


def pairing(scores: Scores) -> tuple[Table, ...]:
    """Return the pairs of a round for two seats; an entrant without a pair has a bye."""
    ranked = scores.rank()
    met = scores.acquaintance.met
    fewest = min(scores.byes)
    resting = [entrant for entrant in reversed(ranked) if scores.byes[entrant] == fewest] if len(ranked) % 2 else [None]
    for often in range(max(map(max, met)) + 1):

        def may(one: int, other: int, often: int = often) -> bool:
            return met[one][other] <= often

        for rests in resting:
            playing = [entrant for entrant in ranked if entrant != rests]
            if can_all_be_paired(playing, may):
                return tuple(_paired(playing, scores.points, may))
    raise AssertionError("all may meet who have met as often as any two have")


def _paired(left: list[int], points: Sequence[int], may: Callable[[int, int], bool]) -> Iterator[Table]:
    """Yield the pairs from the top: each entrant gets the best partner that leaves the others a way to be paired."""
    while left:
        first, *rest = left
        group = sum(points[entrant] == points[first] for entrant in left)
        # the middle of the score group, then down to its end, up to its start, and on into the groups below
        middle = group // 2 - 1
        order = [*rest[middle : group - 1], *reversed(rest[:middle]), *rest[group - 1 :]] if group > 1 else rest
        for partner in order:
            others = [entrant for entrant in rest if entrant != partner]
            if may(first, partner) and can_all_be_paired(others, may):
                yield (min(first, partner), max(first, partner))
                left = others
                break


def can_all_be_paired(members: Sequence[int], may: Callable[[int, int], bool]) -> bool:
    """Return whether those who may meet have a perfect matching."""
    count = len(members)
    friends = [
        [other for other in range(count) if other != entrant and may(members[entrant], members[other])]
        for entrant in range(count)
    ]
    partner = _greedy_matching(friends)
    return all(partner[entrant] >= 0 or _augment(entrant, friends, partner) for entrant in range(count))


def _greedy_matching(friends: Sequence[Sequence[int]]) -> list[int]:
    partner = [-1] * len(friends)
    for entrant, row in enumerate(friends):
        if partner[entrant] < 0:
            other = next((other for other in row if partner[other] < 0), -1)
            if other >= 0:
                partner[entrant], partner[other] = other, entrant
    return partner


def _augment(root: int, friends: Sequence[Sequence[int]], partner: list[int]) -> bool:
    """Match `root` in addition to those already matched, if possible: search an augmenting path from it to a free
    entrant. An odd cycle (a blossom) is treated as a single place, its `base`.
    """
    base = list(range(len(friends)))
    before = [-1] * len(friends)  # the outer place from which an inner one was reached
    outer = [root]
    is_outer = [place == root for place in range(len(friends))]

    def above(place: int) -> Iterator[int]:
        """Yield the bases on the way from an outer place back to the root."""
        while True:
            place = base[place]
            yield place
            if partner[place] < 0:
                return
            place = before[partner[place]]

    def mark(place: int, stem: int, below: int, ring: set[int]) -> None:
        """Note one side of a blossom, from `place` down to its stem, so that it can be walked either way."""
        while base[place] != stem:
            ring |= {base[place], base[partner[place]]}
            before[place] = below
            below = partner[place]
            place = before[below]

    for place in outer:  # grows as it goes
        for other in friends[place]:
            if base[place] == base[other] or partner[place] == other:
                continue
            if other == root or (partner[other] >= 0 and before[partner[other]] >= 0):
                ways = set(above(place))
                stem = next(step for step in above(other) if step in ways)
                ring: set[int] = set()
                mark(place, stem, other, ring)
                mark(other, stem, place, ring)
                for member in range(len(friends)):
                    if base[member] in ring:
                        base[member] = stem
                        if not is_outer[member]:
                            is_outer[member] = True
                            outer.append(member)
            elif before[other] < 0:
                before[other] = place
                if partner[other] < 0:
                    _turn(other, before, partner)
                    return True
                is_outer[partner[other]] = True
                outer.append(partner[other])
    return False


def _turn(end: int, before: Sequence[int], partner: list[int]) -> None:
    """Flip the matches along the path that ends there."""
    while end >= 0:
        place = before[end]
        following = partner[place]
        partner[end], partner[place] = place, end
        end = following
