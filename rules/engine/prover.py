"""Proofs: what a seat gets at best against all others together, by a search to the end of every relevant game.

With two seats that is perfect play. A position is looked at with null windows, so that each look is a question of yes
or no. A board keeps up the keys of its images (`Board.keep_images`), so that a position is known again without a look
at its squares. A search can be stopped after any number of positions, and goes on from its table. A pause costs it
nothing; what was begun when it stops is begun again.

The table of known positions is in rules/engine/proof_table.py.
"""

from collections.abc import Callable
from typing import Final

from quadrille.rules.arrays import filled, grown
from quadrille.rules.board import BEYOND, Board
from quadrille.rules.dice import Dice
from quadrille.rules.engine.proof_table import PLIES, ProofTable
from quadrille.rules.ints import ONE, ZERO, i64

#: Entries of the history for a side, above every number of a move (rules/engine/alpha_beta.py).
HISTORY: Final = 4096
#: Marks of moves to be tried first; `haste` and history follow. One of a kind outweighs all below it, if a
#: haste is less than 1 << 16.
FIRST: Final = 1 << 60
KILLER: Final = 1 << 56
HASTE: Final = 1 << 40
#: Marks where the positions after moves are looked at first: the sum of both bounds, from minus a maximum up, and then
#: all the marks above, divided.
MIDDLE: Final = 1 << 43
MOST_MIDDLE: Final = 1 << 15
LESSER: Final = 1 << 15
#: Maximum merits of a move in the history: less than a haste of 1. It takes a move 2**28 cutoffs or more.
MOST_MERIT: Final = 1 << 38


class ProofSearch:
    """A search on one board, on which it makes and takes back moves.

    It answers for `seat` against all others. With two seats a table may serve both, since what one gets the other does
    not. `low` and `high` are the bounds so far of what the side to move gets at the position where it stands.
    """

    __slots__ = (
        "best", "board", "every", "halt", "high", "highest", "history", "killers", "low", "marks", "most", "move",
        "moves", "nodes", "pause", "seat", "spread", "stopped", "table", "top",
    )  # fmt: skip

    def __init__(self, board: Board, seat: i64, buckets: i64) -> None:
        """`buckets`: size of the table, at 32 bytes each."""
        self.table = ProofTable(buckets)
        self.history = filled(2 * HISTORY, 0)
        self.killers = filled(2 * PLIES, -1)
        self.moves = filled(256, 0)
        self.marks = filled(256, 0)
        self.top: i64 = 0
        self.nodes: i64 = 0
        self.most: i64 = 0
        self.halt: i64 = 0
        self.every: i64 = 1 << 16
        self.pause: Callable[[], bool] | None = None
        self.stopped = False
        #: The best move that `foresee` found, and its outcome.
        self.best: i64 = -1
        self.highest: i64 = -BEYOND
        self.board = board
        self.stand(board, seat)

    def stand(self, board: Board, seat: i64) -> None:
        """Answer for a seat from this position on, of the same game on the same terms: the table stays valid.

        With three seats or more it stays valid for the same seat alone.
        """
        if board.images is None and self.board.images is not None:
            board.images = self.board.images.copy()
        board.keep_images()
        self.board = board
        self.seat = seat
        self.spread: i64 = board.seats - 1
        self.low: i64 = -self.spread
        self.high: i64 = self.spread
        self.move: i64 = -1

    def search(self, most: i64) -> bool:
        """Search that many more positions; return whether the payoff is proven: then `low` is `high`."""
        self.begin(most)
        guess: i64 = 0
        while self.low < self.high:
            beta = max(guess, self.low + 1)
            self.top = 0
            value = self.within(self.look(0, beta - 1, beta))
            if self.stopped:
                return False
            if value >= beta:
                self.low = value
            else:
                self.high = value
            guess = value
        return True

    def gets(self, least: i64, most: i64) -> bool:
        """Search only until it is known whether the side to move gets that payoff; return whether it is known."""
        self.begin(most)
        if self.low < least <= self.high:
            self.top = 0
            value = self.within(self.look(0, least - 1, least))
            if self.stopped:
                return False
            if value >= least:
                self.low = value
            else:
                self.high = value
        return True

    def begin(self, most: i64) -> None:
        """Allow that many more positions."""
        self.most = self.nodes + most
        self.halt = min(self.most, self.nodes + self.every)
        self.stopped = False

    def stops(self) -> bool:
        """Return whether the search ends here; if not, `pause` has been called, which can end it by False."""
        if self.nodes < self.most and self.pause is not None and not self.pause():
            self.most = self.nodes
        self.halt = min(self.most, self.nodes + self.every)
        self.stopped = self.nodes >= self.most
        return self.stopped

    def within(self, outcome: i64) -> i64:
        """Return the payoff of an outcome: with two seats they have the same sign."""
        return min(max(outcome, -self.spread), self.spread)

    def outcome(self) -> i64:
        """Return the outcome for the side to move at the end of a game."""
        board = self.board
        if self.spread == 1:
            return board.outcome(board.turn)
        value = board.payoff(self.seat)
        return value if board.turn == self.seat else -value

    def look(self, ply: i64, low: i64, high: i64) -> i64:
        """Return the bound that was found of the outcome for the side to move: at least `high`, or at most `low`."""
        board = self.board
        if self.nodes >= self.halt and self.stops():
            return low
        self.nodes += 1
        if board.ended:
            return self.outcome()
        table = self.table
        table.recall(board, high)
        key = table.key
        settled = table.settled
        is_near = table.is_near
        first = table.first
        least = table.least
        greatest = table.greatest
        # at the root the move is wanted too, and that of the table may be the image of one
        if least >= high and ply:
            return least
        if greatest <= low and ply:
            return greatest
        count = board.sifted()
        if count == 0:
            return self.outcome()
        return self.try_all(key, first, count, ply, low, high, least, greatest, settled, is_near)

    def try_all(
        self,
        key: i64,
        first: i64,
        count: i64,
        ply: i64,
        low: i64,
        high: i64,
        least: i64,
        greatest: i64,
        settled: i64,
        is_near: bool,
    ) -> i64:
        """Try the listed moves until one gets enough, and store the result."""
        board = self.board
        ours = board.turn == self.seat
        turn = board.turn
        begin = self.top
        before = self.nodes
        best: i64 = -1
        highest: i64 = -2 * BEYOND
        self.list(first, count, ply)
        if self.spread == 1 and board.foresees():
            count = self.foresee(begin, count, low, high)
            best = self.best
            highest = self.highest
            if highest >= high:
                self.praise(turn, best, ply)
        for i in range(begin, begin + count):
            move = self.next(i, begin + count)
            board.apply(move)
            if board.turn == turn or (self.spread > 1 and ours == (board.turn == self.seat)):
                value = self.look(ply + 1, low, high)
            else:
                value = -self.look(ply + 1, -high, -low)
            board.undo()
            if self.stopped:
                self.top = begin
                return low
            if value > highest:
                highest = value
                best = move
                if value >= high:
                    self.praise(turn, move, ply)
                    break
        self.top = begin
        if highest >= high:
            least = max(least, highest)
        else:
            greatest = min(greatest, highest)
        if ply == 0 and (highest >= high or self.move < 0):
            self.move = best
        work = self.nodes - before
        self.table.keep(key, best, least - settled, greatest - settled, work, board.plies, is_near=is_near)
        return highest

    def foresee(self, begin: i64, count: i64, low: i64, high: i64) -> i64:
        """Look at what is known after each move on the stack, before one of them is searched.

        Moves known to get too little leave the stack. Return the number of those left: 0 if a move is known to get
        enough. They are marked by the middle of their bounds, and by their old marks if that is equal. `best` is the
        best of the known moves, `highest` its outcome.
        """
        board = self.board
        table = self.table
        moves = self.moves
        marks = self.marks
        kept = begin
        best: i64 = -1
        highest: i64 = -2 * BEYOND
        for i in range(begin, begin + count):
            move = moves[i]
            mark = marks[i]
            board.apply(move)
            table.recall(board, -low)
            board.undo()
            # what the other seat gets after it, against the seat to move
            least = -table.greatest
            greatest = -table.least
            if least >= high:
                best = move
                highest = least
                kept = begin
                break
            if greatest <= low:
                if greatest > highest:
                    best = move
                    highest = greatest
                continue
            if mark < FIRST:
                middle = min(max(least + greatest, -MOST_MIDDLE), MOST_MIDDLE)
                mark = MIDDLE * (MOST_MIDDLE + middle) + mark // LESSER
            moves[kept] = move
            marks[kept] = mark
            kept += 1
        self.best = best
        self.highest = highest
        return kept - begin

    def list(self, first: i64, count: i64, ply: i64) -> None:
        """Put the board's moves on the stack, each with a mark: higher ones are tried first."""
        board = self.board
        begin = self.top
        end = begin + count
        if end > len(self.moves):
            self.moves = grown(self.moves, 2 * end)
            self.marks = grown(self.marks, 2 * end)
        moves = self.moves
        marks = self.marks
        listed = board.moves
        history = self.history
        killers = self.killers
        pair: i64 = 2 * ply if ply < PLIES else ZERO
        side: i64 = 1 if board.turn == self.seat else 0
        for i in range(count):
            move = listed[i]
            mark = history[2 * (move & (HISTORY - 1)) + side] + HASTE * board.haste(move)
            if move == first:
                mark += FIRST
            elif move == killers[pair] or move == killers[pair + 1]:
                mark += KILLER
            moves[begin + i] = move
            marks[begin + i] = mark
        self.top = end

    def next(self, i: i64, end: i64) -> i64:
        """Bring the best of the moves from place i on to place i."""
        moves = self.moves
        marks = self.marks
        best = i
        highest = marks[i]
        for j in range(i + 1, end):
            if marks[j] > highest:
                highest = marks[j]
                best = j
        move = moves[best]
        if best != i:
            moves[best] = moves[i]
            marks[best] = marks[i]
            moves[i] = move
            marks[i] = highest
        return move

    def praise(self, turn: i64, move: i64, ply: i64) -> None:
        """Remember a move that was enough, to be tried early elsewhere."""
        side: i64 = 1 if turn == self.seat else 0
        place = 2 * (move & (HISTORY - 1)) + side
        merit = PLIES - ply if ply < PLIES else ONE  # near the root a cutoff saves a larger tree
        self.history[place] = min(self.history[place] + merit, MOST_MERIT)
        if ply < PLIES and self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move

    def shuffle(self, dice: Dice) -> None:
        """Try moves in another order from now on, by a history that nobody made."""
        for place in range(2 * HISTORY):
            self.history[place] = dice.below(PLIES * PLIES)
