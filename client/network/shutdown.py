"""How a program that is on the network ends when it is told to: in its own time, so that it can say good-bye.

The first Ctrl-C or SIGTERM only asks, and whoever runs looks at `code` now and then; the second one ends it at once.
"""

import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Final, Self

#: The exit code of a program that a signal ends is 128 and the signal's number.
_BASE: Final = 128
_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Ending:
    """Whether the program was told to end, and with which exit code. For the main thread."""

    def __init__(self, wake: Callable[[], None]) -> None:
        """`wake` is called when the signal comes: whoever waits should look at `code`."""
        self.code: int | None = None
        self._wake = wake
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for name in _NAMES:
            if number := getattr(signal, name, None):
                self._before[number] = signal.signal(number, self._come)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._restore()

    def _come(self, number: int, _: FrameType | None) -> None:
        self.code = _BASE + number
        self._restore()
        self._wake()

    def _restore(self) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before.clear()
