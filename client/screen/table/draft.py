"""The half-made move at the prompt, of any game: the screen's view of a State's `Half` (rules/core/talk.py).

A cursor key and the mouse write notation into the line. So marks, preview and reasons are the same for all three ways
to make a move. Only the State says what is legal.
"""

from functools import lru_cache
from typing import Any, Final, Literal

from quadrille.rules.core import HIDDEN, Move, State, ToDraw, ToMove, is_stepped
from quadrille.rules.core.talk import Half, half_made
from quadrille.value import value


@value
class Draft:
    """The meaning of a line in a position.

    `stage` is "none" for an empty line, "begun" for the beginning of a legal move, "legal", "wrong" for a move that
    is refused, "foreign" for anything else. `says` is the reason, or what is missing. `path` are the named places in
    order; `nexts` those that can be picked now; `words` are longer lines that it can become; `choices` are lines for
    what is no place of the board, each with its short name; `after` is the position after a legal move, `shows_after`
    whether it is worth drawing.
    """

    stage: Literal["none", "begun", "legal", "wrong", "foreign"]
    says: str = ""
    path: tuple[str, ...] = ()
    nexts: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    after: State[Any, Any] | None = None
    shows_after: bool = True


NOTHING: Final = Draft("none")


def tidy(text: str) -> str:
    """Spell a line as moves are spelled."""
    return " ".join(text.lower().split())


def draft(state: State[Any, Any], text: str) -> Draft:
    """Read a line in a position in which a seat owes a move."""
    if not isinstance(state.pending, ToMove):
        return NOTHING if not text.strip() else Draft("foreign")
    return _drafted(state, tidy(text))


def pick(state: State[Any, Any], text: str, place: str) -> str:
    """Return the line after a place of the board was picked."""
    return _half(state, tidy(text)).picks.get(place, place) if isinstance(state.pending, ToMove) else text


def drop(state: State[Any, Any], text: str) -> str:
    """Return the line without the last picked place."""
    return _half(state, tidy(text)).shorter if isinstance(state.pending, ToMove) else ""


@lru_cache(maxsize=16)
def _half(state: State[Any, Any], text: str) -> Half:
    return half_made(state, text)


@lru_cache(maxsize=16)
def _drafted(state: State[Any, Any], text: str) -> Draft:
    half = _half(state, text)
    shown = (half.path, half.nexts, half.words, half.choices)
    if not text:
        return Draft("none", half.wants or "", *shown)
    if half.move is not None and not half.why:
        return Draft("legal", "", *shown, foreseen(state, half.move), not is_stepped(state))
    if half.begins:
        return Draft("begun", half.why if half.wants is None else half.wants, *shown)
    return Draft("wrong" if half.move is not None or half.path else "foreign", half.why, *shown)


def foreseen(state: State[Any, Any], move: Move) -> State[Any, Any] | None:
    """Play a legal move with the draws that this viewer can answer itself; return None if chance decides."""
    after = state.play(move)
    while isinstance(after.pending, ToDraw):
        codes = after.codes
        if len(codes) != 1 or after.move(codes[0]) == HIDDEN:
            return None
        after = after.play(after.move(codes[0]))
    return after
