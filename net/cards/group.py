"""The group of the cards: ristretto255 (RFC 9496) by the libsodium that rbcl brings, and hashing into it.

A point is its canonical 32 bytes everywhere; a scalar is a number below ORDER. Specification: docs/protocols/cards.md,
"The group".
"""

import ctypes
import functools
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.hashing import hashed

#: Number of points, a prime: L of RFC 9496. Scalars are numbers below it.
ORDER: Final = (1 << 252) + 27742317777372353535851937790883648493
#: The neutral element: a sum may be it, but no peer may send it.
IDENTITY: Final = bytes(32)
#: The base point G.
BASE: Final = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
POINT_BYTES: Final = 32
#: Maximum cards of a deck: the values 0 to 53.
CARDS: Final = 54
_HASH_BYTES: Final = 64
_Buffer: Final = ctypes.c_char * POINT_BYTES


@functools.cache
def _loaded() -> tuple[ctypes.CDLL, ...] | OSError:
    """Load libsodium by way of rbcl, or return why that failed. Try only once: each attempt leaves 2.8 MB on the disk.

    To import rbcl takes 60 ms and 6 MiB, so this waits for the first card or private room. rbcl's own functions are not
    enough: an addition ignores bytes that are no point. Calls of the first library keep Python's lock, those of the
    second release it.
    """
    try:
        import rbcl
    except OSError as error:
        return error
    library = rbcl._sodium
    with suppress(OSError):  # rbcl leaves its library in the folder for temporary files; Windows keeps what is loaded
        os.unlink(library._name)
    # No argument types are declared: all arguments are bytes or buffers of the right length, and calls are faster.
    return tuple(kind(library._name, handle=library._handle) for kind in (ctypes.PyDLL, ctypes.CDLL))


def _sodium() -> ctypes.CDLL:
    """Return the library whose calls suit this thread. A call takes 50 µs, and a busy thread gives the lock back after
    5 ms. Beside a bot's search, a shuffle in the main thread would take seconds; a worker's lets a screen answer keys.
    """
    libraries = _loaded()
    if isinstance(libraries, OSError):
        raise LocalError(
            "this machine can't compute with hidden cards: rbcl loads its library from the folder for temporary files, "
            f"and failed ({libraries}); set TMPDIR to a folder that has room and may hold programs"
        )
    return libraries[threading.current_thread() is not threading.main_thread()]


# The arithmetic. Bytes that are no point raise a PeerError; the identity is accepted and may be a result.


def base(scalar: int) -> bytes:
    """Multiply the base point G by a scalar."""
    return total((scalar,), (BASE,))


def times(scalar: int, point: bytes) -> bytes:
    return total((scalar,), (point,))


def plus(point: bytes, other: bytes) -> bytes:
    return _joined(_sodium().crypto_core_ristretto255_add, point, other)


def minus(point: bytes, other: bytes) -> bytes:
    return _joined(_sodium().crypto_core_ristretto255_sub, point, other)


def total(scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
    """Add up each scalar times its point; both lists have the same length."""
    terms: dict[bytes, int] = {}  # a point that repeats is multiplied once
    for scalar, point in zip(scalars, points, strict=True):
        terms[point] = (terms.get(point, 0) + scalar) % ORDER
    sodium, result, product = _sodium(), _Buffer(), _Buffer()
    target = result
    for point, scalar in terms.items():
        if not _is_encoding(point):
            raise _no_point()
        if scalar > 1:
            packed = scalar.to_bytes(POINT_BYTES, "little")
            if point == BASE:
                sodium.crypto_scalarmult_ristretto255_base(target, packed)
            elif sodium.crypto_scalarmult_ristretto255(target, packed, point):
                # The call fails for bytes that are no point, and if the result is the identity.
                if point != IDENTITY:
                    raise _no_point()
                target.raw = IDENTITY
        else:
            if not sodium.crypto_core_ristretto255_is_valid_point(point):
                raise _no_point()
            target.raw = point if scalar else IDENTITY
        if target is product:
            sodium.crypto_core_ristretto255_add(result, result, product)
        target = product
    return result.raw


def from_hash(data: bytes) -> bytes:
    """Map 64 bytes to a point whose logarithm nobody knows."""
    if len(data) != _HASH_BYTES:
        raise ValueError(f"{len(data)} bytes were given to be mapped to a point, which takes {_HASH_BYTES}")
    result = _Buffer()
    _sodium().crypto_core_ristretto255_from_hash(result, data)
    return result.raw


def is_point(data: bytes) -> bool:
    """Return True for the canonical encoding of a point other than the identity."""
    return _is_encoding(data) and data != IDENTITY and _sodium().crypto_core_ristretto255_is_valid_point(data) == 1


def _joined(function: Callable[..., int], point: bytes, other: bytes) -> bytes:
    result = _Buffer()
    if not (_is_encoding(point) and _is_encoding(other)) or function(result, point, other):
        raise _no_point()
    return result.raw


def _is_encoding(data: bytes) -> bool:
    """Check the length and the highest bit of a point: rbcl's libsodium, 1.0.18, does not look at that bit."""
    return len(data) == POINT_BYTES and data[-1] < 128


def _no_point() -> PeerError:
    return PeerError("these bytes are not a point: it needs the canonical 32 bytes of one")


def scalar(data: bytes) -> int:
    """Read a number from 32 little-endian bytes."""
    number = int.from_bytes(data, "little")
    if len(data) != POINT_BYTES or number >= ORDER:
        raise PeerError(f"{len(data)} bytes are not a scalar: it needs 32 that hold a number below the group's order")
    return number


def scalar_bytes(number: int) -> bytes:
    """Write a scalar as 32 little-endian bytes."""
    return (number % ORDER).to_bytes(POINT_BYTES, "little")


def split(data: bytes, size: int = POINT_BYTES) -> list[bytes]:
    """Split bytes into points, scalars or proofs of `size` bytes each."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def points(data: bytes, count: int = 1) -> tuple[bytes, ...]:
    """Read points that a peer may send. Check the length before any arithmetic."""
    if len(data) != POINT_BYTES * count:
        raise PeerError(f"{count} points take {POINT_BYTES * count} bytes, not {len(data)}")
    read = tuple(split(data))
    if not all(map(is_point, read)):
        raise _no_point()
    return read


def hashed_scalar(tag: str, *parts: bytes) -> int:
    return int.from_bytes(hashed(tag, *parts), "little") % ORDER


def hashed_point(tag: str, *parts: bytes) -> bytes:
    return from_hash(hashed(tag, *parts))


def two_bytes(number: int) -> bytes:
    """Write a number as 2 big-endian bytes, to be hashed."""
    return number.to_bytes(2, "big")


@functools.cache
def card_points() -> tuple[bytes, ...]:
    """Return the points that stand for the cards, M_0 to M_53."""
    return tuple(hashed_point("card", two_bytes(value)) for value in range(CARDS))


@functools.cache
def card_values() -> Mapping[bytes, int]:
    return {card: value for value, card in enumerate(card_points())}


@functools.cache
def spare() -> bytes:
    """Return the generator h."""
    return hashed_point("gen/h")


@functools.cache
def spares() -> tuple[bytes, ...]:
    """Return the generators h_i, one for each place of a deck."""
    return tuple(hashed_point("gen/hi", two_bytes(place)) for place in range(CARDS))
