"""Wishes of people at a table, and answers of bots and files. Values only; client/table/course.py grants them.

Tables on the network take the first group too, and turn some of them into proposals.
"""

from typing import TypeAlias

from quadrille.client.table.players import Players
from quadrille.client.value import value
from quadrille.rules.core.reasons import Reason
from quadrille.rules.core.thoughts import Thought
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
    """ "draw", "pause", "wait", or another motion of a table on the network."""

    what: str
    words: str = ""


@value
class ResignSeat:
    """Leave the game."""


@value
class Rematch:
    """Play again, everybody one seat further."""


@value
class Say:
    """A chat line for all at the table."""

    text: str


@value
class Against:
    """Put bots into the seats of the others: one bot into all of them, or one each; people, if there are none."""

    bots: tuple[str, ...]


# At a local table only


@value
class Begin:
    """The table is shown for the first time."""


@value
class TimeIs:
    """The face has read its clock: the time in milliseconds."""

    now: int


@value
class StandIn:
    """Another bot plays on in the seat to move."""

    bot: str


@value
class Hint:
    """A hint from a bot for the person to move."""

    bot: str


@value
class PlayOn:
    """Play on from the position after that many entries."""

    entries: int


@value
class Uncover:
    """The next step of handing the keyboard over: hide the hand, then show the next one."""


@value
class Save:
    """Save the game to a file; `over` allows another file to be overwritten."""

    name: str
    over: bool = False


@value
class Load:
    """Load a game from a file: the wish, and the effect that a face performs and answers by `Loaded`."""

    name: str


@value
class LeaveTable:
    """Leave the table; must be wished twice in a row if a game would be lost."""


@value
class StayAfterAll:
    """Stay after all: the next `LeaveTable` asks again."""


class PluggedWish:
    """The base of wishes that only the front of a plugged command grants."""


# Answers of bots and files


@value
class Heard:
    """A bot received the position of that ticket and thinks: its clock runs from now on."""

    ticket: int


@value
class Moved:
    """A bot chose its move in the position of that ticket. Its `thought` is shown when the game is over."""

    ticket: int
    move: str
    thought: Thought | None = None


@value
class Hinted:
    """A bot gave a hint: it would play this move, perhaps for this reason."""

    ticket: int
    move: str
    reason: Reason | None = None


@value
class Faulted:
    """A bot failed at its task; `late`: its time was up. `why` follows the bot's name."""

    ticket: int
    why: str
    late: bool = False
    bot: str = ""


@value
class Slow:
    """A bot has not answered for that many seconds."""

    ticket: int
    seconds: float


@value
class Answered:
    """A bot answered the offer of a draw."""

    ticket: int
    seat: int
    agrees: bool


@value
class Kept:
    """The game was written to a file. A page has no `name`, because no game can be loaded from it."""

    name: str
    path: str
    entries: tuple[Entry, ...] = ()


@value
class WrittenDown:
    """The game is written down as it goes on; if not, `why`."""

    why: str = ""


@value
class Loaded:
    """A game was read, with its players as far as they are known."""

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
