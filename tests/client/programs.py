"""This program on the loopback of this machine, with pipes, whose lines are read."""

import sys
from pathlib import Path

from tests import programs
from tests.programs import wait_until

COMMAND = [sys.executable, "-m", "quadrille.client.cli"]


def at_home(home: Path | None, port: int, name: str) -> list[str]:
    """Where a program is at home on a network of this machine; nothing, for a command that knows of none."""
    named = ["--name", name] if name else []
    return ["--home", str(home), "--port", str(port), "--interface", "127.0.0.1", *named] if home else []


class Program(programs.Program):
    def __init__(self, *words: str, home: Path | None = None, port: int = 0, name: str = "") -> None:
        super().__init__(*COMMAND, *words, *at_home(home, port, name), env={"COLUMNS": "80"})


def legal_move(program: Program) -> str:
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
