"""Programs of their own for tests: started, listened to line by line, told things, waited for, ended or killed.

A test waits for what programs say, and never for a fixed time; one that waits too long fails and shows what was said.
"""

import contextlib
import os
import re
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from tests.waiting import DEADLINE

ROOT = Path(__file__).parents[1]
#: Notified whenever any program has said something or has ended.
NEWS = threading.Condition()


class Program:
    """One life of a program with pipes. A thread reads what it writes and complains of, line by line."""

    def __init__(
        self,
        *command: str,
        env: Mapping[str, str] | None = None,
        folder: Path | None = None,
        errors: IO[str] | int = subprocess.STDOUT,
    ) -> None:
        """`errors`: where its complaints go, if not among its lines."""
        self.command = command
        self.lines: list[str] = []
        self.at = 0  # how many of them were waited for
        self.ended = False
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            encoding="utf-8", errors="replace", env={**os.environ, **(env or {})}, cwd=folder,
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with NEWS:
                self.hear(line.rstrip("\n"))
                NEWS.notify_all()
        with NEWS:
            self.ended = True
            NEWS.notify_all()

    def hear(self, line: str) -> None:
        self.lines.append(line)

    @property
    def is_buried(self) -> bool:
        return self.process.stdout is None or self.process.stdout.closed

    @property
    def text(self) -> str:
        return "\n".join((" ".join(self.command), *self.lines))

    def wait(self, pattern: str) -> re.Match[str]:
        """Wait for the next line in which that is found."""
        match = self.next(lambda at: re.search(pattern, self.lines[at]))
        assert match, f"{pattern!r} did not come:\n{self.text}"
        return match

    def next(self, finds: Callable[[int], Any]) -> Any:
        """Wait for what is found at the next line at which something is; None when the program has ended."""

        def found() -> object:
            while self.at < len(self.lines):
                self.at += 1
                if what := finds(self.at - 1):
                    return what
            return self.ended

        what = wait_until(found, self)
        return None if what is True else what

    def enter(self, *lines: str) -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def close_input(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    def end(self, by: int | None = None) -> int:
        """Wait for its end, after a signal if one is given, and return its exit code."""
        if by is not None:
            self.process.send_signal(by)
        code = self.process.wait(DEADLINE)
        self._reader.join(DEADLINE)
        assert "Traceback" not in self.text, self.text
        return code

    def kill(self) -> None:
        """Send SIGKILL, if it is alive: it says and saves nothing."""
        self.process.kill()
        self.process.wait(DEADLINE)
        self._reader.join(DEADLINE)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()


def wait_until(condition: Callable[[], object], *programs: Program) -> object:
    """Wait until it is so, by what programs say; those that take too long are shown."""
    with NEWS:
        found = NEWS.wait_for(condition, DEADLINE)
    assert found, f"not within {DEADLINE} s:\n" + "\n\n".join(program.text for program in programs)
    return found
