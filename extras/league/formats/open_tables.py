"""The tables of an open league, one after another, as its run has drawn them from those who were there.

Nothing else could draw them again: who was there when is written nowhere else. Specification: docs/open-league.md.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, ClassVar

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.schedules.schedule import Drawing, Format, Round, Table


@dataclass(frozen=True, slots=True)
class OpenTables(Format):
    """Tables in the order in which they began, each with a start of its own. A run adds entrants and tables."""

    drawn: tuple[Table, ...] = ()
    in_files: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "drawn", tuple(tuple(map(int, table)) for table in self.drawn))  # a journal has lists

    def check(self, entrants: int, seats: int) -> None:
        """Require tables of different entrants that are there."""
        there = {*range(entrants)}
        for table in self.drawn:
            if len(table) != seats or len({*table}) != seats or not {*table} <= there:
                raise TournamentError(f"an open league has no table for {seats} of {', '.join(map(str, table))}")

    def tables(self, entrants: int, seats: int) -> int:
        return len(self.drawn)

    def draw(self, entrants: int, seats: int, seed: str) -> Drawing:
        for number, table in enumerate(self.drawn):
            yield Round(range(number, number + 1), (table,))
        return None

    def uneven(self, entrants: int, seats: int) -> str:
        return "Bots play while they are there: some have played more games than others."

    @classmethod
    def continues(cls, here: Mapping[str, Any], there: Mapping[str, Any]) -> bool:
        """Tell whether a plan is that of a journal with more entrants and tables after those of before."""
        shape, entrants, drawn = here["format"], there["entrants"], there["format"].get("drawn", [])
        less = {
            "entrants": here["entrants"][: len(entrants)],
            "format": shape | {"drawn": shape["drawn"][: len(drawn)]},
        }
        return {**here, **less} == there


class Pairing:
    """The tables of a league so far, and those to come: the bot that has played least meets those that it has met
    least.

    No bot can choose its opponents, by leaving or otherwise: a pair that met less often than others comes next. While
    others play, a bot meets nobody again that it met in its last tables, but waits. Else two that finish together would
    go on together for ever, and two quick ones of one owner meet nobody but each other.
    """

    def __init__(self, drawn: Iterable[Table] = ()) -> None:
        self._tables = Counter[int]()
        self._met = Counter[tuple[int, int]]()
        self._last = defaultdict[int, list[int]](list)
        for table in drawn:
            self.add(table)

    def add(self, table: Table) -> None:
        self._tables.update(table)
        self._met.update(combinations(sorted(table), 2))
        for one, other in permutations(table, 2):
            self._last[one].append(other)

    def table(self, idle: Collection[int], seats: int, there: int) -> Table | None:
        """Draw a table of entrants that are idle, of all that are `there`, if there are enough for one."""
        lately = (there - 1) // 2 if there > len(idle) else 0
        for first in sorted(idle, key=lambda one: (self._tables[one], one)):
            chosen = [first]
            for _ in range(seats - 1):
                if rest := [one for one in idle if one not in chosen and not self._just_met(one, chosen, lately)]:
                    chosen.append(min(rest, key=lambda one: (self._meetings(one, chosen), self._tables[one], one)))
            if len(chosen) == seats:
                return tuple(chosen)
        return None

    def _just_met(self, one: int, others: Iterable[int], lately: int) -> bool:
        """Return whether one of these is among the `lately` last opponents of another."""
        pairs = ((one, other) for other in others if lately)
        return any(a in self._last[b][-lately:] or b in self._last[a][-lately:] for a, b in pairs)

    def _meetings(self, one: int, others: Iterable[int]) -> int:
        return sum(self._met[min(one, other), max(one, other)] for other in others)
