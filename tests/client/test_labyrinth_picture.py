"""Pictures of labyrinths: small ones by hand, and over random games what is drawn is what stands."""

import re
import unicodedata
from collections.abc import Iterator
from xml.etree import ElementTree as Xml

import pytest

from quadrille.client.picture.labyrinth import as_svg, as_text
from quadrille.rules.chance import Stream
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.games.maze import GAME, MazeState
from tests.rules.table import played

SVG = "{http://www.w3.org/2000/svg}"
Spot = tuple[int, int]


def two_by_two() -> Labyrinth:
    """From a2 to b2, down to b1, to a1."""
    state = played(GAME, {"size": 2}, "a2-b2 b2-b1 b1-a1")
    assert isinstance(state, MazeState)
    return state.labyrinth()


def random_mazes() -> Iterator[Labyrinth]:
    """Half drawn and finished ones of several sizes."""
    for size in (2, 3, 6, 11, 26):
        rng, state = Stream(str(size), "pictures"), GAME.start({"size": size})
        assert isinstance(state, MazeState)
        yield state.labyrinth()
        for ply in range(size * size - 1):
            if ply == size * size // 2:
                yield state.labyrinth()
            state = state.play(state.moves.sample(rng))
        yield state.labyrinth()


MAZES = tuple(random_mazes())


class TestText:
    def test_in_box_characters(self) -> None:
        assert as_text(two_by_two()).splitlines() == [
            "╶───────┐",
            "        │",
            "┌───╴   ╵",
            "│",
            "└───────╴",
        ]

    @pytest.mark.parametrize("maze", MAZES, ids=lambda maze: f"{maze.size}-{maze.finished}")
    def test_lines_meet_where_walls_meet(self, maze: Labyrinth) -> None:
        """What a box character joins is said by its name: LIGHT DOWN AND LEFT."""
        size = maze.size
        paper = [line.ljust(4 * size + 3) for line in ["", *as_text(maze).splitlines(), ""]]
        for line in range(1, 2 * size + 2, 2):
            for at in range(0, 4 * size + 1, 4):
                name = (
                    unicodedata.name(paper[line][at]).replace("VERTICAL", "UP DOWN").replace("HORIZONTAL", "LEFT RIGHT")
                )
                around = {
                    "UP": paper[line - 1][at] == "│",
                    "DOWN": paper[line + 1][at] == "│",
                    "LEFT": at > 0 and paper[line][at - 1] == "─",
                    "RIGHT": paper[line][at + 1] == "─",
                }
                assert {way for way, wall in around.items() if wall} == set(around) & set(name.split())

    @pytest.mark.parametrize("ascii", [True, False])
    @pytest.mark.parametrize("maze", MAZES, ids=lambda maze: f"{maze.size}-{maze.finished}")
    def test_it_can_be_walked_through(self, maze: Labyrinth, *, ascii: bool) -> None:
        """Over the blanks from the opening on the left to that on the right, once there is a way, and not before."""
        size = maze.size
        paper = [line.ljust(4 * size + 1) for line in as_text(maze, ascii=ascii).splitlines()]
        reached = walk(paper, (1, 0))
        assert paper[1][0] == paper[2 * size - 1][4 * size] == " "
        assert ((2 * size - 1, 4 * size) in reached) == maze.finished

    @pytest.mark.parametrize("maze", MAZES, ids=lambda maze: f"{maze.size}-{maze.finished}")
    def test_the_dots_lead_along_the_way(self, maze: Labyrinth) -> None:
        """They stand where blanks were, and each is two places from the one before: no wall is between."""
        plain, solved = (as_text(maze, solution=solution, ascii=True).splitlines() for solution in (False, True))
        assert [line.replace("*", " ").rstrip() for line in solved] == plain
        dots = [(line, at) for line, text in enumerate(solved) for at, sign in enumerate(text) if sign == "*"]
        assert len(dots) == 2 * len(maze.way) + maze.finished
        for dot in dots:
            neighbours = sum((dot[0] + down, dot[1] + across) in dots for down, across in STEPS)
            assert neighbours == (1 if dot in (dots[0], end(maze)) else 2)


#: From dot to dot: a square is two lines high with its wall, and four characters wide.
STEPS = ((0, -2), (0, 2), (-1, 0), (1, 0))


def end(maze: Labyrinth) -> Spot:
    """Where the dots end: in the last square of the way, or in the opening behind it."""
    column, row = maze.way[-1]
    return 2 * (maze.size - row) - 1, 4 * column + (4 if maze.finished else 2)


def walk(paper: list[str], start: Spot) -> set[Spot]:
    """Every blank that can be reached over blanks."""
    reached, ahead = {start}, [start]
    while ahead:
        line, at = ahead.pop()
        for near in ((line - 1, at), (line + 1, at), (line, at - 1), (line, at + 1)):
            inside = 0 <= near[0] < len(paper) and 0 <= near[1] < len(paper[0])
            if inside and near not in reached and paper[near[0]][near[1]] == " ":
                reached.add(near)
                ahead.append(near)
    return reached


class TestSvg:
    def test_two_by_two(self) -> None:
        """A square is 20 wide, and the paper goes 20 further on each side."""
        root = Xml.fromstring(as_svg(two_by_two(), solution=True))
        assert root.attrib["viewBox"] == "0 0 80 80"
        assert root.findtext(f"{SVG}title") == "A maze of 2 x 2 squares, with the way through"
        path, line = root.find(f"{SVG}path"), root.find(f"{SVG}polyline")
        assert path is not None
        assert line is not None
        assert path.attrib["d"] == "M20 60V40 M60 40V20 M20 60H60 M20 40H40 M20 20H60"
        assert line.attrib["points"] == "10,30 30,30 50,30 50,50 70,50"

    def test_a_way_that_is_not_finished_ends_in_a_knot(self) -> None:
        root = Xml.fromstring(as_svg(GAME.start({"size": 3}).labyrinth(), solution=True))
        knot = root.find(f"{SVG}circle")
        assert knot is not None
        assert (knot.attrib["cx"], knot.attrib["cy"]) == ("30", "30")
        assert root.findtext(f"{SVG}title") == "A maze of 3 x 3 squares, with the way as far as it goes"

    def test_it_has_the_light_and_the_dark_of_all_pictures(self) -> None:
        root = Xml.fromstring(as_svg(two_by_two(), solution=True))
        style = root.findtext(f"{SVG}style") or ""
        light, dark = style.split("@media (prefers-color-scheme:dark)")
        for kind in ("paper", "wall", "way"):
            shades = [re.search(rf"\.{kind}{{[^}}]*?(?:fill|stroke):(#\w+)", part) for part in (light, dark)]
            assert None not in shades and len({shade[1] for shade in shades if shade}) == 2, kind
        drawn = [node for node in root if node.tag in {SVG + name for name in ("rect", "path", "polyline")}]
        assert [node.get("class") for node in drawn] == ["paper", "way", "wall"]
        assert not [node for node in drawn if {"fill", "stroke", "style"} & set(node.attrib)]

    @pytest.mark.parametrize("solution", [True, False])
    @pytest.mark.parametrize("maze", MAZES, ids=lambda maze: f"{maze.size}-{maze.finished}")
    def test_it_needs_nothing_beside_it_and_has_no_size_of_its_own(self, maze: Labyrinth, *, solution: bool) -> None:
        text = as_svg(maze, solution=solution)
        root = Xml.fromstring(text)
        side = 20 * maze.size + 40
        assert root.tag == f"{SVG}svg"
        assert root.attrib == {"viewBox": f"0 0 {side} {side}", "role": "img"}
        assert {node.tag for node in root} <= {
            SVG + name for name in ("title", "style", "rect", "path", "polyline", "circle")
        }
        assert not re.search("href|url|@import|script|<!|&", text)
        assert (root.find(f"{SVG}polyline") is not None) == solution
        assert (root.find(f"{SVG}circle") is not None) == (solution and not maze.finished)

    @pytest.mark.parametrize("maze", MAZES, ids=lambda maze: f"{maze.size}-{maze.finished}")
    def test_it_has_the_walls_that_stand(self, maze: Labyrinth) -> None:
        size = maze.size
        standing = [
            ((x, size - row), (x, size - row - 1))
            for x, walls in enumerate(maze.upright)
            for row, stands in enumerate(walls)
            if stands
        ]
        standing += [
            ((column, size - y), (column + 1, size - y))
            for y, walls in enumerate(maze.level)
            for column, stands in enumerate(walls)
            if stands
        ]
        path = Xml.fromstring(as_svg(maze)).find(f"{SVG}path")
        assert path is not None
        assert sorted(unit_walls(path.attrib["d"])) == sorted(standing)


def unit_walls(path: str) -> Iterator[tuple[Spot, Spot]]:
    """The walls of a path, one square long each, in squares from the upper left corner of the maze."""
    strokes = re.findall(r"M(\d+) (\d+)([HV])(\d+)", path)
    assert path == " ".join(f"M{x} {y}{way}{to}" for x, y, way, to in strokes)
    for x, y, way, to in strokes:
        across, down, far = (int(number) // 20 - 1 for number in (x, y, to))
        if way == "H":
            yield from (((at, down), (at + 1, down)) for at in range(across, far))
        else:
            yield from (((across, at), (across, at - 1)) for at in range(down, far, -1))
