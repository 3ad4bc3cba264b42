"""Bytes in the entries for the deck that are not what they should be, wherever a point or a number stands: refused when
they come, the seat named, nothing changed.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from quadrille.net.cards.group import IDENTITY, ORDER
from quadrille.net.entries.entry import Entry
from quadrille.rules.chance import Stream
from tests.net.cards.by_hand import owner
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


def words(entry: Entry) -> Iterator[tuple[int, int, str]]:
    """Where in a body there is what: the field, the place among its words of 32 bytes, and `point` or `scalar`.

    Of a shuffle's many alike places the first and the last.
    """
    match entry.kind:
        case "key":
            yield from ((0, 0, "point"), (1, 0, "scalar"), (1, 1, "scalar"))
        case "look":
            count = len(entry.body.plain()[0]) // 32
            yield from ((0, place, "point") for place in range(count))
            yield from ((1, place, "scalar") for place in range(2 * count))
        case "share":
            yield from ((0, place, "point") for place in range(len(entry.body.plain()[0]) // 32))
            yield from ((1, 0, "scalar"), (1, 1, "scalar"))
        case "shuffle":
            n = len(entry.body.plain()[0]) // 64
            yield from ((0, place, "point") for place in (0, 1, 2 * n - 1))
            yield from ((1, place, "point") for place in (0, n - 1, n, 2 * n, 3 * n - 1, *range(3 * n, 3 * n + 5)))
            yield from ((1, place, "scalar") for place in (*range(3 * n + 5, 3 * n + 10), 4 * n + 9, 5 * n + 8))


def with_word(entry: Entry, field: int, place: int, word: bytes) -> Entry:
    """The same with another word there, signed again."""
    parts = entry.body.plain()
    data = parts[field]
    changed = data[: 32 * place] + word + data[32 * place + 32 :]
    body = type(entry.body)(*parts[:field], changed, *parts[field + 1 :])
    author = next(identity(number) for number in range(1, 4) if identity(number).key == entry.author)
    return replace(entry, body=body).signed(author)


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_are_no_points_are_refused_wherever_a_point_stands(kind: str) -> None:
    """ "Identity and non-canonical encodings are refused everywhere." """
    log, entry = honest(kind, 1)
    places = [(field, place) for field, place, what in words(entry) if what == "point"]
    assert places
    for field, place in places:
        number = int.from_bytes(entry.body.plain()[field][32 * place : 32 * place + 32], "little")
        for word in (*NO_POINTS, (number + FIELD).to_bytes(33, "little")[:32], (FIELD - number).to_bytes(32, "little")):
            assert_refused(log, with_word(entry, field, place, word), entry.author, "point")


@pytest.mark.parametrize("kind", KINDS)
def test_scalars_of_the_order_and_more_are_refused_wherever_a_scalar_stands(kind: str) -> None:
    log, entry = honest(kind, 1)
    places = [(field, place) for field, place, what in words(entry) if what == "scalar"]
    assert places
    for field, place in places:
        number = int.from_bytes(entry.body.plain()[field][32 * place : 32 * place + 32], "little")
        for wrong in (number + ORDER, number + 2 * ORDER, ORDER, 2**256 - 1):
            word = wrong.to_bytes(32, "little")
            assert_refused(log, with_word(entry, field, place, word), entry.author, "does not serve the deck")


@pytest.mark.parametrize("kind", KINDS)
def test_lengths_are_exact(kind: str) -> None:
    log, entry = honest(kind, 1)
    for field, data in enumerate(entry.body.plain()):
        for other in (b"", data[:-1], data[1:], data[:-32], data + b"\0", data + data[:32], data * 2):
            assert_refused(log, with_field(entry, field, other), entry.author, "does not serve the deck")


def with_field(entry: Entry, field: int, data: bytes) -> Entry:
    parts = entry.body.plain()
    body = type(entry.body)(*parts[:field], data, *parts[field + 1 :])
    return with_word(replace(entry, body=body), field, 0, data[:32])


def flips(kind: str, count: int) -> None:
    log, entry = honest(kind, 1)
    whole, dice = b"".join(entry.body.plain()), Stream("cards", "flips")
    number, first = int.from_bytes(whole, "little"), len(entry.body.plain()[0])
    for _ in range(count):
        wrong = (number ^ 1 << dice.randrange(8 * len(whole))).to_bytes(len(whole), "little")
        other = replace(entry, body=type(entry.body)(wrong[:first], wrong[first:])).signed(owner(log.now.turn or 0))
        assert_refused(log, other, entry.author, "does not serve the deck")


@pytest.mark.parametrize(("kind", "count"), [("key", 50), ("look", 50), ("share", 50), ("shuffle", 5)])
def test_no_bit_may_differ(kind: str, count: int) -> None:
    flips(kind, count)
