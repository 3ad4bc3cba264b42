"""Programs of their own for tests: what they say, what they are told, and their deaths.

A node (peer.py), a player (player.py) and Pyre (pyre_peer.py) each tell with one line of JSON, an object with `what`,
whatever happens to them.
"""

import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from tests.net.ports import udp_port

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds; only a failing test waits so long

#: Notified whenever any program has said something or has ended.
_news = threading.Condition()


class Program:
    """One life of a program; `heard` is all it has said, `times` when each line of it came."""

    def __init__(self, name: str, *command: str) -> None:
        self.name = name
        self.heard: list[dict[str, Any]] = []
        self._times: list[float] = []
        self._read_to = 0
        self._silent = False
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - a pipe would have to be read; closed at its burial
        self.born = time.monotonic()
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with _news:
                self._times.append(time.monotonic())
                self.heard.append(json.loads(line))
                _news.notify_all()
        with _news:
            self._silent = True
            _news.notify_all()

    def tell(self, *command: str) -> None:
        """A command on its input, as JSON."""
        assert self.process.stdin
        print(json.dumps(command), file=self.process.stdin, flush=True)

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

    def wait(self, what: str, **more: Any) -> dict[str, Any]:
        """The first line from where this was asked last that says this."""
        end = time.monotonic() + PATIENCE
        while line := self._next(end):
            if _is(line, what, more):
                return line
        raise AssertionError(f"{self.name} did not say {what} {more}, only {self.heard[-12:]}; {self.last_words()}")

    def over(self) -> dict[str, Any] | None:
        """The end of its game as a player saw it; None if it has killed itself before."""
        end = time.monotonic() + PATIENCE
        while line := self._next(end):
            if line["what"] == "over":
                return line
        assert self._silent, f"{self.name} neither ends nor dies: {self.heard[-12:]}; {self.last_words()}"
        assert self.process.wait(PATIENCE) == -signal.SIGKILL, self.last_words()
        self._bury()
        return None

    def _next(self, end: float) -> dict[str, Any] | None:
        """What it says next; None when it is dead, or it is too late."""
        with _news:
            left = end - time.monotonic()
            _news.wait_for(lambda: self._read_to < len(self.heard) or self._silent, max(left, 0))
            if left < 0 or self._read_to == len(self.heard):
                return None
            self._read_to += 1
            return self.heard[self._read_to - 1]

    def last_words(self) -> str:
        """What it complained of; this ends it."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self._errors.seek(0)
        return f"its last words: {self._errors.read()[-2000:]!r}"

    def kill(self) -> None:
        """SIGKILL, if it is alive: nothing is said, nothing is saved."""
        self.process.kill()
        self._bury()

    def end(self) -> None:
        """Let a player end by itself; it must do so without complaint."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self._errors.seek(0)
        errors = self._errors.read()
        self._bury()
        assert (self.process.returncode, errors) == (0, ""), errors
        complaints = [line for line in self.heard if line["what"] in ("blamed", "stopped", "dropped")]
        assert not complaints, complaints

    def _bury(self) -> None:
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for each in (self.process.stdin, self.process.stdout, self._errors):
            if each:
                each.close()

    @property
    def buried(self) -> bool:
        """Whether nothing is left of it."""
        return self._errors.closed


def _is(line: dict[str, Any], what: str, more: dict[str, Any]) -> bool:
    return line["what"] == what and all(line.get(key) == value for key, value in more.items())


def wait(condition: Callable[[], object], programs: Sequence[Program]) -> None:
    """Until it is so, by what programs say. Those that take too long are shown."""
    with _news:
        if not _news.wait_for(condition, PATIENCE):
            told = [(program.name, program.heard[-12:], program.last_words()) for program in programs]
            raise AssertionError(f"not within {PATIENCE} s: {told}")


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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        for program in self.programs:
            if not program.buried:
                program.end() if kind is None else program.kill()
