"""News from before a table, as frozen values: the choice of one, and the room before a game.

client/words/network/room.py says them.
"""

from dataclasses import dataclass
from typing import TypeAlias

from quadrille.client.table.network.notices import Arbiter
from quadrille.net.terms import Terms


@dataclass(frozen=True, slots=True)
class SeatRefused:
    """There is no seat for this person, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class ChairChanged:
    """Somebody `sits` down, or has gone; so many seats are taken then."""

    who: str
    sits: bool
    taken: int
    seats: int


@dataclass(frozen=True, slots=True)
class InvitationDeclined:
    """Somebody who was invited does not come."""

    who: str
    why: str


@dataclass(frozen=True, slots=True)
class RoomLeft:
    """The person here has left the table before its game, which closes a table of its own."""

    own: bool


@dataclass(frozen=True, slots=True)
class Present:
    """Those who sit at the table ("" for this person) and those who are on the network.

    `missing` tells in words of peers that should be here and are not.
    """

    sitting: tuple[str, ...]
    others: tuple[str, ...]
    taken: int
    seats: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableRefused:
    """It is not possible to go to the table that was chosen, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that others offer."""

    table: bytes
    host: str
    terms: Terms
    taken: int


@dataclass(frozen=True, slots=True)
class UnplayableTable:
    """A table of others that can't be played here, and why."""

    table: bytes
    host: str
    why: str


@dataclass(frozen=True, slots=True)
class TablesFound:
    """The tables among which this person chooses."""

    tables: tuple[FoundTable, ...]
    unplayable: tuple[UnplayableTable, ...] = ()


@dataclass(frozen=True, slots=True)
class NoTable:
    """The table that is wanted is not there yet; others are. `unexplained`: no cause is known that it is missing."""

    wanted: str
    others: tuple[FoundTable, ...]
    unplayable: tuple[UnplayableTable, ...]
    unexplained: bool


@dataclass(frozen=True, slots=True)
class PeerMissing:
    """A peer that should be here is not: why, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class ArbiterShown:
    """A table has an arbiter: this person has to say yes or no. One who can't be asked (`refused`) gets no seat."""

    arbiter: Arbiter
    refused: bool = False


RoomNotice: TypeAlias = (
    SeatRefused | ChairChanged | InvitationDeclined | RoomLeft | Present | TableRefused | TablesFound | NoTable
    | PeerMissing | ArbiterShown
)  # fmt: skip
