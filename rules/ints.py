"""The two number types that boards are written in.

A board is a set of flat arrays of small integers (rules/board.py). Plain Python has `int` and `list` for that; a
compiler of the same source may have better ones, and this file is the only place that would have to know.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

i64: TypeAlias = int
vec = list


def filled(count: i64, value: i64) -> vec[i64]:
    """An array of `count` equal numbers."""
    return [value] * count


def packed(rows: Iterable[Sequence[i64]], room: i64) -> vec[i64]:
    """Rows in one array, `room` places each: what a row leaves free of them holds -1, and ends a walk along it."""
    return [number for row in rows for number in (*row, *filled(room - len(row), -1))]
