"""The state of a tournament at some time, as tables, notes and the report tell it."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING, Final, TypeAlias

from quadrille.ai.tournament.counting import CountedResults, counted, unjudged
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.folders import ABSENT, read_absent
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.play.paces import MoveTimes
from quadrille.ai.tournament.play.worker_bench import WITHDRAWN
from quadrille.ai.tournament.results import Kill
from quadrille.ai.tournament.schedules.secret import Committed
from quadrille.ai.tournament.statistics.tables import Duplicates, Tally, by_points, duplicates
from quadrille.client.foreign import isolated

if TYPE_CHECKING:  # numpy takes long to import, and the table of a few blocks needs none
    from quadrille.ai.tournament.statistics.cycles import Cycles
    from quadrille.ai.tournament.statistics.ratings import Ratings

#: Numbers of games, by the isolation of a program and the machine.
Boxes: TypeAlias = Counter[tuple[str, str]]
#: Maximum relative difference of speeds of machines that counts as equal.
EQUAL: Final = 0.1


@dataclass(slots=True)
class HostFigures:
    """A machine's speeds (speed.py), the seconds of all its games, and how many of its games and faults count."""

    speeds: list[float] = field(default_factory=list)
    seconds: float = 0.0
    games: int = 0
    faults: int = 0

    @property
    def speed(self) -> float:
        """The median."""
        return median(self.speeds)


@dataclass(frozen=True)  # without slots, for what is computed when somebody asks
class TournamentStanding:
    """The state of a tournament at some time."""

    plan: Plan
    counted: CountedResults
    duplicates: Duplicates
    #: The machines by name.
    hosts: dict[str, HostFigures]
    #: Games that a signal ended, of entrants that are in the file, and those that could not be judged because of that.
    kills: tuple[Kill, ...] = ()
    unjudged: frozenset[int] = frozenset()
    #: The numbers of void games.
    void: frozenset[int] = frozenset()
    #: The commitments to the secrets that dealt its games, and the secrets that are shown.
    secrets: tuple[Committed, ...] = ()
    #: The boxes of each entrant's program.
    boxes: tuple[Boxes, ...] = ()
    #: The durations of each entrant's moves, if they were asked for.
    moves: tuple[MoveTimes, ...] = ()
    #: Whom the last run found in its folder and could not start, with the reasons.
    absent: tuple[tuple[str, str], ...] = ()

    @cached_property
    def ratings(self) -> "Ratings":
        from quadrille.ai.tournament.statistics.ratings import rate

        return rate(self.counted.results, len(self.plan.entrants), anchor=self.plan.anchor)

    @cached_property
    def cycles(self) -> "Cycles":
        """The cycles of three among the entrants."""
        from quadrille.ai.tournament.statistics.cycles import cycles

        order = chain.from_iterable(by_points(self.counted.count.tallies))
        return cycles(self.counted.results, [entrant for entrant in order if entrant not in self.plan.out])

    def line(self, entrant: int) -> Tally:
        return self.counted.count.tallies[entrant]

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Groups of equals, best first: the format's own ranking once there is one, else by points a game."""
        return self.counted.schedule.ranking or by_points(self.counted.count.tallies)

    @property
    def order(self) -> list[int]:
        """The entrants, best first."""
        return [entrant for group in self.ranking for entrant in group if entrant not in self.plan.out]

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
    def is_over(self) -> bool:
        """Tell whether all games have been played."""
        count = self.counted.count
        return count.verdict is not None or self.counted.schedule.games == count.games + count.spoilt

    @property
    def verdict(self) -> str | None:
        return None if self.unjudged else self.counted.count.verdict

    @property
    def names(self) -> list[str]:
        """The names of all entrants, fit to be shown."""
        return [isolated(entrant.name) for entrant in self.plan.entrants]


def standing_of(journal: Journal, *, moves: bool = True) -> TournamentStanding:
    """Return the standing of a journal's tournament; the durations of `moves` take as long again."""
    plan = journal.plan()
    entrants, void = len(plan.entrants), journal.unplayed()
    kills = tuple(kill for kill in journal.kills() if not {*plan.out}.intersection(kill.seats))
    results = counted(plan, chain(void.values(), journal.results()))
    hosts, latest = dict[str, HostFigures](), [(0.0, False)] * entrants
    boxes = tuple(Boxes() for _ in plan.entrants)
    faulty = {result.game: sum(fault is not None for fault in result.faults) for result in results.results}
    names = ("id", "seats", "host", "speed", "began", "seconds", "held", "whys")
    for game, seats, host, speed, began, seconds, held, whys in journal.rows(names):
        figures = hosts.get(host) or hosts.setdefault(host, HostFigures())
        figures.speeds.append(speed)
        figures.seconds += seconds
        figures.games += game in faulty
        figures.faults += faulty.get(game, 0)
        for entrant, box in zip(seats, held, strict=False):
            if box:
                boxes[entrant][box, host] += 1
        for entrant, why in zip(seats, whys, strict=False):
            latest[entrant] = max(latest[entrant], (began, why.startswith(WITHDRAWN)))
    return TournamentStanding(
        plan,
        results,
        duplicates(results.results),
        dict(sorted(hosts.items())),
        kills,
        unjudged(results.count, kills, frozenset(entrant for entrant, (_, gone) in enumerate(latest) if gone)),
        frozenset(void),
        journal.commitments,
        boxes,
        _move_times(journal) if moves else (),
        read_absent(journal.fact(ABSENT)),
    )


def _move_times(journal: Journal) -> tuple[MoveTimes, ...]:
    """Return the durations of all moves of each entrant."""
    times = tuple(MoveTimes() for _ in journal.plan().entrants)
    names = ("seats", "counts", "times", "longest", "paces")
    for seats, *rows in journal.rows(names):
        for entrant, *row in zip(seats, *rows, strict=False):
            times[entrant].take(*row)
    return times


def ranks(standing: TournamentStanding) -> dict[int, int | None]:
    """Return the rank of every entrant, shared by equals; None for all if not all could be judged. Otherwise an entrant
    that ended others' programs, perhaps at tables where it did not sit, would stand above them.
    """
    places: dict[int, int | None] = {}
    for group in standing.ranking:
        places |= dict.fromkeys(group, None if standing.unjudged else len(places) + 1)
    return places


def slower(hosts: dict[str, HostFigures]) -> tuple[str, dict[str, float]]:
    """Return the fastest machine, and the relative speeds of those slower by more than `EQUAL`."""
    speeds = {name: host.speed for name, host in hosts.items()}
    quickest = max(speeds, key=lambda name: speeds[name], default="")
    parts = {name: speed / speeds[quickest] for name, speed in speeds.items()}
    return quickest, {name: part for name, part in parts.items() if part < 1 - EQUAL}
