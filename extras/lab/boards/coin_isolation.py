"""What a seat sees of Coin Isolation."""

from quadrille.extras.lab.engine.layout import BIT, FIGURE, NUMBER, STILL
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sight import Sight
from quadrille.rules.arrays import array
from quadrille.rules.board import Board
from quadrille.rules.games.coin_isolation.board import (
    GIVEN,
    IDLE,
    KIND,
    LENGTH,
    NONE,
    PASSES,
    PLACE_WANTED,
    PLACED,
    STAGE,
    TAKEN,
    TURN,
    WILD,
    CoinBoard,
)
from quadrille.rules.games.coin_isolation.paths import KINDS, ROW
from quadrille.rules.ints import i64, mypyc_attr, vec


@mypyc_attr(allow_interpreted_subclasses=True)
class CoinObserver(Observer):
    """0 to 3 coins by kind; of the unfinished turn 4 the path, from 1 on, 5 squares of a transplant, 6 stage, 7
    kind + 1, 8 coins taken; 9 a renegade as of now; 10 to 13 coins given by kind; 14 turns without a coin; 15
    passes one after another; 16 the number of the seat; then what `paint_seat` says, a plane a seat each.
    """

    __slots__ = ()

    def weight(self, given: Board, face: i64) -> i64:
        """Count the coins of that kind that are still to be drawn."""
        assert isinstance(given, CoinBoard)
        return given.unlaid(face)

    def largest(self) -> i64:
        """Return the number of coins on each square, or of turns without a coin."""
        board = self.start
        assert isinstance(board, CoinBoard)
        return max(board.terms.cells, board.terms.idle_rounds * board.seats)

    def packing(self) -> vec[i64]:
        """Pack coins, a place in the path and bits for each square; write all else once."""
        board = self.start
        assert isinstance(board, CoinBoard)
        seats = board.seats
        kinds = [NUMBER] * 5 + [BIT] + [FIGURE] * 11 + [BIT] * (2 * seats)
        return array(kinds + [STILL] * seats + [FIGURE] * (2 * seats) + [STILL] * seats + [FIGURE] * (KINDS * seats))

    def paint(self, given: Board, sight: Sight, seat: i64) -> None:
        """See the class."""
        assert isinstance(given, CoinBoard)
        board: CoinBoard = given
        at = board.at
        place = board.piles
        for q in range(board.terms.cells):
            for kind in range(KINDS):
                if at[place]:
                    sight.put(kind, q, at[place])
                place += 1
        for i in range(at[LENGTH]):
            sight.put(4, at[board.path + i], i + 1)
        for i in range(at[PLACED]):
            sight.put(5, at[board.placed + i], 1)
        self.paint_turn(board, sight)
        self.paint_seats(board, sight, seat)

    def repaint(self, given: Board, move: i64, sight: Sight) -> None:
        """Repaint the path and the figures; only the end of a turn moves coins and pawns."""
        assert isinstance(given, CoinBoard)
        board: CoinBoard = given
        at = board.at
        stage = at[STAGE]
        if stage > TURN:
            if move < board.first:
                if stage == PLACE_WANTED:
                    sight.put(5, move, 1)
                else:
                    sight.put(4, move, at[LENGTH])
            self.paint_turn(board, sight)
            return
        for i in range(board.changes):
            q = board.changed[i]
            for kind in range(KINDS):
                sight.set(sight.places[kind] + q, at[board.piles + KINDS * q + kind])
        sight.wipe(4, 4)
        sight.wipe(5, 16 + 2 * board.seats)
        self.paint_turn(board, sight)
        self.paint_seats(board, sight, board.turn)

    def paint_turn(self, board: CoinBoard, sight: Sight) -> None:
        """Paint planes 6 to 13, of the unfinished turn."""
        at = board.at
        sight.fill(6, at[STAGE])
        sight.fill(7, at[KIND] + 1)
        sight.fill(8, at[TAKEN])
        sight.fill(9, at[WILD])
        for kind in range(KINDS):
            sight.fill(10 + kind, at[GIVEN + kind])

    def paint_seats(self, board: CoinBoard, sight: Sight, seat: i64) -> None:
        """Paint planes 14 and up."""
        sight.fill(14, board.at[IDLE])
        sight.fill(15, board.at[PASSES])
        sight.fill(16, seat)
        for whose in range(board.seats):
            self.paint_seat(board, sight, seat, whose)

    def paint_seat(self, board: CoinBoard, sight: Sight, seat: i64, whose: i64) -> None:
        """Paint the planes of the seat `whose` places on: pawn; the first row of its side; to move; a renegade; how
        late its last coin was; left, 1 as the first. After these planes of all seats come the coins that it keeps by
        kind, 4 planes a seat.
        """
        at = board.at
        seats = board.seats
        near = board.terms.near
        other = (seat + whose) % seats
        plane = 17 + whose
        if at[board.pawn + other] != NONE:
            sight.put(plane, at[board.pawn + other], 1)
        if at[board.side + other] != NONE:
            place = ROW * (board.terms.cells + at[board.side + other])
            while near[place] >= 0:
                sight.put(plane + seats, near[place], 1)
                place += 1
        sight.fill(plane + 2 * seats, 1 if board.turn == other else 0)
        sight.fill(plane + 3 * seats, at[board.renegades + other])
        sight.fill(plane + 4 * seats, self.lateness(board, other))
        sight.fill(plane + 5 * seats, board.left[other])
        for kind in range(KINDS):
            sight.fill(17 + 6 * seats + KINDS * whose + kind, at[board.held + KINDS * other + kind])

    def lateness(self, board: CoinBoard, seat: i64) -> i64:
        """Rank a seat's last coin among those of all seats, 1 for the longest ago; 0 for a seat without one."""
        at = board.at
        last = at[board.last_coin + seat]
        lateness: i64 = 0
        for other in range(board.seats):
            if 0 < at[board.last_coin + other] <= last:
                lateness += 1
        return lateness
