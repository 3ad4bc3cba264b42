"""Alpha-beta for two seats without chance: what a position is worth, deeper and deeper, with a table of those seen."""

from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.board import Board
from quadrille.rules.ints import i64

#: What a won game is worth; a position that is not over, so much less: by how much its mover is ahead.
WON: Final = 1 << 40
ALL: Final = 1 << 41
#: What is known of a value in the table.
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2


class AlphaBeta:
    """A search on one board, on which it moves and takes back; what it saw it keeps from depth to depth.

    After `search`: `value` for the seat to move, the best `move`, the `depth` to which everything was looked at, and
    how many positions that took (`nodes`). A position in the table is known by its key alone (`Board.key`).
    """

    __slots__ = (
        "best", "board", "bounds", "cut", "depth", "depths", "keys", "mask", "most", "move", "nodes", "stopped",
        "value", "values",
    )  # fmt: skip

    def __init__(self, board: Board, places: i64) -> None:
        """A table of so many places, a power of two."""
        self.board = board
        self.mask: i64 = places - 1
        self.keys = filled(places, -1)
        self.depths = filled(places, 0)
        self.values = filled(places, 0)
        self.bounds = filled(places, EXACT)
        self.best = filled(places, 0)
        self.value: i64 = 0
        self.move: i64 = -1
        self.depth: i64 = 0
        self.nodes: i64 = 0
        self.most: i64 = 0
        self.stopped = False
        self.cut = False

    def search(self, depth: i64, most: i64) -> None:
        """Look 1, 2, … up to `depth` moves ahead, at no more than `most` positions in all."""
        self.most = most
        self.nodes = 0
        self.stopped = False
        self.depth = 0
        self.move = -1
        for ahead in range(1, depth + 1):
            self.cut = False
            value = self.look(ahead, -ALL, ALL)
            if self.stopped:
                return
            self.value = value
            self.depth = ahead
            slot = self.board.key() & self.mask
            if self.keys[slot] == self.board.key():
                self.move = self.best[slot]
            if not self.cut:
                return  # no game went on beyond this: the value is the true one

    def look(self, depth: i64, alpha: i64, beta: i64) -> i64:
        """The value for the seat to move, exact between alpha and beta."""
        board = self.board
        seat = board.turn
        self.nodes += 1
        if self.nodes > self.most:
            self.stopped = True
            return 0
        count = board.legal()
        if count == 0:
            return WON * board.payoff(seat)
        if depth == 0:
            self.cut = True
            return board.compare(seat, 1 - seat)
        key = board.key()
        slot = key & self.mask
        first: i64 = -1
        if self.keys[slot] == key:
            first = self.best[slot]
            known = self.values[slot]
            bound = self.bounds[slot]
            if self.depths[slot] >= depth and (
                bound == EXACT or (bound == AT_LEAST and known >= beta) or (bound == AT_MOST and known <= alpha)
            ):
                # how far this value was looked for is not known any more: it may have been cut
                self.cut = True
                return known
        moves = board.moves[:count]
        if first >= 0:
            for i in range(count):
                if moves[i] == first:
                    moves[i] = moves[0]
                    moves[0] = first
        low = alpha
        highest: i64 = -ALL
        best = moves[0]
        for move in moves:
            board.apply(move)
            if board.turn == seat:
                value = self.look(depth - 1, low, beta)
            else:
                value = -self.look(depth - 1, -beta, -low)
            board.undo()
            if self.stopped:
                return 0
            if value > highest:
                highest = value
                best = move
                if value > low:
                    low = value
                    if low >= beta:
                        break
        self.keys[slot] = key
        self.depths[slot] = depth
        self.values[slot] = highest
        self.best[slot] = best
        self.bounds[slot] = AT_LEAST if highest >= beta else AT_MOST if highest <= alpha else EXACT
        return highest
