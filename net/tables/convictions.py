"""Seats whose own signatures prove their guilt: what this peer keeps, shows and writes about them.

A machine without sockets and clock; net/game_log/log.py decides what proves guilt. Specification:
docs/protocols/log.md, "Precedence", and docs/protocols/play.md.
"""

from typing import Final

from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.bodies import MOST_PROOF_BYTES, ExcludedBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.faults import Desync, Fault, Fork
from quadrille.net.entries.wire import Entries
from quadrille.net.game_log.news import Convicted
from quadrille.net.tables.table_context import DueEntry, TableContext

#: Maximum culprits at a table whose signed faults are kept.
MOST_FAULTS: Final = 8


class Convictions:
    """The culprits of one table."""

    __slots__ = ("_context", "_found", "_shown")

    def __init__(self, context: TableContext) -> None:
        """Loads the proofs that were kept before a crash."""
        self._context = context
        self._found: dict[int, tuple[bytes, ...]] = {}
        self._shown: set[bytes] = set()  # the keys whose guilt this peer has shown to the others
        if (kept := context.secret("proof")) is not None:
            culprit, _, proof = unpack(kept)
            if culprit in (keys := context.log.now.keys) and culprit != context.identity.key:
                self._found[keys.index(culprit)] = proof

    def convict(self, error: Fork | Desync, *proof: Entry) -> bool:
        """Keep a proof of a key's guilt, show it once, and exclude its seat. False if it is new and the key has no
        seat in the running game.
        """
        now, shown = self._context.log.now, tuple(sorted(proof, key=lambda one: one.hash))
        if error.culprit in self._shown:
            return True
        self._shown.add(error.culprit)
        data = tuple(one.data for one in shown)
        self._context.keep("proof", pack((error.culprit, str(error), data)))
        self._context.say(Entries(self._context.log.table, shown))
        seat = now.keys.index(error.culprit) if error.culprit in now.keys else None
        if seat is None or seat not in now.seats_in() or now.over or max(map(len, data)) > MOST_PROOF_BYTES:
            return False
        self._found[seat] = data
        self._context.events.append(Convicted(error.culprit, str(error), data))
        return True

    def acquit(self, seat: int) -> None:
        """Drop a proof that does not hold in this log. Another may."""
        del self._found[seat]
        self._shown.discard(self._context.log.now.keys[seat])

    def due(self, *, writes_next: bool) -> DueEntry | None:
        """The exclusion that this peer has to write now; `writes_next`: the next entry is its own."""
        standing = self._context.log.now
        if self._context.seat is None or standing.over:
            return None
        for seat, proof in self._found.items():
            if seat in standing.seats_in() and (writes_next or standing.turn == seat):
                return DueEntry(ExcludedBody(seat, proof), standing.turn != seat)
        return None

    def keep_fault(self, entry: Entry, error: Fault) -> None:
        """Keep an invalid entry signed by a seat at this head: a single one proves its author's fault."""
        log = self._context.log
        signed = error.culprit == entry.author != NOBODY and entry.before == log.head and entry.is_signed()
        if not signed or entry.author not in log.now.keys:
            return
        for label in (f"fault/{number}" for number in range(MOST_FAULTS)):
            kept = self._context.secret(label)
            if kept is None:
                self._context.keep(label, pack((error.culprit, str(error), (entry.data,))))
                return
            if unpack(kept)[0] == error.culprit:
                return
