"""A seat as faces know it: a state to show, wishes to make, notices to say. And the seat at a local table.

A place on the network is one as well (client/table/network/stage.py). No face needs more of a table to play there.
"""

from collections.abc import Callable
from typing import Any, Protocol

from quadrille.client.table.course import grant
from quadrille.client.table.effects import TableEffect
from quadrille.client.table.local import LocalTable
from quadrille.client.table.notices import Notice, Refused, Seats
from quadrille.client.table.wishes import Wish
from quadrille.net.entries.clocks import Clocks
from quadrille.rules.core import Over, State
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match
from quadrille.value import value


@value
class SeatState:
    """A table as one seat, or a watcher, may know it: `view` is the position. `mine` are the seats that move here.

    `concern` needs an answer or a choice. `thoughts` are those of bots, after the game.
    """

    match: Match
    view: State[Any, Any]
    seats: Seats
    mine: tuple[int, ...]
    over: Over | None = None
    clocks: Clocks | None = None
    concern: Notice | None = None
    thoughts: Thoughts = Thoughts()

    @property
    def turn(self) -> int | None:
        return self.match.turn

    @property
    def is_mine(self) -> bool:
        """Tell whether a move is to be made here."""
        return self.over is None and self.turn in self.mine


class Seat(Protocol):
    """A person's or a watcher's seat, at whatever table, or on the way to one."""

    @property
    def seats(self) -> Seats:
        """Return the names, for sentences."""

    def state(self) -> SeatState | None:
        """Return the table as it is now; None where there is none yet."""

    def wish(self, wish: Wish) -> None:
        """Grant a wish. A refusal is a notice."""

    def drain(self) -> list[Notice]:
        """Take the notices since the last call."""


class LocalSeat:
    """The people at a local table, before one keyboard."""

    def __init__(
        self,
        table: LocalTable,
        perform: Callable[[TableEffect], None],
        look: Callable[[LocalTable], object] = lambda _: None,
    ) -> None:
        """`perform` does what a granted wish needs of bots and files; `look` sees the table after each wish."""
        self.table = table
        self._perform = perform
        self._look = look
        self._notices: list[Notice] = []

    @property
    def seats(self) -> Seats:
        return self.table.seats

    def state(self) -> SeatState:
        table, match = self.table, self.table.match
        mine = () if table.paused else table.people
        return SeatState(
            match, table.view, self.seats, mine, match.over, table.clocks, table.trouble, table.told_thoughts
        )

    def wish(self, wish: Wish) -> None:
        self.table, wanted, said = grant(self.table, wish)
        self._look(self.table)
        self._notices += said
        for effect in wanted:
            try:
                self._perform(effect)
            except (RulesError, OSError) as error:
                self._notices.append(Refused(error))

    def drain(self) -> list[Notice]:
        notices, self._notices = self._notices, []
        return notices
