"""Proofs about one number: what is proved holds where it was proved, and nothing else is accepted."""

from itertools import product

import pytest

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, IDENTITY, ORDER, RISTRETTO, hashed_scalar, scalar_bytes
from quadrille.net.cards.proofs import check_known, check_same, prove_known, prove_same

DRAWS = Draws(bytes(32), b"a table's name..", "n/test")
CONTEXT = b"here and now"
X_SECRET = 987654321987654321


def known() -> tuple[bytes, bytes]:
    key = RISTRETTO.base(X_SECRET)
    return key, prove_known(RISTRETTO, CONTEXT, DRAWS, X_SECRET, key)


def same(count: int, x: int = X_SECRET) -> tuple[bytes, list[bytes], list[bytes], bytes]:
    key = RISTRETTO.base(X_SECRET)
    us = [RISTRETTO.base(7 * number + 3) for number in range(count)]
    ds = [RISTRETTO.times(x, u) for u in us]
    return key, us, ds, prove_same(RISTRETTO, CONTEXT, DRAWS, X_SECRET, key, us, ds)


def test_who_knows_convinces_and_only_there() -> None:
    key, proof = known()
    assert check_known(RISTRETTO, CONTEXT, key, proof)
    assert not check_known(RISTRETTO, b"elsewhere", key, proof)
    assert not check_known(RISTRETTO, CONTEXT, RISTRETTO.base(X_SECRET + 1), proof)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_same_number_convinces_and_only_there(count: int) -> None:
    key, us, ds, proof = same(count)
    assert check_same(RISTRETTO, CONTEXT, key, us, ds, proof)
    assert not check_same(RISTRETTO, b"elsewhere", key, us, ds, proof)
    assert not check_same(RISTRETTO, CONTEXT, RISTRETTO.base(5), us, ds, proof)
    assert not check_same(RISTRETTO, CONTEXT, key, ds, us, proof)
    assert not check_same(RISTRETTO, CONTEXT, key, us[1:], ds[1:], proof)
    assert not check_same(RISTRETTO, CONTEXT, key, us, ds[1:], proof)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_another_number_convinces_nobody(count: int) -> None:
    key, us, ds, _ = same(count)
    for place in range(count):
        wrong = [*ds[:place], RISTRETTO.plus(ds[place], BASE), *ds[place + 1 :]]
        proof = prove_same(RISTRETTO, CONTEXT, DRAWS, X_SECRET, key, us, wrong)
        assert not check_same(RISTRETTO, CONTEXT, key, us, wrong, proof)


def test_errors_that_cancel_out_convince_nobody() -> None:
    """What the weights are for: without them one share could be too much by what another is too little."""
    key, us, ds, _ = same(2)
    crossed = [RISTRETTO.plus(ds[0], BASE), RISTRETTO.minus(ds[1], BASE)]
    assert RISTRETTO.total((1, 1), crossed) == RISTRETTO.total((1, 1), ds)
    proof = prove_same(RISTRETTO, CONTEXT, DRAWS, X_SECRET, key, us, crossed)
    assert not check_same(RISTRETTO, CONTEXT, key, us, crossed, proof)
    assert not check_same(RISTRETTO, CONTEXT, key, us, ds[::-1], proof)


def test_the_identity_proves_nothing() -> None:
    """Everybody knows nought; a key or a share that is the identity would take a seat out of the game unseen."""
    proof = prove_known(RISTRETTO, CONTEXT, DRAWS, 0, IDENTITY)
    nonce = DRAWS.with_(CONTEXT).scalar()
    assert proof == scalar_bytes(hashed_scalar("pok", CONTEXT, IDENTITY, RISTRETTO.base(nonce))) + scalar_bytes(nonce)
    assert not check_known(RISTRETTO, CONTEXT, IDENTITY, proof)
    proof = prove_same(RISTRETTO, CONTEXT, DRAWS, 0, IDENTITY, [BASE], [IDENTITY])
    assert not check_same(RISTRETTO, CONTEXT, IDENTITY, [BASE], [IDENTITY], proof)
    key, us, ds, proof = same(2)
    assert not check_same(RISTRETTO, CONTEXT, key, [], [], proof)
    for places in product((0, 1), repeat=2):
        assert not check_same(RISTRETTO, CONTEXT, key, [us[0], IDENTITY], [ds[places[0]], IDENTITY], proof)


def test_the_same_is_said_again_and_never_with_the_nonce_of_another_statement() -> None:
    key, us, ds, proof = same(2)
    assert proof == same(2)[-1]

    def nonce(proof: bytes) -> int:
        challenge, answer = (int.from_bytes(half, "little") for half in (proof[:32], proof[32:]))
        return (answer - challenge * X_SECRET) % ORDER

    others = [
        prove_same(RISTRETTO, b"elsewhere", DRAWS, X_SECRET, key, us, ds),
        prove_same(RISTRETTO, CONTEXT, DRAWS, X_SECRET, key, us[:1], ds[:1]),
        prove_same(RISTRETTO, CONTEXT, DRAWS, X_SECRET, key, us[::-1], ds[::-1]),
        prove_same(RISTRETTO, CONTEXT, DRAWS.with_(b"more"), X_SECRET, key, us, ds),
        known()[1],
        prove_known(RISTRETTO, b"elsewhere", DRAWS, X_SECRET, key),
    ]
    assert len({nonce(proof), *map(nonce, others)}) == 1 + len(others)
