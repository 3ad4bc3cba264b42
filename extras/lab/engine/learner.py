"""Learns the weights of patterns from games against itself (extras/lab/docs/learned.md, "Training").

Each seat makes the move after which it expects the largest lead. After a game its positions are gone through from the
last to the first, and the expectation in each is moved towards the later one and the final points: TD(lambda). All
numbers are whole, so the same seed gives the same weights, plain and compiled.
"""

from typing import Final

from quadrille.extras.lab.engine.sums import POINT, Patterns
from quadrille.rules.arrays import filled
from quadrille.rules.board import Board
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64

#: Number of games after which the rate of learning has fallen to half.
HALF: Final = 200_000
#: Initial learning rate, in 2**-16.
RATE: Final = 10_000
#: One move in twenty is random.
STRAY: Final = 20
#: The share of the later target, against the later expectation, in 1/256: TD's lambda.
LAMBDA: Final = 230


class Learner:
    """Games of one board against itself, `games` so far; the weights are those of the board's patterns."""

    __slots__ = ("board", "dice", "games", "patterns", "start", "strays")

    def __init__(self, start: Board, seed: i64) -> None:
        """Begin at a first position with patterns."""
        self.start = start
        self.board = start.copy()
        patterns = self.board.judge
        assert isinstance(patterns, Patterns)
        self.patterns: Patterns = patterns
        self.dice = Dice(seed)
        self.games: i64 = 0
        #: For each position of the game that has free moves, whether a random one was made.
        self.strays: list[bool] = []

    def play(self, games: i64) -> None:
        """Play this many games and learn from them."""
        for _ in range(games):
            self.begin()
            self.play_on()
            self.learn()
            self.games += 1

    def begin(self) -> None:
        """Go to the first position or, in half of the games, after a random opening of any length."""
        board = self.board
        board.become(self.start)
        self.patterns.add_up()
        if self.games % 2:
            for _ in range(self.dice.below(self.patterns.squares // 2)):
                move = board.random_move(self.dice)
                if move < 0:
                    return
                board.apply(move)

    def play_on(self) -> None:
        """Play to the end of the game; note which moves were random."""
        board = self.board
        count = board.legal()
        while count:
            stray = self.dice.below(STRAY) == 0
            self.strays.append(stray)
            board.apply(
                board.moves[self.dice.below(count)] if stray else self.patterns.best(board, board.moves[:count])
            )
            count = board.legal()

    def learn(self) -> None:
        """Go back through the game. Nothing is learned about a position in which a random move was made."""
        board = self.board
        patterns = self.patterns
        rate = RATE * HALF // (HALF + self.games)
        goals = filled(board.seats, 0)
        for seat in range(board.seats):
            goals[seat] = POINT * patterns.earned(board, seat)
        while self.strays:
            stray = self.strays.pop()
            board.undo()
            patterns.add_up()
            patterns.look(board)
            for seat in range(board.seats):
                value = patterns.outlook[seat]
                error = goals[seat] - value
                if stray:
                    goals[seat] = value
                else:
                    patterns.teach(seat, board.plies, board.turn, error * rate >> 16)
                    goals[seat] = value + (error * LAMBDA >> 8)
