"""A learned evaluation: the weights of a game's windows, and the boards that use them (extras/lab/docs/learned.md).

An evaluation belongs to one game with its options and number of seats. files.py writes and reads evaluations, and
training.py makes them. Nothing here knows a game or a file.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from quadrille.extras.lab.engine.sums import Patterns
from quadrille.extras.lab.learned.windows import LearnedSheet, Windows, windows
from quadrille.rules.board import Board
from quadrille.rules.core import State, is_stepped
from quadrille.rules.errors import RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.options import Options
from quadrille.rules.registry import game as game_of
from quadrille.rules.registry import keys
from quadrille.rules.search.views import view

#: Maximum number of contents of a window: 12 squares of 3 faces have half as many.
MOST_CONTENTS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class LearningTerms:
    """Game, options and seats that weights are learned for, and the seed of the training."""

    game: str
    options: Options
    seats: int
    seed: int

    def start(self) -> State[Any, Any]:
        return game_of(self.game).start(self.options, self.seats)

    def __str__(self) -> str:
        changed = [f"{name}={value}" for name, value in self.options.changed().items()]
        return ", ".join([self.game, f"{self.seats} seats", *changed, f"seed {self.seed}"])


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Weights, in units of a POINT, that were learned in so many `games`."""

    terms: LearningTerms
    games: int
    weights: vec[i64]

    @property
    def digest(self) -> str:
        """The SHA-256 of its file, in hexadecimal."""
        from quadrille.extras.lab.learned.files import written

        return hashlib.sha256(written(self)).hexdigest()

    def board(self, state: State[Any, Any]) -> Board:
        """Return the board of a position, with these weights."""
        return patterned(state, self.weights)


def patterns_of(game: str) -> Patterns | None:
    """Make new patterns of a game, without windows; None if no package plugs any in for it (`learned.GAME`)."""
    kind = view("learned", game)
    return None if kind is None else kind()


def sheet_of(state: State[Any, Any]) -> LearnedSheet | None:
    """Return the sheet of a game at the table of a state, if it has one."""
    patterns = patterns_of(state.game.key)
    return None if patterns is None else LearnedSheet.of(patterns, state.board)


def windows_of(state: State[Any, Any]) -> Windows:
    """Return the windows of a game's sheet. Refuse a game without a sheet, or a sheet of another size."""
    sheet = sheet_of(state)
    if sheet is None or is_stepped(state) or state.sealed() or state.draws():
        raise RulesError(
            f"{state.game.title} can't be learned: that takes moves of one step, no chance, and a package that names "
            f"squares for the weights. Games that can be learned: {', '.join(learnable())}"
        )
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
    """Return the names of the games that can be learned."""
    return tuple(key for key in keys() if view("learned", key) is not None)


def weights_of(state: State[Any, Any]) -> int:
    """Count the weights of a game with these options and seats."""
    return windows_of(state).weights + state.seats * (state.longest + 1)


def patterned(state: State[Any, Any], weights: vec[i64]) -> Board:
    """Return the board of a position with patterns of these weights."""
    found = windows_of(state)
    board: Board = state.board.copy()
    patterns = patterns_of(state.game.key)
    assert patterns is not None
    patterns.fit(board.seats, found.span, found.links, found.starts, found.slots, found.weights, weights)
    board.judge = patterns
    for square in range(patterns.squares):
        if found.links[found.span * square] >= 0:
            patterns.renew(board, square)
    return board


def patterns_on(board: Board) -> Patterns:
    assert isinstance(board.judge, Patterns)
    return board.judge
