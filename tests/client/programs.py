"""This program on the loopback of this machine: with pipes, whose lines are read, or at a terminal."""

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests import programs
from tests.programs import wait_until
from tests.waiting import DEADLINE

COMMAND = [sys.executable, "-m", "quadrille.client.cli"]


def at_home(home: Path | None, port: int, name: str) -> list[str]:
    """Where a program is at home on a network of this machine; nothing, for a command that knows of none."""
    named = ["--name", name] if name else []
    return ["--home", str(home), "--port", str(port), "--interface", "127.0.0.1", *named] if home else []


class Program(programs.Program):
    """A command with pipes."""

    def __init__(self, *words: str, home: Path | None = None, port: int = 0, name: str = "") -> None:
        super().__init__(*COMMAND, *words, *at_home(home, port, name), env={"COLUMNS": "80"})


def legal_move(program: Program) -> str:
    """A legal move at the table of a program whose turn it is."""
    program.enter("moves")
    return program.wait(r"^  ([a-z]\d)\b")[1]


def play_on(*programs: Program, plies: int) -> None:
    """So many moves, each by the program whose turn it is; which that is, they say themselves."""
    for _ in range(plies):
        mover = to_move(*programs)
        if mover is None:
            return
        mover.enter(legal_move(mover))


def to_move(*programs: Program) -> Program | None:
    """The first program that says that it is its turn; None when one says that the game is over."""

    def found() -> Program | str | None:
        for program in programs:
            for number, line in enumerate(program.lines[program.at :], program.at):
                if line.startswith("The game is over"):
                    return line
                if line.startswith("Your turn"):
                    program.at = number + 1
                    return program
        return None

    mover = wait_until(found, *programs)
    return mover if isinstance(mover, Program) else None


class Terminal:
    """A program at a terminal, and all that it has written there."""

    def __init__(self, *words: str, home: Path | None = None, port: int = 0) -> None:
        import pty

        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, *words, *at_home(home, port, "Ann")],
            stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.screen = b""

    def press(self, keys: str) -> None:
        """Keys on its keyboard."""
        os.write(self.ours, keys.encode())

    def wait(self, pattern: bytes) -> None:
        """Until that is on the screen."""
        end = time.monotonic() + DEADLINE
        while not re.search(pattern, self.screen, re.DOTALL):
            left = end - time.monotonic()
            assert left > 0 and select.select([self.ours], [], [], left)[0], self.screen
            try:
                self.screen += os.read(self.ours, 4096)
            except OSError as error:  # the program has ended
                raise AssertionError(self.screen) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(DEADLINE)
        os.close(self.ours)
