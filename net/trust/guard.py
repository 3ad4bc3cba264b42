"""The last guard: it catches unexpected exceptions of the machines, and the program goes on.

A refusal is no fault (`PeerError` inside a machine, `RulesError` to a person). Any other exception is a fault of the
program. The guard counts it, writes it to a file in the home folder, and tells the person once for each place; its
caller bans the sender. A full disk or a damaged store is no fault of the program: the guard tells the person, and the
program goes on, because it sends nothing that it has not stored, and tries each entry again. The guard does not know
which machine it guards. Specification: docs/protocols/discovery.md, "Faults".
"""

import contextlib
import os
import sqlite3
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from quadrille.net.core.errors import LocalError
from quadrille.net.trust.identity import fingerprint
from quadrille.plugs import game_fault

FILE: Final = "faults.log"
#: Maximum bytes of the file, maximum bytes of one fault in it, and maximum reports of one place in a run.
MOST_BYTES: Final = 1 << 18
MOST_OF_ONE: Final = 1 << 13
MOST_WRITTEN: Final = 5
#: How long the sender that triggered a fault is banned, in milliseconds.
BAN: Final = 60_000

_THIS_MACHINE_S: Final = (OSError, sqlite3.Error)


class Guarded:
    """Report an exception of the machine that is called inside; it goes no further."""

    def __init__(self, report: Callable[[Exception], None]) -> None:
        self._told = report

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        if is_fault := isinstance(error, Exception):  # a fault of the program may be any
            self._told(error)
        return is_fault


class Guard:
    """Counts the program's faults and keeps reports for its developers."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.counts: Counter[str] = Counter()
        #: Messages that the person has not seen yet.
        self.news: list[str] = []
        #: The last refusal of this machine, until it stores something again, and the number of its refusals.
        self.trouble = ""
        self.refusals = 0

    def caught(self, place: str, error: Exception, by: bytes | None = None) -> bool:
        """Report an exception of a machine in this place, triggered by the holder of key `by`. Tell the person once
        what this machine refuses, as a full disk does, and return False. Raise other errors of the system.
        """
        if isinstance(error, LocalError):
            self.refusals += 1
            if self.trouble != str(error):
                self.trouble = str(error)
                self.news.append(self.trouble)
            return False
        if isinstance(error, _THIS_MACHINE_S):
            raise error
        self.counts[place] += 1
        if self.counts[place] == 1:
            who = f", after a message of {fingerprint(by)}" if by else ""
            fault = game_fault(error) or f"this program made a mistake in {place} ({type(error).__name__}){who}"
            self.news.append(f"{fault}, and goes on; see {self.path}")
        if self.counts[place] <= MOST_WRITTEN:
            self._write(place, error, by)
        return True

    def _write(self, place: str, error: Exception, by: bytes | None) -> None:
        """Append to the file. A failure to write must not be a second fault, so it is ignored."""
        when = time.strftime("%Y-%m-%d %H:%M:%S")
        lines = "".join(traceback.format_exception(error))[-MOST_OF_ONE:]
        plain = "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in lines)
        text = f"{when} in {place}, by {by.hex() if by else 'nobody'}\n{plain}\n".encode("ascii", "backslashreplace")
        with contextlib.suppress(OSError):
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
            try:
                if os.fstat(file).st_size + len(text) <= MOST_BYTES:
                    os.write(file, text)
            finally:
                os.close(file)


def author_of(event: object) -> bytes | None:
    """Return the key that an event of a lobby, a gathering or a table names as its author."""
    for name in ("key", "author", "culprit"):
        if isinstance(key := getattr(event, name, None), bytes) and any(key):
            return key
    for name in ("event", "peer", "entry"):
        if (inner := getattr(event, name, None)) is not None:
            return author_of(inner)
    return None
