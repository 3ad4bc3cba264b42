"""A seat as faces know it: a state to show, wishes to make, notices to say.

TableSeat (table_seat.py) is one at any table. No face needs more of a table to play there.
"""

from typing import Any, Protocol

from quadrille.client.table.notices import Notice, Seats
from quadrille.client.table.wishes import Wish
from quadrille.net.entries.clocks import Clocks
from quadrille.rules.core import Over, State
from quadrille.rules.core.thoughts import Thoughts
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
