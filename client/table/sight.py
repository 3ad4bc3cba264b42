"""The faces drawn in an entry, as a viewer saw them; the text of cards and coins."""

from collections.abc import Sequence
from typing import Any, Final

from quadrille.rules.core import HIDDEN, Face, State, Viewer
from quadrille.rules.match import Match, Played

#: The values of coins in cents, by their letters.
COIN_VALUES: Final = {"p": "1", "n": "5", "d": "10", "q": "25"}
_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def face(label: str) -> str:
    """Return a card's text, with signs for suits."""
    if label.startswith("JK"):
        return "★"
    return label[:-1] + _SUITS[label[-1]] if len(label) > 1 and label[-1] in _SUITS else label


def seen(match: Match, number: int, viewer: Viewer) -> list[Face]:
    """Return the faces drawn in an entry that the viewer saw."""
    entry = match.entries[number]
    if not isinstance(entry, Played) or not entry.faces:
        return []
    if viewer == match.viewer:
        return list(entry.faces)
    assert viewer != "whole"
    faces, _ = masked(match.before(number).state.play(entry.move), entry.faces, viewer)
    return [] if all(face == HIDDEN for face in faces) else faces


def masked(state: State[Any, Any], faces: Sequence[Face], viewer: int | None) -> tuple[list[Face], State[Any, Any]]:
    """Return the faces of draws that a position owes, as a viewer sees them, and the position after them."""
    seen: list[Face] = []
    for face in faces:
        shown = state.mask(face, viewer)
        assert isinstance(shown, Face)
        seen.append(shown)
        state = state.play(face)
    return seen, state
