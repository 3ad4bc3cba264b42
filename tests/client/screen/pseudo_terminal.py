"""A real program on a real pseudo-terminal: its keys, its screen, its signals, and what it leaves behind."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

import pyte

from tests.client.screen.terminal import KEYS
from tests.waiting import DEADLINE

PLAY = [sys.executable, "-m", "quadrille.client.cli", "play"]


class Program:
    """A program whose controlling terminal is ours: `quadrille play` and these words, or the program of that path."""

    #: Those that are open. While one is waited for, all are read: a terminal that nobody reads stops its program.
    there: ClassVar[list["Program"]] = []

    def __init__(self, *words: str, home: Path, rows: int = 24, columns: int = 80, **env: str) -> None:
        self.master, self.slave = pty.openpty()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = bytearray()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.slave)
        surroundings = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "QUADRILLE_HOME": str(home), "HOME": str(home)}
        surroundings |= {"XDG_CONFIG_HOME": str(home / "config"), "PATH": os.environ["PATH"]} | env
        self.process = subprocess.Popen(
            list(words) if os.path.isabs(words[0]) else [*PLAY, *words],
            stdin=self.slave, stdout=self.slave, stderr=self.slave, env=surroundings, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        self.there.append(self)

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, *keys: str) -> None:
        os.write(self.master, "".join(KEYS.get(key, key) for key in keys).encode())

    def read(self, seconds: float) -> bool:
        """What has come within so many seconds; False when nothing did."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self.master, 65536)
        except OSError:
            return False
        self.written += piece
        self.stream.feed(piece)
        return bool(piece)

    def until(self, there: Callable[[], bool], what: str = "it") -> None:
        end = time.monotonic() + DEADLINE
        while not there():
            assert time.monotonic() < end, f"{what} did not come:\n{self.text}"
            self.read(0.05)
            for program in self.there:
                while program.read(0):
                    pass

    def sees(self, *texts: str) -> None:
        self.until(lambda: all(text in self.text for text in texts), repr(texts))

    def moved(self) -> None:
        """The first move at a Maze of 4 x 4, by the person or by two of them."""
        self.sees("TURN OF A")
        self.press("b4", "enter")
        self.sees("last: A a4-b4")

    def ends(self) -> int:
        self.until(lambda: self.process.poll() is not None, "the end")
        while self.read(0):
            pass
        return self.process.returncode

    def is_clean(self) -> bool:
        """Whether the terminal is as it was before: its modes, no other screen, no mouse, the caret there."""
        while self.read(0):
            pass
        modes = {
            number: self.written.rfind(b"\x1b[?%dl" % number) >= self.written.rfind(b"\x1b[?%dh" % number)
            for number in (1049, 1000, 2004)
        }
        shown = self.written.rfind(b"\x1b[?25h") >= self.written.rfind(b"\x1b[?25l")
        return all(modes.values()) and shown and termios.tcgetattr(self.slave) == self.before

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.there.remove(self)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for file in (self.master, self.slave):
            try:
                os.close(file)
            except OSError:
                continue
