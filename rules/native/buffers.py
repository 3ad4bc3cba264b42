"""Buffers for other programs: arrays of words of 64 bits, plain or compiled, that NumPy can view without a copy.

Only this module knows that a plain `vec` is a list, which nothing can view. It is never compiled.
"""

import array
from typing import Any, Final

from quadrille.rules.arrays import filled
from quadrille.rules.native.fields import ROW

#: Bytes in a word.
WORD: Final = 8
#: The most that a byte holds.
BYTE: Final = 255


def words(count: int) -> Any:
    """Return an array of zeros for compiled code to write to, and for NumPy to view."""
    return array.array("q", bytes(WORD * count)) if ROW is list else filled(count, 0)
