"""The group that cards live in: ristretto255 (RFC 9496), whoever computes in it, and what is hashed into it.

A point is its canonical 32 bytes everywhere; a scalar is a number below ORDER. Two back ends give the same bytes:
libsodium (sodium.py) and plain Python (pure.py). Nothing here knows a card's story.
Specification: protocols.md, "Cards", "The group".
"""

import functools
import hashlib
from collections.abc import Sequence
from typing import Final, Protocol

from quadrille.net.cards import pure, rfc9496, sodium
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import hashed

#: How many points there are, a prime: L of RFC 9496. Scalars are numbers below it.
ORDER: Final = pure.ORDER
#: Nought of the group: a sum may come to it, but no peer may send it.
IDENTITY: Final = pure.IDENTITY
#: The base point G.
BASE: Final = pure.BASE
POINT_BYTES: Final = 32
#: How many cards a deck may have: the values 0 to 53.
CARDS: Final = 54

#: Some generators as they must come out, whoever computes them.
_KNOWN: Final = {
    "h": "5a64ff9a565b30ed8567f12be3628ee19d78219fe66186241d8ba90939a7534b",
    "h_0": "e2d2dba23837a5d2db069d61e26a360d8d24c705d1b2173b8bd422820b2ba939",
    "h_53": "9e9bb11c74aba567b8bb8cb625ccc69fdcf40e204b9ec0f9d3160d7c2dcc150e",
    "M_0": "9ee4a190eadf9bf9634e262c04a582070d2438094eb9b8b0f894f3f9da0bd10f",
    "M_53": "fa2e9139bc9a100fd0a402d684b75341ad3eabd7aed7364db3da9d200e64170b",
}


class Group(Protocol):
    """Who computes with points. What is no point is a PeerError; the identity is taken as well as given."""

    @property
    def name(self) -> str:
        """Who it is: "libsodium (where it was found)" or "pure Python"."""

    def __hash__(self) -> int:
        """What was computed once for a group is kept under it."""

    def base(self, scalar: int) -> bytes:
        """So many times the base point G."""

    def times(self, scalar: int, point: bytes) -> bytes:
        """So many times a point."""

    def plus(self, one: bytes, other: bytes) -> bytes:
        """The sum of two points."""

    def minus(self, one: bytes, other: bytes) -> bytes:
        """One point less another."""

    def total(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """The sum of each scalar times its point; both lists are as long."""

    def from_hash(self, data: bytes) -> bytes:
        """The point that 64 bytes are mapped to, so that nobody knows its logarithm."""

    def is_point(self, data: bytes) -> bool:
        """Whether these bytes are the canonical ones of a point other than the identity."""


@functools.cache
def best_group() -> Group:
    """The first back end that is sound: a libsodium (`sodium.places` has the order), else plain Python."""
    for place, path in sodium.places():
        found = sodium.load(place, path)
        if found is not None and sound(found):
            return found
    return pure.Pure()


def sound(group: Group) -> bool:
    """Whether it computes ristretto255: the vectors of RFC 9496, and each operation once."""
    try:
        multiples = tuple(group.base(number) for number in range(1, 16))
        two, seven, eight, fifteen = (multiples[number - 1] for number in (2, 7, 8, 15))
        return (
            multiples == rfc9496.MULTIPLES
            and group.base(0) == group.times(ORDER, two) == group.minus(seven, seven) == IDENTITY
            and group.plus(seven, eight) == group.total((13, ORDER + 1), (BASE, two)) == fifteen
            and group.minus(fifteen, eight) == seven
            and group.times(ORDER - 4, two) == group.minus(IDENTITY, eight)
            and all(map(group.is_point, multiples))
            and not any(group.is_point(bytes.fromhex(bad)) for row in rfc9496.REFUSED.values() for bad in row)
            and not group.is_point(IDENTITY)
            and all(
                group.from_hash(hashlib.sha512(text.encode()).digest()).hex() == mapped
                for text, mapped in rfc9496.MAPPED.items()
            )
        )
    except PeerError:
        return False


def scalar(data: bytes) -> int:
    """The number in 32 bytes, the lowest first."""
    number = int.from_bytes(data, "little")
    if len(data) != POINT_BYTES or number >= ORDER:
        raise PeerError(f"{len(data)} bytes are no scalar: it takes 32 that hold a number below the group's order")
    return number


def scalar_bytes(number: int) -> bytes:
    """A scalar as 32 bytes, the lowest first."""
    return (number % ORDER).to_bytes(POINT_BYTES, "little")


def point(group: Group, data: bytes) -> bytes:
    """The data, if it is a point that a peer may send."""
    if not group.is_point(data):
        raise PeerError(f"{len(data)} bytes are no point: it takes the canonical 32 of one, not all nought")
    return data


def hashed_scalar(tag: str, *parts: bytes) -> int:
    """A scalar out of the hash of these parts."""
    return int.from_bytes(hashed(tag, *parts), "little") % ORDER


def hashed_point(group: Group, tag: str, *parts: bytes) -> bytes:
    """A point out of the hash of these parts."""
    return group.from_hash(hashed(tag, *parts))


def two_bytes(number: int) -> bytes:
    """A number as a part of a hash: 2 bytes, big-endian."""
    return number.to_bytes(2, "big")


@functools.cache
def card_points(group: Group) -> tuple[bytes, ...]:
    """The points that stand for the cards, M_0 to M_53."""
    points = tuple(hashed_point(group, "card", two_bytes(value)) for value in range(CARDS))
    _agree(group, {"M_0": points[0], "M_53": points[53]})
    return points


@functools.cache
def spare(group: Group) -> bytes:
    """The generator h."""
    found = hashed_point(group, "gen/h")
    _agree(group, {"h": found})
    return found


@functools.cache
def spares(group: Group) -> tuple[bytes, ...]:
    """The generators h_i, one for each place of a deck."""
    points = tuple(hashed_point(group, "gen/hi", two_bytes(place)) for place in range(CARDS))
    _agree(group, {"h_0": points[0], "h_53": points[53]})
    return points


def _agree(group: Group, points: dict[str, bytes]) -> None:
    """Stop where a generator differs from everybody else's: such a program could play with nobody."""
    for name, found in points.items():
        if found.hex() != _KNOWN[name]:
            raise RuntimeError(f"{group.name} gives {found.hex()} for the generator {name}, which is {_KNOWN[name]}")
