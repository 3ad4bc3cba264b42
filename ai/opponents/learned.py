"""Level 6 (docs/protocols/learned.md, "Level 6").

In Dollar Draw on odd grids it looks as deep as it can. Elsewhere it is level 5 with an evaluation that was learned in
place of games in its head, for a few games at a few sizes, those of the files in `weights`. Where there is neither, it
is level 5.
"""

import random
from functools import cache
from importlib.resources import files
from typing import Any, Final

from quadrille.ai.bot import Clock
from quadrille.ai.opponents.kinds import LEVELS, House, Mcts, Opponent
from quadrille.ai.opponents.thinking import effort
from quadrille.rules.arrays import array
from quadrille.rules.board import Board
from quadrille.rules.core import Move, State
from quadrille.rules.learned.evaluation import Evaluation
from quadrille.rules.learned.files import read
from quadrille.rules.search import Position
from quadrille.rules.search.pursued import Pursued

#: Entries of the table of a search that looks deep, and positions in a slice of it.
PLACES: Final = 1 << 19
SLICE: Final = 500
#: No weights: a board with traits then goes by its figures.
NOTHING: Final = array(())
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


class Pursuing(Opponent):
    """Alpha-beta that looks deep (rules/engine/pursuit.py), for boards with few moves and a key that they keep up.

    Its table is kept for later moves of a game.
    """

    name = "pursuing"

    def __init__(self, level: int = LEVELS[-1]) -> None:
        super().__init__(level)
        self._search: Pursued | None = None
        self._terms: tuple[Any, ...] = ()

    def starts(self, view: State[Any, Any], seat: int) -> None:
        """Clear the table: an earlier game must not change how this one goes."""
        self._search = None

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        """The best move at the greatest depth reached."""
        position = self.position(view)
        self.proved = self.expected = self.depth = None
        answer = self.half_turn(position)
        if answer and answer.payoff > 0:
            self.proved = answer.payoff
            return position.move([answer.move])
        terms = effort(None, clock)
        search = self._standing(position)
        search.go_on(SLICE)
        terms.spend(search.go_on, SLICE, steady=True)
        found = search.found
        self.proved = found.value if found.certain else None
        self.expected, self.depth = found.value / 1000, found.depth
        return position.move([found.move])

    def _standing(self, position: Position) -> Pursued:
        """The search from this position on."""
        board = position.board.with_traits(NOTHING)
        if self._search is None or self._terms != position.terms:
            self._search, self._terms = Pursued(board, PLACES, position.state.longest), position.terms
        else:
            self._search.stand(board)
        return self._search


class Learned(House):
    """Level 6."""

    name = "learned"

    def __init__(self, level: int = LEVELS[-1]) -> None:
        super().__init__(level)
        self._plain = House(level)
        self._pursuing = Pursuing(level)

    def searcher(self, level: int) -> Mcts:
        """A search with the evaluation."""
        return LearnedMcts(level)

    def starts(self, view: State[Any, Any], seat: int) -> None:
        """Both of its ways to play begin anew."""
        super().starts(view, seat)
        self._plain.starts(view, seat)
        self._pursuing.starts(view, seat)

    def position(self, view: State[Any, Any]) -> Position:
        """The position with what was learned."""
        found = evaluation_for(view)
        assert found is not None, "level 5 plays what was not learned"
        return Foreseen(view, found)

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        """As level 5, with the evaluation where there is one; deep where that is better."""
        if view.board.weights_of_traits():
            move = self._pursuing.choose(view, clock, rng)
            self.proved, self.expected = self._pursuing.proved, self._pursuing.expected
            self.depth = self._pursuing.depth
            return move
        if evaluation_for(view) is not None:
            return super().choose(view, clock, rng)
        move = self._plain.choose(view, clock, rng)
        self.proved, self.expected, self.depth = self._plain.proved, self._plain.expected, self._plain.depth
        return move
