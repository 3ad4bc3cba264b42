"""Bytes in the entries for the deck that are not what they should be, wherever a point or a number stands: refused when
they come, the seat named, nothing changed.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from quadrille.net.cards.group import IDENTITY, ORDER, split
from quadrille.net.entries.entry import Entry
from quadrille.rules.chance import Stream
from tests.net.cards.refused import KINDS, assert_refused, honest
from tests.net.tables import identity

FIELD: Final = (1 << 255) - 19
#: Bytes that a careless reader takes for points: the identity, p + 2 (which is 2), p, odd, 2^255, 2^256 - 1, no square.
NO_POINTS: Final = (
    IDENTITY,
    (FIELD + 2).to_bytes(32, "little"),
    FIELD.to_bytes(32, "little"),
    b"\x01" + bytes(31),
    bytes(31) + b"\x80",
    b"\xff" * 32,
    b"\x08" + bytes(31),
)


def words(entry: Entry, sort: str) -> Iterator[tuple[int, int, int]]:
    """Where in a body there is a `point` or a `scalar`: the field, the place among its words, and the number there.

    Of a shuffle's many alike places the first and the last.
    """
    said, proof = (split(data) for data in entry.body.plain())
    places = {"point": [(0, place) for place in range(len(said))], "scalar": [(1, at) for at in range(len(proof))]}
    if entry.kind == "shuffle":
        n = len(said) // 2
        of_proof = (0, n - 1, n, 2 * n, 3 * n - 1, *range(3 * n, 3 * n + 5))
        places["point"] = [*((0, place) for place in (0, 1, 2 * n - 1)), *((1, place) for place in of_proof)]
        places["scalar"] = [(1, place) for place in (*range(3 * n + 5, 3 * n + 10), 4 * n + 9, 5 * n + 8)]
    for field, place in places[sort]:
        yield field, place, int.from_bytes((said, proof)[field][place], "little")


def with_field(entry: Entry, field: int, data: bytes) -> Entry:
    """The same with other bytes in that field, signed again."""
    parts = entry.body.plain()
    author = next(one for one in map(identity, range(1, 4)) if one.key == entry.author)
    return replace(entry, body=type(entry.body)(*parts[:field], data, *parts[field + 1 :])).signed(author)


def with_word(entry: Entry, field: int, place: int, word: bytes) -> Entry:
    data = entry.body.plain()[field]
    return with_field(entry, field, data[: 32 * place] + word + data[32 * place + 32 :])


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_are_no_points_are_refused_wherever_a_point_stands(kind: str) -> None:
    """ "Identity and non-canonical encodings are refused everywhere." """
    log, entry = honest(kind, 1)
    for field, place, number in words(entry, "point"):
        for word in (*NO_POINTS, (number + FIELD).to_bytes(33, "little")[:32], (FIELD - number).to_bytes(32, "little")):
            assert_refused(log, with_word(entry, field, place, word), entry.author, "point")


@pytest.mark.parametrize("kind", KINDS)
def test_scalars_of_the_order_and_more_are_refused_wherever_a_scalar_stands(kind: str) -> None:
    log, entry = honest(kind, 1)
    for field, place, number in words(entry, "scalar"):
        for wrong in (number + ORDER, number + 2 * ORDER, ORDER, 2**256 - 1):
            word = wrong.to_bytes(32, "little")
            assert_refused(log, with_word(entry, field, place, word), entry.author, "does not serve the deck")


@pytest.mark.parametrize("kind", KINDS)
def test_lengths_are_exact(kind: str) -> None:
    log, entry = honest(kind, 1)
    for field, data in enumerate(entry.body.plain()):
        for other in (b"", data[:-1], data[1:], data[:-32], data + b"\0", data + data[:32], data * 2):
            assert_refused(log, with_field(entry, field, other), entry.author, "does not serve the deck")


@pytest.mark.parametrize(("kind", "count"), [("key", 50), ("look", 50), ("share", 50), ("shuffle", 5)])
def test_no_bit_may_differ(kind: str, count: int) -> None:
    log, entry = honest(kind, 1)
    dice = Stream("cards", "flips")
    sizes = [len(data) for data in entry.body.plain()]
    for _ in range(count):
        bit = dice.randrange(8 * sum(sizes))
        field, bit = (0, bit) if bit < 8 * sizes[0] else (1, bit - 8 * sizes[0])
        number = int.from_bytes(entry.body.plain()[field], "little") ^ 1 << bit
        wrong = with_field(entry, field, number.to_bytes(sizes[field], "little"))
        assert_refused(log, wrong, entry.author, "does not serve the deck")
