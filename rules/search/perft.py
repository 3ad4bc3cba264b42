"""Counts sequences of moves, to compare engines with each other and with numbers computed by hand.

It counts the sequences of exactly `depth` moves over the canonical list; a game that is over counts nothing deeper,
and the dealer answers chance, which is not counted. The known numbers are data of the tests.
"""

from typing import Any, Final

from quadrille.rules.chance import Dealer
from quadrille.rules.core import State, is_stepped, settle
from quadrille.rules.engine.sequences import sequences
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
    if depth == 0:
        return 1
    found = 0
    walk = [(state, iter(state.moves))]
    while walk:
        state, moves = walk[-1]
        if len(walk) == depth:
            found += state.moves.count()
            walk.pop()
            continue
        move = next(moves, None)
        if move is None:
            walk.pop()
            continue
        after = settle(state.play(move), dealer)
        walk.append((after, iter(after.moves)))
    return found
