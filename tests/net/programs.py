"""Programs of their own for tests: players (player.py), what they print, and their deaths."""

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from tests.net.party import udp_port

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0  # seconds; only a failing test waits so long


class Program:
    """One life of a player."""

    def __init__(self, name: str, folder: Path, port: int, *arguments: str, before: Sequence[str] = ()) -> None:
        self.name = name
        self.heard: list[dict[str, Any]] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        command = [*before, sys.executable, "-m", "tests.net.player", name, str(folder / name), str(port), *arguments]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def wait(self, what: str, **more: Any) -> dict[str, Any]:
        """The first line from here on that says this."""
        end = time.monotonic() + PATIENCE
        while said := self._next(end):
            if said["what"] == what and all(said.get(key) == value for key, value in more.items()):
                return said
        raise AssertionError(f"{self.name} did not say {what} {more}, only {self.heard[-12:]}; {self._last_words()}")

    def lived_to_the_end(self) -> bool:
        """Whether it saw the end of its game; if not, it is dead."""
        end = time.monotonic() + PATIENCE
        while said := self._next(end):
            if said["what"] == "over":
                return True
        self.process.wait(PATIENCE)
        assert self.process.returncode == -signal.SIGKILL, self._last_words()
        self._close()
        return False

    def _next(self, end: float) -> dict[str, Any] | None:
        """What it says next; None when it is dead, or silent for too long."""
        try:
            line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            line = None
        if line is not None:
            self.heard.append(json.loads(line))
        return self.heard[-1] if line is not None else None

    def _last_words(self) -> str:
        assert self.process.stderr
        self.process.kill()
        self.process.wait(PATIENCE)
        return f"its last words: {self.process.stderr.read()[-2000:]!r}"

    def kill(self) -> None:
        """SIGKILL: nothing is said, nothing is saved."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self._close()

    def end(self) -> None:
        """Let it end by itself; it must do so without complaint."""
        assert self.process.stdin and self.process.stderr
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        errors = self.process.stderr.read()
        self._close()
        assert (self.process.returncode, errors) == (0, ""), errors
        while (line := self._lines.get()) is not None:
            self.heard.append(json.loads(line))
        complaints = [said for said in self.heard if said["what"] in ("blamed", "stopped", "dropped")]
        assert not complaints, complaints

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()


class Street:
    """Players that share a UDP port which nobody else uses, each with a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = udp_port()
        self.programs: list[Program] = []

    def start(self, name: str, *arguments: str, before: Sequence[str] = ()) -> Program:
        program = Program(name, self.folder, self.port, *arguments, before=before)
        self.programs.append(program)
        return program

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        for program in self.programs:
            if program.process.returncode is None:
                program.end() if kind is None else program.kill()
