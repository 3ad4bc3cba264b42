"""The measures of a report's charts; report.html draws them as inline SVG, so that the page needs no other file."""

from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

#: Pixels of a bar in a table's cell, and of the chart over time: its size, and the corner of its axes.
BAR: Final = 160
WIDE, HIGH, LEFT, FOOT = 440, 200, 40, 180
_COLOURS: Final = 8
_MARKS: Final = 6


def error_bars(values: Sequence[float], errors: Sequence[float]) -> list[dict[str, float]]:
    """Return where each value, its ends and 0 are on a scale that all share; an infinite error has no ends."""
    errors = [error if isfinite(error) else 0.0 for error in errors]
    ends = [0.0, *(value + side * error for value, error in zip(values, errors, strict=True) for side in (-1, 1))]
    low, wide = min(ends), max(max(ends) - min(ends), 1.0)

    def across(value: float) -> float:
        return round(5 + (BAR - 10) * (value - low) / wide, 1)

    return [
        {"zero": across(0), "low": across(value - error), "high": across(value + error), "at": across(value)}
        for value, error in zip(values, errors, strict=True)
    ]


def over_time(names: Sequence[str], rows: Sequence[Sequence[float]], games: Sequence[int]) -> dict[str, Any]:
    """Return the lines through each row's values, after so many games, and how far down each mark of the scale is."""
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
        {
            "name": name,
            "kind": f"c{number % _COLOURS}{' dash' if number // _COLOURS % 2 else ''}",
            "points": " ".join(f"{across(at)},{down(value)}" for at, value in zip(games, row, strict=True)),
        }
        for number, (name, row) in enumerate(zip(names, rows, strict=True))
    ]
    marks = [low + step * number for number in range(round((high - low) / step) + 1)]
    return {"courses": courses, "marks": [(down(mark), f"{mark:.0f}") for mark in marks]}
