"""A half-made move: what it means so far, what can come next, and what a place of the board adds to it.

The line at the prompt is the move in the making, whichever way it is made: a cursor key and the mouse write notation
there. So whatever is shown about it (marks, preview, reasons) is the same for all three. What is legal the State alone
says. `makers.py` finds the game's maker.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from quadrille.rules.core import HIDDEN, Move, State, ToDraw
from quadrille.rules.errors import RulesError


@dataclass(frozen=True, slots=True)
class Draft:
    """What a line means in a position.

    `stage` is "none" for an empty line, "begun" for the beginning of a legal move, "legal", "wrong" for a move that is
    refused, "foreign" for what is no move at all. `says` is the reason, or what is wanted. `path` are the places that
    it names, in order; `nexts` those that can be picked now; `words` are longer lines that it can become; `choices` are
    lines for what is no place of the board, each with its short name; `after` is the position that a legal move leads
    to, `shows_after` whether it is worth drawing.
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
    """A line as moves are written."""
    return " ".join(text.lower().split())


@dataclass(frozen=True, slots=True)
class Maker:
    """How moves of a kind of game are put together."""

    draft: Callable[[State[Any, Any], str], Draft]
    pick: Callable[[State[Any, Any], str, str], str]
    drop: Callable[[State[Any, Any], str], str]


def verdict(state: State[Any, Any], text: str) -> tuple[Move | None, str]:
    """The move that a text is, and why it can't be made; "" when it can."""
    try:
        move: Move = state.game.parse(text, state)
    except RulesError as error:
        return None, str(error)
    return move, state.objection(move) or ""


def foreseen(state: State[Any, Any], move: Move) -> State[Any, Any] | None:
    """The position after a legal move, with the draws that this viewer can answer itself; None where chance decides."""
    after = state.play(move)
    while isinstance(after.pending, ToDraw):
        codes = after.codes
        if len(codes) != 1 or after.move(codes[0]) == HIDDEN:
            return None
        after = after.play(after.move(codes[0]))
    return after


def common_start(words: Sequence[str]) -> str:
    """The letters that all begin with."""
    first, last = min(words), max(words)
    same = next((at for at, sign in enumerate(first) if last[at : at + 1] != sign), len(first))
    return first[:same]
