"""Wishes of people at a table, and answers of bots and files. Values only; client/table/course.py grants them.

The first group is understood at tables on the network as well, where wishes become proposals.
"""

from typing import TypeAlias

from quadrille.client.table.players import Players
from quadrille.client.value import value
from quadrille.rules.match import Entry, Match


@value
class PlayMove:
    """A move, as text."""

    text: str


@value
class Takeback:
    """Take back that number of own moves."""

    moves: int = 1


@value
class ProposeMotion:
    """ "draw", "pause", "wait", or what else a table on the network knows."""

    what: str
    words: str = ""


@value
class ResignSeat:
    """Out of the game."""


@value
class Rematch:
    """Once more, everybody one seat further."""


@value
class Say:
    """A line to all at the table."""

    text: str


@value
class Against:
    """Bots take the seats of the others: one all of them, or several one each; people do, if there is none."""

    bots: tuple[str, ...]


# At a local table only


@value
class Begin:
    """The table is shown for the first time."""


@value
class TimeIs:
    """The face has looked at its clock: the time in milliseconds."""

    now: int


@value
class StandIn:
    """Another bot plays on in the seat whose turn it is."""

    bot: str


@value
class Hint:
    """Advice from a bot to the person whose turn it is."""

    bot: str


@value
class PlayOn:
    """The game goes on from the position after so many entries."""

    entries: int


@value
class Uncover:
    """The next step of handing the keyboard over: the hand is hidden, then the next one is shown."""


@value
class Save:
    """The game into a file; `over` writes over another file."""

    name: str
    over: bool = False


@value
class Load:
    """Another game from a file: the wish, and the effect that a shell performs and answers by `Loaded`."""

    name: str


@value
class LeaveTable:
    """Away from the table; wished twice in a row where a game would be lost."""


@value
class StayAfterAll:
    """Not away after all: the next `LeaveTable` asks again."""


# What bots and files answer


@value
class Heard:
    """A bot has been asked for its move in the position of that ticket, and thinks: its time runs from now on."""

    ticket: int


@value
class Moved:
    """A bot has chosen its move in the position of that ticket."""

    ticket: int
    move: str


@value
class Hinted:
    """A bot has been asked for a hint, and would play this."""

    ticket: int
    move: str


@value
class Faulted:
    """A bot could not do what it was asked for; `late`: its time was up. `why` follows the bot's name."""

    ticket: int
    why: str
    late: bool = False
    bot: str = ""


@value
class Slow:
    """A bot has been asked for a move, and has not answered for so many seconds."""

    ticket: int
    seconds: float


@value
class Answered:
    """A bot has answered to the offer of a draw."""

    ticket: int
    seat: int
    agrees: bool


@value
class Kept:
    """The game was written to a file. A page has no `name`: no game can be loaded from it."""

    name: str
    path: str
    entries: tuple[Entry, ...] = ()


@value
class WrittenDown:
    """The game is written down as it goes on; if not, `why`."""

    why: str = ""


@value
class Loaded:
    """Another game has been read, and who played it, as far as that is known."""

    name: str
    match: Match
    players: Players = Players()


BotAnswer: TypeAlias = Heard | Moved | Hinted | Faulted | Slow | Answered
FileAnswer: TypeAlias = Kept | WrittenDown
Answer: TypeAlias = BotAnswer | FileAnswer | Loaded
Wish: TypeAlias = (
    PlayMove | Takeback | ProposeMotion | ResignSeat | Rematch | Say | Against | Begin | TimeIs | StandIn | Hint
    | PlayOn | Uncover | Save | Load | LeaveTable | StayAfterAll | Answer
)  # fmt: skip
