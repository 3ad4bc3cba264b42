"""Arrays of small integers, made: the one place that knows how a list, or a packed array, comes to be (rules/ints.py)."""

from collections.abc import Iterable, Sequence

from quadrille.rules.ints import i64, vec


def filled(count: i64, value: i64) -> vec[i64]:
    """An array of `count` equal numbers."""
    return vec[i64]([value] * count)


def array(numbers: Iterable[i64]) -> vec[i64]:
    """An array of these numbers."""
    return vec[i64](numbers)


def grown(short: vec[i64], count: i64) -> vec[i64]:
    """A longer array, `count` places in all, that begins with these numbers."""
    made = filled(count, 0)
    for i in range(len(short)):
        made[i] = short[i]
    return made


def packed(rows: Iterable[Sequence[int]], room: i64) -> vec[i64]:
    """Rows in one array, `room` places each: what a row leaves free of them holds -1, and ends a walk along it."""
    numbers: list[i64] = []
    for row in rows:
        numbers.extend(row)
        for _ in range(room - len(row)):
            numbers.append(-1)
    return array(numbers)
