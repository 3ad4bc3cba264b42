"""Programs in processes of their own that say in JSON lines what happens to them."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


class Child:
    """A process; `heard` are its events with the time when they came."""

    def __init__(self, *command: str, env: Mapping[str, str] | None = None) -> None:
        self.born = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )
        self.heard: list[tuple[float, Any]] = []
        self.errors: list[str] = []
        self._readers = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for reader in self._readers:
            reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.heard.append((time.monotonic(), json.loads(line)))

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)

    def tell(self, *command: str) -> None:
        assert self.process.stdin is not None
        print(json.dumps(command), file=self.process.stdin, flush=True)

    def events(self, kind: str) -> list[Any]:
        return [event for _, event in self.heard if event[0] == kind]

    def times(self, kind: str) -> list[float]:
        return [when for when, event in self.heard if event[0] == kind]

    def peers(self) -> set[str]:
        """Whom a peer.py has met and not lost, by the events it tells."""
        there: set[str] = set()
        for _, event in list(self.heard):
            if event[0] == "met":
                there.add(event[1])
            elif event[0] == "left":
                there.discard(event[1])
        return there

    def close(self) -> None:
        """End it, if it has not ended."""
        self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


def peer(*arguments: object, inside: Sequence[str] = ()) -> Child:
    """A node (peer.py) in a process; `inside` is the command that runs it elsewhere."""
    return Child(*inside, sys.executable, str(FOLDER / "peer.py"), *map(str, arguments))


def wait(condition: Callable[[], object], children: Sequence[Child], patience: float = 20.0) -> None:
    """Until it is so. Children that have ended, or take too long, are shown."""
    end = time.monotonic() + patience
    pause = threading.Event()
    while not condition():
        if time.monotonic() > end:
            told = [(child.heard, child.errors) for child in children]
            raise AssertionError(f"not within {patience} s: {told}")
        pause.wait(0.001)
