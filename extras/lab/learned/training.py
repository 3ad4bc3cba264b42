"""A training: weights that are learned from games against itself, and that can be kept and gone on with.

The learning is in extras/lab/engine/learner.py; the specification is extras/lab/docs/learned.md, "Training". One seed
and one number of games give the same weights everywhere, however often the training was kept and read again.
"""

from typing import Any, Final, Self

from quadrille.extras.lab.engine.learner import Learner
from quadrille.extras.lab.learned.evaluation import (
    TRAINING,
    Evaluation,
    LearningTerms,
    kept,
    pack,
    patterned,
    restored,
    unpack,
    weights_of,
)
from quadrille.rules.arrays import filled
from quadrille.rules.core import Game, Given
from quadrille.rules.errors import RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.options import shown
from quadrille.rules.registry import game as game_of

MOST_SEED: Final = (1 << 31) - 1
MOST_GAMES: Final = 1_000_000_000


class Training:
    """Games of one table against itself.

    >>> training = Training("barons", {"width": 3, "height": 3}, 2, seed=7)
    >>> training.go_on(20)
    >>> training.games, len(training.evaluation().weights)
    (20, 1040)
    """

    __slots__ = ("_learner", "seconds", "terms")

    def __init__(
        self, game: str | Game[Any, Any], options: Given = None, seats: int | None = None, *, seed: int
    ) -> None:
        chosen = game_of(game) if isinstance(game, str) else game
        state = chosen.start(options, seats)
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
            raise RulesError(f"the seed of a training is a number from 0 to {MOST_SEED}, not {shown(seed)}")
        self._begin(LearningTerms(state, seed), filled(weights_of(state), 0))
        #: Seconds spent so far, as whoever trains says; they change nothing.
        self.seconds = 0

    def _begin(self, terms: LearningTerms, weights: vec[i64]) -> None:
        self.terms = terms
        self._learner = Learner(patterned(terms.start, weights), terms.seed)

    @property
    def games(self) -> int:
        """Number of games so far."""
        return self._learner.games

    def go_on(self, games: int) -> None:
        """Learn from this many more games."""
        if isinstance(games, bool) or not isinstance(games, int) or not 0 <= games <= MOST_GAMES - self.games:
            raise RulesError(f"a training has up to {MOST_GAMES:,} games: {shown(games)} more are no number for it")
        self._learner.play(games)

    def evaluation(self) -> Evaluation:
        """Return the weights so far, as a file keeps them: in 16 bits."""
        return Evaluation(self.terms, self.games, restored(kept(self._learner.patterns.weights)))

    def written(self) -> bytes:
        """Write the file of the training as it stands."""
        learner = self._learner
        numbers = {"games": self.games, "dice": learner.dice.state, "seconds": self.seconds}
        return pack(TRAINING, self.terms, numbers, learner.patterns.weights)

    @classmethod
    def read(cls, data: bytes, name: str) -> Self:
        """Read the training in a file of that name; a `RulesError` says what is wrong with it."""
        terms, numbers, weights = unpack(TRAINING, data, name, ("games", "dice", "seconds"))
        if not 1 <= numbers["dice"] < 1 << 32 or numbers["games"] > MOST_GAMES or terms.seed > MOST_SEED:
            raise RulesError(f"{name} can't be gone on with: no training stands like this. Name another file")
        training = cls.__new__(cls)
        training._begin(terms, weights)
        training._learner.dice.state = numbers["dice"]
        training._learner.games = numbers["games"]
        training.seconds = numbers["seconds"]
        return training
