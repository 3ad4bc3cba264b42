"""Value classes: what the standard library's frozen dataclasses with slots do, made later."""

import copy
import inspect
import pickle
import subprocess
import sys
import threading
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any, Final

import pytest

from quadrille.value import value

#: Threads that use a class for the first time at once.
THREADS: Final = 8


@value
class Pair:
    """A value."""

    left: int
    right: tuple[int, ...] = ()
    rest: list[int] = field(default_factory=list, compare=False)

    def __post_init__(self) -> None:
        if self.left < 0:
            raise ValueError("left is negative")

    @property
    def sum(self) -> int:
        return self.left + sum(self.right)


@dataclass(frozen=True, slots=True)
class Twin:
    left: int
    right: tuple[int, ...] = ()
    rest: list[int] = field(default_factory=list, compare=False)


@value
class Nothing:
    """A value without fields."""


@value
class Named:
    """A value that says itself how it is written."""

    name: str

    def __repr__(self) -> str:
        return f"<{self.name}>"


def test_it_is_what_the_standard_library_makes() -> None:
    one, twin = Pair(1, (2, 3)), Twin(1, (2, 3))
    assert repr(one) == repr(twin).replace("Twin", "Pair") and hash(one) == hash(twin)
    assert one == Pair(left=1, right=(2, 3), rest=[4]) != Pair(1) and one != twin and one.sum == 6
    assert [(each.name, each.default) for each in fields(one)] == [(each.name, each.default) for each in fields(twin)]
    assert is_dataclass(Pair) and replace(one, left=5) == Pair(5, (2, 3)) and Pair.__doc__ == "A value."
    assert Pair(1).rest is not Pair(1).rest and Nothing() == Nothing() and len({Nothing(), Nothing()}) == 1
    assert repr(Named("x")) == "<x>" and Named("x") == Named("x")
    match one:
        case Pair(left, (first, _)):
            assert (left, first) == (1, 2)
        case _:
            raise AssertionError


def test_it_can_not_be_changed_and_has_no_other_attributes() -> None:
    one: Any = Pair(1)
    for change in (lambda: setattr(one, "left", 2), lambda: setattr(one, "other", 2), lambda: delattr(one, "left")):
        with pytest.raises(FrozenInstanceError):
            change()
    assert not hasattr(one, "__dict__") and one == Pair(1)


@pytest.mark.parametrize("wrong", [(), (1, (), [], 4), (-1,)])
def test_wrong_arguments_are_refused_as_ever(wrong: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        Pair(*wrong)


def test_it_can_be_copied_and_pickled() -> None:
    one = Pair(1, (2,), [3])
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other == one and other.rest == [3] and type(other) is Pair


def test_the_methods_of_a_class_are_made_once_whoever_comes_first() -> None:
    @value
    class New:
        number: int

    start, made = threading.Barrier(THREADS), list[New]()

    def make() -> None:
        start.wait()
        made.append(New(7))

    threads = [threading.Thread(target=make) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [New(7)] * THREADS


@pytest.mark.parametrize("use", [hash, repr, lambda one: one == copy.copy(one)], ids=["hash", "repr", "equal"])
def test_ctrl_c_while_the_methods_are_made_is_not_lost(use: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python takes an error of a descriptor of `__hash__` for a value without a hash."""

    @value
    class Fresh:
        left: int

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    one = Fresh(1)
    with monkeypatch.context() as patch:
        patch.setattr("quadrille.value.dataclass", interrupted)
        with pytest.raises(KeyboardInterrupt):
            use(one)
    assert repr(one).endswith("Fresh(left=1)") and len({one, Fresh(1)}) == 1, "made by whoever asks next"


def test_a_start_makes_the_methods_of_few_classes() -> None:
    """Nine of ten value classes of the screen are not used before its first picture."""
    program = (
        "from quadrille import value; from quadrille.client.screen import evening_stage; import sys\n"
        "found = {one for name, module in list(sys.modules.items()) if name.startswith('quadrille.client')"
        " for one in vars(module).values() if isinstance(one, type)"
        " and one.__module__.startswith('quadrille.client') and '__dataclass_params__' in vars(one)}\n"
        "made = [one for one in found if not isinstance(vars(one)['__dataclass_params__'], value._Later)]\n"
        "print(len(made), len(found))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    made, found = map(int, run.stdout.split())
    assert 10 * made < found > 100


def test_a_class_that_nobody_has_used_tells_its_signature() -> None:
    @value
    class Fresh:
        left: int
        right: int = 3

    # Since Python 3.13 `inspect.signature` asks in this way, for a method of the class as if that were an object.
    asked = vars(Fresh)["__init__"].__get__(Fresh, type)
    assert asked.__func__ is Fresh.__init__ and asked.__self__ is Fresh
    assert str(inspect.signature(Fresh)) == "(left: int, right: int = 3) -> None"
    assert Fresh(1) == Fresh(1, 3)
