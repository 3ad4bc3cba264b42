"""A whole game in one file, to be copied (quadrille docs add-a-game). This one is on no menu.

It is Chomp: a bar of chocolate, the square a1 is poisoned, a bite takes a square and all that is above it, to its
right, or both; the player who bites off a1 has lost. The contract of each method is in rules/core/__init__.py and
rules/board.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

from quadrille.rules import options as option
from quadrille.rules.arrays import array, filled
from quadrille.rules.board import Board
from quadrille.rules.core import WHOLE, Figures, Game, Lesson, Move, Plain, Preset, State, panels
from quadrille.rules.ints import i64, vec
from quadrille.rules.options import Options
from quadrille.rules.patterns.keys import mixed, mixed_all
from quadrille.rules.scene import Scene, Sheet, cell, mark
from quadrille.rules.squares import Grid, Square, clean, grid


class ChompBoard(Board):
    """The state of the game: `eaten[q]` is 0 while square q is there, else the number of the bite that took it.

    Squares are numbered column by column, and a move is the number of the bitten square. Each bite takes at least one
    square, so a game has `squares` moves at most.
    """

    __slots__ = ("eaten", "height", "squares")

    eaten: vec[i64]

    def __init__(self, width: i64, height: i64) -> None:
        super().__init__(2, width * height)
        self.height = height
        self.squares = width * height
        self.reset()

    def reset(self) -> None:
        """Put back the whole bar."""
        self.start_over()
        self.eaten = filled(self.squares, 0)

    def copy(self) -> Self:
        """Copy the position: mutable parts are copied, others are shared."""
        twin = self.twin()
        twin.height = self.height
        twin.squares = self.squares
        twin.moves = filled(self.squares, 0)
        twin.become(self)
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another bar of the same size: search does it once for each game it plays."""
        assert isinstance(other, ChompBoard)
        self.stand_as(other)
        self.eaten = other.eaten[:]

    def legal(self) -> i64:
        """List every square that is still there."""
        if self.ended:
            return 0
        count = 0
        for square, bite in enumerate(self.eaten):
            if bite == 0:
                self.moves[count] = square
                count += 1
        return count

    def apply(self, move: i64) -> None:
        """Bite off a square and all that is above it, to its right, or both."""
        self.plies += 1
        self.turn = 1 - self.turn
        for square in self.corner(move):
            if self.eaten[square] == 0:
                self.eaten[square] = self.plies
        self.ended = move == 0

    def undo(self) -> None:
        """Put the last bite back."""
        for square in range(self.squares):
            if self.eaten[square] == self.plies:
                self.eaten[square] = 0
        self.plies -= 1
        self.turn = 1 - self.turn
        self.ended = False

    def key(self) -> i64:
        """Mix whose turn it is and which squares are there."""
        return mixed_all(mixed(0, self.turn), array([min(bite, 1) for bite in self.eaten]))

    def corner(self, move: i64) -> list[i64]:
        """List the squares of a bite at this one, eaten already or not."""
        row = move % self.height
        return [square for square in range(move, self.squares) if square % self.height >= row]

    def compare(self, seat: i64, other: i64) -> i64:
        """Compare the seats: the one that bites off a1 has lost; before that nobody is ahead."""
        if self.eaten[0] == 0:
            return 0
        return 1 if seat == self.turn else -1

    # For programs that learn; a game works without

    def shape(self) -> vec[i64]:
        """Return the number of planes, the width and the height."""
        return array((2, self.squares // self.height, self.height))

    def observe(self, seat: i64) -> vec[i64]:
        """Return two planes: 0 for squares still there, 1 for the seat to move."""
        there = [1 - min(bite, 1) for bite in self.eaten]
        return array([*there, *filled(self.squares, 1 if self.turn == seat else 0)])


@dataclass(frozen=True, slots=True)
class Bite(Move):
    """A seat bites the bar at a square: `c2`."""

    square: Square

    def __str__(self) -> str:
        return str(self.square)


@dataclass(frozen=True, slots=True)
class ChompOptions(Options):
    """The options of the game: the command line, the dialogs and the documentation are made from this."""

    width: int = option.number(5, 2, 26, "squares of the bar from left to right")
    height: int = option.number(4, 2, 26, "squares of the bar from bottom to top")


def _sheet(options: ChompOptions) -> Grid:
    return grid(options.width, options.height)


@lru_cache(maxsize=64)
def _bites(options: ChompOptions) -> tuple[Bite, ...]:
    """List every bite by the number of its square."""
    return tuple(map(Bite, _sheet(options).squares))


class ChompState(State[ChompBoard, Bite]):
    """A board for people and programs: texts, reasons, figures, a picture."""

    __slots__ = ()

    kinds = (Bite,)

    def move(self, code: int) -> Bite:
        return _bites(self.options)[code]

    def code(self, move: Bite) -> int | None:
        return _sheet(self.options).number(move.square)

    def reason(self, move: Bite) -> str:
        """Explain that only an uneaten square can be bitten."""
        if self.code(move) is None:
            return f"{move} is off the bar: its last square is {self.move(self.board.squares - 1)}"
        return f"{move} is eaten already"

    def figures(self) -> Figures:
        return {"squares": list(self.board.eaten).count(0)}

    def ending(self) -> str:
        return f"player {2 - self.board.turn} bit off the poisoned square"

    def plain(self) -> Plain:
        """Return the turn, and the bite that took each square."""
        return (self.board.turn, tuple(self.board.eaten))

    def scene(self) -> Scene:
        """Draw the rest of the bar; the squares of the last bite are fresh."""
        board, sheet = self.board, _sheet(self.options)
        cells = tuple(
            cell(name, () if bite else (mark("chocolate", "#" if square else "!"),), bite > 0 and bite == board.plies)
            for square, (name, bite) in enumerate(zip(sheet.names, board.eaten, strict=True))
        )
        return Scene(self.game.key, panels(self), Sheet(sheet.width, sheet.height, cells))

    @property
    def longest(self) -> int:
        """Each bite takes at least one square."""
        return int(self.board.squares)

    # For programs that learn; a game works without

    @property
    def symmetries(self) -> tuple[Mapping[int, int], ...]:
        """A square bar can be turned about its diagonal."""
        side = self.options.height
        turned = {} if side != self.options.width else {q: q % side * side + q // side for q in self.step_numbers}
        return (*super().symmetries, turned) if turned else super().symmetries


class Chomp(Game[ChompOptions, Bite]):
    """The game before anybody sits down."""

    key = "chomp"
    title = "Chomp"
    seats = range(2, 3)
    usual_seats = 2
    lesson = Lesson(
        "Leave the last square of the bar to the other player.",
        ("A bite takes all squares to the right and above it, too.",),
        {"width": 4, "height": 3},
    )
    credit = "Frederik Schuh, 1952; as a bar of chocolate David Gale, 1974"
    Options = ChompOptions
    presets: ClassVar = {"square": Preset({"width": 4, "height": 4}, "a square bar: bite b2, then copy every bite")}

    def _start(self, options: ChompOptions, seats: int) -> ChompState:
        return ChompState(self, options, ChompBoard(options.width, options.height), WHOLE)

    def parse(self, text: object, state: ChompState) -> Bite:
        return Bite(_sheet(state.options).read(clean(text).replace(" ", "")))


GAME = Chomp()
