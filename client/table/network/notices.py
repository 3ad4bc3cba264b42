"""Notices of a person's part on the network, as frozen values with seats as numbers. client/words/network makes the
sentences.

A seat goes by its number, anybody else by a name that is fit to be shown. Some events are shown as they are and have
no notice: entries of a match (rules/match.py). It is long because it is one list: each face matches on the whole of it.
"""

from collections.abc import Container
from enum import Enum, auto
from typing import Self, TypeAlias

from quadrille.client.table.network.floods import Kind
from quadrille.client.value import value
from quadrille.net.entries.motions import TableMotion
from quadrille.net.entries.terms import Terms
from quadrille.rules.core.story import Consequence
from quadrille.rules.match import Adjudicated, Agreed, Left

#: A seat by its number, anybody else by name.
Who: TypeAlias = int | str


@value
class Seats:
    """The names of those who play by seat, and of those who sat down; the table's private room, if any; descriptions
    of players beside their names, if known: `level 2 of Ann`.
    """

    names: tuple[str, ...]
    owners: tuple[str, ...]
    room: str = ""
    kinds: tuple[str, ...] = ()


class Fact(Enum):
    """An event that one sentence tells; `About` adds its person, text, table and seat."""

    # At a table
    GAME_BEGAN = auto()
    SHUFFLED = auto()
    TABLE_WAITS = auto()
    RESIGNING = auto()
    STEPPED_ASIDE = auto()
    PLAYING_AGAIN = auto()
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
    STAND_IN_ASKED = auto()
    STAND_IN_COMES = auto()
    STANDS_IN_IDLE = auto()
    PLAYS_FOR_YOU = auto()
    PLAYS_AGAIN = auto()
    WANTS_REMATCH = auto()
    REMATCH_DECLINED = auto()
    REMATCH_REFUSED = auto()
    REMATCH_LEFT = auto()
    LOG_KEPT = auto()
    TABLE_KEPT = auto()
    # Before a game
    SEAT_GIVEN = auto()
    SEAT_REFUSED = auto()
    NOT_SEATED = auto()
    INVITED = auto()
    INVITATION_DECLINED = auto()
    GUEST_LET_IN = auto()
    GUEST_TURNED_AWAY = auto()
    GUEST_WENT = auto()
    ARRIVED = auto()
    ROOM_LEFT = auto()
    TABLE_CLOSED = auto()
    TABLE_REFUSED = auto()
    PEER_MISSING = auto()
    # Anywhere
    REMARK = auto()
    BLOCKED = auto()
    TURN_ELSEWHERE = auto()
    PLAYS_ON_ELSEWHERE = auto()
    AGREED_TO_PLAY_ON = auto()


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
    """A motion (net/entries/motions.py). `name` is that of the stand-in; `is_away`: it is about a seat that is gone."""

    kind: str
    number: int = 0
    name: str = ""
    is_away: bool = False

    @classmethod
    def of(cls, motion: TableMotion, away: Container[int] = ()) -> Self:
        """A motion for display; the seats `away` have no peer here."""
        return cls(motion.WORD, motion.number, motion.name, motion.number in away)


# Entries of the log


@value
class MovePlayed:
    """A seat has moved. `faces` are the cards that all have seen, `story` tells what matters about the move; a
    `forced` move was the only one.
    """

    seat: int
    move: str
    faces: tuple[str, ...] = ()
    forced: bool = False
    story: tuple[Consequence, ...] = ()


@value
class Carried:
    """A motion was carried."""

    motion: ShownMotion


class Redeal(Enum):
    """The reasons for a new deal of hidden cards."""

    LEFT = auto()
    STOOD_IN = auto()
    CAME_BACK = auto()


@value
class DealtAnew:
    """Hidden cards are dealt again because of a seat."""

    seat: int
    why: Redeal


@value
class CardsSeen:
    """Cards that this seat alone sees; after a new deal, its reason, and the faces ("" for none) seen in their places
    before.
    """

    faces: tuple[str, ...]
    anew: DealtAnew | None = None
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
    """These seats sign a motion; `again` if others had before. `answers`: this person has to answer."""

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
    """A seat has kept the table waiting for longer than agreed; it is `here` or gone. The others decide, if they are
    `several`.

    A copy could be continued, unless cards are `hidden`.
    """

    seat: int
    here: bool
    several: bool
    hidden: bool


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
    """A table that others offer."""

    table: bytes
    host: str
    terms: Terms
    taken: int


@value
class UnplayableTable:
    """Another's table that can't be played here, and why."""

    table: bytes
    host: str
    why: str


@value
class TablesFound:
    """The tables among which this person can choose."""

    tables: tuple[FoundTable, ...]
    unplayable: tuple[UnplayableTable, ...] = ()


@value
class NoTable:
    """The wanted table is not there yet; others are. `unexplained`: no cause is known.

    `silent`: nobody answers at the wanted `address`.
    """

    wanted: str
    others: tuple[FoundTable, ...]
    unplayable: tuple[UnplayableTable, ...]
    unexplained: bool
    address: str = ""
    silent: bool = False


class Role(Enum):
    """An arbiter's possible roles at the table."""

    SELF = auto()
    HOST = auto()
    SITTING = auto()
    OTHER = auto()


@value
class Arbiter:
    """The arbiter's key in the terms of a table, and what is known of its holder."""

    key: bytes
    role: Role
    name: str = ""


@value
class ArbiterShown:
    """A table has an arbiter: this person has to accept it or not. A person who can't be asked (`refused`) gets no
    seat.
    """

    arbiter: Arbiter
    refused: bool = False


@value
class GuestAsks:
    """A guest asks to sit down at this person's table; `number` identifies the request."""

    number: int
    name: str
    address: str


@value
class GuestGone:
    """A guest who asked has gone."""

    number: int


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


@value
class Untold:
    """Number of suppressed events of a kind, by somebody, or by others together ("")."""

    kind: Kind
    count: int
    who: str = ""


class Whereabouts(Enum):
    """The kinds of places where a person may be."""

    LOBBY = auto()
    ROOM = auto()
    TABLE = auto()


@value
class Invitation:
    """Somebody invites this person, who is at that place, to a table."""

    who: Who
    table: bytes
    terms: Terms
    place: Whereabouts


@value
class AwaitedAt:
    """A table that is not open here waits for this person.

    `owner` is the owner of the seat to stand in for, "" if the seat is its own.
    """

    who: str
    table: bytes
    owner: str = ""
    place: Whereabouts = Whereabouts.TABLE


@value
class AskedToPlayOn:
    """A seat asks this person to stand in for another one."""

    who: str
    table: bytes
    seat: int
    terms: Terms


EntryNotice: TypeAlias = MovePlayed | Left | Agreed | Adjudicated | Carried | Fact
NetworkNotice: TypeAlias = (
    EntryNotice | About | CardsSeen | DealtAnew | Replaced | LineSaid | TableStopped
    | CardsShown | ProposalTold | ProposedHere | DeclineTold | Overdue | ChairChanged | Present | TablesFound | NoTable
    | ArbiterShown | GuestAsks | GuestEntrance | Untold | Invitation | AwaitedAt | AskedToPlayOn
)  # fmt: skip
