"""UCT: a tree of what random games from here come to, for any number of seats, with or without chance.

Every simulation goes down the tree, plays the rest of the game at random and writes down on its way back what came out
for the seat that chose. All numbers are whole (square roots and logarithms come from tables of them), so that a search
is the same, simulation by simulation, plain, compiled and under PyPy.

What is owed by chance is drawn, each face as likely as the others. A face that is not for the searching seat's eyes
stays unknown in its tree, so that nothing is planned on it (`Board.hides`).
"""

from typing import Final

from quadrille.rules.arrays import filled, grown
from quadrille.rules.board import CHANCE, UNKNOWN, Board
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, vec

#: Results and weights are counted in parts of 2**20.
SHIFT: Final = 20
UNIT: Final = 1 << SHIFT
#: The natural logarithm of 2 in parts of UNIT.
LN2: Final = 726817
#: As many moves are looked at in one position, chosen at random where there are more.
WIDTH: Final = 256
#: As many moves as a tree may hold; then it grows no further, and searching goes on in what there is.
MOST: Final = 1 << 22
DEPTH: Final = 512
OPEN: Final = 0
CLOSED: Final = -1


def root(square: i64, near: i64) -> i64:
    """The whole part of a square root, from a number near it and not below it by much."""
    guess = near if near > 0 else 1
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
    """The tree: one place for each move of each position that was looked at twice, the moves of a position in a row.

    Of the move at place p: `move[p]`, how often it was chosen `visits[p]`, what that came to for who chose it
    `total[p]` and on average `mean[p]`; the position after it has its moves from `block[p]` on (OPEN: it was not looked
    at, CLOSED: the game is over there or the tree is full), `size[p]` of them, `tried[p]` of which were chosen already.
    """

    __slots__ = (
        "block", "board", "choosers", "dice", "free", "mean", "move", "path", "payoffs", "roots", "seat", "size",
        "spreads", "total", "tried", "trial", "visits", "wander",
    )  # fmt: skip

    def __init__(self, board: Board, dice: Dice, seat: i64, wander: i64) -> None:
        """A tree for what `seat` knows of a board. `wander`: how much what was tried little is preferred, in 1/100."""
        self.board = board
        self.trial = board.copy()
        self.dice = dice
        self.seat = seat
        self.wander: i64 = wander * (board.seats - 1)
        self.free: i64 = 1
        self.move = filled(64, 0)
        self.visits = filled(64, 0)
        self.total = filled(64, 0)
        self.mean = filled(64, 0)
        self.block = filled(64, OPEN)
        self.size = filled(64, 0)
        self.tried = filled(64, 0)
        self.path = filled(DEPTH, 0)
        self.choosers = filled(DEPTH, 0)
        self.payoffs = filled(board.seats, 0)
        self.roots = filled(1, UNIT)
        self.spreads = filled(1, 0)

    def search(self, simulations: i64) -> None:
        """Add so many simulations to the tree."""
        self.prepare(self.visits[0] + simulations + 2)
        for _ in range(simulations):
            self.trial.become(self.board)
            depth = self.descend()
            self.trial.playout(self.dice)
            self.climb(depth)

    def prepare(self, count: i64) -> None:
        """Tables by numbers of visits: 1 / root(n) in `roots`, and the root of the logarithm times `wander`."""
        known: i64 = len(self.roots)
        if known >= count:
            return
        self.roots = grown(self.roots, count)
        self.spreads = grown(self.spreads, count)
        near: i64 = UNIT
        high: i64 = UNIT
        power: i64 = 0  # 2**power is the greatest power of 2 up to n
        for n in range(1, count):
            while n >> (power + 1):
                power += 1
            # between powers of 2 the logarithm is taken for straight
            part = (n << SHIFT) >> power
            logarithm = ((power << SHIFT) + part - UNIT) * LN2 >> SHIFT
            if n >= known:
                near = root((UNIT << SHIFT) // n, near)
                high = root(logarithm << SHIFT, high)
                self.roots[n] = near
                self.spreads[n] = high * self.wander // 100

    def descend(self) -> i64:
        """From the root to a move that was never tried, or to an end; how many moves that is."""
        trial = self.trial
        path = self.path
        place: i64 = 0
        depth: i64 = 0
        while depth < DEPTH:
            first = self.block[place]
            if first == OPEN:
                if place and self.visits[place] == 0:
                    return depth
                first = self.look(place)
            if first < 0:
                return depth
            seat = trial.turn
            if seat == CHANCE:
                place = first + self.dice.below(self.size[place])
            else:
                place = self.choose(place, first)
            path[depth] = place
            self.choosers[depth] = seat
            depth += 1
            trial.apply(self.move[place])
        return depth

    def look(self, place: i64) -> i64:
        """List the moves of the position that the trial stands in; where they begin, or CLOSED."""
        trial = self.trial
        if trial.turn == CHANCE and not trial.ended and trial.hides(self.seat):
            count: i64 = 1
            trial.moves[0] = UNKNOWN
        else:
            count = trial.candidates(self.dice, WIDTH)
        first = self.free
        if count == 0 or first + count > MOST:
            self.block[place] = CLOSED
            return CLOSED
        if first + count > len(self.move):
            self.grow(2 * (first + count))
        moves = trial.moves
        for i in range(count):
            self.move[first + i] = moves[i]
        self.free = first + count
        self.block[place] = first
        self.size[place] = count
        return first

    def grow(self, count: i64) -> None:
        """Make room for so many moves."""
        self.move = grown(self.move, count)
        self.visits = grown(self.visits, count)
        self.total = grown(self.total, count)
        self.mean = grown(self.mean, count)
        self.block = grown(self.block, count)
        self.size = grown(self.size, count)
        self.tried = grown(self.tried, count)

    def choose(self, place: i64, first: i64) -> i64:
        """A move that was never tried if there is one, else the one with the highest upper bound (UCB1)."""
        size = self.size[place]
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
        """Write down what came out, on all the way back."""
        trial = self.trial
        payoffs = self.payoffs
        seats = trial.seats
        payoffs[0] = trial.payoff(0)
        if seats == 2:
            payoffs[1] = -payoffs[0]
        else:
            for seat in range(1, seats):
                payoffs[seat] = trial.payoff(seat)
        path = self.path
        visits = self.visits
        total = self.total
        visits[0] += 1
        for i in range(depth):
            place = path[i]
            seat = self.choosers[i]
            count = visits[place] + 1
            visits[place] = count
            if seat >= 0:
                sum_now = total[place] + payoffs[seat]
                total[place] = sum_now
                self.mean[place] = (sum_now << SHIFT) // count

    def result(self) -> vec[i64]:
        """Of each move from the root: the move, how often it was chosen, what that came to; three numbers each."""
        first = self.block[0]
        count = self.size[0] if first > 0 else 0
        found = filled(3 * count, 0)
        for i in range(count):
            found[3 * i] = self.move[first + i]
            found[3 * i + 1] = self.visits[first + i]
            found[3 * i + 2] = self.total[first + i]
        return found
