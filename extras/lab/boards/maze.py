"""What a seat sees of Maze."""

from typing import Final

from quadrille.extras.lab.engine.layout import BIT, STILL
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sight import Sight
from quadrille.rules.arrays import array
from quadrille.rules.board import Board
from quadrille.rules.games.maze.board import MazeBoard
from quadrille.rules.ints import i64, mypyc_attr, vec

#: In a word of a sight: all bits for the wish for an odd number of X's, and with these all that say it is odd.
WISHES: Final = 0x4040404040404040
WISHES_AND_ODD: Final = 0x6060606060606060


@mypyc_attr(allow_interpreted_subclasses=True)
class MazeObserver(Observer):
    """0 taken; 1 a segment may start there by its neighbours; 2 taken last; 3 a segment to its left, 4 below it;
    5 the number of X's is odd; 6 it wants an odd number; 7 to move.
    """

    __slots__ = ()

    def policy_shape(self, count: i64) -> vec[i64]:
        """Use a plane for each direction, left, down, up, right, in which a segment has its start square."""
        shape = self.shape()
        return array((4, shape[1], shape[2]))

    def policy_place(self, step: i64, action: i64) -> i64:
        """Order by direction, then by square."""
        shape = self.shape()
        return (step & 3) * shape[1] * shape[2] + step // 4

    def packing(self) -> vec[i64]:
        """Use bits for all planes but the last, which says that the seat to move is to move."""
        return array([BIT] * 7 + [STILL])

    def repaint(self, given: Board, move: i64, sight: Sight) -> None:
        """Flip the wish for an odd number with the seat; then repaint the target, its neighbours, and the segment."""
        assert isinstance(given, MazeBoard)
        board: MazeBoard = given
        odd: i64 = 32 * (board.crosses & 1)
        flip: i64 = WISHES
        words = sight.words
        first = sight.first
        if (words[first] & (32 * sight.units[0]) != 0) != (odd != 0):
            flip = WISHES_AND_ODD
        for word in range(first, first + ((board.squares + 7) >> 3)):
            words[word] ^= flip
        room = board.room
        goal = board.goal
        plies = board.plies
        square = board.last
        was = goal[board.segments[plies - 2]] if plies > 1 else board.size - 1
        sight.take_bits(was, 4)
        sight.add_bits(square, 7 if room[square] > 0 else 5)
        for way in range(4 * square, 4 * square + 4):
            near = goal[way]
            if room[near] == 0 and near < board.squares:
                sight.take_bits(near, 2)
        self.join(board, move, sight)

    def paint(self, given: Board, sight: Sight, seat: i64) -> None:
        """See the class."""
        assert isinstance(given, MazeBoard)
        board: MazeBoard = given
        all_over = 32 * (board.crosses & 1) + 64 * (1 - seat)
        for square in range(board.squares):
            room = board.room[square]
            sight.set(square, all_over + (3 if room > 0 else 1 if room == 0 else 0))
        sight.add_bits(board.last, 4)
        for i in range(board.plies):
            self.join(board, board.segments[i], sight)
        sight.fill(7, 1 if board.turn == seat else 0)

    def join(self, board: MazeBoard, move: i64, sight: Sight) -> None:
        """Paint a segment on the square to its right, or above it."""
        way = move & 3
        # left of the start, below it; above it, right of it: of the squares that these lead to
        sight.add_bits(move >> 2 if way < 2 else board.goal[move], 8 if way == 0 or way == 3 else 16)
