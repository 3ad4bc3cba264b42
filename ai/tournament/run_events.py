"""The events of a running tournament: run.py makes them, the client shows them."""

from typing import Final

from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.schedules.schedule import Fixture
from quadrille.value import value


@value
class RunBegun:
    """The run has begun; `there` games had been played before."""

    there: int


@value
class Given:
    """A game is handed out to be played."""

    fixture: Fixture


@value
class Ended:
    """A game has ended and is stored."""

    outcome: GameOutcome


@value
class Void:
    """A game failed through nobody's fault, and is played again."""

    number: int
    why: str


@value
class Unplayed:
    """A game has no result, and is not repeated: each time a signal ended a program. `why` is the last reason."""

    number: int
    why: str


@value
class Warned:
    """A problem that needs attention; the run goes on."""

    why: str


@value
class Linked:
    """The run can be watched now: a sentence that says where."""

    text: str


@value
class Passing:
    """Time passes."""


@value
class Finished:
    """The run is over: all games are played, there is a verdict, somebody stopped it, or it can't go on."""

    why: str


Event = RunBegun | Given | Ended | Void | Unplayed | Warned | Linked | Passing | Finished
OVER: Final = "all games are played"
DECIDED: Final = "it is decided"
STOPPED: Final = "it was stopped"
