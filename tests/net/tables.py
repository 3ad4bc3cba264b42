"""What tests of tables share: terms of small games, identities, logs that have begun."""

from collections.abc import Mapping, Sequence
from typing import Any

from quadrille.net.core.hashing import committed
from quadrille.net.core.shapes import plain_options
from quadrille.net.entries.bodies import BeginBody, MotionBody, MoveBody
from quadrille.net.entries.entry import Entry, acceptance, consent, proposal_hash, revelation, statement, vouching
from quadrille.net.entries.motions import BackMotion, SeatDecision, TableMotion
from quadrille.net.entries.terms import Chair, Terms, peers
from quadrille.net.entries.wire import Vouch
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Blamed
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.registry import game

TABLE = b"table number one"


def terms(key: str = "barons", seats: int = 2, options: dict[str, Any] | None = None, **more: Any) -> Terms:
    """Terms of a game with the other options at their defaults."""
    return Terms(key, plain_options(game(key).read_options(options).plain()), seats, **more)


def identity(number: int) -> Identity:
    """The same identity for the same number."""
    return Identity(bytes([number]) * 32)


def beginning(
    agreed: Terms,
    table: bytes = TABLE,
    turn: int = 1,
    sitting: Sequence[Identity] | None = None,
) -> BeginBody:
    """The body of an entry 0 that these have agreed on: identities 1, 2, … unless it is said who sits, seat by seat."""
    seated = sitting or [identity(number + 1) for number in range(agreed.seats)]
    chairs = tuple(Chair(one.key, f"name {place}", "bot") for place, one in enumerate(seated))
    own = [next(one for one in seated if one.key == key) for key in peers(chairs)]
    secrets = tuple(bytes([place + 1]) * 32 for place in range(len(own)))
    commitments = tuple(committed(table, turn, one.key, secret) for one, secret in zip(own, secrets, strict=True))
    proposal = proposal_hash(agreed, chairs)
    said = [acceptance(table, turn, proposal, commitment) for commitment in commitments]
    signatures = tuple(one.sign(data) for one, data in zip(own, said, strict=True))
    told = [revelation(table, turn, proposal, commitments, secret) for secret in secrets]
    revelations = tuple(one.sign(data) for one, data in zip(own, told, strict=True))
    return BeginBody(agreed, chairs, turn, commitments, signatures, secrets, revelations)


def begun(agreed: Terms, table: bytes = TABLE, *holders: int) -> Log:
    """A log with its entry 0; seats are identities 1, 2, … or those of these numbers, unless drawn by lot."""
    log = Log(table)
    log.take(log.write(beginning(agreed, table, sitting=[*map(identity, holders)]), None))
    return log


def vouch(number: int, entry: Entry) -> Vouch:
    """The word of an identity that it decides nothing in the place of an entry."""
    own = identity(number)
    return Vouch(
        entry.table, entry.before, entry.hash, own.key, own.sign(vouching(entry.table, entry.before, entry.hash))
    )


def both(log: Log, author: Identity, *moves: str) -> tuple[Entry, Entry]:
    """Two moves that an author signs for one place; the one with the smaller hash is first."""
    one, other = sorted((log.write(MoveBody(text), author) for text in moves), key=lambda entry: entry.hash)
    return one, other


def culprits(table: Table) -> list[bytes]:
    """Who is blamed at a table, one after another."""
    return [event.culprit for event in table.events if isinstance(event, Blamed)]


#: The identities of tests by their keys.
KEYS = {identity(number).key: identity(number) for number in range(1, 10)}


def agreed(log: Log, motion: TableMotion, keys: Mapping[bytes, Identity] = KEYS) -> Entry:
    """A motion with all the signatures that it needs, that of a newcomer too."""
    standing = log.now
    bound = motion.bound(standing, log.head) or log.head
    turn = None if isinstance(motion, SeatDecision) else standing.turn
    carrier = None if turn is None else standing.beside(turn)[0]
    pairs = []
    for seat in motion.signers(standing):
        key = motion.signer_key(standing, seat)
        if seat != carrier or isinstance(motion, BackMotion):
            pairs.append((seat, keys[key].sign(statement(log.table, bound, motion))))
    author = None if carrier is None else keys[standing.keys[carrier]]
    given = b""
    if (called := motion.called(standing)) is not None:
        given = keys[called].sign(consent(log.table, log.head, motion.number))
    return log.write(MotionBody(motion, tuple(sorted(pairs)), given), author)


def mover(log: Log) -> Identity:
    """Who writes the next entry."""
    return KEYS[log.now.keys[log.now.turn]]
