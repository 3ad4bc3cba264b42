"""The memory of a peer: tables, logs and secrets, in one SQLite file that survives kill -9 at any moment.

A call that keeps something has committed it when it returns. Our own entries, secrets and terms are promises to
others, so they are on the disk before we go on. Data that others can send us again survives a crash of the program, but
perhaps not a power cut. Nothing here knows what an entry means; known.py keeps the known peers. Specification:
docs/protocols/identity.md.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import NAMING, STORE_FILE, Lock, made_once, refusal
from quadrille.net.trust.identity import fingerprint
from quadrille.value import value

APPLICATION: Final = 0x51756164  # "Quad": tells our files from those of other programs
#: Maximum entries at one index; above it those of others are dropped.
MOST_VARIANTS: Final = 8
#: Label prefixes of evidence about a table. Such records open no hidden card.
EVIDENCE: Final = ("proof", "fault/", "promise/", "book/", "guest/")

#: The version of the layout: raise it with every change of a table. A file of another version is refused.
VERSION: Final = 6
LAYOUT: Final = f"""
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = {VERSION};
    CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL);
    CREATE TABLE peers (
        key BLOB PRIMARY KEY, name TEXT NOT NULL, first_name TEXT NOT NULL, nickname TEXT, blocked INTEGER NOT NULL,
        since INTEGER NOT NULL, seen INTEGER NOT NULL
    );
    CREATE TABLE names (
        folded TEXT, key BLOB REFERENCES peers (key) ON DELETE CASCADE, PRIMARY KEY (folded, key)
    );
    CREATE INDEX names_of_peers ON names (key);
    CREATE TABLE tables (
        id BLOB PRIMARY KEY, game TEXT NOT NULL, role TEXT NOT NULL, state TEXT NOT NULL, changed INTEGER NOT NULL
    );
    CREATE TABLE entries (
        id BLOB REFERENCES tables, place INTEGER, variant INTEGER, data BLOB NOT NULL, PRIMARY KEY (id, place, variant)
    );
    CREATE TABLE secrets (id BLOB REFERENCES tables, label TEXT, data BLOB NOT NULL, PRIMARY KEY (id, label));
"""

_DAMAGED: Final = (
    "it is damaged, and is left as it is. Restore a backup; or move it away (with the files beside it whose names "
    "begin like its own) and start again: the others at your tables still have the logs"
)
_HELD: Final = "another program holds it. Close that one, and try again"
#: SQLite's errors that the operating system has too, and more in words for a person. Others are the program's faults.
_OF_SYSTEM: Final = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EPERM,
}
_TROUBLE: Final = {
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL), _HELD),
    sqlite3.SQLITE_IOERR: f"the disk reports errors. Check it, or name a folder elsewhere with {NAMING}",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
_TABLES: Final = "SELECT id, game, role, state, changed FROM tables "

#: How this peer is at a table: in all its seats without a network, in some of them, or only looking on.
Role: TypeAlias = Literal["own", "seat", "watch"]
State: TypeAlias = Literal["playing", "over", "forgotten"]


@value
class KeptTable:
    """A stored table; `changed` is in milliseconds since 1970."""

    id: bytes
    game: str
    role: Role
    state: State
    changed: int


class Store(AbstractContextManager["Store"]):
    """The store of one identity. A program that plays opens it `alone`; others may read and add at any time."""

    def __init__(self, folder: Path, owner: bytes, *, alone: bool = True) -> None:
        """Open the store of the identity with that public key; make one if there is none."""
        self.path = folder.absolute() / STORE_FILE
        with ExitStack() as undo:
            self._lock = undo.enter_context(Lock(folder)) if alone else None
            if not _is_there(self.path, owner):
                _make(self.path, owner)
            self._file = _connected(self.path, "rw")
            undo.callback(self._file.close)
            with _plainly(self.path):
                _set_up(self._file)
            undo.pop_all()
        self._synced: bool | None = None
        #: Whether the disk has all that was committed.
        self.flushed = False
        self._inside: bool | None = None

    def close(self) -> None:
        """Close the file, so that other programs may open it."""
        self._file.close()
        if self._lock:
            self._lock.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading and writing, for this file and known.py

    @contextmanager
    def together(self, *, own: bool = True) -> Iterator[None]:
        """Commit everything inside when it ends, or nothing. A transaction with `own` data waits for the disk and
        flushes all earlier ones, so data of others need not wait.
        """
        if self._inside is not None:
            assert self._inside or not own, "own data waits for the disk, so its whole transaction must"
            yield
            return
        if own is not self._synced:
            self._do(f"PRAGMA synchronous = {'FULL' if own else 'NORMAL'}")
            self._synced = own
        self._do("BEGIN IMMEDIATE")
        self._inside = own
        try:
            yield
            self._do("COMMIT")
            self.flushed = own
        except BaseException:
            self._file.rollback()
            raise
        finally:
            self._inside = None

    def _do(self, sql: str, *values: object) -> sqlite3.Cursor:
        """Run one statement; Python caches it prepared."""
        with _plainly(self.path):
            return self._file.execute(sql, values)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with _plainly(self.path):
            return self._file.execute(sql, values).fetchall()

    def change(self, sql: str, *values: object) -> None:
        """Write, and commit unless inside a transaction."""
        with self.together(own=self._inside is not False):
            self._do(sql, *values)

    # Tables

    def keep_table(self, id: bytes, game: str, role: Role, now: int) -> None:
        """Note a table that begins, unless it is known."""
        self.change("INSERT INTO tables VALUES (?, ?, ?, 'playing', ?) ON CONFLICT DO NOTHING", id, game, role, now)

    def mark_table(
        self, id: bytes, now: int | None = None, *, role: Role | None = None, state: State | None = None
    ) -> None:
        """Note what has changed at a known table, and when; None stays as it was."""
        self.change(
            "UPDATE tables SET role = coalesce(?, role), state = coalesce(?, state), changed = coalesce(?, changed) "
            "WHERE id = ?", role, state, now, id,
        )  # fmt: skip

    def table(self, id: bytes) -> KeptTable | None:
        tables = self.rows(_TABLES + "WHERE id = ?", id)
        return KeptTable(*tables[0]) if tables else None

    def tables(self, *states: State) -> list[KeptTable]:
        """Return all tables, or those in one of these states, the last changed first."""
        kept = (KeptTable(*row) for row in self.rows(_TABLES + "ORDER BY changed DESC, id"))
        return [table for table in kept if not states or table.state in states]

    def drop_table(self, id: bytes) -> None:
        """Delete a table of one peer, with its log and its secrets: nobody else relies on them."""
        with self.together():
            self.change("DELETE FROM entries WHERE id = ?", id)
            self.change("DELETE FROM secrets WHERE id = ?", id)
            self.change("DELETE FROM tables WHERE id = ?", id)

    # Logs

    def keep_entry(self, table: bytes, index: int, data: bytes, *, own: bool = True) -> None:
        """Keep an entry of a log. Our `own` entries are kept before they are sent to anybody.

        Other bytes at that index are kept beside the first, as proof that somebody made two logs. `MOST_VARIANTS`
        limits how many of others are kept; ours always are.
        """
        with self.together(own=own):
            variants = self.rows("SELECT data FROM entries WHERE id = ? AND place = ?", table, index)
            if (data,) not in variants and (own or len(variants) < MOST_VARIANTS):
                self.change("INSERT INTO entries VALUES (?, ?, ?, ?)", table, index, len(variants), data)

    def entries(self, table: bytes) -> list[bytes]:
        """Return the log up to the first gap, with all entries that are kept at an index, the first to come first."""
        kept: list[bytes] = []
        reached = 0
        for index, data in self.rows("SELECT place, data FROM entries WHERE id = ? ORDER BY place, variant", table):
            if index > reached:
                break
            kept.append(data)
            reached = index + 1
        return kept

    # Secrets

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        """Keep a secret of ours for a table, unless one with that label exists."""
        self.change("INSERT INTO secrets VALUES (?, ?, ?) ON CONFLICT DO NOTHING", table, label, data)

    def secret(self, table: bytes, label: str) -> bytes | None:
        secrets = self.rows("SELECT data FROM secrets WHERE id = ? AND label = ?", table, label)
        return secrets[0][0] if secrets else None

    def renew_secret(self, table: bytes, label: str, data: bytes | None) -> None:
        """Keep a secret in place of the one with that label; None deletes it."""
        with self.together():
            self.change("DELETE FROM secrets WHERE id = ? AND label = ?", table, label)
            if data is not None:
                self.keep_secret(table, label, data)

    def forget_secrets(self, table: bytes) -> None:
        """Delete the secrets of a finished game that could still open its cards, from the disk too. Promises and
        evidence stay.
        """
        with self.together():
            for (label,) in self.rows("SELECT label FROM secrets WHERE id = ?", table):
                if not label.startswith(EVIDENCE):
                    self.renew_secret(table, label, None)
        if self._inside is None:
            self.rows("PRAGMA wal_checkpoint(TRUNCATE)")


# The file


@contextmanager
def _plainly(path: Path) -> Iterator[None]:
    """Turn errors of the file into words for a person; a fault of the program stays as it is."""
    try:
        yield
    except OSError as error:
        raise refusal(error, path) from None
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _OF_SYSTEM:
            raise refusal(OSError(_OF_SYSTEM[code], ""), path) from None
        if code in _TROUBLE:
            raise LocalError(f"{path} can't be used: {_TROUBLE[code]}") from None
        raise


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    """Open an existing file in autocommit mode."""
    with _plainly(path):
        return sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=5)


def _set_up(file: sqlite3.Connection) -> None:
    if file.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
        raise LocalError(f"this file system can't hold a store of games: name a folder elsewhere with {NAMING}")
    for setting in ("foreign_keys = ON", "secure_delete = ON", "trusted_schema = OFF", "fullfsync = ON"):
        file.execute(f"PRAGMA {setting}")


def _is_there(path: Path, owner: bytes) -> bool:
    """Tell if there is a file; refuse one that is damaged, of another version or foreign. Only reads."""
    damaged = LocalError(f"{path} can't be used: {_DAMAGED}")
    with _plainly(path):
        if not path.exists():
            return False
        with closing(_connected(path, "ro")) as file:
            ask = file.execute
            if ask("PRAGMA application_id").fetchone() != (APPLICATION,):
                raise damaged
            version: int = ask("PRAGMA user_version").fetchone()[0]
            if version != VERSION:
                age, remedy = ("a newer", "Update the program") if version > VERSION else ("an older", "Move it away")
                raise LocalError(
                    f"{path} was written by {age} version of this program (its layout is {version}, ours {VERSION}), "
                    f"and is left as it is. {remedy}, or name another folder with {NAMING}"
                )
            if ask("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
                raise damaged
            kept = ask("SELECT value FROM facts WHERE name = 'owner'").fetchone()
    if kept != (owner,):
        whose = f"another identity ({fingerprint(kept[0])})" if kept else "nobody"
        raise LocalError(
            f"{path} belongs to {whose}, not to the key beside it ({fingerprint(owner)}): "
            "restore the key that belongs to it, or move the store away and start again"
        )
    return True


def _make(path: Path, owner: bytes) -> None:
    """Make a new file that only its owner can ever read; one that another program made in the meantime stays."""
    with _plainly(path), made_once(path) as part:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(_connected(part, "rw")) as file:
            file.execute("PRAGMA journal_mode = OFF")
            file.executescript(f"BEGIN IMMEDIATE; {LAYOUT} COMMIT;")
            file.execute("INSERT INTO facts VALUES ('owner', ?)", (owner,))
            _set_up(file)  # from here on a killed program leaves nothing that only a writer could repair
