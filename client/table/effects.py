"""Effects: requests of a table to the shell of its face. Values only; files and a bot for
hints answer with wishes (wishes.py).
"""

from typing import TypeAlias

from quadrille.client.table.players import Players
from quadrille.client.table.wishes import Load
from quadrille.rules.match import Match
from quadrille.value import value


@value
class Advise:
    """A hint from a bot for the seat to move: answered by `Hinted`."""

    ticket: int
    seat: int
    bot: str
    match: Match


@value
class Keep:
    """Write the game and its players to a file: answered by `Kept`."""

    name: str
    match: Match
    over: bool = False
    players: Players = Players()


TableEffect: TypeAlias = Advise | Keep | Load
