"""Value classes that are cheap to define: `@value` in place of `@dataclass(frozen=True, slots=True)`.

The standard library compiles a dataclass's methods when the class is defined, in about half a millisecond. A screen
starts with two hundred such classes, and uses few of them in its first minute. Here the same methods are made on
first use.
"""

from dataclasses import MISSING, Field, FrozenInstanceError, dataclass
from inspect import get_annotations
from types import MethodType
from typing import Any, Final, TypeVar, dataclass_transform

T = TypeVar("T")
#: Methods made on first use, and the attributes by which the standard library knows a dataclass.
_LATER: Final = "__init__", "__repr__", "__eq__", "__hash__", "__dataclass_fields__", "__dataclass_params__"


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a frozen dataclass with slots. It has no base class with fields, and all its fields are arguments."""
    names = tuple(get_annotations(cls))
    space = {name: found for name, found in cls.__dict__.items() if name not in (*names, "__dict__", "__weakref__")}
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    space |= {"__slots__": names, "__match_args__": names, "__setattr__": _refuse, "__delattr__": _refuse}
    space.setdefault("__reduce__", _parts)
    space |= {name: _Later(name, defaults) for name in _LATER if name not in space}
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
        if self._name == "__init__":
            owner.__init__ = _maker(owner, self._defaults)  # type: ignore[misc]
        else:
            space = {"__doc__": owner.__doc__ or "-", "__annotations__": get_annotations(owner), **self._defaults}
            bare: Any = type(owner.__name__, (), {**space, "__module__": owner.__module__})
            # `replace` needs the fields alone, and the methods cost ten times as much
            bare_fields = self._name == "__dataclass_fields__"
            made = dataclass(init=False, repr=not bare_fields, eq=not bare_fields, frozen=not bare_fields)(bare)
            for name in (self._name,) if bare_fields else _LATER[1:]:
                if isinstance(vars(owner)[name], _Later):
                    setattr(owner, name, vars(made)[name])
        return getattr(owner if one is None else one, self._name)


def _maker(owner: type, defaults: dict[str, Any]) -> Any:
    """Return the `__init__` of a value class. The standard library takes six times as long to make one."""
    names: tuple[str, ...] = vars(owner)["__match_args__"]
    space: dict[str, Any] = {"_set": object.__setattr__, "_absent": MISSING}
    takes, does = ["self"], []
    for name in names:
        default = defaults.get(name, MISSING)
        make = default.default_factory if isinstance(default, Field) else MISSING
        default = default.default if isinstance(default, Field) else default
        space |= {f"_usual_{name}": default, f"_make_{name}": make}
        takes.append(name if default is MISSING and make is MISSING else f"{name}=_usual_{name}")
        given = name if make is MISSING else f"_make_{name}() if {name} is _absent else {name}"
        does.append(f'_set(self, "{name}", {given})')
    does += ["self.__post_init__()"] if hasattr(owner, "__post_init__") else []
    exec(f"def __init__({', '.join(takes)}):\n " + "\n ".join(does or ["pass"]), space)  # noqa: S102 - no text of others
    made = space["__init__"]
    made.__qualname__, made.__annotations__ = (
        f"{owner.__qualname__}.__init__",
        {**get_annotations(owner), "return": None},
    )
    return made


def _refuse(one: object, name: str, _: object = None) -> None:
    raise FrozenInstanceError(f'cannot change field "{name}" of a {type(one).__name__}')


def _parts(one: Any) -> tuple[type, tuple[Any, ...]]:
    """Return the class and its arguments, from which pickle and copy make an equal value."""
    return type(one), tuple(getattr(one, name) for name in one.__match_args__)
