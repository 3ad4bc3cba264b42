"""Real programs on the loopback of this machine: started, listened to line by line, waited for with a deadline."""

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.waiting import DEADLINE

COMMAND = [sys.executable, "-m", "quadrille.client.cli"]


class Program:
    """A program with pipes. Its output is read by a thread; `wait` looks for a line, from where it last found one."""

    def __init__(self, *words: str, home: Path | None = None, port: int = 0, name: str = "") -> None:
        """`home` absent: a command that knows nothing of a network."""
        named = ["--name", name] if name else []
        settings = ["--home", str(home), "--port", str(port), "--interface", "127.0.0.1", *named] if home else []
        self.words = [*words, *settings]
        self.process = subprocess.Popen(
            [*COMMAND, *self.words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "COLUMNS": "80"},
        )
        self.lines: list[str] = []
        self.at = 0
        self.ended = False
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line.decode().rstrip("\n"))
                self.news.notify_all()
        with self.news:
            self.ended = True
            self.news.notify_all()

    def wait(self, pattern: str) -> re.Match[str]:
        """The next line in which that is found."""
        end = time.monotonic() + DEADLINE
        with self.news:
            while True:
                while self.at < len(self.lines):
                    found = re.search(pattern, self.lines[self.at])
                    self.at += 1
                    if found:
                        return found
                left = end - time.monotonic()
                assert left > 0 and not self.ended, f"{pattern!r} did not come:\n{self.text}"
                self.news.wait(left)

    @property
    def text(self) -> str:
        """All it has said."""
        return " ".join(self.words) + "\n" + "\n".join(self.lines)

    def enter(self, *lines: str) -> None:
        """Lines on its standard input."""
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def close_input(self) -> None:
        """The end of its standard input."""
        assert self.process.stdin
        self.process.stdin.close()

    def end(self, by: int | None = None) -> int:
        """Its exit code, after a signal if one is given."""
        if by is not None:
            self.process.send_signal(by)
        code = self.process.wait(DEADLINE)
        with self.news:
            assert self.news.wait_for(lambda: self.ended, DEADLINE)
        assert "Traceback" not in self.text, self.text
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        self.process.wait(DEADLINE)
        self.reader.join(DEADLINE)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            with contextlib.suppress(BrokenPipeError):
                stream.close()


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
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        for program in programs:
            with program.news:
                rest = program.lines[program.at :]
                for number, line in enumerate(rest):
                    if line.startswith("The game is over"):
                        return None
                    if line.startswith("Your turn"):
                        program.at += number + 1
                        return program
                program.news.wait(0.05)
    raise AssertionError("\n\n".join(program.text for program in programs))


class Terminal:
    """A program at a terminal, and all that it has written there."""

    def __init__(self, *words: str, home: Path | None = None, port: int = 0) -> None:
        import pty

        self.ours, theirs = pty.openpty()
        settings = ["--home", str(home), "--port", str(port), "--interface", "127.0.0.1", "--name", "Ann"]
        settings = settings if home else []
        self.process = subprocess.Popen(
            [*COMMAND, *words, *settings],
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
