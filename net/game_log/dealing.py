"""Joins a game with hidden cards to the deck that nobody holds: the deck asks the seats for the cards that the game
needs.

The game names the cards to be turned up or looked at (`State.draws`, `State.sealed`), and the deck opens them without
knowing why. All follows from the standing: no entry asks for cards, a move or a leaving seat causes it. Functions
from one standing to the next. Specification: docs/protocols/cards.md, "Cards at a table".
"""

from dataclasses import replace
from typing import Final

from quadrille.net.cards import group
from quadrille.net.cards.deck import Deck, new_deck
from quadrille.net.cards.group import scalar
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import short
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.standing import Standing
from quadrille.rules.core import HIDDEN, Face, Sealed
from quadrille.rules.match import Played

GID_BYTES: Final = 16


def given(standing: Standing, entry: Entry, *, believes: bool) -> Standing:
    """Give the deck what a seat owed it; a `PeerError` says that the seat gave something else."""
    assert standing.deck is not None
    data, proof = entry.body.plain()
    deck = standing.deck.take(data, proof, entry.before, look_id(entry), believes=believes)
    return settled(replace(standing, deck=deck))


def look_id(entry: Entry) -> bytes:
    """Name a look by its place in the log and the seat's whole entry, without the position after it."""
    return short("look", entry.table, entry.before, entry.author, *entry.body.plain())


def settled(standing: Standing) -> Standing:
    """Pass opened faces to the game; only the seat that looks knows the faces it looks at."""
    deck, match = standing.deck, standing.match
    if deck is None:
        return standing
    while not standing.over and (draws := match.state.draws()):
        owner, slots = draws[0].owner, {draw.position for draw in draws}
        if owner is None:
            if deck.answered is None:
                break
            deck, values = deck.open()
            faces = [Face(draws[0].pile.faces[value]) for value in values]
        elif owner in standing.seats_in() and not slots <= looked_at(deck, owner):
            break
        else:  # it has looked, or it is gone and nobody looks
            faces = [HIDDEN] * len(draws)
        match = match.copy()
        for face in faces:
            match.answer(face)
        standing = replace(standing, match=match, deck=deck)
    return standing


def asked(standing: Standing, hash: bytes) -> Standing:
    """Ask the deck for the cards that the game needs after the entry of that hash, unless it waits for a seat."""
    sealed = standing.match.state.sealed()
    if sealed is None or standing.over:
        return standing
    size = len(sealed.pile.faces)
    deck = standing.deck or new_deck(short("cards", hash)[:GID_BYTES], size, standing.dealers())
    if deck.due is None and deck.asked is None:
        deck = _asked(deck, standing, sealed, hash)
    return replace(standing, deck=deck)


def _asked(deck: Deck, standing: Standing, sealed: Sealed, hash: bytes) -> Deck:
    if deck.pile != sealed.pile.name:
        values = deck.up - set(sealed.up.values())
        slots = [at for at in range(deck.size) if at not in sealed.up]
        return deck.begin(sealed.pile.name, values, slots, sorted(deck.cards))
    for seat in standing.seats_in():  # after a new deal: "every past peek is granted again"
        if missing := set(sealed.looks[seat]) - looked_at(deck, seat):
            return deck.ask_look(dealer(standing, seat), tuple(sorted(missing)), seat)
    if draws := standing.match.state.draws():
        owner, slots = draws[0].owner, [draw.position for draw in draws]
        if owner is None:
            return deck.ask_open(hash, tuple(slots), scorer(standing))
        slots = [slot for slot in slots if slot not in looked_at(deck, owner)]
        return deck.ask_look(dealer(standing, owner), tuple(slots), owner)
    return deck


def dealer(standing: Standing, seat: int) -> int:
    """Return the name of a seat's peer in the deck."""
    return standing.keys.index(standing.keys[seat])


def scorer(standing: Standing) -> int | None:
    """Return the peer whose move turns cards up: "only the seat that pays for a bad score knows it first"."""
    moved = (entry.seat for entry in reversed(standing.match.entries) if isinstance(entry, Played))
    return next((dealer(standing, seat) for seat in moved), None)


def looked_at(deck: Deck, seat: int) -> set[int]:
    """Return the slots that a seat has looked at since the last deal."""
    return {slot for request in deck.looked if request.viewer == seat for slot in request.slots}


def gone(deck: Deck, standing: Standing, seat: int, secret: bytes) -> Deck:
    """Remove a seat that leaves, or its open request; with its peer's last seat, that peer's layer from all cards."""
    if len(standing.beside(seat)) > 1:
        return replace(deck, asked=None) if deck.asked and deck.asked.viewer == seat else deck
    return deck.leave(dealer(standing, seat), secret)


def check_secret(standing: Standing, seat: int, secret: bytes) -> None:
    """Check that a peer whose last seat resigns reveals the secret of its key, if it has one, and no other: "xG = X_j".
    As long as it plays another seat it keeps the secret, which still opens cards.
    """
    stays = standing.deck is None or len(standing.beside(seat)) > 1
    key = None if stays else standing.deck.keys.get(dealer(standing, seat))  # type: ignore[union-attr]
    if key is None:
        if secret:
            raise PeerError("this secret matches no key of the deal")
    elif key != group.base(scalar(secret)):
        raise PeerError(f"this is not the secret of the key of player {seat + 1}")
