"""The strategy of the half turn: a seat answers each move by its image, turned by 180 degrees.

It is proven in words (extras/study/docs/solved.md, "The half turn"), for a board of any size. A program checks all
games on the smaller boards of the same kind, and many games on the board itself. Nothing here knows a game.
"""

from collections.abc import Iterator
from typing import Any, Final

from quadrille.extras.study.certificates.walk import StrategyWalk, WrongStrategy
from quadrille.rules.board import Board
from quadrille.rules.core import State
from quadrille.rules.dice import Dice
from quadrille.rules.errors import RulesError

#: Maximum squares of a board on which all games are played.
SQUARES: Final = 12
#: Games against random moves on the board itself.
GAMES: Final = 200


def turned(board: Board, moves: list[int]) -> int:
    """The place of the answer of a strategy (`StrategyWalk`)."""
    move = board.half_turn()
    if move < 0:
        raise WrongStrategy("a move has no answer that is its image, turned by 180 degrees")
    return moves.index(move)


def smaller(start: State[Any, Any]) -> Iterator[State[Any, Any]]:
    """First positions on the boards with the same parity of squares, and no side longer; a refusal without sides."""
    given = start.options.plain()
    width, height = given.get("width"), given.get("height")
    if not isinstance(width, int) or not isinstance(height, int):
        raise RulesError(f"no half turn is proven in {start.game.title}")
    for columns in range(2, width + 1):
        for rows in range(2, min(height, SQUARES // columns) + 1):
            if (columns * rows - width * height) % 2 == 0:
                yield start.game.start({**given, "width": columns, "height": rows}, start.seats)


def walks(start: State[Any, Any], seat: int, payoff: int) -> Iterator[StrategyWalk]:
    """A walk through all games on each smaller board."""
    for state in smaller(start):
        yield StrategyWalk(state, (), seat, payoff, turned)


def play(start: State[Any, Any], seat: int, payoff: int, dice: Dice) -> None:
    """Play a game against random moves."""
    board = start.board.copy()
    while count := board.legal():
        moves = sorted(board.moves[:count])
        board.apply(moves[turned(board, moves) if board.turn == seat else dice.below(count)])
    if board.payoff(seat) < payoff:
        raise WrongStrategy("a game in which each move was answered by its image ended with less than is claimed")
