"""The SQLite file of a journal: its layout and versions, the lock of the run that writes it, SQLite's errors in words.

Layout: docs/protocols/journal.md.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal_values import COLUMNS

APPLICATION: Final = 0x51756A6C  # "Qujl": tells our files from those of other programs
#: Raise it with every change of a table. A file of another version is refused.
VERSION: Final = 8
LAYOUT: Final = f"""
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = {VERSION};
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE games ({", ".join(f"{name} {column.kind}" for name, column in COLUMNS.items())});
    CREATE TABLE voids (
        number INTEGER NOT NULL, happened REAL NOT NULL, why TEXT NOT NULL,
        id TEXT, block INTEGER, contest INTEGER, seats TEXT, entrant INTEGER
    );
"""


def opened(path: Path | str, timeout: float) -> sqlite3.Connection:
    """Open a database whose file, if it has one, is for its owner alone, whatever the umask is."""
    with suppress(OSError):  # SQLite says why
        if str(path) != ":memory:":
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return sqlite3.connect(path, isolation_level=None, timeout=timeout)


def locked(path: Path) -> sqlite3.Connection:
    """Allow one run at a time by a lock on another file, which the operating system releases when the holder dies."""
    lock = opened(f"{path}-lock", 0)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise TournamentError(f"another run is playing this tournament: {path} is being written") from None
    return lock


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as sentences."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        match getattr(error, "sqlite_errorcode", 0) & 0xFF:
            case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:  # the latter where the file beside it can't grow
                reason = "the disk is full or fails. Free some space and run it again: all games that were kept stay"
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
                reason = "it can't be written. See to its folder, and run it again"
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                reason = "it is not a journal of a tournament, or is damaged. It stays as it is: move it away"
            case sqlite3.SQLITE_TOOBIG:
                reason = "a value in it is larger than any that this program writes: it is damaged, or made by hand"
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
                reason = "another program holds it. Close that one, and run it again"
            case _:
                reason = f"{error}. Run it again when that is mended: all games that were kept are there"
        raise TournamentError(f"{path}: {reason}") from None
