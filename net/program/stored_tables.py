"""The tables in a peer's store (net/trust/store.py), of the network and at one keyboard: what is stored when, and in
which commit; how a log is read again; whose secrets may be deleted, and with whom this person has played.

It implements net/entries/table_store.py. Specification: docs/protocols/play.md, and docs/protocols/identity.md, "Data
on disk".
"""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.home import home, own_folder
from quadrille.net.entries.bodies import BeginBody, MotionBody
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.entries.motions import HandMotion
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.own_cards import CARDS
from quadrille.net.seating.unopened_tables import kept_log
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import KeptTable, Role, Store

#: Maximum tables that are searched for people this person has played with.
MOST_TABLES: Final = 64
#: The label of the text of a far room among a table's secrets.
FAR: Final = "ticket"


@contextlib.contextmanager
def tables_at(at: str | Path | None) -> Iterator["StoredTables"]:
    """Open the tables of a home, which other programs may have open too. Make its store if there is none."""
    folder = own_folder(home(at))
    identity = Identity.open(folder)
    with Store(folder, identity.key, alone=False) as store:
        yield StoredTables(store, identity)


class StoredTables:
    """The storage of a peer's tables.

    Our own data is stored when a call returns. Another's entry is stored with the next own data, so that a move and
    the answer to it are one commit; if none follows, `catch_up` stores it. Until then only a crash of this program
    loses it, and then the others send it again.
    """

    def __init__(self, store: Store, identity: Identity, role: Role = "seat") -> None:
        """`role` is that of this peer at tables that begin with a seat of its key."""
        self.store = store
        self.identity = identity
        self._role: Role = role
        self._others: list[Entry] = []

    def keep_entry(self, entry: Entry, *, heard: bool = False) -> None:
        """Store an entry; the first one brings its table. Others have one that was `heard`, and it may be our own."""
        if entry.author not in (self.identity.key, NOBODY):
            self._others.append(entry)
            return
        try:
            with self.store.together():
                self._keep_others()
                self.put(entry)
            self._others.clear()
        except LocalError:
            if entry.author != NOBODY and not heard:
                raise
            if entry not in self._others:
                self._others.append(entry)  # it stands in the log of each peer, and is stored when that can be done

    def put(self, entry: Entry, *, own: bool = True) -> None:
        """Store an entry within a transaction, and what it changes about its table."""
        table = entry.table
        match entry.body:
            case BeginBody() as first:
                role = self._role if self.identity.key in first.keys else "watch"
                self.store.keep_table(table, first.terms.game, role, wall())
            case MotionBody(HandMotion(_, key)) if key == self.identity.key:
                self.store.mark_table(table, role="seat")
        self.store.mark_table(table, wall())
        self.store.keep_entry(table, entry.index, entry.data, own=own)

    def _keep_others(self) -> None:
        for entry in self._others:
            self.put(entry, own=False)

    def catch_up(self) -> bool:
        """Store pending entries of others; return whether there were any."""
        if not self._others:
            return False
        with self.store.together(own=False):
            self._keep_others()
        self._others.clear()
        return True

    def settle(self, table: bytes) -> None:
        """Flush all earlier commits by one that waits for the disk, unless the last one did."""
        self.catch_up()
        if not self.store.flushed:
            self.store.mark_table(table, wall())

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        """Store our own data about a table; it may concern a pending entry, so that is stored too."""
        self.catch_up()
        self.store.keep_secret(table, label, data)

    def secret(self, table: bytes, label: str) -> bytes | None:
        return self.store.secret(table, label)

    def entries(self, table: bytes) -> list[bytes]:
        """All stored entries, also those replaced later."""
        self.catch_up()
        return self.store.entries(table)

    def log(self, table: bytes) -> Log | None:
        """Read the log of a table; None if it has no entry. A PeerError says why it can't be read here."""
        entries = self.entries(table)
        return kept_log(entries) if entries else None

    def mark_over(self, table: bytes) -> None:
        """Note that a game has ended, for the next start."""
        kept = self.store.table(table)
        if kept and kept.state != "over":
            self.store.mark_table(table, wall(), state="over")
            self.keep_far(table, None)

    def keep_far(self, table: bytes, text: str | None) -> None:
        """Keep the text of the far room where a game began, so that its seat comes back there."""
        self.store.renew_secret(table, FAR, text.encode() if text else None)

    def far(self, table: bytes) -> str | None:
        """Return the text of the far room of a game."""
        return text.decode() if (text := self.secret(table, FAR)) else None

    # All tables

    def unfinished(self) -> list[KeptTable]:
        """Return the tables of the network with an unfinished game and a seat of this peer, the last changed first."""
        return [kept for kept in self.store.tables("playing") if kept.role == "seat"]

    def forget_ended(self) -> None:
        """Delete the secrets of finished games, also if the program was killed as the game ended.

        Such a table is resumed all the same, because the others may not have its last entry.
        """
        for kept in self.store.tables():
            if self.store.secret(kept.id, CARDS) is not None:
                with contextlib.suppress(PeerError):  # a game that is not here any more
                    if kept.state == "over" or ((log := self.log(kept.id)) and log.now.over):
                        self.store.forget_secrets(kept.id)

    def partners(self) -> set[bytes]:
        """Return the keys of those who sat at the last tables of the network."""
        partners: set[bytes] = set()
        with_others = [kept for kept in self.store.tables("playing", "over") if kept.role != "own"]
        for kept in with_others[:MOST_TABLES]:
            for data in self.store.entries(kept.id)[:1]:
                with contextlib.suppress(PeerError):
                    match read_entry(data).body:
                        case BeginBody() as first:
                            partners.update(first.keys)
        return partners


def wall() -> int:
    """Milliseconds since 1970, for people."""
    return time.time_ns() // 1_000_000
