"""PUCT: the tree of tree.py with values and priors from outside, asked for many positions at once.

A descent ends at a position that the tree does not have yet. Where the game goes on there, its value is unknown: the
tree notes the path, and counts a loss for all on it, so that the next descent goes elsewhere. The answer takes the
losses back, and brings the position's value to each seat and a prior for each move. Until a move was tried, it is
worth as much as its position. Ends of games, proofs, chance and hidden faces are those of tree.py.

All numbers are whole. Nothing here knows arrays of floats: extras/lab/forest.py does (extras/lab/docs/evaluators.md).
"""

from typing import Final

from quadrille.extras.lab.engine.observer import Observer
from quadrille.rules.arrays import filled, grown
from quadrille.rules.board import CHANCE, PART, UNKNOWN, Board
from quadrille.rules.dice import Dice
from quadrille.rules.engine.tree import LOST, MOST, OPEN, SHIFT, TO_UNIT, UNIT, Tree, root
from quadrille.rules.ints import ZERO, i64, vec

#: Instead of the first move of a position whose value was asked for.
AWAITED: Final = -2
#: The ends of a descent: a known result, a position to ask for, one that was asked for already.
KNOWN: Final = 0
ASKED: Final = 1
MET: Final = 2
#: Numbers of a path's record before its places: moves in the path, first place of the new moves, their number, mover.
HEAD: Final = 4
#: Draws from the urn of the noise, and the weight of a first draw against that of a repetition.
DRAWS: Final = 256
FRESH: Final = 10


class Puct(Tree):
    """A tree whose values and priors come from outside.

    For the move at place p: `prior[p]` in parts of UNIT. `hope[p]` is the value of the position after it for the seat
    that moves there. `due` is the number of simulations to do.
    """

    __slots__ = ("count", "due", "first", "flown", "hope", "noise", "oldest", "prior", "stirred", "used")

    def __init__(self, board: Board, dice: Dice, seat: i64, wander: i64, noise: i64, proves: bool) -> None:
        """Mix `noise`, in parts of UNIT, into the priors of the first position. The rest is as in Tree."""
        super().__init__(board, dice, seat, wander, proves)
        self.width = MOST
        self.noise: i64 = noise
        self.due: i64 = 0
        self.prior = filled(64, 0)
        self.hope = filled(64, 0)
        self.first: i64 = 0
        self.count: i64 = 0
        self.stirred: i64 = -1
        self.flown = filled(64, 0)
        self.used: i64 = 0
        self.oldest: i64 = 0

    def pick(self) -> i64:
        """Descend once; return how it ended. A position that is asked for is the trial's; `count` is the number of its
        moves.
        """
        trial = self.trial
        trial.become(self.board)
        self.first = 0
        depth = self.descend()
        place = self.path[depth - 1] if depth else self.top
        if self.first == 0:
            if self.block[place] == AWAITED:
                return MET
            if self.proved[place] or self.stopped():
                self.climb(depth)
                return KNOWN
            self.count = trial.legal()
        self.depart(depth)
        trial.guess(self.dice)
        return ASKED

    def open(self, place: i64, depth: i64, patience: i64) -> i64:
        """Expand chance at once, and go on; the moves of a seat wait for their priors."""
        first = self.look(place, self.choosers[depth - 1] if depth else i64(CHANCE))
        if first > 0 and self.trial.turn != CHANCE:
            self.block[place] = AWAITED
            self.first = first
            self.count = self.size[place]
            return AWAITED
        return first

    def stopped(self) -> bool:
        """Return True if the game is over where the descent ended; at the edge of a full tree, draw faces before."""
        trial = self.trial
        while trial.turn == CHANCE and not trial.ended:
            trial.apply(UNKNOWN if trial.hides(self.seat) else trial.random_move(self.dice))
        return trial.ended or trial.legal() == 0

    def lend(self, place: i64, first: i64, count: i64) -> None:
        """Do nothing: the priors come later."""

    def grow(self, count: i64) -> None:
        """Make room for that many moves."""
        super().grow(count)
        self.prior = grown(self.prior, count)
        self.hope = grown(self.hope, count)

    def choose(self, place: i64, first: i64, size: i64) -> i64:
        """Choose the move with the highest sum of its average and its share of the exploration (PUCT)."""
        visits = self.visits
        mean = self.mean
        prior = self.prior
        hope = self.hope[place]
        near: i64 = UNIT
        square = visits[place] << (2 * SHIFT)
        while near * near < square:
            near += near
        spread = root(square, near) * self.wander // 100
        best = first
        highest: i64 = 0
        for child in range(first, first + size):
            tried = visits[child]
            bound = (mean[child] if tried else hope) + (spread * prior[child] >> SHIFT) // (1 + tried)
            if bound > highest or child == first:
                highest = bound
                best = child
        return best

    def count_up(self) -> None:
        """Write the payoff of the ended game to each seat: what an evaluator learns, without a margin."""
        trial = self.trial
        for seat in range(trial.seats):
            self.payoffs[seat] = PART * trial.payoff(seat)

    def depart(self, depth: i64) -> None:
        """Note the path, and count a loss for every seat on it."""
        begin = self.used
        self.used = begin + HEAD + 2 * depth
        if self.used > len(self.flown):
            self.flown = grown(self.flown, 2 * self.used)
        flown = self.flown
        flown[begin] = depth
        flown[begin + 1] = self.first
        flown[begin + 2] = self.count
        flown[begin + 3] = self.trial.turn
        for i in range(depth):
            flown[begin + HEAD + i] = self.path[i]
            flown[begin + HEAD + depth + i] = self.choosers[i]
        for seat in range(self.trial.seats):
            self.payoffs[seat] = -PART * (self.trial.seats - 1)
        self.back_up(depth, 1)

    def arrive(self) -> i64:
        """Take up the oldest path that was noted; return its number of moves."""
        flown = self.flown
        begin = self.oldest
        depth = flown[begin]
        for i in range(depth):
            self.path[i] = flown[begin + HEAD + i]
            self.choosers[i] = flown[begin + HEAD + depth + i]
        self.oldest = begin + HEAD + 2 * depth
        if self.oldest == self.used:
            self.used = 0
            self.oldest = 0
        return depth

    def answer(self, values: vec[i64], row: i64, weights: vec[i64], begin: i64) -> None:
        """Answer the oldest position asked for: `values` from `row` on for the seats in PARTs, the mover first;
        `weights` from `begin` on for its moves, at most UNIT each, one of them above 0.
        """
        seats = self.trial.seats
        record = self.oldest
        first = self.flown[record + 1]
        count = self.flown[record + 2]
        mover = self.flown[record + 3]
        depth = self.arrive()
        if first:
            self.expand(self.path[depth - 1] if depth else self.top, first, count, values[row], weights, begin)
        for i in range(seats):
            self.payoffs[(mover + i) % seats] = values[row + i] + PART * (seats - 1)
        self.back_up(depth, 0)

    def expand(self, place: i64, first: i64, count: i64, value: i64, weights: vec[i64], begin: i64) -> None:
        """Give the moves of an awaited position their priors; they may be chosen from now on."""
        total: i64 = 0
        for i in range(count):
            total += weights[begin + i]
        for i in range(count):
            self.prior[first + i] = (weights[begin + i] << SHIFT) // total
        self.hope[place] = value << TO_UNIT
        self.tried[place] = count
        self.block[place] = first
        if place == self.top:
            self.stir()

    def withdraw(self) -> None:
        """Take the losses back, and await nothing any more."""
        while self.used:
            first = self.flown[self.oldest + 1]
            depth = self.arrive()
            self.visits[self.top] -= 1
            for i in range(depth):
                place = self.path[i]
                count = self.visits[place] - 1
                self.visits[place] = count
                if self.choosers[i] >= 0:
                    self.total[place] += PART * (self.trial.seats - 1)
                    if count and self.proved[place] != LOST:
                        self.mean[place] = (self.total[place] << TO_UNIT) // count
            if first:
                self.block[self.path[depth - 1] if depth else self.top] = OPEN

    def stir(self) -> None:
        """Mix noise into the priors of the first position, once: an urn's draws, near Dirichlet's distribution.

        A draw repeats an earlier one, or is any move, all equally likely.
        """
        first = self.block[self.top]
        if self.noise == 0 or first <= 0 or self.stirred == self.top:
            return
        self.stirred = self.top
        size = self.size[self.top]
        drawn = filled(DRAWS, 0)
        draws = filled(size, 0)
        for i in range(DRAWS):
            chosen = self.dice.below(FRESH + i)
            move = drawn[chosen - FRESH] if chosen >= FRESH else self.dice.below(size)
            drawn[i] = move
            draws[move] += 1
        for i in range(size):
            noisy = (UNIT - self.noise) * self.prior[first + i] + self.noise * (draws[i] * UNIT // DRAWS)
            self.prior[first + i] = noisy >> SHIFT

    def follow(self, board: Board) -> bool:
        """Follow as in Tree; and forget the positions that can't be reached any more."""
        if not super().follow(board):
            return False
        self.cut()
        self.stir()
        return True

    def cut(self) -> None:
        """Forget all but the tree below the first position."""
        source = filled(self.free, 0)
        begin = filled(self.free, OPEN)
        source[0] = self.top
        count: i64 = 1
        at: i64 = 0
        while at < count:
            first = self.block[source[at]]
            begin[at] = first
            if first > 0:
                begin[at] = count
                for i in range(self.size[source[at]]):
                    source[count] = first + i
                    count += 1
            at += 1
        self.block = begin[:count]
        self.move = gathered(self.move, source, count)
        self.visits = gathered(self.visits, source, count)
        self.total = gathered(self.total, source, count)
        self.mean = gathered(self.mean, source, count)
        self.size = gathered(self.size, source, count)
        self.tried = gathered(self.tried, source, count)
        self.proved = gathered(self.proved, source, count)
        self.prior = gathered(self.prior, source, count)
        self.hope = gathered(self.hope, source, count)
        self.free = count
        self.top = 0
        self.stirred = -1


def gathered(numbers: vec[i64], places: vec[i64], count: i64) -> vec[i64]:
    gathered_numbers = filled(count, 0)
    for i in range(count):
        gathered_numbers[i] = numbers[places[i]]
    return gathered_numbers


class Questions:
    """The positions that trees ask for together, one row each."""

    __slots__ = ("count", "ends", "moves", "observer", "seats", "seen", "size", "trees")

    def __init__(self, observer: Observer) -> None:
        """Make rows: `seen`, `size` numbers that the mover sees; `seats`, the mover; its legal moves in `moves` up to
        `ends`, and from there those of the next row.
        """
        shape = observer.shape()
        size = shape[0] * shape[1] * shape[2]
        self.observer = observer
        self.size = size
        self.trees: list[Puct] = []
        self.count: i64 = 0
        self.seen = filled(size, 0)
        self.seats = filled(1, 0)
        self.ends = filled(1, 0)
        self.moves = filled(64, 0)

    def clear(self) -> None:
        """Begin the next round."""
        self.trees = []
        self.count = 0

    def collect(self, tree: Puct, leaves: i64) -> None:
        """Let a tree ask for at most that many positions."""
        stop = self.count + leaves
        while tree.due > 0 and self.count < stop and not tree.proved[tree.top]:
            end = tree.pick()
            if end == MET:
                return
            tree.due -= 1
            if end == ASKED:
                self.note(tree)

    def note(self, tree: Puct) -> None:
        """Add a row for the trial of a tree."""
        row = self.count
        trial = tree.trial
        if row == len(self.seats):
            self.seats = grown(self.seats, 2 * row)
            self.ends = grown(self.ends, 2 * row)
            self.seen = grown(self.seen, 2 * row * self.size)
        seen = self.observer.observe(trial, trial.turn)
        begin = row * self.size
        for i in range(self.size):
            self.seen[begin + i] = seen[i]
        self.seats[row] = trial.turn
        first = self.ends[row - 1] if row else ZERO
        stop = first + tree.count
        if stop > len(self.moves):
            self.moves = grown(self.moves, 2 * stop)
        moves = trial.moves
        for i in range(tree.count):
            self.moves[first + i] = moves[i]
        self.ends[row] = stop
        self.count = row + 1
        self.trees.append(tree)

    def answer(self, values: vec[i64], weights: vec[i64]) -> None:
        """Hand each tree its answers, in the order in which they were asked for."""
        begin: i64 = 0
        for row in range(self.count):
            tree = self.trees[row]
            tree.answer(values, row * tree.trial.seats, weights, begin)
            begin = self.ends[row]

    def withdraw(self) -> None:
        """Tell the trees that there will be no answers."""
        for tree in self.trees:
            tree.withdraw()
