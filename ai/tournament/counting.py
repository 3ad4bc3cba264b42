"""The results that statistics may use so far: the longest run of complete blocks, up to the verdict.

Results come in any order, and the order does not matter. A stopping rule takes blocks in schedule order, and the
block that brings the verdict is the last that counts. So it makes no difference how many games were in progress just
then.

Games that end early are not a fair sample: where wins are shorter than losses, the first 100 games to end of 64 at a
time show a score of 0.625 for a true 0.5.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import count as numbers
from typing import TYPE_CHECKING, Final

from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.results import Kill, Result
from quadrille.ai.tournament.schedules.schedule import Schedule
from quadrille.ai.tournament.statistics.tables import Tally
from quadrille.value import value

if TYPE_CHECKING:  # numpy takes long to import, and most tournaments have no rule
    from quadrille.ai.tournament.statistics.stopping import ConfidenceSequence, Sprt

#: Maximum kills at an entrant's tables with which it is still judged, and maximum share of games with kills.
FEW_KILLS: Final = 2
GAMES_A_KILL: Final = 100


class Count:
    """Counts games as they come in."""

    def __init__(self, plan: Plan) -> None:
        self.tallies = [Tally() for _ in plan.entrants]
        self.games = 0
        self.blocks = 0
        #: Ended games in blocks with a void game: they count for nobody.
        self.spoilt = 0
        self.rule: Sprt | ConfidenceSequence | None = plan.stop.machine() if plan.stop else None
        self._stop = plan.stop
        #: The games of blocks that have not been counted, with their results.
        self._open: deque[tuple[str, ...]] = deque()
        self._there: dict[str, Result] = {}

    @property
    def verdict(self) -> str | None:
        """The verdict of the stopping rule, once there is one."""
        return self.rule.verdict if self.rule else None

    def expect(self, ids: tuple[str, ...]) -> None:
        """Add the games of the next block of the schedule."""
        self._open.append(ids)

    def take(self, result: Result) -> list[Result]:
        """Add the result of a game; return the games that count from now on, in schedule order."""
        self._there[result.game] = result
        counted: list[Result] = []
        while self._open and self.verdict is None and all(map(self._there.__contains__, self._open[0])):
            results = list(map(self._there.pop, self._open.popleft()))
            if any(result.void for result in results):
                self.spoilt += sum(not result.void for result in results)
                continue
            self._add(results)
            self.blocks += 1
            if self.rule and self._stop:
                for score in self._stop.scores(results):
                    self.rule.take(score)
            counted += results
        return counted

    def _add(self, games: list[Result]) -> None:
        """Count the games of a block."""
        self.games += len(games)
        for entrant in {entrant for game in games for entrant in game.seats}:
            self.tallies[entrant].take(entrant, [game for game in games if entrant in game.seats])


@value
class CountedResults:
    """The basis of a report: the games that count in schedule order, and the number of others."""

    count: Count
    schedule: Schedule
    results: tuple[Result, ...]
    beyond: int
    #: Kept games of entrants that are out.
    aside: int = 0


def unjudged(count: Count, kills: Iterable[Kill], out: frozenset[int]) -> frozenset[int]:
    """Return the entrants that can't be judged, because signals ended programs at their tables too often. Kills at the
    tables of those that are `out`, or withdrawn, say nothing about the others.

    Nobody can know the sender of such a signal. A bot that killed its rival, or itself, whenever it was about to lose
    would play again until it wins, or lose fewer games than it should. So all entrants at those tables are treated
    alike.
    """
    often = Counter(entrant for kill in kills if out.isdisjoint(kill.seats) for entrant in kill.seats)
    return frozenset(
        entrant
        for entrant, times in often.items()
        if times > max(FEW_KILLS, count.tallies[entrant].games // GAMES_A_KILL)
    )


def counted(plan: Plan, results: Iterable[Result]) -> CountedResults:
    """Return the results of a tournament that count, block by block in schedule order. Void results are passed in too,
    because they end their blocks.
    """
    by_game = {result.game: result for result in results}
    schedule, count = plan.schedule(), Count(plan)
    found: list[Result] = []
    # Pairings that follow from no results need not be drawn again, and those of a placement would have to be computed
    # again; neither has a ranking that needs it. Only the schedule knows the blocks of entrants that are out.
    blocks = _drawn(schedule, by_game)
    if plan.format.behind == 1 or (plan.format.behind is None and not schedule.out):
        blocks = _played(by_game.values(), schedule.block_size)
    for ids in blocks:
        count.expect(ids)
        for game in ids:
            if game in by_game:
                found += count.take(by_game[game])
        if count.verdict is not None or any(game not in by_game for game in ids):
            break
    ended = [result for result in by_game.values() if not result.void]
    aside = sum(not schedule.out.isdisjoint(result.seats) for result in ended)
    return CountedResults(count, schedule, tuple(found), len(ended) - aside - len(found) - count.spoilt, aside)


def _drawn(schedule: Schedule, by_game: Mapping[str, Result]) -> Iterator[tuple[str, ...]]:
    """Yield the games of all blocks, drawn from the results of those before them."""
    while (block := schedule.next()) is not None:
        for game in block.ids:
            if game in by_game:
                schedule.tell(by_game[game])
        yield block.ids


def _played(results: Iterable[Result], size: int) -> Iterator[tuple[str, ...]]:
    """Yield the games of all complete blocks up to the first incomplete one."""
    blocks: dict[int, list[str]] = defaultdict(list)
    for result in results:
        blocks[result.block].append(result.game)
    for number in numbers():
        if len(blocks[number]) < size:
            return
        yield tuple(blocks[number])
