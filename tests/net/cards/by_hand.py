"""Dotter on one log, by hand: all seats' identities are here, and each writes what it is told to, honest or not.

Seat s is identity s + 1 of tests/net/tables.py, and its secrets are those that its program would have.
"""

from typing import Any, Final

from quadrille.net import hand
from quadrille.net.cards.group import Group
from quadrille.net.cards.sleeve import Sleeve
from quadrille.net.cards.umpire import Umpire
from quadrille.net.entry import NOBODY, Entry, statement
from quadrille.net.identity import Identity
from quadrille.net.log import Log
from quadrille.net.motions import gone
from quadrille.net.table import Table
from quadrille.net.terms import Terms
from tests.net.cards.groups import BEST
from tests.net.simulation import MemoryShelf
from tests.net.tables import TABLE, begun, identity, terms

#: Another table of the same people.
ELSEWHERE: Final = b"table number two"


def long_game(seats: int, **more: Any) -> Terms:
    """Nobody wins it before the test is over."""
    options = {"laps": 20, "lap_points": 1000, "max_rounds": 2}
    return terms("dotter", seats, options, takebacks=False, lot=False, **more)


def dotter(seats: int, group: Group = BEST, table: bytes = TABLE, **more: Any) -> Log:
    """A log that has begun: the deck waits for the first key."""
    log = begun(long_game(seats, **more), table)
    log.umpire = Umpire(group)
    return log


def owner(seat: int) -> Identity:
    return identity(seat + 1)


def secrets_of(log: Log, seat: int, identity: Identity) -> Sleeve:
    """The secrets of an identity that keeps nothing: as programs of protocol 1 made them."""
    assert log.now.deck is not None
    return Sleeve(log.umpire.group, log.now.deck.gid, seat, identity.secret(hand.CARDS, log.table))


def sleeve(log: Log, seat: int) -> Sleeve:
    """What that seat keeps to itself."""
    return secrets_of(log, seat, owner(seat))


def answer(log: Log) -> tuple[Any, ...]:
    """What the seat that owes the deck something would write."""
    assert log.now.deck is not None and log.now.turn is not None
    return sleeve(log, log.now.turn).answer(log.now.deck, log.head)


def signed(log: Log, seat: int, kind: str, body: tuple[Any, ...], used: int = 0) -> Entry:
    """The next entry, signed by that seat, whatever it says."""
    author, digest = owner(seat), log.now.match.state.digest()
    return Entry(log.table, len(log.entries), log.head, author.key, kind, body, used, digest).signed(author)


def serve(log: Log, kind: str = "move", seat: int | None = None) -> Log:
    """All write what they owe, until something of that kind is owed (by that seat)."""
    while log.now.owed != kind or seat not in (None, log.now.turn):
        assert log.now.owed != "move" and log.now.turn is not None
        log.take(log.write(log.now.owed, answer(log), owner(log.now.turn)))
    return log


def play(log: Log, *moves: str) -> Log:
    """Moves one after another, each by whose turn it is; what the last one leads to is still owed."""
    for text in moves:
        serve(log)
        assert log.now.turn is not None
        log.take(log.write("move", (text,), owner(log.now.turn)))
    return log


def drop(log: Log, seat: int) -> Log:
    """All the others decide that a seat is gone, on its turn."""
    motion = gone(seat)
    said = statement(log.table, log.head, motion)
    body = (motion, tuple((other, owner(other).sign(said)) for other in log.now.needed(motion)))
    log.take(log.write("motion", body, None))
    assert log.entries[-1].author == NOBODY
    return log


def cut(log: Log, length: int) -> Log:
    """The log as it was after so many entries."""
    earlier = Log(log.table, log.umpire)
    earlier.entries, earlier.standings = log.entries[:length], log.standings[:length]
    return earlier


def before(log: Log, kind: str, seat: int, number: int = 0) -> Log:
    """The log as it was when that seat owed its first (second, ...) entry of that kind."""
    places = [e.index for e in log.entries if e.kind == kind and e.author == owner(seat).key]
    return cut(log, places[number])


def seated(log: Log, seat: int, shelf: MemoryShelf | None = None) -> Table:
    """That seat's program at the table."""
    return Table(log, owner(seat), shelf or MemoryShelf(owner(seat).key), 0)
