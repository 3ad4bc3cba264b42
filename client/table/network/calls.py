"""Requests that this person stands in for a seat that is gone: the open ones and the answered ones.

A seat repeats its request every second, until it is answered or void. A person reads it once. Specification:
docs/protocols/log.md, "Motions".
"""

from typing import Final

from quadrille.client.table.notices import NotGranted, Why
from quadrille.net.seating.lobby import Called

#: Maximum remembered requests, and milliseconds after which one that nobody repeats is void.
MOST_CALLS: Final = 8
LASTING: Final = 10_000


class Calls:
    """The requests to one person, at whatever place."""

    __slots__ = ("_agreed", "_open")

    def __init__(self) -> None:
        # by asker and table, with the time of the last repetition
        self._open: dict[tuple[bytes, bytes], tuple[Called, int]] = {}
        self._agreed: dict[bytes, Called] = {}

    def hear(self, called: Called, now: int) -> bool:
        """Remember a request; True if it is new."""
        place = called.key, called.table
        known = self._open.pop(place, None)
        self._open[place] = called, now
        while len(self._open) > MOST_CALLS:
            del self._open[next(iter(self._open))]
        return known is None or known[0] != called

    def open(self, digits: str, now: int, by: bytes | None = None) -> list[Called]:
        """Return the open request about the table with these first digits, once for each seat that asks.

        With `by`, return only that of one peer.
        """
        found = [one for one, at in self._open.values() if now - at <= LASTING and by in (None, one.key)]
        if not digits:
            raise NotGranted(Why.WHICH_TABLE)
        meant = [one for one in found if one.table.hex().startswith(digits.lower())]
        if not meant:
            raise NotGranted(Why.NOBODY_ASKS, text=digits, tables=tuple({one.table for one in found}))
        if len({(one.table, one.before, one.seat, one.terms) for one in meant}) > 1:
            raise NotGranted(Why.SEVERAL_ASK, text=digits)
        return meant

    def agree(self, called: Called) -> None:
        self._agreed[called.table] = called

    def has_agreed(self, called: Called) -> bool:
        """Return whether this very request was accepted, from whichever seat."""
        given = self._agreed.get(called.table)
        asked = called.before, called.seat, called.terms
        return given is not None and (given.before, given.seat, given.terms) == asked

    def awaits(self, table: bytes) -> bool:
        """Return whether this person has agreed to stand in at a table, and has not sat down there yet."""
        return table in self._agreed

    def sat_down(self, table: bytes) -> None:
        """Forget the consent: the person is at that table now."""
        self._agreed.pop(table, None)

    @property
    def agreed(self) -> list[bytes]:
        return list(self._agreed)
