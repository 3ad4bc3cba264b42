"""Questions whether this person plays on for a seat that is gone: which are open, and which were answered.

A seat repeats its question every second, until it is answered or void. A person reads it once.
Specification: protocols.md, "Motions".
"""

from typing import Final

from quadrille.client.table.network.reasons import Denial, NobodyAsks, NotGranted, Objected
from quadrille.net.seating.lobby import Called

#: Maximum questions that are remembered, and milliseconds after which one that nobody repeats is void.
MOST_CALLS: Final = 8
LASTING: Final = 10_000


class Calls:
    """The questions to one person, wherever it is."""

    __slots__ = ("_agreed", "_open")

    def __init__(self) -> None:
        self._open: dict[tuple[bytes, bytes], tuple[Called, int]] = {}  # by asker and table; when it was heard last
        self._agreed: dict[bytes, Called] = {}

    def hear(self, called: Called, now: int) -> bool:
        """Remember a question; whether it is a new one."""
        place = called.key, called.table
        known = self._open.pop(place, None)
        self._open[place] = called, now
        while len(self._open) > MOST_CALLS:
            del self._open[next(iter(self._open))]
        return known is None or known[0] != called

    def open(self, digits: str, now: int, by: bytes | None = None) -> list[Called]:
        """The open question about the table whose number begins so, once for each seat that asks it, or of the one
        peer that is meant.
        """
        found = [one for one, at in self._open.values() if now - at <= LASTING and by in (None, one.key)]
        if not digits:
            raise NotGranted(Denial.WHICH_TABLE)
        meant = [one for one in found if one.table.hex().startswith(digits.lower())]
        if not meant:
            raise NotGranted(NobodyAsks(digits, tuple({one.table for one in found})))
        if len({(one.table, one.before, one.seat, one.terms) for one in meant}) > 1:
            raise NotGranted(Objected(Denial.SEVERAL_ASK, digits))
        return meant

    def agree(self, called: Called) -> None:
        self._agreed[called.table] = called

    def has_agreed(self, called: Called) -> bool:
        """Whether this very question was answered with a yes, to whichever seat asked it."""
        given = self._agreed.get(called.table)
        asked = called.before, called.seat, called.terms
        return given is not None and (given.before, given.seat, given.terms) == asked

    def awaits(self, table: bytes) -> bool:
        """Whether this person has said yes to a table, and has not sat down there yet."""
        return table in self._agreed

    def sat_down(self, table: bytes) -> None:
        """Forget the yes: the person is at that table now."""
        self._agreed.pop(table, None)

    @property
    def agreed(self) -> list[bytes]:
        return list(self._agreed)
