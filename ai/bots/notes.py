"""Notes of each game of a bot: the lines both ways, its standard error, and its faults.

One file for each game in a folder of the bot, limited in size and number; the oldest are deleted. A file holds one
JSON object per line: the players, then `told` (an object, as it was written) and `said` (a text, whatever it was),
each with its time in milliseconds, and at the end `errors` and `fault`. A failure to write costs a sentence and never
the game. ai/checks/bundle.py makes bundles of these files.
"""

import json
import os
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final

from quadrille import __version__
from quadrille.ai.bots.lines.dialogue import START, Chosen, Event
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import GRACE, Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.json_lines import encode
from quadrille.rules.core import RULES_VERSION
from quadrille.rules.core.thoughts import FIELDS

#: The folder of the games, within that of a bot.
GAMES: Final = "games"
SUFFIX: Final = ".jsonl"
MOST_GAMES: Final = 200
#: Maximum bytes of a game, and of its standard error.
MOST_BYTES: Final = 8 << 20
MOST_ERRORS: Final = 1 << 16
_START: Final = b'{"do": "start"'
#: Maximum lines from before the first game, and their maximum bytes.
MOST_OPENING: Final = 100
LONGEST_OPENING: Final = 1 << 16


class Notes:
    """The notes of the games that one program plays, one after another."""

    def __init__(
        self, folder: Path, command: Sequence[str], errors: Callable[[], str], say: Callable[[str], None]
    ) -> None:
        """`errors` returns the end of the program's standard error; `say` reports to a person."""
        self._folder: Path | None = folder
        self._errors = errors
        self._say = say
        self._room = MOST_BYTES
        self._began = 0
        self._before = ""
        self._file: BinaryIO | None = None
        #: The file of the present game, or of the last.
        self.path: Path | None = None
        self._command = list(command)
        self._opening: list[bytes] = []  # lines from before the first game

    def line(self, now: int, from_table: bool, line: bytes) -> None:
        """Note a line of the dialogue (talk.py, `Heard`)."""
        if self._folder is None:
            return
        self._began = self._began or now
        if from_table and line.startswith(_START):
            self._open(line)
        at = b'{"at": %d, ' % (now - self._began)
        if from_table:
            kept = at + b'"told": ' + line.removesuffix(b"\n") + b"}\n"
        else:
            kept = at + b'"said": ' + json.dumps(line.decode("utf-8", "surrogateescape")).encode("ascii") + b"}\n"
        if self._file is not None:
            self._keep(kept)
        elif len(self._opening) < MOST_OPENING and sum(map(len, self._opening)) + len(kept) <= LONGEST_OPENING:
            self._opening.append(kept)

    def end(self, fault: BotFault | None = None) -> None:
        if self._folder is not None and self._file is None and fault is not None:
            self._open(b"")
        if self._file is None:
            return
        after = self._errors()
        errors = after.removeprefix(self._before) if after.startswith(self._before) else after
        self._room = MOST_ERRORS * 6 + MOST_BYTES  # there is always room for these
        if errors:
            self._keep(encode({"errors": errors[-MOST_ERRORS:]}))
        if fault is not None:
            self._keep(encode({"fault": fault.kind, "why": fault.why}))
        self._close()

    def _open(self, start: bytes) -> None:
        """Open a file for a new game; it begins with the lines from before the first game."""
        self.end()
        assert self._folder is not None
        table = json.loads(start)["table"] if start else "no-game"
        self._before = self._errors() if start else ""
        self._room = MOST_BYTES
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for old in kept_games(self._folder)[: -MOST_GAMES + 1]:
                old.unlink(missing_ok=True)
            self.path, self._file = _new_file(self._folder, "".join(filter(str.isalnum, table))[:32] or "table")
        except OSError as error:
            self._give_up(error)
        when = time.strftime("%Y-%m-%d %H:%M:%S")
        head = {"kept": 1, "quadrille": __version__, "rules": RULES_VERSION, "command": self._command, "when": when}
        self._keep(encode(head))
        for line in self._opening:
            self._keep(line)

    def _keep(self, line: bytes) -> None:
        if self._file is None or self._room < 0:
            return
        self._room -= len(line)
        try:
            self._file.write(
                line if self._room >= 0 else encode({"cut": f"a game has at most {MOST_BYTES} bytes here"})
            )
            self._file.flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self._say(f"its lines are not kept any more: {self._folder}: {error.strerror or error}")
        self._folder = None
        self._close()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):  # the failed write was reported
                file.close()


def kept_games(folder: Path) -> list[Path]:
    """List the files of the games in a folder, the oldest first."""
    return sorted(folder.glob(f"*{SUFFIX}"))


def has_thoughts(path: Path) -> bool:
    """Return whether a kept game seems to hold thoughts of a bot. Nothing is decoded."""
    try:
        kept = path.read_bytes()
    except OSError:
        return False
    return any(b'\\"%s\\"' % name.encode() in kept for name in FIELDS)


def _new_file(folder: Path, table: str) -> tuple[Path, BinaryIO]:
    """Open a file named by the time, so that a later one sorts after it."""
    now = time.time_ns() // 1_000_000
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now / 1000))
    # without O_BINARY Windows would write two bytes for each end of a line
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for number in count(now % 1000):
        path = folder / f"{stamp}-{number:03}-{table}{SUFFIX}"
        try:
            return path, os.fdopen(os.open(path, flags, 0o600), "wb")
        except FileExistsError:
            continue
    raise AssertionError("numbers do not end")


class KeptTalk(Talk):
    """A dialogue with notes."""

    def __init__(
        self, program: Program, folder: Path, say: Callable[[str], None], *, start: int = START, owned: bool = False
    ) -> None:
        """`owned`: the bot's owner reads what it says, and learns where its thoughts are after a game."""
        self._say_where = say if owned else None
        self._thinks = False
        self.notes = Notes(folder, program.command, lambda: program.errors, say)
        super().__init__(program, self.notes.line, start=start)

    def hear(self, timeout: float = 0) -> Event | None:
        """Read the bot's next event; note its fault."""
        before = self.fault
        try:
            event = super().hear(timeout)
        except BotFault as fault:
            if before is None:
                self.notes.end(fault)
            raise
        if isinstance(event, Chosen) and event.thought is not None:
            self._thinks = True
        return event

    def forget(self) -> None:
        """Drop the game. Tell its owner where the bot's thoughts are, if it told any."""
        super().forget()
        if self._thinks and self._say_where is not None and self.notes.path is not None:
            self._say_where(f"quadrille replay {shlex.quote(str(self.notes.path))} shows the game with its thoughts")
        self._thinks = False

    def close(self, grace: float = GRACE) -> None:
        """End the program; its last output belongs to its last game."""
        super().close(grace)
        self.notes.end()
