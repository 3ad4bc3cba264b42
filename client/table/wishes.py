"""Wishes of people at a table and before one, what a granted one asks of bots and files, and their answers: values.

A table grants them by table_seat.py, another place on the network by client/table/network/. Both refuse what has no
meaning there.
"""

from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.client.table.notices import About, HintGiven
    from quadrille.client.table.players import Players
    from quadrille.net.entries.terms import Terms
    from quadrille.rules.match import Entry, Match


class BareWish(Enum):
    """Wishes without arguments, by their words."""

    RESIGN = "resign"
    REMATCH = "rematch"  # everybody one seat further
    LEAVE = "quit"  # a face asks before a game would be lost
    UNCOVER = "uncover"  # the next step of handing the keyboard over: hide the hand, then show the next one
    AGREE = "yes"
    DECLINE = "no"  # or withdraw this person's own proposal
    DRAW = "draw"
    PAUSE = "pause"  # at one keyboard until the wish is repeated, among several peers until the next move
    WAIT = "wait"  # for a seat that is gone, or a bot that thinks
    DROP = "drop"  # propose that the seat that keeps the table waiting leaves the game
    FLAG = "flag"  # propose that the seat whose time is up leaves the game
    TAKE_SEAT_BACK = "back"  # end a stand-in's play for this person
    OPEN_BOOK = "book"
    START = "start"
    ASK_FOR_SEAT = "join"
    ASK_WHO = "who"
    SHOW_ENTRANCE = "phones"  # show how guests come to this person's table
    LIST_TABLES = "tables"
    CHAT = "chat"  # read what was said


class Verb(Enum):
    """Words of wishes with a text."""

    SAY = "say"  # a chat line for all at the table
    STAND_IN = "stand-in"  # another bot plays in the seat to move; on the network that of this program
    INVITE = "invite"  # to sit down or to watch
    BLOCK = "block"
    KICK = "kick"  # free somebody's seat
    HAND = "hand"  # propose that another player here plays this person's seat from now on
    NEXT = "next"  # open another game, by its name with options, for those who are here; put away the present one
    HINT = "hint"  # from a bot, for the person to move at a local table
    EVENING = "evening"  # show the points of the evening, or write them to a file as a page


@value
class TextWish:
    """A word and its text: a line, a bot, somebody's name, a game or a file."""

    word: Verb
    text: str


@value
class PlayMove:
    """A move, as text."""

    text: str


@value
class Takeback:
    """Take back that number of own moves, or on the network of the moves of all seats; with 0 the person's last choice,
    and all since.
    """

    moves: int = 0


@value
class Against:
    """Put bots into the seats of the others: one bot into all of them, or one each; people, if there are none."""

    bots: tuple[str, ...]


@value
class Save:
    """Save the game to a file; `over` allows another file to be overwritten."""

    name: str
    over: bool = False


# At a local table only


@value
class PlayOn:
    """Play on from the position after that many entries."""

    entries: int


@value
class Load:
    """Load a game from a file: the wish, and the effect that a face performs and answers by `Loaded`."""

    name: str


@value
class SeatBots:
    """Put these bots on free seats of a table that has not begun."""

    bots: tuple[str, ...]


@value
class OtherLine:
    """A line that begins with no command. Where tables are listed, it chooses one by its place in the list, its number,
    or the name of its host.
    """

    text: str


# Wishes that lead to a place on the network


@value
class JoinTable:
    """Sit down by a table's number or its first digits, its host's name, or an address; "" for the only table. `others`
    at this keyboard get seats of their own, and guests who come by phone as far as there are free ones. A person who
    does not sit `watches`.
    """

    wanted: str
    others: tuple[str, ...] = ()
    guests: int = 0
    watches: bool = False


@value
class Host:
    """Open a table, with bots that come along and chairs reserved for guests, perhaps each after a question; `others`
    play at this keyboard.
    """

    terms: "Terms"
    bots: tuple[str, ...] = ()
    guests: int = 0
    asks_guests: bool = False
    others: tuple[str, ...] = ()


@value
class Return:
    """Return to this person's table, at play or unfinished. `opens`: a game at this keyboard, whose bots' seats others
    may take.
    """

    wanted: str
    opens: bool = False


class PluggedWish:
    """The base of wishes that only the front of a plugged command grants."""


# Effects, which a table asks of the shell of its face, and the answers of bots and files


@value
class Advise:
    """A hint from a bot for the seat to move: answered by `Hinted`."""

    ticket: int
    seat: int
    bot: str
    match: "Match"


@value
class Keep:
    """Write the game and its players to a file, perhaps `over` one that is not its `own`: answered by `Kept`."""

    name: str
    match: "Match"
    players: "Players"
    over: bool = False
    own: tuple[str, ...] = ()


@value
class Hinted:
    """A bot was asked for a hint in the position of that ticket, and gave one or none."""

    ticket: int
    notice: "HintGiven | About"


@value
class Kept:
    """The game was written to a file. A page has no `name`, because no game can be loaded from it."""

    name: str
    path: str
    entries: "tuple[Entry, ...]" = ()


@value
class WrittenDown:
    """The game is written down as it goes on; if not, `why`."""

    why: str = ""


@value
class Loaded:
    """A game was read, with its players as far as they are known."""

    name: str
    match: "Match"
    players: "Players"


Answer: TypeAlias = Hinted | Kept | WrittenDown | Loaded
PlaceWish: TypeAlias = JoinTable | Host | Return
#: The wishes that a face sends to a person's place on the network.
NetworkWish: TypeAlias = PlayMove | Takeback | Save | BareWish | TextWish | SeatBots | OtherLine
Wish: TypeAlias = NetworkWish | Against | PlayOn | Load | PluggedWish | Answer
TableEffect: TypeAlias = Advise | Keep | Load
