"""Durations as people write them: 200ms, 90s, 5m, 1h, and clocks such as 5m+10s. Imports little, to load fast.

Specification: docs/protocols/tournaments.md, "The file".
"""

import re
from typing import Final

from quadrille.rules.squares import quoted

_SPAN: Final = re.compile(r"([0-9]{1,8})(ms|s|m|h)")
_UNITS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_DAY: Final = 24 * 3_600_000


def span(text: str) -> int:
    """Read a duration of at most a day, in milliseconds; a `ValueError` explains the format."""
    parts = _SPAN.fullmatch(text.strip().lower())
    ms = int(parts[1]) * _UNITS[parts[2]] if parts else -1
    if not 0 <= ms <= _DAY:
        raise ValueError(f"{quoted(text)} is not a time: write 90s, 5m or 1h, or 200ms; a day at most")
    return ms


def clock(text: str) -> tuple[int, int]:
    """Read the time for each seat and the increment for each move: `5m+10s` or `5m`."""
    first, plus, more = text.partition("+")
    initial, increment = span(first), span(more) if plus else 0
    if not initial:
        raise ValueError(f"{quoted(text)} leaves no time: write 5m+10s, or 5m")
    return initial, increment


def written(ms: int) -> str:
    """Write a duration as `span` reads it: in whole minutes or seconds where possible, else in milliseconds."""
    seconds, rest = divmod(ms, 1000)
    if rest:
        return f"{ms}ms"
    return f"{seconds // 60}m" if seconds and seconds % 60 == 0 else f"{seconds}s"


def clock_text(ms: int) -> str:
    """Write the remaining time as a clock shows it: `4:05`."""
    seconds = max(0, ms) // 1000
    return f"{seconds // 60}:{seconds % 60:02}"
