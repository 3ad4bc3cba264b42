"""Every game's turns as small numbered actions, for learning programs and tree searches.

An action is a step of a move (`State.steps`): a number from 0 up to, not including, `count`, which depends only
on the options and seats. If a game has too many different turns to number them, a turn is made of several actions.
Each legal action can be completed to a turn, and each turn is exactly one sequence of actions.

Chance has numbers of its own: the faces in the order of the pile. docs/protocols/search.md, "Steps", lists the steps
and faces of each game. The State decides what is legal; no rule is written here, and no game is known.
"""

import math
from collections.abc import Iterable
from typing import Any, Self

from quadrille.extras.lab.observations import observer_of
from quadrille.rules.core import Game, Given, State, is_stepped
from quadrille.rules.errors import RulesError


class Steps:
    """The actions of one game at one table, from its first position on.

    There are `count` actions and `faces` results of chance; at most `longest` and `draws` of them in a game. `shape`
    has the planes, columns and rows of an observation, and `in_planes` says whether it shows the unfinished turn.
    """

    def __init__(self, start: State[Any, Any]) -> None:
        self.start = start
        self.observer = observer_of(start)
        self.shape: tuple[int, ...] = tuple(self.observer.shape())
        self.numbers = tuple(start.step_numbers)
        self.actions = {step: action for action, step in enumerate(self.numbers)}
        sealed, owed = start.sealed(), start.draws()
        faces = sealed.pile.faces if sealed else owed[0].pile.faces if owed else ()
        #: The faces of chance, each once, in the order of the pile.
        self.names = tuple(dict.fromkeys(faces))
        self.answers = {name: face for face, name in enumerate(self.names)}
        self.count, self.faces = len(self.numbers), len(self.answers)
        self.longest = start.longest
        self.draws: int = self.observer.most_draws() if sealed else len(faces)
        self.in_planes = start.board_steps
        #: The first action of each move, where the board's moves are whole turns.
        self._first = dict(self.actions) if self.in_planes else {}
        #: The shape of an observation with the unfinished turn: planes, columns, rows, if they show it. Otherwise one
        #: row: their numbers, then for each action how often it was made, then 1 for the last one made.
        self.sight = self.shape if self.in_planes else (math.prod(self.shape) + 2 * self.count,)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def numbered(self, steps: Iterable[int]) -> dict[int, int]:
        """Return the action of each of these steps, with its step."""
        try:
            return {self.actions[step]: step for step in steps}
        except KeyError as error:
            raise RulesError(f"{self.start.game.title} has step {error}, which is none of its `step_numbers`") from None

    def first(self, move: int) -> int:
        """Return the first action of a board's move."""
        if move not in self._first:
            steps = self.start.steps(self.start.move(move))
            assert steps, "a legal move has steps"
            self._first[move] = self.actions[steps[0]]
        return self._first[move]

    def objection(self, state: State[Any, Any], action: int) -> str:
        """Say why an action is illegal: in the game's own words if a turn is one action."""
        objection = None if is_stepped(state) else state.objection(state.move_of([self.numbers[action]]))
        return objection or f"action {action} is not possible now"


def steps_of(game: Game[Any, Any], options: Given = None, seats: int | None = None) -> Steps:
    """Return the actions of a game with these options. The game refuses bad options in its own words."""
    return Steps(game.start(options, seats))
