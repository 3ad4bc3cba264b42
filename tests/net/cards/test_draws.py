"""What a seat draws: the same each time, different for each name, and every number as likely as the others."""

import pytest

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import ORDER
from quadrille.net.core.hashing import hashed
from tests.net.cards.recorded import GID

SEED = bytes(range(32))


def draws(*context: bytes, label: str = "key") -> Draws:
    return Draws(SEED, GID, label, *context)


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


def test_it_does_not_show_its_seed() -> None:
    assert repr(draws(b"context")) == "<Draws key>"
