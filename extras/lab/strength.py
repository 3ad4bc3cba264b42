"""The strength of what was learned so far: games against the search of level 5, both with the same simulations.

Games come in blocks: in each game of a block another seat plays by the evaluation, and all begin with the same random
moves. Nothing here changes a training.
"""

from collections import deque
from collections.abc import Iterator
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from quadrille.extras.lab.learned.evaluation import Evaluation
from quadrille.extras.lab.learned.training import Training
from quadrille.rules.dice import Dice
from quadrille.rules.search import WANDER, Position, TreeSearch

#: Simulations of each move.
SIMULATIONS: Final = 200
#: Number of the latest blocks that count.
LATEST: Final = 40
#: Most random moves at the beginning of a game, for each seat.
OPENING: Final = 2
#: UCT's exploration constant with an evaluation, times 100.
LEARNED_WANDER: Final = 70
#: Told from the dice of the training by this.
_SALT: Final = 0x5EED


class Comparison:
    """Games of a training's evaluation against the search, move by move."""

    __slots__ = ("_block", "_dice", "_shares", "_training")

    def __init__(self, training: Training) -> None:
        self._training = training
        self._dice = Dice(training.terms.seed + _SALT + training.games)
        self._shares: deque[float] = deque(maxlen=LATEST)
        self._block: Iterator[None] = iter(())

    def go_on(self) -> None:
        """Make one move. Each block is played with what was learned when it begins."""
        for _ in self._block:
            return
        self._block = self._play(self._training.evaluation())

    @property
    def text(self) -> str:
        """The mean share of the points in the latest blocks, with its standard error; "" while they are too few."""
        if len(self._shares) < 2:
            return ""
        error = stdev(self._shares) / sqrt(len(self._shares))
        return f"{100 * fmean(self._shares):.0f} ± {100 * error:.0f} % of the points against level 5's search"

    def _play(self, evaluation: Evaluation) -> Iterator[None]:
        """Play a block, move by move."""
        start = Position(self._training.state)
        for _ in range(1 + self._dice.below(OPENING * start.seats)):
            if not start.over:
                start.apply_quickly(start.random_move(self._dice))
        shares = []
        for seat in range(start.seats):
            plain, learned = start.copy(), start.copy()
            learned.board = evaluation.board(plain.state)
            while not plain.over:
                by, wander = (learned, LEARNED_WANDER) if plain.seat == seat else (plain, WANDER)
                search = TreeSearch(by, self._dice.below(1 << 30), wander=wander)
                search.go_on(SIMULATIONS)
                [move] = search.turn()
                plain.apply_quickly(move)
                learned.apply_quickly(move)
                yield
            shares.append((1 + plain.payoffs()[seat] / (start.seats - 1)) / 2)
        self._shares.append(fmean(shares))
