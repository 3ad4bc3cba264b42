"""The group of the cards: ristretto255 (RFC 9496), its back ends, and hashing into it.

A point is its canonical 32 bytes everywhere; a scalar is a number below ORDER. Two back ends give the same bytes:
libsodium (sodium.py) and plain Python (pure.py). Specification: docs/protocols/cards.md, "The group".
"""

import functools
import hashlib
from collections.abc import Sequence
from typing import Final, Protocol

from quadrille.net.cards import pure, sodium
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import hashed

#: Number of points, a prime: L of RFC 9496. Scalars are numbers below it.
ORDER: Final = pure.ORDER
#: The neutral element: a sum may be it, but no peer may send it.
IDENTITY: Final = pure.IDENTITY
#: The base point G.
BASE: Final = pure.BASE
POINT_BYTES: Final = 32
#: Maximum cards of a deck: the values 0 to 53.
CARDS: Final = 54

#: The hash of what a sound back end says (`sound`).
_SOUND: Final = "a6435eec2e50f4d571c764662381a612afe66084973f93587b3c22547583392d"
#: Some generators, to check every back end against.
_KNOWN: Final = {
    "h": "5a64ff9a565b30ed8567f12be3628ee19d78219fe66186241d8ba90939a7534b",
    "h_0": "e2d2dba23837a5d2db069d61e26a360d8d24c705d1b2173b8bd422820b2ba939",
    "h_53": "9e9bb11c74aba567b8bb8cb625ccc69fdcf40e204b9ec0f9d3160d7c2dcc150e",
    "M_0": "9ee4a190eadf9bf9634e262c04a582070d2438094eb9b8b0f894f3f9da0bd10f",
    "M_53": "fa2e9139bc9a100fd0a402d684b75341ad3eabd7aed7364db3da9d200e64170b",
}


class Group(Protocol):
    """A back end. Bytes that are no point raise a PeerError; the identity is accepted and may be a result."""

    @property
    def name(self) -> str:
        """ "libsodium (where it was found)" or "pure Python"."""

    def __hash__(self) -> int:
        """Values computed once for a group are cached under it."""

    def base(self, scalar: int) -> bytes:
        """The base point G times a scalar."""

    def times(self, scalar: int, point: bytes) -> bytes:
        """A point times a scalar."""

    def plus(self, one: bytes, other: bytes) -> bytes:
        """The sum of two points."""

    def minus(self, one: bytes, other: bytes) -> bytes:
        """The difference of two points."""

    def total(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """The sum of each scalar times its point; both lists have the same length."""

    def from_hash(self, data: bytes) -> bytes:
        """Map 64 bytes to a point whose logarithm nobody knows."""

    def is_point(self, data: bytes) -> bool:
        """Whether these bytes are the canonical encoding of a point other than the identity."""


@functools.cache
def best_group() -> Group:
    """The first working back end: a libsodium (`sodium.places` has the order), else plain Python."""
    for place, path in sodium.places():
        found = sodium.load(place, path)
        if found is not None and sound(found):
            return found
    return pure.Pure()


def sound(group: Group) -> bool:
    """Check that a group computes ristretto255 correctly: each operation gives the bytes that plain Python gives, and
    plain Python passes the vectors of RFC 9496. Most of the encodings to judge are no points.
    """
    hashes = [hashlib.sha512(bytes([number])).digest() for number in range(64)]
    try:
        points = [*map(group.base, range(1, 16)), *map(group.from_hash, hashes[:8])]
        said = [
            *points,
            group.base(0),
            *(group.times(number, at) for number in (0, 7, ORDER - 4, ORDER) for at in points[:3]),
            *(
                operation(one, other)
                for operation in (group.plus, group.minus)
                for one in points
                for other in points[:3]
            ),
            group.total((13, ORDER + 1, *range(23)), (BASE, points[1], *points)),
        ]
        edges = [*(pure.FIELD + near for near in range(-3, 19)), (1 << 255) - 1, (1 << 256) - 1]
        for number in (int.from_bytes(at, "little") for at in points):
            edges += [number, pure.FIELD - number, number + (1 << 255)]
        encodings = [IDENTITY, *(edge.to_bytes(POINT_BYTES, "little") for edge in edges)]
        encodings += [half for hash in hashes for half in (hash[:POINT_BYTES], hash[POINT_BYTES:])]
        verdicts = bytes(map(group.is_point, encodings))
    except PeerError:
        return False
    return hashlib.sha256(b"".join((*said, verdicts))).hexdigest() == _SOUND


def scalar(data: bytes) -> int:
    """The number in 32 little-endian bytes."""
    number = int.from_bytes(data, "little")
    if len(data) != POINT_BYTES or number >= ORDER:
        raise PeerError(f"{len(data)} bytes are not a scalar: it needs 32 that hold a number below the group's order")
    return number


def scalar_bytes(number: int) -> bytes:
    """A scalar as 32 little-endian bytes."""
    return (number % ORDER).to_bytes(POINT_BYTES, "little")


def point(group: Group, data: bytes) -> bytes:
    """The data, if it is a point that a peer may send."""
    if not group.is_point(data):
        raise PeerError(f"{len(data)} bytes are not a point: it needs the canonical 32 bytes of one, not all zero")
    return data


def hashed_scalar(tag: str, *parts: bytes) -> int:
    """A scalar from the hash of these parts."""
    return int.from_bytes(hashed(tag, *parts), "little") % ORDER


def hashed_point(group: Group, tag: str, *parts: bytes) -> bytes:
    """A point from the hash of these parts."""
    return group.from_hash(hashed(tag, *parts))


def two_bytes(number: int) -> bytes:
    """A number as 2 big-endian bytes, to be hashed."""
    return number.to_bytes(2, "big")


@functools.cache
def card_points(group: Group) -> tuple[bytes, ...]:
    """The points that stand for the cards, M_0 to M_53."""
    points = tuple(hashed_point(group, "card", two_bytes(value)) for value in range(CARDS))
    _agree(group, {"M_0": points[0], "M_53": points[53]})
    return points


@functools.cache
def spare(group: Group) -> bytes:
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
    """Stop if a generator is wrong: such a program could play with nobody."""
    for name, found in points.items():
        if found.hex() != _KNOWN[name]:
            raise RuntimeError(f"{group.name} gives {found.hex()} for the generator {name}, which is {_KNOWN[name]}")
