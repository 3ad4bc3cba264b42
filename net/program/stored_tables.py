"""Implements net/entries/table_store.py on a peer's store (net/trust/store.py): what is stored when, and in which
commit.

Nothing here knows what an entry means. Specification: docs/protocols/play.md.
"""

import time

from quadrille.net.core.shapes import pack
from quadrille.net.entries.bodies import BeginBody, MotionBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.motions import StandInMotion
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store


class StoredTables:
    """The storage of a peer's tables.

    Our own data is stored when a call returns. Another's entry is stored with the next own data, so that a move and
    the answer to it are one commit; if none follows, `catch_up` stores it. Until then only a crash of this program
    loses it, and then the others send it again.
    """

    __slots__ = ("_others", "identity", "store")

    def __init__(self, store: Store, identity: Identity) -> None:
        self.store = store
        self.identity = identity
        self._others: list[Entry] = []

    def keep_entry(self, entry: Entry) -> None:
        """Store an entry; the first one brings its table."""
        if entry.author not in (self.identity.key, NOBODY):
            self._others.append(entry)
            return
        with self.store.together(own=self.store.entries_wait or entry.author == NOBODY):
            self._keep_others()
            if isinstance(entry.body, BeginBody):
                role, terms = "seat" if self.identity.key in entry.body.keys else "watch", entry.body.terms
                self.store.keep_table(entry.table, terms.game, pack(terms.plain()), role, "playing", wall())
            elif _names_me(entry, self.identity.key) and (kept := self.store.table(entry.table)):
                self.store.keep_table(kept.id, kept.game, kept.terms, "seat", kept.state, wall())
            self.store.keep_entry(entry.table, entry.index, entry.data)
        self._others.clear()

    def _keep_others(self) -> None:
        for entry in self._others:
            self.store.keep_entry(entry.table, entry.index, entry.data, own=False)

    def catch_up(self) -> None:
        """Store pending entries of others."""
        if self._others:
            with self.store.together(own=False):
                self._keep_others()
            self._others.clear()

    def settle(self, table: bytes) -> None:
        """A commit that waits for the disk flushes all before it."""
        self.catch_up()
        if kept := self.store.table(table):
            self.store.keep_table(table, kept.game, kept.terms, kept.role, kept.state, wall())

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        """Store our own data about a table; it may concern a pending entry, so that is stored too."""
        self.catch_up()
        self.store.keep_secret(table, label, data)

    def secret(self, table: bytes, label: str) -> bytes | None:
        return self.store.secret(table, label)

    def entries(self, table: bytes) -> list[bytes]:
        """All stored entries, also those replaced later."""
        self.catch_up()
        forks = self.store.forks(table)
        return [data for index, first in enumerate(self.store.entries(table)) for data in forks.get(index, [first])]


def _names_me(entry: Entry, key: bytes) -> bool:
    """Whether the entry makes the holder of this key a stand-in."""
    match entry.body:
        case MotionBody(StandInMotion(_, named)):
            return named == key
    return False


def wall() -> int:
    """Milliseconds since 1970, for people."""
    return time.time_ns() // 1_000_000
