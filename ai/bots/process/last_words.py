"""Why a program ended, in words: from its standard error, and the name of a signal.

The warden reports how it ended (program.py).
"""

import re
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from quadrille.rules.squares import quoted

#: Maximum characters of a quoted line, and number of last lines that are searched.
LONGEST_REASON: Final = 200
_LAST_LINES: Final = 40
#: A line of standard error that gives a reason, in most languages; more may stand below it.
_REASON: Final = re.compile(r"(?:Uncaught |Caused by: )?[\w.$]*(?:Error|Exception)\b|(?i:panic|fatal error): ")
#: A line of a Python traceback that names a place, and parts of paths that are no author's: libraries, and the kit.
_FRAME: Final = re.compile(r'File "(.+)", line (\d+)')
_FOREIGN: Final = (
    "<",
    "site-packages",
    "dist-packages",
    "/lib/python",
    "\\Lib\\",
    *(str(Path(__file__).parents[3] / floor) for floor in ("ai", "rules")),
)
_MEMORY: Final = re.compile(r"memory|bad_alloc", re.IGNORECASE)


def reason(errors: str, memory: int | None, *, by_signal: bool) -> str:
    """The program's own reason for its end, with a hint at its memory limit (MiB) if that fits; "" for neither."""
    lines = [line.strip() for line in errors.strip().splitlines()[-_LAST_LINES:]]
    at = next((at for at in reversed(range(len(lines))) if _REASON.match(lines[at])), len(lines) - 1)
    said = f": {quoted(lines[at], LONGEST_REASON)}{_place(lines[:at])}" if lines and lines[at] else ""
    if memory and (by_signal or _MEMORY.search("\n".join(lines))):
        said += f"; its memory is limited to {memory} MiB"
    return said


def _place(lines: Sequence[str]) -> str:
    """The author's line that a Python traceback leads to; "" if there is none."""
    for line in reversed(lines):
        if (found := _FRAME.match(line)) and not any(part in found[1] for part in _FOREIGN):
            return f" ({Path(found[1]).name}, line {found[2]})"
    return ""


def signal_name(number: int) -> str:
    """A signal's usual name: SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
