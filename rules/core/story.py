"""The effects of a move, and what decided a game: values from which user interfaces make sentences.

A game uses its own terms (`State.story`, `State.criteria`) and names no player: an interface says "Ann scores 27" or
"you score 27". Nothing here is part of a position, a record or a digest.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Consequence:
    """An effect on a seat, or an action of it: `Consequence(0, "score", "27: series joker as A, Q, K")`.

    `verb` takes an s for the third person. `{whose}` in `rest` stands for `other`: "your", or "Ben's". There is no
    full stop.
    """

    seat: int
    verb: str
    rest: str
    other: int | None = None


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion for the place of a seat: its value, and its name in "8 to 7 claimed squares".

    A criterion that is no count is met or not: "by the last move".
    """

    value: int
    name: str
    is_count: bool = True


@dataclass(frozen=True, slots=True)
class Margin:
    """The first criterion that separates two seats, with both values."""

    name: str
    ahead: int
    behind: int
    is_count: bool


def margin(ahead: Sequence[Criterion], behind: Sequence[Criterion]) -> Margin | None:
    """The margin of one seat over another; None if nothing separates them."""
    for one, other in zip(ahead, behind, strict=True):
        if one.value != other.value:
            return Margin(one.name, one.value, other.value, one.is_count)
    return None


def counted(number: int, one: str, many: str = "") -> str:
    """`1 dollar`, `3 dollars`."""
    return f"{number} {one if number == 1 else many or one + 's'}"
