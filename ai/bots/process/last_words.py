"""Why a program ended, in words: from its standard error, and the name of a signal.

The warden reports how it ended (program.py).
"""

import re
import signal
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from quadrille.rules.squares import quoted

#: Maximum characters of a quoted line, and number of last lines that are searched.
LONGEST_REASON: Final = 200
_LAST_LINES: Final = 40
#: Maximum bytes of standard error that are kept; more in one turn may be why no move came.
KEPT_ERRORS: Final = 1 << 16
#: Number of lines of standard error that are shown around the reason.
_SHOWN: Final = 5
#: A line of standard error that gives a reason, in most languages; more may stand below it.
_REASON: Final = re.compile(r"(?:Uncaught |Caused by: )?[\w.$]*(?:Error|Exception)\b|(?i:panic|fatal error): ")
#: A Rust panic: the reason is the line below.
_PANIC: Final = re.compile(r"thread '.*'.* panicked at (.+?):(\d+):\d+:$")
#: A place in a Python traceback, above the reason; at the head of a complaint by Node; in a stack below the reason.
_FRAME: Final = re.compile(r'File "(.+)", line (\d+)')
_HEAD: Final = re.compile(r"(/.+):(\d+)$")
_BELOW: Final = re.compile(r"(?:at (?:.*\()?)?([^():]+\.\w+):(\d+)")
#: Parts of paths that are no author's: of languages, of libraries, and of the kit.
_FOREIGN: Final = (
    "<",
    "node:",
    "site-packages",
    "dist-packages",
    "node_modules",
    "/lib/python",
    "/src/runtime/",
    "\\Lib\\",
    *(str(Path(__file__).parents[3] / floor) for floor in ("ai", "rules")),
)
_MEMORY: Final = re.compile(r"memory|bad_alloc", re.IGNORECASE)
_READ_ONLY: Final = "read-only file system"


def reason(errors: str, memory: int | None, *, by_signal: bool) -> str:
    """Explain a program's end by its own standard error, with a hint at a limit (memory in MiB) that fits."""
    lines = _lines(errors)
    at = _reason_at(lines)
    sentence = f": {quoted(lines[at], LONGEST_REASON)}{_place(lines, at)}" if lines and lines[at] else ""
    text = "\n".join(lines).lower()
    if memory and (by_signal or _MEMORY.search(text)):
        sentence += f"; its memory is limited to {memory} MiB"
    elif _READ_ONLY in text:
        sentence += "; in its box it can write to /tmp only"
    return sentence


def telling_lines(errors: str) -> list[str]:
    """Return the lines of standard error around the reason, or the last ones."""
    lines = errors.strip().splitlines()[-_LAST_LINES:]
    end = _reason_at([line.strip() for line in lines]) + 2
    return lines[max(0, end - _SHOWN) : end]


def instead(half: bytes, errors: int, unread: int | None) -> Iterator[str]:
    """Say what a program did in place of its answer; `unread` are the table's bytes that it left, None if it has closed
    its input. Without these words all who stay silent look alike, and their authors search in the wrong place.
    """
    if half:
        begun = quoted(half[:LONGEST_REASON].decode("utf-8", "replace"))
        yield f"it wrote {len(half)} bytes without the end of a line, {begun}"
    if errors > KEPT_ERRORS:
        yield f"it wrote {errors} bytes to standard error meanwhile"
    if unread is None:
        yield "it has closed its standard input"
    elif unread:
        yield f"it left {unread} bytes of the table's lines unread"


def _lines(errors: str) -> list[str]:
    return [line.strip() for line in errors.strip().splitlines()[-_LAST_LINES:]]


def _reason_at(lines: Sequence[str]) -> int:
    """Return the number of the line with the reason; without one, of the last that is not a mere note."""
    for at in reversed(range(len(lines))):
        if at and _PANIC.match(lines[at - 1]):
            return at
        if _REASON.match(lines[at]):
            return at
    return next((at for at in reversed(range(len(lines))) if not lines[at].startswith("note: ")), 0)


def _place(lines: Sequence[str], at: int) -> str:
    """Name the author's line to which the lines around the reason lead; "" if there is none."""
    above = list(reversed(lines[:at]))
    panic = _PANIC.match(above[0]) if above else None
    frame = panic or next(
        chain(_authors(above, _FRAME), _authors(lines[at + 1 :], _BELOW), _authors(above, _HEAD)), None
    )
    return f" ({Path(frame[1]).name}, line {frame[2]})" if frame else ""


def _authors(lines: Iterable[str], place: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the places of that form in lines, without those in languages and libraries."""
    for line in lines:
        if (frame := place.match(line)) and not any(part in frame[1] for part in _FOREIGN):
            yield frame


def signal_name(number: int) -> str:
    """Return a signal's usual name: SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
