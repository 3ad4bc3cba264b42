"""The fields of a board by name, plain or compiled, for pickles and copies.

A compiled class lists its fields in another place than a plain one. A plain class may be derived from a compiled one,
and a packed array has no type information. Only this module knows that. It is never compiled.
"""

import copyreg
from functools import cache
from typing import Any, Final

from quadrille.rules.arrays import array, filled

#: The type of `vec` here: a list, or a packed array.
ROW: Final[Any] = type(filled(0, 0))
if ROW is not list:
    copyreg.pickle(ROW, lambda row: (array, (list(row),)))


@cache
def names_of(kind: Any) -> tuple[str, ...]:
    """Return the names of all fields that objects of a class can have."""
    every_name: dict[str, None] = {}
    for base in kind.__mro__:
        names = vars(base).get("__mypyc_attrs__", vars(base).get("__slots__", ()))
        every_name.update(dict.fromkeys((names,) if isinstance(names, str) else names))
    return tuple(every_name)


def fields_of(thing: Any, shared: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields that are set, with copied arrays; without those that all such objects share."""
    names = [name for name in names_of(thing.__class__) if name not in shared]
    values = {name: getattr(thing, name) for name in names if hasattr(thing, name)}
    return {name: copied(value) for name, value in (values | getattr(thing, "__dict__", {})).items()}


def copied(value: Any) -> Any:
    """Copy arrays and lists; return other values as they are. A list that begins with a number holds only numbers."""
    if isinstance(value, list):
        return value[:] if value and isinstance(value[0], int) else [copied(item) for item in value]
    return value[:] if isinstance(value, ROW) else value


def made(kind: Any, fields: dict[str, Any]) -> Any:
    """Make an object of that class with these fields, and copied arrays."""
    thing = kind.__new__(kind)
    for name, value in fields.items():
        setattr(thing, name, copied(value))
    return thing
