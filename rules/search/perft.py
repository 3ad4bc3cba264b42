"""Counts sequences of moves, to compare engines with each other and with numbers computed by hand.

It counts the sequences of exactly `depth` moves over the canonical list; a game that is over counts nothing deeper,
and the dealer answers chance, which is not counted. The known numbers are data of the tests.
"""

from typing import Any, Final

from quadrille.rules.chance import Dealer
from quadrille.rules.core import State, is_stepped, settle
from quadrille.rules.engine.playouts import sequences
from quadrille.rules.errors import RulesError

DEEPEST: Final = 100


def check_depth(depth: int) -> None:
    """Refuse absurd depths: no such count has ever been completed."""
    if not 0 <= depth <= DEEPEST:
        raise RulesError(f"moves are counted to a depth of 0 to {DEEPEST}, not {depth}")


def perft(state: State[Any, Any], depth: int, dealer: Dealer) -> int:
    """Count the sequences of exactly `depth` moves from here."""
    check_depth(depth)
    if not is_stepped(state) and not state.game.dealt:
        return sequences(state.board.copy(), depth)
    state = settle(state, dealer)
    if depth < 2:
        return state.moves.count() if depth else 1
    return sum(perft(state.play(move), depth - 1, dealer) for move in state.moves)
