"""The half-made move at the prompt, of any game: a State's `Half` (rules/core/talk.py).

A cursor key and the mouse write notation into the line. So marks, preview and reasons are the same for all three ways
to make a move. Only the State says what is legal.
"""

from functools import lru_cache
from typing import Any

from quadrille.rules.core import HIDDEN, Move, State, ToDraw, ToMove
from quadrille.rules.core.talk import Half, half_made


def tidy(text: str) -> str:
    """Spell a line as moves are spelled."""
    return " ".join(text.lower().split())


@lru_cache(maxsize=16)
def _half(state: State[Any, Any], text: str) -> Half:
    return half_made(state, text)


def draft(state: State[Any, Any], text: str) -> Half:
    """Read a line in a position; it means nothing unless a seat owes a move."""
    return _half(state, tidy(text)) if isinstance(state.pending, ToMove) else Half(line=text.strip())


def pick(state: State[Any, Any], text: str, place: str) -> str:
    """Return the line after a place of the board was picked."""
    return draft(state, text).picks.get(place, place) if isinstance(state.pending, ToMove) else text


def drop(state: State[Any, Any], text: str) -> str:
    """Return the line without the last picked place."""
    return draft(state, text).shorter


def preview(state: State[Any, Any], half: Half) -> State[Any, Any] | None:
    """Return the position after a half-made move that is whole and legal; None where chance decides."""
    return foreseen(state, half.move) if half.stage == "legal" else None


@lru_cache(maxsize=16)
def foreseen(state: State[Any, Any], move: Move) -> State[Any, Any] | None:
    """Play a legal move with the draws that this viewer can answer itself; return None if chance decides."""
    after = state.play(move)
    while isinstance(after.pending, ToDraw):
        codes = after.codes
        if len(codes) != 1 or after.move(codes[0]) == HIDDEN:
            return None
        after = after.play(after.move(codes[0]))
    return after
