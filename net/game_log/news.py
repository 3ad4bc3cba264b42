"""What happens at a table, for whoever should know: a person, a bot, a test. Values, and nothing is done here.

Specification: protocols.md, "Play".
"""

from dataclasses import dataclass

from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import TableMotion


@dataclass(frozen=True, slots=True)
class Took:
    """An entry was added to the log; `replaced` when it took another's place.

    `reopened` says that the game had been over before, with another end.
    """

    entry: Entry
    replaced: bool = False
    reopened: bool = False


@dataclass(frozen=True, slots=True)
class Proposed:
    """A motion is open, and these seats have signed it."""

    motion: TableMotion
    signed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Declined:
    """A seat does not agree to the open motion."""

    motion: TableMotion
    key: bytes


@dataclass(frozen=True, slots=True)
class Blamed:
    """Somebody sent what can't stand."""

    culprit: bytes
    why: str


@dataclass(frozen=True, slots=True)
class Convicted:
    """A seat is to leave the game, because its key signed two entries for one place, or a false position."""

    culprit: bytes
    why: str
    proof: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The table can't go on here: another program plays with this identity, or others see another position."""

    culprit: bytes
    why: str
    proof: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubted:
    """A seat says that it used less time than was measured here, by more than the network explains.

    `total` is the sum over the game so far. All times are milliseconds.
    """

    seat: int
    said: int
    measured: int
    total: int = 0


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Somebody said something."""

    author: bytes
    line: str


@dataclass(frozen=True, slots=True)
class Presence:
    """A seat's peer came or went."""

    seat: int
    here: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """A seat opened its book of an epoch: the secret of its key for the cards."""

    epoch: int
    seat: int


Event = Opened | Convicted | Took | Proposed | Declined | Blamed | Stopped | Doubted | ChatLine | Presence
