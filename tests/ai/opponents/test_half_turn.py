"""The answer turned by 180 degrees: proved where it is used, refused elsewhere, and known to the house from level 4."""

from collections.abc import Iterator
from typing import Any

import pytest

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.opponents import opponent
from quadrille.rules.board import Board
from quadrille.rules.core import Over
from quadrille.rules.dice import Dice
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from tests.ai.opponents.test_opponents import dice

#: Tables where the answer holds: game, options, the seat that has it, its least payoff.
HOLDS: tuple[tuple[str, dict[str, Any], int, int], ...] = (
    ("dollar-draw", {"width": 2, "height": 3}, 1, 1),
    ("dollar-draw", {"width": 4, "height": 2}, 1, 1),
    ("dollar-draw", {"width": 3, "height": 4}, 1, 1),
    ("barons", {"width": 2, "height": 3, "horizontal": 3}, 1, 0),
    ("barons", {"width": 4, "height": 2, "horizontal": 0, "vertical": 5, "row_bonus": 0}, 1, 0),
    ("barons", {"width": 3, "height": 2, "end": "full", "column_bonus": 1000}, 1, 0),
    ("barons", {"width": 3, "height": 3, "end": "full"}, 0, 1),
    ("barons", {"width": 3, "height": 3, "end": "full", "horizontal": 0, "row_bonus": 0}, 0, 1),
    ("barons", {"width": 3, "height": 3, "end": "full", "horizontal": 0, "vertical": 0}, 0, 0),
)
#: Tables where it does not: nobody is ever told of one.
REFUSED: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("dollar-draw", {"width": 5, "height": 3}, 2),
    ("barons", {"width": 3, "height": 3}, 2),
    ("barons", {"width": 5, "height": 3, "end": "equal-turns"}, 2),
    ("barons", {"width": 4, "height": 4}, 4),
    ("maze", {"size": 4}, 2),
)


def named(row: object) -> str:
    return "-".join(map(str, row.values())) if isinstance(row, dict) else str(row)


def ends(board: Board, seat: int, seen: set[int]) -> Iterator[int]:
    """The payoffs of a seat that answers by the half turn, whatever the other seat does, at the end of every game."""
    if (key := board.key()) in seen:
        return
    seen.add(key)
    count = board.legal()
    if count == 0:
        yield board.payoff(seat)
        return
    moves = list(board.moves[:count])
    if board.turn == seat:
        moves = [board.half_turn()]
        assert moves[0] in board.moves[:count], "there is an answer, and it is legal"
    for move in moves:
        board.apply(move)
        yield from ends(board, seat, seen)
        board.undo()


@pytest.mark.first(1)
@pytest.mark.parametrize(("key", "options", "seat", "least"), HOLDS, ids=named)
def test_the_half_turn_holds_to_the_end_whatever_the_other_seat_plays(
    key: str, options: dict[str, Any], seat: int, least: int
) -> None:
    """Every game that there is, and the solver, which knows nothing of it, comes to the same."""
    position = Position.start(key, options, 2)
    payoffs = set(ends(position.board, seat, set()))
    assert payoffs and min(payoffs) == least
    value = position.prove(2_000_000)
    assert value.certain and (value.value if seat == 0 else -value.value) >= least


@pytest.mark.parametrize(("key", "options", "seats"), REFUSED, ids=named)
def test_the_half_turn_is_refused_where_it_proves_nothing(key: str, options: dict[str, Any], seats: int) -> None:
    for seed in range(20):
        position, row = Position.start(key, options, seats), Dice(seed + 1)
        while not position.over:
            assert position.half_turn() is None
            position.apply_quickly(position.random_move(row))


def test_who_has_left_the_turn_once_is_told_of_none() -> None:
    position = Position.start("dollar-draw", {"width": 4, "height": 4}, moves=["a2"])
    assert position.half_turn() is not None and position.text(position.half_turn().move) == "d3"  # type: ignore[union-attr]
    position = Position.start("dollar-draw", {"width": 4, "height": 4}, moves=["a2", "c4", "b2"])
    assert position.half_turn() is None
    assert Position.start("barons", {"width": 4, "height": 4}, 2, moves=["a1", "a2", "b3"]).half_turn() is None


def test_the_answer_may_be_the_first_of_all_moves() -> None:
    found = Position.start("barons", {"width": 4, "height": 4}, 2, moves=["d4"]).half_turn()
    assert found is not None and found.move == 0


def test_it_is_known_in_the_middle_of_a_game_that_came_there_by_other_moves() -> None:
    """What counts is the position: here S is to move, and the board would be its own image after the answer."""
    position = Position.start("barons", {"width": 4, "height": 4}, 2, moves=["a1", "d4", "b1", "c4", "a3"])
    found = position.half_turn()
    assert found is not None and position.text(found.move) == "d2" and found.payoff == 0


def played(
    key: str, options: dict[str, Any], *players: Bot, seed: int, budget: int = 5, work: int | None = None
) -> tuple[int, ...]:
    state: Any = game(key).start(options, len(players))
    own = [dice(f"{seed} {seat}") for seat in range(len(players))]
    while not isinstance(state.pending, Over):
        seat = state.board.turn
        state = state.play(players[seat].choose(state.view(seat), Clock(seat, None, 0, budget, work), own[seat]))
    return state.pending.places


@pytest.mark.parametrize("text", ["4", "alphabeta:5"])
@pytest.mark.parametrize("size", [(6, 6), (5, 4)])
def test_from_level_4_on_s_wins_every_dollar_draw_on_an_even_board(text: str, size: tuple[int, int]) -> None:
    options = {"width": size[0], "height": size[1]}
    for seed, other in enumerate(("random", "greedy", "mcts:1")):
        assert played("dollar-draw", options, opponent(other), opponent(text), seed=seed) == (2, 1)


def test_levels_below_4_have_to_find_it_themselves() -> None:
    position = Position.start("dollar-draw", {"width": 4, "height": 4}, moves=["a2"])
    assert {opponent(text).half_turn(position) for text in ("1", "3", "mcts:3", "alphabeta:3")} == {None}


@pytest.mark.slow
def test_second_in_barons_for_two_loses_nothing_to_a_bot_that_thinks_as_much() -> None:
    """By theorem it need not lose: what it plays instead of the answer has to look clearly better."""
    options = {"width": 4, "height": 4}
    both = opponent("mcts:4"), opponent("mcts:4")
    played_out = [played("barons", options, *both, seed=seed, budget=60_000, work=100) for seed in range(4)]
    assert played_out.count((1, 2)) <= 1


def test_first_in_barons_wins_where_the_last_square_is_played_on_an_odd_board() -> None:
    options = {"width": 5, "height": 5, "end": "full"}
    for seed, other in enumerate(("random", "mcts:2", "4")):
        assert played("barons", options, opponent("4"), opponent(other), seed=seed) == (1, 2)
