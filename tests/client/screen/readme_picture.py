"""The picture that the README opens with, from a real session: python -m tests.client.screen.readme_picture.

The program plays on a pseudo-terminal, against a bot and by its own hints; what is on the screen then becomes an SVG:
letters as text, lines as lines, so that it looks the same in every browser.
"""

import tempfile
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.client.screen.pseudo_terminal import Program

FILE = Path(__file__).parents[3] / "docs" / "screen.svg"
ROWS, COLUMNS = 26, 84
WIDTH, HEIGHT = 9, 20
MOVES = 14
#: Which halves of a cell a line sign fills: left, right, up, down; 2 is a heavy line.
LINES = {
    "─": (1, 1, 0, 0), "│": (0, 0, 1, 1), "┌": (0, 1, 0, 1), "┐": (1, 0, 0, 1), "└": (0, 1, 1, 0), "┘": (1, 0, 1, 0),
    "├": (0, 1, 1, 1), "┤": (1, 0, 1, 1), "┬": (1, 1, 0, 1), "┴": (1, 1, 1, 0), "┼": (1, 1, 1, 1),
    "━": (2, 2, 0, 0), "┃": (0, 0, 2, 2),
}  # fmt: skip
PAPER, INK = "#1c1c1c", "#d0d0d0"


def session() -> Any:
    """The screen of a game of Barons against a bot of level 2, some moves on."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("barons", "--seats", "3", "--against", "3", "--seed", "readme")
        with Program(*words, home=Path(folder), rows=ROWS, columns=COLUMNS) as program:
            for number in range(MOVES):
                program.sees("YOUR TURN")
                before = program.screen.display[0]
                program.press("f2")
                program.sees("would play")
                if number < MOVES - 1:
                    program.press("enter")
                    program.until(lambda told=before: told != program.screen.display[0], "the next move")
            return [dict(program.screen.buffer[row]) for row in range(ROWS)], list(program.screen.display)


def colours(cell: Any) -> tuple[str, str, bool]:
    """Ink, paper and weight of a cell."""
    ink = INK if cell.fg == "default" else f"#{cell.fg}"
    paper = PAPER if cell.bg == "default" else f"#{cell.bg}"
    return (paper, ink, cell.bold) if cell.reverse else (ink, paper, cell.bold)


def drawn(cells: list[dict[int, Any]], display: list[str]) -> str:
    """The SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * WIDTH + 20} {ROWS * HEIGHT + 20}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15">',
        "<title>A game of Barons in the terminal</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
    ]
    for row, line in enumerate(display):
        own = [(column, sign, cells[row].get(column)) for column, sign in enumerate(line)]
        for (ink, paper, bold), run in groupby(own, lambda cell: colours(cell[2]) if cell[2] else (INK, PAPER, False)):
            parts += _run(row, list(run), ink, paper, bold=bold)
    return "\n".join([*parts, "</svg>", ""])


def _run(row: int, run: list[tuple[int, str, Any]], ink: str, paper: str, *, bold: bool) -> list[str]:
    """Cells side by side in the same colours."""
    left, top = 10 + run[0][0] * WIDTH, 10 + row * HEIGHT
    parts = []
    if paper != PAPER:
        parts.append(f'<rect x="{left}" y="{top}" width="{len(run) * WIDTH}" height="{HEIGHT}" fill="{paper}"/>')
    for has_line, signs in groupby(run, lambda cell: cell[1] in LINES):
        cells = list(signs)
        if has_line:
            parts += [_line(10 + column * WIDTH, top, sign, ink) for column, sign, _ in cells]
            continue
        text = "".join(sign for _, sign, _ in cells)
        if text.strip():
            start = len(text) - len(text.lstrip())
            word = text.strip()
            x, weight = 10 + (cells[0][0] + start) * WIDTH, ' font-weight="bold"' if bold else ""
            parts.append(
                f'<text x="{x}" y="{top + 15}" fill="{ink}"{weight} textLength="{len(word) * WIDTH}" '
                f'lengthAdjust="spacingAndGlyphs" xml:space="preserve">{escape(word)}</text>'
            )
    return parts


def _line(x: int, y: int, sign: str, ink: str) -> str:
    """A line sign, drawn from the middle of its cell."""
    middle, centre = x + WIDTH / 2, y + HEIGHT / 2
    ends = ((x, centre), (x + WIDTH, centre), (middle, y), (middle, y + HEIGHT))
    strokes = [f"M{middle} {centre}L{ex} {ey}" for (ex, ey), there in zip(ends, LINES[sign], strict=True) if there]
    return f'<path d="{"".join(strokes)}" stroke="{ink}" stroke-width="{1.2 * max(LINES[sign])}"/>'


def main() -> None:
    """Play, and keep the picture."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(drawn(*session()), "utf-8")


if __name__ == "__main__":
    main()
