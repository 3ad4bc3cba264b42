"""What a seat sees of Barons, and the sheet on which its weights are learned."""

from quadrille.extras.lab.engine.layout import BIT, STILL, USED_BITS
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sight import Sight
from quadrille.extras.lab.engine.sums import POINT, Patterns
from quadrille.rules.arrays import array
from quadrille.rules.board import PART, Board
from quadrille.rules.games.barons.board import UNCLAIMED, BaronsBoard
from quadrille.rules.games.barons.search import SearchedBarons
from quadrille.rules.ints import i64, mypyc_attr, vec


@mypyc_attr(allow_interpreted_subclasses=True)
class BaronsObserver(Observer):
    """A plane a seat: its squares; one: unclaimed; a plane a seat each: to move; left, 1 as the first."""

    __slots__ = ()

    def shrinks(self) -> bool:
        """Return True: a claimed square is never given back."""
        return True

    def packing(self) -> vec[i64]:
        """Use bits: each square is a seat's, or unclaimed."""
        board = self.start
        assert isinstance(board, BaronsBoard)
        return array([BIT] * (board.seats + 1) + [STILL] * (2 * board.seats))

    def repaint(self, given: Board, move: i64, sight: Sight) -> None:
        """Make the last mover the furthest from the viewer, and give it the claimed square."""
        assert isinstance(given, BaronsBoard)
        if given.seats < USED_BITS:
            sight.pass_on(given.seats, move)
        else:
            super().repaint(given, move, sight)

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


class BaronsPatterns(Patterns):
    """Windows of three by three squares, whole rows and whole columns."""

    __slots__ = ()

    def sheet(self, given: Board) -> vec[i64]:
        """See the class."""
        assert isinstance(given, BaronsBoard)
        width = given.squares // given.height
        return array((width, given.height, given.height, 0, 3, 0, 3, 3, width, 1, 1, given.height))

    def renew(self, given: Board, square: i64) -> None:
        """See a square: 0 unclaimed, 1 the seat's own, 2 another's."""
        assert isinstance(given, BaronsBoard)
        board: BaronsBoard = given
        owner = board.owner[square]
        for seat in range(self.seats):
            self.see(seat, square, 0 if owner == UNCLAIMED else 1 if owner == seat else 2)

    def earned(self, given: Board, seat: i64) -> i64:
        assert isinstance(given, BaronsBoard)
        return given.score(seat)

    def sure(self) -> i64:
        """Return two or three connections."""
        return 5

    def prospect(self, given: Board, lead: i64) -> i64:
        """Give the margin the same share as in `gain`; the rest is for the chances of being ahead."""
        assert isinstance(given, SearchedBarons)
        sure = POINT * self.sure()
        return given.margin(lead, POINT) + (PART - given.soft()) * min(max(lead, -sure), sure) // sure

    def look_after(self, given: Board, move: i64) -> None:
        """Look without a change of the board beyond the figures of the mover."""
        assert isinstance(given, BaronsBoard)
        board: BaronsBoard = given
        seat = board.turn
        following = board.next_seat(seat)
        ends = board.free == 1 or (following <= seat and not board.full and board.free <= board.seats_in)
        board.owner[move] = seat
        board.count(move, seat, 1)
        for whose in range(board.seats):
            value = POINT * board.score(whose)
            if not ends:
                value += self.totals[whose] + self.change(whose, move, 1 if whose == seat else 2)
                value += self.weights[self.beat(whose, board.plies + 1, following)]
            self.outlook[whose] = value
        board.count(move, seat, -1)
        board.owner[move] = UNCLAIMED
