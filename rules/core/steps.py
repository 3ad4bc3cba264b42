"""Moves made of steps: a State's interface to the parts of a move, and to unfinished moves.

In most games a move is one step, which is the board's number, and all of this follows from rules/core. A game with
too many turns to list defines steps in its own file: `steps`, `next_steps`, `move_of`, `word` and `step_numbers` are
enough for user interfaces and for learning programs. The prefixes of all legal moves are exactly what `next_steps`
gives: a law under test.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import prod
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from quadrille.rules.board import CHANCE
from quadrille.rules.core.half import Half, listed_half, stepped_half, verdict

M = TypeVar("M")
#: Maximum steps, and owed faces, in a game that defines no limit of its own.
MOST_STEPS: Final = 1 << 20


class Stepwise(Generic[M]):
    """The step interface of a State; `State` is its only subclass."""

    __slots__ = ()

    #: Whether the board's own numbers are the steps; otherwise each move is one number of the board, whatever its
    #: steps are.
    board_steps: ClassVar[bool] = True
    # Used parts of rules/core
    board: Any
    can_move: Any
    code: Any
    codes: Any
    draws: Any
    move: Any
    moves: Any
    on: Any
    scene: Any
    sealed: Any

    @property
    def legal_moves(self) -> list[M]:
        """The legal moves in a list: at most 10,000 (`moves` has all in large turns of Coin Isolation and Dotter)."""
        return list(islice(self.moves, 10_000))

    def steps(self, move: M) -> list[int] | None:
        """The steps of a move; None if no position of this table has the move."""
        code = self.code(move)
        return None if code is None else [code]

    def next_steps(self, prefix: Sequence[int] = ()) -> list[int]:
        """The possible steps of a legal move after these, ascending; empty after a whole move or a wrong step."""
        if not prefix:
            return sorted(self.codes)
        board, wrong, done = self.trial(prefix)
        return [] if done or wrong is not None else sorted(board.listed())

    def trial(self, steps: Iterable[int]) -> tuple[Any, int | None, bool]:
        """A board on which the steps were made as far as they are legal: the first illegal step, and whether the move
        is complete.
        """
        board, done = self.board.copy(), False
        for step in steps:
            if done or step not in board.listed():
                return board, step, done
            done = self.board.turn == CHANCE  # a face is a move by itself
            board.apply(step)
            done = done or board.plies != self.board.plies
        return board, None, done

    def move_of(self, steps: Sequence[int]) -> M:
        """The move of these steps; a game of steps also returns the half-made move of a prefix."""
        move: M = self.move(steps[0])
        return move

    def word(self, prefix: Sequence[int], step: int) -> str:
        """A step after these, in the words of the notation."""
        return str(self.move(step))

    def spot(self, prefix: Sequence[int], step: int) -> str | None:
        """The place of the scene for a step; None for a step that is chosen by its word."""
        word = self.word(prefix, step)
        return word if word in _places(self) else None

    def begun(self, steps: Sequence[int]) -> Self:
        """The position in the middle of a move, if the board shows it."""
        if not steps or not self.board_steps:
            return self
        board = self.board.copy()
        for step in steps:
            board.apply(step)
        begun: Self = self.on(board)
        return begun

    def half(self, line: str) -> Half:
        """The half-made move of a line at a prompt, for a user interface."""
        if self.board.turn == CHANCE or not self.can_move:
            return Half(*verdict(self, line))
        return self._half(line)

    def _half(self, line: str) -> Half:
        """The half-made move of a seat to move; a game with a notation of its own reads the line itself."""
        return stepped_half(self, line) if self.stepped else listed_half(self, line)

    @property
    def stepped(self) -> bool:
        """Whether a move can have more than one step."""
        return type(self).steps is not Stepwise.steps

    # Limits of a game at this table, queried on its first position for learning programs

    @property
    def step_numbers(self) -> Sequence[int]:
        """All numbers of steps, ascending."""
        return range(len(self.board.moves))

    @property
    def longest(self) -> int:
        """Maximum steps in a game."""
        return MOST_STEPS

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces of chance, each once, in the order of the pile."""
        pile = self._pile()
        return tuple(dict.fromkeys(pile.faces)) if pile else ()

    @property
    def most_draws(self) -> int:
        """Maximum owed faces in a game."""
        if self.sealed():
            return MOST_STEPS
        pile = self._pile()
        return len(pile.faces) if pile else 0

    def _pile(self) -> Any:
        """The pile in play, or that of the first owed face."""
        sealed, owed = self.sealed(), self.draws()
        return sealed.pile if sealed else owed[0].pile if owed else None

    def weight(self, face: Any) -> int:
        """Number of cards with this face that may be the owed one, by public knowledge."""
        return 1

    @property
    def policy_shape(self) -> tuple[int, int, int]:
        """Planes, columns and rows in which every step number has a place of its own."""
        return (len(self.step_numbers), 1, 1)

    def policy_place(self, step: int) -> int:
        """The place of a step in `policy_shape`: plane by plane, column by column, from the lowest row up."""
        return self.step_numbers.index(step)

    @property
    def symmetries(self) -> tuple[Mapping[int, int], ...]:
        """Maps of step numbers that are symmetries of the game, the identity first."""
        return ({step: step for step in self.step_numbers},)

    @property
    def square_symmetries(self) -> tuple[Sequence[int], ...]:
        """For the same symmetries, the image of each cell of an observation's plane."""
        cells = prod(self.board.shape()[1:])
        if len(self.symmetries) == 1:
            return (range(cells),)
        # a game with other symmetries and without a place for each square says more
        place = self.policy_place
        return tuple([place(image[step]) for step in sorted(image, key=place)] for image in self.symmetries)


@lru_cache(maxsize=2)
def _places(state: Stepwise[Any]) -> frozenset[str]:
    """The pickable places of a position."""
    places: frozenset[str] = state.scene().places
    return places
