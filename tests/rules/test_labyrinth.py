"""The labyrinth of a game of Maze: its walls and the way through, by hand and over random games."""

from itertools import pairwise

import pytest

from quadrille.rules.chance import Stream
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.games.maze.game import GAME, MazeState
from quadrille.rules.squares import Square, grid
from tests.rules.table import played


def labyrinth(size: int, moves: str) -> Labyrinth:
    state = played(GAME, {"size": size}, moves)
    assert isinstance(state, MazeState)
    return state.labyrinth()


def way(maze: Labyrinth) -> str:
    return " ".join(map(str, maze.way))


def openings(maze: Labyrinth, square: Square) -> list[Square]:
    """The squares that can be walked to: no wall stands between."""
    column, row = square
    near = {
        Square(column - 1, row): column > 0 and not maze.upright[column][row],
        Square(column + 1, row): column + 1 < maze.size and not maze.upright[column + 1][row],
        Square(column, row - 1): row > 0 and not maze.level[row][column],
        Square(column, row + 1): row + 1 < maze.size and not maze.level[row + 1][column],
    }
    return [other for other, there_is in near.items() if there_is]


def all_ways(maze: Labyrinth, start: Square, end: Square) -> list[list[Square]]:
    """Every way from start to end without turning back."""
    found, walks = [], [[start]]
    while walks:
        walk = walks.pop()
        if walk[-1] == end:
            found.append(walk)
            continue
        walks += [[*walk, near] for near in openings(maze, walk[-1]) if near not in walk]
    return found


def test_nothing_drawn() -> None:
    """Every wall stands but two of the outer ones."""
    maze = labyrinth(2, "")
    assert maze.upright == ((True, False), (True, True), (False, True))
    assert maze.level == ((True, True), (True, True), (True, True))
    assert way(maze) == "a2"
    assert not maze.finished


def test_two_by_two() -> None:
    """From a2 to b2, down to b1, to a1: of the inner walls that between a1 and a2 is left."""
    maze = labyrinth(2, "a2-b2 b2-b1 b1-a1")
    assert maze.upright == ((True, False), (False, False), (False, True))
    assert maze.level == ((True, True), (True, False), (True, True))
    assert way(maze) == "a2 b2 b1"
    assert maze.finished


def test_the_way_as_far_as_it_goes() -> None:
    """To the taken square nearest to c1: b2 and a1 are both two steps from it, and a1 comes first."""
    segments = ["a3-b3", "b3-b2", "b2-a2", "a2-a1", "a1-b1", "b1-c1", "c1-c2"]
    mazes = [labyrinth(3, " ".join(segments[:count])) for count in range(1, 8)]
    assert [way(maze)[6:] for maze in mazes] == [
        "", "b2", "b2", "b2 a2 a1", "b2 a2 a1 b1", "b2 a2 a1 b1 c1", "b2 a2 a1 b1 c1",
    ]  # fmt: skip
    assert [maze.finished for maze in mazes] == [False] * 5 + [True] * 2


@pytest.mark.parametrize("size", [2, 3, 6, pytest.param(12, marks=pytest.mark.slow)])
def test_there_is_exactly_one_way_through(size: int) -> None:
    exit = Square(size - 1, 0)
    for seed in "abcde":
        state, rng = GAME.start({"size": size}), Stream(seed, "labyrinth")
        walls = 2 * size * (size + 1) - 2
        while state.moves:
            state = state.play(state.moves.sample(rng))
            maze = state.labyrinth()
            standing = sum(wall for line in (*maze.upright, *maze.level) for wall in line)
            assert standing == walls - state.figures()["drawn"]
            assert maze.way[0] == Square(0, size - 1)
            assert all(after in openings(maze, before) for before, after in pairwise(maze.way))
            assert maze.finished == (maze.way[-1] == exit) == (state.board.room[grid(size, size).number(exit)] >= 0)
        for end in grid(size, size).squares:
            assert len(all_ways(maze, Square(0, size - 1), end)) == 1
        assert all_ways(maze, Square(0, size - 1), exit) == [list(maze.way)]
