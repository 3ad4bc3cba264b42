"""The labyrinth of a game of Maze, as data: its walls, and the way through.

It exists at any time of the game: where no segment is drawn yet, the walls still stand. client/picture/labyrinth.py
draws it. Rules for players: rules/games/maze/page.md.
"""

from collections.abc import Iterable
from typing import TypeAlias

from quadrille.rules.squares import Square
from quadrille.value import value

#: For each line of the paper, whether the unit wall stands at each place along it.
Walls: TypeAlias = tuple[tuple[bool, ...], ...]
Joined: TypeAlias = tuple[Square, Square]


@value
class Labyrinth:
    """Walls and way of a maze of `size` x `size` squares.

    `upright[x][row]` is the wall to the left of column x in that row (x = size: the right edge of the paper),
    `level[y][column]` the wall below row y in that column (y = size: the top edge). `way` is the known part of the
    way through: squares from the upper left one on, each joined to the next; it is `finished` when it ends at the
    exit.
    """

    size: int
    upright: Walls
    level: Walls
    way: tuple[Square, ...]

    @property
    def finished(self) -> bool:
        """Return whether the way leads all through; then nothing can change it any more."""
        return self.way[-1] == Square(self.size - 1, 0)


def labyrinth(size: int, segments: Iterable[Joined]) -> Labyrinth:
    """Make the labyrinth of the segments drawn so far, each with its start and the square it takes."""
    lines, places = range(size + 1), range(size)
    upright = [[True for _ in places] for _ in lines]
    level = [[True for _ in places] for _ in lines]
    upright[0][size - 1] = False  # "one unit of outer wall is open at the left of the upper left square"
    upright[size][0] = False  # "and one at the right of the lower right square"
    came_from: dict[Square, Square] = {}
    for start, end in segments:
        came_from[end] = start
        if start.row == end.row:
            upright[max(start.column, end.column)][start.row] = False
        else:
            level[max(start.row, end.row)][start.column] = False
    return Labyrinth(size, _walls(upright), _walls(level), _way(size, came_from))


def _walls(lines: Iterable[Iterable[bool]]) -> Walls:
    return tuple(tuple(line) for line in lines)


def _way(size: int, came_from: dict[Square, Square]) -> tuple[Square, ...]:
    """Return the way from the upper left square to the taken one nearest to the exit, walls disregarded.

    Of several equally near ones, the first in the order of squares. Segments make a tree, so there is one way.
    """
    entrance = Square(0, size - 1)
    taken = sorted((entrance, *came_from))
    square = min(taken, key=lambda square: size - 1 - square.column + square.row)
    way = [square]
    while square != entrance:
        square = came_from[square]
        way.append(square)
    return tuple(reversed(way))
