"""Open books: after a game, seats may tell the secrets of their keys, and then every card of it can be shown.

Nobody has to, and nothing rests on it: a secret proves itself by the key in the log. Specification: protocols.md,
"Cards at a table".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from quadrille.net.cards.deck import Deck, value_of
from quadrille.net.cards.group import ORDER, Group, scalar
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import LeftBody
from quadrille.net.entries.table_store import TableStore
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.own_cards import sleeve
from quadrille.net.trust.identity import Identity

#: Secrets by epoch and seat.
Secrets: TypeAlias = Mapping[tuple[int, int], bytes]


@dataclass(frozen=True, slots=True)
class DealtPile:
    """One deal of a pile: its cards by position, None where somebody's secret is missing."""

    pile: str
    epoch: int
    cards: dict[int, int] | None


def check(log: Log, epoch: int, seat: int, secret: bytes) -> None:
    """Refuse a secret that is not that of the seat's key in that epoch, or that comes before the end."""
    if log.now.over is None:
        raise PeerError("a book is opened when the game is over")
    keys = {deck.keys[seat] for deck in _decks(log) if deck.epoch == epoch and seat in deck.keys}
    if keys != {log.checker.group.base(scalar(secret))}:
        raise PeerError(f"this is no secret that player {seat + 1} had in epoch {epoch}")


def own(log: Log, identity: Identity, shelf: TableStore) -> dict[tuple[int, int], bytes]:
    """The secrets that this peer had at the table, unless they are forgotten."""
    found: dict[tuple[int, int], bytes] = {}
    for standing in log.standings:
        deck = standing.deck
        for seat in deck.keys if deck else ():
            if deck and standing.keys[seat] == identity.key and (deck.epoch, seat) not in found:
                mine = sleeve(log, seat, identity, shelf)
                if mine is not None:
                    found[deck.epoch, seat] = mine.secret(deck.epoch)
    return found


def pages(log: Log) -> set[tuple[int, int]]:
    """Every epoch and seat that had a key."""
    return {(deck.epoch, seat) for deck in _decks(log) for seat in deck.keys}


def told(log: Log) -> dict[tuple[int, int], bytes]:
    """The secrets that are in the log itself: of seats that left politely."""
    found = {}
    for entry, before in zip(log.entries[1:], log.standings, strict=False):
        match entry.body:
            case LeftBody(seat, _, _, secret) if secret and before.deck is not None:
                found[before.deck.epoch, seat] = secret
    return found


def deals(log: Log, secrets: Secrets) -> list[DealtPile]:
    """Every deal of the game, as far as the secrets show it."""
    known, found, last = {**told(log), **secrets}, [], None
    for deck in _decks(log):
        if deck.cards and deck.shuffling is None and (deck.epoch, deck.pile) != last:
            last = (deck.epoch, deck.pile)
            found.append(DealtPile(deck.pile, deck.epoch, _opened(log.checker.group, deck, known)))
    return found


def _decks(log: Log) -> list[Deck]:
    return [standing.deck for standing in log.standings if standing.deck is not None]


def _opened(group: Group, deck: Deck, secrets: Secrets) -> dict[int, int] | None:
    if any((deck.epoch, seat) not in secrets for seat in deck.live):
        return None
    x = sum(scalar(secrets[deck.epoch, seat]) for seat in deck.live) % ORDER
    found = {slot: value_of(group, group.minus(b, group.times(x, a))) for slot, (a, b) in deck.cards.items()}
    return {slot: value for slot, value in found.items() if value is not None}
