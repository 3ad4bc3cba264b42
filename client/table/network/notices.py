"""News of a person's part on the network, as frozen values with seats as numbers. client/words/network says them.

A seat goes by its number, anybody else by a name that is fit to be shown. What a match or a table on the network tells
as it is has no notice of its own: entries of a match (rules/match.py) and `Doubted` (net/game_log/news.py).
"""

from collections.abc import Container
from enum import Enum, auto
from typing import Self, TypeAlias

from quadrille.client.table.network.floods import Kind
from quadrille.client.value import value
from quadrille.net.entries.motions import TableMotion
from quadrille.net.entries.terms import Terms
from quadrille.net.game_log.news import Doubted
from quadrille.rules.core.story import Consequence
from quadrille.rules.match import Adjudicated, Agreed, Left

#: A seat by its number, anybody else by a name.
Who: TypeAlias = int | str


@value
class Seats:
    """The names of those who play, seat by seat, and of those who sat down; the private room of the table, if any; what
    those who play are beside their names, if it is known of them: `level 2 of Ann`.
    """

    names: tuple[str, ...]
    owners: tuple[str, ...]
    room: str = ""
    kinds: tuple[str, ...] = ()


class Fact(Enum):
    """News that one sentence tells; `About` says whom and what it is about, unless it is about nothing else."""

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
    """A fact, and whom, which foreign words, which table and the chair of which seat it is about."""

    fact: Fact
    who: Who = ""
    text: str = ""
    table: bytes = b""
    seat: int | None = None


@value
class ShownMotion:
    """A motion (net/entries/motions.py). `name` is that of somebody who is to stand in, `is_away` about a seat that is
    gone.
    """

    kind: str
    number: int = 0
    name: str = ""
    is_away: bool = False

    @classmethod
    def of(cls, motion: TableMotion, away: Container[int] = ()) -> Self:
        """A motion as it is shown; the seats `away` have no peer here."""
        return cls(motion.WORD, motion.number, motion.name, motion.number in away)


# Entries of the log


@value
class MovePlayed:
    """A seat has moved. `faces` are the cards that all have seen, `story` is what the move did that counts; a `forced`
    move was the only one.
    """

    seat: int
    move: str
    faces: tuple[str, ...] = ()
    forced: bool = False
    story: tuple[Consequence, ...] = ()


@value
class Carried:
    """What all have agreed on is done."""

    motion: ShownMotion


class Redeal(Enum):
    """The reasons for which hidden cards are dealt anew."""

    LEFT = auto()
    STOOD_IN = auto()
    CAME_BACK = auto()


@value
class DealtAnew:
    """The hidden cards are dealt anew, because of what became of a seat."""

    seat: int
    why: Redeal


@value
class CardsSeen:
    """Cards that this seat alone sees; after a new deal, why there was one, and the faces ("" for none) that it had
    seen in their places.
    """

    faces: tuple[str, ...]
    anew: DealtAnew | None = None
    before: tuple[str, ...] = ()


class Instead(Enum):
    """What others took the place of."""

    ENTRIES = auto()
    END = auto()
    END_TO_GO_ON = auto()


class Cause(Enum):
    """The reasons for which entries took the place of others."""

    BEGAN_LATER = auto()
    SIGNED_TWICE = auto()
    DECIDED_TWICE = auto()
    DECIDED_BEFORE = auto()
    MOVED_BEFORE = auto()
    KEPT_BY_OTHERS = auto()


@value
class Replaced:
    """Entries that were read were replaced by others. The `seat` is what the cause is about, if it is known."""

    what: Instead
    count: int
    cause: Cause
    seat: int | None = None


# What others do at the table


@value
class LineSaid:
    """Somebody said something to all at the table; `own` are the words of this person."""

    who: Who
    line: str
    own: bool = False


@value
class TableStopped:
    """The table can't go on. `who` did that, "" if it was nobody; `own`: another program plays with this identity."""

    why: str
    who: Who = ""
    own: bool = False
    table: bytes = b""


@value
class Understated:
    """The time beyond what seats stated, at the end: pairs of a seat and milliseconds."""

    totals: tuple[tuple[int, int], ...]


@value
class CardsShown:
    """Which card lay where, since all books are open: of each deal its name, whether it is a later one, its cards."""

    deals: tuple[tuple[str, bool, tuple[str, ...]], ...]


# Proposals


@value
class ProposalTold:
    """These seats sign a motion; `again` if others had before. `answers`: this person has to say yes or no."""

    motion: ShownMotion
    seats: tuple[int, ...]
    again: bool = False
    answers: bool = False


@value
class ProposedHere:
    """The person here signs a motion, which needs these seats too; `again` if others had signed it before."""

    motion: ShownMotion
    missing: tuple[int, ...]
    again: bool = False


@value
class DeclineTold:
    """Somebody does not agree: this person, if it is None."""

    motion: ShownMotion
    who: Who | None = None


@value
class Overdue:
    """A seat keeps the table waiting for longer than agreed; `here` or gone. The others decide, if they are `several`.

    A copy could be played on, unless cards are `hidden`.
    """

    seat: int
    here: bool
    several: bool
    hidden: bool


# Before a game


@value
class ChairChanged:
    """Somebody `sits` down, or has gone; so many seats are taken then."""

    who: str
    sits: bool
    taken: int
    seats: int


@value
class Present:
    """Those who sit at the table ("" for this person) and those who are on the network.

    `missing` tells in words of peers that should be here and are not.
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
    """A table of others that can't be played here, and why."""

    table: bytes
    host: str
    why: str


@value
class TablesFound:
    """The tables among which this person chooses."""

    tables: tuple[FoundTable, ...]
    unplayable: tuple[UnplayableTable, ...] = ()


@value
class NoTable:
    """The table that is wanted is not there yet; others are. `unexplained`: no cause is known that it is missing.

    `silent`: nobody answers at the `address` where it is wanted.
    """

    wanted: str
    others: tuple[FoundTable, ...]
    unplayable: tuple[UnplayableTable, ...]
    unexplained: bool
    address: str = ""
    silent: bool = False


class Role(Enum):
    """The places of an arbiter at the table that it may rule."""

    SELF = auto()
    HOST = auto()
    SITTING = auto()
    OTHER = auto()


@value
class Arbiter:
    """The key that the terms of a table name, and what is known of its holder."""

    key: bytes
    role: Role
    name: str = ""


@value
class ArbiterShown:
    """A table has an arbiter: this person has to say yes or no. One who can't be asked (`refused`) gets no seat."""

    arbiter: Arbiter
    refused: bool = False


@value
class GuestAsks:
    """A guest asks to sit down at this person's table; `number` is that of the question."""

    number: int
    name: str
    address: str


@value
class GuestGone:
    """A guest who asked has gone."""

    number: int


@value
class GuestEntrance:
    """How guests come to a table of this person, at each address of this machine, the likeliest first: what they type
    for telnet, and for a browser, which then wants the `code`. Each link has a secret in place of the code. Others do
    not reach this machine unless it is `outside`. `wifi` is the name of a Wi-Fi, and what a phone scans to join it.
    """

    code: str
    telnets: tuple[str, ...]
    pages: tuple[str, ...]
    links: tuple[str, ...]
    outside: bool = True
    wifi: tuple[str, str] | None = None


# Anywhere on the network


@value
class Untold:
    """So many more events of a kind, by somebody, or by others together (""), were not told."""

    kind: Kind
    count: int
    who: str = ""


class Whereabouts(Enum):
    """The places at which a person may be."""

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
    """Somebody waits for this person at a table that is not open here.

    `owner` is whom it is to play on for, "" if the seat is its own; so many tables ask that.
    """

    who: str
    table: bytes
    owner: str = ""
    count: int = 1
    place: Whereabouts = Whereabouts.TABLE


@value
class AskedToPlayOn:
    """A seat asks this person to play on for another one."""

    who: str
    table: bytes
    seat: int
    terms: Terms


EntryNotice: TypeAlias = MovePlayed | Left | Agreed | Adjudicated | Carried | Fact
NetworkNotice: TypeAlias = (
    EntryNotice | About | CardsSeen | DealtAnew | Replaced | LineSaid | TableStopped | Doubted | Understated
    | CardsShown | ProposalTold | ProposedHere | DeclineTold | Overdue | ChairChanged | Present | TablesFound | NoTable
    | ArbiterShown | GuestAsks | GuestEntrance | Untold | Invitation | AwaitedAt | AskedToPlayOn
)  # fmt: skip
