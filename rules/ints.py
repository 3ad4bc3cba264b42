"""The two number types that boards are written in, for people and for a compiler of the same source.

A board is a set of flat arrays of small integers (rules/board.py). Plain Python has `int` and `list` for that; where
the engine is compiled (setup.py) the compiler reads machine integers and packed arrays instead. So `vec` is a list or
not: what is done with one is to be read, written, sliced, counted and walked through; rules/arrays.py makes new ones.
Machine integers have 63 bits and a sign, and wrap: whatever can grow past that is masked. This file is never compiled.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from librt.vecs import vec
    from mypy_extensions import i64, mypyc_attr
else:
    i64 = int
    vec = list

    def mypyc_attr(**_: bool):
        """Say something about a class to the compiler, nothing to anybody else."""
        return lambda kind: kind


__all__ = ["i64", "mypyc_attr", "vec"]
