"""Bots inside this process: the kit's own part of the talk, without a program around it; and matches for them."""

from collections import deque
from collections.abc import Callable
from typing import Any, cast

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.kit import Part
from quadrille.rules.core import Move, State
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game

SMALL = {"barons": {"width": 3, "height": 3}, "maze": {"size": 3}}


def small(key: str = "barons", seats: int = 2, seed: str = "small", **options: Any) -> Match:
    """A match on a small board, or with these options."""
    return Match(game(key), options or SMALL[key], seats, deal=Deal(seed))


class Anything(Bot):
    """Plays any move."""

    def choose(self, view: State[Any, Any], clock: Clock, rng: Any) -> Move | str:
        move: Move = view.moves.sample(rng)
        return move


class First(Anything):
    """Plays the first move."""

    def choose(self, view: State[Any, Any], clock: Clock, rng: Any) -> Move | str:
        move: Move = next(iter(view.moves))
        return move


class Wrong(Anything):
    """Chooses what is no move."""

    def choose(self, view: State[Any, Any], clock: Clock, rng: Any) -> Move | str:
        return "z99"


class Inside:
    """What a `Program` is to a talk; an answer is there as soon as something was said. `told` is all that it heard."""

    def __init__(self, bot: Bot, distort: Callable[[bytes], bytes] = bytes) -> None:
        self.part = Part(bot)
        self._said: deque[bytes] = deque()
        self._distort = distort
        self.told: list[bytes] = []
        self.command = ["a bot"]
        self.errors = ""
        self.ended = False

    def send(self, line: bytes) -> None:
        self.told.append(line)
        if (said := self.part.answer(line)) is not None:
            self._said.append(self._distort(said).removesuffix(b"\n"))

    def line(self, timeout: float | None = 0) -> bytes | None:
        if self._said:
            if (line := self._said.popleft()) == b"ends":
                raise BotFault("crash", "ended with exit code 1")
            return line
        return None

    def hurry(self) -> None:
        """Nobody waits."""

    def close(self, grace: float = 0) -> None:
        self.ended = True


def talk(bot: Bot | None = None, distort: Callable[[bytes], bytes] = bytes) -> Talk:
    """A talk with a bot; what it says may be distorted on its way."""
    return Talk(cast("Program", Inside(bot or Anything(), distort)))
