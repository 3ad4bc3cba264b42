"""The course of a game as an SVG chart: a line for each seat, solid where the value is proved.

Estimates have their error as a band, and mistakes have their signs. Screen readers get the chart as a text.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise
from typing import Final

from quadrille.client.analysis.course import CoursePoint, GameCourse

#: The measures of all charts on a page of games; page.js has the same ones.
LEFT: Final = 30
WIDE: Final = 400
MIDDLE: Final = 70
HALF: Final = 60
_HIGH: Final = 140
_RIGHT: Final = 10
_DASHES: Final = ("6 4", "2 4", "10 4 2 4", "4 2")


def course_figure(courses: Sequence[GameCourse], names: Sequence[str], length: int) -> str:
    """Draw the courses of a game with that many entries, with a legend."""
    both = courses[0].against is not None
    title = "The course of the game" if both else "The course of the game, for each player at the player's own turns"
    parts = []
    for value in (1, 0, -1):
        parts.append(f'<path class="grid" d="M{LEFT} {_down(value):g}h{WIDE}"/>')
        sign = "+1" if value > 0 else value
        parts.append(f'<text class="heading" x="{LEFT - 6}" y="{_down(value):g}" dy=".35em">{sign}</text>')
    for course in courses:
        parts.extend(_course(course, length))
    parts.append(f'<path class="here" d="M{LEFT} 6v128"/>')
    rows = []
    for course in courses:
        told = names[course.seat]
        if course.against is not None:
            told = f"{told}; for {names[course.against]} it is the other way round"
        looks = f'class="guess k{course.seat % 8}" stroke-dasharray="{_DASHES[course.seat % len(_DASHES)]}"'
        rows.append(
            f'<li><svg viewBox="0 0 30 8" width="30" height="8"><path {looks} d="M2 4h26"/></svg> {escape(told)}</li>'
        )
    return (
        f'<figure id="course" class="course"><figcaption>{title}</figcaption>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDE + _RIGHT} {_HIGH}" role="img" '
        f'aria-label="{escape(_in_words(courses, names))}">{"".join(parts)}</svg>\n<ul>{"".join(rows)}'
        "<li>+1 is won, -1 is lost. Solid: proved. Broken: estimated, within the standard error.</li></ul></figure>"
    )


def _course(course: GameCourse, length: int) -> Iterator[str]:
    """Draw a course: the bands, the lines, the mistakes."""

    def at(point: CoursePoint, value: float) -> str:
        return f"{LEFT + WIDE * point.entries / max(length, 1):.1f},{_down(max(-1.0, min(1.0, value))):.1f}"

    colour, dashes = f"k{course.seat % 8}", _DASHES[course.seat % len(_DASHES)]
    steps = list(pairwise(course.points))
    for proved, run in groupby(steps, lambda step: step[0].proved and step[1].proved):
        stretch = list(run)
        points = [stretch[0][0], *(step[1] for step in stretch)]
        if not proved:
            upper = [at(point, point.value + point.error) for point in points]
            lower = [at(point, point.value - point.error) for point in points[::-1]]
            yield f'<polygon class="wash f{course.seat % 8}" points="{" ".join((*upper, *lower))}"/>'
        looks = f'class="thin {colour}"' if proved else f'class="guess {colour}" stroke-dasharray="{dashes}"'
        yield f'<polyline {looks} points="{" ".join(at(point, point.value) for point in points)}"/>'
    for point in course.points:
        if point.mistake:
            across, down = at(point, point.value).split(",")
            lift = -6 if float(down) > MIDDLE else 14
            yield f'<text class="sign" x="{across}" y="{float(down) + lift:.1f}">{point.mistake}</text>'


def _down(value: float) -> float:
    return MIDDLE - HALF * value


def _in_words(courses: Sequence[GameCourse], names: Sequence[str]) -> str:
    """The courses as a list: for each seat its values from -1 to 1."""
    told = []
    for course in courses:
        values = ", ".join(
            f"{point.value:+.0f} proved" if point.proved else f"{point.value:+.2f}" for point in course.points
        )
        told.append(f"{names[course.seat]}: {values}")
    return "The course of the game, from -1 to 1. " + ". ".join(told)
