"""Progress of a long command, in one line of a terminal or in lines at intervals; and times."""

import sys
import time
from collections.abc import Callable
from shutil import get_terminal_size
from typing import Final

from quadrille.client.foreign import shown
from quadrille.client.settings import has_screen
from quadrille.rules.native.compiled import advice

#: Columns that stay free at the end of the line. The terminal writes `^C` there once or twice; on a full line that
#: would begin a new line, which nothing would wipe away.
MARGIN: Final = 4
#: Time between two pictures of the progress on a terminal, in seconds.
PICTURE: Final = 0.25
#: Rows of an age of the run and the time between two lines from that age on, in seconds.
GAPS: Final = ((60.0, 30.0), (10.0, 5.0), (0.0, 1.0))


def tell_pace(*, quiet: bool = False) -> None:
    """Advise a person at a terminal to compile the engine, and no program that reads standard error."""
    if not quiet and sys.stderr.isatty() and (text := advice()):
        print(text, file=sys.stderr, flush=True)


class ProgressLine:
    """Writes to standard error; a `quiet` command writes only what is `always` said."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._live = not quiet and sys.stderr.isatty() and has_screen()
        self._began = self._last = time.monotonic()
        self._told = ""

    @property
    def age(self) -> float:
        """Seconds since the command began."""
        return time.monotonic() - self._began

    def tell(self, line: Callable[[], str], *, at_once: bool = False) -> None:
        """Show how far the command is, if a new line is due or wanted `at_once`."""
        now = time.monotonic()
        gap = PICTURE if self._live else next(gap for start, gap in GAPS if now - self._began >= start)
        if self._quiet or (not at_once and now - self._last < gap):
            return
        self._last = now
        text = line()
        if self._live:
            print(f"\r{text[: get_terminal_size().columns - MARGIN]}\x1b[K", end="", file=sys.stderr, flush=True)
        elif text != self._told:
            print(text, file=sys.stderr, flush=True)
        self._told = text

    def say(self, text: str, *, always: bool = False) -> None:
        """Print a sentence that stays."""
        if self._quiet and not always:
            return
        self.end()
        print(f"quadrille: {shown(text)}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Wipe the line: something else is printed next."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """Return a time such as 2:31 or 1:02:31."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
