"""Dollar Draw: claim squares, turn the other's into dollars, and capture those.

Rules for players: page.md. Notation: docs/protocols/games.md, "Notation". The board decides the
game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Self

from quadrille.rules import options as option
from quadrille.rules.core import WHOLE, Face, Figures, Game, Lesson, Move, Plain, Preset, State, panels
from quadrille.rules.core.talk import Consequence, Criterion, counted
from quadrille.rules.games.dollar_draw.board import BLANK, BORDER, CAPTURED, CLAIMED, DOLLAR, DollarDrawBoard
from quadrille.rules.games.dollar_draw.search import SearchedDollarDraw
from quadrille.rules.options import Options
from quadrille.rules.scene import Mark, Scene, Sheet, cell, mark
from quadrille.rules.squares import Square, clean, grid

#: The signs of a square's contents, and their owner.
DRAWN: Final[dict[int, tuple[Mark, ...]]] = {
    BLANK: (),
    DOLLAR: (Mark("dollar", "$"),),
    CLAIMED: (Mark("claim", "||", 0),),
    CLAIMED + 1: (Mark("claim", "S", 1),),
    CAPTURED: (Mark("dollar", "[$]", 0),),
    CAPTURED + 1: (Mark("dollar", "($)", 1),),
}


@dataclass(frozen=True, slots=True)
class Stroke(Move):
    """A seat draws its mark, a box or a circle in a square next to its token, and moves the token there: `c4`."""

    square: Square

    def __str__(self) -> str:
        return str(self.square)


@lru_cache(maxsize=64)
def _strokes(width: int, height: int) -> dict[int, Stroke]:
    """List every stroke on a grid of that size, by its number on the board, which has a border."""
    return {(square.column + 1) * (height + 1) + square.row: Stroke(square) for square in grid(width, height).squares}


@dataclass(frozen=True, slots=True)
class DollarDrawOptions(Options):
    """The options of Dollar Draw."""

    width: int = option.number(7, 2, 26, "columns of the grid")
    height: int = option.number(7, 2, 26, "rows of the grid")


class DollarDrawState(State[DollarDrawBoard, Stroke]):
    """A position of Dollar Draw."""

    __slots__ = ()

    kinds = (Stroke,)

    def move(self, code: int) -> Stroke:
        return _strokes(self.options.width, self.options.height)[code]

    def code(self, move: Stroke) -> int | None:
        """Return the number of the square that is altered, on the board."""
        square, height = move.square, self.options.height
        inside = grid(self.options.width, height).number(square) is not None
        return (square.column + 1) * (height + 1) + square.row if inside else None

    @property
    def step_numbers(self) -> Sequence[int]:
        """The squares: the board's numbers have gaps at its border."""
        return tuple(_strokes(self.options.width, self.options.height))

    @property
    def longest(self) -> int:
        """The board tells how often a square is altered."""
        return 3 * len(self.step_numbers) - 2

    @property
    def symmetries(self) -> tuple[Mapping[int, int], ...]:
        """On a square grid the diagonal through both tokens' corners is a mirror."""
        if self.options.width != self.options.height:
            return super().symmetries
        numbers, stride = self.step_numbers, self.options.height + 1
        return (*super().symmetries, {n: (n % stride + 1) * stride + n // stride - 1 for n in numbers})

    def reason(self, move: Stroke) -> str:
        """Explain that the square's contents forbid it for good, or the tokens do now, or the Tally."""
        board, sheet = self.board, grid(self.options.width, self.options.height)
        square, seat = self.code(move), board.turn
        token, other = board.tokens[seat], board.tokens[1 - seat]
        if square is None:
            return f"{move} is off the grid: its last square is {sheet.names[-1]}"
        if board.holds[square] >= CAPTURED:
            return f"{move} is a captured dollar: it is out of play"
        if board.holds[square] == CLAIMED + seat:
            return f"{move} is yours already: a square can't be claimed twice"
        if square == other:
            return f"the other token stands on {move}"
        if square == token:
            return f"your own token stands on {move}: you alter a square next to it"
        if square - token not in board.steps:
            return f"{move} is not next to your token on {self.move(token)}"
        own, theirs = self._tally(token, seat)
        carry = "carries" if own == 1 else "carry"
        return (
            f"you can't reclaim {move}: of the squares around your token {own} {carry} your mark"
            f" and {theirs} your opponent's, and the opponent needs more"
        )

    def figures(self) -> Figures:
        """Return captured dollars, squares with a seat's mark alone, and who moved last (before any move: S)."""
        board = self.board
        return {
            "captured": tuple(board.captured),
            "claimed": tuple(board.claimed),
            "last_mover": board.last_mover(),
        }

    def ending(self) -> str:
        return f"player {self.board.turn + 1} has no legal move"

    def criteria(self, seat: int) -> tuple[Criterion, ...]:
        """Return the criteria. "More captured dollars; more claimed squares; having made the last legal move." """
        board = self.board
        return (
            Criterion(board.captured[seat], "captured dollars"),
            Criterion(board.claimed[seat], "claimed squares"),
            Criterion(int(board.last_mover() == seat), "the last legal move", is_count=False),
        )

    def story(self, move: Stroke, faces: Sequence[Face], after: Self) -> tuple[Consequence, ...]:
        """Tell of a mark turned into a dollar, or of a captured dollar; a claim is visible anyway."""
        seat, square = self.board.turn, self.code(move)
        if after.board.captured[seat] > self.board.captured[seat]:
            return (
                Consequence(seat, "capture", f"the dollar on {move}: {counted(after.board.captured[seat], 'dollar')}"),
            )
        if square is not None and after.board.holds[square] == DOLLAR:
            return (Consequence(seat, "turn", f"{{whose}} mark on {move} into a dollar", 1 - seat),)
        return ()

    def plain(self) -> Plain:
        """Return whose turn it is, what every square holds, and where the tokens stand."""
        board = self.board
        inside = [held for held in board.holds if held != BORDER]
        height = self.options.height
        tokens = [token - height - token // (height + 1) for token in board.tokens]
        return (board.turn, tuple(inside), tuple(tokens))

    def _tally(self, token: int, seat: int) -> tuple[int, int]:
        """Count the squares around a token that hold the seat's own mark, and those that hold the other's."""
        tally = self.board.tally(token)
        own, theirs = (tally >> 4 * (CLAIMED + whose) & 15 for whose in (seat, 1 - seat))
        return own, theirs

    def scene(self) -> Scene:
        """Draw the grid with its marks and the two tokens."""
        board, sheet = self.board, grid(self.options.width, self.options.height)
        fresh = board.tokens[board.last_mover()] if board.plies else None
        cells = tuple(
            cell(str(stroke), DRAWN[board.holds[square]] + self._tokens_on(square), square == fresh)
            for square, stroke in _strokes(sheet.width, sheet.height).items()
        )
        sheet_drawn = Sheet(sheet.width, sheet.height, cells)
        return Scene(self.game.key, panels(self), sheet_drawn, notes=self._notes())

    def _tokens_on(self, square: int) -> tuple[Mark, ...]:
        tokens = self.board.tokens
        return tuple(mark("token", "", seat) for seat in range(2) if tokens[seat] == square)

    def _notes(self) -> tuple[str, ...]:
        """Note the Tally of the seat to move, to save counting."""
        board = self.board
        if not self.moves:
            return ()
        seat = board.turn
        own, theirs = self._tally(board.tokens[seat], seat)
        may = "may reclaim" if theirs > own else "no reclaiming"
        return (f"Tally of player {seat + 1}: {own} own, {theirs} of the other: {may}",)


class DollarDraw(Game[DollarDrawOptions, Stroke]):
    """The game of bars, S's and dollars."""

    key = "dollar-draw"
    title = "Dollar Draw"
    seats = range(2, 3)
    usual_seats = 2
    worths: ClassVar = (("dollar", 8), ("square", 1))
    credit = "columbine of Eccentric Flower, 2002"
    Options = DollarDrawOptions
    lesson = Lesson(
        "Capture more dollars than the other player.",
        (
            "You make a dollar by reclaiming a square of the other player's.",
            "Reclaim where your own token keeps the other player away from the new dollar.",
            "If you can't move, the game ends. Keep a way out while you are behind.",
        ),
        {"width": 5, "height": 5},
        minutes=(6, 12),
        age=8,
    )
    presets: ClassVar = {
        "starter": Preset(lesson.options, "a small grid to learn on"),
        "match": Preset({"width": 9, "height": 9}, "a larger grid for a long game"),
        "inventor": Preset({"width": 10, "height": 10}, "the inventor's grid; the second player can force a win"),
    }
    ties = False

    def _start(self, options: DollarDrawOptions, seats: int) -> DollarDrawState:
        return DollarDrawState(self, options, SearchedDollarDraw(options.width, options.height), WHOLE)

    def parse(self, text: object, state: DollarDrawState) -> Stroke:
        return Stroke(grid(state.options.width, state.options.height).read(clean(text).replace(" ", "")))

    def advice(self, options: DollarDrawOptions, seats: int) -> tuple[str, ...]:
        """Warn of a set-up that favours one side."""
        if options.width * options.height % 2:
            return ()
        return (
            "on an even number of squares the second player can win by answering each move with the one turned by"
            " 180 degrees: an odd number, as usual, leaves no such answer",
        )


GAME = DollarDraw()
