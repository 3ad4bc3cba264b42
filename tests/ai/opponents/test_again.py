"""A bot of the house that plays one game after another plays each as if it were its first."""

from typing import Any

import pytest

from quadrille.ai.bots.local import play
from quadrille.ai.bots.talk import Talk
from quadrille.ai.opponents import opponent
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.ai.inside import talk as inside


def moves(key: str, options: dict[str, Any], players: list[Talk], seed: str) -> list[str]:
    match = Match(game(key), options, 2, deal=Deal(seed))
    play(match, players, seed=seed, patience=600_000, budget=600_000)
    return list(map(repr, match.entries))


@pytest.mark.parametrize("name", ["mcts:2", "solver:1", "alphabeta:1"])
@pytest.mark.parametrize(("key", "options"), [("maze", {"size": 4}), ("barons", {"width": 3, "height": 3})])
def test_nothing_of_one_game_is_left_in_the_next(name: str, key: str, options: dict[str, Any]) -> None:
    kept, fresh = ([inside(opponent(name)) for _ in range(2)] for _ in range(2))
    for seed in "abc":
        moves(key, options, kept, seed)
    assert moves(key, options, kept, "d") == moves(key, options, fresh, "d")
