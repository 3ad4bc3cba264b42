"""What a seat draws: the same each time, different for each name, and every number as likely as the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import ORDER
from quadrille.net.core.hashing import decimal, hashed
from tests.net.cards.recorded import GID, SECRETS, SEEDS

SEED = bytes(range(32))


def draws(*context: bytes, label: str = "key") -> Draws:
    return Draws(SEED, GID, label, *context)


def test_the_recorded_secrets_come_out() -> None:
    assert tuple(Draws(seed, GID, "key", decimal(0)).scalar() for seed in SEEDS) == SECRETS


def test_a_stream_is_named_by_all_that_it_is_given() -> None:
    firsts = [
        draws().scalar(),
        draws(b"").scalar(),
        draws(b"", b"").scalar(),
        draws(b"a", b"b").scalar(),
        draws(b"ab").scalar(),
        draws(label="keys").scalar(),
        Draws(SEED[::-1], GID, "key").scalar(),
        Draws(SEED, GID[::-1], "key").scalar(),
    ]
    assert len(set(firsts)) == len(firsts)
    assert draws().scalar() == firsts[0]


def test_more_context_is_the_stream_of_that_context_from_its_beginning() -> None:
    begun = draws(b"a")
    begun.scalar()
    assert begun.with_(b"b").scalar() == draws(b"a", b"b").scalar()
    assert begun.with_().scalar() == draws(b"a").scalar()


def test_blocks_are_as_specified() -> None:
    key = hashed("drbg", SEED, GID, b"key", b"a")
    blocks = [hashed("drbg/out", key, number.to_bytes(8, "big")) for number in (1, 2, 3)]
    stream = draws(b"a")
    assert stream.scalar() == int.from_bytes(blocks[0], "little") % ORDER
    assert stream.below(1 << 64) == int.from_bytes(blocks[1][:8], "little")
    assert stream.below(10) == int.from_bytes(blocks[2][:8], "little") % 10


def test_words_that_would_favour_some_number_are_thrown_away() -> None:
    """Of the words below 2**64, 2**63 + 1 fits once: about every second is thrown away."""
    stream, stop = draws(), (1 << 63) + 1
    taken = [stream.below(stop) for _ in range(50)]
    key = hashed("drbg", SEED, GID, b"key")
    words = [int.from_bytes(hashed("drbg/out", key, n.to_bytes(8, "big"))[:8], "little") for n in range(1, 200)]
    assert taken == [word for word in words if word < stop][:50]


def test_nought_is_no_scalar(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter((bytes(64), (3 * ORDER).to_bytes(64, "little"), (ORDER + 5).to_bytes(64, "little")))
    monkeypatch.setattr(Draws, "_next", lambda self: next(blocks))
    assert draws().scalar() == 5


@pytest.mark.parametrize("stop", [0, -1, (1 << 64) + 1])
def test_what_can_not_be_drawn(stop: int) -> None:
    with pytest.raises(ValueError, match="can't be drawn"):
        draws().below(stop)


@given(st.integers(0, 60), st.binary(max_size=8))
def test_a_permutation_has_each_number_once(length: int, context: bytes) -> None:
    assert sorted(draws(context).permutation(length)) == list(range(length))


def test_permutations_are_all_as_likely() -> None:
    """6000 of 4 numbers: chi-square with 23 degrees of freedom is below 49.7 but for once in a thousand."""
    counts: dict[tuple[int, ...], int] = {}
    for number in range(6000):
        order = tuple(draws(decimal(number)).permutation(4))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert sum((count - 250) ** 2 for count in counts.values()) / 250 < 49.7


def test_it_does_not_show_its_seed() -> None:
    assert repr(draws(b"context")) == "<Draws key>"
