"""The things on a square, as pieces of text with their styles: letters, badges, coins by their value.

The largest form that fits is taken: coins by value, apart from pieces; then close together; then coins by their
letters.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

from quadrille.client.screen.draw.canvas import columns
from quadrille.client.screen.draw.theme import seat_style
from quadrille.client.table.sight import COIN_VALUES
from quadrille.rules.drawing.plain_text import letter
from quadrille.rules.scene import Mark

#: A text and its style.
Piece: TypeAlias = tuple[str, str]

_COINS: Final = re.compile("([0-9]*)([pndq])")
_GAP: Final = (" ", "")
#: The styles that colour the ground around their text.
_ROUND: Final = ("badge-", "coin-", "dollar")


def is_round(style: str) -> bool:
    """Return whether a piece of that style has a ground of its own, which goes on beside it."""
    return style.startswith(_ROUND)


def owner_of(marks: tuple[Mark, ...]) -> int | None:
    """Return the seat whose square it is."""
    return next((mark.seat for mark in marks if mark.seat is not None), None)


@lru_cache(maxsize=1 << 12)
def pieces(marks: tuple[Mark, ...], room: int) -> tuple[Piece, ...]:
    """Return what lies on a square, seats' pieces first, in the largest form that has room."""
    found: list[Piece] = []
    for found in _forms(marks):
        if width(found) <= room:
            break
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def least_width(marks: tuple[Mark, ...]) -> int:
    """Return the columns of the smallest form."""
    return min(map(width, _forms(marks)))


def width(found: Iterable[Piece]) -> int:
    """Return the columns of pieces."""
    return sum(columns(text) for text, _ in found)


def _forms(marks: tuple[Mark, ...]) -> Iterator[list[Piece]]:
    """Yield the forms of what lies on a square, the largest first."""
    seats = [_piece(mark) for mark in marks if not mark.label and mark.seat is not None]
    things = [mark for mark in marks if mark.label]
    valued = seats + [_thing(mark, valued=True) for mark in things]
    yield [piece for number, one in enumerate(valued) for piece in ([_GAP] if number else []) + [one]]
    yield valued
    yield seats + [_thing(mark, valued=False) for mark in things]


def _piece(mark: Mark) -> Piece:
    assert mark.seat is not None
    return letter(mark.seat), seat_style(mark.seat, "seat" if mark.kind == "claim" else "badge")


def _thing(mark: Mark, *, valued: bool) -> Piece:
    coins = _COINS.fullmatch(mark.label) if mark.kind == "coin" else None
    if coins is None:
        own = mark.seat is not None and mark.kind != "dollar"
        return mark.label, seat_style(mark.seat) if own else mark.kind
    count, kind = coins.groups()
    text = (f"{count}×" if count else "") + COIN_VALUES[kind] if valued else mark.label
    return text, f"coin-{kind}"
