"""The kinds of moves of a game, and what a game has its playtest know.

A package plugs in a `Playtested` under `quadrille.views`, as `playtest.GAME`, where it wants kinds of its own or has
questions. Every other game has kinds all the same: by the first word of its notation, by what a move does in the words
of the game, by the class of the move.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from quadrille.plugs import BrokenPlug, tell_broken
from quadrille.rules.core import Face, Move, State, ToDraw
from quadrille.rules.search.views import view

#: A move that does nothing that the game tells of.
QUIET: Final = "quiet"
_WORD: Final = re.compile(r"[a-z]{2,}\b")


@dataclass(frozen=True, slots=True)
class Playtested:
    """The kind of a move ("": as for any game), with words for kinds, and the questions of the inventor.

    Each question names keys of the findings that answer it (findings.py), such as `seats`, `kinds capture`, `option
    width`, `figure rows`, or `solved`.
    """

    kind: Callable[[State[Any, Any], Any], str] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    asked: tuple[tuple[str, tuple[str, ...]], ...] = ()


@cache
def playtested(game: str) -> Playtested:
    """Return the knowledge about a game; none for most games, nor where a plug-in is broken."""
    try:
        plugged = view("playtest", game)
    except BrokenPlug as error:
        tell_broken(error)
        return Playtested()
    return plugged if isinstance(plugged, Playtested) else Playtested()


def kind_of(state: State[Any, Any], move: Move) -> str:
    """Name the kind of a legal move."""
    own = playtested(state.game.key).kind
    if own is not None and (named := own(state, move)):
        return named
    if (word := _WORD.match(str(move))) is not None:
        return word[0]
    if declared(state):
        return type(move).__name__.lower()
    after = state.play(move)
    story = () if isinstance(after.pending, ToDraw) else state.story(move, (), after)
    return next((consequence.verb for consequence in story if consequence.seat == state.turn), QUIET)


def declared(state: State[Any, Any]) -> tuple[str, ...]:
    """Return the kinds that a game says it has, even if none occurs: its classes of moves, where there are several."""
    classes = [kind for kind in state.kinds if not issubclass(kind, Face)]
    return tuple(kind.__name__.lower() for kind in classes) if len(classes) > 1 else ()
