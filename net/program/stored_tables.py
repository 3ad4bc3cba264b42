"""The shelf of a table (net/tables/table.py) on the store of a peer (net/trust/store.py): what is kept when, and with
which commit.

Nothing here knows what an entry means. Specification: protocols.md, "Play".
"""

import time

from quadrille.net.core.shapes import pack
from quadrille.net.entries.bodies import BeginBody, MotionBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.motions import StandInMotion
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store


class StoredTables:
    """The shelf of a table (net/tables/table.py) on the store.

    What is our own is kept when a call returns. An entry of another is kept with the next thing of our own, so that a
    move and the answer to it are one commit; when none follows, `catch_up` keeps it. Till then only our death loses it,
    and then others tell it again.
    """

    __slots__ = ("_others", "identity", "store")

    def __init__(self, store: Store, identity: Identity) -> None:
        self.store = store
        self.identity = identity
        self._others: list[Entry] = []

    def keep_entry(self, entry: Entry) -> None:
        """Keep an entry; the first one brings its table."""
        if entry.author not in (self.identity.key, NOBODY):
            self._others.append(entry)
            return
        with self.store.together(own=self.store.entries_wait or entry.author == NOBODY):
            self._keep_others()
            if isinstance(entry.body, BeginBody):
                role, terms = "seat" if self.identity.key in entry.body.keys else "watch", entry.body.terms
                self.store.keep_table(entry.table, terms[0], pack(terms), role, "playing", _wall())
            elif _names_me(entry, self.identity.key) and (kept := self.store.table(entry.table)):
                self.store.keep_table(kept.id, kept.game, kept.terms, "seat", kept.state, _wall())
            self.store.keep_entry(entry.table, entry.index, entry.data)
        self._others.clear()

    def _keep_others(self) -> None:
        for entry in self._others:
            self.store.keep_entry(entry.table, entry.index, entry.data, own=False)

    def catch_up(self) -> None:
        """Keep what is not kept yet."""
        if self._others:
            with self.store.together(own=False):
                self._keep_others()
            self._others.clear()

    def settle(self, table: bytes) -> None:
        """A commit that waits for the disk takes all before it along."""
        self.catch_up()
        if kept := self.store.table(table):
            self.store.keep_table(table, kept.game, kept.terms, kept.role, kept.state, _wall())

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        """Keep something of one's own about a table; it may be about an entry, which is then kept too."""
        self.catch_up()
        self.store.keep_secret(table, label, data)

    def secret(self, table: bytes, label: str) -> bytes | None:
        """What was kept under that label."""
        return self.store.secret(table, label)

    def entries(self, table: bytes) -> list[bytes]:
        """All entries that were kept, also those whose place another took later."""
        self.catch_up()
        forks = self.store.forks(table)
        return [data for index, first in enumerate(self.store.entries(table)) for data in forks.get(index, [first])]


def _names_me(entry: Entry, key: bytes) -> bool:
    """Whether the holder of this key is to play on for a seat from here on."""
    match entry.body:
        case MotionBody(StandInMotion(_, named)):
            return named == key
    return False


def _wall() -> int:
    """Milliseconds since 1970, for people."""
    return time.time_ns() // 1_000_000
