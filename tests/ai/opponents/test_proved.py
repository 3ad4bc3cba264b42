"""What opponents hold for proved: nothing that is not, and what best play leads to."""

from typing import Any

import pytest

from quadrille.ai.opponents import opponent
from quadrille.rules.dice import Dice
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from tests.ai.opponents.test_opponents import ample, begun, dice

TABLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("maze", {"size": 3}),
    ("dollar-draw", {"width": 3, "height": 3}),
    ("barons", {"width": 3, "height": 3, "horizontal": 3}),
)


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def proved(position: Position) -> int:
    """The sign of the payoff of the seat to move, at best play."""
    found = position.prove(100_000)
    assert found.certain
    return sign(found.value)


@pytest.mark.parametrize(
    "text", ["solver:4", *(pytest.param(text, marks=pytest.mark.slow) for text in ("mcts:4", "alphabeta:4"))]
)
@pytest.mark.parametrize(("key", "options"), TABLES, ids=lambda row: row if isinstance(row, str) else "")
def test_what_is_proved_is_what_best_play_leads_to(key: str, options: dict[str, Any], text: str) -> None:
    """In random games, in which it is asked in each turn; towards their end all of them know."""
    player, own, row, said = opponent(text), dice(text), Dice(7), 0
    for _ in range(3):
        position, last = Position.start(key, options, 2), None
        while not position.over:
            state = position.state
            player.choose(state, ample(state.board.turn), own)
            last = player.proved
            assert last is None or sign(last) == proved(position)
            said += last is not None
            position.apply_quickly(position.random_move(row))
        assert last is not None, "there was one turn to go"
    assert said > 3


@pytest.mark.parametrize("key", ["dotter", "coin-isolation"])
@pytest.mark.parametrize("text", ["alphabeta:1", "solver:1"])
def test_nothing_is_sure_of_cards_or_of_three(key: str, text: str) -> None:
    player, state = opponent(text), begun(key, 2 if key == "dotter" else 3)
    player.choose(state.view(0), ample(0), dice(text))
    assert player.proved is None


@pytest.mark.first(1)
@pytest.mark.parametrize("text", ["alphabeta:4", "mcts:4", "solver:4"])
def test_what_was_sure_in_one_game_is_not_sure_in_the_next(text: str) -> None:
    player, own = opponent(text), dice(text)
    state = game("maze").start({"size": 2})
    player.choose(state, ample(0), own)
    assert player.proved is not None
    other = begun("coin-isolation", 3)
    player.choose(other, ample(0), own)
    assert player.proved is None
