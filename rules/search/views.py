"""Views of a board: what a prover, a learner or an observer asks of it is no rule, and stands beside its user.

A package plugs a view in under `quadrille.views`: `PURPOSE.GAME` is one of a game, `PURPOSE` that of all others. A view
is a class of boards, which may derive from the game's own, or of whatever reads a board, such as an observer. `prover`
derives from the board of a game (rules/search/proof.py). Only `worth` is a function: of a state and two moves, it gives
the part by which the mover prefers the first to the second (`Worth` of rules/core/thoughts.py), or None.
"""

from typing import Any

from quadrille.plugs import plugs
from quadrille.rules.board import Board
from quadrille.rules.native.fields import fields_of, made


def view(purpose: str, game: str) -> Any:
    """Return the view of a game for a purpose; None where nobody plugs one in."""
    views = plugs("quadrille.views")
    plug = views.get(f"{purpose}.{game}") or views.get(purpose)
    return plug.load() if plug is not None else None


def seen(board: Board, kind: Any) -> Any:
    """Return the board in the same position as a view of a class that derives from its own."""
    return made(kind, fields_of(board))
