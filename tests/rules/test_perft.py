"""Counting sequences: against a count that is written as the definition reads, and where nothing is left to count."""

from typing import Any

import pytest

from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Over, State, settle
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game, keys
from quadrille.rules.search.perft import perft

DEALER = SeedDealer("s")


def defined(state: State[Any, Any], depth: int) -> int:
    """The sequences of exactly so many moves, one by one."""
    state = settle(state, DEALER)
    if depth == 0:
        return 1
    if isinstance(state.pending, Over):
        return 0
    return sum(defined(state.play(move), depth - 1) for move in state.moves)


@pytest.mark.parametrize("key", keys())
def test_as_defined(key: str) -> None:
    start = game(key).start()
    for depth in range(3):
        assert perft(start, depth, DEALER) == defined(start, depth)


def test_games_end_at_different_depths() -> None:
    tiny = game("dollar-draw").start({"width": 2, "height": 2})
    assert [perft(tiny, depth, DEALER) for depth in range(6)] == [1, 2, 2, 2, 2, 0]
    small = game("dollar-draw").start({"width": 3, "height": 2})
    assert [perft(small, depth, DEALER) for depth in range(12)] == [defined(small, depth) for depth in range(12)]


def test_what_is_over_has_one_sequence_of_no_move() -> None:
    over = game("barons").start(None, 2).leave(0)
    assert [perft(over, depth, DEALER) for depth in range(3)] == [1, 0, 0]


@pytest.mark.parametrize("depth", [-1, 101])
def test_depths_that_are_none(depth: int) -> None:
    with pytest.raises(RulesError, match="0 to 100"):
        perft(game("barons").start(), depth, DEALER)
