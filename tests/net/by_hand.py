"""Logs and tables by hand, entry by entry: moves, decisions, what a seat keeps, and its table.

What is dealt with cards is in cards/by_hand.py; whole programs that play are in simulation.py.
"""

from collections.abc import Mapping
from typing import Any

from quadrille.net.core.hashing import short
from quadrille.net.entries.bodies import MotionBody, MoveBody
from quadrille.net.entries.entry import NOBODY, Entry, statement, vouching
from quadrille.net.entries.motions import BackMotion, SeatDecision, TableMotion
from quadrille.net.entries.wire import Vouch
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Blamed
from quadrille.net.game_log.own_cards import CARDS
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from tests.net.tables import KEYS, SMALL, begun, identity, mover, terms


def three(seats: int = 3, **more: Any) -> Log:
    """A small game of three, or of so many, that has begun."""
    return begun(terms(seats=seats, options=SMALL, lot=False, **more))


def moved(log: Log, text: str, used: int = 0) -> Entry:
    """The next move, which is taken."""
    entry = log.write(MoveBody(text), mover(log), used)
    log.take(entry)
    return entry


def with_moves(log: Log, *texts: str) -> Log:
    """The same log, so many moves later."""
    for text in texts:
        moved(log, text)
    return log


def cut(log: Log, length: int | None = None) -> Log:
    """Another log of the first entries, or of all, as another peer has it."""
    other = Log(log.table, believes=log.believes)
    other._replace(0, log.entries[:length], log.standings[:length])
    return other


def both(log: Log, author: Identity, *moves: str) -> tuple[Entry, Entry]:
    """Two moves that an author signs for one place; the one with the smaller hash is first."""
    one, other = sorted((log.write(MoveBody(text), author) for text in moves), key=lambda entry: entry.hash)
    return one, other


def vouch(number: int, entry: Entry) -> Vouch:
    """The word of an identity that it decides nothing in the place of an entry."""
    own = identity(number)
    return Vouch(
        entry.table, entry.before, entry.hash, own.key, own.sign(vouching(entry.table, entry.before, entry.hash))
    )


def signatures(log: Log, motion: TableMotion, *numbers: int) -> tuple[tuple[int, bytes], ...]:
    """Signatures of those identities by their seats."""
    signed = statement(log.table, log.head, motion)
    return tuple(sorted((log.now.keys.index(identity(n).key), identity(n).sign(signed)) for n in numbers))


def agreed(log: Log, motion: TableMotion, keys: Mapping[bytes, Identity] = KEYS) -> Entry:
    """A motion with all the signatures that it needs, that of a newcomer too."""
    standing = log.now
    bound = motion.bound(standing, log.head) or log.head
    turn = None if isinstance(motion, SeatDecision) else standing.turn
    author = None if turn is None else keys[standing.keys[turn]]
    pairs = []
    for seat in motion.signers(standing):
        key = motion.signer_key(standing, seat)
        if author is None or key != author.key or isinstance(motion, BackMotion):
            pairs.append((seat, keys[key].sign(statement(log.table, bound, motion))))
    return log.write(MotionBody(motion, tuple(sorted(pairs))), author)


def culprits(table: Table) -> list[bytes]:
    """Who is blamed at a table, one after another."""
    return [event.culprit for event in table.events if isinstance(event, Blamed)]


class Crash(Exception):
    """The program dies here and now, in the middle of what it was doing."""


def drawn(owner: bytes, table: bytes) -> bytes:
    """What an identity has drawn for its cards."""
    return short("cards of a test", owner, table)


class CrashShelf:
    """What survives a crash, as net/trust/store.py keeps it: own things are on the disk at once, and all before them
    too; what others wrote is lost with the power. `moments` counts the points at which a program can die here: before
    and after each call; it does at `die_at`.
    """

    def __init__(self, owner: bytes) -> None:
        self.owner = owner
        self.kept: list[tuple[bytes, int, bytes]] = []
        self.safe = 0
        self.secrets: dict[tuple[bytes, str], bytes] = {}
        self.moments = 0
        self.die_at: int | None = None

    def moment(self) -> None:
        self.moments += 1
        if self.moments == self.die_at:
            raise Crash

    def keep_entry(self, entry: Entry, *, heard: bool = False) -> None:
        self.moment()
        if (kept := (entry.table, entry.index, entry.data)) not in self.kept:
            self.kept.append(kept)
        if entry.author in (self.owner, NOBODY):
            self.safe = len(self.kept)
        self.moment()

    def settle(self, table: bytes) -> None:
        self.moment()
        self.safe = len(self.kept)
        self.moment()

    def keep_secret(self, table: bytes, label: str, data: bytes) -> None:
        self.moment()
        if label == CARDS:  # random elsewhere; here a run is repeated by its seed
            data = drawn(self.owner, table)
        self.secrets.setdefault((table, label), data)
        self.safe = len(self.kept)
        self.moment()

    def secret(self, table: bytes, label: str) -> bytes | None:
        return self.secrets.get((table, label))

    def tables(self) -> list[bytes]:
        return sorted({table for table, _, _ in self.kept})

    def entries(self, table: bytes) -> list[bytes]:
        """In the order of their places, and in each in the order they came: as the store gives them."""
        own = [(index, data) for name, index, data in self.kept if name == table]
        return [data for _, data in sorted(own, key=lambda pair: pair[0])]

    def lose_power(self) -> None:
        del self.kept[self.safe :]


def table_of(number: int, log: Log, shelf: CrashShelf | None = None) -> Table:
    """The table of an identity's program, which goes on with this very log."""
    return Table(log, identity(number), shelf or CrashShelf(identity(number).key), 0)
