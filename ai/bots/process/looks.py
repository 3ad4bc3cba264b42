"""Waiting for what takes a moment, in looks: while the machine stands still nobody looks, and no program pays for it.

What is waited for is not known here.
"""

import time
from collections.abc import Callable
from typing import Final

#: In seconds, between two looks.
_LOOK: Final = 0.01


def within(seconds: float, is_so: Callable[[], bool], wait: Callable[[float], object] = time.sleep) -> bool:
    """Whether it comes to be so in so many seconds of looking; `wait` may be over before its time."""
    for _ in range(round(seconds / _LOOK)):
        if is_so():
            return True
        wait(_LOOK)
    return is_so()
