"""Implements net/entries/table_store.py on a peer's store (net/trust/store.py): what is stored when, and in which
commit; whose secrets may be deleted, and with whom this person has played.

Specification: docs/protocols/play.md, and docs/protocols/identity.md, "Data on disk".
"""

import contextlib
import time
from typing import Final

from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.shapes import pack
from quadrille.net.entries.bodies import BeginBody, MotionBody
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.entries.motions import HandMotion
from quadrille.net.game_log.own_cards import CARDS
from quadrille.net.seating.unopened_tables import kept_log
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store

#: Maximum tables that are searched for people this person has played with.
MOST_TABLES: Final = 64
#: The label of the text of a far room among a table's secrets.
FAR: Final = "ticket"


class StoredTables:
    """The storage of a peer's tables.

    Our own data is stored when a call returns. Another's entry is stored with the next own data, so that a move and
    the answer to it are one commit; if none follows, `catch_up` stores it. Until then only a crash of this program
    loses it, and then the others send it again.
    """

    def __init__(self, store: Store, identity: Identity) -> None:
        self.store = store
        self.identity = identity
        self._others: list[Entry] = []

    def keep_entry(self, entry: Entry) -> None:
        """Store an entry; the first one brings its table."""
        if entry.author not in (self.identity.key, NOBODY):
            self._others.append(entry)
            return
        try:
            with self.store.together():
                self._keep_others()
                self._put(entry, own=True)
            self._others.clear()
        except LocalError:
            if entry.author != NOBODY:
                raise
            self._others.append(entry)  # it stands in the log of each peer, and is stored when that can be done

    def _put(self, entry: Entry, *, own: bool) -> None:
        match entry.body:
            case BeginBody() as first:
                role, terms = "seat" if self.identity.key in first.keys else "watch", first.terms
                self.store.keep_table(entry.table, terms.game, pack(terms.plain()), role, "playing", wall())
            case MotionBody(HandMotion(_, key)) if key == self.identity.key and (kept := self.store.table(entry.table)):
                self.store.keep_table(kept.id, kept.game, kept.terms, "seat", kept.state, wall())
        self.store.keep_entry(entry.table, entry.index, entry.data, own=own)

    def _keep_others(self) -> None:
        for entry in self._others:
            self._put(entry, own=False)

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
        if not self.store.flushed and (kept := self.store.table(table)):
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
        return self.store.entries(table)

    # All tables

    def forget_ended(self) -> None:
        """Delete the secrets of finished games, also if the program was killed as the game ended.

        Such a table is resumed all the same, because the others may not have its last entry.
        """
        for kept in self.store.tables():
            if self.store.secret(kept.id, CARDS) is not None:
                entries = self.entries(kept.id)
                with contextlib.suppress(PeerError):  # a game that is not here any more
                    if kept.state == "over" or (entries and kept_log(entries, ProofChecker()).now.over):
                        self.store.forget_secrets(kept.id)

    def partners(self) -> set[bytes]:
        found: set[bytes] = set()
        for kept in [*self.store.tables("playing"), *self.store.tables("over")][:MOST_TABLES]:
            for data in self.store.entries(kept.id)[:1]:
                with contextlib.suppress(PeerError):
                    match read_entry(data).body:
                        case BeginBody() as first:
                            found.update(first.keys)
        return found


def keep_far(store: Store, table: bytes, text: str) -> None:
    """Keep the text of the far room where a game began, so that its seat comes back there."""
    store.renew_secret(table, FAR, text.encode())


def kept_far(store: Store, table: bytes) -> str | None:
    """Return the text of the far room of a game."""
    kept = store.secret(table, FAR)
    return None if kept is None else kept.decode()


def mark_over(store: Store, table: bytes, now: int) -> None:
    """Note that a game has ended, for the next start; `now` is in milliseconds since 1970."""
    kept = store.table(table)
    if kept and kept.state != "over":
        store.keep_table(table, kept.game, kept.terms, kept.role, "over", now)
        store.renew_secret(table, FAR, None)


def wall() -> int:
    """Milliseconds since 1970, for people."""
    return time.time_ns() // 1_000_000
