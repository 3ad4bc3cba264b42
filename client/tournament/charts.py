"""Charts of a report as inline SVG, so that the page needs no other file."""

from collections.abc import Sequence
from html import escape
from math import isfinite
from typing import Final

from quadrille.client.tournament.notes import elo, error_text

WIDTH: Final = 720
_NAME: Final = 170
_ROW: Final = 22
_COLOURS: Final = 8


def error_bars(names: Sequence[str], values: Sequence[float], errors: Sequence[float]) -> str:
    """Draw a row for each name: a dot at its value, and a bar over its error if that is finite."""
    told = [error_text(error) for error in errors]
    errors = [error if isfinite(error) else 0 for error in errors]
    low = min(value - error for value, error in zip(values, errors, strict=True))
    high = max(value + error for value, error in zip(values, errors, strict=True))
    step, low, high = _scale(low, high)
    height = _ROW * len(names) + 26

    def across(value: float) -> float:
        return round(_NAME + (WIDTH - _NAME - 20) * (value - low) / (high - low), 1)

    parts = []
    mark = low
    while mark <= high + step / 2:
        at = across(mark)
        parts.append(f'<path class="axis" opacity=".35" d="M{at} 0V{height - 20}"/>')
        parts.append(f'<text class="middle" x="{at}" y="{height - 6}">{mark:.0f}</text>')
        mark += step
    for row, (name, value, error) in enumerate(zip(names, values, errors, strict=True)):
        down = _ROW * row + 14
        parts.append(
            f'<g><title>{escape(name)}: {elo(value)} ± {told[row]}</title><text class="end" x="{_NAME - 10}" '
            f'y="{down + 4}">{escape(_cut(name))}</text><path class="bar" d="M{across(value - error)} {down}'
            f'H{across(value + error)}"/><circle class="dot" cx="{across(value)}" cy="{down}" r="4.5"/></g>'
        )
    return _chart(height, "Ratings with error bars", parts)


def lines(names: Sequence[str], rows: Sequence[Sequence[float]], marks: Sequence[int]) -> str:
    """Draw a line for each name through its values at the marks."""
    values = [value for row in rows for value in row]
    step, low, high = _scale(min(values), max(values))
    height, foot = 280, 250
    right = WIDTH - _NAME

    def at(mark: int, value: float) -> str:
        across = 50 + (right - 60) * (mark - marks[0]) / max(marks[-1] - marks[0], 1)
        return f"{across:.1f},{foot - (foot - 15) * (value - low) / (high - low):.1f}"

    parts = []
    tick = low
    while tick <= high + step / 2:
        down = at(marks[0], tick).split(",")[1]
        parts.append(f'<path class="axis" opacity=".35" d="M50 {down}H{right - 10}"/>')
        parts.append(f'<text class="end" x="44" y="{down}" dy=".35em">{tick:.0f}</text>')
        tick += step
    for mark, kind in ((marks[0], "start"), (marks[-1], "end")):
        across = at(mark, low).split(",")[0]
        parts.append(f'<text class="{kind}" x="{across}" y="{foot + 20}">{mark} games</text>')
    for number, (name, row) in enumerate(zip(names, rows, strict=True)):
        kind = f"c{number % _COLOURS}{' dash' if number // _COLOURS % 2 else ''}"
        points = " ".join(at(mark, value) for mark, value in zip(marks, row, strict=True))
        parts.append(f'<polyline class="{kind}" points="{points}"><title>{escape(name)}</title></polyline>')
        if number < foot // 16:
            key = 20 + 16 * number
            parts.append(f'<path class="{kind}" stroke-width="2" d="M{right + 6} {key}h18"/>')
            parts.append(f'<text x="{right + 30}" y="{key + 4}">{escape(_cut(name, 20))}</text>')
    return _chart(height, "Ratings over time", parts)


def shares(names: Sequence[str], values: Sequence[float]) -> str:
    """Draw a bar for each name: its value's share of the whole."""
    parts = []
    wide = WIDTH - _NAME - 70
    for row, (name, value) in enumerate(zip(names, values, strict=True)):
        down = _ROW * row + 3
        parts.append(
            f'<text class="end" x="{_NAME - 10}" y="{down + 12}">{escape(_cut(name))}</text>'
            f'<rect class="rest" x="{_NAME}" y="{down}" width="{wide}" height="15"/>'
            f'<rect class="share" x="{_NAME}" y="{down}" width="{wide * value:.1f}" height="15"/>'
            f'<text x="{_NAME + wide + 8}" y="{down + 12}">{value:.3f}</text>'
        )
    return _chart(_ROW * len(names) + 4, "Scores by seat", parts)


def _chart(height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<div class="scroll"><svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="{title}">{"".join(parts)}</svg></div>'
    )


def _scale(low: float, high: float) -> tuple[float, float, float]:
    """Return a round distance between marks, so that there are four to ten of them, and the first and the last mark."""
    step = 1.0
    while (high - low) / step > 10:
        step *= 2.5 if str(step)[0] == "2" else 2
    first = step * (low // step)
    return step, first, max(step * -(-high // step), first + step)


def _cut(name: str, most: int = 22) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
