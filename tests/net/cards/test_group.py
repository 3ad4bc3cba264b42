"""The group: RFC 9496's vectors, both back ends alike to the byte, who is taken, and what is refused."""

import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha512
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.cards import group as ground
from quadrille.net.cards import sodium
from quadrille.net.cards.group import (
    BASE,
    CARDS,
    IDENTITY,
    ORDER,
    Group,
    best_group,
    card_points,
    hashed_point,
    hashed_scalar,
    point,
    scalar,
    scalar_bytes,
    sound,
    spare,
    spares,
)
from quadrille.net.cards.pure import Pure
from quadrille.net.core.errors import PeerError
from tests.net.cards.groups import BEST, PURE, on_each
from tests.net.cards.recorded import JOINT, REFUSED, RFC_9496, SECRETS, TOLD

FIELD = (1 << 255) - 19
HIGHEST_BIT = BASE[:31] + bytes([BASE[31] | 128])
EDGES = (0, 1, 2, 3, 31, 32, 33, 64, (1 << 127) - 1, 1 << 140, ORDER // 2, ORDER // 2 + 1, ORDER - 2, ORDER - 1)
scalars = st.one_of(st.sampled_from(EDGES), st.integers(0, 1 << 128), st.integers(0, ORDER - 1))
points = st.one_of(st.just(IDENTITY), st.just(BASE), st.binary(min_size=64, max_size=64).map(BEST.from_hash))


@on_each
def test_vectors_of_rfc_9496(group: Group) -> None:
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
    assert sound(group)


@on_each
def test_generators_and_keys_are_those_that_were_recorded(group: Group) -> None:
    told = TOLD["generators"]
    assert (spare(group).hex(), spares(group)[0].hex(), spares(group)[53].hex()) == (told["h"], told["h0"], told["h53"])
    assert (card_points(group)[0].hex(), card_points(group)[53].hex()) == (told["card0"], told["card53"])
    every = {BASE, spare(group), *spares(group), *card_points(group)}
    assert len(every) == 2 + 2 * CARDS
    assert group.total([1, 1, 1], [group.base(x) for x in SECRETS]) == JOINT


@given(scalars, points, points)
def test_both_back_ends_multiply_and_add_alike(number: int, one: bytes, other: bytes) -> None:
    assert PURE.base(number) == BEST.base(number)
    assert PURE.times(number, one) == BEST.times(number, one)
    assert PURE.plus(one, other) == BEST.plus(one, other)
    assert PURE.minus(one, other) == BEST.minus(one, other)


@given(st.lists(st.tuples(st.one_of(scalars, scalars.map(lambda number: -number)), points), max_size=12))
def test_both_back_ends_give_the_same_total(terms: list[tuple[int, bytes]]) -> None:
    numbers, row = [number for number, _ in terms], [one for _, one in terms]
    total = IDENTITY
    for number, one in terms:
        total = BEST.plus(total, BEST.times(number, one))
    assert PURE.total(numbers, row) == BEST.total(numbers, row) == total


@given(st.binary(min_size=64, max_size=64), st.binary(min_size=32, max_size=32))
def test_both_back_ends_map_and_judge_alike(data: bytes, encoding: bytes) -> None:
    mapped = BEST.from_hash(data)
    assert PURE.from_hash(data) == mapped
    assert PURE.is_point(mapped) == BEST.is_point(mapped) == (mapped != IDENTITY)
    assert PURE.is_point(encoding) == BEST.is_point(encoding)


@given(scalars, scalars, points)
def test_laws_of_a_group(one: int, other: int, at: bytes) -> None:
    assert PURE.plus(PURE.times(one, at), PURE.times(other, at)) == PURE.times(one + other, at)
    assert PURE.times(one, PURE.times(other, at)) == PURE.times(one * other, at)
    assert PURE.minus(at, at) == PURE.times(ORDER, at) == IDENTITY
    assert PURE.total((one, other, -one), (at, BASE, at)) == PURE.base(other)


def test_a_point_that_is_multiplied_often_gives_the_same_as_before() -> None:
    """Plain Python makes a table for it, here again and again for more points than it keeps tables for."""
    group = Pure()
    for start in range(40):
        at = BEST.base(start + 2)
        for number in (*EDGES, ORDER // 3):
            assert group.times(number, at) == BEST.times(number, at)


@on_each
@pytest.mark.parametrize("bad", [b"", BASE[:31], BASE + b"\0", HIGHEST_BIT, REFUSED[12]])
def test_what_is_no_point_is_refused_by_each_operation(group: Group, bad: bytes) -> None:
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


@on_each
def test_foreign_points_and_scalars(group: Group) -> None:
    assert point(group, BASE) == BASE
    number = int.from_bytes(BASE, "little")
    for bad in (IDENTITY, (number + FIELD).to_bytes(32, "little"), (FIELD + 2).to_bytes(32, "little"), BASE[:-1]):
        with pytest.raises(PeerError, match="not a point"):
            point(group, bad)
    assert scalar(scalar_bytes(ORDER - 1)) == ORDER - 1 and scalar(bytes(32)) == 0
    for wrong in (ORDER.to_bytes(32, "little"), (ORDER + 5).to_bytes(32, "little"), b"\xff" * 32, bytes(31), bytes(33)):
        with pytest.raises(PeerError, match="not a scalar"):
            scalar(wrong)


@on_each
@pytest.mark.parametrize("length", [0, 32, 63, 65])
def test_only_64_bytes_are_mapped(group: Group, length: int) -> None:
    with pytest.raises(ValueError, match="64"):
        group.from_hash(bytes(length))


def test_lists_of_different_lengths_have_no_total() -> None:
    for group in (PURE, BEST):
        with pytest.raises(ValueError, match="shorter"):
            group.total((1, 2), (BASE,))


def test_what_is_hashed_depends_on_the_tag_and_on_each_part() -> None:
    assert len({hashed_scalar("a", b"b", b"c"), hashed_scalar("a", b"bc"), hashed_scalar("ab", b"c")}) == 3
    assert hashed_point(PURE, "a", b"b") == hashed_point(BEST, "a", b"b") != hashed_point(BEST, "a", b"c")
    assert 0 <= hashed_scalar("a") < ORDER


class Lying(Pure):
    """A back end with one thing wrong; libraries built carelessly do such things."""

    def __init__(self, wrong: str) -> None:
        super().__init__()
        self.wrong = wrong

    def base(self, scalar: int) -> bytes:
        return super().base(scalar + 1 if self.wrong == "base" and scalar > 14 else scalar)

    def times(self, scalar: int, point: bytes) -> bytes:
        return super().times(scalar & (1 << 252) - 1 if self.wrong == "times" else scalar, point)

    def plus(self, one: bytes, other: bytes) -> bytes:
        return one if self.wrong == "plus" else super().plus(one, other)

    def minus(self, one: bytes, other: bytes) -> bytes:
        return super().minus(other, one) if self.wrong == "minus" else super().minus(one, other)

    def from_hash(self, data: bytes) -> bytes:
        return super().from_hash(data[:32] * 2 if self.wrong == "from_hash" else data)

    def is_point(self, data: bytes) -> bool:
        if self.wrong == "identity":
            return data == IDENTITY or super().is_point(data)
        if self.wrong == "canonical":
            return super().is_point(data) or not data[0] & 1
        if self.wrong == "highest bit":  # as libsodium 1.0.18
            return super().is_point(data[:31] + bytes([data[31] & 127]))
        return self.wrong != "no point" and super().is_point(data)


LIES = ("base", "times", "plus", "minus", "from_hash", "identity", "canonical", "highest bit", "no point")


@pytest.fixture
def anew() -> Iterator[None]:
    """The choice of a back end is made again, and afterwards once more."""
    best_group.cache_clear()
    yield
    best_group.cache_clear()


@pytest.mark.parametrize("wrong", LIES)
def test_a_back_end_that_is_not_sound_is_passed_over(anew: None, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    assert sound(Lying("nothing")) and not sound(Lying(wrong))
    found = {"first": Lying(wrong), "second": Lying("nothing")}
    monkeypatch.setattr(sodium, "places", lambda: iter((place, "") for place in found))
    monkeypatch.setattr(sodium, "load", lambda place, path: found[place])
    assert best_group() is found["second"]


def test_what_is_no_such_library_is_passed_over(anew: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "libsodium.so").write_bytes(b"\x7fELF, but no more")
    for path in (tmp_path / "libsodium.so", tmp_path / "missing.so", tmp_path):
        best_group.cache_clear()
        monkeypatch.setenv(sodium.VARIABLE, str(path))
        assert next(sodium.places()) == (sodium.VARIABLE, str(path))
        assert sodium.load(*next(sodium.places())) is None
        assert best_group().name == BEST.name


def test_a_libsodium_without_ristretto_is_passed_over(anew: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyNaCl's own is built without it. One that is linked with the system's, as some distributions do it, has it."""
    spec = find_spec("nacl._sodium")
    assert spec and spec.origin
    loaded = sodium.load("PyNaCl's", spec.origin)
    assert loaded is None or sound(loaded)
    monkeypatch.setenv(sodium.VARIABLE, spec.origin)
    assert (best_group().name == BEST.name) == (loaded is None)


def test_with_no_library_it_is_plain_python(anew: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sodium, "places", lambda: iter(()))
    assert best_group().name == "pure Python"


@pytest.mark.skipif(isinstance(BEST, Pure), reason="this machine has no libsodium")
def test_the_environment_names_a_library_before_all_others(anew: None, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, (_, path) = sodium.places()
    monkeypatch.setenv(sodium.VARIABLE, path)
    assert best_group().name == f"libsodium ({sodium.VARIABLE})"


@pytest.mark.parametrize(
    "file", ["pyzmq.libs/libsodium-6c8f8377.so.26.4.0", "zmq/.dylibs/libsodium.26.dylib", "zmq/libsodium.so"]
)
def test_places_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str) -> None:
    """As the wheels of pyzmq lay them out, and nothing of it is run to find them."""
    (tmp_path / "zmq").mkdir()
    (tmp_path / "zmq/__init__.py").write_text("raise AssertionError('imported')")
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).touch()
    monkeypatch.delitem(sys.modules, "zmq", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(sodium.VARIABLE, "named")
    monkeypatch.setattr("ctypes.util.find_library", lambda name: f"lib{name}.so.23")
    named = (sodium.VARIABLE, "named")
    assert list(sodium.places()) == [named, ("pyzmq", str(tmp_path / file)), ("the system's", "libsodium.so.23")]
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    (tmp_path / file).unlink()
    assert list(sodium.places()) == [named]


def test_each_library_that_loads_is_sound() -> None:
    assert all(sound(found) for found in (sodium.load(*place) for place in sodium.places()) if found)


def test_looking_for_a_library_imports_no_zmq() -> None:
    """Only net/link/node.py may: who replays a log needs no sockets."""
    code = "import sys; from quadrille.net.cards.group import best_group; best_group(); sys.exit('zmq' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_generator_that_comes_out_otherwise_stops_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ground._KNOWN, "h", "00" * 32)
    with pytest.raises(RuntimeError, match="generator h,"):
        spare(Pure())
