"""The group: RFC 9496's vectors, the laws of a group, what is refused, and what it costs a program that needs none."""

import subprocess
import sys
from hashlib import sha512
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.cards.group import BASE, IDENTITY, ORDER, RISTRETTO, points, scalar, scalar_bytes
from quadrille.net.core.errors import PeerError
from tests.net.cards.recorded import REFUSED, RFC_9496

FIELD = (1 << 255) - 19
HIGHEST_BIT = BASE[:31] + bytes([BASE[31] | 128])
EDGES = (0, 1, 2, 3, 31, 32, 33, 64, (1 << 127) - 1, 1 << 140, ORDER // 2, ORDER // 2 + 1, ORDER - 2, ORDER - 1)
scalars = st.one_of(st.sampled_from(EDGES), st.integers(0, 1 << 128), st.integers(-ORDER, ORDER - 1))
elements = st.one_of(st.just(IDENTITY), st.just(BASE), st.binary(min_size=64, max_size=64).map(RISTRETTO.from_hash))


def test_vectors_of_rfc_9496() -> None:
    assert RISTRETTO.base(0) == IDENTITY
    for number, expected in enumerate(RFC_9496["multiples"], 1):
        assert RISTRETTO.base(number).hex() == RISTRETTO.times(number, BASE).hex() == expected
    assert [len(row) for row in RFC_9496["refused"].values()] == [4, 8, 8, 8, 1]
    assert not any(map(RISTRETTO.is_point, REFUSED))
    for text, mapped in RFC_9496["mapped"].items():
        assert RISTRETTO.from_hash(sha512(text.encode()).digest()).hex() == mapped
    # The same text hashed and mapped, but given as its hash in the RFC.
    hashed = (
        "5d1be09e3d0c82fc538112490e35701979d99e06ca3e2b5b54bffe8b4dc772c1"
        "4d98b696a1bbfb5ca32c436cc61c16563790306c79eaca7705668b47dffe5bb6"
    )
    assert RISTRETTO.from_hash(bytes.fromhex(hashed)).hex() == next(iter(RFC_9496["mapped"].values()))


@given(scalars, scalars, elements)
def test_laws_of_a_group(one: int, other: int, at: bytes) -> None:
    times, plus = RISTRETTO.times, RISTRETTO.plus
    assert plus(times(one, at), times(other, at)) == times(one + other, at)
    assert times(one, times(other, at)) == times(one * other, at)
    assert RISTRETTO.minus(at, at) == times(ORDER, at) == IDENTITY
    assert RISTRETTO.total((one, other, -one), (at, BASE, at)) == RISTRETTO.base(other)
    assert RISTRETTO.is_point(at) == (at != IDENTITY)


@given(st.lists(st.tuples(scalars, elements), max_size=12))
def test_a_total_is_the_sum_of_the_products(terms: list[tuple[int, bytes]]) -> None:
    total = IDENTITY
    for number, one in terms:
        total = RISTRETTO.plus(total, RISTRETTO.times(number, one))
    assert RISTRETTO.total([number for number, _ in terms], [one for _, one in terms]) == total


@pytest.mark.parametrize("bad", [b"", BASE[:31], BASE + b"\0", HIGHEST_BIT, REFUSED[12]])
def test_what_is_no_point_is_refused_by_each_operation(bad: bytes) -> None:
    """The highest bit too, at which rbcl's libsodium does not look."""
    assert not RISTRETTO.is_point(bad)
    for number in (0, 1, 2, ORDER - 1):
        with pytest.raises(PeerError, match="not a point"):
            RISTRETTO.times(number, bad)
        with pytest.raises(PeerError, match="not a point"):
            RISTRETTO.total((5, number), (BASE, bad))
    for operation in (RISTRETTO.plus, RISTRETTO.minus):
        with pytest.raises(PeerError, match="not a point"):
            operation(bad, BASE)
        with pytest.raises(PeerError, match="not a point"):
            operation(BASE, bad)


def test_foreign_points_and_scalars() -> None:
    assert points(RISTRETTO, BASE * 2, 2) == (BASE, BASE)
    number = int.from_bytes(BASE, "little")
    for bad in (IDENTITY, (number + FIELD).to_bytes(32, "little"), (FIELD + 2).to_bytes(32, "little"), HIGHEST_BIT):
        with pytest.raises(PeerError, match="not a point"):
            points(RISTRETTO, BASE + bad, 2)
    for length in (0, 31, 33, 64):
        with pytest.raises(PeerError, match=f"32 bytes, not {length}"):
            points(RISTRETTO, bytes(length))
    assert scalar(scalar_bytes(ORDER - 1)) == ORDER - 1 and scalar(bytes(32)) == 0
    for wrong in (ORDER.to_bytes(32, "little"), (ORDER + 5).to_bytes(32, "little"), b"\xff" * 32, bytes(31), bytes(33)):
        with pytest.raises(PeerError, match="not a scalar"):
            scalar(wrong)


def test_arguments_of_a_wrong_length_are_refused() -> None:
    for length in (0, 32, 63, 65):
        with pytest.raises(ValueError, match="64"):
            RISTRETTO.from_hash(bytes(length))
    with pytest.raises(ValueError, match="shorter"):
        RISTRETTO.total((1, 2), (BASE,))


def ran(code: str, folder: Path) -> str:
    """What a program says whose files for a time are in that folder."""
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={"TMPDIR": str(folder)})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rbcl_waits_for_the_first_card_and_leaves_no_file_behind(tmp_path: Path) -> None:
    code = """
import sys, quadrille.net.program.station, quadrille.ai.peer.sitting
from quadrille.net.cards.group import RISTRETTO
print("rbcl" in sys.modules, RISTRETTO.times(2, RISTRETTO.base(3)) == RISTRETTO.base(6), "rbcl" in sys.modules)
"""
    assert ran(code, tmp_path) == "False True True\n"
    assert sys.platform == "win32" or not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is one of POSIX")
def test_a_folder_that_can_not_hold_the_library_is_named_to_the_person(tmp_path: Path) -> None:
    code = """
import resource
from quadrille.net.cards.group import RISTRETTO
from quadrille.net.core.errors import LocalError
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
for _ in range(3):
    try:
        RISTRETTO.base(1)
    except LocalError as error:
        print(error)
"""
    said = ran(code, tmp_path)
    assert said.count("can't compute with hidden cards") == said.count("File too large") == said.count("TMPDIR") == 3
    assert len(list(tmp_path.iterdir())) == 1, "what rbcl leaves is left once"
