"""Joins a game with hidden cards to the deck that nobody holds: the deck asks the seats for the cards that the game
needs.

The game names the cards to be turned up or looked at (`State.draws`, `State.sealed`), and the deck opens them without
knowing why. All follows from the standing: no entry asks for cards, a move or a leaving seat causes it. Functions
from one standing to the next. Specification: docs/protocols/cards.md, "Cards at a table".
"""

from dataclasses import replace
from typing import Final

from quadrille.net.cards.deck import Deck, new_deck
from quadrille.net.cards.group import scalar
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import short
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.standing import Standing
from quadrille.rules.core import HIDDEN, Face, Sealed
from quadrille.rules.match import Played

GID_BYTES: Final = 16


def given(standing: Standing, entry: Entry, checker: ProofChecker) -> Standing:
    """Give the deck what a seat owed it; a `PeerError` says that the seat gave something else."""
    assert standing.deck is not None
    said, proof = entry.body.plain()
    deck = standing.deck.take(checker, said, proof, entry.before, look_id(entry))
    return settled(replace(standing, deck=deck), checker)


def look_id(entry: Entry) -> bytes:
    """Name a look by its place in the log and the seat's whole entry, without the position after it."""
    return short("look", entry.table, entry.before, entry.author, *entry.body.plain())


def settled(standing: Standing, checker: ProofChecker) -> Standing:
    """Pass opened faces to the game; only the seat that looks knows the faces it looks at."""
    deck, match = standing.deck, standing.match
    if deck is None:
        return standing
    while not standing.over and (draws := match.state.draws()):
        owner, slots = draws[0].owner, {draw.position for draw in draws}
        if owner is None:
            if deck.answered is None:
                break
            deck, values = deck.open(checker)
            faces = [Face(draws[0].pile.faces[value]) for value in values]
        elif owner in deck.live and not slots <= looked_at(deck, owner):
            break
        else:  # it has looked, or it is gone and nobody looks
            faces = [HIDDEN] * len(draws)
        match = match.copy()
        for face in faces:
            match.answer(face)
        standing = replace(standing, match=match, deck=deck)
    return standing


def asked(standing: Standing, hash: bytes, checker: ProofChecker) -> Standing:
    """Ask the deck for the cards that the game needs after the entry of that hash, unless it waits for a seat."""
    sealed = standing.match.state.sealed()
    if sealed is None or standing.over:
        return standing
    seats, size = range(standing.terms.seats), len(sealed.pile.faces)
    deck = standing.deck or new_deck(short("cards", hash)[:GID_BYTES], size, tuple(seats))
    if deck.due is None and deck.asked is None:
        deck = _asked(deck, standing, sealed, hash, checker)
    return replace(standing, deck=deck)


def _asked(deck: Deck, standing: Standing, sealed: Sealed, hash: bytes, checker: ProofChecker) -> Deck:
    if deck.pile != sealed.pile.name:
        values = deck.up - set(sealed.up.values())
        slots = [at for at in range(deck.size) if at not in sealed.up]
        return deck.begin(checker, sealed.pile.name, values, slots, sorted(deck.cards))
    for seat in deck.live:  # after a new deal: "every past peek is granted again"
        if missing := set(sealed.looks[seat]) - looked_at(deck, seat):
            return deck.ask_look(seat, tuple(sorted(missing)))
    if draws := standing.match.state.draws():
        owner, slots = draws[0].owner, [draw.position for draw in draws]
        if owner is None:
            return deck.ask_open(hash, tuple(slots), scorer(standing))
        return deck.ask_look(owner, tuple(slot for slot in slots if slot not in looked_at(deck, owner)))
    return deck


def scorer(standing: Standing) -> int | None:
    """Return the seat whose move turns cards up: "only the seat that pays for a bad score knows it first"."""
    return next((entry.seat for entry in reversed(standing.match.entries) if isinstance(entry, Played)), None)


def looked_at(deck: Deck, seat: int) -> set[int]:
    """Return the slots that a seat has looked at since the last deal."""
    return {slot for request in deck.looked if request.by == seat for slot in request.slots}


def check_secret(standing: Standing, seat: int, secret: bytes, checker: ProofChecker) -> None:
    """Check that a seat that resigns reveals the secret of its key, if it has one, and no other: "xG = X_j"."""
    key = standing.deck.keys.get(seat) if standing.deck is not None else None
    if key is None:
        if secret:
            raise PeerError("there is no key whose secret this could be")
    elif key != checker.group.base(scalar(secret)):
        raise PeerError(f"this is not the secret of the key of player {seat + 1}")
