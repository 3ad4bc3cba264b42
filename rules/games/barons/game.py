"""Barons: claim squares, and score for connections.

Rules for players: page.md. Notation: docs/protocols/games.md, "Notation". The board decides the game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

from quadrille.rules import options as option
from quadrille.rules.arrays import array
from quadrille.rules.core import WHOLE, Face, Figures, Game, Lesson, Move, Plain, Preset, State, panels
from quadrille.rules.core.talk import Consequence, Criterion, counted
from quadrille.rules.errors import BadSeats
from quadrille.rules.games.barons.board import UNCLAIMED, BaronsBoard
from quadrille.rules.games.barons.search import SearchedBarons
from quadrille.rules.options import Options
from quadrille.rules.scene import Scene, Sheet, cell, link, mark
from quadrille.rules.squares import LETTERS, Square, clean, grid


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """A seat claims an unclaimed square: `e4`."""

    square: Square

    def __str__(self) -> str:
        return str(self.square)


@lru_cache(maxsize=64)
def _claims(width: int, height: int) -> tuple[Claim, ...]:
    return tuple(Claim(square) for square in grid(width, height).squares)


@dataclass(frozen=True, slots=True)
class BaronsOptions(Options):
    """The options of Barons."""

    width: int = option.number(5, 2, 26, "columns of the board: places")
    height: int = option.number(8, 2, 26, "rows of the board: steps of production")
    horizontal: int = option.number(2, 0, 100, "points for two squares side by side", "row pair")
    vertical: int = option.number(2, 0, 100, "points for two squares one above the other", "column pair")
    row_bonus: int = option.number(40, 0, 1000, "points for a whole row")
    column_bonus: int = option.number(10, 0, 1000, "points for a whole column")
    end: str = option.choice(("equal-turns", "full"), "stop when all had as many turns, or at the last square")


class BaronsState(State[BaronsBoard, Claim]):
    """A position of Barons."""

    __slots__ = ()

    kinds = (Claim,)

    def move(self, code: int) -> Claim:
        return _claims(self.options.width, self.options.height)[code]

    def code(self, move: Claim) -> int | None:
        return grid(self.options.width, self.options.height).number(move.square)

    @property
    def longest(self) -> int:
        """Each claim takes a square."""
        return int(self.board.squares)

    @property
    def symmetries(self) -> tuple[Mapping[int, int], ...]:
        """The mirror images left to right, and top to bottom."""
        squares, last = grid(self.options.width, self.options.height).squares, len(self.step_numbers) - 1
        top = self.options.height - 1
        mirrored = {q: q + top - 2 * square.row for q, square in enumerate(squares)}
        turned = {q: last - q for q in self.step_numbers}
        return (*super().symmetries, mirrored, turned, {q: turned[image] for q, image in mirrored.items()})

    def lists(self, code: int) -> bool:
        """Ask the board's index, without a search of the list."""
        return self.board.has(code)

    def reason(self, move: Claim) -> str:
        """Explain that only an unclaimed square of the board can be claimed."""
        code = self.code(move)
        if code is None:
            return f"{move} is off the board: its last square is {self.move(self.board.squares - 1)}"
        if self.board.owner[code] == self.board.turn:
            return f"{move} is yours already: a square can't be claimed twice"
        return f"{move} belongs to player {self.board.owner[code] + 1}: nothing is ever taken over"

    def figures(self) -> Figures:
        """Return points, connections of both kinds together, whole rows, whole columns."""
        board = self.board
        return {
            "points": tuple(board.score(seat) for seat in range(self.seats)),
            "connections": tuple(across + up for across, up in zip(board.horizontals, board.verticals, strict=True)),
            "rows": tuple(board.rows),
            "columns": tuple(board.columns),
        }

    def ending(self) -> str:
        left = self.board.free
        if left == 0:
            return "every square is claimed"
        squares = "1 square is" if left == 1 else f"{left} squares are"
        return f"{squares} left, too few for another round of {self.board.seats_in} players"

    def criteria(self, seat: int) -> tuple[Criterion, ...]:
        """Return the points. "Most points; equal points share the place." """
        return (Criterion(self.board.score(seat), "points"),)

    def story(self, move: Claim, faces: Sequence[Face], after: Self) -> tuple[Consequence, ...]:
        """Tell of the connections, and of the whole row or column, of a claim."""
        seat, here, then, prices = self.board.turn, self.board, after.board, self.board.prices
        across, up = then.horizontals[seat] - here.horizontals[seat], then.verticals[seat] - here.verticals[seat]
        consequences = []
        if points := across * prices[0] + up * prices[1]:
            consequences.append(Consequence(seat, "score", f"{points} for {counted(across + up, 'connection')}"))
        if then.rows[seat] > here.rows[seat] and prices[2]:
            consequences.append(Consequence(seat, "score", f"{prices[2]} for the whole of row {move.square.row + 1}"))
        if then.columns[seat] > here.columns[seat] and prices[3]:
            consequences.append(
                Consequence(seat, "score", f"{prices[3]} for the whole of column {LETTERS[move.square.column]}")
            )
        return tuple(consequences)

    def plain(self) -> Plain:
        return (self.board.turn, tuple(self.board.owner))

    def scene(self) -> Scene:
        """Draw the board with every seat's claims and the lines between them."""
        board, sheet = self.board, grid(self.options.width, self.options.height)
        fresh = board.moves[board.free] if board.free < board.squares else None
        cells = tuple(
            cell(sheet.names[q], () if owner == UNCLAIMED else (mark("claim", "", owner),), q == fresh)
            for q, owner in enumerate(board.owner)
        )
        links = tuple(
            link(sheet.names[q], sheet.names[other], owner)
            for q, owner in enumerate(board.owner)
            for other in sheet.beside[q]
            if owner != UNCLAIMED and other > q and board.owner[other] == owner
        )
        return Scene(self.game.key, panels(self), Sheet(sheet.width, sheet.height, cells, links))


class Barons(Game[BaronsOptions, Claim]):
    """The game of rows and columns."""

    key = "barons"
    title = "Barons"
    seats = range(2, 9)
    usual_seats = 4
    credit = (
        "from a weblog post of 2016 that gave the game no name; its author asks for a share of any money made with it"
    )
    Options = BaronsOptions
    lesson = Lesson(
        "Join squares of yours in pairs; a whole row scores most.",
        (
            "A square next to one of yours makes a pair at once.",
            "A whole row, five squares side by side, wins most games: begin one where nobody else is.",
            "Step into a row that only one rival has begun, before it is whole: nobody else may do it.",
        ),
        {"height": 6},
        minutes=(7, 13),
        age=7,
    )
    presets: ClassVar = {
        "starter": Preset(lesson.options, "a small board to learn on"),
        "rockefeller": Preset({"horizontal": 3}, "3 points for two squares side by side: a row of 10 makes 27 then"),
        "inventor": Preset({"width": 10, "height": 10}, "the inventor's board"),
    }

    def _start(self, options: BaronsOptions, seats: int) -> BaronsState:
        prices = array((options.horizontal, options.vertical, options.row_bonus, options.column_bonus))
        board = SearchedBarons(seats, options.width, options.height, prices, full=options.end == "full")
        return BaronsState(self, options, board, WHOLE)

    def parse(self, text: object, state: BaronsState) -> Claim:
        return Claim(grid(state.options.width, state.options.height).read(clean(text).replace(" ", "")))

    def check(self, options: BaronsOptions, seats: int) -> None:
        """Refuse a board without a square for every seat."""
        if seats > options.width * options.height:
            raise BadSeats(f"{seats} players can't each claim one of {options.width * options.height} squares")

    def advice(self, options: BaronsOptions, seats: int) -> tuple[str, ...]:
        """Warn of a poor game."""
        squares = options.width * options.height
        more = squares % seats if options.end == "full" else 0
        sentences = []
        if seats in (options.width, options.height):
            sentences.append("as many players as rows or columns makes a dull game: the inventor advises against it")
        if more:
            first = "player 1 gets" if more == 1 else f"the first {more} of {seats} players get"
            sentences.append(f"played to the last square, {first} one square more")
        elif squares < 2 * seats:
            sentences.append("every player gets one square only")
        if seats == 2 and squares % 2 == 0:
            sentences.append(
                "with two players on an even number of squares the second can always tie by turning the board round"
            )
        return tuple(sentences)


GAME = Barons()
