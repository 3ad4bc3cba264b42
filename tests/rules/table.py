"""What the tests of the games do at their tables: play, look, be refused; and take boards there and back."""

from typing import Any

import pytest

from quadrille.rules.core import Game, Given, State
from quadrille.rules.errors import RulesError


def played(game: Game[Any, Any], options: Given, moves: str, seats: int | None = None, apart: str | None = None) -> Any:
    """The position after these moves, separated by blanks or by `apart`, each written as it is."""
    state = game.start(options, seats)
    for text in moves.split(apart):
        state = state.play(game.parse(text, state))
    return state


def texts(state: State[Any, Any]) -> list[str]:
    """The legal moves in their order, as they are written."""
    return [str(move) for move in state.moves]


def refusal(state: State[Any, Any], text: object, error: type[RulesError] = RulesError) -> str:
    """The sentence that refuses a text, which changes nothing."""
    before = state.digest()
    with pytest.raises(error) as caught:
        state.play(state.game.parse(text, state))
    assert state.digest() == before
    return str(caught.value)
