"""One line of progress on standard error: overwritten on a terminal, printed once for each task elsewhere."""

import shutil
import sys
from types import TracebackType
from typing import Final, Self

_WIPE: Final = "\r\x1b[K"


class ProgressLine:
    """The line, which is wiped at the end."""

    def __init__(self, *, quiet: bool = False) -> None:
        """`quiet`: nothing is printed where the line can't be overwritten."""
        self._quiet = quiet
        self._lives = sys.stderr is not None and sys.stderr.isatty()
        self._task = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._lives and self._task:
            print(_WIPE, end="", file=sys.stderr, flush=True)

    def show(self, task: str, done: str) -> None:
        """Show a task, and on a terminal how much of it is done."""
        is_new, self._task = task != self._task, task
        if self._lives:
            width = shutil.get_terminal_size().columns - 1
            print(f"{_WIPE}{f'{task}: {done}'[:width]}", end="", file=sys.stderr, flush=True)
        elif is_new and not self._quiet and sys.stderr is not None:
            print(task, file=sys.stderr, flush=True)
