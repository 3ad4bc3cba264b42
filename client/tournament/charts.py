"""Charts of a report as inline SVG, so that the page needs no other file."""

from collections.abc import Sequence
from html import escape
from math import isfinite
from typing import Final

from quadrille.client.tournament.notes import elo, error_text
from quadrille.client.value import value as frozen

_ROW: Final = 22
_COLOURS: Final = 8
#: Pixels from one line of a legend to the next.
_KEY: Final = 16


@frozen
class ChartLayout:
    """A chart's measures: in pixels its width and the column of its names, in characters their maximum length, and the
    maximum number of marks on its scale. A page has each chart twice, and shows the one that fits the screen.
    """

    kind: str
    width: int
    name: int
    most: int
    marks: int


LAYOUTS: Final = (ChartLayout("wide", 720, 170, 22, 10), ChartLayout("narrow", 360, 104, 13, 5))


def error_bars(names: Sequence[str], values: Sequence[float], errors: Sequence[float]) -> str:
    """Draw a row for each name: a dot at its value, and a bar over its error if that is finite."""
    return "".join(_error_bars(layout, names, values, errors) for layout in LAYOUTS)


def _error_bars(layout: ChartLayout, names: Sequence[str], values: Sequence[float], errors: Sequence[float]) -> str:
    told = [error_text(error) for error in errors]
    errors = [error if isfinite(error) else 0 for error in errors]
    low = min(value - error for value, error in zip(values, errors, strict=True))
    high = max(value + error for value, error in zip(values, errors, strict=True))
    step, low, high = _scale(low, high, layout.marks)
    height = _ROW * len(names) + 26

    def across(value: float) -> float:
        return round(layout.name + (layout.width - layout.name - 20) * (value - low) / (high - low), 1)

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
            f'<g><title>{escape(name)}: {elo(value)} ± {told[row]}</title><text class="end" x="{layout.name - 10}" '
            f'y="{down + 4}">{escape(_cut(name, layout.most))}</text>'
            f'<path class="bar" d="M{across(value - error)} {down}H{across(value + error)}"/>'
            f'<circle class="dot" cx="{across(value)}" cy="{down}" r="4.5"/></g>'
        )
    return _chart(layout, height, "Ratings with error bars", parts)


def lines(names: Sequence[str], rows: Sequence[Sequence[float]], marks: Sequence[int]) -> str:
    """Draw a line for each name through its values at the marks."""
    return "".join(_lines(layout, names, rows, marks) for layout in LAYOUTS)


def _lines(layout: ChartLayout, names: Sequence[str], rows: Sequence[Sequence[float]], marks: Sequence[int]) -> str:
    """The legend is beside the lines, or below them in a narrow chart."""
    values = [value for row in rows for value in row]
    step, low, high = _scale(min(values), max(values), layout.marks)
    below, foot = layout.kind == "narrow", 250
    right = layout.width if below else layout.width - layout.name
    height = foot + 40 + _KEY * len(names) if below else max(foot + 30, 20 + _KEY * len(names))

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
    side, top, most = (50, foot + 44, 40) if below else (right + 6, 20, 20)
    for number, (name, row) in enumerate(zip(names, rows, strict=True)):
        kind = f"c{number % _COLOURS}{' dash' if number // _COLOURS % 2 else ''}"
        points = " ".join(at(mark, value) for mark, value in zip(marks, row, strict=True))
        parts.append(f'<polyline class="{kind}" points="{points}"><title>{escape(name)}</title></polyline>')
        key = top + _KEY * number
        parts.append(f'<path class="{kind}" stroke-width="2" d="M{side} {key}h18"/>')
        parts.append(f'<text x="{side + 24}" y="{key + 4}">{escape(_cut(name, most))}</text>')
    return _chart(layout, height, "Ratings over time", parts)


def shares(names: Sequence[str], values: Sequence[float]) -> str:
    """Draw a bar for each name: its value's share of the whole."""
    return "".join(_shares(layout, names, values) for layout in LAYOUTS)


def _shares(layout: ChartLayout, names: Sequence[str], values: Sequence[float]) -> str:
    parts = []
    wide = layout.width - layout.name - 50
    for row, (name, value) in enumerate(zip(names, values, strict=True)):
        down = _ROW * row + 3
        parts.append(
            f'<text class="end" x="{layout.name - 10}" y="{down + 12}">{escape(_cut(name, layout.most + 2))}</text>'
            f'<rect class="rest" x="{layout.name}" y="{down}" width="{wide}" height="15"/>'
            f'<rect class="share" x="{layout.name}" y="{down}" width="{wide * value:.1f}" height="15"/>'
            f'<text x="{layout.name + wide + 8}" y="{down + 12}">{value:.3f}</text>'
        )
    return _chart(layout, _ROW * len(names) + 4, "Scores by seat", parts)


def _chart(layout: ChartLayout, height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart {layout.kind}" '
        f'viewBox="0 0 {layout.width} {height}" role="img" aria-label="{title}">{"".join(parts)}</svg>'
    )


def _scale(low: float, high: float, most: int) -> tuple[float, float, float]:
    """Return a round distance between at most so many marks, and the first and the last mark."""
    step = 1.0
    while (high - low) / step > most:
        step *= 2.5 if str(step)[0] == "2" else 2
    first = step * (low // step)
    return step, first, max(step * -(-high // step), first + step)


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
