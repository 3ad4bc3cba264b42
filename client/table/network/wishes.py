"""Wishes of a person on the network. Values only; the machine of the place where the person is grants them.

Some are those of a local table (client/table/wishes.py). `Takeback` counts the moves of all seats here, and `StandIn`
names a bot or somebody who is here.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from quadrille.client.table.wishes import Kept as Kept
from quadrille.client.table.wishes import LeaveTable as LeaveTable
from quadrille.client.table.wishes import PlayMove as PlayMove
from quadrille.client.table.wishes import ProposeMotion as ProposeMotion
from quadrille.client.table.wishes import Rematch as Rematch
from quadrille.client.table.wishes import ResignSeat as ResignSeat
from quadrille.client.table.wishes import Save as Save
from quadrille.client.table.wishes import Say as Say
from quadrille.client.table.wishes import StandIn as StandIn
from quadrille.client.table.wishes import Takeback as Takeback

#: Back to the person's own last move, with all that were made since.
TO_MY_LAST_MOVE: Final = Takeback(0)


@dataclass(frozen=True, slots=True)
class Agree:
    """Yes to what is proposed or asked."""


@dataclass(frozen=True, slots=True)
class DeclineMotion:
    """No to that; or this person's own proposal is taken back."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The seat that keeps the table waiting is to be out of the game."""


@dataclass(frozen=True, slots=True)
class Flag:
    """The seat whose time is up is to be out of the game."""


@dataclass(frozen=True, slots=True)
class TakeSeatBack:
    """The person here plays again where another plays on for it."""


@dataclass(frozen=True, slots=True)
class OpenBook:
    """All may see which card lay where."""


@dataclass(frozen=True, slots=True)
class InvitePeer:
    """Somebody is to come: to sit down, or to look on."""

    name: str


@dataclass(frozen=True, slots=True)
class BlockPeer:
    """Hear nothing more of somebody."""

    name: str


@dataclass(frozen=True, slots=True)
class PlayFor:
    """Yes to a question whether this person plays on for a seat: the number of the table, and the name of who asks."""

    table: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Kick:
    """Somebody's seat is free again."""

    name: str


@dataclass(frozen=True, slots=True)
class Start:
    """The game is to begin."""


@dataclass(frozen=True, slots=True)
class AskWho:
    """Who sits here, and who is on the network."""


@dataclass(frozen=True, slots=True)
class ListTables:
    """The tables once more."""


@dataclass(frozen=True, slots=True)
class Choose:
    """A table, by its number in the list, its own number, or the name of its host."""

    text: str


@dataclass(frozen=True, slots=True)
class UnknownWord:
    """A word that is no wish, at least not here."""

    word: str


NetworkWish: TypeAlias = (
    PlayMove | Takeback | ProposeMotion | ResignSeat | Rematch | Say | Save | Kept | LeaveTable | StandIn | Agree
    | DeclineMotion | Drop | Flag | TakeSeatBack | OpenBook | InvitePeer | BlockPeer | PlayFor | Kick | Start | AskWho
    | ListTables | Choose | UnknownWord
)  # fmt: skip
