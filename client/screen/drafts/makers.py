"""The maker of half-made moves that a game has: its own where its moves are more than a list can hold."""

from functools import lru_cache
from typing import Any

from quadrille.client.screen.drafts import coin_isolation, dotter, listed
from quadrille.client.screen.drafts.draft import NOTHING, Draft, Maker, tidy
from quadrille.rules.core import State, ToMove


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


def maker(state: State[Any, Any]) -> Maker:
    """The maker for a position: the game's own where there is one."""
    match state.game.key:
        case "coin-isolation":
            return coin_isolation.MAKER
        case "dotter":
            return dotter.MAKER
    return listed.LISTED
