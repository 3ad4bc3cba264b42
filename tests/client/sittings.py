"""Tables at one keyboard, made for tests, as values: a sitting is a game that was set up and what was wished since.

A wish makes another sitting, whose table is the same one as long as nobody goes on from an earlier sitting; then all is
wished again at a table of its own. A number among the wishes is the time in milliseconds.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Self

from quadrille.client.kept.own_tables import OwnTables
from quadrille.client.table.effects import TableEffect
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import Notice
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import Begin, TimeIs, Wish
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Match, Played


@lru_cache(maxsize=1)
def _tables() -> OwnTables:
    return OwnTables(tempfile.mkdtemp(prefix="sittings-"))


class _Live:
    """A table, its clock, and the number of wishes that it has heard."""

    def __init__(self, setup: GameSetup, ticket: int, now: int, *, keeps: bool) -> None:
        self.now, self.heard = now, 0
        self.effects: list[TableEffect] = []
        own = OwnTables(_tables().at_home, now=lambda: self.now)
        own._identity = _tables().identity
        self.seat: TableSeat = own.sit(setup, self.effects.append, keeps=keeps)
        self.seat.held.ticket = ticket

    def wish(self, wish: Wish | int) -> None:
        self.heard += 1
        if isinstance(wish, int):
            self.now, wish = wish, TimeIs()
        self.effects.clear()
        self.seat.wish(wish)


def values(seat: TableSeat) -> tuple[Any, ...]:
    """All that a table has now, to be compared."""
    return (seat.match.entries, seat.match.deal, replace(seat.held))


class Sitting:
    """What is there after some wishes: the table's own queries, and the `effects` and what was `said` by the last."""

    def __init__(
        self, setup: GameSetup, wished: Sequence[Wish | int] = (), *, ticket: int = 0, now: int = 0, keeps: bool = False
    ) -> None:
        self.setup_at_first, self.wished, self._ticket, self._now, self._keeps = (
            setup,
            tuple(wished),
            ticket,
            now,
            keeps,
        )
        self.effects: tuple[TableEffect, ...] = ()
        self.said: tuple[Notice, ...] = ()
        self._live: _Live | None = None
        if self.wished:
            live = self._lively(0)
            for wish in self.wished[:-1]:
                live.wish(wish)
                live.seat.drain()
            self._last(live)

    @classmethod
    def of(
        cls, match: Match, bots: Sequence[str], clock: TimeControl | None = None, names: Sequence[str] = (), **more: Any
    ) -> Self:
        return cls(GameSetup.of(match, bots, clock, names), **more)

    def _lively(self, heard: int) -> _Live:
        if self._live is None or self._live.heard != heard:
            self._live = _Live(self.setup_at_first, self._ticket, self._now, keeps=self._keeps)
        return self._live

    def _last(self, live: _Live) -> None:
        live.wish(self.wished[-1])
        self._live, self.effects, self.said = live, tuple(live.effects), tuple(live.seat.drain())

    @property
    def seat(self) -> TableSeat:
        """The table itself, as it is after these wishes and no others."""
        live = self._lively(len(self.wished))
        for wish in self.wished[live.heard :]:
            live.wish(wish)
            live.seat.drain()
        return live.seat

    def apart(self) -> TableSeat:
        """A table of its own, as it is after these wishes: whatever happens there, the sitting stays."""
        live = _Live(self.setup_at_first, self._ticket, self._now, keeps=self._keeps)
        for wish in self.wished:
            live.wish(wish)
            live.seat.drain()
        return live.seat

    def after(self, *wishes: Wish | int) -> "Sitting":
        made = self
        for wish in wishes:
            live = made._live if made._live is not None and made._live.heard == len(made.wished) else None
            following = Sitting.__new__(Sitting)
            following.__dict__.update(made.__dict__, wished=(*made.wished, wish), _live=None)
            if live is None:
                following.__init__(  # type: ignore[misc]
                    made.setup_at_first, following.wished, ticket=made._ticket, now=made._now, keeps=made._keeps
                )
            else:
                following._last(live)
            made = following
        return made

    def begun(self) -> "Sitting":
        return self.after(Begin())

    def __getattr__(self, name: str) -> Any:
        """Look up what the table or its held seats have."""
        if name.startswith("_"):
            raise AttributeError(name)
        seat = self.seat
        return getattr(seat, name) if hasattr(type(seat), name) else getattr(seat.held, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sitting) and self.values == other.values

    __hash__ = None  # type: ignore[assignment]

    @property
    def values(self) -> tuple[Any, ...]:
        return values(self.seat)

    @property
    def moves(self) -> list[str]:
        return [str(entry.move) for entry in self.match.entries if isinstance(entry, Played)]
