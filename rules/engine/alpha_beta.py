"""Alpha-beta for two seats without chance, by iterative deepening with a transposition table.

Depth is counted in turns, not in moves of the board: a turn of several steps (rules/games/coin_isolation/board.py) is
always searched to its end. A search can be stopped after any number of positions and continues from its table.
"""

from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.board import Board
from quadrille.rules.ints import ONE, ZERO, i64, vec

#: The value of a won game, above any estimate of a board; and above that, a window for all values.
WON: Final = 1 << 40
ALL: Final = 1 << 41
#: The kinds of a value in the table.
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
#: The depth of a result that no deeper search changes.
TO_THE_END: Final = 1 << 20
#: Entries of the move history for a seat: above every number of a move (Maze of 26 x 26 has 2,703), so none is shared.
#: Then the number of plies with killer moves: more than the turns of any game but Coin Isolation.
HISTORY: Final = 4096
PLIES: Final = 1024
#: Marks of moves to be tried first: the one in the table, a killer move of the same ply; then the history.
FIRST: Final = 1 << 50
KILLER: Final = 1 << 40


class AlphaBetaSearch:
    """A search on one board, on which it makes and takes back moves; its table is kept from depth to depth.

    After `search`: `value` for the seat to move, the best `move`, the completed `depth`, and the number of
    positions in all (`nodes`). A position in the table is identified by its key alone (`Board.alike`): `keys[p]`
    holds the key of entry p, `known[p]` its depth and bound. The move history has an entry for each seat and move,
    and all entries from `praised` on are 0.
    """

    __slots__ = (
        "best", "board", "certain", "cut", "depth", "history", "keys", "killers", "known", "mask", "most", "move",
        "nodes", "praised", "stopped", "value", "values",
    )  # fmt: skip

    def __init__(self, board: Board, places: i64) -> None:
        """Make a table of `places` entries, a power of two."""
        self.mask: i64 = places - 1
        self.keys = filled(places, -1)
        self.known = filled(places, 0)
        self.values = filled(places, 0)
        self.best = filled(places, 0)
        self.history = filled(2 * HISTORY, 0)
        self.praised: i64 = 0
        self.killers = filled(2 * PLIES, -1)
        self.nodes: i64 = 0
        self.most: i64 = 0
        self.stopped = False
        self.cut = False  # whether a game went on beyond the searched depth
        self.stand(board)

    def stand(self, board: Board) -> None:
        """Search from this position on, of the same game on the same terms: the table stays valid."""
        self.board = board
        self.value: i64 = 0
        self.move: i64 = -1
        self.depth: i64 = 0
        self.certain = False

    def search(self, depth: i64, most: i64) -> bool:
        """Deepen by one turn at a time, up to `depth`, over `most` more positions; return whether that is complete.

        It is complete as well if no game goes on beyond the searched depth: then the value is `certain`.
        """
        self.most = self.nodes + most
        self.stopped = False
        while self.depth < depth and not self.certain:
            self.cut = False
            value = self.look(self.depth + 1, 0, -ALL, ALL)
            if self.stopped:
                return False
            self.value = value
            self.depth += 1
            self.certain = not self.cut or value >= WON or value <= -WON
            for i in range(self.praised):
                self.history[i] //= 8  # newer counts more; 1 to 32 differ by 1 % in positions, a fresh history by 2 %
        return True

    def look(self, depth: i64, ply: i64, alpha: i64, beta: i64) -> i64:
        """Return the value for the seat to move, exact between alpha and beta."""
        board = self.board
        seat = board.turn
        self.nodes += 1
        if self.nodes > self.most:
            self.stopped = True
            return 0
        if board.ended:
            return WON * board.payoff(seat)
        key = board.alike()
        slot = key & self.mask
        first: i64 = -1
        if self.keys[slot] == key:
            first = self.best[slot]
            known = self.known[slot]
            if known >> 2 >= depth and ply:
                value = self.values[slot]
                bound = known & 3
                if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                    if known >> 2 < TO_THE_END:
                        self.cut = True
                    return value
        count = board.legal()
        if count == 0:
            return WON * board.payoff(seat)
        if depth == 0:
            self.cut = True
            return board.estimate(seat)
        return self.try_all(key, first, count, depth, ply, alpha, beta)

    def try_all(self, key: i64, first: i64, count: i64, depth: i64, ply: i64, alpha: i64, beta: i64) -> i64:
        """Try the listed moves, the good ones first, and store the result."""
        board = self.board
        seat = board.turn
        plies = board.plies
        moves = board.moves[:count]
        marks = self.marks(moves, count, first, ply)
        cut_before = self.cut
        self.cut = False
        low = alpha
        highest: i64 = -ALL
        best: i64 = -1
        for i in range(count):
            move = self.next(moves, marks, i, count)
            board.apply(move)
            left = depth if board.plies == plies else depth - 1
            if board.turn == seat:
                value = self.look(left, ply + 1, low, beta)
            elif i == 0 or beta - low <= 1:
                value = -self.look(left, ply + 1, -beta, -low)
            else:
                # the first move is assumed best: for the others only a null window is searched
                value = -self.look(left, ply + 1, -low - 1, -low)
                if low < value < beta and not self.stopped:
                    value = -self.look(left, ply + 1, -beta, -low)
            board.undo()
            if self.stopped:
                return 0
            if value > highest:
                highest = value
                best = move
                if value > low:
                    low = value
                    if ply == 0:
                        self.move = move
                    if low >= beta:
                        self.praise(seat, move, depth, ply)
                        break
        if ply == 0 and low == alpha:
            self.move = best
        bound: i64 = AT_LEAST if highest >= beta else AT_MOST if highest <= alpha else EXACT
        ends = not self.cut or (bound != AT_MOST and highest >= WON) or (bound != AT_LEAST and highest <= -WON)
        self.cut = cut_before or not ends
        slot = key & self.mask
        self.keys[slot] = key
        if ends:
            depth = TO_THE_END
        self.known[slot] = depth << 2 | bound
        self.values[slot] = highest
        self.best[slot] = best
        return highest

    def marks(self, moves: vec[i64], count: i64, first: i64, ply: i64) -> vec[i64]:
        """Return a number for each move: higher ones are tried first."""
        marks = moves[:]
        weight = self.board.weigh(count, marks)
        history = self.history
        killers = self.killers
        place: i64 = 2 * ply if ply < PLIES else ZERO
        seat = self.board.turn
        for i in range(count):
            move = moves[i]
            mark = history[2 * (move & (HISTORY - 1)) + seat]
            if weight:
                mark += marks[i] << 10
            if move == first:
                mark += FIRST
            elif move == killers[place] or move == killers[place + 1]:
                mark += KILLER
            marks[i] = mark
        return marks

    def next(self, moves: vec[i64], marks: vec[i64], i: i64, count: i64) -> i64:
        """Bring the best of the moves from place i on to place i."""
        best = i
        for j in range(i + 1, count):
            if marks[j] > marks[best]:
                best = j
        move = moves[best]
        if best != i:
            mark = marks[best]
            # the others stay in their order: it is the board's, and as good as any
            while best > i:
                moves[best] = moves[best - 1]
                marks[best] = marks[best - 1]
                best -= 1
            moves[i] = move
            marks[i] = mark
        return move

    def praise(self, seat: i64, move: i64, depth: i64, ply: i64) -> None:
        """Remember a move that caused a cutoff, to be tried early elsewhere."""
        place = 2 * (move & (HISTORY - 1)) + seat
        merit: i64 = depth * depth if depth < PLIES else ONE
        self.history[place] += merit
        if place >= self.praised:
            self.praised = place + 1
        if ply < PLIES and self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
