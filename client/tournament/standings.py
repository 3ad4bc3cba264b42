"""The state of a tournament at some time, as tables, notes and the report tell it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from sys import intern
from typing import TypeAlias

from quadrille.ai.tournament.counting import CountedResults, counted, unjudged
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.play.paces import MoveTimes
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.play.worker_bench import WITHDRAWN
from quadrille.ai.tournament.results import Fault, Kill, Result
from quadrille.ai.tournament.schedules.secret import Committed
from quadrille.ai.tournament.statistics.cycles import NONE, Cycles, cycles
from quadrille.ai.tournament.statistics.hosts import HostFigures, host_figures
from quadrille.ai.tournament.statistics.ratings import Ratings, rate
from quadrille.ai.tournament.statistics.stopping import MeanScore, field_scores
from quadrille.ai.tournament.statistics.tables import (
    Duplicates,
    EntrantLine,
    TimeLine,
    duplicates,
    faults,
    standing,
    time_used,
)
from quadrille.client.foreign import shown
from quadrille.client.value import value

#: Numbers of games, by the isolation of a program and the machine.
Boxes: TypeAlias = Counter[tuple[str, str]]


@value
class TournamentStanding:
    """The state of a tournament at some time."""

    plan: Plan
    counted: CountedResults
    lines: tuple[EntrantLine, ...]
    ratings: Ratings
    scores: tuple[MeanScore | None, ...]
    duplicates: Duplicates
    hosts: tuple[HostFigures, ...]
    moves: tuple[MoveTimes, ...]
    #: Games that a signal ended, of entrants that are in the file, and those that could not be judged because of that.
    kills: tuple[Kill, ...] = ()
    unjudged: frozenset[int] = frozenset()
    #: The numbers of void games.
    void: frozenset[int] = frozenset()
    #: The commitments to the secrets that dealt its games, and the secrets that are shown.
    secrets: tuple[Committed, ...] = ()
    #: The boxes of each entrant's program.
    boxes: tuple[Boxes, ...] = ()
    #: Seconds of processor time of each entrant while it was not to move.
    pondered: tuple[float, ...] = ()
    #: The cycles of three among the entrants.
    cycles: Cycles = NONE

    def line(self, entrant: int) -> EntrantLine:
        return next(line for line in self.lines if line.entrant == entrant)

    @property
    def order(self) -> list[int]:
        """The entrants, best first: in the format's own ranking once there is one, else by points a game."""
        if ranking := self.counted.schedule.ranking:
            return [entrant for group in ranking for entrant in group]
        return [row.entrant for row in self.lines if row.entrant not in self.plan.out]

    @property
    def unplayed(self) -> dict[int, list[Kill]]:
        """The games without a result, and how each attempt ended."""
        games: dict[int, list[Kill]] = {}
        for kill in self.kills:
            games.setdefault(kill.number, []).append(kill)
        return {number: games[number] for number in sorted(self.void & games.keys())}

    @property
    def is_unranked(self) -> bool:
        """Tell whether nobody can be ranked, however long it goes on."""
        return bool(self.unjudged or self.counted.schedule.stuck)

    @property
    def verdict(self) -> str | None:
        return None if self.unjudged else self.counted.count.verdict

    @property
    def names(self) -> list[str]:
        """The names of all entrants, fit to be shown."""
        return [shown(entrant.name) for entrant in self.plan.entrants]

    @property
    def faults(self) -> tuple[dict[Fault, tuple[str, ...]], ...]:
        """The games that each entrant lost by its faults."""
        return faults(self.counted.results, len(self.plan.entrants))

    @property
    def times(self) -> tuple[TimeLine, ...]:
        """The time that each entrant used."""
        return time_used(self.counted.results, len(self.plan.entrants))


def standing_of(journal: Journal, outcomes: Iterable[GameOutcome] | None = None) -> TournamentStanding:
    """Return the standing of a journal's tournament; pass its `outcomes` if they are at hand."""
    plan = journal.plan()
    entrants = len(plan.entrants)
    moves = tuple(MoveTimes() for _ in plan.entrants)
    where: dict[str, str] = {}
    speeds: dict[str, list[float]] = {}
    void, latest = journal.unplayed(), [(0.0, False)] * entrants
    kills = tuple(kill for kill in journal.kills() if not {*plan.out}.intersection(kill.seats))
    boxes, pondered = tuple(Boxes() for _ in plan.entrants), [0.0] * entrants

    def results() -> Iterator[Result]:
        """Yield all results, and note the other facts about each game and each program in it."""
        for outcome in journal.outcomes(records=False) if outcomes is None else outcomes:
            result = outcome.result
            where[result.game] = host = intern(outcome.host)
            speeds.setdefault(host, []).append(outcome.speed)
            for entrant, told in zip(result.seats, outcome.held, strict=False):
                if told:
                    boxes[entrant][intern(told), outcome.host] += 1
            for entrant, seconds in zip(result.seats, outcome.pondered, strict=False):
                pondered[entrant] += seconds
            for entrant, why in zip(result.seats, outcome.whys, strict=False):
                latest[entrant] = max(latest[entrant], (outcome.began, why.startswith(WITHDRAWN)))
            rows = zip(result.seats, outcome.counts, result.times, outcome.longest, outcome.paces, strict=False)
            for entrant, count, total, longest, steps in rows:
                moves[entrant].take(count, total, longest, steps)
            yield result

    found = counted(plan, chain(void.values(), results()))
    lines = standing(found.results, entrants)
    ratings = rate(found.results, entrants, anchor=plan.anchor)
    return TournamentStanding(
        plan,
        found,
        lines,
        ratings,
        field_scores(found.results, entrants),
        duplicates(found.results),
        host_figures(found.results, where, speeds),
        moves,
        kills,
        unjudged(found.count, kills, frozenset(entrant for entrant, (_, gone) in enumerate(latest) if gone)),
        frozenset(void),
        journal.commitments,
        boxes,
        tuple(pondered),
        cycles(found.results, [line.entrant for line in lines if line.entrant not in plan.out]),
    )


def ranks(one: TournamentStanding) -> dict[int, int | None]:
    """Return the rank of every entrant, shared by equals; None for all if not all could be judged. Otherwise an entrant
    that ended others' programs, perhaps at tables where it did not sit, would stand above them.
    """
    if one.unjudged:
        return {line.entrant: None for line in one.lines}
    if not (ranking := one.counted.schedule.ranking):
        return {line.entrant: line.rank for line in one.lines}
    found: dict[int, int | None] = {}
    before = 0
    for group in ranking:
        found |= dict.fromkeys(group, before + 1)
        before += len(group)
    return found
