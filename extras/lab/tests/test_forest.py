"""A forest of trees with somebody else's evaluator."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from extras.lab.tests.naive_puct import NaiveTree
from quadrille.extras.lab.actions import Steps
from quadrille.extras.lab.batch import Batch
from quadrille.extras.lab.forest import Forest
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import settle
from quadrille.rules.dice import Dice
from quadrille.rules.errors import GameOver, RulesError
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from tests.documents import blocks, chapter

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


def begun(name: str, moves: int = 0, seed: int = 1) -> Position:
    """Return a position at which a seat is to move, so many random moves after the start."""
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
    """Prefer no move, and no seat."""
    return mask, 0.0 * seats


class Watched:
    """The same judge, which keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, Any, Any]] = []

    def __call__(self, observations: Any, mask: Any, seats: Any) -> tuple[Any, Any]:
        self.asked.append((observations, mask, seats))
        return judge(observations, mask, seats)


def grown(evaluator: Any, positions: Sequence[Any], *simulations: int, seed: int = 1, **more: Any) -> Forest:
    """Return trees after so many simulations."""
    forest = Forest(evaluator, positions, seed=seed, **more)
    for number in simulations:
        forest.go_on(number)
    return forest


def picture(forest: Forest) -> list[Any]:
    return [(found.moves, found.visits, found.values, found.proved) for found in forest.found]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "leaves"),
    [
        ("barons", 1), ("barons of three", 4), ("maze", 4), ("dollar-draw", 4), ("coins of three", 1), ("coins", 4),
        ("dotter", 4), ("dotter of three", 1),
    ],
)  # fmt: skip
def test_a_tree_is_that_of_a_naive_puct_move_by_move(name: str, leaves: int) -> None:
    """Visits, averages and proofs of all moves along a game, with what is kept from one position to the next."""
    position = begun(name, 3)
    steps, dice = Steps(position.state), Dice(5)
    forest = Forest(judge, [position], seed=5, leaves=leaves)
    naive, kept = None, False
    for ply in range(6):
        board = position.known(position.board.turn)
        if naive is None or not kept:
            naive = NaiveTree(board, dice, judge, steps, wander=140, leaves=leaves)
        forest.go_on(60)
        naive.search(60)
        found, children = forest.found[0], naive.top.children
        told = zip(found.moves, found.visits, found.proved, strict=True)
        assert sorted(told) == sorted((move, node.visits, naive.proof(node)) for move, node in children.items())
        averages = [(1_000_000 * ((n.total << 10) // n.visits)) >> 20 if n.visits else 0 for n in children.values()]
        assert found.values == averages
        made = [found.move]
        position.apply_quickly(found.move)
        while position.chance:
            made.append(position.random_move(Dice(ply)))
            position.apply_quickly(made[-1])
        if position.over:
            break
        kept = not position.hidden and naive.follow(made)
        assert forest.follow([position]) == [kept]
    assert kept or position.hidden or position.over


@pytest.mark.first(1)
@pytest.mark.parametrize("name", TABLES)
def test_trees_together_are_each_tree_alone(name: str) -> None:
    """The same seeds; games at different stages; some rounds that go on later."""
    positions = [begun(name, moves, seed=moves + 1) for moves in (0, 1, 4)]
    together, again = (grown(judge, positions, 20, 15, seed=11, leaves=3, noise=25) for _ in range(2))
    alone = [grown(judge, [one], 20, 15, seed=11 + at, leaves=3, noise=25) for at, one in enumerate(positions)]
    assert picture(together) == [picture(forest)[0] for forest in alone] == picture(again)
    assert np.array_equal(again.visits, together.visits) and np.array_equal(again.values, together.values)


@pytest.mark.first(1)
@pytest.mark.parametrize("name", [*TABLES, "coins, many"])
def test_the_evaluator_sees_what_a_batch_shows(name: str) -> None:
    """The same array, wherever a turn begins; numbers above 255, too."""
    key, options, seats = TABLES.get(name, ("coin-isolation", {"idle_rounds": 100}, 3))
    batch = Batch(key, options, seats, games=8, seed=3)
    begun = 0
    for _ in range(12):
        batch.step(batch.sample())
        states = [batch.state(game) for game in range(8)]
        steps = [(np.flatnonzero(batch.mask[game]), sorted(state.next_steps([]))) for game, state in enumerate(states)]
        if any(len(here) != len(first) or (key == "dotter" and [*here] != first) for here, first in steps):
            continue  # a turn of Dotter is in the making
        begun += 1
        grown(watched := Watched(), states, 1)
        for here, there in zip(watched.asked[0], (batch.observations, batch.mask, batch.seat), strict=True):
            assert np.array_equal(here, there)
        assert watched.asked[0][0].dtype == batch.observations.dtype
    assert begun


def test_all_trees_ask_together() -> None:
    """One call a round; with several leaves a tree, fewer rounds."""
    positions = [begun("barons", moves) for moves in (0, 1, 2, 3)]
    one, five = Watched(), Watched()
    grown(one, positions, 30)
    grown(five, positions, 30, leaves=5)
    for observations, mask, seats in one.asked + five.asked:
        assert observations.shape == (len(seats), 7, 4, 3) and mask.shape == (len(seats), 12)
        assert observations.dtype == mask.dtype == np.uint8
    assert [len(seats) for _, _, seats in one.asked] == [4] * 30
    calls = [len(seats) for _, _, seats in five.asked]
    assert calls[0] == 4 and max(calls) == 20 and sum(calls) <= 120 and len(calls) < 12


def test_visits_are_counted_by_action() -> None:
    positions = [begun("dollar-draw", moves) for moves in (0, 3)]
    forest = grown(judge, positions, 50, seed=2)
    numbers = list(positions[0].state.step_numbers)
    for position, found, visits, action in zip(positions, forest.found, forest.visits, forest.actions, strict=True):
        assert {numbers[action]: n for action, n in enumerate(visits) if n} == {
            move: n for move, n in zip(found.moves, found.visits, strict=True) if n
        }
        assert sum(visits) == 49 and numbers[action] == found.move in position.moves()
    assert np.array_equal(forest.actions, forest.visits.argmax(axis=1))


def test_with_a_face_to_draw_a_turn_of_several_actions_counts_for_its_first() -> None:
    position = begun("dotter", 8)
    forest = grown(level, [position], 40, seed=2)
    found, visits = forest.found[0], forest.visits[0]
    firsts = [position.state.steps(position.move([move])) for move in found.moves]
    for action, number in enumerate(position.state.step_numbers):
        of_it = [n for steps, n in zip(firsts, found.visits, strict=True) if steps[0] == number]
        assert visits[action] == sum(of_it)
    assert sum(visits) == 39


def test_priors_lead_the_search() -> None:
    """All weight on one move: the others are not tried while nothing is known of them."""

    def one_sided(observations: Any, mask: Any, seats: Any) -> tuple[Any, Any]:
        priors = np.where(np.arange(mask.shape[1]) == 5, 1.0, 0.0) + 1e-9 * mask
        return priors, np.zeros(len(seats))

    forest = grown(one_sided, [begun("barons")], 20)
    assert forest.actions.tolist() == [5] and forest.visits[0, 5] == 19


def test_values_may_be_given_for_each_seat() -> None:
    """For two the second follows from the first; for three all three can differ."""

    def both(observations: Any, mask: Any, seats: Any) -> tuple[Any, Any]:
        priors, values = judge(observations, mask, seats)
        return priors, np.column_stack([values, -values])

    def third(observations: Any, mask: Any, seats: Any) -> tuple[Any, Any]:
        """Seat 2 has all, whoever is to move: values begin with the mover's."""
        columns = (seats[:, None] + np.arange(3)) % 3
        return mask, np.where(columns == 2, 1.0, -0.5)

    one, other = (picture(grown(judged, [begun("maze")], 60, seed=3, leaves=2)) for judged in (judge, both))
    assert one == other
    position = begun("barons of three")
    for seat in range(3):
        forest = grown(third, [position], 10, seed=3)
        assert forest.values.tolist() == [1_000_000 if seat == 2 else -500_000]
        position.apply_quickly(position.moves()[0])


@pytest.mark.parametrize("size", [2, 3])
def test_a_tree_with_a_proven_win_plays_it(size: int) -> None:
    """ "With perfect play seat 0 wins sizes 2, 3": an evaluator that fears the winning move can't hide it."""

    def afraid(observations: Any, mask: Any, seats: Any) -> tuple[Any, Any]:
        return mask, np.where(seats == 0, -1.0, 1.0)

    position = Position.start("maze", {"size": size})
    forest = Forest(afraid, [position], seed=1, leaves=2)
    while not position.over:
        if position.seat == 0:
            assert not forest.go_on(3000)
            assert forest.found[0].certain == 1 and forest.values.tolist() == [1_000_000]
            assert forest.found[0].proved[forest.found[0].moves.index(forest.found[0].move)] == 1
            position.apply(forest.found[0].move)
        else:
            position.apply(position.random_move(Dice(7)))
        if not position.over:
            assert forest.follow([position]) == [True] or position.seat == 0
    assert position.payoffs() == [1, -1]


def test_cards_that_the_seat_has_not_seen_reach_no_evaluator() -> None:
    """From two wholes that look the same to the seat, the evaluator is asked the same."""
    position = begun("dotter", 45)
    seat = position.board.turn
    wholes = [position.guess(seat, seed=at) for at in range(2)]
    assert list(wholes[0].board.faces) != list(wholes[1].board.faces)  # type: ignore[attr-defined]
    one, other = Watched(), Watched()
    forests = grown(one, wholes[:1], 60, seed=3, leaves=2), grown(other, wholes[1:], 60, seed=3, leaves=2)
    assert picture(forests[0]) == picture(forests[1])
    for here, there in zip(one.asked, other.asked, strict=True):
        assert all(map(np.array_equal, here, there))


@pytest.mark.slow
def test_noise_moves_the_priors_of_the_first_position_only() -> None:
    """Each seed has its own, all shares add up to one, and on the average no move is favoured."""
    position = begun("barons")
    plain, noisy = grown(level, [position], 2), grown(level, [position] * 400, 2, noise=100)
    shares = np.array([list(tree.prior[1:13]) for tree in noisy.trees]) / (1 << 20)
    assert len(np.unique(shares, axis=0)) == 400
    assert np.allclose(shares.sum(axis=1), 1, atol=1e-4)
    # Dirichlet's distribution with 10 in all, over 12 moves: mean 1 / 12, variance (1/12) (11/12) / 11
    assert np.allclose(shares.mean(axis=0), 1 / 12, atol=0.02)
    assert np.allclose(shares.var(axis=0).mean(), 1 / 12 / 12, rtol=0.1)
    below = [list(tree.prior[13:24]) for tree in (*noisy.trees, *plain.trees)]
    assert all(max(row) - min(row) <= 1 for row in below)
    assert max(plain.trees[0].prior[1:13]) == min(plain.trees[0].prior[1:13])


WRONG: list[tuple[Callable[[Any, Any, Any], Any], str]] = [
    (lambda o, m, s: None, "two arrays, priors and values, not nothing"),
    (lambda o, m, s: (m[:, :-1], 0.0 * s), r"priors of shape \(1, 11\): for these positions it is \(1, 12\)"),
    (lambda o, m, s: (m, 0.0), r"values of shape \(\): for these positions it is \(1,\) or \(1, 2\)"),
    (lambda o, m, s: (m, np.zeros((1, 3))), r"values of shape \(1, 3\)"),
    (lambda o, m, s: (m, ["much"]), "values are no array of numbers"),
    (lambda o, m, s: (m * np.nan, 0.0 * s), "position 0 of 1 the prior nan for action 0"),
    (lambda o, m, s: (m - 2.0, 0.0 * s), "the prior -1.0 for action 0: .* as after softmax"),
    (lambda o, m, s: (1.0 - m, 0.0 * s), "all legal actions of position 0 of 1 the prior 0"),
    (lambda o, m, s: (m, s + 1.5), "position 0 of 1 the value 1.5: values are from -1"),
    (lambda o, m, s: (m, s * np.nan), "the value nan"),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG)
def test_a_wrong_answer_is_told_and_the_trees_go_on_as_if_it_had_not_been(wrong: Any, said: str) -> None:
    forest = Forest(wrong, [begun("barons")], seed=1)
    with pytest.raises(RulesError, match=said):
        forest.go_on(10)
    forest.evaluator = judge
    forest.go_on(40)
    assert picture(forest) == picture(grown(judge, [begun("barons")], 40))


def test_an_evaluator_that_fails_in_the_middle_leaves_whole_trees() -> None:
    """Its own error comes through; losses that were counted ahead are taken back."""
    positions = [begun("barons of three", moves) for moves in (0, 2)]
    forest = grown(judge, positions, 30, leaves=4)
    before = picture(forest)

    def broken(observations: Any, mask: Any, seats: Any) -> Any:
        raise ZeroDivisionError("a network's own fault")

    forest.evaluator = broken
    with pytest.raises(ZeroDivisionError, match="own fault"):
        forest.go_on(10)
    assert picture(forest) == before
    forest.evaluator = judge
    forest.go_on(10)
    assert [sum(found.visits) for found in forest.found] == [39, 39]


def test_what_can_be_no_forest_is_refused() -> None:
    barons, maze = begun("barons"), begun("maze")
    over = Position.start("maze", {"size": 2}, moves=["a2-a1", "a1-b1", "b1-b2"])
    with pytest.raises(RulesError, match="one position or more"):
        Forest(judge, [], seed=1)
    with pytest.raises(RulesError, match="position 1 is of another game"):
        Forest(judge, [barons, maze], seed=1)
    with pytest.raises(GameOver, match="position 0: a face is owed, or the game is over"):
        Forest(judge, [over], seed=1)
    for given in ({"leaves": 0}, {"wander": 1001}, {"noise": 101}, {"noise": True}):
        with pytest.raises(RulesError, match="a number from 1 to"):
            Forest(judge, [maze], seed=1, **given)
    forest = Forest(judge, [maze], seed=1)
    with pytest.raises(RulesError, match="no result yet"):
        _ = forest.visits
    with pytest.raises(RulesError, match="simulations: a number from 1 to"):
        forest.go_on(1 << 21)
    with pytest.raises(RulesError, match="1 trees follow 1 positions, not 2"):
        forest.follow([maze, maze])


def test_the_example_in_the_protocols_runs_and_gives_what_it_says() -> None:
    names: dict[str, Any] = {}
    exec(blocks("python", chapter("evaluators"))[0], names)
    forest = names["forest"]
    assert forest.visits.shape == (8, 16) and "(8, 16)" in blocks("python", chapter("evaluators"))[0]
    assert all(position.seat == 1 for position in names["positions"])
    assert all(tree.visits[tree.top] > 1 for tree in forest.trees)
