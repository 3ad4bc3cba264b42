"""UCT: a tree search for any number of seats, with or without chance.

Every simulation descends the tree, plays on from its edge (`Board.play_on`) and backs up the result for the seat that
chose each move. A board's prior (`Board.weigh`) counts like earlier simulations. With two seats and no hidden cards,
a move that certainly wins or loses is marked as such as soon as everything relevant below it is (MCTS-Solver). All
numbers are whole (square roots and logarithms come from tables), so a search is the same, simulation by simulation,
plain, compiled and under PyPy.

Chance is drawn, each face equally likely. A face hidden from the searching seat stays unknown in its tree, so no plan
depends on it (`Board.hides`): it is a tree of that seat's knowledge. Only beyond its edge every hidden face gets a
value, a new one each time (`Board.guess`), and movers there know what that seat has looked at.
"""

from typing import Final

from quadrille.rules.arrays import filled, grown
from quadrille.rules.board import CHANCE, PART, UNKNOWN, Board
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, vec

#: Averages and weights are in units of 1/2**20, results in PARTs of 1/2**10.
SHIFT: Final = 20
UNIT: Final = 1 << SHIFT
TO_UNIT: Final = SHIFT - 10
#: The natural logarithm of 2 in parts of UNIT.
LN2: Final = 726817
#: Maximum moves of one position in the tree, a random sample if there are more: twice the 131 of random games (Dotter).
WIDTH: Final = 256
#: Maximum moves in a tree, 128 MiB where compiled; above it it stops growing, and the search continues inside it.
MOST: Final = 1 << 21
DEPTH: Final = 512
#: Maximum places searched for a later position: two plies of 44 moves each.
LOOKED_FOR: Final = 2000
OPEN: Final = 0
CLOSED: Final = -1
#: The proven result of a move for the seat that chooses it: none yet, or one of these, higher is better.
UNPROVED: Final = 0
LOST: Final = 1
DRAWN: Final = 2
WON: Final = 3
#: The average of a move proven to lose: it is not chosen again.
NEVER: Final = -(1 << 50)


def root(square: i64, near: i64) -> i64:
    """Return the integer part of a square root, from a number near it that is not much below it."""
    guess: i64 = near if near > 0 else 1
    while True:
        better = (guess + square // guess) // 2
        if better - guess <= 1 and guess - better <= 1:
            break
        guess = better
    while better * better > square:
        better -= 1
    while (better + 1) * (better + 1) <= square:
        better += 1
    return better


class Tree:
    """The tree: one place for each move of each expanded position, the moves of a position in a row.

    For the move at place p: `move[p]`, its number of visits `visits[p]` (including the trials it was `lent`), its
    total result for the seat that chose it `total[p]` and the average `mean[p]`, its proven result `proved[p]`; the
    position after it has its moves from `block[p]` on (OPEN: not expanded, CLOSED: the game is over there or the tree
    is full), `size[p]` of them, and `tried[p]` were chosen already.
    """

    __slots__ = (
        "block", "board", "choosers", "dice", "free", "halves", "hopes", "left", "lent", "mean", "mixed", "move",
        "path", "payoffs", "priors", "proved", "proves", "roots", "seat", "size", "spreads", "top", "total", "tried",
        "trial", "visits", "wander", "width",
    )  # fmt: skip

    def __init__(self, board: Board, dice: Dice, seat: i64, wander: i64, proves: bool) -> None:
        """Make a tree of `seat`'s knowledge of a board. `wander` is UCT's exploration constant, times 100.

        `proves`: nothing is hidden, so with two seats certain results can be known.
        """
        self.board = board
        self.trial = board.copy()
        self.dice = dice
        self.seat = seat
        self.wander: i64 = wander * (board.seats - 1)  # results of more seats spread as much further
        self.proves = proves and board.seats == 2
        self.width: i64 = WIDTH
        #: Whether `find` looks for positions in the middle of a turn, too.
        self.halves = False
        self.lent: i64 = 0
        self.top: i64 = 0
        self.left: i64 = 0
        self.free: i64 = 1
        self.move = filled(64, 0)
        self.visits = filled(64, 0)
        self.total = filled(64, 0)
        self.mean = filled(64, 0)
        self.block = filled(64, OPEN)
        self.size = filled(64, 0)
        self.tried = filled(64, 0)
        self.proved = filled(64, UNPROVED)
        self.priors = filled(WIDTH, 0)
        self.path = filled(DEPTH, 0)
        self.choosers = filled(DEPTH, 0)
        self.payoffs = filled(board.seats, 0)
        #: The expectations of each seat at the edge by the judge, if the value is `mixed` with the result of a game.
        self.hopes = filled(board.seats, 0)
        self.mixed = False
        self.roots = filled(1, UNIT)
        self.spreads = filled(1, 0)

    def search(self, simulations: i64) -> None:
        """Add simulations to the tree, or fewer once the result is known."""
        self.prepare(self.visits[self.top] + simulations + 2)
        for _ in range(simulations):
            if self.proved[self.top]:
                return
            self.trial.become(self.board)
            depth = self.descend()
            if depth == 0 or self.proved[self.path[depth - 1]] == UNPROVED:
                self.trial.guess(self.dice)
                self.play_on()
            self.climb(depth)

    def keep(self, place: i64, move: i64, other: i64) -> None:
        """Search only these legal moves at a place, one or two, without priors; before the first simulation."""
        first = self.free
        count: i64 = 1 if move == other else 2
        if first + count > len(self.move):
            self.grow(2 * (first + count))
        self.move[first] = move
        if count == 2:
            self.move[first + 1] = other
        self.free = first + count
        self.block[place] = first
        self.size[place] = count

    def follow(self, board: Board) -> bool:
        """Continue from a later position of the same game, if the tree has it: the tree below it is kept."""
        if self.free > MOST // 2:  # what lies beside the new position is never freed
            return False
        self.trial.become(self.board)
        self.left = LOOKED_FOR
        place = self.find(self.top, board, board.key())
        if place < 0:
            return False
        self.top = place
        self.board = board
        return True

    def find(self, place: i64, board: Board, key: i64) -> i64:
        """Find the place of a position at or below another one, which the trial board holds; -1 if it is not found."""
        trial = self.trial
        if trial.plies >= board.plies:
            if trial.plies == board.plies and trial.turn == board.turn and trial.key() == key:
                return place
            if trial.plies > board.plies or not self.halves:
                return -1
        first = self.block[place]
        if first <= 0:
            return -1
        for child in range(first, first + self.size[place]):
            if self.visits[child] > self.lent and self.left > 0:
                self.left -= 1
                trial.apply(self.move[child])
                below = self.find(child, board, key)
                trial.undo()
                if below >= 0:
                    return below
        return -1

    def prepare(self, count: i64) -> None:
        """Fill the tables by number of visits: 1 / root(n) in `roots`, and the root of the logarithm times `wander`."""
        known: i64 = len(self.roots)
        if known >= count + WIDTH:
            return
        count = 2 * count + WIDTH
        self.roots = grown(self.roots, count)
        self.spreads = grown(self.spreads, count)
        near: i64 = UNIT
        high: i64 = UNIT
        power: i64 = 0  # 2**power is the greatest power of 2 up to n
        for n in range(known, count):
            while n >> (power + 1):
                power += 1
            # between powers of 2 the logarithm is interpolated linearly
            part = (n << SHIFT) >> power
            logarithm = ((power << SHIFT) + part - UNIT) * LN2 >> SHIFT
            near = root((UNIT << SHIFT) // n, near)
            high = root(logarithm << SHIFT, high)
            self.roots[n] = near
            self.spreads[n] = high * self.wander // 100

    def descend(self) -> i64:
        """Descend from the root to a move with few trials, a proven one, or an end; return the number of moves."""
        trial = self.trial
        path = self.path
        place = self.top
        depth: i64 = 0
        patience: i64 = -1
        while depth < DEPTH:
            first = self.block[place]
            if first == OPEN:
                first = self.open(place, depth, patience)
            if first < 0:
                return depth
            seat = trial.turn
            size = self.size[place]
            if seat == CHANCE:
                place = first + self.dice.below(size)
            else:
                place = self.choose(place, first, size)
            # of many moves most are expanded later: after 600 simulations of Barons 10 x 10 the tree holds 2,972 moves,
            # with patience 0 it would hold 22,524, and with size >> 2 only 101
            patience = size >> 4
            if seat != CHANCE:
                patience += self.lent
            path[depth] = place
            self.choosers[depth] = seat
            depth += 1
            trial.make(self.move[place])
            if self.proved[place]:
                return depth
        return depth

    def open(self, place: i64, depth: i64, patience: i64) -> i64:
        """Expand the trial's position if it is worth it; return the first place of its moves, or CLOSED."""
        if self.visits[place] <= patience:
            return CLOSED
        return self.look(place, self.choosers[depth - 1] if depth else i64(CHANCE))

    def look(self, place: i64, chooser: i64) -> i64:
        """List the moves of the trial's position, after a seat's choice; return their first place, or CLOSED."""
        trial = self.trial
        chance = trial.turn == CHANCE
        if chance and not trial.ended and trial.hides(self.seat):
            count: i64 = 1
            trial.moves[0] = UNKNOWN
        else:
            count = trial.promising(self.dice, self.width)
        first = self.free
        if count == 0 or first + count > MOST:
            self.block[place] = CLOSED
            if count == 0 and place and self.proves:
                self.proved[place] = DRAWN + trial.payoff(chooser)
            return CLOSED
        if first + count > len(self.move):
            self.grow(2 * (first + count))
        moves = trial.moves
        for i in range(count):
            self.move[first + i] = moves[i]
        self.free = first + count
        self.block[place] = first
        self.size[place] = count
        if not chance:
            self.lend(place, first, count)
        return first

    def lend(self, place: i64, first: i64, count: i64) -> None:
        """Give each move of a position its prior, as if it had been tried."""
        priors = self.priors
        lent = self.trial.weigh(count, priors)
        if lent == 0:
            return
        self.lent = lent
        self.tried[place] = count
        for i in range(count):
            self.visits[first + i] = lent
            self.total[first + i] = lent * priors[i]
            self.mean[first + i] = priors[i] << TO_UNIT

    def grow(self, count: i64) -> None:
        """Make room for that many moves."""
        self.move = grown(self.move, count)
        self.visits = grown(self.visits, count)
        self.total = grown(self.total, count)
        self.mean = grown(self.mean, count)
        self.block = grown(self.block, count)
        self.size = grown(self.size, count)
        self.tried = grown(self.tried, count)
        self.proved = grown(self.proved, count)

    def choose(self, place: i64, first: i64, size: i64) -> i64:
        """Choose a move that was never tried if there is one, else the one with the highest upper bound (UCB1)."""
        tried = self.tried[place]
        if tried < size:
            self.tried[place] = tried + 1
            chosen = first + tried + self.dice.below(size - tried)
            fresh = first + tried
            moves = self.move
            move = moves[chosen]
            moves[chosen] = moves[fresh]
            moves[fresh] = move
            return fresh
        visits = self.visits
        mean = self.mean
        roots = self.roots
        spread = self.spreads[visits[place]]
        best = first
        highest = mean[first] + (spread * roots[visits[first]] >> SHIFT)
        for child in range(first + 1, first + size):
            bound = mean[child] + (spread * roots[visits[child]] >> SHIFT)
            if bound > highest:
                highest = bound
                best = child
        return best

    def climb(self, depth: i64) -> None:
        """Back up the result of the trial, or the proven one, along the path."""
        payoffs = self.payoffs
        known = self.proved[self.path[depth - 1]] if depth else i64(UNPROVED)
        if known:
            chooser = self.choosers[depth - 1]
            payoffs[chooser] = PART * (known - DRAWN)
            payoffs[1 - chooser] = -payoffs[chooser]
        elif depth:
            self.count_up()
        self.back_up(depth, 1)
        if known:
            self.conclude(depth)

    def back_up(self, depth: i64, more: i64) -> None:
        """Add `payoffs` to the moves along the path, and that many visits."""
        self.visits[self.top] += more
        payoffs = self.payoffs
        path = self.path
        visits = self.visits
        total = self.total
        proved = self.proved
        for i in range(depth):
            place = path[i]
            seat = self.choosers[i]
            count = visits[place] + more
            visits[place] = count
            if seat >= 0:
                sum_now = total[place] + payoffs[seat]
                total[place] = sum_now
                if proved[place] != LOST:
                    self.mean[place] = (sum_now << TO_UNIT) // count

    def play_on(self) -> None:
        """Play on from the edge. With a judge and more than two seats, a random game is half of the value there.

        A judge alone sees too little of what several others do together.
        """
        trial = self.trial
        judge = trial.judge
        self.mixed = judge is not None and trial.seats > 2 and not trial.ended
        if not self.mixed:
            trial.play_on(self.dice)
            return
        for seat in range(trial.seats):
            self.hopes[seat] = trial.estimate(seat)
        # Nobody asks the judge in such a game, and the next trial renews it.
        trial.judge = None
        trial.playout(self.dice)
        trial.judge = judge

    def count_up(self) -> None:
        """Write the value of the finished playout to each seat."""
        trial = self.trial
        payoffs = self.payoffs
        seats = trial.seats
        if trial.ended:
            for seat in range(seats):
                gain = trial.gain(seat)
                payoffs[seat] = (gain + self.hopes[seat]) // 2 if self.mixed else gain
            return
        most = PART * (seats - 1)
        for seat in range(seats):
            value = trial.estimate(seat)
            payoffs[seat] = most if value > most else -most if value < -most else value

    def conclude(self, depth: i64) -> None:
        """Propagate a proven result of the last move to the moves before it, as far as possible."""
        path = self.path
        proved = self.proved
        i = depth - 1
        while i >= 0:
            known = proved[path[i]]
            before = path[i - 1] if i else self.top
            if known == LOST:
                self.mean[path[i]] = NEVER
            if known != WON:
                known = self.best_of(before)
            if known == UNPROVED:
                return
            if i and self.choosers[i - 1] != self.choosers[i]:
                known = DRAWN + DRAWN - known
            proved[before] = known
            i -= 1

    def best_of(self, place: i64) -> i64:
        """Return the proven result of a position's moves for the choosing seat, if all of them are proven."""
        size = self.size[place]
        if size >= self.width or self.tried[place] < size:  # moves outside a sample may be better
            return UNPROVED
        first = self.block[place]
        proved = self.proved
        best: i64 = LOST
        for child in range(first, first + size):
            known = proved[child]
            if known == UNPROVED:
                return UNPROVED
            if known > best:
                best = known
        return best

    def result(self) -> vec[i64]:
        """Return for each move from the root four numbers: the move, its visits, its average, its proven result."""
        first = self.block[self.top]
        count = self.size[self.top] if first > 0 else 0
        figures = filled(4 * count, 0)
        for i in range(count):
            visits = self.visits[first + i]
            figures[4 * i] = self.move[first + i]
            figures[4 * i + 1] = visits - self.lent
            figures[4 * i + 2] = (self.total[first + i] << TO_UNIT) // visits if visits else 0
            figures[4 * i + 3] = self.proved[first + i]
        return figures
