"""The values of a game: moves, debts and debtors, piles and faces, results.

No rule of any game is here, and nothing mutable. __init__.py has the classes that use these values.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self, TypeAlias

from quadrille.rules.options import Options, Value

#: The rules version of a game until it defines its own (`Game.rules`); bots are greeted with it.
RULES_VERSION: Final = 1

#: The viewer: a seat, a spectator (None), or the whole that only a single machine's table has.
Viewer: TypeAlias = int | Literal["whole"] | None
WHOLE: Final = "whole"

Figure: TypeAlias = int | tuple[int, ...] | tuple[dict[str, int], ...]
Figures: TypeAlias = dict[str, Figure]
#: The input of a digest: nested tuples of whole numbers, texts and None.
Plain: TypeAlias = Any


class Move:
    """A small immutable value; `str` gives its one canonical text. Each game has its own kinds."""

    __slots__ = ("_text",)

    _text: str

    @property
    def text(self) -> str:
        """The same text, cached in the object: lists of moves are written again and again."""
        try:
            return self._text
        except AttributeError:
            object.__setattr__(self, "_text", str(self))
            return self._text

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


@dataclass(frozen=True, slots=True)
class Face(Move):
    """The answer to `ToDraw`: the face of a card or a coin, or HIDDEN."""

    name: str

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> str | tuple[Any, ...]:
        return "HIDDEN" if self is HIDDEN else (Face, (self.name,))


HIDDEN: Final = Face("?")


@dataclass(frozen=True, slots=True)
class Pile:
    """A shuffled row of faces; `faces` lists them unshuffled, `name` identifies it among the game's piles."""

    name: str
    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToMove:
    """A seat owes a move."""

    seat: int


@dataclass(frozen=True, slots=True)
class ToDraw:
    """A face is owed: the one at `position` (0 is the top) of the pile; only `owner` may look, None for everybody."""

    pile: Pile
    position: int
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Sealed:
    """The public knowledge about a pile of hidden cards.

    `up` has, by position, the faces that have been turned up, as numbers in the pile's list; `looks`, by seat, the
    positions still face down that it has looked at.
    """

    pile: Pile
    up: Mapping[int, int]
    looks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended: each seat's place, the figures that decided it, and the reason."""

    places: tuple[int, ...]
    figures: Figures
    reason: str


Pending: TypeAlias = ToMove | ToDraw | Over
TO_MOVE: Final = tuple(ToMove(seat) for seat in range(26))


@dataclass(frozen=True, slots=True)
class Preset:
    """A name for some options; it is replaced by them, and is no part of the game's identity.

    `starter` is the short first game of each game, `inventor` has the inventor's sizes where the usual ones are others.
    """

    options: Mapping[str, Value]
    help: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """How people come to a game: its aim in a line, tips for the first moves, the options of a short first game.

    `minutes` are those of a usual game with 10 to 20 seconds for each choice (tests/bench/defaults.py), `age` is the
    least one in years; 0 stands for unknown.
    """

    goal: str = ""
    tips: tuple[str, ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    minutes: tuple[int, int] = (0, 0)
    age: int = 0


#: Given options: already read, by name, or none.
Given: TypeAlias = Options | Mapping[str, object] | None
