"""The pairing of an open league: the bot that has played least meets those that it has met least.

No bot can choose its opponents, by leaving or otherwise: a pair that met less often than others comes next.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import combinations

from quadrille.ai.tournament.schedules.schedule import Table


class Pairing:
    """The tables of a league so far, and those to come."""

    def __init__(self, drawn: Iterable[Table] = ()) -> None:
        self._tables = Counter[int]()
        self._met = Counter[tuple[int, int]]()
        for table in drawn:
            self.add(table)

    def add(self, table: Table) -> None:
        self._tables.update(table)
        self._met.update(combinations(sorted(table), 2))

    def table(self, idle: Collection[int], seats: int) -> Table | None:
        """Draw a table of entrants that are idle, if there are enough of them."""
        if len(idle) < seats:
            return None
        chosen = [min(idle, key=lambda one: (self._tables[one], one))]
        while len(chosen) < seats:
            rest = [one for one in idle if one not in chosen]
            chosen.append(min(rest, key=lambda one: (self._meetings(one, chosen), self._tables[one], one)))
        return tuple(chosen)

    def _meetings(self, one: int, others: Iterable[int]) -> int:
        return sum(self._met[min(one, other), max(one, other)] for other in others)
