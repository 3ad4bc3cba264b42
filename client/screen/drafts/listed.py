"""Half-made moves of games whose legal moves can be listed."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from quadrille.client.screen.drafts.draft import Draft, Maker, common_start, foreseen
from quadrille.rules.core import State
from quadrille.rules.errors import Ambiguous, RulesError

_SQUARE: Final = re.compile(r"[a-z][1-9][0-9]?")
#: Maximum legal moves that a draft looks at.
MOST_MOVES: Final = 4000
_MOST_CHOICES: Final = 12


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


LISTED: Final = Maker(_draft, _pick, _drop)
