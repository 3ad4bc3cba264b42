"""Proofs: what a seat gets at best against all others together, by a search to the end of every relevant game.

With two seats that is perfect play. A position is looked at with null windows, so that each look is a question of yes
or no. A board keeps up the keys of its images (`Board.keep_images`), so that a position is known again without a look
at its squares. A search can be stopped after any number of positions, and goes on from its table. A pause costs it
nothing; what was begun when it stops is begun again.

The table has buckets of two places, 16 bytes each: one keeps the position that took most work, the other the latest.
Near the ends of games, where most positions are and each is little work, a small table stays in the cache of a core.
A position counts as known by its key of 62 bits. A search of N positions meets the key of another one in a table of T
places with a chance of N * T / 2**62: 1 in 400 for 10**8 positions and places. A certificate is checked without keys.
"""

from collections.abc import Callable
from typing import Final

from quadrille.rules.arrays import filled, grown
from quadrille.rules.board import Board
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, vec
from quadrille.rules.patterns.provable import BEYOND

#: Words of a bucket: two places of a key and what is known.
BUCKET: Final = 4
#: Bits of what is known: the move, the least and the greatest outcome, and the work, up to the most that these bits
#: hold. An outcome is kept without the settled part, as a number from 0 up; 0 is not known to be more, FIELD less.
MOVE_MASK: Final = 0xFFFF
LOW_SHIFT: Final = 16
HIGH_SHIFT: Final = 26
FIELD: Final = 1023
NONE: Final = 512
WORK_SHIFT: Final = 36
MOST_WORK: Final = (1 << 26) - 1
#: Size of the history of moves, by their last bits; number of plies with killer moves, and of turns with an average.
HISTORY: Final = 4096
PLIES: Final = 1024
#: Buckets of the table near the ends of games, which stays in the cache of a core.
NEAR: Final = 1 << 15
#: The average work in a turn of the game: bits of its fraction, and the binary logarithm of the number of results in
#: it. Then the most that a result counts, and the least average of a turn that is far from the end.
LABOUR_SHIFT: Final = 10
LABOUR_BITS: Final = 10
MOST_LABOUR: Final = 256
FAR: Final = 48 << 10
#: Marks of moves to be tried first; `haste` and history follow.
FIRST: Final = 1 << 60
KILLER: Final = 1 << 56
HASTE: Final = 1 << 40
#: Maximum merits of a move in the history.
MOST_MERIT: Final = 1 << 38


class ProofSearch:
    """A search on one board, on which it makes and takes back moves.

    It answers for `seat` against all others. With two seats a table may serve both, since what one gets the other does
    not. `low` and `high` are the bounds so far of what the side to move gets at the position where it stands.
    """

    __slots__ = (
        "board", "buckets", "every", "far", "halt", "high", "history", "killers", "labour", "low", "marks", "most",
        "move", "moves", "near", "near_buckets", "nodes", "pause", "seat", "spread", "stopped", "table", "top",
    )  # fmt: skip

    def __init__(self, board: Board, seat: i64, buckets: i64) -> None:
        """A table of so many buckets, 32 bytes each."""
        self.buckets = buckets
        self.table = filled(BUCKET * buckets, 0)
        # a table that fits into the cache itself needs no smaller one
        self.far: i64 = FAR if buckets >= 4 * NEAR else 0
        self.near_buckets: i64 = NEAR if self.far else 1
        self.near = filled(BUCKET * self.near_buckets, 0)
        self.labour = filled(PLIES, FAR)
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
        """As `search`, but only until it is known whether the side to move gets at least that payoff."""
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
        """Search that many more positions."""
        self.most = self.nodes + most
        self.halt = min(self.most, self.nodes + self.every)
        self.stopped = False

    def stops(self) -> bool:
        """Whether the search ends here; if not, `pause` has been called, which can end it by False."""
        if self.nodes < self.most and self.pause is not None and not self.pause():
            self.most = self.nodes
        self.halt = min(self.most, self.nodes + self.every)
        self.stopped = self.nodes >= self.most
        return self.stopped

    def within(self, outcome: i64) -> i64:
        """The payoff of an outcome: with two seats they have the same sign."""
        return min(max(outcome, -self.spread), self.spread)

    def outcome(self) -> i64:
        """The outcome for the side to move at the end of a game."""
        board = self.board
        if self.spread == 1:
            return board.outcome(board.turn)
        value = board.payoff(self.seat)
        return value if board.turn == self.seat else -value

    def look(self, ply: i64, low: i64, high: i64) -> i64:
        """The outcome for the side to move: at least `high`, or at most `low`; the bound that was found."""
        board = self.board
        if self.nodes >= self.halt and self.stops():
            return low
        self.nodes += 1
        if board.ended:
            return self.outcome()
        key = board.matters()
        settled: i64 = board.settled(board.turn) if self.spread == 1 else 0
        # counted from the start of the game, not from where the search stands: else its next position finds nothing
        is_near = board.plies < PLIES and self.labour[board.plies] < self.far
        table = self.table
        buckets = self.buckets
        if is_near:
            table = self.near
            buckets = self.near_buckets
        place = BUCKET * ((key & 0xFFFFFFFF) * buckets >> 32)
        if table[place] != key:
            place += 2
        first: i64 = -1
        least: i64 = -BEYOND
        greatest: i64 = BEYOND
        if table[place] == key:
            known = table[place + 1]
            first = known & MOVE_MASK
            least = least_of(known) + settled
            greatest = greatest_of(known) + settled
        elif self.spread == 1:
            least = board.secured(board.turn)
            if least < high:
                greatest = -board.secured(1 - board.turn)
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
        self.list(first, count, ply)
        before = self.nodes
        best: i64 = -1
        highest: i64 = -2 * BEYOND
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
        turns = board.plies
        if turns < PLIES:
            self.labour[turns] += (min(work, MOST_LABOUR) << LABOUR_SHIFT) - self.labour[turns] >> LABOUR_BITS
        if is_near:
            self.store_near(key, best, least - settled, greatest - settled, work)
        else:
            self.store(key, best, least - settled, greatest - settled, work)
        return highest

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
        pair: i64 = 2 * ply if ply < PLIES else 0
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
        merit = self.history[place] + (PLIES - ply if ply < PLIES else 1)
        self.history[place] = merit if merit < MOST_MERIT else MOST_MERIT // 2
        if ply < PLIES and self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move

    def store(self, key: i64, move: i64, least: i64, greatest: i64, work: i64) -> None:
        """Keep what is known in the place of the same key, or of less work, or in the second one."""
        table = self.table
        place = BUCKET * ((key & 0xFFFFFFFF) * self.buckets >> 32)
        if table[place] != key and table[place] and table[place + 1] >> WORK_SHIFT > work:
            place += 2
        self.write(table, place, key, move, least, greatest, work)

    def store_near(self, key: i64, move: i64, least: i64, greatest: i64, work: i64) -> None:
        """Keep what is known near an end in the first place, and the latest result before it in the second one."""
        near = self.near
        place = BUCKET * ((key & 0xFFFFFFFF) * self.near_buckets >> 32)
        if near[place] != key:
            near[place + 2] = 0
            near[place + 3] = near[place + 1]
            near[place + 2] = near[place]
        self.write(near, place, key, move, least, greatest, work)

    def write(self, table: vec[i64], place: i64, key: i64, move: i64, least: i64, greatest: i64, work: i64) -> None:
        """Write an entry."""
        # no key stands beside what is known of another one, even if Ctrl-C comes in between
        table[place] = 0
        bounds = least_field(least) << LOW_SHIFT | greatest_field(greatest) << HIGH_SHIFT
        table[place + 1] = move & MOVE_MASK | bounds | min(work, MOST_WORK) << WORK_SHIFT
        table[place] = key

    def shuffle(self, dice: Dice) -> None:
        """Try moves in another order from now on, by a history that nobody made."""
        for place in range(2 * HISTORY):
            self.history[place] = dice.below(PLIES * PLIES)

    # Results, for a file and for another process

    def laborious(self, work: i64, most: i64) -> vec[i64]:
        """The entries that took at least so many positions: pairs of a key and what is known.

        If there are more than `most`, only those that took twice as many, or four times, …
        """
        count = self.count(work)
        while count > most:
            work *= 2
            count = self.count(work)
        table = self.table
        found = filled(2 * count, 0)
        count = 0
        for place in range(0, BUCKET * self.buckets, 2):
            if table[place] and table[place + 1] >> WORK_SHIFT >= work:
                found[count] = table[place]
                found[count + 1] = table[place + 1]
                count += 2
        return found

    def count(self, work: i64) -> i64:
        """The number of entries that took at least so many positions."""
        table = self.table
        count: i64 = 0
        for place in range(0, BUCKET * self.buckets, 2):
            if table[place] and table[place + 1] >> WORK_SHIFT >= work:
                count += 1
        return count

    def take_over(self, entries: vec[i64]) -> None:
        """Put entries of another search for the same seat on the same terms into the table, beside what is known."""
        table = self.table
        for i in range(0, len(entries) - 1, 2):
            key = entries[i]
            known = entries[i + 1]
            least = least_of(known)
            greatest = greatest_of(known)
            place = BUCKET * ((key & 0xFFFFFFFF) * self.buckets >> 32)
            if table[place] != key:
                place += 2
            if table[place] == key:
                least = max(least, least_of(table[place + 1]))
                greatest = min(greatest, greatest_of(table[place + 1]))
            self.store(key, known & MOVE_MASK, least, greatest, known >> WORK_SHIFT)


def least_of(known: i64) -> i64:
    """The least outcome by an entry, without the settled part."""
    field = known >> LOW_SHIFT & FIELD
    return field - NONE if field else -BEYOND


def greatest_of(known: i64) -> i64:
    """The greatest outcome by an entry, without the settled part."""
    field = known >> HIGH_SHIFT & FIELD
    return field - NONE if field < FIELD else BEYOND


def least_field(least: i64) -> i64:
    """The number in an entry for a least outcome: no more than it."""
    return min(max(least + NONE, 0), FIELD)


def greatest_field(greatest: i64) -> i64:
    """The number in an entry for a greatest outcome: no less than it."""
    return min(max(greatest + NONE, 0), FIELD)
