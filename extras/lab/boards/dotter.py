"""What a seat sees of Dotter."""

from quadrille.extras.lab.engine.layout import BIT, FIGURE, NUMBER, STILL
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sight import Sight
from quadrille.rules.arrays import array
from quadrille.rules.board import UNKNOWN, Board
from quadrille.rules.games.dotter.board import PUBLIC, ROWS, DotterBoard
from quadrille.rules.ints import i64, mypyc_attr, vec


@mypyc_attr(allow_interpreted_subclasses=True)
class DotterObserver(Observer):
    """0 ranks seen, 1 more than each (a joker is 1), 0 unknown; 1 turned up; 2 drawn; 3 the number of the round;
    4 the number of the seat; then a plane a seat each: its cards, as the number of their row, from 1 on; cards face
    down that it has seen; holes; laps; to move; left, 1 as the first.
    """

    __slots__ = ()

    def most_draws(self) -> i64:
        """Count each look and each card turned up as a face."""
        board = self.start
        assert isinstance(board, DotterBoard)
        cards = len(board.ranks)
        return board.max_rounds * (cards * board.seats + cards // 3 * 3)

    def largest(self) -> i64:
        """Return the largest hole of a peg, round, lap, or row or rank of a card."""
        board = self.start
        assert isinstance(board, DotterBoard)
        return max(max(board.lap_points, board.max_rounds), max(board.laps_wanted, ROWS))

    def packing(self) -> vec[i64]:
        """Pack a rank, a row of each seat and bits for each card; write all else once."""
        board = self.start
        assert isinstance(board, DotterBoard)
        seats = board.seats
        kinds = [NUMBER, BIT, BIT, FIGURE, FIGURE] + [NUMBER] * seats + [BIT] * seats
        return array(kinds + [FIGURE] * (2 * seats) + [STILL] * (2 * seats))

    def paint(self, given: Board, sight: Sight, seat: i64) -> None:
        """See the class."""
        assert isinstance(given, DotterBoard)
        board: DotterBoard = given
        seats = board.seats
        for card in range(board.dealt):
            sight.put(2, card, 1)
        for card in range(len(board.faces)):
            mask = board.seen[card]
            if mask:
                self.paint_seen(board, sight, seat, card, mask)
        sight.fill(3, board.round)
        sight.fill(4, seat)
        for whose in range(seats):
            other = (seat + whose) % seats
            for row in range(board.drawn[other]):
                first = board.rows[ROWS * other + row]
                for card in range(first, first + 3):
                    sight.put(5 + whose, card, row + 1)
            sight.fill(5 + 2 * seats + whose, board.hole[other])
            sight.fill(5 + 3 * seats + whose, board.laps[other])
            sight.fill(5 + 4 * seats + whose, 1 if board.mover == other else 0)
            sight.fill(5 + 5 * seats + whose, board.left[other])

    def paint_seen(self, board: DotterBoard, sight: Sight, seat: i64, card: i64, mask: i64) -> None:
        """Paint a card that somebody has seen: its rank, and the seats that know it face down.

        The viewer sees turned-up cards and those it has looked at, whatever else this board knows.
        """
        face = board.faces[card]
        if face != UNKNOWN and (mask == PUBLIC or mask >> seat & 1):
            sight.put(0, card, board.ranks[face] + 1)
        if mask == PUBLIC:
            sight.put(1, card, 1)
            return
        for whose in range(board.seats):
            if mask >> ((seat + whose) % board.seats) & 1:
                sight.put(5 + board.seats + whose, card, 1)
