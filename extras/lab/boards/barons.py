"""What a seat sees of Barons."""

from quadrille.extras.lab.engine.layout import BIT, STILL, USED_BITS
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sight import Sight
from quadrille.rules.arrays import array
from quadrille.rules.board import Board
from quadrille.rules.boards.barons import UNCLAIMED, BaronsBoard
from quadrille.rules.ints import i64, mypyc_attr, vec


@mypyc_attr(allow_interpreted_subclasses=True)
class BaronsObserver(Observer):
    """A plane a seat: its squares; one: unclaimed; a plane a seat each: to move; left, 1 as the first."""

    __slots__ = ()

    def shrinks(self) -> bool:
        """A claimed square is never given back."""
        return True

    def packing(self) -> vec[i64]:
        """Each square is a seat's, or unclaimed."""
        board = self.start
        assert isinstance(board, BaronsBoard)
        return array([BIT] * (board.seats + 1) + [STILL] * (2 * board.seats))

    def repaint(self, given: Board, move: i64, sight: Sight) -> None:
        """The last mover is the furthest from the viewer now, and has the claimed square."""
        assert isinstance(given, BaronsBoard)
        board: BaronsBoard = given
        if board.seats < USED_BITS:
            sight.pass_on(board.seats, move)
        else:
            super().repaint(board, move, sight)

    def paint(self, given: Board, sight: Sight, seat: i64) -> None:
        """See the class."""
        assert isinstance(given, BaronsBoard)
        board: BaronsBoard = given
        seats = board.seats
        owner = board.owner
        for square in range(board.squares):
            whose = owner[square]
            if whose == UNCLAIMED:
                whose = seats
            else:
                whose -= seat
                if whose < 0:
                    whose += seats
            sight.put(whose, square, 1)
        for whose in range(seats):
            other = (seat + whose) % seats
            sight.fill(seats + 1 + whose, 1 if board.turn == other else 0)
            sight.fill(2 * seats + 1 + whose, board.left[other])
