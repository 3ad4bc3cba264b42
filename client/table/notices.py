"""Notices: events of a table, and of the way to one, for people. client/words/sentences.py has the sentences.

They are frozen values. A seat goes by its number, anybody else by a name that is fit to be shown. Some events are shown
as they are and have no notice: entries of a match (rules/match.py). It is long because it is one list.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import field
from enum import Enum, auto
from typing import Final, Self, TypeAlias

from quadrille.net.entries.motions import TableMotion
from quadrille.net.entries.terms import Terms
from quadrille.rules.core.talk import Consequence
from quadrille.rules.core.thoughts import Reason
from quadrille.rules.match import Adjudicated, Agreed, Left
from quadrille.value import value

#: A seat by its number, anybody else by name.
Who: TypeAlias = int | str
PASSING: Final = "pass"


@value
class Seats:
    """The names of those who play by seat, and of those who sat down; the table's private room, if any; descriptions
    of players beside their names, if known: `level 2 of Ann`; `by_touch` for a guest, who types no words.
    """

    names: tuple[str, ...]
    owners: tuple[str, ...]
    room: str = ""
    kinds: tuple[str, ...] = ()
    by_touch: bool = False

    @classmethod
    def of(cls, names: Iterable[str], kinds: Iterable[str] = ()) -> Self:
        """Seat people who play for themselves."""
        known = tuple(names)
        return cls(known, known, kinds=tuple(kinds))


# Refusals


class Why(Enum):
    """The reasons for which a wish is refused. Errors of rules, tables, peers and files have sentences of their own."""

    NONE_TO_TAKE_BACK = auto()
    TOO_FEW_TO_TAKE_BACK = auto()
    PAUSED = auto()
    BOTS_TURN = auto()
    OUT = auto()
    NO_SEAT = auto()
    NOT_YOUR_TURN = auto()
    ONLY_WATCHING = auto()
    NO_BOT_TO_MOVE = auto()
    NOT_OVER = auto()
    NO_HINT_NOW = auto()
    NO_HINTS = auto()
    HAND_UNTOLD = auto()
    NOBODY_HEARS = auto()
    # On the network
    HAS_SEAT = auto()
    NO_GUEST_OF_YOURS = auto()
    NO_HIDDEN_CARDS = auto()
    BOOK_LATER = auto()
    BAD_LINE = auto()
    ONLY_LOOKED_ON = auto()
    OVER = auto()
    PAUSED_ALREADY = auto()
    NOTHING_TO_ANSWER = auto()
    NOTHING_PROPOSED = auto()
    NO_CLOCK = auto()
    OWN_CLOCK = auto()
    ONLY_TWO = auto()
    NOBODY_PLAYS_FOR_YOU = auto()
    FILE_MISSING = auto()
    NO_TABLE_YET = auto()
    TABLE_GONE = auto()
    NO_GUESTS = auto()
    # Lines that were misread, rather than wishes that can't be granted
    NAME_MISSING = auto()
    WHICH_BOT = auto()
    # About what a `Refused` adds
    NOBODY_SITS = auto()
    NO_ONE_TABLE = auto()
    NO_COMMAND = auto()
    NOBODY_OVERDUE = auto()
    NOT_HERE = auto()
    ANSWER_FIRST = auto()
    AGREED_ALREADY = auto()
    AWAY = auto()
    NOBODY_CALLED = auto()
    SEVERAL_CALLED = auto()
    TOO_FEW = auto()
    NO_SEAT_FREE = auto()


#: The reasons that say how to write a line.
MISREAD: Final = frozenset({Why.NAME_MISSING, Why.WHICH_BOT, Why.NO_COMMAND, Why.NOT_HERE})


@value
class Refused:
    """A wish was refused, and everything stays as it was. `about` fills the gaps of the sentence."""

    why: Why | Exception
    about: Mapping[str, object] = field(default_factory=dict)


class NotGranted(Exception):
    """A table, or a place on the network, refuses a wish."""

    def __init__(self, cause: Why, **about: object) -> None:
        self.refused = Refused(cause, about)


class Fact(Enum):
    """An event that one sentence tells; `About` adds its person, text, table and seat."""

    # At a local table
    TAKEN_BACK = auto()
    HINT_ASKED = auto()
    HINT_MISSED = auto()
    BOT_SLOW = auto()
    ROTATED = auto()
    NOT_KEPT = auto()
    GAME_LOADED = auto()
    WOULD_BE_LOST = auto()
    # At a table on the network
    GAME_BEGAN = auto()
    SHUFFLED = auto()
    TABLE_WAITS = auto()
    RESIGNING = auto()
    STEPPED_ASIDE = auto()
    MAY_WATCH = auto()
    MUTED = auto()
    GONE = auto()
    BACK = auto()
    OPENED_BOOK = auto()
    LAPSED = auto()
    CLOCK_LOW = auto()
    SIGNED_TWICE = auto()
    SIGNED_FALSELY = auto()
    SENT_FAULT = auto()
    SENT_SIGNED_FAULT = auto()
    STAND_IN_COMES = auto()
    STAND_IN_MISSING = auto()
    PLAYS_FOR_YOU = auto()
    PLAYS_AGAIN = auto()
    WANTS_REMATCH = auto()
    REMATCH_REFUSED = auto()
    REMATCH_LEFT = auto()
    TABLE_KEPT = auto()
    SHARE_TAKEN = auto()
    SHARE_BROUGHT = auto()
    # Before a game
    SEAT_GIVEN = auto()
    IN_LINE = auto()
    SEAT_WANTED = auto()
    KEPT_BACK = auto()
    STARTS = auto()
    SEAT_REFUSED = auto()
    FURTHER_SEAT_REFUSED = auto()
    INVITED = auto()
    INVITATION_DECLINED = auto()
    GUEST_LET_IN = auto()
    GUEST_TURNED_AWAY = auto()
    GUEST_WENT = auto()
    GUEST_WAITS = auto()
    GUEST_ASLEEP = auto()
    ARRIVED = auto()
    ROOM_LEFT = auto()
    TABLE_CLOSED = auto()
    TABLE_REFUSED = auto()
    PEER_MISSING = auto()
    # Anywhere
    REMARK = auto()
    BLOCKED = auto()
    TURN_ELSEWHERE = auto()
    AWAITED = auto()


@value
class About:
    """A fact with its person, foreign text, table and seat."""

    fact: Fact
    who: Who = ""
    text: str = ""
    table: bytes = b""
    seat: int | None = None


@value
class ShownMotion:
    """A motion (net/entries/motions.py). `name` is that of the stand-in; `is_away`: it is about a seat that is gone;
    `former` is who held a seat that has been handed on since, perhaps somebody `alike` by name.
    """

    kind: str
    number: int = 0
    name: str = ""
    is_away: bool = False
    former: str = ""
    alike: bool = False

    @classmethod
    def of(cls, motion: TableMotion, away: Container[int] = ()) -> Self:
        """Return a motion for display; the seats `away` have no peer here."""
        return cls(motion.WORD, motion.number, motion.name, motion.number in away)


# Any table


@value
class MoveMade:
    """A seat has moved, by entry `number` of the match. `faces` are the cards that the reader has seen, `story` tells
    what matters about the move; a `forced` move was the only one.
    """

    seat: int
    move: str
    faces: tuple[str, ...] = ()
    forced: bool = False
    story: tuple[Consequence, ...] = ()
    number: int = 0


@value
class BotStopped:
    """The bot to move, started by `bot`, has stopped. `why` follows its name."""

    seat: int
    why: str
    bot: str = ""


@value
class HintGiven:
    """A bot's hint: the move that it would play, perhaps with the reason."""

    bot: str
    move: str
    reason: Reason | None = None


@value
class SeatsTaken:
    """These bots take the other seats from now on; people do, if there are none."""

    bots: tuple[str, ...]


@value
class GameKept:
    """The game is saved in that file; `is_log`: with all signatures; `lacks`: some seats may still open books."""

    path: str
    is_log: bool = False
    lacks: bool = False


@value
class EveningTold:
    """The points of the evening, in lines."""

    lines: tuple[str, ...]


# Entries of a log


@value
class Carried:
    """A motion was carried."""

    motion: ShownMotion


@value
class CardsSeen:
    """Cards that this seat alone sees; after a new deal, its reason, and the faces ("" for none) seen in their places
    before.
    """

    faces: tuple[str, ...]
    anew: About | None = None
    before: tuple[str, ...] = ()


class Instead(Enum):
    """The replaced entry."""

    ENTRIES = auto()
    END = auto()
    END_TO_GO_ON = auto()


class Cause(Enum):
    """The reasons why entries were replaced."""

    BEGAN_LATER = auto()
    SIGNED_TWICE = auto()
    DECIDED_TWICE = auto()
    DECIDED_BEFORE = auto()
    MOVED_BEFORE = auto()
    KEPT_BY_OTHERS = auto()


@value
class Replaced:
    """Entries that were read were replaced. The cause concerns `seat`, if it is known."""

    what: Instead
    count: int
    cause: Cause
    seat: int | None = None


# Actions of others at the table


@value
class LineSaid:
    """Somebody said something to all at the table; `own`: this person."""

    who: Who
    line: str
    own: bool = False


@value
class TableStopped:
    """The table can't go on because of `who` ("" for nobody); `own`: another program plays with this identity."""

    why: str
    who: Who = ""
    own: bool = False
    table: bytes = b""


@value
class CardsShown:
    """The places of all cards, after all books were opened: of each deal its name, whether it is a later one, its
    cards.
    """

    deals: tuple[tuple[str, bool, tuple[str, ...]], ...]


# Proposals


@value
class ProposalTold:
    """These seats sign a motion; `again` if others had before, or may have. `answers`: this person has to answer."""

    motion: ShownMotion
    seats: tuple[int, ...]
    again: bool = False
    answers: bool = False


@value
class ProposedHere:
    """The person here signs a motion, which these seats must sign too; `again` if others had signed it before."""

    motion: ShownMotion
    missing: tuple[int, ...]
    again: bool = False


@value
class DeclineTold:
    """Somebody refuses; None is this person."""

    motion: ShownMotion
    who: Who | None = None


@value
class Overdue:
    """A seat has kept the table waiting for longer than agreed; it `is_here` or gone. The others decide, if they are
    `several`.

    A copy could be continued, unless cards are `hidden`.
    """

    seat: int
    is_here: bool
    several: bool
    hidden: bool


@value
class Missing:
    """These seats are gone. If the others are `several`, they may decide in that many milliseconds.

    `copy`: a copy of the game can be continued against a bot. `sits`: whoever reads it has a seat to come back to.
    """

    seats: tuple[int, ...]
    several: bool
    copy: bool
    sits: bool
    left: int


# Before a game


@value
class ChairChanged:
    """Somebody `sits` down or has left; that many seats are taken then."""

    who: str
    sits: bool
    taken: int
    seats: int


@value
class Present:
    """Those who sit at the table ("" for this person) and those who are on the network.

    `missing` are sentences about peers that should be here.
    """

    sitting: tuple[str, ...]
    others: tuple[str, ...]
    taken: int
    seats: int
    missing: tuple[str, ...]


@value
class FoundTable:
    """A table that others offer, and `why` it can't be played here."""

    table: bytes
    host: str
    terms: Terms
    taken: int
    why: str = ""

    @property
    def seats(self) -> int:
        return self.terms.seats


@value
class TablesFound:
    """The tables among which this person can choose."""

    tables: tuple[FoundTable, ...]
    unplayable: tuple[FoundTable, ...] = ()


@value
class NoTable:
    """The wanted table is not there yet; others are. `unexplained`: no cause is known. `silent`: nobody answers at the
    wanted `address`. A person who `watches` wants a game at play.
    """

    wanted: str
    others: tuple[FoundTable, ...]
    unplayable: tuple[FoundTable, ...]
    unexplained: bool
    address: str = ""
    silent: bool = False
    watches: bool = False


@value
class GuestAsks:
    """A guest asks to sit down at this person's table; `number` tells it from other requests."""

    number: int
    name: str
    address: str


@value
class GuestEntrance:
    """How guests come to this person's table, for each address of this machine, the likeliest first: what they type
    into a browser, which then asks for the `code`. Each link has a secret in place of the code. Unless
    it is `outside`, other machines do not reach this one. `wifi` is the name of a Wi-Fi, and what a phone scans to
    join it. `seats` are the guests who sit, each with the code by which another phone takes over.
    """

    code: str
    pages: tuple[str, ...]
    links: tuple[str, ...]
    outside: bool = True
    wifi: tuple[str, str] | None = None
    seats: tuple[tuple[str, str], ...] = ()


# Anywhere on the network


class Kind(Enum):
    """The kinds of events that others can cause at any rate (client/table/stage.py)."""

    CHAT = auto()
    NAME = auto()
    INVITATION = auto()
    PROPOSAL = auto()
    BLAME = auto()
    COMING = auto()


@value
class Untold:
    """Number of suppressed events of a kind, by somebody, or by others together ("")."""

    kind: Kind
    count: int
    who: str = ""


@value
class Invitation:
    """Somebody invites this person to a table."""

    who: str
    table: bytes
    terms: Terms


EntryNotice: TypeAlias = MoveMade | Left | Agreed | Adjudicated | Carried | Fact
Notice: TypeAlias = (
    EntryNotice | Refused | About | BotStopped | HintGiven | SeatsTaken
    | GameKept | EveningTold | CardsSeen | Replaced | LineSaid | TableStopped | CardsShown | ProposalTold | ProposedHere
    | DeclineTold | Overdue | Missing | ChairChanged | Present | TablesFound | NoTable | GuestAsks
    | GuestEntrance | Untold | Invitation
)  # fmt: skip
