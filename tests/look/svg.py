"""A terminal's screen as SVG: letters as text, lines and blocks as shapes, so that every viewer shows the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

WIDTH, HEIGHT = 9, 20
MARGIN = 10
#: Which halves of a cell a line sign fills: left, right, up, down; 2 is a heavy line.
LINES = {
    "─": (1, 1, 0, 0), "│": (0, 0, 1, 1), "┌": (0, 1, 0, 1), "┐": (1, 0, 0, 1), "└": (0, 1, 1, 0), "┘": (1, 0, 1, 0),
    "├": (0, 1, 1, 1), "┤": (1, 0, 1, 1), "┬": (1, 1, 0, 1), "┴": (1, 1, 1, 0), "┼": (1, 1, 1, 1),
    "╭": (0, 1, 0, 1), "╮": (1, 0, 0, 1), "╰": (0, 1, 1, 0), "╯": (1, 0, 1, 0),
    "╴": (1, 0, 0, 0), "╶": (0, 1, 0, 0), "╵": (0, 0, 1, 0), "╷": (0, 0, 0, 1), "╌": (1, 1, 0, 0), "╎": (0, 0, 1, 1),
    "━": (2, 2, 0, 0), "┃": (0, 0, 2, 2), "┏": (0, 2, 0, 2), "┓": (2, 0, 0, 2), "┗": (0, 2, 2, 0), "┛": (2, 0, 2, 0),
    "┣": (0, 2, 2, 2), "┫": (2, 0, 2, 2), "┳": (2, 2, 0, 2), "┻": (2, 2, 2, 0), "╋": (2, 2, 2, 2),
    "╸": (2, 0, 0, 0), "╺": (0, 2, 0, 0), "╹": (0, 0, 2, 0), "╻": (0, 0, 0, 2),
}  # fmt: skip
#: Which part of a cell a block fills: left, top, width, height, and how much of its colour.
BLOCKS = {
    "█": (0, 0, 1, 1, 1.0), "▓": (0, 0, 1, 1, 0.75), "▒": (0, 0, 1, 1, 0.5), "░": (0, 0, 1, 1, 0.25),
    "▀": (0, 0, 1, 0.5, 1.0), "▄": (0, 0.5, 1, 0.5, 1.0), "▌": (0, 0, 0.5, 1, 1.0), "▐": (0.5, 0, 0.5, 1, 1.0),
}  # fmt: skip
SHAPES = LINES.keys() | BLOCKS.keys()


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of a screen."""

    sign: str
    ink: str
    paper: str
    bold: bool = False
    underline: bool = False
    italic: bool = False

    @property
    def look(self) -> tuple[str, bool, bool, bool]:
        """All but the sign and the paper."""
        return self.ink, self.bold, self.underline, self.italic


def drawn(rows: Sequence[Sequence[Cell]], title: str, paper: str) -> str:
    """The SVG of a screen; the second half of a wide sign is a cell without one."""
    return "\n".join([*head(rows, title, paper), *grounds(rows, paper), *signs(rows), "</svg>", ""])


def head(rows: Sequence[Sequence[Cell]], title: str, paper: str) -> list[str]:
    """How it begins: its size, its letters, its title and its paper."""
    wide = len(rows[0]) * WIDTH + 2 * MARGIN
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {len(rows) * HEIGHT + 2 * MARGIN}" '
        f'font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="15">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{paper}"/>',
    ]


def grounds(rows: Sequence[Sequence[Cell]], paper: str) -> list[str]:
    """What lies below the signs: all other papers."""
    parts = []
    for top, cells in enumerate(rows):
        for colour, run in groupby(enumerate(cells), lambda one: one[1].paper):
            columns = [column for column, _ in run]
            if colour != paper:
                parts.append(
                    f'<rect x="{MARGIN + columns[0] * WIDTH}" y="{MARGIN + top * HEIGHT}" '
                    f'width="{len(columns) * WIDTH}" height="{HEIGHT}" fill="{colour}" shape-rendering="crispEdges"/>'
                )
    return parts


def signs(rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Letters and lines."""
    parts: list[str] = []
    for row, cells in enumerate(rows):
        top = MARGIN + row * HEIGHT
        for (look, shaped), run in groupby(enumerate(cells), lambda one: (one[1].look, one[1].sign in SHAPES)):
            found = list(run)
            if shaped:
                for column, cell in found:
                    drawing = _line if cell.sign in LINES else _block
                    parts.append(drawing(MARGIN + column * WIDTH, top, cell.sign, cell.ink))
            else:
                parts += _words([(column, cell.sign) for column, cell in found], top, *look)
    return parts


def _words(
    run: list[tuple[int, str]], top: int, ink: str, bold: bool, underline: bool, italic: bool
) -> list[str]:  # fmt: skip
    text = "".join(sign or "\0" for _, sign in run)
    if not text.strip():
        return []
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    kinds = (
        (bold, ' font-weight="bold"'), (underline, ' text-decoration="underline"'), (italic, ' font-style="italic"'),
    )  # fmt: skip
    kind = "".join(words for there, words in kinds if there)
    return [
        f'<text x="{MARGIN + run[start][0] * WIDTH}" y="{top + 15}" fill="{ink}"{kind} '
        f'textLength="{(end - start) * WIDTH}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">'
        f"{escape(text[start:end].replace(chr(0), ''))}</text>"
    ]


def _line(x: int, y: int, sign: str, ink: str) -> str:
    """A line sign, drawn from the middle of its cell."""
    middle, centre, weights = x + WIDTH / 2, y + HEIGHT / 2, LINES[sign]
    ends = ((x, centre), (x + WIDTH, centre), (middle, y), (middle, y + HEIGHT))
    strokes = [f"M{middle} {centre}L{ex} {ey}" for (ex, ey), there in zip(ends, weights, strict=True) if there]
    dashes = ' stroke-dasharray="2 2"' if sign in "╌╎" else ""
    width = f"{1.2 * max(weights):g}"
    return f'<path d="{"".join(strokes)}" stroke="{ink}" stroke-width="{width}" stroke-linecap="square"{dashes}/>'


def _block(x: int, y: int, sign: str, ink: str) -> str:
    left, top, wide, high, part = BLOCKS[sign]
    return (
        f'<rect x="{x + left * WIDTH:g}" y="{y + top * HEIGHT:g}" width="{wide * WIDTH:g}" '
        f'height="{high * HEIGHT:g}" fill="{ink}" fill-opacity="{part}" shape-rendering="crispEdges"/>'
    )
