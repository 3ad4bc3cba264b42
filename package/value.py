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
#: Functions from the first: where a descriptor of these fails, also by Ctrl-C, Python takes the method for absent.
_METHODS: Final = "__repr__", "__eq__", "__hash__"
#: What descriptors make: `__init__`, and the attributes by which the standard library knows a dataclass.
_LATER: Final = "__init__", "__dataclass_fields__", "__dataclass_params__"


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a frozen dataclass with slots. It has no base class with fields, and all its fields are arguments."""
    names = tuple(get_annotations(cls))
    space = {
        name: attribute for name, attribute in cls.__dict__.items() if name not in (*names, "__dict__", "__weakref__")
    }
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    space |= {"__slots__": names, "__match_args__": names, "__setattr__": _refuse, "__delattr__": _refuse}
    space.setdefault("__reduce__", _parts)
    space |= {name: _Later(name, defaults) for name in _LATER if name not in space}
    space |= {name: _FIRST[name] for name in _METHODS if name not in space}
    make: Any = type(cls)
    made: type[T] = make(cls.__name__, cls.__bases__, space)
    return made


class _Later:
    """An attribute that is made on first use."""

    def __init__(self, name: str, defaults: dict[str, Any]) -> None:
        self._name = name
        self.defaults = defaults

    def __get__(self, instance: object, owner: type) -> Any:
        if isinstance(instance, type):  # as `inspect.signature` asks a class since Python 3.13
            return MethodType(self.__get__(None, instance), instance)
        if self._name == "__init__":
            owner.__init__ = _maker(owner, self.defaults)  # type: ignore[misc]
        else:
            _make(owner, self.defaults, fields_alone=self._name == "__dataclass_fields__")
        return getattr(owner if instance is None else instance, self._name)


def _make(owner: type, defaults: dict[str, Any], *, fields_alone: bool) -> None:
    """Have the standard library make the methods. `replace` needs the fields alone, which cost a tenth of them."""
    space = {"__doc__": owner.__doc__ or "-", "__annotations__": get_annotations(owner), **defaults}
    bare: Any = type(owner.__name__, (), {**space, "__module__": owner.__module__})
    made = dataclass(init=False, repr=not fields_alone, eq=not fields_alone, frozen=not fields_alone)(bare)
    for name in ("__dataclass_fields__",) if fields_alone else (*_METHODS, *_LATER[1:]):
        if isinstance(vars(owner)[name], _Later) or vars(owner)[name] is _FIRST.get(name):
            setattr(owner, name, vars(made)[name])


def _first(name: str) -> Any:
    """Return a method that makes all methods of its class, and calls the one of its name."""

    def call(instance: Any, *other: object) -> Any:
        owner = type(instance)
        later = vars(owner)["__dataclass_params__"]  # set last: another thread may have made all of them just now
        if isinstance(later, _Later):
            _make(owner, later.defaults, fields_alone=False)
        return getattr(instance, name)(*other)

    return call


_FIRST: Final = {name: _first(name) for name in _METHODS}


def _maker(owner: type, defaults: dict[str, Any]) -> Any:
    """Return the `__init__` of a value class. The standard library takes six times as long to make one."""
    names: tuple[str, ...] = vars(owner)["__match_args__"]
    space: dict[str, Any] = {"_absent": MISSING}
    takes, does = ["self"], []
    for name in names:
        default = defaults.get(name, MISSING)
        make = default.default_factory if isinstance(default, Field) else MISSING
        default = default.default if isinstance(default, Field) else default
        space |= {f"_usual_{name}": default, f"_make_{name}": make, f"_set_{name}": vars(owner)[name].__set__}
        takes.append(name if default is MISSING and make is MISSING else f"{name}=_usual_{name}")
        given = name if make is MISSING else f"_make_{name}() if {name} is _absent else {name}"
        does.append(f"_set_{name}(self, {given})")
    does += ["self.__post_init__()"] if hasattr(owner, "__post_init__") else []
    exec(f"def __init__({', '.join(takes)}):\n " + "\n ".join(does or ["pass"]), space)  # noqa: S102 - no text of others
    made = space["__init__"]
    made.__qualname__, made.__annotations__ = (
        f"{owner.__qualname__}.__init__",
        {**get_annotations(owner), "return": None},
    )
    return made


def _refuse(instance: object, name: str, _: object = None) -> None:
    raise FrozenInstanceError(f'cannot change field "{name}" of a {type(instance).__name__}')


def _parts(instance: Any) -> tuple[type, tuple[Any, ...]]:
    """Return the class and its arguments, from which pickle and copy make an equal value."""
    return type(instance), tuple(map(instance.__getattribute__, instance.__match_args__))
