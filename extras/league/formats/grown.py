"""A round robin or gauntlet whose entrants came or went after games were played: nothing that was played is played
again.

Its first rounds are those of before, game by game. Then each newcomer in turn meets those before it as often as they
were to meet each other. With two seats that is exactly the rest of the longer tournament. At larger tables it is a
gauntlet of the newcomer: it meets everybody about equally often, and the others sit with it and with each other.

Games name entrants by their places, so one that is not in the file any more stays in the plan, and is `out`.
Specification: docs/many-machines.md, "Entrants that come or go".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, ClassVar, Final, TypeAlias

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Plan, plan_of
from quadrille.ai.tournament.schedules.formats import kind_of
from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin, rounds_without_end
from quadrille.ai.tournament.schedules.schedule import Drawing, Format, Round
from quadrille.rules.chance import Stream

#: The numbers of entrants and of cycles from some time on; at tables of more than two, then those who were out.
Stage: TypeAlias = tuple[int, ...]
KIND: Final = "grown"


@dataclass(frozen=True, slots=True)
class Grown(Format):
    """A gauntlet of `seeds` seeds, or with none a round robin, with all stages of its growth; the last one is its
    present size. Games of those who are `out` are neither played nor counted.
    """

    seeds: int
    stages: tuple[Stage, ...]
    out: tuple[int, ...] = ()
    in_files: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "stages", tuple(map(tuple, self.stages)))  # a journal has lists
        object.__setattr__(self, "out", tuple(self.out))

    def check(self, entrants: int, seats: int) -> None:
        """Require that each stage is possible."""
        for there, cycles, *away in self.stages:
            self._shape(cycles).check(there - len(away), seats)

    def uneven(self, entrants: int, seats: int) -> str:
        if seats == 2:
            return ""
        return "Entrants have come or gone: at tables of more than two, some play more games than others now."

    def tables(self, entrants: int, seats: int) -> int:
        rounds = iter(self.draw(entrants, seats, ""))
        return sum(len(drawn.starts) * len(drawn.tables) for drawn in rounds)

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        """Stage by stage. A table of more than two has a start that no earlier round had, and nobody who was out when
        its stage began: it would never be played.
        """
        start = there = done = 0
        for number, (now, cycles, *away) in enumerate(self.stages):
            of_stage = seed if not number else f"{seed} {number}"
            members = [entrant for entrant in range(now) if entrant not in away]
            for newcomer in range(there, now) if there else ():
                stream = Stream(of_stage, f"newcomer {newcomer}")
                before = [entrant for entrant in members if entrant < newcomer]
                for drawn in self._newcomer(newcomer, before, done, seats, stream, start):
                    start = max(start, drawn.starts.stop)
                    yield drawn
            if cycles > done:
                first = done if seats == 2 or self.seeds else start
                for drawn in iter(self._shape(cycles - done).draw(len(members), seats, of_stage)):
                    starts = range(drawn.starts.start + first, drawn.starts.stop + first)
                    start = max(start, starts.stop)
                    yield Round(starts, tuple(tuple(members[place] for place in table) for table in drawn.tables))
            there, done = now, cycles
        return None

    def _shape(self, cycles: int) -> RoundRobin | Gauntlet:
        return Gauntlet(self.seeds, cycles) if self.seeds else RoundRobin(cycles)

    def _newcomer(
        self, newcomer: int, before: Sequence[int], cycles: int, seats: int, stream: Stream, start: int
    ) -> Iterator[Round]:
        """Yield the rounds in which a newcomer meets those before it, if they fill a table."""
        if len(before) < seats - 1:
            return
        if self.seeds:
            company = _company(len(before) - self.seeds, seats - 2, stream)
            for cycle in range(cycles):
                for champion in range(self.seeds):
                    others = (before[self.seeds + other] for other in next(company))
                    yield Round(range(cycle, cycle + 1), ((champion, *others, newcomer),))
            return
        groups = rounds_without_end(len(before), seats - 1, stream)
        for number, tables in enumerate(islice(groups, _rounds(cycles, len(before), seats))):
            first = number if seats == 2 else start + number
            rows = ([before[place] for place in group] for group in tables)
            yield Round(range(first, first + 1), tuple((*group, newcomer) for group in rows))

    @classmethod
    def joined(cls, plan: Plan, there: Mapping[str, Any], /) -> tuple[Plan, list[str]]:
        """Return the plan of a file as it continues that of a journal, with a sentence about each entrant that has come
        or gone since the last run. Return the same plan if it does not, or has the same entrants. An entrant whose
        program has changed is a newcomer of the same name, and the old one is gone.
        """
        before = plan_of(there, plan.folder).entrants
        old, new = ([(entrant.name, entrant.digest) for entrant in row] for row in (before, plan.entrants))
        seeds = getattr(plan.format, "seeds", 0)
        shape = there["format"]
        grown = shape["kind"] == KIND
        is_same_kind = grown or shape["kind"] == kind_of(plan.format)
        champions = [name for name in [*dict(old)][:seeds] if name in dict(new)]
        if not is_same_kind or [*dict(new)][: len(champions)] != champions or not {*dict(old)} & {*dict(new)}:
            return plan, []
        if sorted(old) == sorted(new) and not grown:
            return plan, []
        ours = dict(zip(new, plan.entrants, strict=True))
        come = [entrant for key, entrant in ours.items() if key not in old]
        entrants = (*(ours.get(key, entrant) for key, entrant in zip(old, before, strict=True)), *come)
        keys = [*old, *((entrant.name, entrant.digest) for entrant in come)]
        out = tuple(number for number, key in enumerate(keys) if key not in new)
        away = out if plan.contests[0].seats > 2 else ()
        stages, size = _stages(there), (len(entrants), getattr(plan.format, "cycles", 0), *away)
        format = cls(seeds, stages if stages[-1] == size else (*stages, size), out)
        anchor = None if plan.anchor is None else keys.index(new[plan.anchor])
        plan = replace(plan, entrants=entrants, format=format, anchor=anchor)
        gone = set(shape["out"]) if grown else set[int]()
        sentences = [_arrival(plan, number) for number in range(len(old), len(keys))]
        sentences += [f"{keys[entrant][0]} is back: its kept games count again" for entrant in sorted(gone - {*out})]
        sentences += [
            f"{keys[entrant][0]} is in the file no more: its games are kept, and do not count"
            for entrant in sorted({*plan.gone} - gone)
        ]
        if sentences and (obstacle := _why_not(plan, format)):
            raise TournamentError(
                f"nobody can come, go or change here: {obstacle}. Make the file what it was, or name another file, "
                f"whose tournament begins afresh ({'; '.join(sentences)})"
            )
        return plan, sentences

    @classmethod
    def continues(cls, here: Mapping[str, Any], there: Mapping[str, Any]) -> bool:
        """Tell whether a plan differs from a journal's by entrants that come or go, and perhaps by more cycles."""
        same = [{**plan, "entrants": None, "format": None} for plan in (here, there)]
        many, cycles, *_ = _stages(there)[-1]
        return (
            same[0] == same[1]
            and here["format"]["seeds"] == there["format"].get("seeds", 0)
            and here["format"]["stages"][-1][1] >= cycles
            and here["entrants"][:many] == there["entrants"]
        )


def _stages(there: Mapping[str, Any]) -> tuple[Stage, ...]:
    shape = there["format"]
    begun = shape.get("stages") or [(len(there["entrants"]), shape.get("cycles", 0))]
    return tuple(tuple(map(int, row)) for row in begun)


def _arrival(plan: Plan, entrant: int) -> str:
    name, versions = plan.entrants[entrant].name, plan.versions(entrant)
    if len(versions) == 1:
        return f"{name} is new here: only its games are played"
    return f"{name} has changed: it plays on as version {len(versions)}, from its first game on"


def _why_not(plan: Plan, format: Grown) -> str:
    if plan.stop is not None:
        return "the test of [stop] holds only for the entrants with which it began"
    if any(entrant < format.seeds for entrant in format.out):
        return "the seeds of a gauntlet, the first of its file, meet all others and can't go"
    return ""


def _rounds(cycles: int, others: int, seats: int) -> int:
    """Count the rounds until a newcomer has met this many others once for each cycle, at least on average."""
    return -(-cycles * others // ((seats - 1) * (others // (seats - 1))))


def _company(challengers: int, size: int, stream: Stream) -> Iterator[tuple[int, ...]]:
    """Yield groups of challengers that fill a newcomer's tables, endlessly."""
    if not size:
        while True:
            yield ()
    yield from chain.from_iterable(rounds_without_end(challengers, size, stream))
