"""News of a person's part on the network, as frozen values with seats as numbers. client/words/network says them.

Somebody without a seat goes by a name that is fit to be shown.
"""

from collections.abc import Container
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Self, TypeAlias

from quadrille.client.table.network.floods import Kind
from quadrille.net.terms import Terms

#: A seat by its number, anybody else by a name.
Who: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class Seats:
    """The names of those who play, seat by seat, and of those who sat down."""

    names: tuple[str, ...]
    owners: tuple[str, ...]


class Fact(Enum):
    """The news that need no more words."""

    GAME_BEGAN = auto()
    SHUFFLED = auto()
    TABLE_WAITS = auto()
    RESIGNING = auto()
    STEPPED_ASIDE = auto()
    PLAYING_AGAIN = auto()
    SEAT_GIVEN = auto()
    NOT_SEATED = auto()


class PersonalNews(Enum):
    """The news about somebody who goes by a name."""

    MAY_WATCH = auto()
    INVITED = auto()
    BLOCKED = auto()
    MUTED = auto()
    STANDS_IN_IDLE = auto()
    PLAYS_FOR_YOU = auto()
    PLAYS_AGAIN = auto()
    ARRIVED = auto()


@dataclass(frozen=True, slots=True)
class About:
    """Somebody, and what is so."""

    who: str
    deed: PersonalNews


@dataclass(frozen=True, slots=True)
class ShownMotion:
    """A motion (net/motions.py). `name` is that of somebody who is to stand in, `is_away` about a seat that is gone."""

    kind: str
    number: int = 0
    name: str = ""
    is_away: bool = False

    @classmethod
    def of(cls, motion: tuple[Any, ...], away: Container[int] = ()) -> Self:
        """A motion of the wire; the seats `away` have no peer here."""
        kind, number, _, name = motion
        return cls(kind, number, name, number in away)


# Entries of the log


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A seat has moved. `faces` are the cards that all have seen; a `forced` move was the only one."""

    seat: int
    move: str
    faces: tuple[str, ...] = ()
    forced: bool = False


@dataclass(frozen=True, slots=True)
class OutOfGame:
    """A seat went out of the game, in one of `WAYS_OUT` (rules/match.py)."""

    seat: int
    how: str


@dataclass(frozen=True, slots=True)
class Carried:
    """What all have agreed on is done."""

    motion: ShownMotion


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended by agreement, or for the reason that the table gave."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """Cards that this seat alone sees."""

    faces: tuple[str, ...]


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


@dataclass(frozen=True, slots=True)
class Replaced:
    """Entries that were read were replaced by others. The `seat` is what the cause is about, if it is known."""

    what: Instead
    count: int
    cause: Cause
    seat: int | None = None


# What others do at the table


@dataclass(frozen=True, slots=True)
class LineSaid:
    """Somebody said something to all at the table; `own` are the words of this person."""

    who: Who
    line: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class SeatGone:
    """A seat's peer is gone."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatBack:
    """A seat's peer is here again."""

    seat: int


@dataclass(frozen=True, slots=True)
class TableStopped:
    """The table can't go on. `who` did that, "" if it was nobody; `own`: another program plays with this identity."""

    why: str
    who: Who = ""
    own: bool = False
    table: bytes = b""


@dataclass(frozen=True, slots=True)
class ConvictionTold:
    """A seat that cheated is out of the game; so many entries prove it."""

    who: Who
    entries: int


@dataclass(frozen=True, slots=True)
class BlameTold:
    """Somebody sent what can't stand; `kept`: it was signed, and is kept as a proof."""

    who: Who
    why: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class DoubtTold:
    """A seat used more time than it says. All times are milliseconds; the `total` is the sum so far."""

    seat: int
    said: int
    measured: int
    total: int = 0


@dataclass(frozen=True, slots=True)
class Understated:
    """The time beyond what seats stated, at the end: pairs of a seat and milliseconds."""

    totals: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class BookOpened:
    """A seat lets everybody see its cards."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardsShown:
    """Which card lay where, since all books are open: of each deal its name, whether it is a later one, its cards."""

    deals: tuple[tuple[str, bool, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class TurnElsewhere:
    """It is this person's turn at another table."""

    table: bytes


# Proposals


@dataclass(frozen=True, slots=True)
class ProposalTold:
    """These seats sign a motion; `again` if others had before. `answers`: this person has to say yes or no."""

    motion: ShownMotion
    seats: tuple[int, ...]
    again: bool = False
    answers: bool = False


@dataclass(frozen=True, slots=True)
class ProposedHere:
    """The person here signs a motion, which needs these seats too; `again` if others had signed it before."""

    motion: ShownMotion
    missing: tuple[int, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class DeclineTold:
    """Somebody does not agree."""

    motion: ShownMotion
    who: Who


@dataclass(frozen=True, slots=True)
class DeclinedHere:
    """The person here does not agree."""

    motion: ShownMotion


@dataclass(frozen=True, slots=True)
class StandInAsked:
    """Somebody is asked whether it plays on for a seat."""

    who: str
    seat: int


@dataclass(frozen=True, slots=True)
class StandInComes:
    """A bot of this person comes to play on for a seat."""

    who: str
    seat: int


@dataclass(frozen=True, slots=True)
class ClockLow:
    """The time of a seat that says nothing is up by this machine's clock."""

    seat: int


@dataclass(frozen=True, slots=True)
class Overdue:
    """A seat keeps the table waiting for longer than agreed; `here` or gone. The others decide, if they are `several`.

    A copy could be played on, unless cards are `hidden`.
    """

    seat: int
    here: bool
    several: bool
    hidden: bool


# What this person did


@dataclass(frozen=True, slots=True)
class LogKept:
    """The log is in that file."""

    path: str


@dataclass(frozen=True, slots=True)
class TableKept:
    """The table is left, and kept."""

    table: bytes


@dataclass(frozen=True, slots=True)
class PlaysOnElsewhere:
    """The person here has a seat at another table from now on."""

    table: bytes


# Anywhere on the network


@dataclass(frozen=True, slots=True)
class Remarked:
    """The station's remark about a name."""

    text: str


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody invites this person, who is at that place, to a table."""

    who: Who
    table: bytes
    terms: Terms
    place: Whereabouts


@dataclass(frozen=True, slots=True)
class RematchWanted:
    """Somebody wants a rematch."""

    who: Who


@dataclass(frozen=True, slots=True)
class AwaitedAt:
    """Somebody waits for this person at a table that is not open here.

    `owner` is whom it is to play on for, "" if the seat is its own; so many tables ask that.
    """

    who: str
    table: bytes
    owner: str = ""
    count: int = 1
    place: Whereabouts = Whereabouts.TABLE


@dataclass(frozen=True, slots=True)
class AskedToPlayOn:
    """A seat asks this person to play on for another one."""

    who: str
    table: bytes
    seat: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class AgreedToPlayOn:
    """The person here has said yes to that."""

    table: bytes
    seat: int


class Role(Enum):
    """The places of an arbiter at the table that it may rule."""

    SELF = auto()
    HOST = auto()
    SITTING = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Arbiter:
    """The key that the terms of a table name, and what is known of its holder."""

    key: bytes
    role: Role
    name: str = ""


EntryNotice: TypeAlias = MovePlayed | OutOfGame | Carried | GameEnded | Fact
TableNotice: TypeAlias = (
    EntryNotice | CardsSeen | Replaced | LineSaid | SeatGone | SeatBack | TableStopped
    | ConvictionTold | BlameTold | DoubtTold
    | Understated | BookOpened | CardsShown | About | TurnElsewhere | LogKept | TableKept | PlaysOnElsewhere
)  # fmt: skip
ProposalNotice: TypeAlias = (
    ProposalTold
    | ProposedHere
    | DeclineTold
    | DeclinedHere
    | StandInAsked
    | StandInComes
    | ClockLow
    | Overdue
    | Fact
    | About
)
AnywhereNotice: TypeAlias = Remarked | Untold | Invitation | RematchWanted | AwaitedAt | AskedToPlayOn | AgreedToPlayOn
#: What is told at a table; room_notices.py has the others.
SeatNotice: TypeAlias = TableNotice | ProposalNotice | AnywhereNotice
