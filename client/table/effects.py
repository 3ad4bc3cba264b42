"""Effects: requests of a table to the shell of its face. Values only; bots and files answer with wishes (wishes.py)."""

from typing import TypeAlias

from quadrille.client.table.players import Players
from quadrille.client.table.wishes import Load
from quadrille.net.entries.clocks import Clocks
from quadrille.rules.match import Match
from quadrille.value import value


@value
class Think:
    """A bot's move: answered by `Heard`, then by `Moved` or `Faulted`, and by `Slow` before it where no clock runs."""

    ticket: int
    seat: int
    bot: str
    match: Match
    timer: Clocks | None = None


@value
class Advise:
    """A hint from a bot for the seat to move: answered by `Hinted` or `Faulted`."""

    ticket: int
    seat: int
    bot: str
    match: Match


@value
class OfferDraw:
    """A draw is offered to a bot: answered by `Answered`."""

    ticket: int
    seat: int
    by: int
    match: Match


@value
class Settled:
    """The game is over, or another begins: bots may learn it."""

    match: Match


@value
class Keep:
    """Write the game and its players to a file: answered by `Kept`."""

    name: str
    match: Match
    over: bool = False
    players: Players = Players()


@value
class Wake:
    """Read the clock in that many milliseconds."""

    after: int


@value
class Quit:
    """End the session."""

    code: int = 0


TableEffect: TypeAlias = Think | Advise | OfferDraw | Settled | Keep | Load | Wake | Quit
