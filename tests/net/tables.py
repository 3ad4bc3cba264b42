"""What tests of tables share: terms of small games, identities, logs that have begun."""

from collections.abc import Sequence
from typing import Any

from quadrille.net.core.hashing import committed
from quadrille.net.core.shapes import plain_options
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import acceptance, proposal_hash, revelation
from quadrille.net.entries.terms import Chair, Terms, peers
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import Identity
from quadrille.rules.registry import game

TABLE = b"table number one"
SMALL = {"width": 3, "height": 3}


def terms(key: str = "barons", seats: int = 2, options: dict[str, Any] | None = None, **more: Any) -> Terms:
    """Terms of a game with the other options at their defaults."""
    return Terms(key, plain_options(game(key).read_options(options).plain()), seats, **more)


def identity(number: int) -> Identity:
    """The same identity for the same number."""
    return Identity(bytes([number]) * 32)


def beginning(
    agreed: Terms, table: bytes = TABLE, turn: int = 1, sitting: Sequence[Identity] | None = None, guest: int = -1
) -> BeginBody:
    """The body of an entry 0 that these have agreed on: identities 1, 2, … or who sits, and who of two is a guest."""
    seated = sitting or [identity(number + 1) for number in range(agreed.seats)]
    kinds = [("guest", f"name {1 - guest}") if place == guest else ("bot", "") for place in range(len(seated))]
    chairs = tuple(Chair(one.key, f"name {place}", *kinds[place]) for place, one in enumerate(seated))
    own = [next(one for one in seated if one.key == key) for key in peers(chairs)]
    secrets = tuple(bytes([place + 1]) * 32 for place in range(len(own)))
    commitments = tuple(committed(table, turn, one.key, secret) for one, secret in zip(own, secrets, strict=True))
    proposal = proposal_hash(agreed, chairs)
    said = [acceptance(table, turn, proposal, commitment) for commitment in commitments]
    signatures = tuple(one.sign(data) for one, data in zip(own, said, strict=True))
    told = [revelation(table, turn, proposal, commitments, secret) for secret in secrets]
    revelations = tuple(one.sign(data) for one, data in zip(own, told, strict=True))
    return BeginBody(agreed, chairs, turn, commitments, signatures, secrets, revelations)


def begun(agreed: Terms, table: bytes = TABLE, *holders: int, turn: int = 1) -> Log:
    """A log with its entry 0; seats are identities 1, 2, … or those of these numbers, unless drawn by lot."""
    log = Log(table)
    log.take(log.write(beginning(agreed, table, turn, [*map(identity, holders)]), None))
    return log


#: The identities of tests by their keys.
KEYS = {identity(number).key: identity(number) for number in range(1, 10)}


def mover(log: Log) -> Identity:
    """Who writes the next entry."""
    return KEYS[log.now.keys[log.now.turn]]


def calls(patch: Any, owner: object, *names: str) -> list[str]:
    """Every call of these functions of a module or a class, as it happens."""
    made: list[str] = []
    for name in names:
        right = getattr(owner, name)
        patch.setattr(
            owner,
            name,
            lambda *given, _name=name, _right=right, **more: (made.append(_name), _right(*given, **more))[1],
        )
    return made
