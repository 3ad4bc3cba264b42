"""The measures of a report's charts; report.html draws them as inline SVG, so that the page needs no other file."""

from collections.abc import Sequence
from math import isfinite
from typing import Final

from quadrille.client.value import value

#: Pixels of a bar in a table's cell, and of the chart over time: its size, and the corner of its axes.
BAR: Final = 160
WIDE, HIGH, LEFT, FOOT = 440, 200, 40, 180
_COLOURS: Final = 8
_MARKS: Final = 6


@value
class ErrorBar:
    """A value and its error on a scale that all bars of a table share, and where 0 is."""

    zero: float
    low: float
    high: float
    at: float


@value
class EloCourse:
    """A line of the chart over time: its class, and its points."""

    name: str
    kind: str
    points: str


@value
class LineChart:
    """The lines, and the marks of the scale: how far down each is, and what is written there."""

    courses: Sequence[EloCourse]
    marks: Sequence[tuple[float, str]]


def error_bars(values: Sequence[float], errors: Sequence[float]) -> list[ErrorBar]:
    """Return a bar for each value; an infinite error has none."""
    errors = [error if isfinite(error) else 0.0 for error in errors]
    ends = [0.0, *(value + side * error for value, error in zip(values, errors, strict=True) for side in (-1, 1))]
    low, wide = min(ends), max(max(ends) - min(ends), 1.0)

    def across(value: float) -> float:
        return round(5 + (BAR - 10) * (value - low) / wide, 1)

    return [
        ErrorBar(across(0), across(value - error), across(value + error), across(value))
        for value, error in zip(values, errors, strict=True)
    ]


def over_time(names: Sequence[str], rows: Sequence[Sequence[float]], games: Sequence[int]) -> LineChart:
    """Return the lines through each row's values, after so many games."""
    values = [value for row in rows for value in row]
    step = 1.0
    while (max(values) - min(values)) / step > _MARKS:
        step *= 2.5 if str(step)[0] == "2" else 2
    low = step * (min(values) // step)
    high = max(step * -(-max(values) // step), low + step)

    def down(value: float) -> float:
        return round(FOOT - (FOOT - 8) * (value - low) / (high - low), 1)

    def across(at: int) -> float:
        return round(LEFT + (WIDE - LEFT - 8) * (at - games[0]) / max(games[-1] - games[0], 1), 1)

    courses = [
        EloCourse(
            name,
            f"c{number % _COLOURS}{' dash' if number // _COLOURS % 2 else ''}",
            " ".join(f"{across(at)},{down(value)}" for at, value in zip(games, row, strict=True)),
        )
        for number, (name, row) in enumerate(zip(names, rows, strict=True))
    ]
    marks = [low + step * number for number in range(round((high - low) / step) + 1)]
    return LineChart(courses, [(down(mark), f"{mark:.0f}") for mark in marks])
