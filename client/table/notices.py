"""Notices: events of a table for people, as frozen values with seats as numbers. client/words/table.py makes the
sentences.
"""

from enum import Enum, auto
from typing import TypeAlias

from quadrille.client.value import value
from quadrille.rules.core.reasons import Reason
from quadrille.rules.errors import RulesError


class Why(Enum):
    """The reasons for which a table refuses a wish; rules have reasons of their own."""

    NONE_TO_TAKE_BACK = auto()
    TOO_FEW_TO_TAKE_BACK = auto()
    PAUSED = auto()
    BOTS_TURN = auto()
    OUT = auto()
    NO_SEAT = auto()
    NOTHING_RUNS = auto()
    NO_BOT_TO_MOVE = auto()
    NOT_OVER = auto()
    NO_DEAL = auto()
    NO_HINT_NOW = auto()
    NO_HINTS = auto()
    NOBODY_HEARS = auto()
    UNKNOWN_PROPOSAL = auto()


@value
class Refused:
    """A wish was refused, and the table stays as it was."""

    why: Why | RulesError


@value
class MoveMade:
    """Entry `number` is a move; a `forced` one was a pass as the only move."""

    number: int
    seat: int
    forced: bool = False


@value
class SeatLeft:
    """A seat left the game, in one of `WAYS_OUT` (rules/match.py)."""

    seat: int
    how: str


@value
class TakenBack:
    """These moves were taken back, in their notation."""

    moves: tuple[str, ...]


@value
class DrawOffered:
    """A draw is offered to bots."""


@value
class DrawDeclined:
    """A bot does not agree to a draw."""

    seat: int


@value
class BotStopped:
    """The bot to move has stopped. `why` follows its `name`; a RulesError says why its move is illegal."""

    seat: int
    why: str | RulesError
    name: str = ""


@value
class BotSlow:
    """A bot has been thinking for that many seconds, and may still move."""

    seat: int
    seconds: float


@value
class HintAsked:
    """A bot is asked for a hint."""

    bot: str


@value
class HintGiven:
    """A bot's hint: the move that it would play, perhaps with the reason."""

    bot: str
    move: str
    reason: Reason | None = None


@value
class HintMissed:
    """A bot gives no hint. `why` follows its `name`."""

    why: str
    name: str = ""


@value
class StoodIn:
    """A bot plays on in the seat of another."""

    seat: int
    bot: str


@value
class SeatsTaken:
    """These bots take the other seats from now on; people do, if there are none."""

    bots: tuple[str, ...]


@value
class Rotated:
    """Another game begins, with everybody one seat further."""


@value
class GameKept:
    """The game is saved in that file."""

    path: str


@value
class NotKept:
    """The game can't be written down as it goes on; the reason is a sentence without its full stop."""

    why: str


@value
class GameLoaded:
    """The game of that file is on the table."""

    name: str


@value
class Awaited:
    """A person who waited is to move, or sees the end."""


@value
class WouldBeLost:
    """The game is not saved, so leaving would lose it; the wish must be repeated."""


Notice: TypeAlias = (
    Refused | MoveMade | SeatLeft | TakenBack | DrawOffered | DrawDeclined | BotStopped | BotSlow | HintAsked
    | HintGiven | HintMissed | StoodIn | SeatsTaken | Rotated | GameKept | NotKept | GameLoaded | Awaited | WouldBeLost
)  # fmt: skip
