"""The legal moves of a position, to be queried instead of listed: a turn can have too many to list."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from quadrille.rules.chance import Randomness
from quadrille.rules.core.values import Move
from quadrille.rules.errors import GameOver

M = TypeVar("M", bound=Move)


class Moves(Generic[M]):
    """The legal moves of a State, in canonical order when iterated."""

    __slots__ = ("_state",)

    def __init__(self, state: Any) -> None:
        self._state = state

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self._state.objection(move) is None

    def __iter__(self) -> Iterator[M]:
        state = self._state
        return map(state.move, sorted(state.codes))

    def __len__(self) -> int:
        return self.count()

    def __getitem__(self, number: int) -> M:
        """The move of that number, from 0; the list is walked as far as that."""
        return next(islice(self, number, None)) if 0 <= number < self.count(number + 1) else list(self)[number]

    def __bool__(self) -> bool:
        can_move: bool = self._state.can_move
        return can_move

    def count(self, at_most: int | None = None) -> int:
        """Their number; counting may stop at `at_most`."""
        found = len(self._state.codes)
        return found if at_most is None else min(found, at_most)

    def sample(self, rng: Randomness) -> M:
        """One of the listed moves at random."""
        codes = self._state.codes
        if not codes:
            raise GameOver("the game is over: there is no move to choose from")
        move: M = self._state.move(codes[rng.randrange(len(codes))])
        return move
