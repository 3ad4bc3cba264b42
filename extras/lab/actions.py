"""Every game's turns as small numbered actions, for learning programs and tree searches.

An action is a step of a move (`State.steps`): a number from 0 up to, not including, `count`, which depends only
on the options and seats. If a game has too many different turns to number them, a turn is made of several actions.
Each legal action can be completed to a turn, and each turn is exactly one sequence of actions.

Chance has numbers of its own: the faces in the order of the pile. docs/protocols/search.md, "Steps", lists the steps
and faces of each game. The State decides what is legal; no rule is written here, and no game is known.
"""

import math
from types import ModuleType
from typing import Any, Self, TypeAlias

from quadrille.ai.missing import missing
from quadrille.extras.lab.observations import observer_of
from quadrille.rules.core import Face, Game, Given, State, ToDraw
from quadrille.rules.errors import RulesError

#: The actions of an unfinished turn.
Made: TypeAlias = tuple[int, ...]


class Steps:
    """The actions of one game at one table, from its first position on.

    There are `count` actions and `faces` results of chance; at most `longest` and `draws` of them in a game. `shape`
    has the planes, columns and rows of an observation, and `in_planes` says whether it shows the unfinished turn.
    `policy_shape` has the planes, columns and rows in which each action has the place `policy_places[action]`;
    `symmetries` are rows of actions, by action, under which the game stays the same.
    """

    def __init__(self, start: State[Any, Any]) -> None:
        self.start = start
        self.observer = observer_of(start)
        self.shape: tuple[int, ...] = tuple(self.observer.shape())
        self.numbers = tuple(start.step_numbers)
        self.actions = {step: action for action, step in enumerate(self.numbers)}
        self.names = start.faces
        self.answers = {name: face for face, name in enumerate(self.names)}
        self.count, self.faces = len(self.numbers), len(self.answers)
        self.longest, self.draws = start.longest, start.most_draws
        self.in_planes = start.board_steps

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def sight(self) -> tuple[int, ...]:
        """The shape of an observation with the unfinished turn: planes, columns, rows, if they show it.

        Otherwise one row: their numbers, then for each action how often it was made, then 1 for the last one made.
        """
        return self.shape if self.in_planes else (math.prod(self.shape) + 2 * self.count,)

    @property
    def policy_shape(self) -> tuple[int, int, int]:
        """Planes, columns, rows."""
        return self.start.policy_shape

    @property
    def policy_places(self) -> list[int]:
        """Each action's place in `policy_shape`: plane by plane, column by column, from the lowest row up."""
        return [self.start.policy_place(step) for step in self.numbers]

    @property
    def symmetries(self) -> list[list[int]]:
        """For each symmetry of the game, the image of each action; the first changes nothing."""
        return [[self.actions[image[step]] for step in self.numbers] for image in self.start.symmetries]

    @property
    def square_symmetries(self) -> list[list[int]]:
        """For the same symmetries, the image of each cell of an observation's plane."""
        return [list(image) for image in self.start.square_symmetries]

    def begun(self, state: State[Any, Any], made: Made) -> State[Any, Any]:
        """The position with the unfinished turn, if the board shows it."""
        return state.begun(self._steps(made))

    def legal(self, state: State[Any, Any], made: Made) -> list[int]:
        """The legal actions after an unfinished turn, ascending; at chance the faces."""
        if isinstance(state.pending, ToDraw):
            return sorted(self.answers[str(face)] for face in state.moves)
        return [self._action(step) for step in state.next_steps(self._steps(made))]

    def text(self, state: State[Any, Any], made: Made, action: int) -> str:
        """A legal action in the game's notation; at chance the face."""
        if isinstance(state.pending, ToDraw):
            return str(self._face(action))
        return state.word(self._steps(made), self.numbers[action])

    def after(self, state: State[Any, Any], made: Made, action: int) -> tuple[State[Any, Any], Made]:
        """The position and the unfinished turn after a legal action; the turn is empty if the action completes it."""
        if isinstance(state.pending, ToDraw):
            return state.play(self._face(action)), ()
        made = (*made, action)
        steps = self._steps(made)
        return (state, made) if state.next_steps(steps) else (state.play(state.move_of(steps)), ())

    def weight(self, state: State[Any, Any], face: int) -> int:
        """The likelihood of this face, relative to the others in `legal`."""
        return state.weight(self._face(face))

    def objection(self, state: State[Any, Any], made: Made, action: int) -> str:
        """Why an action is illegal: in the game's own words if a turn is one action."""
        why = None if state.stepped else state.objection(state.move_of([self.numbers[action]]))
        return why or f"action {action} is not possible now"

    def _steps(self, made: Made) -> list[int]:
        return [self.numbers[action] for action in made]

    def _face(self, face: int) -> Face:
        return Face(self.names[face])

    def _action(self, step: int) -> int:
        if step not in self.actions:
            raise RulesError(f"{self.start.game.title} has step {step}, which is none of its `step_numbers`")
        return self.actions[step]


def steps_of(game: Game[Any, Any], options: Given = None, seats: int | None = None) -> Steps:
    """The actions of a game with these options; the game refuses bad options in its own words."""
    return Steps(game.start(options, seats))


def numpy_here() -> ModuleType:
    """Return NumPy, which only arrays need."""
    try:
        import numpy
    except ImportError:
        raise missing("NumPy", "numpy") from None
    return numpy
