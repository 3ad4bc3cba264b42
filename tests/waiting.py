"""Waiting for what other processes do: looked at again and again, and never for a fixed time."""

import threading
import time
from collections.abc import Callable

#: In seconds: only a failing test waits so long for what a program does.
DEADLINE = 120
#: In seconds, between two looks: so that whoever is waited for has the processor.
BREATH = 0.01


def soon(condition: Callable[[], object], within: float = DEADLINE) -> bool:
    """Wait until it is so; return False after as many seconds as only a failing test waits."""
    end, never = time.monotonic() + within, threading.Event()
    while not condition():
        if time.monotonic() > end:
            return False
        never.wait(BREATH)
    return True
