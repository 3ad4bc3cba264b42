"""Seats whose own signatures prove their guilt: what this peer keeps, shows and writes about them.

A machine without sockets and clock; net/game_log/log.py decides what proves guilt. Specification:
docs/protocols/log.md, "Precedence", and docs/protocols/play.md.
"""

from collections.abc import Iterable
from typing import Final

from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.bodies import MOST_PROOF_BYTES, ExcludedBody
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.entries.faults import Desync, Fault, Fork
from quadrille.net.entries.wire import Entries
from quadrille.net.game_log.news import Convicted
from quadrille.net.tables.table_context import DueEntry, TableContext

#: Maximum culprits at a table whose signed faults are kept: one for each seat that a table can have.
MOST_FAULTS: Final = 26
#: Maximum proofs about one key that turn out to hold in another branch only.
MOST_ACQUITTALS: Final = 4
#: The labels of kept proofs and faults.
PROOFS: Final = ("proof", *(f"proof/{number}" for number in range(1, MOST_FAULTS)))
FAULTS: Final = tuple(f"fault/{number}" for number in range(MOST_FAULTS))


class Convictions:
    """The culprits of one table."""

    __slots__ = ("_acquitted", "_context", "_found", "_kept", "_shown")

    def __init__(self, context: TableContext) -> None:
        """Loads the proofs that were kept before a crash."""
        self._context = context
        self._found: dict[int, tuple[Entry, ...]] = {}
        self._shown: set[bytes] = set()  # the keys whose guilt this peer has shown to the others
        self._acquitted: dict[bytes, int] = {}
        self._kept: set[tuple[bytes, tuple[str, ...]]] = set()
        for kept in filter(None, map(context.secret, PROOFS)):
            culprit, _, proof = unpack(kept)
            if culprit in (keys := context.log.now.keys) and culprit != context.identity.key:
                self._found[keys.index(culprit)] = tuple(map(read_entry, proof))

    def is_shown(self, key: bytes) -> bool:
        """Tell whether this peer has shown a proof of that key's guilt."""
        return key in self._shown

    def convict(self, error: Fork | Desync, *proof: Entry) -> bool:
        """Keep a proof of a key's guilt, show it once, and exclude its seat. False if it is new and the key has no
        seat in the running game.
        """
        now, shown = self._context.log.now, tuple(sorted(proof, key=lambda one: one.hash))
        if error.culprit in self._shown:
            return True
        self._shown.add(error.culprit)
        self._keep(PROOFS, error, shown)
        self._context.say(*(Entries(self._context.log.table, (one,)) for one in shown))
        seat = now.keys.index(error.culprit) if error.culprit in now.keys else None
        if seat is None or seat not in now.seats_in() or now.over:
            return False
        self._found[seat] = shown
        self._context.events.append(Convicted(error.culprit, str(error), tuple(one.data for one in shown)))
        return True

    def acquit(self, seat: int) -> None:
        """Drop a proof that does not hold in this log. Another may."""
        del self._found[seat]
        key = self._context.log.now.keys[seat]
        self._acquitted[key] = self._acquitted.get(key, 0) + 1
        if self._acquitted[key] < MOST_ACQUITTALS:
            self._shown.discard(key)

    def due(self, *, writes_next: bool) -> DueEntry | None:
        """The exclusion that this peer has to write now; `writes_next`: the next entry is its own."""
        standing = self._context.log.now
        if self._context.seat is None or standing.over:
            return None
        for seat, found in self._found.items():
            proof = self._outside(found)
            fits = len(proof) == 1 or sum(map(len, proof)) <= MOST_PROOF_BYTES
            if proof and fits and seat in standing.seats_in() and (writes_next or standing.turn == seat):
                return DueEntry(ExcludedBody(seat, proof), standing.turn != seat)
        return None

    def _outside(self, proof: Iterable[Entry]) -> tuple[bytes, ...]:
        """The entries of a proof but for the one that stands in the log: everybody has that one."""
        return tuple(one.data for one in proof if not self._context.log.stands(one.index, one.hash))

    def keep_fault(self, entry: Entry, error: Fault) -> None:
        """Keep an invalid entry signed by a seat at this head: a single one proves its author's fault."""
        log = self._context.log
        signed = error.culprit == entry.author != NOBODY and entry.before == log.head and entry.is_signed()
        if signed and entry.author in log.now.keys:
            self._keep(FAULTS, error, (entry,))

    def _keep(self, labels: tuple[str, ...], error: Fault, proof: tuple[Entry, ...]) -> None:
        """Keep one proof of each culprit, as long as it is for somebody who has the log."""
        if (error.culprit, labels) in self._kept:
            return
        self._kept.add((error.culprit, labels))
        data = tuple(one.data for one in proof)
        data = data if sum(map(len, data)) <= MOST_PROOF_BYTES else self._outside(proof)[:1]
        for label in labels:
            kept = self._context.secret(label)
            if kept is None:
                self._context.keep(label, pack((error.culprit, str(error), data)))
                return
            if unpack(kept)[0] == error.culprit:
                return
