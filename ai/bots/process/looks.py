"""Polling with a timeout that counts polls: while the machine sleeps nobody polls, so no program is penalised."""

import time
from collections.abc import Callable
from typing import Final

#: Seconds between two polls.
_LOOK: Final = 0.01


def within(seconds: float, is_so: Callable[[], bool], wait: Callable[[float], object] = time.sleep) -> bool:
    """Whether the condition becomes true within that many seconds of polling; `wait` may return early."""
    for _ in range(round(seconds / _LOOK)):
        if is_so():
            return True
        wait(_LOOK)
    return is_so()
