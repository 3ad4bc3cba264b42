"""Level 6: level 5 with an evaluation that was learned in place of games in its head (docs/protocols/learned.md).

It has learned a few games at a few sizes, those of the files in `weights`. Everywhere else it is level 5.
"""

import random
from functools import cache
from importlib.resources import files
from typing import Any, Final

from quadrille.ai.bot import Clock
from quadrille.ai.opponents.kinds import LEVELS, House, Mcts
from quadrille.rules.board import Board
from quadrille.rules.core import Move, State
from quadrille.rules.learned.evaluation import Evaluation
from quadrille.rules.learned.files import read
from quadrille.rules.search import Position

WEIGHTS: Final = files("quadrille.ai.opponents") / "weights"


@cache
def learned() -> tuple[str, ...]:
    """The names of the files of weights: the game, the size, the seats."""
    return tuple(sorted(path.name for path in WEIGHTS.iterdir() if path.name.endswith(".weights")))


@cache
def evaluation(name: str) -> Evaluation:
    """The weights of a file."""
    return read((WEIGHTS / name).read_bytes(), name)


def evaluation_for(state: State[Any, Any]) -> Evaluation | None:
    """The weights for this game with these options and seats, if there are any."""
    sides = (getattr(state.options, "width", 0), getattr(state.options, "height", 0))
    name = f"{state.game.key}-{sides[0]}x{sides[1]}-{state.seats}.weights"
    if name not in learned():
        return None
    found = evaluation(name)
    return found if found.fits(state) else None


class Foreseen(Position):
    """A position that is searched with a learned evaluation."""

    __slots__ = ("_evaluation",)

    def __init__(self, view: State[Any, Any], evaluation: Evaluation) -> None:
        super().__init__(view)
        self._evaluation = evaluation

    def known(self, seat: int) -> Board:
        """The board with the patterns of the evaluation."""
        return self._evaluation.board(self.state)


class LearnedMcts(Mcts):
    """The search of level 6. It explores less, because its first look at a move is worth more."""

    wander = 50


class Learned(House):
    """Level 6."""

    name = "learned"

    def __init__(self, level: int = LEVELS[-1]) -> None:
        super().__init__(level)
        self._plain = House(level)

    def searcher(self, level: int) -> Mcts:
        """A search with the evaluation."""
        return LearnedMcts(level)

    def starts(self, view: State[Any, Any], seat: int) -> None:
        """Both of its ways to play begin anew."""
        super().starts(view, seat)
        self._plain.starts(view, seat)

    def position(self, view: State[Any, Any]) -> Position:
        """The position with what was learned."""
        found = evaluation_for(view)
        assert found is not None, "level 5 plays what was not learned"
        return Foreseen(view, found)

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        """As level 5, with the evaluation where there is one."""
        if evaluation_for(view) is not None:
            return super().choose(view, clock, rng)
        move = self._plain.choose(view, clock, rng)
        self.proved, self.expected, self.depth = self._plain.proved, self._plain.expected, self._plain.depth
        return move
