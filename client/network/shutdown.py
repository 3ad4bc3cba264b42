"""The orderly shutdown of a program on the network, so that it can say good-bye to its peers.

The first Ctrl-C or SIGTERM sets `code`, which the running loop checks; the second one ends the program at once.
"""

import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, Self

#: A signal's exit code is this number plus the signal's.
_BASE: Final = 128
_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Ending:
    """Return whether a signal has asked the program to end, and its exit code. For the main thread."""

    def __init__(self, wake: Callable[[], None]) -> None:
        """Have each signal call `wake`, so that a waiting loop checks `code`."""
        self.code: int | None = None
        self._wake = wake
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for name in _NAMES:
            if number := getattr(signal, name, None):
                self._before[number] = signal.signal(number, self._come)
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _come(self, number: int, _: FrameType | None) -> None:
        self.code = _BASE + number
        self._restore()
        self._wake()

    def _restore(self) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before.clear()
