"""Bots inside this process, by the kit's own part of the talk; programs that are marked; and matches for both."""

import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.local import LocalGame
from quadrille.ai.bots.process.program import Limits, Program
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


class Noting(Anything):
    """Notes its move, and whatever it is made with."""

    def __init__(self, **more: Any) -> None:
        self.more = more

    def thought(self, view: Any) -> Any:
        return {"note": f"secret plan of ply {view.board.plies}"} | self.more


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


# Programs with a mark on them, and what is left of those


MARK = "QUADRILLE_TEST_MARK"


class Programs:
    """Programs of one test, all with its mark."""

    def __init__(self, stack: ExitStack) -> None:
        self.mark = uuid4().hex
        self._stack = stack

    def program(self, *words: str | Path, limits: Limits | None = None, **more: Any) -> Program:
        env = {MARK: self.mark} | more.pop("env", {})
        return self._stack.enter_context(Program(list(map(str, words)), env=env, limits=limits, **more))

    def python(self, *words: str | Path, **more: Any) -> Program:
        return self.program(sys.executable, *words, **more)

    def talk(self, program: Program, start: int = 10_000) -> Talk:
        return self._stack.enter_context(Talk(program, start=start))

    def broken(self, path: Path, start: int = 10_000) -> Talk:
        """A program that imports nothing of ours starts quicker without what Python brings along."""
        return self.talk(self.python("-I", "-S", path), start)

    def left_behind(self) -> list[str]:
        """What runs with the mark in its environment, where the system tells."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (process / "environ").read_bytes():
                    found.append((process / "cmdline").read_text().replace("\0", " "))
            except OSError:
                continue  # it has ended, or is somebody else's
        return found


@contextmanager
def programs() -> Iterator[Programs]:
    """Programs that are closed at the end; after that none is left."""
    with ExitStack() as stack:
        made = Programs(stack)
        yield made
    assert made.left_behind() == []


def play(match: Match, players: Sequence[Talk], **terms: Any) -> LocalGame:
    """Play a match to its end. The `terms` are fields of `TimeTerms` and further arguments of `LocalGame`."""
    times = {field.name: terms.pop(field.name) for field in fields(TimeTerms) if field.name in terms}
    table = LocalGame(match, players, TimeTerms(**times), **terms)
    table.get_ready()
    table.play()
    return table
