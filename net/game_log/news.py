"""Events of a table, for a person, a bot or a test. Values without behaviour.

Specification: docs/protocols/play.md.
"""

from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import TableMotion
from quadrille.value import value


@value
class Took:
    """An entry was added to the log. The first of a branch brings the entries that it `replaced`.

    `reopened`: the game had been over before, with another result.
    """

    entry: Entry
    replaced: tuple[Entry, ...] = ()
    reopened: bool = False


@value
class Proposed:
    """A motion is open, signed by these seats."""

    motion: TableMotion
    signed: tuple[int, ...]


@value
class Declined:
    """A seat refused the open motion."""

    motion: TableMotion
    key: bytes


@value
class Blamed:
    """A peer sent something invalid."""

    culprit: bytes
    why: str


@value
class Convicted:
    """A seat has to leave the game, because its key signed two entries for one place, or a false position."""

    culprit: bytes
    why: str
    proof: tuple[bytes, ...]


@value
class Stopped:
    """The table can't go on here: another program plays with this identity, or other programs compute other
    positions.
    """

    culprit: bytes
    why: str


@value
class ChatLine:
    """A chat line."""

    author: bytes
    line: str


@value
class Presence:
    """A seat's peer arrived or left."""

    seat: int
    here: bool


@value
class Opened:
    """A seat opened its book of an epoch: it revealed the secret of its key for the cards."""

    epoch: int
    seat: int


Event = Opened | Convicted | Took | Proposed | Declined | Blamed | Stopped | ChatLine | Presence
