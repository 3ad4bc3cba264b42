"""Every game's turns in actions with small numbers, as learning programs and tree searches want them.

An action is a step of a move (rules/steps.py): a number from 0 up to, not including, `count`, which depends on the
options and seats alone. Where a turn can be too many things to number them all, it is made of several actions; each
that is legal can be completed, and each turn has exactly one row of them.

- Barons, Dollar Draw: the squares, column by column, each from the bottom. A turn is one action.
- Maze: the segments, by the square that they start from, then by the one that they go to. A turn is one action.
- Coin Isolation: the squares; end of the path, stand, renegade, pass; the sides south, north, west, east; the coins
  p, n, d, q; with take=semi-greedy also take 0, take 1, … A turn is a side; or pass; or stand, and where there is a
  choice the coin; or renegade perhaps, then the path square by square and its end, then, each only where there is a
  choice, the coin that is the path's type, the coins to take, the coins that go along one by one (p before n before d
  before q), the squares for a transplant one by one (ascending).
- Dotter: draw, peek, score; the players; the 54 slots 1a, 1b, 1c, 2a, …; no guess, double, triple, difference,
  quotient, nothing. A turn is draw; or peek, a player, two slots; or score, a player, three slots, a guess. Slots are
  ascending.

Chance has numbers of its own: in Coin Isolation the coins p, n, d, q as 0 to 3, in Dotter the cards in the order of
the pile (spades, hearts, diamonds, clubs, each from the ace to the king, then the jokers).

What is legal is asked of the State; no rule is written here, and no game is known.
"""

from typing import Any, Self, TypeAlias

from quadrille.rules.core import Face, Game, Given, State, ToDraw
from quadrille.rules.errors import RulesError

#: The actions that are made of a turn.
Made: TypeAlias = tuple[int, ...]


class Steps:
    """The actions of one game at one table, from its first position on.

    `count` actions and `faces` answers of chance there are; at most `longest` and `draws` of them in a game. `shape`
    has the planes, columns and rows of what a seat sees, and `in_planes` tells whether what is made of a turn is there.
    `policy_shape` has the planes, columns and rows in which each action has the place `policy_places[action]`;
    `symmetries` are rows of actions, by action, under which the game stays the same game.
    """

    def __init__(self, start: State[Any, Any]) -> None:
        self.start = start
        self.shape: tuple[int, ...] = tuple(start.board.shape())
        self.numbers = tuple(start.step_numbers)
        self.actions = {step: action for action, step in enumerate(self.numbers)}
        self.names = start.faces
        self.answers = {name: face for face, name in enumerate(self.names)}
        self.count, self.faces = len(self.numbers), len(self.answers)
        self.longest, self.draws = start.longest, start.most_draws
        self.in_planes = start.board_steps

    def __deepcopy__(self, memo: object) -> Self:
        """Nothing of it ever changes."""
        return self

    @property
    def policy_shape(self) -> tuple[int, int, int]:
        """Planes, columns, rows."""
        return self.start.policy_shape

    @property
    def policy_places(self) -> list[int]:
        """By action its place in `policy_shape`: plane by plane, column by column, from the lowest row up."""
        return [self.start.policy_place(step) for step in self.numbers]

    @property
    def symmetries(self) -> list[list[int]]:
        """For each symmetry of the game the action that each action becomes; the first changes nothing."""
        return [[self.actions[image[step]] for step in self.numbers] for image in self.start.symmetries]

    def begun(self, state: State[Any, Any], made: Made) -> State[Any, Any]:
        """The position with what is made of the turn, where the board shows it."""
        return state.begun(self._steps(made))

    def legal(self, state: State[Any, Any], made: Made) -> list[int]:
        """The actions that are possible, ascending, when so much of the turn is made; at chance the faces."""
        if isinstance(state.pending, ToDraw):
            return sorted(self.answers[str(face)] for face in state.moves)
        return [self._action(step) for step in state.next_steps(self._steps(made))]

    def text(self, state: State[Any, Any], made: Made, action: int) -> str:
        """A legal action in the words of the game's notation; at chance the face."""
        if isinstance(state.pending, ToDraw):
            return str(self._face(action))
        return state.word(self._steps(made), self.numbers[action])

    def after(self, state: State[Any, Any], made: Made, action: int) -> tuple[State[Any, Any], Made]:
        """The position and what is made of the turn after a legal action; nothing is when it completes the turn."""
        if isinstance(state.pending, ToDraw):
            return state.play(self._face(action)), ()
        made = (*made, action)
        steps = self._steps(made)
        return (state, made) if state.next_steps(steps) else (state.play(state.move_of(steps)), ())

    def weight(self, state: State[Any, Any], face: int) -> int:
        """How likely chance is to answer this face, beside the others that `legal` lists."""
        return state.weight(self._face(face))

    def objection(self, state: State[Any, Any], made: Made, action: int) -> str:
        """Why an action is not legal: where a turn is one action, in the game's own words."""
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
    """The actions of a game with these options; what the game refuses is refused in its own words."""
    return Steps(game.start(options, seats))
