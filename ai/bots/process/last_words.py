"""Why a program ended, in words: from its standard error, and the name of a signal.

The warden reports how it ended (program.py).
"""

import re
import signal
from typing import Final

from quadrille.rules.squares import quoted

#: Maximum characters of a quoted line, and number of last lines that are searched.
LONGEST_REASON: Final = 200
_LAST_LINES: Final = 40
#: A line of standard error that gives a reason, in most languages; more may stand below it.
_REASON: Final = re.compile(r"(?:Uncaught |Caused by: )?[\w.$]*(?:Error|Exception)\b|(?i:panic|fatal error): ")
_MEMORY: Final = re.compile(r"memory|bad_alloc", re.IGNORECASE)


def reason(errors: str, memory: int | None, *, by_signal: bool) -> str:
    """The program's own reason for its end, with a hint at its memory limit (MiB) if that fits; "" for neither."""
    lines = [line.strip() for line in errors.strip().splitlines()[-_LAST_LINES:]]
    found = next((line for line in reversed(lines) if _REASON.match(line)), lines[-1] if lines else "")
    said = f": {quoted(found, LONGEST_REASON)}" if found else ""
    if memory and (by_signal or _MEMORY.search("\n".join(lines))):
        said += f"; its memory is limited to {memory} MiB"
    return said


def signal_name(number: int) -> str:
    """A signal's usual name: SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
