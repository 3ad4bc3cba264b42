"""One peer's private part of a table with hidden cards: its debts to the deck, the faces its seats see, its secrets.

All of it follows from the log, the identity, and 32 random bytes. These are stored before anything made with them is
sent, and deleted after the game. Specification: docs/protocols/cards.md, "Cards at a table".
"""

from secrets import token_bytes
from typing import Any, Final

from quadrille.net.cards.deck import Deck
from quadrille.net.cards.seat_secrets import SEED_BYTES, SeatSecrets
from quadrille.net.entries.bodies import BODIES, EntryBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.table_store import TableStore
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import Identity
from quadrille.rules.core import Face, State

#: The label of a table's random bytes, kept while there are cards that they could open.
CARDS: Final = "cards"


class OwnCards:
    """A peer's private part of the cards; empty for a watcher and at tables without hidden cards."""

    def __init__(self, log: Log, identity: Identity, shelf: TableStore) -> None:
        self._log = log
        self._identity = identity
        self._shelf = shelf
        self._found: SeatSecrets | None = None
        self._views: tuple[bytes, dict[int, State[Any, Any]]] = (b"", {})

    @property
    def _seats(self) -> tuple[int, ...]:
        return self._log.now.seats_of(self._identity.key)

    def view(self, seat: int | None) -> State[Any, Any]:
        """Return the position of a game with hidden cards as a seat of this peer knows it, or a watcher.

        Where this peer knows all cards, what each seat saw is kept apart here.
        """
        standing = self._log.now
        state, deck = standing.match.state, standing.deck
        if deck is not None and seat not in self._seats:
            return state
        if self._views[0] != self._log.head:
            self._views = (self._log.head, {})
        views = self._views[1]
        place = -1 if seat is None else seat
        if place not in views:
            if deck is not None and seat is not None:
                views[place] = state.told(seat, self._faces(deck, seat))
            else:
                views[place] = state.view(seat)
        return views[place]

    def saw(self, entry: Entry) -> tuple[Face, ...]:
        """Return the faces that a seat of this peer saw by an entry."""
        return tuple(self._seen(entry).values())

    def saw_before(self, entry: Entry) -> tuple[Face | None, ...]:
        """Return the faces that the seat had seen in those slots before the last deal; None for each other slot.

        Only this peer knows them: a stand-in's looks are not among them.
        """
        slots, standings, faces = tuple(self._seen(entry)), self._log.standings, dict[int, Face]()
        deck = standings[entry.index].deck
        seat = deck.looked[-1].viewer if slots and deck is not None else None
        if deck is None or seat is None:
            return ()
        epoch = deck.epoch
        for standing in reversed(standings[: entry.index]):
            before, sealed = standing.deck, standing.match.state.sealed()
            if before is None or sealed is None or before.pile not in ("", deck.pile):
                break
            if before.epoch < epoch and standing.keys[seat] == self._identity.key:
                epoch = before.epoch  # the last standing of an epoch has all of its looks
                seen = self._faces(before, seat)
                faces = {slot: Face(sealed.pile.faces[seen[slot]]) for slot in slots if slot in seen} | faces
        return tuple(faces.get(slot) for slot in slots)

    def _seen(self, entry: Entry) -> dict[int, Face]:
        now, before = self._log.standings[entry.index], self._log.standings[entry.index - 1]
        sealed = now.match.state.sealed()
        if not (now.deck and before.deck and sealed) or len(now.deck.looked) <= len(before.deck.looked):
            return {}
        look = now.deck.looked[-1]
        faces = self._faces(now.deck, look.viewer) if look.viewer in self._seats else {}
        return {slot: Face(sealed.pile.faces[faces[slot]]) for slot in look.slots if slot in faces}

    def secret(self, seat: int) -> bytes:
        """Return the secret of this peer's key for the cards, which it reveals when its last seat resigns."""
        deck, own = self._log.now.deck, self._secrets()
        if len(self._log.now.beside(seat)) > 1:
            return b""
        return own.secret(deck.epoch) if deck and own and own.seat in deck.keys and own.fit(deck) else b""

    def owed(self) -> EntryBody | None:
        """Write the body of the entry that this peer owes the deck, if it is its turn."""
        standing, own = self._log.now, self._secrets()
        if standing.turn not in self._seats or standing.deck is None or (due := standing.due) is None:
            return None
        if own is None and due.what == "key":
            self._shelf.keep_secret(self._log.table, CARDS, token_bytes(SEED_BYTES))
            own = self._secrets()
        if own is None or not own.fit(standing.deck):
            return None
        return BODIES[due.what].read(own.answer(standing.deck, self._log.head))

    def _faces(self, deck: Deck, seat: int | None) -> dict[int, int]:
        own = self._secrets()
        return own.faces(deck, seat) if own is not None else {}

    def _secrets(self) -> SeatSecrets | None:
        dealer = next(iter(self._seats), None)
        if self._found is None or self._found.seat != dealer:
            self._found = None if dealer is None else seat_secrets(self._log, dealer, self._identity, self._shelf)
        return self._found


def seat_secrets(log: Log, seat: int, identity: Identity, shelf: TableStore) -> SeatSecrets | None:
    """Return the secrets of a seat that the identity writes or wrote for; None without a deck, or once deleted."""
    deck, kept = log.now.deck, shelf.secret(log.table, CARDS)
    if deck is None or not kept:
        return None
    return SeatSecrets(deck.gid, seat, identity.secret(CARDS, log.table, kept))
