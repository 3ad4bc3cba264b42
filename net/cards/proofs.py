"""Proofs about one number: knowledge of it, and that points were multiplied by the same one.

Both are Schnorr proofs made non-interactive by a hash: 64 bytes, the challenge and the answer. A proof holds only in
its context, which names game, epoch, seat and request. The nonce comes from `draws` with the context, so the context
must name everything that X follows from, as the contexts of docs/protocols/cards.md do. Specification:
docs/protocols/cards.md, "Proofs".
"""

# Names are those of the specification, where a capital is a point or a challenge.
# ruff: noqa: N803

from collections.abc import Sequence
from typing import Final

from quadrille.net.cards import group
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import hashed_scalar, scalar, scalar_bytes, split, two_bytes
from quadrille.net.core.hashing import hashed

PROOF_BYTES: Final = 64
#: The low bits that a scalar loses to be a weight. It keeps 127: a false equation passes in a sum once in 2**127.
WEIGHT_SHIFT: Final = 125


def prove_known(context: bytes, draws: Draws, x: int, X: bytes) -> bytes:
    """Prove that I know x with X = xG."""
    nonce = draws.with_(context).scalar()
    challenge = hashed_scalar("pok", context, X, group.base(nonce))
    return _wire(challenge, nonce + challenge * x)


def check_known(context: bytes, X: bytes, proof: bytes) -> bool:
    """Return True if the author of the proof knew x."""
    read = _read(proof)
    if read is None or not group.is_point(X):
        return False
    challenge, answer = read
    commitment = group.minus(group.base(answer), group.times(challenge, X))
    return challenge == hashed_scalar("pok", context, X, commitment)


def prove_same(context: bytes, draws: Draws, x: int, X: bytes, us: Sequence[bytes], ds: Sequence[bytes]) -> bytes:
    """Prove that each D = xU, with the x of X = xG."""
    nonce = draws.with_(context, *us).scalar()
    statement = (context, X, *us, *ds)
    u = group.total(_weights(statement, len(us)), us)
    challenge = hashed_scalar("dleq", *statement, group.base(nonce), group.times(nonce, u))
    return _wire(challenge, nonce + challenge * x)


def check_same(context: bytes, X: bytes, us: Sequence[bytes], ds: Sequence[bytes], proof: bytes) -> bool:
    """Return True if each D is its U times the x of X = xG."""
    read = _read(proof)
    if read is None or not us or len(us) != len(ds) or not all(map(group.is_point, (X, *us, *ds))):
        return False
    challenge, answer = read
    statement = (context, X, *us, *ds)
    weights = _weights(statement, len(us))
    u, d = group.total(weights, us), group.total(weights, ds)
    first = group.minus(group.base(answer), group.times(challenge, X))
    second = group.minus(group.times(answer, u), group.times(challenge, d))
    return challenge == hashed_scalar("dleq", *statement, first, second)


def _weights(statement: tuple[bytes, ...], count: int) -> list[int]:
    """Derive weights of the pairs that are unpredictable before the statement is fixed; a single pair needs none."""
    if count == 1:
        return [1]
    seed = hashed("dleq/seed", *statement)
    return [hashed_scalar("dleq/w", seed, two_bytes(place)) >> WEIGHT_SHIFT for place in range(count)]


def _wire(challenge: int, answer: int) -> bytes:
    return scalar_bytes(challenge) + scalar_bytes(answer)


def _read(proof: bytes) -> tuple[int, int] | None:
    """Read challenge and answer; None if the bytes are not two scalars."""
    try:
        challenge, answer = map(scalar, split(proof))
    except ValueError:  # a number that is too large, or not two of them
        return None
    return challenge, answer
