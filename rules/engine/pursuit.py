"""Alpha-beta for two seats on a board with a learned evaluation that has few moves and keeps up a key (`Board.stamp`).

It looks deep: late moves are searched less deep unless they turn out to be good, and a position with one move only
counts as none. Nothing is allocated during a search. A proven win counts less for each ply that it takes, so that a
lost game is made long. The plies of a position follow from its key, so the table may hold such values.
"""

from typing import Final

from quadrille.rules.arrays import fill, filled
from quadrille.rules.board import Board
from quadrille.rules.engine.alpha_beta import AT_LEAST, AT_MOST, EXACT, HISTORY
from quadrille.rules.ints import i64, vec

#: The value of a game won without any ply, more than all evaluations, and the least value of a win.
WIN: Final = 1 << 32
SURE: Final = 1 << 31
INFINITE: Final = 1 << 33
#: The greatest depth.
DEEPEST: Final = 250
#: Depth from which late moves are searched one ply less deep.
REDUCED: Final = 3
#: An entry of the table: value, depth and bound and move.
VALUE: Final = 24
DEPTH: Final = 14
BOUND: Final = 12
MOVE: Final = 4095
#: Marks of moves to be tried first: that of the table, and killers. History is less.
FIRST: Final = 1 << 50
KILLER: Final = 1 << 40
MOST_HISTORY: Final = 1 << 36


class Pursuit:
    """A search on one board; its table stays valid from move to move of a game.

    After `search`: `value` for the seat to move, the best `move`, the completed `depth`, and whether it is `certain`.
    """

    __slots__ = (
        "board", "certain", "data", "depth", "history", "keys", "killers", "listed", "marks", "mask", "most", "move",
        "nodes", "room", "stopped", "value",
    )  # fmt: skip

    def __init__(self, board: Board, places: i64, longest: i64) -> None:
        """A table of `places` entries, a power of two; no game is longer than `longest` plies."""
        self.mask: i64 = places - 1
        self.keys = filled(places, 0)
        self.data = filled(places, 0)
        self.history = filled(2 * HISTORY, 0)
        self.killers = filled(2 * longest + 4, -1)
        self.room: i64 = len(board.moves)
        self.listed = filled(self.room * (longest + 2), 0)
        self.marks = filled(self.room * (longest + 2), 0)
        self.nodes: i64 = 0
        self.most: i64 = 0
        self.stopped = False
        self.stand(board)

    def stand(self, board: Board) -> None:
        """Search from this position on, of the same game with the same evaluation."""
        self.board = board
        self.value: i64 = 0
        self.move: i64 = -1
        self.depth: i64 = 0
        self.certain = False

    def clear(self) -> None:
        """Know nothing any more: weights have changed."""
        fill(self.keys, 0, self.mask + 1, 0)
        fill(self.data, 0, self.mask + 1, 0)
        fill(self.history, 0, 2 * HISTORY, 0)

    def search(self, depth: i64, most: i64) -> bool:
        """Deepen ply by ply, up to `depth`, over `most` more positions; return whether that is complete."""
        self.most = self.nodes + most
        self.stopped = False
        while self.depth < depth and not self.certain:
            value = self.look(self.depth + 1, 0, -INFINITE, INFINITE)
            if self.stopped:
                return False
            self.value = value
            self.depth += 1
            self.certain = value >= SURE or value <= -SURE
        return True

    def look(self, depth: i64, ply: i64, alpha: i64, beta: i64) -> i64:
        """The value for the seat to move, exact between alpha and beta."""
        board = self.board
        self.nodes += 1
        if self.nodes > self.most:
            self.stopped = True
            return 0
        count = board.legal()
        if count == 0:
            return (WIN - board.plies) * board.payoff(board.turn)
        if depth <= 0 and count > 1:
            return board.judge()
        key = board.stamp()
        slot = key & self.mask
        first: i64 = -1
        if self.keys[slot] == key:
            data = self.data[slot]
            first = data & MOVE
            if (data >> DEPTH & 1023) >= depth and ply:
                value = data >> VALUE
                bound = data >> BOUND & 3
                if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                    return value
        return self.try_all(key, first, count, depth, ply, alpha, beta)

    def try_all(self, key: i64, first: i64, count: i64, depth: i64, ply: i64, alpha: i64, beta: i64) -> i64:
        """Try the listed moves, the good ones first, and store the result."""
        board = self.board
        seat = board.turn
        start = self.room * ply
        self.mark(start, count, first, ply, seat)
        moves = self.listed
        deeper = depth if count == 1 else depth - 1
        low = alpha
        highest: i64 = -INFINITE
        best: i64 = 0
        for i in range(count):
            move = self.next(start + i, start + count)
            board.apply(move)
            if i == 0:
                value = -self.look(deeper, ply + 1, -beta, -low)
            else:
                value = low + 1
                if depth >= REDUCED:
                    value = -self.look(deeper - 1, ply + 1, -low - 1, -low)
                if value > low and not self.stopped:
                    # the first move is assumed best: for the others only a null window is searched
                    value = -self.look(deeper, ply + 1, -low - 1, -low)
                if low < value < beta and not self.stopped:
                    value = -self.look(deeper, ply + 1, -beta, -low)
            board.undo()
            if self.stopped:
                return 0
            if value > highest:
                highest = value
                best = moves[start + i]
                if value > low:
                    low = value
                    if ply == 0:
                        self.move = best
                    if low >= beta:
                        self.praise(seat, best, depth, ply)
                        break
        if ply == 0 and low == alpha:
            self.move = best
        slot = key & self.mask
        self.keys[slot] = key
        bound: i64 = AT_LEAST if highest >= beta else AT_MOST if highest <= alpha else EXACT
        kept: i64 = depth if depth > 0 else 0
        self.data[slot] = highest << VALUE | kept << DEPTH | bound << BOUND | best
        return highest

    def mark(self, start: i64, count: i64, first: i64, ply: i64, seat: i64) -> None:
        """List the board's moves from `start` on, with a number for each: higher ones are tried first."""
        listed = self.listed
        marks = self.marks
        found = self.board.moves
        for i in range(count):
            move = found[i]
            listed[start + i] = move
            if move == first:
                marks[start + i] = FIRST
            elif move == self.killers[2 * ply] or move == self.killers[2 * ply + 1]:
                marks[start + i] = KILLER + self.history[2 * (move & (HISTORY - 1)) + seat]
            else:
                marks[start + i] = self.history[2 * (move & (HISTORY - 1)) + seat]

    def next(self, start: i64, end: i64) -> i64:
        """Bring the best move from `start` on to that place."""
        marks = self.marks
        listed = self.listed
        best = start
        for place in range(start + 1, end):
            if marks[place] > marks[best]:
                best = place
        move = listed[best]
        listed[best] = listed[start]
        marks[best] = marks[start]
        listed[start] = move
        return move

    def praise(self, seat: i64, move: i64, depth: i64, ply: i64) -> None:
        """Remember a move that caused a cutoff, to be tried early elsewhere."""
        place = 2 * (move & (HISTORY - 1)) + seat
        self.history[place] += depth * depth if depth > 0 else 1
        if self.history[place] > MOST_HISTORY:
            for other in range(2 * HISTORY):
                self.history[other] //= 2
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
