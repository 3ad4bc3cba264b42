"""Times of commands that run long: as texts, and between two lines of their progress."""

from typing import Final

#: Time between two pictures of the progress on a terminal, in seconds.
PICTURE: Final = 0.25
#: Rows of an age of the run and the time between two lines from that age on, in seconds.
GAPS: Final = ((60.0, 30.0), (10.0, 5.0), (0.0, 1.0))
#: A year in seconds, and the greatest number of years in a sentence.
YEAR: Final = 31_557_600.0
MOST_YEARS: Final = 1e6
#: Units of long times, and their seconds.
UNITS: Final = (("years", YEAR), ("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0))


def duration(seconds: float) -> str:
    """Return a time such as 2:31 or 1:02:31."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def waiting(seconds: float) -> str:
    """Return a time that nobody counts exactly: `3 hours`, `20,000 years`."""
    if seconds > MOST_YEARS * YEAR:
        return "longer than any computer lasts"
    for unit, length in UNITS:
        if seconds >= 2 * length:
            return f"{round(seconds / length):,} {unit}"
    return "a minute or two"


def gap(age: float) -> float:
    """Return the time between two lines of a run of that age."""
    return next(gap for start, gap in GAPS if age >= start)
