"""What one peer has to itself at a table with hidden cards: what it owes the deck, what it sees, what it leaves behind.

Nothing is kept but the identity: all of it follows from the log and the seat's secret. Specification: protocols.md,
"Cards at a table".
"""

from typing import Any

from quadrille.net.cards.sleeve import Sleeve
from quadrille.net.entry import Entry
from quadrille.net.identity import Identity
from quadrille.net.log import Log
from quadrille.rules.core import Face, State


class Hand:
    """A peer's own part of the cards; at tables without any, and for one who looks on, it is empty."""

    __slots__ = ("_identity", "_log", "_view")

    def __init__(self, log: Log, identity: Identity) -> None:
        self._log = log
        self._identity = identity
        self._view: tuple[bytes, State[Any, Any]] | None = None

    @property
    def seat(self) -> int | None:
        """The seat that this peer writes for."""
        keys = self._log.now.keys
        return keys.index(self._identity.key) if self._identity.key in keys else None

    @property
    def view(self) -> State[Any, Any]:
        """The position as this peer knows it: a seat has seen some of the hidden cards."""
        if self._view is None or self._view[0] != self._log.head:
            state, sleeve, deck = self._log.now.match.state, self._sleeve(), self._log.now.deck
            if sleeve is not None and deck is not None:
                state = state.told(sleeve.seat, sleeve.faces(deck))
            self._view = (self._log.head, state)
        return self._view[1]

    def saw(self, entry: Entry) -> tuple[Face, ...]:
        """The faces that this seat came to see with an entry."""
        now, before = self._log.standings[entry.index], self._log.standings[entry.index - 1]
        sleeve, sealed = self._sleeve(), now.match.state.sealed()
        if not (now.deck and before.deck and sleeve and sealed) or len(now.deck.looked) <= len(before.deck.looked):
            return ()
        look = now.deck.looked[-1]
        faces = sleeve.faces(now.deck) if look.by == sleeve.seat else {}
        return tuple(Face(sealed.pile.faces[faces[slot]]) for slot in look.slots if slot in faces)

    def secret(self) -> bytes:
        """That of this seat's key for the cards, which who goes leaves behind."""
        deck, sleeve = self._log.now.deck, self._sleeve()
        return sleeve.secret(deck.epoch) if deck and sleeve and sleeve.seat in deck.keys else b""

    def owed(self) -> tuple[str, tuple[Any, ...]] | None:
        """Kind and body of the entry that this seat owes the deck, if it is its turn to give something."""
        standing, sleeve = self._log.now, self._sleeve()
        if standing.turn != self.seat or standing.owed == "move" or not (sleeve and standing.deck):
            return None
        return standing.owed, sleeve.answer(standing.deck, self._log.head)

    def _sleeve(self) -> Sleeve | None:
        if self._log.now.deck is None or self.seat is None:
            return None
        return sleeve(self._log, self.seat, self._identity)


def sleeve(log: Log, seat: int, identity: Identity) -> Sleeve:
    """The secrets of a seat that the identity writes, or wrote, for at a table with a deck."""
    assert log.now.deck is not None
    return Sleeve(log.umpire.group, log.now.deck.gid, seat, identity.secret("cards", log.table))
