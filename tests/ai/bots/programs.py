"""What tests of bots share: programs with a mark on them, and what is left of those."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any
from uuid import uuid4

from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.local import LocalGame
from quadrille.ai.bots.process.program import Limits, Program
from quadrille.ai.bots.talk import Talk
from quadrille.rules.match import Match

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
