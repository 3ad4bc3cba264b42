"""Pictures of the labyrinth that a game of Maze makes, to print or to share: lines of text, and SVG.

See rules/drawing/labyrinth.py for the maze itself, and picture.css for its colours. Nothing here knows the game or a
file of its own.
"""

from collections.abc import Iterator
from itertools import groupby, pairwise, product
from typing import Final

from quadrille.client.picture.glyphs import sheet
from quadrille.rules.drawing.labyrinth import Labyrinth, Walls
from quadrille.rules.squares import Square

#: The signs of crossings, by the sum of the walls that meet there: 1 up, 2 right, 4 down, 8 left.
CROSSINGS: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
#: Columns from square to square in text: 3 for a square or a level wall, and 1 for an upright wall.
ACROSS: Final = 4
DOWN: Final = 2

#: Width of a square and of the margin in SVG.
UNIT: Final = 20
MARGIN: Final = 20


def as_text(maze: Labyrinth, *, solution: bool = False, ascii: bool = False) -> str:
    """Draw the maze in lines of text, with box characters or in ASCII; dots mark the solution."""
    lines = [[" "] * (ACROSS * maze.size + 1) for _ in range(DOWN * maze.size + 1)]
    for line, at, sign, twin in wall_signs(maze, DOWN, ACROSS):
        lines[line][at] = twin if ascii else sign
    if solution:
        squares = (_middle(maze, square, DOWN, ACROSS) for square in maze.way)
        for line, at in (*squares, *openings(maze, DOWN, ACROSS)):
            lines[line][at] = "*" if ascii else "•"
    return "\n".join("".join(line).rstrip() for line in lines)


def finished_text(maze: Labyrinth | None) -> str:
    """Return the maze that a game has made, with its way, in ASCII; "" for none, and before a way leads through."""
    if maze is None or not maze.finished:
        return ""
    return f"The maze, and the way through it:\n\n{as_text(maze, solution=True, ascii=True)}\n\n"


def crossing(maze: Labyrinth, x: int, y: int) -> str:
    """Return the sign of the walls that meet at a crossing."""
    size = maze.size
    up = y < size and maze.upright[x][y]
    down = y > 0 and maze.upright[x][y - 1]
    right = x < size and maze.level[y][x]
    left = x > 0 and maze.level[y][x - 1]
    return CROSSINGS[up + 2 * right + 4 * down + 8 * left]


def wall_signs(maze: Labyrinth, down: int, across: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield line, column, sign and ASCII twin of all walls, where squares are that many lines and columns apart."""
    size = maze.size
    for x, y in product(range(size + 1), repeat=2):
        line, at = down * (size - y), across * x
        yield line, at, crossing(maze, x, y), "+"
        if x < size and maze.level[y][x]:
            yield from ((line, at + step, "─", "-") for step in range(1, across))
        if y < size and maze.upright[x][y]:
            yield from ((line - step, at, "│", "|") for step in range(1, down))


def openings(maze: Labyrinth, down: int, across: int) -> Iterator[tuple[int, int]]:
    """Yield line and column of each opening that the solution leads through, from the entrance on."""
    yield _middle(maze, maze.way[0], down, across)[0], 0
    for square, after in pairwise(maze.way):
        line, at = _middle(maze, square, down, across)
        if square.row == after.row:
            yield line, across * max(square.column, after.column)
        else:
            yield down * (maze.size - max(square.row, after.row)), at
    if maze.finished:
        yield _middle(maze, maze.way[-1], down, across)[0], across * maze.size


def _middle(maze: Labyrinth, square: Square, down: int, across: int) -> tuple[int, int]:
    return down * (maze.size - square.row) - down // 2, across * square.column + across // 2


def as_svg(maze: Labyrinth, *, solution: bool = False) -> str:
    """Draw the maze as a self-contained SVG picture of any size."""
    side = 2 * MARGIN + UNIT * maze.size
    title = f"A maze of {maze.size} x {maze.size} squares"
    if solution:
        title += ", with the way through" if maze.finished else ", with the way as far as it goes"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" role="img">',
        f"<title>{title}</title>",
        f"<style>{sheet('picture.css')}</style>",
        f'<rect width="{side}" height="{side}" rx="8" class="paper"/>',
        *([way(maze, UNIT, MARGIN, UNIT)] if solution else []),
        walls(maze, UNIT, MARGIN),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def walls(maze: Labyrinth, unit: int, margin: int) -> str:
    """Draw the walls between squares of a size; the margin lies to the left of them and above them."""
    return f'<path d="{" ".join(_strokes(maze, unit, margin))}" class="wall"/>'


def _strokes(maze: Labyrinth, unit: int, margin: int) -> Iterator[str]:
    """Draw each unbroken run of walls as one line."""
    size = maze.size

    def at(lines: int) -> int:
        return margin + unit * lines

    for x, start, end in _runs(maze.upright):
        yield f"M{at(x)} {at(size - start)}V{at(size - end)}"
    for y, start, end in _runs(maze.level):
        yield f"M{at(start)} {at(size - y)}H{at(end)}"


def _runs(walls: Walls) -> Iterator[tuple[int, int, int]]:
    """Yield line, start and end of every unbroken run of walls."""
    for line, places in enumerate(walls):
        for stands, run in groupby(range(len(places)), places.__getitem__):
            first, *more = run
            if stands:
                yield line, first, first + len(more) + 1


def way(maze: Labyrinth, unit: int, margin: int, beyond: int) -> str:
    """Draw the solution from before the entrance to behind the exit, or an unfinished one to the knot at its end.

    `beyond` is how far it leads to the left of the first square's centre, and to the right of the last one's.
    """
    points = [
        (margin + unit * square.column + unit // 2, margin + unit * (maze.size - square.row) - unit // 2)
        for square in maze.way
    ]
    entered = (points[0][0] - beyond, points[0][1])
    left = [(points[-1][0] + beyond, points[-1][1])] if maze.finished else []
    line = " ".join(f"{x},{y}" for x, y in (entered, *points, *left))
    x, y = points[-1]
    knot = "" if maze.finished else f'<circle cx="{x}" cy="{y}" r="5" class="knot"/>'
    return f'<polyline points="{line}" class="way"/>{knot}'
