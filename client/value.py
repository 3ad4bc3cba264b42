"""Value classes that are cheap to define: `@value` in place of `@dataclass(frozen=True, slots=True)`.

The standard library compiles a dataclass's methods when the class is defined, in about half a millisecond. A screen
starts with two hundred such classes, and uses few of them in its first minute. Here the same methods are made on
first use.
"""

from dataclasses import FrozenInstanceError, dataclass
from inspect import get_annotations
from types import MethodType
from typing import Any, Final, TypeVar, dataclass_transform

T = TypeVar("T")
#: Methods made on first use, and the attribute by which the standard library recognises a dataclass.
_LATER: Final = "__init__", "__repr__", "__eq__", "__hash__"
_MARKS: Final = "__dataclass_fields__", "__dataclass_params__"
#: The methods that make and replace a value. The others cost as much again, and most classes never use them.
_FIRST: Final = "__init__", "__dataclass_fields__"


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots. It has no base class with fields, and all its fields are arguments."""
    names = tuple(get_annotations(cls))
    space = {name: found for name, found in cls.__dict__.items() if name not in (*names, "__dict__", "__weakref__")}
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    space |= {"__slots__": names, "__match_args__": names, "__setattr__": _refuse, "__delattr__": _refuse}
    space |= {"__reduce__": _parts}
    space |= {name: _Later(name, defaults) for name in (*_LATER, *_MARKS) if name not in space}
    make: Any = type(cls)
    made: type[T] = make(cls.__name__, cls.__bases__, space)
    return made


class _Later:
    """A method that is made on first use."""

    def __init__(self, name: str, defaults: dict[str, Any]) -> None:
        self._name = name
        self._defaults = defaults

    def __get__(self, one: object, owner: type) -> Any:
        if isinstance(one, type):  # as `inspect.signature` asks a class since Python 3.13
            return MethodType(self.__get__(None, one), one)
        space = {name: found for name, found in vars(owner).items() if name in ("__doc__", "__post_init__")}
        space |= {"__annotations__": get_annotations(owner), "__module__": owner.__module__, **self._defaults}
        bare: Any = type(owner.__name__, (), space)
        is_first = self._name in _FIRST
        made = dataclass(frozen=True, repr=not is_first, eq=not is_first)(bare)
        for name in _FIRST if is_first else (*_LATER, *_MARKS):
            if isinstance(vars(owner)[name], _Later):
                setattr(owner, name, vars(made)[name])
        return getattr(owner if one is None else one, self._name)


def _refuse(one: object, name: str, _: object = None) -> None:
    raise FrozenInstanceError(f'cannot change field "{name}" of a {type(one).__name__}')


def _parts(one: Any) -> tuple[type, tuple[Any, ...]]:
    """The class and its arguments, from which pickle and copy make an equal value."""
    return type(one), tuple(getattr(one, name) for name in one.__match_args__)
