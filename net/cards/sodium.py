"""ristretto255 by libsodium through ctypes, and the places where this machine may have a libsodium.

Nobody has to install one: the wheels of pyzmq bring it along on Linux and macOS. Such a file is no public interface,
so every library found must first pass `group.sound`; group.py chooses the back end. Results are the same bytes as
those of pure.py.
"""

import ctypes
import ctypes.util
import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from quadrille.net.cards.pure import BASE, IDENTITY, gathered
from quadrille.net.core.errors import PeerError

#: The environment variable that names a libsodium to try before all others.
VARIABLE: Final = "QUADRILLE_LIBSODIUM"
_POINT_BYTES: Final = 32
_HASH_BYTES: Final = 64
_Buffer: Final = ctypes.c_char * _POINT_BYTES


class Sodium:
    """libsodium's arithmetic. It is immutable, so threads may share it."""

    def __init__(self, library: ctypes.CDLL, place: str) -> None:
        self.name = f"libsodium ({place})"
        if library.sodium_init() < 0:
            raise OSError(f"{self.name} could not be started")
        # No argument types are declared: all arguments are bytes or buffers of the right length, and calls are
        # faster.
        self._times = library.crypto_scalarmult_ristretto255
        self._base = library.crypto_scalarmult_ristretto255_base
        self._add = library.crypto_core_ristretto255_add
        self._sub = library.crypto_core_ristretto255_sub
        self._map = library.crypto_core_ristretto255_from_hash
        self._valid = library.crypto_core_ristretto255_is_valid_point

    def base(self, scalar: int) -> bytes:
        """The base point times a scalar."""
        return self.times(scalar, BASE)

    def times(self, scalar: int, point: bytes) -> bytes:
        """A point times a scalar."""
        return self.total((scalar,), (point,))

    def plus(self, one: bytes, other: bytes) -> bytes:
        """The sum of two points."""
        return self._joined(self._add, one, other)

    def minus(self, one: bytes, other: bytes) -> bytes:
        """The difference of two points."""
        return self._joined(self._sub, one, other)

    def total(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """The sum of each scalar times its point."""
        times, base, add = self._times, self._base, self._add
        result, product = _Buffer(), _Buffer()
        begun = False
        for point, scalar in gathered(scalars, points).items():
            if not _is_encoding(point):
                raise _no_point()
            target = product if begun else result
            if scalar > 1:
                packed = scalar.to_bytes(_POINT_BYTES, "little")
                failed = base(target, packed) if point == BASE else times(target, packed, point)
                # The call fails for bytes that are no point, and if the result is the identity.
                if failed:
                    if point != IDENTITY:
                        raise _no_point()
                    target.raw = IDENTITY
            else:
                if not self._valid(point):
                    raise _no_point()
                target.raw = point if scalar else IDENTITY
            if begun:
                add(result, result, product)
            begun = True
        return result.raw

    def from_hash(self, data: bytes) -> bytes:
        """Map 64 bytes to a point."""
        if len(data) != _HASH_BYTES:
            raise ValueError(f"{len(data)} bytes were given to be mapped to a point, which takes {_HASH_BYTES}")
        result = _Buffer()
        self._map(result, data)
        return result.raw

    def is_point(self, data: bytes) -> bool:
        """Whether these bytes are the canonical encoding of a point other than the identity."""
        return _is_encoding(data) and data != IDENTITY and self._valid(data) == 1

    def _joined(self, function: Callable[..., int], one: bytes, other: bytes) -> bytes:
        result = _Buffer()
        if not (_is_encoding(one) and _is_encoding(other)) or function(result, one, other):
            raise _no_point()
        return result.raw


def places() -> Iterator[tuple[str, str]]:
    """Each libsodium that may be here: the name of the place, and the file."""
    if named := os.environ.get(VARIABLE):
        yield VARIABLE, named
    yield from (("pyzmq", str(file)) for file in _beside_pyzmq())
    if found := ctypes.util.find_library("sodium") or ctypes.util.find_library("libsodium"):
        yield "the system's", found


def load(place: str, path: str) -> Sodium | None:
    """The libsodium in this file, if it has ristretto255."""
    try:
        # PyDLL keeps Python's lock: a call takes 40 µs, and to get the lock back from a busy thread takes 5 ms.
        return Sodium(ctypes.PyDLL(path), place)
    except (OSError, AttributeError):
        return None


def _beside_pyzmq() -> list[Path]:
    """The libraries in pyzmq's wheel: in pyzmq.libs/ (Linux) or zmq/.dylibs/ (macOS). Imports nothing."""
    spec = importlib.util.find_spec("zmq")
    if spec is None or spec.origin is None:
        return []
    package = Path(spec.origin).parent
    folders = (package.parent / "pyzmq.libs", package / ".dylibs", package)
    return sorted(file for folder in folders if folder.is_dir() for file in folder.glob("libsodium*") if file.is_file())


def _is_encoding(data: bytes) -> bool:
    """Check the length and the highest bit of a point: libsodium 1.0.18 does not look at that bit."""
    return len(data) == _POINT_BYTES and data[-1] < 128


def _no_point() -> PeerError:
    return PeerError("these bytes are not a point: it needs the canonical 32 bytes of one")
