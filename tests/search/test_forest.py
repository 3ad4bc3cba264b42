"""A forest of trees with somebody else's evaluator."""

from collections.abc import Callable
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from quadrille.rules.chance import SeedDealer  # noqa: E402
from quadrille.rules.core import settle  # noqa: E402
from quadrille.rules.dice import Dice  # noqa: E402
from quadrille.rules.errors import GameOver, RulesError  # noqa: E402
from quadrille.rules.registry import game  # noqa: E402
from quadrille.rules.search import Position  # noqa: E402
from quadrille.rules.search.forest import Actions, Forest  # noqa: E402
from tests.naive.puct import NaiveTree  # noqa: E402

TABLES = {
    "barons": ("barons", {"width": 4, "height": 3}, 2),
    "barons of three": ("barons", {"width": 4, "height": 4}, 3),
    "maze": ("maze", {"size": 4}, 2),
    "dollar-draw": ("dollar-draw", {"width": 5, "height": 5}, 2),
    "coins": ("coin-isolation", {"layout": "pnpdp/npqpn/pp.pd/nppnp/dp.pn", "take": "semi-greedy"}, 2),
    "coins of three": ("coin-isolation", {}, 3),
    "dotter": ("dotter", {"laps": 1}, 2),
    "dotter of three": ("dotter", {"laps": 1}, 3),
}
OPEN_TABLES = [name for name in TABLES if not name.startswith("dotter")]


def begun(name: str, moves: int = 0, seed: int = 1) -> Position:
    """A position at which a seat is to move, so many random moves after the start."""
    key, options, seats = TABLES[name]
    position, dice = Position(settle(game(key).start(options, seats), SeedDealer("forest"))), Dice(seed)
    while moves > 0 or position.chance:
        position.apply_quickly(position.random_move(dice))
        moves -= 1
    return position


def judge(observations: Any, mask: Any, seats: Any) -> tuple[Any, Any]:
    """Numbers without sense that follow from each row alone: whole, so that no sum is rounded."""
    rows = observations.reshape(len(observations), -1).astype(np.int64)
    told = (rows * (np.arange(rows.shape[1]) % 97 + 1)).sum(axis=1) + 31 * seats
    priors = (told[:, None] * 7 + np.arange(mask.shape[1]) * 13) % 29 + 1
    return priors / 29, (told % 201 - 100) / 100


def level(observations: Any, mask: Any, seats: Any) -> tuple[Any, Any]:
    """The evaluator that knows nothing."""
    return mask, 0.0 * seats


def told_apart(forest: Forest) -> list[Any]:
    return [(found.moves, found.visits, found.values, found.proved) for found in forest.found]


@pytest.mark.parametrize("leaves", [1, 4])
@pytest.mark.parametrize("name", TABLES)
def test_a_tree_is_that_of_a_naive_puct_move_by_move(name: str, leaves: int) -> None:
    """Visits and totals of every move of every position along a game, with all that is kept between its moves."""
    position = begun(name, 3)
    action = Actions(position.state)
    for ply in range(6):
        seat = position.seat
        if seat is None:
            break
        forest = Forest(judge, [position], seed=ply, leaves=leaves)
        forest.go_on(60)
        board = position.known(seat)
        naive = NaiveTree(board, ply, judge, lambda move: int(action.of(np.array([move]))[0]), wander=140, leaves=leaves)
        naive.action.count = action.count
        naive.search(60)
        found, children = forest.found[0], naive.top.children
        assert dict(zip(found.moves, found.visits, strict=True)) == {move: node.visits for move, node in children.items()}
        proved = {move: naive.proof(node) for move, node in children.items()}
        assert dict(zip(found.moves, found.proved, strict=True)) == proved
        totals = {move: 1_000_000 * ((node.total << 10) // node.visits) >> 20 if node.visits else 0 for move, node in children.items()}
        assert dict(zip(found.moves, found.values, strict=True)) == totals
        position.apply_quickly(found.move)
        while position.chance:
            position.apply_quickly(position.random_move(Dice(ply)))
