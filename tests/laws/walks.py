"""Random games for the laws: the same on every machine, position by position, draws and all."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from quadrille.laws.settings import Setting
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import WHOLE, Face, Move, Over, State, ToDraw, Viewer
from quadrille.rules.match import WAYS_OUT, Match, mask

T = TypeVar("T")
#: Long games are cut: what is to be seen in them has been seen by then.
MOST_STEPS = 300


@dataclass(frozen=True)
class Step:
    """A position, and what happens in it: a move, or a face is drawn. None where the game, or the walk, is over."""

    state: State[Any, Any]
    move: Move | None

    def seen(self, viewer: Viewer) -> Move:
        """Return the move as that viewer sees it."""
        assert self.move is not None
        return self.move if viewer == WHOLE else mask(self.state, self.move, viewer)

    def tell(self, match: Match, viewer: Viewer) -> None:
        """Go on in a match of that viewer, who is told the face if one is drawn."""
        move = self.seen(viewer)
        if isinstance(self.state.pending, ToDraw):
            assert isinstance(move, Face)
            match.answer(move)
        else:
            match.play(move)


def walk(setting: Setting, seed: str, most: int = MOST_STEPS) -> Iterator[Step]:
    """A game of random moves."""
    return walk_on(setting.start(), seed, most)


def walk_on(state: State[Any, Any], seed: str, most: int = MOST_STEPS, *, known: bool = False) -> Iterator[Step]:
    """Random moves from a position. `known`: its own faces are turned up, as those of a guess; else a dealer's."""
    dealer, rng = None if known else SeedDealer(seed), Stream(seed, "moves")
    for _ in range(most):
        move = choice(state, dealer, rng)
        yield Step(state, move)
        if move is None:
            return
        state = state.play(move)
    yield Step(state, None)


def choice(state: State[Any, Any], dealer: SeedDealer | None, rng: Stream) -> Move | None:
    """What happens next: the dealer's face, or a random move; None when the game is over."""
    match state.pending:
        case ToDraw(pile, position) if dealer:
            return Face(dealer.face(pile.name, pile.faces, position))
        case Over():
            return None
    return random_move(state, rng)


def random_move(state: State[Any, Any], rng: Stream) -> Move:
    """Any move; now and then the first of the list, so that also what is rare among many is seen (a row drawn)."""
    move: Move = state.moves.sample(rng) if rng.randrange(3) else next(iter(state.moves))
    return move


def random_match(setting: Setting, seed: str, most: int = MOST_STEPS, *, leaving: bool = False) -> Match:
    """A match of random moves, in which seats leave now and then if that is wanted."""
    match, rng, played = setting.match(seed), Stream(seed, "match"), 0
    while match.over is None and played < most:
        if leaving and rng.randrange(12) == 0:
            seats = [seat for seat in range(setting.seats) if not match.state.board.left[seat]]
            match.leave(seats[rng.randrange(len(seats))], list(WAYS_OUT)[rng.randrange(len(WAYS_OUT))])
        else:
            match.play(random_move(match.state, rng))
            played += 1
    return match


def thinned(row: Sequence[T], count: int) -> list[T]:
    """At most so many of the row, evenly spread, the first and the last among them."""
    last = len(row) - 1
    if last < count:
        return list(row)
    return [row[last * at // (count - 1)] for at in range(count)]


def plain(value: object) -> object:
    """Tuples as lists, as JSON has them."""
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def viewers(state: State[Any, Any]) -> list[int | None]:
    return [None, *range(state.seats)]


def frozen(value: object) -> object:
    """All that an object holds, in every slot down to numbers and texts, for comparison.

    Games, options and what else belongs to the table are left out: they never change. So are a board's `moves`, which
    every list overwrites, its undo stacks and what it has just looked over, and what a State remembers of questions.
    """
    match value:
        case None | int() | str() | bytes():
            return value
        case list() | tuple():
            return (type(value).__name__, *(value if flat(value) else map(frozen, value)))
        case dict():
            return tuple((frozen(key), frozen(item)) for key, item in value.items())
    if hasattr(value, "__getitem__"):  # a packed array
        return ("list", *value)  # type: ignore[misc]
    return (type(value).__name__, *((name, frozen(item)) for name, item in slots(value) if name not in SKIPPED))


SKIPPED = (
    *("game", "options", "terms", "worth", "moves", "slots", "fresh", "trail", "past", "changed", "changes"),
    *("outlook", "hand", "kinds", "kept", "_codes", "_pending", "_tried"),
)


def flat(row: Iterable[object]) -> bool:
    """Whether none of these holds anything else: most rows are long, and of small numbers."""
    return SIMPLE.issuperset(map(type, row))


SIMPLE = {int, bool, str, bytes, type(None)}


def slots(value: object) -> list[tuple[str, Any]]:
    """The slots of an object and its bases that are set, and its `__dict__` if it has one."""
    kind: Any = type(value)
    names, others = _slot_names(kind), getattr(value, "__dict__", None)
    if others:
        names = tuple(sorted({*names, *others}))
    return [(name, getattr(value, name)) for name in names if hasattr(value, name)]


@cache
def _slot_names(kind: type) -> tuple[str, ...]:
    return tuple(sorted({name for base in kind.__mro__ for name in _own_slot_names(base)}))


def _own_slot_names(kind: type) -> tuple[str, ...]:
    """A compiled class has no `__slots__`, but something to get and set each of them by."""
    if "__slots__" not in kind.__dict__:
        attributes = (name for name, item in kind.__dict__.items() if type(item).__name__ == "getset_descriptor")
        return tuple(name for name in attributes if not name.startswith("__"))
    names = kind.__dict__["__slots__"]
    return (names,) if isinstance(names, str) else tuple(names)
