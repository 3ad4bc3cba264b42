"""The two number types of boards, for people and for the compiler of the same source.

A board is a set of flat arrays of small integers (rules/board.py). Plain Python has `int` and `list` for that; the
compiler of the engine (setup.py) reads machine integers and packed arrays instead. So `vec` may or may not be a list:
code only reads, writes, slices, counts and iterates it; rules/arrays.py makes new ones. Machine integers have 63 bits
and a sign, and wrap: values that can grow past that are masked. In a conditional expression a constant beside one has
their type, such as ZERO or `i64(OVER)`: otherwise the compiler makes objects of both. This file is never compiled.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from librt.vecs import vec
    from mypy_extensions import i64, mypyc_attr
else:
    i64 = int
    #: `vec[i64]` is found here as `list`: the alias `list[int]` would be made anew each time, and be slow to call.
    vec = {int: list}

    def mypyc_attr(**_: bool):
        """Tell the compiler something about a class; without effect otherwise."""
        return lambda kind: kind


ZERO: Final[i64] = 0
ONE: Final[i64] = 1

__all__ = ["ONE", "ZERO", "i64", "mypyc_attr", "vec"]
