"""Wishes of a person on the network. Values only; the machine of the person's place grants them.

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

#: Back to before the person's own last move, with all moves since.
TO_MY_LAST_MOVE: Final = Takeback(0)


class BareWish(Enum):
    """Wishes without arguments, by their words."""

    AGREE = "yes"
    DECLINE = "no"  # or withdraw this person's own proposal
    DROP = "drop"  # propose that the seat that keeps the table waiting leaves the game
    FLAG = "flag"  # propose that the seat whose time is up leaves the game
    TAKE_SEAT_BACK = "back"  # end a stand-in's play for this person
    OPEN_BOOK = "book"
    START = "start"
    ASK_WHO = "who"
    SHOW_ENTRANCE = "phones"  # show how guests come to this person's table
    LIST_TABLES = "tables"


@value
class InvitePeer:
    """Invite somebody to sit down or to watch."""

    name: str


@value
class BlockPeer:
    """Block somebody."""

    name: str


@value
class PlayFor:
    """Agree to stand in for a seat: the number of the table, and the name of who asks."""

    table: str
    name: str = ""


@value
class Kick:
    """Free somebody's seat."""

    name: str


@value
class Choose:
    """Choose a table by its number in the list, its own number, or the name of its host."""

    text: str


@value
class UnknownWord:
    """A word that means nothing here."""

    word: str


# Wishes that lead to a place


@value
class JoinTable:
    """Sit down by a table's number or its first digits, its host's name, or an address; "" for the only table."""

    wanted: str


@value
class Watch:
    """Watch a table, by the same words."""

    wanted: str


@value
class Host:
    """Open a table, with bots that come along and chairs reserved for guests, perhaps each after a question."""

    terms: Terms
    bots: tuple[str, ...] = ()
    guests: int = 0
    asks_guests: bool = False


@value
class Return:
    """Return to this person's table, at play or unfinished."""

    wanted: str


PlaceWish: TypeAlias = JoinTable | Watch | Host | Return
NetworkWish: TypeAlias = (
    PlayMove | Takeback | ProposeMotion | ResignSeat | Rematch | Say | Save | LeaveTable | StandIn | BareWish
    | InvitePeer | BlockPeer | PlayFor | Kick | Choose | UnknownWord
)  # fmt: skip
