"""The faces drawn in an entry, as a viewer saw them; the text of cards and coins."""

from typing import Final

from quadrille.rules.core import HIDDEN, Face, Viewer
from quadrille.rules.match import Match, Played, masked

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
    faces = list(entry.faces)
    if viewer != match.viewer:
        assert viewer != "whole"
        faces, _ = masked(match.before(number).state.play(entry.move), entry.faces, viewer)
    return [] if all(face == HIDDEN for face in faces) else faces
