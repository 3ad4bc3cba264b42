"""Open books: after a game, seats may reveal the secrets of their keys, so that all cards can be shown.

Nobody has to, and nothing depends on it: the key in the log proves a secret. Specification: docs/protocols/cards.md,
"Cards at a table".
"""

from collections.abc import Mapping
from typing import TypeAlias

from quadrille.net.cards import group
from quadrille.net.cards.deck import Deck
from quadrille.net.cards.group import ORDER, card_values, scalar
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import LeftBody
from quadrille.net.entries.table_store import TableStore
from quadrille.net.game_log.dealing import dealer
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.own_cards import seat_secrets
from quadrille.net.trust.identity import Identity
from quadrille.value import value

#: Secrets by epoch and seat.
Secrets: TypeAlias = Mapping[tuple[int, int], bytes]


@value
class DealtPile:
    """One deal of a pile: its cards by position, None where a secret is missing."""

    pile: str
    epoch: int
    cards: dict[int, int] | None


def check(log: Log, epoch: int, seat: int, secret: bytes) -> None:
    """Refuse a secret that does not fit the seat's key in that epoch, or that comes before the end."""
    if log.now.over is None:
        raise PeerError("a book is opened when the game is over")
    if pages(log).get((epoch, seat)) != group.base(scalar(secret)):
        raise PeerError(f"this is not a secret that player {seat + 1} had in epoch {epoch}")


def own(log: Log, identity: Identity, shelf: TableStore) -> dict[tuple[int, int], bytes]:
    """Return our own secrets of the table, unless they are deleted."""
    secrets: dict[tuple[int, int], bytes] = {}
    for (epoch, seat), key in pages(log).items():
        mine = seat_secrets(log, seat, identity, shelf)
        if mine is not None and group.base(scalar(mine.secret(epoch))) == key:
            secrets[epoch, seat] = mine.secret(epoch)
    return secrets


def pages(log: Log) -> dict[tuple[int, int], bytes]:
    """Return the key of each epoch and seat that had one."""
    return {(deck.epoch, seat): key for deck in _decks(log) for seat, key in deck.keys.items()}


def are_awaited(log: Log) -> bool:
    """Return True if a seat has not opened its book yet."""
    return not {*pages(log)} <= {*told(log), *log.books}


def told(log: Log) -> dict[tuple[int, int], bytes]:
    """Return the secrets in the log itself: of peers whose last seat resigned."""
    secrets = {}
    for entry, before in zip(log.entries[1:], log.standings, strict=False):
        match entry.body:
            case LeftBody(seat, _, _, secret) if secret and before.deck is not None:
                secrets[before.deck.epoch, dealer(before, seat)] = secret
    return secrets


def deals(log: Log, secrets: Secrets) -> list[DealtPile]:
    """Return all deals of the game, as far as the secrets show them."""
    known, piles, last = {**told(log), **secrets}, [], None
    for deck in _decks(log):
        if deck.cards and deck.shuffling is None and (deck.epoch, deck.pile) != last:
            last = (deck.epoch, deck.pile)
            piles.append(DealtPile(deck.pile, deck.epoch, _opened(deck, known)))
    return piles


def _decks(log: Log) -> list[Deck]:
    return [standing.deck for standing in log.standings if standing.deck is not None]


def _opened(deck: Deck, secrets: Secrets) -> dict[int, int] | None:
    if any((deck.epoch, seat) not in secrets for seat in deck.live):
        return None
    x = sum(scalar(secrets[deck.epoch, seat]) for seat in deck.live) % ORDER
    points = {slot: group.minus(b, group.times(x, a)) for slot, (a, b) in deck.cards.items()}
    return {slot: card_values()[point] for slot, point in points.items() if point in card_values()}
