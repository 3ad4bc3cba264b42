"""Learns the weights of traits from games of a search against itself (docs/protocols/learned.md, "Training").

Each seat makes the move that the search finds. After a game its positions are gone through from the last to the first,
and the odds that the weights give each are moved towards a mixture of what the search found there, what it found later,
and who won: targets from searched trees. All numbers are whole, so the same seed gives the same weights everywhere.
"""

from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.board import Board
from quadrille.rules.dice import Dice
from quadrille.rules.engine.pursuit import DEEPEST, SURE, Pursuit
from quadrille.rules.ints import i64, vec

#: Positions that are searched for a move, and entries of the search's table.
POSITIONS: Final = 200
PLACES: Final = 1 << 12
#: Number of games after which the rate of learning has fallen to half.
HALF: Final = 40_000
#: The first change of a weight, in units of log odds, for an error of a whole game.
RATE: Final = 31_457
#: One move in so many is random.
STRAY: Final = 16
#: The most random moves at the beginning.
OPENING: Final = 24
#: The share of what happened later, against what the search found, in 1/256.
LAMBDA: Final = 205
#: Chances are in units of 1/65536, log odds in 1/2**20: the table has a place for each 1/64, up to 12.
CERTAIN: Final = 1 << 16
STEPS: Final = 64
LAST: Final = 768
ODDS: Final = 14
#: e to the power of -1/64, in 1/2**30.
LESS: Final = 1_057_095_017


def chances() -> vec[i64]:
    """The chance of a game won for log odds of 0, 1/64, 2/64, …"""
    found = filled(LAST + 1, 0)
    against: i64 = 1 << 30
    one: i64 = 1 << 30
    for place in range(LAST + 1):
        found[place] = (one << 16) // (one + against)
        against = against * LESS >> 30
    return found


class Pursuer:
    """Games of a board with traits against itself, `games` so far."""

    __slots__ = (
        "bases", "board", "chances", "dice", "found", "games", "places", "search", "sides", "sizes", "start", "traits",
        "weights",
    )  # fmt: skip

    def __init__(self, start: Board, weights: vec[i64], seed: i64, longest: i64, most: i64) -> None:
        """`start` is a first position whose evaluation has these weights and at most `most` traits."""
        self.start = start
        self.board = start.copy()
        self.weights = weights
        self.dice = Dice(seed)
        self.games: i64 = 0
        self.search = Pursuit(self.board, PLACES, longest)
        self.chances = chances()
        self.traits = filled(most, 0)
        #: Of each position that was searched: its traits, one after the other, their number, the mover, its chance.
        self.places = filled(most * longest, 0)
        self.sizes = filled(longest, 0)
        self.sides = filled(longest, 0)
        self.found = filled(longest, 0)
        #: And its evaluation without weights.
        self.bases = filled(longest, 0)

    def play(self, games: i64) -> None:
        """Play and learn from so many games."""
        for _ in range(games):
            self.begin()
            self.learn(self.play_on())
            self.games += 1

    def begin(self) -> None:
        """Go to the first position or, in all but one game of eight, after a random opening."""
        board = self.board
        board.become(self.start)
        self.search.clear()
        if self.games % 8:
            for _ in range(self.dice.below(OPENING)):
                count = board.legal()
                if count:
                    board.apply(board.moves[self.dice.below(count)])

    def play_on(self) -> i64:
        """Play to the end of the game, noting what is to be learned from; return the number of positions."""
        board = self.board
        noted: i64 = 0
        place: i64 = 0
        count = board.legal()
        while count:
            move = board.moves[0]
            if count > 1:
                size = board.traits(self.traits)
                self.bases[noted] = board.judge()
                for i in range(size):
                    self.places[place + i] = self.traits[i]
                    self.bases[noted] -= self.weights[self.traits[i]]
                place += size
                self.search.stand(board)
                self.search.search(DEEPEST, POSITIONS)
                self.sizes[noted] = size
                self.sides[noted] = board.turn
                self.found[noted] = self.chance(self.search.value)
                noted += 1
                move = self.search.move
                count = board.legal()
                if self.dice.below(STRAY) == 0:
                    move = board.moves[self.dice.below(count)]
            board.apply(move)
            count = board.legal()
        return noted

    def chance(self, value: i64) -> i64:
        """The mover's chance of winning, for the value of a search."""
        if value >= SURE:
            return CERTAIN
        if value <= -SURE:
            return 0
        if value < 0:
            return CERTAIN - self.chances[min(-value >> ODDS, LAST)]
        return self.chances[min(value >> ODDS, LAST)]

    def learn(self, noted: i64) -> None:
        """Go back through the game."""
        rate = RATE * HALF // (HALF + self.games)
        # what Bar, the first seat, scores
        goal: i64 = CERTAIN if self.board.payoff(0) > 0 else 0
        place: i64 = 0
        for i in range(noted):
            place += self.sizes[i]
        while noted:
            noted -= 1
            size = self.sizes[noted]
            place -= size
            second = self.sides[noted]
            searched = CERTAIN - self.found[noted] if second else self.found[noted]
            goal = searched + ((goal - searched) * LAMBDA >> 8)
            total = self.bases[noted]
            for i in range(place, place + size):
                total += self.weights[self.places[i]]
            error = (CERTAIN - goal if second else goal) - self.chance(total)
            more = error * rate >> 16
            for i in range(place, place + size):
                self.weights[self.places[i]] += more
