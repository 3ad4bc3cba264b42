"""What a bot is: somebody who is shown its own view of a game and chooses a move.

    from quadrille.ai import Bot

    class Mine(Bot):
        def choose(self, view, clock, rng):
            return view.moves.sample(rng)

Only the interface stands here: no process, no lines, no game. A bot of this kind is run by ai/kit.py, as a program of
its own; programs in other languages speak the same lines themselves (protocols.md, "Bots").
"""

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from quadrille.rules.core import Move, Over, State
from quadrille.rules.match import Entry

#: The version of the lines that bots and tables speak.
PROTOCOL: Final = 1


@dataclass(frozen=True, slots=True)
class Clock:
    """What a bot knows of time when it has to move; all in milliseconds.

    `left` is what each seat has left, None where nobody's time runs out; `increment` comes back with each move.
    `budget` is always given: a move that takes no longer than this will do, whatever the clock is.
    """

    seat: int
    left: tuple[int, ...] | None
    increment: int
    budget: int


class Bot(ABC):
    """A player. Only `choose` has to be written; one object may play many games, one after another.

    Every `view` is the position as the bot's own seat knows it (rules/core.py, `State`) and the bot's to keep: it never
    changes.
    """

    #: What it is called; absent, the name of its class.
    name: ClassVar[str] = ""
    author: ClassVar[str] = ""
    version: ClassVar[str] = ""
    #: The keys of the games that it plays; none: all of them.
    games: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move | str:
        """The move to make: one of `view.moves`, or its text.

        With all its dice from `rng`, a bot plays a game again as it has played it before.
        """

    def starts(self, view: State[Any, Any], seat: int) -> None:  # noqa: B027 - what follows may be left out
        """A game begins for this bot, perhaps in its middle."""

    def moved(self, entry: Entry, view: State[Any, Any]) -> None:  # noqa: B027
        """Something happened (a move of anybody's, a seat that left), and `view` is the position it led to."""

    def undone(self, count: int, view: State[Any, Any]) -> None:  # noqa: B027
        """The last so many entries were taken back, and `view` is the position before them."""

    def offered(self, offer: str, by: int, view: State[Any, Any]) -> bool:
        """Whether it agrees to what seat `by` proposes, such as "draw", "takeback", "pause", "adjourn", "abort"."""
        return offer != "draw"

    def ends(self, over: Over, view: State[Any, Any]) -> None:  # noqa: B027
        """The game is over."""
