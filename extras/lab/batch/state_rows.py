"""The rows of a batch whose turns, or whose secrets, only States know: slow, and for any game of one plain file."""

from typing import Any

from quadrille.extras.lab.engine.rows import Rows
from quadrille.extras.lab.engine.sight import Sight
from quadrille.rules.arrays import array
from quadrille.rules.board import UNKNOWN, Board
from quadrille.rules.core import State
from quadrille.rules.ints import i64


class StateRows(Rows):
    """Games whose turns, or whose secrets, only their States know: slow, and for any game."""

    __slots__ = ("start_state",)

    start_state: State[Any, Any]

    def state(self, game: int) -> State[Any, Any]:
        """The position of a game before its unfinished turn."""
        state: State[Any, Any] = self.start_state.on(self.boards[game])
        return state

    def following(self, game: i64, board: Board) -> i64:
        """As the State lists them."""
        if not self.apart or board.ended:
            return board.legal()
        steps = self.state(game).next_steps(list(self.turn(game)))
        if len(steps) > len(board.moves):
            board.moves = array(steps)
        for place, step in enumerate(steps):
            board.moves[place] = step
        return len(steps)

    def whole(self, game: i64, board: Board) -> i64:
        """Nothing can follow a whole turn."""
        state, steps = self.state(game), list(self.turn(game))
        if state.next_steps(steps):
            return UNKNOWN
        code = state.code(state.move_of(steps))
        assert code is not None
        return code

    def paint_all(self, game: i64, sight: Sight) -> None:
        """The position as the mover knows it."""
        seat = self.boards[game].turn
        self.observer.paint(self.state(game).view(seat).board, sight, seat)

    def repaint(self, game: i64, board: Board, move: i64) -> None:
        """Anew: the board knows more than the mover."""
        self.paint(game)
