"""Learned evaluations: sums that are kept up, files, and trainings that give the same weights everywhere."""

import hashlib
from typing import Any

import pytest

from quadrille.extras.lab.learned.evaluation import learnable, patterned, read, weights_of, written
from quadrille.extras.lab.learned.training import Training
from quadrille.extras.lab.training_run import Comparison
from quadrille.rules.arrays import array
from quadrille.rules.dice import Dice
from quadrille.rules.engine.tree import Tree
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game, keys

TABLES = (
    ("barons", {"width": 4, "height": 4}, 2),
    ("barons", {"width": 5, "height": 3, "end": "full"}, 3),
    ("dollar-draw", {"width": 3, "height": 3}, 2),
    ("dollar-draw", {"width": 4, "height": 3}, 2),
)
DIGESTS = {
    ("barons", 4, 4, 2): "9ddb7924728743f46b4c3f5a21d6453de12deadb97da86042cd0ed034083179c",
    ("barons", 4, 3, 3): "857624b06bf71f56755b45f02f18f60060544b7f37974bdbe1d4f216de220ae4",
    ("dollar-draw", 3, 4, 2): "5e3826fa0cc2c44e82ecd534ac20e498185f9b80e53a1b35bd0a40c4d89ad038",
}


def random_weights(state: Any) -> Any:
    dice = Dice(5)
    return array([dice.below(1 << 20) - (1 << 19) for _ in range(weights_of(state))])


def sums(board: Any) -> list[int]:
    return [int(total) for total in board.judge.totals]


@pytest.mark.parametrize(("key", "options", "seats"), TABLES)
def test_sums_are_kept_up_and_back(key: str, options: dict[str, Any], seats: int) -> None:
    """After each move and each `undo` they are those of a board made anew, and `look_after` only looks."""
    state: Any = game(key).start(options, seats)
    weights = random_weights(state)
    board, dice, trail = patterned(state, weights), Dice(3), []
    while board.legal():
        move = board.random_move(dice)
        trail.append(sums(board))
        board.judge.look_after(board, move)
        foreseen = [int(value) for value in board.judge.outlook]
        assert sums(board) == trail[-1]
        board.apply(move)
        board.judge.look(board)
        assert [int(value) for value in board.judge.outlook] == foreseen
        assert sums(board) == sums(patterned(state.on(board.copy()), weights))
    while trail:
        board.undo()
        assert sums(board) == trail.pop()


@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 3)])
def test_mirrored_positions_are_worth_the_same(width: int, height: int) -> None:
    state: Any = game("barons").start({"width": width, "height": height}, 2)
    weights = random_weights(state)
    one, other, dice = patterned(state, weights), patterned(state, weights), Dice(9)
    while one.legal():
        move = one.random_move(dice)
        one.apply(move)
        other.apply((width - 1 - move // height) * height + move % height)
        assert sums(one) == sums(other)


@pytest.mark.parametrize(
    ("key", "width", "height", "seats"),
    [pytest.param(*table, marks=() if table == ("barons", 4, 3, 3) else pytest.mark.slow) for table in DIGESTS],
)
def test_one_seed_and_one_number_of_games_give_one_file(key: str, width: int, height: int, seats: int) -> None:
    training = Training(key, {"width": width, "height": height}, seats, seed=7)
    for games in (300,) if width == height else (120, 1, 179):  # in one run, and in three
        training.go_on(games)
        training = Training.read(training.written(), "x.part")
    found = training.evaluation()
    assert (found.games, found.digest) == (300, DIGESTS[key, width, height, seats])
    assert read(written(found), "x") == found
    assert found.digest == hashlib.sha256(written(found)).hexdigest()


def test_a_comparison_changes_no_training() -> None:
    training = Training("barons", {"width": 3, "height": 2}, 2, seed=1)
    training.go_on(10)
    before, comparison = training.written(), Comparison(training)
    while not comparison.text:
        comparison.go_on()
    assert training.written() == before and 0 <= int(comparison.text.partition(" ± ")[0]) <= 100


def test_a_game_without_a_sheet_is_refused() -> None:
    assert learnable() == ("dollar-draw", "barons")
    for key in set(keys()) - set(learnable()):
        with pytest.raises(RulesError, match="can't be learned: that takes moves of one step"):
            Training(key, seed=1)
    with pytest.raises(RulesError, match="Take a smaller board"):
        Training("barons", {"width": 26, "height": 4}, 2, seed=1)
    with pytest.raises(RulesError, match="take a larger board"):
        Training("dollar-draw", {"width": 2, "height": 2}, 2, seed=1)
    with pytest.raises(RulesError, match="the seed of a training"):
        Training("barons", seed=-1)


@pytest.mark.parametrize("seats", [2, 3])
def test_with_three_seats_a_random_game_is_half_of_the_value_at_the_edge(seats: int) -> None:
    state = game("barons").start({"width": 5, "height": 5}, seats)
    board = patterned(state, random_weights(state))
    tree = Tree(board, Dice(4), 0, 50, True)
    for _ in range(20):
        tree.search(1)
        edge = board.copy()
        for place in tree.path:  # of the last trial, down to a place without moves
            edge.apply(int(tree.move[place]))
            if tree.block[place] <= 0:
                break
        assert tree.trial.ended == (seats == 3)
        for seat in range(seats):
            value = edge.estimate(seat)
            expected = (value + tree.trial.gain(seat)) // 2 if seats == 3 else value
            assert tree.payoffs[seat] == expected
