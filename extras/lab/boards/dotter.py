"""What a seat sees of Dotter."""

from quadrille.extras.lab.engine.layout import BIT, FIGURE, NUMBER, STILL
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sight import Sight
from quadrille.rules.arrays import array
from quadrille.rules.board import UNKNOWN, Board
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter.board import DotterBoard, lowest
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
        cards = len(board.terms.ranks)
        return board.terms.max_rounds * (cards * board.seats + cards // 3 * 3)

    def largest(self) -> i64:
        """Return the largest hole of a peg, round, lap, or row or rank of a card."""
        board = self.start
        assert isinstance(board, DotterBoard)
        terms = board.terms
        return max(max(terms.lap_points, terms.max_rounds), max(terms.laps_wanted, rules.ROWS))

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
        at = board.at
        up = board.up()
        for card in range(at[rules.DEALT]):
            sight.put(2, card, 1)
            # the viewer sees turned-up cards and those it has looked at, whatever else this board knows
            if (up | at[rules.LOOKED + seat]) >> card & 1 and at[rules.FACES + card] != UNKNOWN:
                sight.put(0, card, board.terms.ranks[at[rules.FACES + card]] + 1)
            if up >> card & 1:
                sight.put(1, card, 1)
        sight.fill(3, at[rules.ROUND])
        sight.fill(4, seat)
        for whose in range(seats):
            other = (seat + whose) % seats
            row: i64 = 0
            for card in range(0, at[rules.DEALT], 3):
                if at[rules.OWN + other] >> card & 1:
                    row += 1
                    for place in range(card, card + 3):
                        sight.put(5 + whose, place, row)
            looked = at[rules.LOOKED + other]
            while looked:
                sight.put(5 + seats + whose, lowest(looked), 1)
                looked &= looked - 1
            sight.fill(5 + 2 * seats + whose, at[rules.HOLE + other])
            sight.fill(5 + 3 * seats + whose, at[rules.LAPS + other])
            sight.fill(5 + 4 * seats + whose, 1 if at[rules.MOVER] == other else 0)
            sight.fill(5 + 5 * seats + whose, board.left[other])
