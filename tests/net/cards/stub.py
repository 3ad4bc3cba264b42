"""A group for tests of all but secrecy: numbers modulo the order of ristretto255, so that whole tables are quick.

Anybody can take logarithms here. The proofs are the real ones, made and checked by the same equations.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import pytest

from quadrille.net.cards import deck, group, shuffle
from quadrille.net.cards.group import BASE, ORDER
from quadrille.net.core.errors import PeerError
from tests.net.tables import calls


def read(point: bytes) -> int:
    """The number itself. The base point is 1, so that 1 has its bytes."""
    number = 1 if point == BASE else int.from_bytes(point, "little")
    if len(point) != 32 or number >= ORDER or (number == 1 and point != BASE):
        raise PeerError("no number of this group")
    return number


def write(number: int) -> bytes:
    number %= ORDER
    return BASE if number == 1 else number.to_bytes(32, "little")


def plus(one: bytes, other: bytes) -> bytes:
    return write(read(one) + read(other))


def minus(one: bytes, other: bytes) -> bytes:
    return write(read(one) - read(other))


def total(scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
    return write(sum(n * read(point) for n, point in zip(scalars, points, strict=True)))


def from_hash(data: bytes) -> bytes:
    return write(int.from_bytes(data, "little"))


def is_point(data: bytes) -> bool:
    try:
        return read(data) != 0
    except PeerError:
        return False


@contextmanager
def stubbed() -> Iterator[None]:
    """Compute with numbers meanwhile; what was computed with them is forgotten, also after a failure."""
    with ExitStack() as after:
        for cached in (group.card_points, group.card_values, group.spare, group.spares, shuffle._all_spares):
            cached.cache_clear()
            after.callback(cached.cache_clear)
        patch = after.enter_context(pytest.MonkeyPatch.context())
        for operation in (plus, minus, total, from_hash, is_point):
            patch.setattr(group, operation.__name__, operation)
        yield


@contextmanager
def counted() -> Iterator[list[str]]:
    """The proofs that are checked meanwhile: what a message costs, without a clock."""
    with pytest.MonkeyPatch.context() as patch:
        yield calls(patch, deck, "check_known", "check_same", "check_shuffle")
