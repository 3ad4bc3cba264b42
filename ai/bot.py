"""The interface of a bot: it gets its own view of a game and chooses a move.

    from quadrille.ai import Bot

    class Mine(Bot):
        def choose(self, view, clock, rng):
            return view.moves.sample(rng)

No process, no lines and no game here. ai/kit.py runs such a bot as a program of its own; programs in other languages
speak the same lines themselves (docs/protocols/bots.md).
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from concurrent.futures import Executor
from math import isfinite
from typing import Any, ClassVar, Final, Generic, Self, TypeVar, overload

from quadrille.rules.core import Move, Over, State
from quadrille.rules.match import Entry
from quadrille.value import value

#: The version of the lines between bots and tables.
PROTOCOL: Final = 1


@value
class Clock:
    """The time of a bot that has to move, in milliseconds.

    `left` is what each seat has left, None without a clock; `increment` is added after each move. `budget` is always
    given: a move that takes no longer than this is in time, whatever the clock shows. Without a clock so is one within
    `patience`. `work` is how much thinking it should get, in the bot's own unit, such as positions; None: no limit.
    """

    seat: int
    left: tuple[int, ...] | None
    increment: int
    budget: int
    work: int | None = None
    patience: int = 0


N = TypeVar("N", int, float)


class Number(Generic[N]):
    """A number of a bot that can be tuned, or set in the file of a tournament:

        class Mine(Bot):
            depth = Number(1, 9, usual=4)

    In the bot `self.depth` is then 4, or the value that the table sets: a whole number if all three are. Tables set
    values before `Bot.starts`, and every game has its own.
    """

    def __init__(self, least: N, most: N, *, usual: N) -> None:
        numbers: tuple[N, ...] = (least, most, usual)
        if any(isinstance(number, bool) or not isinstance(number, int | float) for number in numbers):
            raise TypeError(f"Number takes numbers, such as Number(1, 9, usual=4), not {numbers}")
        if not all(map(isfinite, numbers)) or not least <= usual <= most:
            raise ValueError(f"Number({least}, {most}, usual={usual}): usual has to be from least to most")
        self.least: N = least
        self.most: N = most
        self.usual: N = usual
        self.name = ""

    def __set_name__(self, owner: type[object], name: str) -> None:
        if name in vars(Bot):
            raise TypeError(f"{owner.__name__}.{name} can't be a Number: every Bot has something of that name")
        self.name = name

    @overload
    def __get__(self, bot: None, owner: type[object]) -> Self: ...
    @overload
    def __get__(self, bot: object, owner: type[object]) -> N: ...
    def __get__(self, bot: object, owner: type[object]) -> Self | N:
        """Return the bot's value, or this declaration if asked of the class. An attribute set on the bot wins."""
        return self if bot is None else self.usual


class Bot(ABC):
    """A player. Only `choose` is required; one object may play many games, one after another.

    Every `view` is the position as the bot's own seat knows it (rules/core, `State`). It never changes, so the bot
    may keep it.
    """

    #: The bot's name; by default the name of its class.
    name: ClassVar[str] = ""
    author: ClassVar[str] = ""
    version: ClassVar[str] = ""
    #: The keys of the games that it plays; empty: all.
    games: ClassVar[tuple[str, ...]] = ()
    #: Whether it does as much as `Clock.work` says, as some tournaments require.
    counts_work: ClassVar[bool] = False
    #: A process for a part of its thinking, in a game whose table says that a core is idle for it (ai/kit.py).
    crew: Executor | None = None

    @abstractmethod
    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move | str:
        """Return the move to make: one of `view.moves`, or its text. `list(view.moves)` has all of them, in order.

        A bot that takes all its random numbers from `rng` plays the same game again when it is replayed.
        """

    @classmethod
    def about(cls, start: State[Any, Any]) -> str:  # noqa: ARG003
        """Return sentences for the people at a table, who read them where they choose the bot and before its first
        move: how this bot, which a package plugs in, plays this game with these options and seats.
        """
        return ""

    def thought(self, view: State[Any, Any]) -> Mapping[str, Any] | None:
        """Return the bot's thoughts behind the chosen move. Its author reads them, and everybody who looks at the
        finished game; the table shows them to no other player.

        A mapping may have `value`, the bot's chances from -1 (surely lost or last) to 1 (surely won or first), and
        `depth`, a whole number. It may have `note`, a line of at most 200 characters, and `marks`, squares with a sign
        each, such as `{"c4": "!"}`. Called after each `choose`, with the same view. The move counts in any case.
        """
        return None

    def reason(self, view: State[Any, Any], move: str) -> Mapping[str, Any] | None:
        """Return why the bot chose that move, for a person who asked for a hint (docs/protocols/bots.md, "Reasons"), or
        None. Called after `choose` for a hint, with the same view, and never in a game.
        """
        return None

    def starts(self, view: State[Any, Any], seat: int) -> None:  # noqa: B027 - what follows may be left out
        """Begin a game, perhaps in its middle."""

    def moved(self, entry: Entry, view: State[Any, Any]) -> None:  # noqa: B027
        """Note a new entry, which led to `view`: a move of any seat, the bot's own too, or a seat that left. `entry` is
        a `Played` or a `Left` (rules/match.py).
        """

    def undone(self, count: int, view: State[Any, Any]) -> None:  # noqa: B027
        """Forget the last `count` entries, which were taken back; `view` is the position before them."""

    def offered(self, offer: str, by: int, view: State[Any, Any]) -> bool:
        """Return True to agree to a proposal of seat `by`: "draw", "takeback" or "pause"."""
        return offer != "draw"

    def ends(self, over: Over, view: State[Any, Any]) -> None:  # noqa: B027
        """End the game."""


def numbers_of(bot: Bot) -> dict[str, Number[Any]]:
    """Return the declared numbers of a bot by name, those of its base classes first."""
    kind = type(bot)
    attributes = {name: value for base in reversed(kind.__mro__) for name, value in vars(base).items()}
    return {name: value for name, value in attributes.items() if isinstance(value, Number)}
