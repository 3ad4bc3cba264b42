"""One peer's promises about other seats: decisions that it signed, and entries that it vouches for.

A promise holds through any crash, because it is on disk before it is sent. A peer that signed a decision about a seat
takes no entry of that seat in that place, unless another signer of the decision vouches for the entry. It vouches for
no entry against which it has decided. A machine without sockets and clock. Specification: docs/protocols/log.md,
"Motions" and "Precedence".
"""

from typing import Final

from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.entry import Entry, vouching
from quadrille.net.entries.motions import SeatDecision, read_motion
from quadrille.net.entries.wire import Entries, Motion, Vouch
from quadrille.net.game_log.ruling import is_signed_by
from quadrille.net.tables.table_context import TableContext
from quadrille.rules.errors import RulesError

#: Maximum decisions about a seat that this peer signs at one head, each lower than the one before.
MOST_PROMISES: Final = 4


class Promises:
    """The promises of this peer at one table."""

    __slots__ = ("_context", "current")

    def __init__(self, context: TableContext) -> None:
        self._context = context
        #: The decision about a seat that this peer signed last, with the head that it is bound to.
        self.current: tuple[bytes, SeatDecision] | None = None

    # Decisions

    def check(self, motion: SeatDecision, *, open: bool) -> None:
        """Allow one decision per head, because the receiver of two could choose between them. An `open` one that is
        lower is the exception (`SeatDecision.rank`).
        """
        promised = self.current[1] if self.current else motion
        if promised != motion and not (open and motion.rank < promised.rank):
            raise RulesError(
                f"you have agreed to {promised.WORD} player {promised.seat + 1} already: one decision about a seat can "
                "be made in one place, and the others can still agree to that one"
            )

    def make(self, motion: SeatDecision, consent: bytes) -> None:
        """Promise, on disk first, that a seat is gone: from now on this peer takes no entry of that seat here."""
        if self.current is None or self.current[1] != motion:
            head = self._context.log.head
            self._context.keep(_label(head, len(self._kept())), pack((motion.plain(), consent)))
            self.current = (head, motion)

    def remember(self) -> tuple[SeatDecision, bytes] | None:
        """After a crash: the last promise at this head, and the consent to it."""
        kept = self._kept() if self._context.seat is not None else []
        if not kept:
            return None
        self.current = (self._context.log.head, kept[-1][0])
        return kept[-1]

    def _kept(self) -> list[tuple[SeatDecision, bytes]]:
        """The decisions that this peer has signed at this head, in order, each with the consent to it."""
        labels = [_label(self._context.log.head, number) for number in range(MOST_PROMISES)]
        found = []
        for data in map(self._context.secret, labels):
            if data is not None:
                plain, consent = unpack(data)
                motion = read_motion(plain)
                assert isinstance(motion, SeatDecision)
                found.append((motion, consent))
        return found

    def refuses(self, entry: Entry) -> bool:
        """Whether this peer signed a decision about the entry's seat in that place, and no other signer vouches for
        the entry.

        A signer that vouches for the entry will not sign the decision, so the entry stands.
        """
        if self.current is None or entry.before != self.current[0]:
            return False
        standing, motion = self._context.log.now, self.current[1]
        if entry.author != standing.keys[motion.seat]:
            return False
        deciding = {standing.keys[seat] for seat in motion.signers(standing) if seat != self._context.seat}
        return deciding.isdisjoint(self._context.log.vouchers(entry.hash))

    # Vouches

    def vouch(self, author: bytes, message: Motion) -> None:
        """Another peer decides about a seat whose entry in that place is here: show the entry, and vouch for it.

        A peer that has signed such a decision itself only relays the vouches of others.
        """
        log, motion, identity = self._context.log, message.motion, self._context.identity
        entry = next((one for one in reversed(log.entries[1:]) if one.before == message.before), None)
        if not isinstance(motion, SeatDecision) or entry is None:
            return
        before = log.standings[entry.index - 1]
        if motion.seat != before.turn or entry.author != before.keys[motion.seat]:
            return
        seat, own = message.seat, message.signature
        signs = seat in motion.signers(before)
        if not signs or not is_signed_by(before, motion, seat, own, table=log.table, head=entry.before):
            return
        others = [before.keys[seat] for seat in motion.signers(before)]
        silent = identity.key in others and identity.key not in log.vouchers(entry.hash)
        if silent and self._context.secret(_label(message.before, 0)) is None:
            self._context.shelf.settle(log.table)
            signature = identity.sign(vouching(log.table, entry.before, entry.hash))
            log.vouch(identity.key, entry.hash, entry.before, signature)
        self._context.outgoing += [(author, vouch) for vouch in self.vouches(entry)]
        if log.vouchers(entry.hash):
            self._context.outgoing.append((author, Entries(log.table, (entry,))))

    def vouches(self, entry: Entry) -> list[Vouch]:
        """All known vouches for an entry."""
        found = self._context.log.vouchers(entry.hash).items()
        return [Vouch(entry.table, entry.before, entry.hash, key, signature) for key, signature in found]


def _label(head: bytes, number: int) -> str:
    return f"promise/{head.hex()}" + (f"/{number}" if number else "")
