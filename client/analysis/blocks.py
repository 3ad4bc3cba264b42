"""The course of a game as rows of signs, for a terminal and for a pipe: a column for each position.

A block is as high as the value, and the line below it tells how sure that is. Mistakes have their signs, one below the
other, above the blocks or below them. Plain rows have a digit for each block, and only ASCII.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from quadrille.client.analysis.verdicts import CoursePoint, GameCourse

BLOCKS: Final = " ▁▂▃▄▅▆▇█"
DIGITS: Final = "012345678"
#: Signs for what is proved, what is estimated to within `NEAR`, and what is estimated less well; the same in ASCII.
LINES: Final = "━─╌"
PLAIN_LINES: Final = "=-~"
#: Maximum standard error of the better estimates.
NEAR: Final = 0.05
#: Columns between two numbers of moves, and before the rows.
_STEP: Final = 10
_INDENT: Final = 2


def course_rows(
    courses: Sequence[GameCourse], names: Sequence[str], length: int, width: int, *, plain: bool
) -> list[str]:
    """Draw the courses of this many positions, in several bands if they don't fit the width; `names` are the seats'."""
    label = max(map(len, names)) + 2
    room = max(_STEP, (width - label - _INDENT) // _STEP * _STEP)
    rows: list[str] = []
    for start in range(0, length, room):
        end = min(length, start + room)
        bands = [row for course in courses for row in _band(course, names, start, end, plain=plain)]
        bands.append(("", "".join(f"{place + 1:<{_STEP}}" for place in range(start, end, _STEP))))
        rows += [""] * bool(rows) + [f"{'':{_INDENT}}{name:{label}}{row}".rstrip() for name, row in bands]
    return rows


def _band(course: GameCourse, names: Sequence[str], start: int, end: int, *, plain: bool) -> list[tuple[str, str]]:
    """Return the rows of a course from `start` to `end`, each with its label."""
    here = {point.entries: point for point in course.points if start <= point.entries < end}
    places = range(start, end)
    blocks = "".join(_block(here.get(place), plain=plain) for place in places)
    lines = "".join(_line(here.get(place), plain=plain) for place in places)
    own = _signs(here, places, course.seat)
    if course.against is None:
        return [(names[course.seat], blocks), ("", lines), *(("", row) for row in own)]
    above, below = own[::-1] or [""], _signs(here, places, course.against) or [""]
    return [
        *(("", row) for row in above[:-1]), (names[course.seat], above[-1]),
        ("", blocks), ("", lines),
        (names[course.against], below[0]), *(("", row) for row in below[1:]),
    ]  # fmt: skip


def _signs(here: dict[int, CoursePoint], places: range, seat: int) -> list[str]:
    """Return rows with the mistakes of a seat, the nearest to the blocks first."""
    signs = [here[place].mistake if place in here and here[place].mover == seat else "" for place in places]
    return ["".join(row) for row in zip_longest(*signs, fillvalue=" ")] if any(signs) else []


def _block(point: CoursePoint | None, *, plain: bool) -> str:
    if point is None:
        return " "
    return (DIGITS if plain else BLOCKS)[int((point.value + 1) / 2 * (len(BLOCKS) - 1) + 0.5)]


def _line(point: CoursePoint | None, *, plain: bool) -> str:
    if point is None:
        return " "
    return (PLAIN_LINES if plain else LINES)[0 if point.proved else 1 if point.error <= NEAR else 2]
