"""A half-made move: what it means so far, what can come next, and what a place of the board adds to it.

The line at the prompt is the move in the making, whichever way it is made: a cursor key and the mouse write notation
there. So whatever is shown about it (marks, preview, reasons) is the same for all three. What is legal the State alone
says. Games with more than a list can hold have drafts of their own (coin_drafts.py, dotter_drafts.py).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Literal

from quadrille.rules.core import HIDDEN, Move, State, ToDraw, ToMove
from quadrille.rules.errors import Ambiguous, RulesError

_SQUARE: Final = re.compile(r"[a-z][1-9][0-9]?")
#: How many moves are looked at; games with more have drafts of their own.
MOST_MOVES: Final = 4000
_MOST_CHOICES: Final = 12


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


def draft(state: State[Any, Any], text: str) -> Draft:
    """What a line means in a position in which a seat owes a move."""
    if not isinstance(state.pending, ToMove):
        return NOTHING if not text.strip() else Draft("foreign")
    return _drafted(state, tidy(text))


def pick(state: State[Any, Any], text: str, place: str) -> str:
    """The line after a place of the board was picked."""
    if not isinstance(state.pending, ToMove):
        return text
    return maker(state).pick(state, tidy(text), place)


def drop(state: State[Any, Any], text: str) -> str:
    """The line without the place that was picked last."""
    if not isinstance(state.pending, ToMove):
        return ""
    return maker(state).drop(state, tidy(text))


@lru_cache(maxsize=16)
def _drafted(state: State[Any, Any], text: str) -> Draft:
    return maker(state).draft(state, text)


@dataclass(frozen=True, slots=True)
class Maker:
    """How moves of a kind of game are put together."""

    draft: Callable[[State[Any, Any], str], Draft]
    pick: Callable[[State[Any, Any], str, str], str]
    drop: Callable[[State[Any, Any], str], str]


def maker(state: State[Any, Any]) -> Maker:
    """The maker for a position: the game's own where there is one."""
    match state.game.key:
        case "coin-isolation":
            from quadrille.client.screen import coin_drafts

            return coin_drafts.MAKER
        case "dotter":
            from quadrille.client.screen import dotter_drafts

            return dotter_drafts.MAKER
    return LISTED


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


# Games whose moves can be listed


@dataclass(frozen=True, slots=True)
class Listed:
    """A legal move: its text, and the places that the text names."""

    text: str
    places: tuple[str, ...]


@lru_cache(maxsize=8)
def listed(state: State[Any, Any]) -> tuple[Listed, ...]:
    """The legal moves with their places."""
    sheet = state.scene().sheet
    names = frozenset(cell.name for cell in sheet.cells) if sheet else frozenset()
    return tuple(
        Listed(text, tuple(name for name in _SQUARE.findall(text) if name in names))
        for text in map(str, islice(state.moves, MOST_MOVES))
    )


def _draft(state: State[Any, Any], text: str) -> Draft:
    moves = listed(state)
    choices = tuple((move.text, move.text) for move in islice((m for m in moves if not m.places), _MOST_CHOICES))
    places = tuple(_SQUARE.findall(text))
    fitting = [move for move in moves if set(places) <= set(move.places)]
    nexts = frozenset(place for move in fitting for place in _next_places(move, places))
    if not text:
        return Draft("none", nexts=nexts, words=tuple(move.text for move in moves), choices=choices)
    words = tuple(move.text for move in moves if move.text.startswith(text) and move.text != text)
    try:
        move = state.game.parse(text, state)
    except Ambiguous as error:
        return Draft("begun", str(error), places, nexts, words, choices)
    except RulesError as error:
        return Draft("begun", "", places, nexts, words, choices) if words else Draft("foreign", str(error))
    written = str(move)
    if why := state.objection(move):
        if words:
            return Draft("begun", why, places, nexts, words, choices)
        return Draft("wrong", why, tuple(_SQUARE.findall(written)), nexts, words, choices)
    # what else could be picked in its place is still shown
    others = frozenset(place for other in moves for place in _next_places(other, ()))
    return Draft("legal", "", tuple(_SQUARE.findall(written)), others, words, choices, foreseen(state, move))


def _next_places(move: Listed, places: tuple[str, ...]) -> tuple[str, ...]:
    """What of a move could be picked next: before anything is, where it goes to."""
    if not places:
        return move.places[-1:]
    return tuple(place for place in move.places if place not in places)


def _pick(state: State[Any, Any], text: str, place: str) -> str:
    moves, before = listed(state), _SQUARE.findall(text)
    for picked in ([*before, place], [place]):
        fitting = [move for move in moves if set(picked) <= set(move.places)]
        if len(fitting) == 1:
            return fitting[0].text
        if fitting:
            ends = [move for move in fitting if move.places[-1] == place]
            if len(ends) == 1 and len(picked) == 1:
                return ends[0].text
            common = common_start([move.text for move in fitting])
            return common if set(picked) <= set(_SQUARE.findall(common)) else place
    return place


def _drop(_: State[Any, Any], __: str) -> str:
    return ""


def common_start(words: Sequence[str]) -> str:
    """The letters that all begin with."""
    first, last = min(words), max(words)
    same = next((at for at, sign in enumerate(first) if last[at : at + 1] != sign), len(first))
    return first[:same]


LISTED: Final = Maker(_draft, _pick, _drop)
