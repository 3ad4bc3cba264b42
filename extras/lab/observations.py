"""What seats see of positions as numbers: the observer of each game, found where a package plugs it in.

    from quadrille.extras.lab.observations import observation
    from quadrille.rules.search import Position

    observation(Position.start("barons", {"width": 4, "height": 4}), seat=0).shape  # (7, 4, 4)

Specification: extras/lab/docs/observations.md.
"""

from typing import Any

from quadrille.extras.lab.engine.observer import Observer
from quadrille.rules.arrays import array
from quadrille.rules.board import Board
from quadrille.rules.core import State, check_seat
from quadrille.rules.errors import RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.search import Position
from quadrille.rules.search.results import shaped
from quadrille.rules.search.views import view


class PlainObserver(Observer):
    """A game whose board says itself what is seen of it, by `shape` and `observe`."""

    def observe(self, given: Board, seat: i64) -> vec[i64]:
        seen: vec[i64] = given.observe(seat)  # type: ignore[attr-defined]
        return seen


class Blindfold(Observer):
    """A game that no package says anything of: observations are refused, and all else is as usual."""

    why: str

    def shape(self) -> vec[i64]:
        """Return the shape of a number that nobody writes."""
        return array((1, 1, 1))

    def observe(self, given: Board, seat: i64) -> vec[i64]:
        raise RulesError(self.why)


def observer_of(state: State[Any, Any]) -> Observer:
    """Return the observer of a game at the table of a state; a `Blindfold` if it has none."""
    kind = view("lab", state.game.key) or (PlainObserver if hasattr(state.board, "observe") else Blindfold)
    observer: Observer = kind(state.board)
    if isinstance(observer, Blindfold):
        nobody = f"{state.game.title} has no observations: no package plugs in an observer for it"
        observer.why = f"{nobody}, as lab.{state.game.key} of quadrille.views"
    return observer


def sighted(state: State[Any, Any]) -> Observer:
    """Return the observer as `observer_of` does; refuse a game without observations."""
    if isinstance(found := observer_of(state), Blindfold):
        raise RulesError(found.why)
    return found


def observation(position: Position | State[Any, Any], seat: int) -> Any:
    """Return a seat's observation as numbers: planes, columns, rows; a NumPy array, or lists in lists."""
    state = position.state if isinstance(position, Position) else position
    check_seat(state, seat)
    observer = sighted(state)
    return shaped(observer.observe(state.board, seat), list(observer.shape()))
