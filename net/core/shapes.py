"""Schemas of foreign values, and the only place that unpacks foreign bytes.

A shape accepts or refuses a value that msgpack or JSON gave, and says in words what it accepts. Nothing here knows any
message (net/entries/wire.py) or asks who sent it. Limits: docs/protocols/tables.md, "Messages".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgpack

from quadrille.net.core.errors import PeerError

#: Maximum length of packed data, in bytes.
MOST_BYTES: Final = 64 * 1024
_LIMITS: Final = {
    "max_bin_len": MOST_BYTES,
    "max_str_len": 4096,
    "max_array_len": 1024,
    "max_map_len": 64,
    "max_ext_len": 0,
}
_PLAIN: Final = frozenset({int, str, bytes, bool, type(None)})


@dataclass(frozen=True, slots=True)
class Shape:
    """The accepted values of a field; `says` completes "… should be"."""

    fits: Callable[[Any], bool]
    says: str


def binary(length: int) -> Shape:
    """Exactly `length` bytes."""
    return Shape(lambda value: isinstance(value, bytes) and len(value) == length, f"{length} bytes")


def binary_up_to(most: int) -> Shape:
    """At most `most` bytes."""
    return Shape(lambda value: isinstance(value, bytes) and len(value) <= most, f"at most {most} bytes")


def text(most: int) -> Shape:
    """One line of printable text, at most `most` characters."""
    return Shape(
        lambda value: isinstance(value, str) and len(value) <= most and value.isprintable(),
        f"a line of at most {most} printable characters",
    )


def whole(most: int, least: int = 0) -> Shape:
    """A whole number; bool is refused."""
    return Shape(
        lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most,
        f"a whole number from {least} to {most}",
    )


FLAG: Final = Shape(lambda value: isinstance(value, bool), "true or false")


def maybe(shape: Shape) -> Shape:
    """`shape` or nil."""
    return Shape(lambda value: value is None or shape.fits(value), f"{shape.says}, or nil")


def word(*words: str) -> Shape:
    """One of the given words."""
    return Shape(lambda value: isinstance(value, str) and value in words, "one of " + ", ".join(words))


def listed(shape: Shape, most: int) -> Shape:
    """A list of at most `most` values of this shape; msgpack's are tuples here, JSON's are lists."""
    return Shape(
        lambda value: isinstance(value, tuple | list) and len(value) <= most and all(map(shape.fits, value)),
        f"a list of at most {most}, each {shape.says}",
    )


def row(*shapes: Shape) -> Shape:
    """A list of exactly these shapes, in this order."""
    tests = tuple(shape.fits for shape in shapes)

    def fits(value: Any) -> bool:
        if not isinstance(value, tuple) or len(value) != len(tests):
            return False
        for test, item in zip(tests, value, strict=True):  # noqa: SIM110 (all() is slower; each message comes by here)
            if not test(item):
                return False
        return True

    return Shape(fits, "[" + "; ".join(shape.says for shape in shapes) + "]")


def either(*shapes: Shape) -> Shape:
    """Any one of these shapes."""
    return Shape(lambda value: any(shape.fits(value) for shape in shapes), ", or ".join(shape.says for shape in shapes))


#: Options of a game by name; the game itself checks their meaning.
OPTIONS: Final = listed(row(text(40), Shape(lambda value: isinstance(value, int | str), "a number, flag or text")), 64)


def pack(value: Any) -> bytes:
    """Canonical bytes of nested tuples: shortest forms, in order."""
    packed: bytes = msgpack.packb(value)
    return packed


def unpack(data: bytes) -> Any:
    """Nested tuples from foreign bytes. Bytes that `pack` would not have written raise a `PeerError`."""
    if len(data) > MOST_BYTES:
        raise PeerError(f"{len(data)} bytes; at most {MOST_BYTES} are looked at")
    try:
        value = msgpack.unpackb(data, use_list=False, strict_map_key=True, **_LIMITS)
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise PeerError(f"no msgpack: {error or type(error).__name__}") from None
    _check_plain((value,), 0)
    if pack(value) != data:
        raise PeerError("msgpack that is not in its shortest form")
    return value


def _check_plain(values: tuple[Any, ...], depth: int) -> None:
    """Accept only whole numbers, texts, bytes, flags, nil and shallow lists of them: no map, no fraction."""
    for value in values:
        kind = type(value)  # by isinstance, msgpack's own extension type is a tuple too
        if kind is tuple:
            if depth == 16:
                raise PeerError("lists within lists, more than 16 deep")
            _check_plain(value, depth + 1)
        elif kind not in _PLAIN:
            raise PeerError(f"a {kind.__name__} is not allowed in a message")


def plain_options(options: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Options as messages hold them: pairs in alphabetical order."""
    return tuple(sorted(options.items()))
