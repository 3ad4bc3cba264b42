"""Wishes of a person on the network. Values only; the machine of the place where the person is grants them.

Some are those of a local table (client/table/wishes.py). `Takeback` counts the moves of all seats here, and `StandIn`
names a bot or somebody who is here.
"""

from enum import Enum
from typing import Final, TypeAlias

from quadrille.client.table.wishes import LeaveTable as LeaveTable
from quadrille.client.table.wishes import PlayMove as PlayMove
from quadrille.client.table.wishes import ProposeMotion as ProposeMotion
from quadrille.client.table.wishes import Rematch as Rematch
from quadrille.client.table.wishes import ResignSeat as ResignSeat
from quadrille.client.table.wishes import Save as Save
from quadrille.client.table.wishes import Say as Say
from quadrille.client.table.wishes import StandIn as StandIn
from quadrille.client.table.wishes import Takeback as Takeback
from quadrille.client.value import value
from quadrille.net.entries.terms import Terms

#: Back to the person's own last move, with all that were made since.
TO_MY_LAST_MOVE: Final = Takeback(0)


class BareWish(Enum):
    """Wishes that need no more words than the one that is typed for each."""

    AGREE = "yes"
    DECLINE = "no"  # or take back this person's own proposal
    DROP = "drop"  # the seat that keeps the table waiting is to be out of the game
    FLAG = "flag"  # the seat whose time is up is to be out of the game
    TAKE_SEAT_BACK = "back"  # where another plays on for this person
    OPEN_BOOK = "book"
    START = "start"
    ASK_WHO = "who"
    SHOW_ENTRANCE = "phones"  # how guests come to this person's table
    LIST_TABLES = "tables"


@value
class InvitePeer:
    """Somebody is to come: to sit down, or to look on."""

    name: str


@value
class BlockPeer:
    """Hear nothing more of somebody."""

    name: str


@value
class PlayFor:
    """Yes to a question whether this person plays on for a seat: the number of the table, and the name of who asks."""

    table: str
    name: str = ""


@value
class Kick:
    """Somebody's seat is free again."""

    name: str


@value
class Choose:
    """A table, by its number in the list, its own number, or the name of its host."""

    text: str


@value
class UnknownWord:
    """A word that is no wish, at least not here."""

    word: str


# Wishes that lead to a place


@value
class JoinTable:
    """Sit down: a table's number or how it begins, its host's name, an address; "" for the only one there is."""

    wanted: str


@value
class Watch:
    """Look on, by the same words."""

    wanted: str


@value
class Host:
    """Open a table, with bots that come along and chairs that are kept for guests, perhaps each after a question."""

    terms: Terms
    bots: tuple[str, ...] = ()
    guests: int = 0
    asks_guests: bool = False


@value
class Return:
    """Go on at a table of mine, at play or left in the middle."""

    wanted: str


PlaceWish: TypeAlias = JoinTable | Watch | Host | Return
NetworkWish: TypeAlias = (
    PlayMove | Takeback | ProposeMotion | ResignSeat | Rematch | Say | Save | LeaveTable | StandIn | BareWish
    | InvitePeer | BlockPeer | PlayFor | Kick | Choose | UnknownWord
)  # fmt: skip
