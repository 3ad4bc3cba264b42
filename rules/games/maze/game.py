"""Maze: draw a maze together, segment by segment, and bet on the number of its dead ends.

Rules for players: page.md. Notation: docs/protocols/games.md, "Notation". The board decides the game;
rules/drawing/labyrinth.py is the resulting maze.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Self

from quadrille.rules import options as option
from quadrille.rules.core import WHOLE, Face, Figures, Game, Lesson, Move, Plain, Preset, State, panels
from quadrille.rules.core.talk import Consequence, counted
from quadrille.rules.drawing.labyrinth import Labyrinth, labyrinth
from quadrille.rules.errors import Ambiguous, BadNotation
from quadrille.rules.games.maze.board import MazeBoard
from quadrille.rules.games.maze.search import SearchedMaze
from quadrille.rules.options import Options
from quadrille.rules.scene import Mark, Scene, Sheet, cell, link, mark
from quadrille.rules.squares import Grid, Square, clean, grid, quoted

#: The four directions of a move in the order of squares, as its number on the board counts them.
STEPS: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))
_SEGMENT: Final = re.compile(r"(?:([a-z][0-9]+)-?)?([a-z][0-9]+)")


@dataclass(frozen=True, slots=True)
class Segment(Move):
    """A seat draws a segment from a taken square to an untaken one next to it: `a6-b6`."""

    start: Square
    end: Square

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"


@lru_cache(maxsize=64)
def _segments(size: int) -> tuple[Segment, ...]:
    """List a segment for each number of the board; those that leave the sheet are never used."""
    return tuple(
        Segment(square, Square(square.column + columns, square.row + rows))
        for square in grid(size, size).squares
        for columns, rows in STEPS
    )


@lru_cache(maxsize=64)
def _numbers(size: int) -> dict[Segment, int]:
    """Return the number of every segment between two squares of the sheet."""
    on_sheet = grid(size, size).number
    return {segment: code for code, segment in enumerate(_segments(size)) if on_sheet(segment.end) is not None}


@dataclass(frozen=True, slots=True)
class MazeOptions(Options):
    """The options of Maze."""

    size: int = option.number(6, 2, 26, "rows and columns; the inventor suggests at least 6")


class MazeState(State[MazeBoard, Segment]):
    """A position of Maze."""

    __slots__ = ()

    kinds = (Segment,)

    @property
    def sheet(self) -> Grid:
        """The squares by name and number."""
        return grid(self.options.size, self.options.size)

    def move(self, code: int) -> Segment:
        return _segments(self.options.size)[code]

    def code(self, move: Segment) -> int | None:
        """Return the number of a segment between two neighbours on the sheet."""
        return _numbers(self.options.size).get(move)

    @property
    def step_numbers(self) -> Sequence[int]:
        """The segments between two squares of the sheet: the board's numbers have gaps at its edges."""
        return tuple(_numbers(self.options.size).values())

    @property
    def longest(self) -> int:
        """Each segment takes a square."""
        return int(self.board.squares) - 1

    @property
    def symmetries(self) -> tuple[Mapping[int, int], ...]:
        """The diagonal through the first square is a mirror."""
        numbers, last = _numbers(self.options.size), self.options.size - 1

        def mirrored(square: Square) -> Square:
            return Square(last - square.row, last - square.column)

        images = {n: numbers[Segment(mirrored(move.start), mirrored(move.end))] for move, n in numbers.items()}
        return (*super().symmetries, images)

    def reason(self, move: Segment) -> str:
        """Explain what forbids a segment: the target must be untaken; the start must be the last target if possible,
        else a taken square next to the target.
        """
        board, sheet = self.board, self.sheet
        start, end = sheet.number(move.start), sheet.number(move.end)
        if start is None or end is None:
            off = move.start if start is None else move.end
            return f"{off} is off the sheet: its squares go from a1 to {sheet.names[-1]}"
        if board.room[end] >= 0:
            return f"{move.end} is taken already: a segment goes to an untaken square"
        if must := self.forced_start():
            if move.start == must:
                return f"{move.end} is not next to {must}, where the segment must start"
            if board.plies == 0:
                return f"the first segment starts from the upper left square, {must}"
            return f"the segment must start from {must}: the last move took it, and it has an untaken neighbour"
        if board.room[start] < 0:
            return f"{move.start} is not taken: a segment starts from a taken square"
        if all(board.room[near] < 0 for near in sheet.beside[end]):
            return f"no taken square is next to {move.end}"
        return f"{move.end} is not next to {move.start}"

    def forced_start(self) -> Square | None:
        """Return the forced start of the next segment; None if there is a choice, or nothing left to draw."""
        last = self.board.last
        return self.sheet.squares[last] if self.board.room[last] > 0 else None

    def drawn(self) -> tuple[Segment, ...]:
        """Return the segments in the order they were drawn; the seats took turns."""
        return tuple(self.move(code) for code in self.board.segments[: self.board.plies])

    def labyrinth(self) -> Labyrinth:
        return labyrinth(self.options.size, ((segment.start, segment.end) for segment in self.drawn()))

    def figures(self) -> Figures:
        """Return X's, segments drawn, segments left."""
        board = self.board
        return {"crosses": board.crosses, "drawn": board.plies, "left": board.squares - 1 - board.plies}

    def ending(self) -> str:
        crosses = self.board.crosses
        return f"every square is taken, and the number of X's, {crosses}, is {'odd' if crosses % 2 else 'even'}"

    def story(self, move: Segment, faces: Sequence[Face], after: Self) -> tuple[Consequence, ...]:
        """Tell the X's of a segment: on the square that it takes, and on those that it leaves without a way on."""
        made, crosses = after.board.crosses - self.board.crosses, after.board.crosses
        if not made:
            return ()
        parity = "odd" if crosses % 2 else "even"
        return (Consequence(self.board.turn, "make", f"{counted(made, 'X')}: {crosses} now, an {parity} number"),)

    def plain(self) -> Plain:
        """Return the turn, and the segments in the order they were drawn, by their numbers."""
        board = self.board
        return (board.turn, tuple(board.segments[: board.plies]))

    def scene(self) -> Scene:
        """Draw the taken squares, the segments between them by who drew them, and the X's."""
        board, size, names = self.board, self.options.size, self.sheet.names
        drawn = [(code // len(STEPS), board.goal[code]) for code in board.segments[: board.plies]]
        started_from = {start for start, _ in drawn}
        fresh = drawn[-1][1] if drawn else None
        cells = tuple(
            cell(name, self._marks(square, dead_end=square not in started_from), square == fresh)
            for square, name in enumerate(names)
        )
        links = tuple(link(names[start], names[end], ply % 2) for ply, (start, end) in enumerate(drawn))
        paper = Sheet(size, size, cells, links)
        return Scene(self.game.key, panels(self), paper, notes=self._notes())

    def _marks(self, number: int, *, dead_end: bool) -> tuple[Mark, ...]:
        room = self.board.room[number]
        if room < 0:
            return ()
        if number == self.options.size - 1:  # "The upper left square never has one."
            return (mark("start", "o"),)
        return (mark("cross", "X") if dead_end and room == 0 else mark("taken", "o"),)

    def _notes(self) -> tuple[str, ...]:
        board = self.board
        counted = f"Segments drawn: {board.plies}, left: {board.squares - 1 - board.plies}; X's: {board.crosses}"
        if not self.moves:
            return (counted,)
        start = self.forced_start() or "any taken square with an untaken neighbour"
        return (counted, f"The next segment starts from {start}")


class Maze(Game[MazeOptions, Segment]):
    """The game of segments and dead ends."""

    key = "maze"
    title = "Maze"
    seats = range(2, 3)
    usual_seats = 2
    roles = ("odd X's", "even X's")
    credit = "Leroy Quet, 2008"
    Options = MazeOptions
    lesson = Lesson(
        "One player wants an odd number of dead ends, one an even.",
        (
            "A square gets an X if it has no free neighbour when it is taken.",
            "Your rival goes on from the square that you take, so you choose where.",
            "After an X the next player may start from any square that still has a way on.",
        ),
        {"size": 5},
        minutes=(4, 8),
        age=7,
    )
    presets: ClassVar = {"starter": Preset(lesson.options, "a small sheet to learn on")}
    ties = False

    def _start(self, options: MazeOptions, seats: int) -> MazeState:
        return MazeState(self, options, SearchedMaze(options.size), WHOLE)

    def parse(self, text: object, state: MazeState) -> Segment:
        """Read two squares, with or without the dash; or only the second if there is only one start next to it."""
        words = clean(text)
        found = _SEGMENT.fullmatch(words.replace(" ", ""))
        if found is None:
            corner = state.sheet.squares[state.options.size - 1]
            example = f"write two squares, such as {corner}-b{corner.row + 1}, or only the one it goes to"
            raise BadNotation(f"{quoted(words)} is no segment: {example}")
        end = state.sheet.read(found[2])
        if found[1] is not None:
            return Segment(state.sheet.read(found[1]), end)
        starts = [segment.start for segment in state.moves if segment.end == end]
        if len(starts) > 1:
            named = ", ".join(map(str, starts[:-1])) + f" and {starts[-1]}"
            raise Ambiguous(f"{end} can be reached from {named}: write where the segment starts, {starts[0]}-{end}")
        # No start is possible: any will do for the refusal, best the one that people look at.
        return Segment(starts[0] if starts else state.sheet.squares[state.board.last], end)


GAME = Maze()
