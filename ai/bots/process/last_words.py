"""Why a program ended, in words: what it wrote to standard error of it, and the name of a signal.

How it ended is the warden's to say (program.py).
"""

import re
import signal
from typing import Final

from quadrille.rules.squares import quoted

#: Maximum characters of a quoted line, and number of last lines in which a search looks for it.
LONGEST_REASON: Final = 200
_LAST_LINES: Final = 40
#: What a line of standard error looks like that says why a program ended, in most languages; more may stand below it.
_REASON: Final = re.compile(r"(?:Uncaught |Caused by: )?[\w.$]*(?:Error|Exception)\b|(?i:panic|fatal error): ")
_MEMORY: Final = re.compile(r"memory|bad_alloc", re.IGNORECASE)


def reason(errors: str, memory: int | None, *, by_signal: bool) -> str:
    """The program's own reason for its end, and a hint at its limit of memory (MiB) where that fits; "" for neither."""
    lines = [line.strip() for line in errors.strip().splitlines()[-_LAST_LINES:]]
    found = next((line for line in reversed(lines) if _REASON.match(line)), lines[-1] if lines else "")
    said = f": {quoted(found, LONGEST_REASON)}" if found else ""
    if memory and (by_signal or _MEMORY.search("\n".join(lines))):
        said += f"; its memory is limited to {memory} MiB"
    return said


def signal_name(number: int) -> str:
    """As systems write it: SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
