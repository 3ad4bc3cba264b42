"""Who may sit at a table instead of a person. A player is given its own view and nothing else."""

from typing import Any, Protocol

from quadrille.rules.chance import Randomness
from quadrille.rules.core import Move, State


class Player(Protocol):
    """Somebody who chooses moves."""

    def choose(self, view: State[Any, Any]) -> Move:
        """One of the legal moves of a position in which this player's seat owes one."""


class RandomPlayer:
    """Plays any legal move: a sparring partner for beginners and a yardstick for programs."""

    __slots__ = ("_rng",)

    def __init__(self, rng: Randomness) -> None:
        self._rng = rng

    def choose(self, view: State[Any, Any]) -> Move:
        """One of the listed moves at random."""
        move: Move = view.moves.sample(self._rng)
        return move
