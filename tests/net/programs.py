"""Programs that tell with a line of JSON, an object with `what`, whatever happens to them: a node (peer.py), a player
(player.py) and Pyre (pyre_peer.py).
"""

import json
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from tests import programs
from tests.net.ports import udp_port
from tests.programs import ROOT


class Program(programs.Program):
    """One life of a program; `heard` is all it has told."""

    def __init__(self, name: str, *command: str) -> None:
        self.name = name
        self.heard: list[dict[str, Any]] = []
        self._times: list[float] = []
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - a pipe would have to be read; closed at its burial
        super().__init__(*command, folder=ROOT, errors=self._errors)

    def hear(self, line: str) -> None:
        super().hear(line)
        self._times.append(time.monotonic())
        self.heard.append(json.loads(line))

    @property
    def errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read()

    @property
    def text(self) -> str:
        return f"{super().text}\n{self.errors}"

    def kill(self) -> None:
        super().kill()
        self._errors.close()

    def tell(self, *command: str) -> None:
        """A command on its input, as JSON."""
        self.enter(json.dumps(command))

    def said(self, what: str, **more: Any) -> list[dict[str, Any]]:
        """All it has said of this."""
        return [line for line in list(self.heard) if _is(line, what, more)]

    def times(self, what: str) -> list[float]:
        """When it said so."""
        return [when for when, line in zip(list(self._times), list(self.heard), strict=False) if line["what"] == what]

    def peers(self) -> set[str]:
        """Whom a node has met and not lost."""
        there: set[str] = set()
        for line in list(self.heard):
            if line["what"] == "met":
                there.add(line["name"])
            elif line["what"] == "left":
                there.discard(line["name"])
        return there

    def wait(self, what: str, **more: Any) -> Any:
        """The first line from where this was asked last that says this."""
        line = self.next(lambda at: _is(self.heard[at], what, more) and self.heard[at])
        assert line, f"{self.name} did not say {what} {more}:\n{self.text}"
        return line

    def over(self) -> dict[str, Any] | None:
        """The end of its game as a player saw it; None if it has killed itself before."""
        line: dict[str, Any] | None = self.next(lambda at: _is(self.heard[at], "over", {}) and self.heard[at])
        if line is None:
            assert self.process.wait() == -signal.SIGKILL, self.text
            self.kill()
        return line

    def end(self, by: int | None = None) -> int:
        """Let a player end by itself; it must do so without complaint."""
        self.close_input()
        code, errors = super().end(by), self.errors
        self.kill()
        told = [line for line in self.heard if line["what"] in ("blamed", "stopped", "dropped")]
        assert (code, errors, told) == (0, "", []), (errors, told)
        return code


def _is(line: dict[str, Any], what: str, more: dict[str, Any]) -> bool:
    return line["what"] == what and all(line.get(key) == value for key, value in more.items())


def most_memory(program: Program) -> float:
    """In MiB, over its whole life."""
    for line in Path(f"/proc/{program.process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("this system does not tell it")


def peer(name: str, port: int, *options: str, inside: Sequence[str] = ()) -> Program:
    """A node; `inside` is the command that runs it elsewhere."""
    return Program(name, *inside, sys.executable, "-m", "tests.net.peer", name, str(port), *options)


class Street:
    """Players that share a UDP port which nobody else uses, each with a folder of its own."""

    #: The module of a player.
    player = "tests.net.player"

    def __init__(self, folder: Path, *network: str) -> None:
        """`network`: where they meet, if not within this machine only."""
        self.folder = folder
        self.port = udp_port()
        self.network = network or ("--interfaces", "127.0.0.1")
        self.programs: list[Program] = []

    def start(self, name: str, *arguments: str, before: Sequence[str] = ()) -> Program:
        """A player's next life."""
        own = (name, str(self.folder / name), str(self.port))
        program = Program(name, *before, sys.executable, "-m", self.player, *own, *arguments, *self.network)
        self.programs.append(program)
        return program

    def ends_alike(self, *programs: Program) -> None:
        """These see the end of their game, and the same one. What they complain of, `Program.end` reads."""
        first, *others = [program.wait("over") for program in programs]
        assert all(other == first for other in others)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        for program in self.programs:
            if not program.is_buried:
                program.end() if kind is None else program.kill()
