"""A table whose seats one peer holds: a game at one keyboard. No network is opened for it, and nothing is waited for.

Its log is one as any other: it can be verified, replayed, and played on with others, to whom seats are handed.
Specification: docs/protocols/play.md, "One peer".
"""

import secrets
from collections.abc import Callable

from quadrille.net.core.hashing import short
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.game_log.log import Log
from quadrille.net.seating.joint_seed import SECRET_BYTES, SeedRound
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity


def own_table(
    identity: Identity,
    shelf: TableStore,
    terms: Terms,
    chairs: tuple[Chair, ...],
    now: int,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
) -> Table:
    """Begin a game in which this peer holds all seats."""
    log = Log(short("table", identity.key, entropy(SECRET_BYTES))[:16])
    drawn = SeedRound(log.table, 1, terms, chairs, entropy(SECRET_BYTES), 0).agreed(identity, 0).opened(identity, 0)
    body = drawn.body()
    assert body is not None, "a round of one peer ends with its own answers"
    log.take(log.write(body, None))
    shelf.keep_entry(log.entries[0])
    return Table(log, identity, shelf, now)
