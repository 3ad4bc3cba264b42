"""A learned evaluation: the weights of a game's windows, and the boards that use them (extras/lab/docs/learned.md).

An evaluation belongs to one game with its options and number of seats. files.py writes and reads evaluations, and
training.py makes them. Nothing here knows a game or a file.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from quadrille.extras.lab.learned.windows import LearnedSheet, Windows, windows
from quadrille.rules.board import Board
from quadrille.rules.core import State
from quadrille.rules.errors import RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.options import Options
from quadrille.rules.patterns.sums import Patterns
from quadrille.rules.registry import games

#: Maximum number of contents of a window: 12 squares of 3 faces have half as many.
MOST_CONTENTS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Weights, in units of a POINT, that were learned in so many `games` with that seed."""

    game: str
    options: Options
    seats: int
    seed: int
    games: int
    weights: vec[i64]

    @property
    def digest(self) -> str:
        """The SHA-256 of its file, in hexadecimal."""
        from quadrille.extras.lab.learned.files import written

        return hashlib.sha256(written(self)).hexdigest()

    def board(self, state: State[Any, Any]) -> Board:
        """The board of a position, with these weights."""
        return patterned(state, self.weights)


def windows_of(state: State[Any, Any]) -> Windows:
    """The windows of a game's sheet; a refusal if the game has none, or the sheet has not the size for them."""
    if not len(state.board.sheet()):
        raise RulesError(
            f"{state.game.title} can't be learned: weights add up points on a sheet of squares that everybody sees. "
            f"Games that can be learned: {', '.join(learnable())}"
        )
    sheet = LearnedSheet.of(state.board)
    sides = [(min(shape), max(shape)) for shape in sheet.shapes]
    if not any(low <= min(sheet.columns, sheet.rows) and high <= max(sheet.columns, sheet.rows) for low, high in sides):
        raise RulesError(
            f"no window of {state.game.title} fits {sheet.columns} x {sheet.rows} squares: take a larger board"
        )
    if any(sheet.faces ** (width * height) > MOST_CONTENTS for width, height in sheet.shapes):
        raise RulesError(
            f"{state.game.title} can't be learned on {sheet.columns} x {sheet.rows} squares: a whole line has more "
            f"than {MOST_CONTENTS:,} contents. Take a smaller board"
        )
    return windows(sheet)


@cache
def learnable() -> tuple[str, ...]:
    """The names of the games that can be learned."""
    return tuple(game.key for game in games() if len(game.start().board.sheet()))


def weights_of(state: State[Any, Any]) -> int:
    """The number of weights of a game with these options and seats."""
    stages = state.board.stages() or state.longest + 1
    return windows_of(state).weights + state.seats * stages


def patterned(state: State[Any, Any], weights: vec[i64]) -> Board:
    """The board of a position with patterns of these weights."""
    found = windows_of(state)
    board: Board = state.board.copy()
    patterns = Patterns(board.seats, found.span, found.links, found.starts, found.slots, found.weights, weights)
    patterns.repeats = len(board.side_counts()) > 0
    board.patterns = patterns
    for square in range(patterns.squares):
        if found.links[found.span * square] >= 0:
            board.renew(square)
    return board
