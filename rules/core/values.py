"""The values that a game is told in: moves, what is owed next and by whom, piles and faces, and how a game has ended.

No rule of any game is here, and nothing that changes. The classes that use these values: __init__.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self, TypeAlias

from quadrille.rules.options import Options, Value

#: The number of a game's rules until the game raises its own (`Game.rules`); bots are greeted with it.
RULES_VERSION: Final = 1

#: Who looks: a seat, a spectator (None), or the whole that only one machine's own table has.
Viewer: TypeAlias = int | Literal["whole"] | None
WHOLE: Final = "whole"

Figure: TypeAlias = int | tuple[int, ...] | tuple[dict[str, int], ...]
Figures: TypeAlias = dict[str, Figure]
#: What a digest is taken over: nested tuples of whole numbers, texts and None.
Plain: TypeAlias = Any


class Move:
    """A small immutable value; `str` gives its one canonical text. Each game has its own kinds of it."""

    __slots__ = ("_text",)

    _text: str

    @property
    def text(self) -> str:
        """The same text, made once for each object: lists of moves are told again and again."""
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
    """The answer to `ToDraw`: what a card or a coin turned out to be, or HIDDEN to those who may not look."""

    name: str

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> str | tuple[Any, ...]:
        return "HIDDEN" if self is HIDDEN else (Face, (self.name,))


HIDDEN: Final = Face("?")


@dataclass(frozen=True, slots=True)
class Pile:
    """A shuffled row of faces; `faces` lists them unshuffled, `name` tells it from the game's other piles."""

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
    """What is public about a pile whose cards nobody may know beforehand.

    `up` has, by position, the faces that have been turned up, as numbers in the pile's list; `looks`, by seat, the
    positions still face down that it has looked at.
    """

    pile: Pile
    up: Mapping[int, int]
    looks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended: each seat's place, the figures that decided it, and why it ended."""

    places: tuple[int, ...]
    figures: Figures
    reason: str


Pending: TypeAlias = ToMove | ToDraw | Over
TO_MOVE: Final = tuple(ToMove(seat) for seat in range(26))


@dataclass(frozen=True, slots=True)
class Preset:
    """Options under one name; it stands for them and is no part of the game's identity."""

    options: Mapping[str, Value]
    help: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """How somebody learns a game: its aim in a line, tips for the first moves, the options of a short first game.

    `preset` is the one with which a form for a new table begins, where the inventor's options are not the best ones.
    """

    goal: str = ""
    tips: tuple[str, ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    preset: str = ""


#: Options as somebody gives them: read already, by name, or none.
Given: TypeAlias = Options | Mapping[str, object] | None
