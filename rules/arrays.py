"""Constructors of arrays of small integers: only this module knows whether they are lists or packed arrays
(rules/ints.py).
"""

from collections.abc import Iterable, Sequence
from typing import Final

from quadrille.rules.ints import i64, vec

#: The first bit of every byte of a word of 64 bits.
ONES: Final = 0x0101010101010101


def filled(count: i64, value: i64) -> vec[i64]:
    return vec[i64]([value] * count)


def array(numbers: Iterable[i64]) -> vec[i64]:
    return vec[i64](numbers)


def grown(short: vec[i64], count: i64) -> vec[i64]:
    """Return a longer array, `count` places in all, that begins with these numbers."""
    made = filled(count, 0)
    for i in range(len(short)):
        made[i] = short[i]
    return made


def packed(rows: Iterable[Sequence[int]], room: i64) -> vec[i64]:
    """Put rows into one array, `room` places each: unused places hold -1, which ends a walk along a row."""
    numbers: list[i64] = []
    for row in rows:
        numbers.extend(row)
        numbers.extend([-1] * (room - len(row)))
    return array(numbers)


def fill(numbers: vec[i64], first: i64, count: i64, value: i64) -> None:
    """Write the same number to `count` places from `first` on."""
    for place in range(first, first + count):
        numbers[place] = value
