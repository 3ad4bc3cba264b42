"""Queries on a station's stored tables: whose secrets may be deleted, with whom this person has played, and by what
text a far room is found again.

Specification: docs/protocols/identity.md, "Data on disk".
"""

import contextlib
from typing import Final

from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import read_entry
from quadrille.net.game_log.own_cards import CARDS
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.seating.unopened_tables import kept_log
from quadrille.net.trust.store import Store

#: Maximum tables that are searched for people this person has played with.
MOST_TABLES: Final = 64
#: The label of the text of a far room among a table's secrets.
FAR: Final = "ticket"


def forget_ended(store: Store, shelf: StoredTables) -> None:
    """Delete the secrets of finished games, also if the program was killed as the game ended.

    Such a table is resumed all the same, because the others may not have its last entry.
    """
    for kept in store.tables():
        if store.secret(kept.id, CARDS) is None:
            continue
        entries = shelf.entries(kept.id)
        if kept.state == "over" or (entries and kept_log(entries, ProofChecker()).now.over):
            store.forget_secrets(kept.id)


def partners(store: Store) -> set[bytes]:
    """The keys that sat at the stored tables."""
    found: set[bytes] = set()
    for kept in [*store.tables("playing"), *store.tables("over")][:MOST_TABLES]:
        for data in store.entries(kept.id)[:1]:
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
