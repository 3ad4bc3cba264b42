"""A learned evaluation: the weights of a game's windows, and the boards that use them (docs/protocols/learned.md).

It belongs to one game with its options and number of seats. Files are in rules/learned/files.py, and training.py makes
weights.
"""

from dataclasses import dataclass
from typing import Any, Final

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import Board
from quadrille.rules.core import State
from quadrille.rules.engine.patterns import POINT, Patterns
from quadrille.rules.errors import RulesError
from quadrille.rules.ints import vec
from quadrille.rules.learned.windows import Sheet, Windows, windows
from quadrille.rules.options import Options
from quadrille.rules.registry import game as game_of

#: Units of a kept weight in a point of the game, and the greatest weight: it has 16 bits.
KEPT: Final = 64
MOST: Final = (1 << 15) - 1


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Weights that were learned from `games` games with that seed; `weights` are in 1/64 of a point."""

    game: str
    options: Options
    seats: int
    seed: int
    games: int
    weights: vec[int]

    def fits(self, state: State[Any, Any]) -> bool:
        """Whether it was learned for this game with these options and seats."""
        return (state.game.key, state.options, state.seats) == (self.game, self.options, self.seats)

    def board(self, state: State[Any, Any]) -> Board:
        """The board of a position, with these weights."""
        return patterned(state, array(weight * (POINT // KEPT) for weight in self.weights))


def patterned(state: State[Any, Any], weights: vec[int]) -> Board:
    """The board of a position with patterns of these weights."""
    found, board = windows_of(state.board), state.board.copy()
    patterns = Patterns(board.seats, found.span, found.links, found.starts, found.slots, found.weights, weights)
    board.patterns = patterns
    for square in range(patterns.squares):
        if found.links[found.span * square] >= 0:
            board.renew(square)
    return board
