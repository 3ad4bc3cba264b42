"""What seats see of positions as numbers: the observer of each game, found where a package plugs it in.

    from quadrille.extras.lab.observations import observation
    from quadrille.rules.search import Position

    observation(Position.start("barons", {"width": 4, "height": 4}), seat=0).shape  # (7, 4, 4)

Specification: extras/lab/docs/observations.md.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final
from zlib import crc32

from quadrille.extras.lab.engine.observer import Observer
from quadrille.rules.arrays import array
from quadrille.rules.board import Board
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import State, check_seat, settle
from quadrille.rules.ints import i64, vec
from quadrille.rules.search import Position
from quadrille.rules.search.results import shaped
from quadrille.rules.search.views import view

#: The random games, and the moves in each, from which the length of a row is found: enough for a row that grows with
#: the game to be seen nearly whole in games of ordinary length, and less than a second.
_TRIED_GAMES: Final = 8
_TRIED_PLIES: Final = 200
#: The greatest number in a row: a number takes a byte.
_MOST: Final = 255


class PlainObserver(Observer):
    """A game whose board says itself what is seen of it, by `shape` and `observe`."""

    def observe(self, given: Board, seat: i64) -> vec[i64]:
        seen: vec[i64] = given.observe(seat)  # type: ignore[attr-defined]
        return seen


class PositionObserver(Observer):
    """A game that nobody brings an observer for: one row of the numbers by which the game itself tells positions apart.

    0 the seat to move, counted from 1 for the one that looks (0 for none); 1 number of the seat; then S: out of the
    game (1 went first); then all of `State.plain` of the seat's view, in order: numbers plus 1, and texts as numbers.
    """

    state: State[Any, Any]
    width: int

    def shape(self) -> vec[i64]:
        return array((1, self.width, 1))

    def observe(self, given: Board, seat: i64) -> vec[i64]:
        """Return the row, cut or filled up with 0: its length is that of the longest one in some random games."""
        turn = 1 + (given.turn - seat) % given.seats if given.turn >= 0 else 0
        row = [turn, seat, *given.left, *_flat(self.state.on(given).view(seat).plain())]
        return array([*row[: self.width], *[0] * (self.width - len(row))])


def _flat(plain: Any) -> Iterator[int]:
    """Yield what a digest is made of as numbers from 0 to 255."""
    if isinstance(plain, tuple | list):
        for part in plain:
            yield from _flat(part)
    elif isinstance(plain, str):
        yield 1 + crc32(plain.encode()) % _MOST
    else:
        yield 0 if plain is None else min(max(plain + 1, 0), _MOST)


@lru_cache(maxsize=64)
def _width(start: State[Any, Any]) -> int:
    longest = 0
    for seed in map(str, range(_TRIED_GAMES)):
        state, rng, plies = start, Stream(seed, "observer"), 0
        while not (state := settle(state, SeedDealer(seed))).over and plies < _TRIED_PLIES:
            longest = max(longest, sum(1 for _ in _flat(state.plain())))
            state, plies = state.play(state.moves.sample(rng)), plies + 1
    return 2 + start.seats + longest


def observer_of(state: State[Any, Any]) -> Observer:
    """Return the observer of a game at the table of a first position."""
    kind = view("lab", state.game.key) or (PlainObserver if hasattr(state.board, "observe") else PositionObserver)
    observer: Observer = kind(state.board)
    if isinstance(observer, PositionObserver):
        observer.state, observer.width = state, _width(state)
    return observer


def observation(position: Position | State[Any, Any], seat: int) -> Any:
    """Return a seat's observation as numbers: planes, columns, rows; a NumPy array, or lists in lists."""
    state = position.state if isinstance(position, Position) else position
    check_seat(state, seat)
    observer = observer_of(state.game.start(state.options, state.seats))
    return shaped(observer.observe(state.board, seat), list(observer.shape()))
