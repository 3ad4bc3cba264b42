"""The learned evaluation of Coin Isolation: turns to squares, whole turns, trainings."""

from typing import Any

import pytest

from quadrille.ai.strength import Comparison
from quadrille.rules.arrays import array
from quadrille.rules.boards._coin.terms import NONE, STAGE, TURN
from quadrille.rules.boards.coin_isolation import CoinBoard, area, nearness
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import settle
from quadrille.rules.dice import Dice
from quadrille.rules.learned.evaluation import patterned, weights_of
from quadrille.rules.learned.training import Training
from quadrille.rules.registry import game

GAME = game("coin-isolation")
SMALL = {"layout": "npdp/pddn/ppqp/nppd"}
VARIANTS: tuple[tuple[dict[str, Any], int], ...] = (
    (SMALL, 2),
    (SMALL, 4),
    ({**SMALL, "take": "semi-greedy", "mixed_change": True, "standing_still": True}, 2),
    ({**SMALL, "collect": "transplant-after", "adjacency": "diagonal"}, 3),
    ({**SMALL, "renegade": True, "collect": "cleanup"}, 3),
)


def started(options: dict[str, Any], seats: int) -> Any:
    return settle(GAME.start(options, seats), SeedDealer("1"))


def patterned_at_random(state: Any) -> Any:
    dice = Dice(5)
    return patterned(state, array([dice.below(1 << 20) - (1 << 19) for _ in range(weights_of(state))]))


def looked(board: Any) -> list[int]:
    board.look()
    return [int(value) for value in board.patterns.outlook]


def turns_by_playing(state: Any, seat: int) -> dict[int, int]:
    """The fewest turns to each square, by walking every path of every turn with all coins left where they lie."""
    found: dict[int, int] = {}
    edge, turn = [None], 0
    while edge:
        turn, before, edge = turn + 1, edge, []
        for pawn in before:
            board = state.board.copy()
            board.turn = seat
            if pawn is not None:
                board.at[board.pawn + seat] = pawn
            for path in walked(board, ()):
                if path[-1] not in found:
                    found[path[-1]] = turn
                    edge.append(path[-1])
    return found


def walked(board: Any, path: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All paths that begin like this, by the steps of the board alone."""
    found = [path] if path else []
    for step in board.listed():
        if step < board.first:
            trial = board.copy()
            trial.apply(step)
            found += walked(trial, (*path, step))
    return found


@pytest.mark.parametrize("options", [SMALL, {**SMALL, "adjacency": "diagonal"}, {**SMALL, "mixed_change": True}])
def test_turns_to_squares_are_those_of_the_paths(options: dict[str, Any]) -> None:
    state, dice = started(options, 2), Dice(3)
    for _ in range(9):
        if state.board.ended or state.board.at[state.board.side] == NONE:
            state = state.on(moved(state.board, dice))
            continue
        board = state.board.copy()
        for seat in range(2):
            board.find_turns(seat)
            cells = board.terms.cells
            found = {q: int(board.turns[seat * cells + q]) for q in range(cells) if board.turns[seat * cells + q]}
            assert found == turns_by_playing(state, seat)
            assert board.areas[seat] == len(found)
        state = state.on(moved(state.board, dice))


def moved(board: CoinBoard, dice: Dice) -> CoinBoard:
    """The board after a random turn."""
    trial = board.copy()
    while trial.plies == board.plies and not trial.ended:
        trial.apply(trial.random_move(dice))
    return trial


def test_kinds_of_distances_and_areas() -> None:
    assert [nearness(turns) for turns in range(9)] == [6, 0, 1, 2, 3, 4, 4, 5, 5]
    assert [area(squares) for squares in (0, 3, 4, 5, 6, 9, 10, 15, 16, 27, 28, 99)] == [
        0, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8,
    ]  # fmt: skip


@pytest.mark.parametrize(("options", "seats"), VARIANTS)
def test_a_look_only_looks(options: dict[str, Any], seats: int) -> None:
    """It is that of a board made anew, also back through a game, and no step of an unfinished turn is lost."""
    state = started(options, seats)
    board, dice, seen = patterned_at_random(state), Dice(3), []
    while count := board.legal():
        listed = list(board.moves[:count])
        seen.append((board.key(), looked(board)))
        assert list(board.moves[:count]) == listed and board.key() == seen[-1][0]
        assert looked(patterned_at_random(state.on(board.copy()))) == seen[-1][1]
        board.apply(listed[dice.below(count)])
    while seen:
        board.undo()
        assert (board.key(), looked(board)) == seen.pop()


@pytest.mark.parametrize(("options", "seats"), VARIANTS)
def test_the_foremost_turn_is_whole_and_none_is_better(options: dict[str, Any], seats: int) -> None:
    """Where a turn is a path alone no other turn has a larger lead; everywhere its steps make one turn."""
    state = started(options, seats)
    board, dice = patterned_at_random(state), Dice(8)
    while board.legal():
        seat, plies, before = board.turn, board.plies, board.key()
        turn = list(board.foremost())
        assert board.key() == before
        leads = {}
        if set(options) == {"layout"} and board.at[STAGE] == TURN:
            for move in state.on(board.copy()).moves:
                leads[str(move)] = lead_after(board, state.on(board.copy()).steps(move), seat)
        highest = lead_after(board, turn, seat)
        assert not leads or highest == max(leads.values())
        for number, step in enumerate(turn):
            assert board.plies == plies, number
            assert step in list(board.listed())
            board.apply(step)
        assert board.plies == plies + 1
        if dice.below(2) and board.legal():
            board.become(moved(board, dice))


def lead_after(board: Any, steps: list[int], seat: int) -> int:
    for step in steps:
        board.apply(step)
    board.look()
    lead = int(board.patterns.lead(seat))
    for _ in steps:
        board.undo()
    return lead


@pytest.mark.parametrize(("options", "seats"), VARIANTS)
def test_every_table_can_be_learned(options: dict[str, Any], seats: int) -> None:
    training = Training("coin-isolation", options, seats, seed=3)
    training.go_on(4)
    assert training.games == 4 and any(training.evaluation().weights)


@pytest.mark.slow
def test_one_seed_and_one_number_of_games_give_one_file() -> None:
    training = Training("coin-isolation", SMALL, 2, seed=7)
    for games in (31, 1, 28):
        training.go_on(games)
        training = Training.read(training.written(), "x.part")
    digest = "fb5857320fa9a43d7ed872e388c958b73a7ef48106d804af935d57f377975cfa"
    assert (training.games, training.evaluation().digest) == (60, digest)


@pytest.mark.slow
def test_weights_do_not_run_away() -> None:
    """Many squares share a weight: divided by the number of windows alone, errors grew without bound."""
    training = Training("coin-isolation", SMALL, 2, seed=1)
    training.go_on(150)
    assert max(abs(weight) for weight in training.evaluation().weights) < 60 << 16


@pytest.mark.slow
def test_a_comparison_deals_first() -> None:
    comparison = Comparison(Training("coin-isolation", {"idle_rounds": 1}, 2, seed=1))
    for _ in range(4):
        comparison.go_on()
    assert comparison.share is None
