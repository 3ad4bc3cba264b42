"""Two check words that name the wrong word of a ticket: a Reed-Solomon code over the field of 1024 elements.

A word is its number, ten bits. Of one wrong word the two checks give the place and the right number. Pure functions.
Specification: extras/far/docs/relay.md, "Tickets".
"""

from collections.abc import Sequence
from typing import Final

BITS: Final = 10
#: The field is the polynomials over two elements modulo x^10 + x^3 + 1, for which x generates all but 0.
_MODULUS: Final = 0b100_0000_1001
_ORDER: Final = (1 << BITS) - 1
#: Number of check words.
CHECKS: Final = 2


def _powers() -> tuple[int, ...]:
    found, power = [], 1
    for _ in range(_ORDER):
        found.append(power)
        power <<= 1
        if power > _ORDER:
            power ^= _MODULUS
    return tuple(found)


_POWERS: Final = _powers()
_LOGARITHMS: Final = {power: log for log, power in enumerate(_POWERS)}


def _times(one: int, other: int) -> int:
    return _POWERS[(_LOGARITHMS[one] + _LOGARITHMS[other]) % _ORDER] if one and other else 0


def _over(one: int, other: int) -> int:
    return _POWERS[(_LOGARITHMS[one] - _LOGARITHMS[other]) % _ORDER] if one else 0


def _sums(numbers: Sequence[int]) -> tuple[int, int]:
    """The sum of all numbers, and the sum of each times the power of x of its place. Both are 0 if all are right."""
    plain = weighted = 0
    for place, number in enumerate(numbers):
        plain ^= number
        weighted ^= _times(number, _POWERS[place])
    return plain, weighted


def checked(numbers: Sequence[int]) -> tuple[int, ...]:
    """The numbers, and two more that make both sums 0."""
    plain, weighted = _sums(numbers)
    first, second = _POWERS[len(numbers)], _POWERS[len(numbers) + 1]
    # a + b = plain and a·first + b·second = weighted, so b·(first + second) = weighted + plain·first.
    last = _over(weighted ^ _times(plain, first), first ^ second)
    return (*numbers, plain ^ last, last)


def is_right(numbers: Sequence[int]) -> bool:
    return _sums(numbers) == (0, 0)


def wrong_place(numbers: Sequence[int]) -> tuple[int, int] | None:
    """The place of the one wrong number and the right number; None if none is wrong, or several are."""
    plain, weighted = _sums(numbers)
    if not plain or not weighted:
        return None
    place = _LOGARITHMS[_over(weighted, plain)]
    return (place, numbers[place] ^ plain) if place < len(numbers) else None
