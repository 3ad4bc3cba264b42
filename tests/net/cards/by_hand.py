"""Dotter on one log, by hand: all seats' identities are here, and each writes what it is told to, honest or not.

Seat s is identity s + 1 of tests/net/tables.py, and its secrets are those that its program would have.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from quadrille.net.cards import group
from quadrille.net.cards.deck import Deck
from quadrille.net.cards.group import ORDER, card_values, scalar
from quadrille.net.cards.seat_secrets import SeatSecrets
from quadrille.net.entries.bodies import BODIES, LeftBody, MoveBody
from quadrille.net.entries.entry import Entry, resignation
from quadrille.net.entries.motions import DropMotion, StandInMotion, TableMotion
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.terms import Terms
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.own_cards import CARDS, OwnCards
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.chance import Stream
from tests.net.by_hand import CrashShelf, agreed, cut, drawn, moved
from tests.net.tables import KEYS, TABLE, begun, identity, mover, terms

#: Another table of the same people.
ELSEWHERE: Final = b"table number two"


def long_game(seats: int, **more: Any) -> Terms:
    """Nobody wins it before the test is over, and any cards may be scored."""
    options = {"laps": 20, "lap_points": 1000, "looks": 0, "max_rounds": 2}
    return terms("dotter", seats, options, takebacks=False, lot=False, **more)


def dotter(seats: int, table: bytes = TABLE, **more: Any) -> Log:
    """A log that has begun: the deck waits for the first key."""
    return begun(long_game(seats, **more), table)


def owner(seat: int) -> Identity:
    return identity(seat + 1)


def secrets_of(log: Log, seat: int, identity: Identity) -> SeatSecrets:
    """The secrets of an identity, as its shelf has them in tests."""
    seed = identity.secret(CARDS, log.table, drawn(identity.key, log.table))
    return SeatSecrets(log.now.deck.gid, seat, seed)


def seat_secrets(log: Log, seat: int) -> SeatSecrets:
    """What that seat keeps to itself."""
    return secrets_of(log, seat, owner(seat))


def answer(log: Log) -> tuple[Any, ...]:
    """What the seat that owes the deck something would write."""
    return secrets_of(log, log.now.due.seat, mover(log)).answer(log.now.deck, log.head)


def signed(log: Log, seat: int, kind: str, body: tuple[Any, ...], used: int = 0) -> Entry:
    """The next entry, signed by that seat, whatever it says."""
    author, digest = owner(seat), log.now.match.state.digest()
    return Entry(log.table, len(log.entries), log.head, author.key, BODIES[kind](*body), used, digest).signed(author)


def serve(log: Log, kind: str = "move", seat: int | None = None) -> Log:
    """All write what they owe, until something of that kind is owed (by that seat)."""
    while log.now.owed != kind or seat not in (None, log.now.turn):
        assert log.now.owed != "move"
        log.take(log.write(hand_of(log, mover(log)).owed(), mover(log)))
    return log


def play(log: Log, *moves: str) -> Log:
    """Moves one after another, each by whose turn it is; what the last one leads to is still owed."""
    for text in moves:
        moved(serve(log), text)
    return log


def drop(log: Log, seat: int) -> Log:
    """All the others decide that a seat is gone, on its turn."""
    return decide(log, DropMotion(seat))


def lend(log: Log, seat: int, deputy: Identity) -> Log:
    """All the others decide that one of them plays on for a seat."""
    return decide(log, StandInMotion(seat, deputy.key, "deputy"))


def decide(log: Log, motion: TableMotion) -> Log:
    """A motion that all sign whom it needs."""
    log.take(agreed(log, motion))
    return log


def hand_of(log: Log, own: Identity) -> OwnCards:
    """The cards of a peer whose program never lost its random bytes."""
    shelf = CrashShelf(own.key)
    shelf.keep_secret(log.table, CARDS, b"")
    return OwnCards(log, own, shelf)


def honest(log: Log, dice: Stream, keys: Mapping[bytes, Identity] = KEYS) -> Entry:
    """The next entry of the seat whose turn it is: its move, or what the deck waits for. A KeyError: not ours."""
    assert log.now.turn is not None
    own = keys[log.now.keys[log.now.turn]]
    hand = hand_of(log, own)
    return log.write(hand.owed() or MoveBody(str(hand.view(log.now.turn).moves.sample(dice))), own)


def left(log: Log, seat: int, how: str = "resigned", keys: Mapping[bytes, Identity] = KEYS) -> Entry:
    """A seat goes, and tells the secret of its key, by the hand of the one whose turn it is."""
    assert log.now.turn is not None
    owner = keys[log.now.chairs[seat].key]
    secret = hand_of(log, owner).secret(seat)
    body = LeftBody(seat, how, owner.sign(resignation(log.table, seat, secret)), secret)
    return log.write(body, keys[log.now.keys[log.now.turn]])


def leave(log: Log, seat: int) -> Log:
    log.take(left(log, seat))
    return log


def faces_by(deck: Deck, secrets: Iterable[bytes]) -> dict[int, int]:
    """The card in every slot that lies face down, which all secrets of live keys together tell."""
    x, values = sum(map(scalar, secrets)) % ORDER, card_values()
    return {slot: values[group.minus(b, group.times(x, a))] for slot, (a, b) in deck.cards.items()}


def before(log: Log, kind: str, seat: int, number: int = 0) -> Log:
    """The log as it was when that seat owed its first (second, ...) entry of that kind."""
    places = [e.index for e in log.entries if e.kind == kind and e.author == owner(seat).key]
    return cut(log, places[number])


def shelf_of(log: Log, own: Identity, shelf: TableStore | None = None) -> TableStore:
    """A shelf with what made the key that this identity gave by hand, if it gave one."""
    shelf = shelf or CrashShelf(own.key)
    if any(entry.kind == "key" and entry.author == own.key for entry in log.entries):
        shelf.keep_secret(log.table, CARDS, drawn(own.key, log.table))
    return shelf


def seated(log: Log, seat: int, shelf: CrashShelf | None = None) -> Table:
    """That seat's program at the table."""
    return Table(log, owner(seat), shelf_of(log, owner(seat), shelf), 0)
