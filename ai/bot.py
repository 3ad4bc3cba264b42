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
from collections.abc import Sequence
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
    `budget` is always given: a move that takes no longer than this will do, whatever the clock is. `work` is how much
    thinking the move is to have, in what a bot counts, such as positions looked at or games tried; None: as it likes.
    """

    seat: int
    left: tuple[int, ...] | None
    increment: int
    budget: int
    work: int | None = None


class Bot(ABC):
    """A player. Only `choose` has to be written; one object may play many games, one after another.

    Every `view` is the position as the bot's own seat knows it (rules/core, `State`) and the bot's to keep: it never
    changes.
    """

    #: What it is called; absent, the name of its class.
    name: ClassVar[str] = ""
    author: ClassVar[str] = ""
    version: ClassVar[str] = ""
    #: The keys of the games that it plays; none: all of them.
    games: ClassVar[tuple[str, ...]] = ()
    #: Whether it does as much as `Clock.work` says: there are tournaments for such bots only.
    counts_work: ClassVar[bool] = False

    @abstractmethod
    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move | str:
        """The move to make: one of `view.moves`, or its text. `list(view.moves)` has all of them, in order.

        With all its dice from `rng`, a bot plays a game again as it has played it before.
        """

    def places(self, view: State[Any, Any]) -> Sequence[int] | None:
        """The places with which it would have the game end now, for each seat one: 1 the best, those who share one the
        same, the next counted after them. None: it would rather play on.

        Asked after each `choose`, with the same view. A tournament may end a game when all have said the same.
        """
        return None

    def starts(self, view: State[Any, Any], seat: int) -> None:  # noqa: B027 - what follows may be left out
        """A game begins for this bot, perhaps in its middle."""

    def moved(self, entry: Entry, view: State[Any, Any]) -> None:  # noqa: B027
        """Something happened, and `view` is the position it led to: a move of any seat, the bot's own too, or a seat
        that left. `entry` is a `Played` or a `Left` (rules/match.py).
        """

    def undone(self, count: int, view: State[Any, Any]) -> None:  # noqa: B027
        """The last so many entries were taken back, and `view` is the position before them."""

    def offered(self, offer: str, by: int, view: State[Any, Any]) -> bool:
        """Whether it agrees to what seat `by` proposes, such as "draw", "takeback", "pause", "adjourn", "abort"."""
        return offer != "draw"

    def ends(self, over: Over, view: State[Any, Any]) -> None:  # noqa: B027
        """The game is over."""
