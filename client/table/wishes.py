"""Wishes of people at a table, and answers of bots and files. Values only; client/table/course.py grants them.

The first group is understood at tables on the network as well, where wishes become proposals.
"""

from dataclasses import dataclass
from typing import TypeAlias

from quadrille.rules.match import Entry, Match


@dataclass(frozen=True, slots=True)
class PlayMove:
    """A move, as text."""

    text: str


@dataclass(frozen=True, slots=True)
class Takeback:
    """Take back that number of own moves."""

    moves: int = 1


@dataclass(frozen=True, slots=True)
class ProposeMotion:
    """ "draw", "pause", "wait", or what else a table on the network knows."""

    what: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class ResignSeat:
    """Out of the game."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Once more, everybody one seat further."""


@dataclass(frozen=True, slots=True)
class Say:
    """A line to all at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Against:
    """Bots take the seats of the others: one all of them, or several one each; people do, if there is none."""

    bots: tuple[str, ...]


# At a local table only


@dataclass(frozen=True, slots=True)
class Begin:
    """The table is shown for the first time."""


@dataclass(frozen=True, slots=True)
class TimeIs:
    """The face has looked at its clock: the time in milliseconds."""

    now: int


@dataclass(frozen=True, slots=True)
class StandIn:
    """Another bot plays on in the seat whose turn it is."""

    bot: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice from a bot to the person whose turn it is."""

    bot: str


@dataclass(frozen=True, slots=True)
class PlayOn:
    """The game goes on from the position after so many entries."""

    entries: int


@dataclass(frozen=True, slots=True)
class Uncover:
    """The next step of handing the keyboard over: the hand is hidden, then the next one is shown."""


@dataclass(frozen=True, slots=True)
class Save:
    """The game into a file; `over` writes over another file."""

    name: str
    over: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """Another game from a file: the wish, and the effect that a shell performs and answers by `Loaded`."""

    name: str


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Away from the table; wished twice in a row where a game would be lost."""


@dataclass(frozen=True, slots=True)
class StayAfterAll:
    """Not away after all: the next `LeaveTable` asks again."""


# What bots and files answer


@dataclass(frozen=True, slots=True)
class Heard:
    """A bot has been asked for its move in the position of that ticket, and thinks: its time runs from now on."""

    ticket: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A bot has chosen its move in the position of that ticket."""

    ticket: int
    move: str


@dataclass(frozen=True, slots=True)
class Hinted:
    """A bot has been asked for a hint, and would play this."""

    ticket: int
    move: str


@dataclass(frozen=True, slots=True)
class Faulted:
    """A bot could not do what it was asked for; `late`: its time was up. `why` follows the bot's name."""

    ticket: int
    why: str
    late: bool = False
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Slow:
    """A bot has been asked for a move, and has not answered for so many seconds."""

    ticket: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Answered:
    """A bot has answered to the offer of a draw."""

    ticket: int
    seat: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """The game was written to a file."""

    name: str
    path: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Loaded:
    """Another game has been read."""

    name: str
    match: Match


BotAnswer: TypeAlias = Heard | Moved | Hinted | Faulted | Slow | Answered
Answer: TypeAlias = BotAnswer | Kept | Loaded
Wish: TypeAlias = (
    PlayMove | Takeback | ProposeMotion | ResignSeat | Rematch | Say | Against | Begin | TimeIs | StandIn | Hint
    | PlayOn | Uncover | Save | Load | LeaveTable | StayAfterAll | Answer
)  # fmt: skip
