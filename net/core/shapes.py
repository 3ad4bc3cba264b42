"""Shapes of foreign values: one statement of a value's fields reads it, writes it, refuses it and prints it.

A shape accepts or refuses a value that msgpack or JSON gave, and says in words what it accepts. A record is a class
whose fields are annotated with their shapes. Foreign bytes are unpacked here and nowhere else. Nothing here knows any
message (net/entries/wire.py) or asks who sent it. Limits: docs/protocols/tables.md, "Messages".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import get_annotations
from typing import Any, ClassVar, Final, Self, TypeAlias, TypeVar, dataclass_transform, get_args

import msgpack

from quadrille.net.core.errors import PeerError
from quadrille.rules.squares import is_line
from quadrille.value import value as made_later

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

Convert: TypeAlias = Callable[[Any], Any] | None


@made_later
class Shape:
    """The accepted values of a field; `says` completes "… should be".

    `read` makes our value from an accepted one, `plain` turns it back. They are None where both are the same.
    """

    fits: Callable[[Any], bool]
    says: str
    read: Convert = None
    plain: Convert = None

    def taken(self, value: Any) -> Any:
        """Return our value for a foreign one, or raise a `PeerError` that says what was expected."""
        if not self.fits(value):
            raise PeerError(f"{self.says} should be {LAYOUTS.get(self.says, self.says)}")
        return self.read(value) if self.read else value


#: The named shapes as docs/protocols/ prints them.
LAYOUTS: Final[dict[str, str]] = {}


def named(name: str, shape: Shape, *, read: Convert = None, plain: Convert = None) -> Shape:
    """Give a shape a name, by which other shapes print it."""
    assert name not in LAYOUTS, f"two shapes are called {name}"
    LAYOUTS[name] = shape.says
    return Shape(shape.fits, name, read or shape.read, plain or shape.plain)


def binary(length: int) -> Shape:
    """Accept exactly `length` bytes."""
    return Shape(lambda value: isinstance(value, bytes) and len(value) == length, f"{length} bytes")


def binary_up_to(most: int) -> Shape:
    """Accept at most `most` bytes."""
    return Shape(lambda value: isinstance(value, bytes) and len(value) <= most, f"at most {most} bytes")


def text(most: int, *, joined: bool = False, least: int = 0) -> Shape:
    """Accept one line of printable text, `least` to `most` characters; `joined`: with joiners, as people write."""
    fits, what = (is_line, "printable characters and joiners") if joined else (str.isprintable, "printable characters")
    return Shape(
        lambda value: isinstance(value, str) and least <= len(value) <= most and fits(value),
        f"a line of {f'{least} to' if least else 'at most'} {most} {what}",
    )


def whole(most: int, least: int = 0) -> Shape:
    """Accept a whole number, but no bool."""
    return Shape(
        lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most,
        f"a whole number from {least} to {most}",
    )


FLAG: Final = Shape(lambda value: isinstance(value, bool), "true or false")


def maybe(shape: Shape) -> Shape:
    """Accept `shape` or nil."""
    fits, read, plain = shape.fits, shape.read, shape.plain
    return Shape(
        lambda value: value is None or fits(value),
        f"{shape.says}, or nil",
        read and (lambda value: None if value is None else read(value)),
        plain and (lambda value: None if value is None else plain(value)),
    )


def word(*words: str) -> Shape:
    return Shape(lambda value: isinstance(value, str) and value in words, "one of " + ", ".join(words))


def listed(shape: Shape, most: int, least: int = 0) -> Shape:
    """Accept a list of `least` to `most` values of this shape; msgpack's are tuples here, JSON's are lists."""
    fits, read, plain = shape.fits, shape.read, shape.plain
    return Shape(
        lambda value: isinstance(value, tuple | list) and least <= len(value) <= most and all(map(fits, value)),
        f"a list of {f'{least} to' if least else 'at most'} {most}, each {shape.says}",
        read and (lambda values: tuple(map(read, values))),
        plain and (lambda values: tuple(map(plain, values))),
    )


def row(*shapes: Shape) -> Shape:
    """Accept a list of exactly these shapes, in this order."""
    tests = tuple(shape.fits for shape in shapes)

    def fits(value: Any) -> bool:
        if not isinstance(value, tuple) or len(value) != len(tests):
            return False
        for test, item in zip(tests, value, strict=True):  # noqa: SIM110 (all() is slower; each message comes by here)
            if not test(item):
                return False
        return True

    read, plain = [shape.read for shape in shapes], [shape.plain for shape in shapes]
    return Shape(fits, "[" + "; ".join(shape.says for shape in shapes) + "]", _each(read), _each(plain))


def either(shape: Shape, other: Shape) -> Shape:
    return Shape(lambda value: shape.fits(value) or other.fits(value), f"{shape.says}, or {other.says}")


def _each(converts: Sequence[Convert]) -> Convert:
    """Convert each value of a row in its own way. Return None if all stay as they are."""
    if not any(converts):
        return None
    return lambda values: tuple(
        [convert(value) if convert else value for convert, value in zip(converts, values, strict=False)]
    )


class Record:
    """A value whose fields each have a shape: `Annotated[bytes, binary(32)]`, or another record."""

    __slots__ = ()
    SHAPE: ClassVar[Shape]
    #: Of a message: its number on the wire.
    NUMBER: ClassVar[int]

    def plain(self) -> Any:
        """Return the fields as a list, for messages and signatures."""
        assert self.SHAPE.plain is not None
        return self.SHAPE.plain(self)

    @classmethod
    def read(cls, value: Any) -> Self:
        """Read a record from a foreign value; a `PeerError` says what was expected."""
        made: Self = cls.SHAPE.taken(value)
        return made


Kind = TypeVar("Kind", bound=Record)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(name: str = "", *, number: int = -1, spare: bool = False) -> Callable[[type[Kind]], type[Kind]]:
    """Make a frozen dataclass of a record. A `spare` last field is left out where it is empty, and its shape refuses
    what is empty.
    """

    def made(cls: type[Kind]) -> type[Kind]:
        names = tuple(annotations := get_annotations(cls))
        shapes, count = [_shape_of(annotations[name]) for name in names], len(names)
        short, values = row(*shapes[:-1]), row(*shapes)
        convert, each = values.plain, values.read or tuple
        in_order = not any(getattr(vars(cls).get(name), "kw_only", False) is True for name in names)
        # every start imports these classes: as dataclasses they would take a fifth of it
        kind = made_later(cls) if in_order else dataclass(frozen=True, slots=True)(cls)

        def plain(thing: Any) -> Any:
            held = tuple([getattr(thing, name) for name in names])
            held = convert(held) if convert else held
            return held[: count - 1] if spare and not held[-1] else held

        kind.SHAPE = named(
            name or kind.__name__,
            either(short, values) if spare else values,
            read=(lambda value: kind(*each(value)))
            if in_order
            else (lambda value: kind(**dict(zip(names, each(value), strict=False)))),
            plain=plain,
        )
        kind.NUMBER = number
        return kind

    return made


def _shape_of(annotation: Any) -> Shape:
    """Find the shape in an annotation: a record's own, or the one beside a plain type."""
    beside = getattr(annotation, "__metadata__", ())
    shape = beside[0] if beside else annotation.SHAPE
    assert isinstance(shape, Shape), f"{annotation} has no shape"
    return shape


def numbered(messages: Any) -> dict[int, type[Any]]:
    """Map the numbers on the wire to the message types of a union."""
    kinds = {kind.NUMBER: kind for kind in get_args(messages)}
    assert len(kinds) == len(get_args(messages)), "two messages have one number"
    return kinds


#: Options of a game by name; the game itself checks their meaning.
OPTION: Final = named(
    "option", row(text(40), Shape(lambda value: isinstance(value, int | str), "a number, flag or text"))
)
OPTIONS: Final = listed(OPTION, 64)


def pack(value: Any) -> bytes:
    """Pack nested tuples into canonical bytes: shortest forms, in order."""
    packed: bytes = msgpack.packb(value)
    return packed


def unpack(data: bytes) -> Any:
    """Read nested tuples from foreign bytes. Bytes that `pack` would not have written raise a `PeerError`."""
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
    """Arrange options as messages hold them: pairs in alphabetical order."""
    return tuple(sorted(options.items()))
