"""The file of an evening, HOME/evenings/DATE-TIME.txt: a line for each game that ended and for each bet, never changed.

A line is JSON with a check behind it. One that can't be read is reported, and hides no other line.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from quadrille.client.evening.scores import Bet, EndedGame, Scoreboard
from quadrille.client.words.story import few
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import folder_in, refusal

FOLDER: Final = "evenings"
#: Seconds without a line after which the next line begins another evening.
LULL: Final = 8 * 3600


def written(line: EndedGame | Bet) -> str:
    told = json.dumps({name: getattr(line, name) for name in line.__match_args__}, separators=(",", ":"))
    return f"{told} #{_check(told)}\n"


def read_line(line: str) -> EndedGame | Bet:
    """Read a line as it was written; a ValueError or a TypeError for anything else."""
    told, _, check = line.rpartition(" #")
    if check != _check(told):
        raise ValueError("the line was changed")
    given: dict[str, Any] = dict(json.loads(told))
    fields: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in given.items()}
    return Bet(**fields) if "seat" in fields else EndedGame(**fields)


def _check(told: str) -> str:
    return hashlib.sha256(told.encode()).hexdigest()[:8]


def read_evening(path: Path) -> tuple[Scoreboard, list[str]]:
    """Return what counts in a file, and a sentence if some lines can't be read."""
    board, wrong = Scoreboard(), []
    for number, line in enumerate(path.read_bytes().decode("latin-1").removesuffix("\n").split("\n"), 1):
        try:
            board = board.after(read_line(line))
        except (ValueError, TypeError, RecursionError):
            wrong.append(str(number))
    lines = f"Line {wrong[0]}" if len(wrong) == 1 else f"Lines {few(wrong)}"
    return board, [f"{lines} of {path} can't be read. All others count."] if wrong else []


class KeptEvening:
    """The evening that goes on in a home, or one that begins with its first line. `said` is for a person, once."""

    def __init__(self, home: Path, now: Callable[[], float] = time.time) -> None:
        self.board, self.said = Scoreboard(), list[str]()
        self._home, self._now = home, now
        self._name, self._last = "", 0.0
        try:
            files = {path.stat().st_mtime: path for path in (home / FOLDER).glob("*.txt")}
            self._last = max(files, default=0.0)
            if files and self._goes_on():
                self._name = files[self._last].name
                self.board, self.said = read_evening(files[self._last])
        except OSError as error:
            self.said = [f"The table of the evening can't be read. {refusal(error, home / FOLDER)}."]

    def _goes_on(self) -> bool:
        return self._now() - self._last < LULL

    def add(self, line: EndedGame | Bet) -> None:
        """Count a line, and keep it. It counts also if it can't be kept, which is said."""
        if not self._goes_on():
            self.board, self._name = Scoreboard(), ""
        before, self.board, self._last = self.board, self.board.after(line), self._now()
        self._name = self._name or time.strftime("%Y-%m-%d-%H%M.txt", time.localtime(self._last))
        if self.board is not before:
            try:
                _append(folder_in(self._home, FOLDER) / self._name, written(line))
            except LocalError as error:
                self.said.append(f"The table of the evening can't be kept: {error}.")


def _append(path: Path, line: str) -> None:
    """Add a line, behind one that a crash may have cut."""
    try:
        with open(path, "ab+", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.seek(max(0, file.tell() - 1))
            is_cut = file.read() not in (b"", b"\n")
            file.write(("\n" * is_cut + line).encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise refusal(error, path) from None
