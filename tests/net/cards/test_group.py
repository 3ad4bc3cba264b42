"""The group: RFC 9496's vectors, the laws of a group, what is refused, and what it costs a program that needs none.

And what is made of it alone: the numbers that a seat draws, and proofs about one number.
"""

import subprocess
import sys
from hashlib import sha512
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.cards import group
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, IDENTITY, ORDER, hashed_scalar, points, scalar, scalar_bytes
from quadrille.net.cards.proofs import check_known, check_same, prove_known, prove_same
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import hashed
from tests.net.cards.recorded import GID, REFUSED, RFC_9496

FIELD = (1 << 255) - 19
HIGHEST_BIT = BASE[:31] + bytes([BASE[31] | 128])
EDGES = (0, 1, 2, 3, 31, 32, 33, 64, (1 << 127) - 1, 1 << 140, ORDER // 2, ORDER // 2 + 1, ORDER - 2, ORDER - 1)
scalars = st.one_of(st.sampled_from(EDGES), st.integers(0, 1 << 128), st.integers(-ORDER, ORDER - 1))
elements = st.one_of(st.just(IDENTITY), st.just(BASE), st.binary(min_size=64, max_size=64).map(group.from_hash))


def test_vectors_of_rfc_9496() -> None:
    assert group.base(0) == IDENTITY
    for number, expected in enumerate(RFC_9496["multiples"], 1):
        assert group.base(number).hex() == group.times(number, BASE).hex() == expected
    assert [len(row) for row in RFC_9496["refused"].values()] == [4, 8, 8, 8, 1]
    assert not any(map(group.is_point, REFUSED))
    for text, mapped in RFC_9496["mapped"].items():
        assert group.from_hash(sha512(text.encode()).digest()).hex() == mapped
    # The same text hashed and mapped, but given as its hash in the RFC.
    hashed = (
        "5d1be09e3d0c82fc538112490e35701979d99e06ca3e2b5b54bffe8b4dc772c1"
        "4d98b696a1bbfb5ca32c436cc61c16563790306c79eaca7705668b47dffe5bb6"
    )
    assert group.from_hash(bytes.fromhex(hashed)).hex() == next(iter(RFC_9496["mapped"].values()))


@given(scalars, scalars, elements)
def test_laws_of_a_group(one: int, other: int, at: bytes) -> None:
    times, plus = group.times, group.plus
    assert plus(times(one, at), times(other, at)) == times(one + other, at)
    assert times(one, times(other, at)) == times(one * other, at)
    assert group.minus(at, at) == times(ORDER, at) == IDENTITY
    assert group.total((one, other, -one), (at, BASE, at)) == group.base(other)
    assert group.is_point(at) == (at != IDENTITY)


@given(st.lists(st.tuples(scalars, elements), max_size=12))
def test_a_total_is_the_sum_of_the_products(terms: list[tuple[int, bytes]]) -> None:
    total = IDENTITY
    for number, one in terms:
        total = group.plus(total, group.times(number, one))
    assert group.total([number for number, _ in terms], [one for _, one in terms]) == total


@pytest.mark.parametrize("bad", [b"", BASE[:31], BASE + b"\0", HIGHEST_BIT, REFUSED[12]])
def test_what_is_no_point_is_refused_by_each_operation(bad: bytes) -> None:
    """The highest bit too, at which rbcl's libsodium does not look."""
    assert not group.is_point(bad)
    for number in (0, 1, 2, ORDER - 1):
        with pytest.raises(PeerError, match="not a point"):
            group.times(number, bad)
        with pytest.raises(PeerError, match="not a point"):
            group.total((5, number), (BASE, bad))
    for operation in (group.plus, group.minus):
        with pytest.raises(PeerError, match="not a point"):
            operation(bad, BASE)
        with pytest.raises(PeerError, match="not a point"):
            operation(BASE, bad)


def test_foreign_points_and_scalars() -> None:
    assert points(BASE * 2, 2) == (BASE, BASE)
    number = int.from_bytes(BASE, "little")
    for bad in (IDENTITY, (number + FIELD).to_bytes(32, "little"), (FIELD + 2).to_bytes(32, "little"), HIGHEST_BIT):
        with pytest.raises(PeerError, match="not a point"):
            points(BASE + bad, 2)
    for length in (0, 31, 33, 64):
        with pytest.raises(PeerError, match=f"32 bytes, not {length}"):
            points(bytes(length))
    assert scalar(scalar_bytes(ORDER - 1)) == ORDER - 1 and scalar(bytes(32)) == 0
    for wrong in (ORDER.to_bytes(32, "little"), (ORDER + 5).to_bytes(32, "little"), b"\xff" * 32, bytes(31), bytes(33)):
        with pytest.raises(PeerError, match="not a scalar"):
            scalar(wrong)


def test_arguments_of_a_wrong_length_are_refused() -> None:
    for length in (0, 32, 63, 65):
        with pytest.raises(ValueError, match="64"):
            group.from_hash(bytes(length))
    with pytest.raises(ValueError, match="shorter"):
        group.total((1, 2), (BASE,))


def ran(code: str, folder: Path) -> str:
    """What a program says whose files for a time are in that folder."""
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={"TMPDIR": str(folder)})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rbcl_waits_for_the_first_card_and_leaves_no_file_behind(tmp_path: Path) -> None:
    code = """
import sys, quadrille.net.program.station, quadrille.ai.peer.sitting
from quadrille.net.cards import group
print("rbcl" in sys.modules, group.times(2, group.base(3)) == group.base(6), "rbcl" in sys.modules)
"""
    assert ran(code, tmp_path) == "False True True\n"
    assert sys.platform == "win32" or not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is one of POSIX")
def test_a_folder_that_can_not_hold_the_library_is_named_to_the_person(tmp_path: Path) -> None:
    code = """
import resource
from quadrille.net.cards import group
from quadrille.net.core.errors import LocalError
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
for _ in range(3):
    try:
        group.base(1)
    except LocalError as error:
        print(error)
"""
    said = ran(code, tmp_path)
    assert said.count("can't compute with hidden cards") == said.count("File too large") == said.count("TMPDIR") == 3
    assert len(list(tmp_path.iterdir())) == 1, "what rbcl leaves is left once"


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


DRAWS = Draws(bytes(32), b"a table's name..", "n/test")
CONTEXT = b"here and now"
X_SECRET = 987654321987654321


def same(count: int, x: int = X_SECRET) -> tuple[bytes, list[bytes], list[bytes], bytes]:
    key = group.base(X_SECRET)
    us = [group.base(7 * number + 3) for number in range(count)]
    ds = [group.times(x, u) for u in us]
    return key, us, ds, prove_same(CONTEXT, DRAWS, X_SECRET, key, us, ds)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_same_number_convinces_and_only_there(count: int) -> None:
    key, us, ds, proof = same(count)
    assert check_same(CONTEXT, key, us, ds, proof)
    assert not check_same(b"elsewhere", key, us, ds, proof)
    assert not check_same(CONTEXT, group.base(5), us, ds, proof)
    assert not check_same(CONTEXT, key, ds, us, proof)
    assert not check_same(CONTEXT, key, us[1:], ds[1:], proof)
    assert not check_same(CONTEXT, key, us, ds[1:], proof)


def test_the_identity_proves_nothing() -> None:
    """Everybody knows nought; a key or a share that is the identity would take a seat out of the game unseen."""
    proof = prove_known(CONTEXT, DRAWS, 0, IDENTITY)
    nonce = DRAWS.with_(CONTEXT).scalar()
    assert proof == scalar_bytes(hashed_scalar("pok", CONTEXT, IDENTITY, group.base(nonce))) + scalar_bytes(nonce)
    assert not check_known(CONTEXT, IDENTITY, proof)
    proof = prove_same(CONTEXT, DRAWS, 0, IDENTITY, [BASE], [IDENTITY])
    assert not check_same(CONTEXT, IDENTITY, [BASE], [IDENTITY], proof)
    key, us, ds, proof = same(2)
    assert not check_same(CONTEXT, key, [], [], proof)
    for places in product((0, 1), repeat=2):
        assert not check_same(CONTEXT, key, [us[0], IDENTITY], [ds[places[0]], IDENTITY], proof)


def test_the_same_is_said_again_and_never_with_the_nonce_of_another_statement() -> None:
    key, us, ds, proof = same(2)
    assert proof == same(2)[-1]

    def nonce(proof: bytes) -> int:
        challenge, answer = (int.from_bytes(half, "little") for half in (proof[:32], proof[32:]))
        return (answer - challenge * X_SECRET) % ORDER

    others = [
        prove_same(b"elsewhere", DRAWS, X_SECRET, key, us, ds),
        prove_same(CONTEXT, DRAWS, X_SECRET, key, us[:1], ds[:1]),
        prove_same(CONTEXT, DRAWS, X_SECRET, key, us[::-1], ds[::-1]),
        prove_same(CONTEXT, DRAWS.with_(b"more"), X_SECRET, key, us, ds),
        prove_known(CONTEXT, DRAWS, X_SECRET, key),
        prove_known(b"elsewhere", DRAWS, X_SECRET, key),
    ]
    assert len({nonce(proof), *map(nonce, others)}) == 1 + len(others)
