"""Reasons why a wish is refused on the network, as values. client/words/network/refusals.py makes the sentences.

Errors of rules, tables and peers have sentences of their own and pass through.
"""

from enum import Enum, auto
from typing import Final, TypeAlias

from quadrille.client.table.network.notices import Arbiter, ShownMotion
from quadrille.client.table.network.wishes import NetworkWish
from quadrille.client.value import value


class Denial(Enum):
    """Reasons with one sentence each; `Objected` adds the text that one is about."""

    NO_SEAT_TO_RESIGN = auto()
    NO_PROPOSAL = auto()
    OUT = auto()
    NO_HIDDEN_CARDS = auto()
    BOOK_LATER = auto()
    BAD_LINE = auto()
    REMATCH_LATER = auto()
    ONLY_LOOKED_ON = auto()
    OVER = auto()
    PAUSED_ALREADY = auto()
    NO_MOVE_YET = auto()
    NOTHING_TO_ANSWER = auto()
    NOTHING_PROPOSED = auto()
    NO_CLOCK = auto()
    OWN_CLOCK = auto()
    WHOSE_CLOCK = auto()
    WHO_IS_GONE = auto()
    NOBODY_PLAYS_FOR_YOU = auto()
    NAME_MISSING = auto()
    FILE_MISSING = auto()
    NOBODY_HEARS_YET = auto()
    NO_TABLE_YET = auto()
    NOTHING_ASKED = auto()
    TABLE_GONE = auto()
    NO_GUESTS = auto()
    # Misread lines rather than wishes that can't be granted.
    WHOM_TO_KICK = auto()
    WHO_STANDS_IN = auto()
    WHICH_TABLE = auto()
    # About a text.
    NOBODY_SITS = auto()
    SEVERAL_ASK = auto()
    NO_ONE_TABLE = auto()
    UNPLAYABLE = auto()
    NO_COMMAND = auto()
    NOBODY_OVERDUE = auto()


@value
class Objected:
    """A reason with the text that it is about."""

    denial: Denial
    text: str


#: The reasons that say how to write a line.
MISREAD = frozenset({Denial.WHOM_TO_KICK, Denial.WHO_STANDS_IN, Denial.WHICH_TABLE})


@value
class AnswerFirst:
    """Another proposal must be answered first."""

    motion: ShownMotion


@value
class Away:
    """All other seats have to agree, and these are not here."""

    seats: tuple[int, ...]


@value
class NobodyCalled:
    """Nobody here has that name; these are here."""

    text: str
    here: tuple[str, ...]


@value
class SeveralCalled:
    """Several peers here fit, each with the fingerprint of its key."""

    text: str
    found: tuple[tuple[str, str], ...]


@value
class SeatsFree:
    """The game begins when all seats are taken."""

    taken: int
    seats: int


@value
class NobodyAsks:
    """Nobody asks this person to stand in at that table, but at these."""

    digits: str
    tables: tuple[bytes, ...]


@value
class UntoldArbiter:
    """An arbiter that this person has not accepted."""

    arbiter: Arbiter


@value
class NotHere:
    """A wish that has no meaning at this place."""

    wish: NetworkWish


Reason: TypeAlias = (
    Denial | Objected | AnswerFirst | Away | NobodyCalled | SeveralCalled | SeatsFree | NobodyAsks
    | UntoldArbiter | NotHere
)  # fmt: skip


@value
class Denied:
    """A wish was refused, and everything stays as it was. An error is that of the rules, a table, the network or a
    file.
    """

    why: Reason | Exception


class NotGranted(Exception):
    """A machine of this room refuses a wish."""

    def __init__(self, why: Reason) -> None:
        self.why = why


#: Maximum characters of a chat line.
_MOST_SAID: Final = 500


def sayable(text: str) -> str:
    """The line, if it is fit to be sent."""
    if not text or len(text) > _MOST_SAID or not text.isprintable():
        raise NotGranted(Denial.BAD_LINE)
    return text
