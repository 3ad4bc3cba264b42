"""Level 6: level 5 with an evaluation that was learned in place of games in its head (extras/lab/docs/learned.md).

It has learned a few games at a few sizes, those of the files in `weights`, and plays by them where that was shown to be
stronger. Everywhere else it is level 5 on a sharper board (`Board.sharpen`): in Dotter it counts cards, in the other
games nothing is different. `knowledge` says which of these it is at a table, and what is proved there.
"""

import json
import random
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from quadrille.ai.bot import Clock
from quadrille.ai.opponents.kinds import LEVELS, House, Mcts
from quadrille.extras.lab.learned import reasons
from quadrille.extras.lab.learned.evaluation import Evaluation, read, sheet_of
from quadrille.rules.board import Board
from quadrille.rules.core import Move, State
from quadrille.rules.core.thoughts import Worth
from quadrille.rules.search import Position, turner

WEIGHTS: Final = files("quadrille.extras.lab") / "weights"
#: Notes beside a proved move, by its result.
_PROVED: Final = {1: "proved to win", 0: "proved to tie", -1: "every move is proved to lose"}
#: Weights for reasons alone: level 6 was not shown to be stronger with them (extras/lab/docs/learned.md, "Strength").
UNUSED: Final = ("barons-10x10-2.weights", "dollar-draw-9x9-2.weights")
_NOTHING: Final = "Level 6 has learned nothing for this table: it plays as level 5."
_COUNTS: Final = "Level 6 has learned nothing for this table: it plays as level 5, but counts cards."
_NOT_USED: Final = ", but was not shown to be stronger by that: it plays as level 5."
_RESULTS: Final = {1: "to win", 0: "never to lose"}


class Knowledge(NamedTuple):
    """The knowledge of level 6 at a table. Its weights are from `games` games, 0 if it has learned nothing. If they
    are not `used`, it plays as level 5.

    From the first position on, the seat `turner` reaches the result `turns` at least by turning each move of the
    opponent by 180 degrees; None: no seat does. If the table `ends`, it plays the last moves as is proved. If it
    `counts`, it counts cards.
    """

    games: int
    used: bool
    turner: int | None
    turns: int
    ends: bool
    counts: bool = False


@cache
def learned() -> tuple[str, ...]:
    """Return the names of the files of weights: the game, the size, the seats."""
    return tuple(sorted(path.name for path in WEIGHTS.iterdir() if path.name.endswith(".weights")))


@cache
def evaluation(name: str) -> Evaluation:
    return read((WEIGHTS / name).read_bytes(), name)


@cache
def head(name: str) -> dict[str, Any]:
    """Read the second line of a file of weights, without the weights: these take a while without a compiler."""
    with (WEIGHTS / name).open("rb") as file:
        file.readline()
        return dict(json.loads(file.readline()))


def weights_for(state: State[Any, Any]) -> str | None:
    """Name the file of weights for this game with these options and seats, if there is one."""
    sheet = sheet_of(state)
    if sheet is None:
        return None
    name = f"{state.game.key}-{sheet.columns}x{sheet.rows}-{state.seats}.weights"
    return name if name in learned() and head(name)["options"] == state.options.plain() else None


def evaluation_for(state: State[Any, Any]) -> Evaluation | None:
    """Read the weights for this game with these options and seats, if there are any."""
    name = weights_for(state)
    return None if name is None else evaluation(name)


def worth(state: State[Any, Any], move: Move, other: Move) -> Worth | None:
    """Find the part of the weights by which the mover prefers a move to another one; None where nothing was learned."""
    evaluation = evaluation_for(state)
    return None if evaluation is None else reasons.worth(evaluation, state, move, other)


def plays_by_weights(state: State[Any, Any]) -> bool:
    """Return True if level 6 plays by weights at this table."""
    return weights_for(state) not in (None, *UNUSED)


def knowledge(state: State[Any, Any]) -> Knowledge:
    """Return the knowledge of level 6 at the table of a position. Nothing else decides or tells it."""
    name = weights_for(state)
    games = 0 if name is None else int(head(name)["games"])
    used = plays_by_weights(state)
    position = Position(state.game.start(state.options, state.seats))
    ends = position.seats == 2 and not position.hidden
    if not ends:
        return Knowledge(games, used, None, 0, ends, not used and position.board.sharpen())
    seat, payoff = turner(position.state) or (None, 0)
    return Knowledge(games, used, seat, payoff, ends)


def knowledge_text(knowledge: Knowledge) -> str:
    """Put the knowledge of level 6 at a table into words."""
    if knowledge.games:
        sentence = f"Level 6 has learned this table from {knowledge.games:,} games against itself"
        sentence += "." if knowledge.used else _NOT_USED
    else:
        sentence = _COUNTS if knowledge.counts else _NOTHING
    if knowledge.turner is not None:
        who, does = f"player {knowledge.turner + 1}", _RESULTS[knowledge.turns]
        sentence += f" As {who} it can turn each move of the other by 180 degrees, which is proved {does}."
    elif knowledge.ends and not knowledge.used:
        sentence += " As soon as it can look to the end of the game, it plays what is proved."
    return sentence


class Foreseen(Position):
    """A position that is searched with a learned evaluation, or without one with all that its board has to offer."""

    __slots__ = ("_evaluation",)

    def __init__(self, view: State[Any, Any], evaluation: Evaluation | None) -> None:
        super().__init__(view)
        self._evaluation = evaluation

    def known(self, seat: int) -> Board:
        """Return the board with the patterns of the evaluation, or sharpened."""
        if self._evaluation is not None:
            return self._evaluation.board(self.state)
        board = super().known(seat)
        board.sharpen()
        return board


class LearnedMcts(Mcts):
    """The search with an evaluation. It explores less, because its first look at a move is worth more."""

    wander = 50


class Learned(House):
    """Level 6."""

    name = "learned"
    weighs = True

    def __init__(self, level: int = LEVELS[-1]) -> None:
        super().__init__(level)
        self._searchers = (Mcts(level), LearnedMcts(level))

    @classmethod
    def about(cls, start: State[Any, Any]) -> str:
        """See `Bot`."""
        return knowledge_text(knowledge(start))

    def starts(self, view: State[Any, Any], seat: int) -> None:
        """Begin both searches anew. Read weights before a clock runs."""
        super().starts(view, seat)
        for searcher in self._searchers:
            searcher.starts(view, seat)
        if plays_by_weights(view):
            self.position(view).known(seat)

    def position(self, view: State[Any, Any]) -> Position:
        return Foreseen(view, evaluation_for(view) if plays_by_weights(view) else None)

    def thought(self, view: State[Any, Any]) -> dict[str, Any] | None:
        """Think as level 5, with a note beside a proved move."""
        fields = super().thought(view) or {}
        if self.half_turned is not None:
            result = "win" if self.half_turned > 0 else "lose nothing"
            fields["note"] = f"the last move turned by 180 degrees: proved to {result}"
        elif self.proved is not None:
            fields["note"] = _PROVED[self.proved]
        return fields or None

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        """Choose as level 5, with the evaluation where that is stronger, else on a sharper board."""
        self._otherwise = self._searchers[plays_by_weights(view)]
        return super().choose(view, clock, rng)
