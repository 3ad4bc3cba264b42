"""The reason of a move: what is proved, and the only reply; if that is true."""

from collections.abc import Iterator
from typing import Any

import pytest

from quadrille.rules.core import State
from quadrille.rules.core.thoughts import HalfTurnAnswer, OnlyReply, ProvedResult, Reason, Worth, read_reason
from quadrille.rules.registry import game
from quadrille.rules.search import Position, Proof, TreeSearch, reasons
from quadrille.rules.search.reasons import best_of_others, only_reply, proved_result, turns_to_win
from quadrille.rules.search.results import Solved
from tests.rules.table import played

FOUR = {"width": 4, "height": 4}


def after(key: str, moves: str, seats: int = 2, **options: int) -> State[Any, Any]:
    state: State[Any, Any] = played(game(key), options, moves, seats)
    return state


# Proofs


def walk(state: State[Any, Any]) -> Iterator[tuple[Position, int, int]]:
    """Positions of a game with the best move and the proved result."""
    position = Position(state)
    while not position.over:
        found = proved(position)
        yield position, found.move, found.value
        position.apply_quickly(found.move)


def proved(position: Position) -> Solved:
    """What is proved of a position, from nothing."""
    proof = Proof(position, 1 << 12)
    proof.go_on(1_000_000)
    assert proof.found.certain
    return proof.found


def results(position: Position) -> dict[int, int]:
    """The result of every move for the mover, each by a proof of its own."""
    seat = position.seat
    found = {}
    for move in position.moves():
        position.apply(move)
        if position.over:
            found[move] = position.payoffs()[seat or 0]
        else:
            value = proved(position).value
            found[move] = value if position.seat == seat else -value
        position.undo()
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "moves", "options"),
    [
        ("maze", "a3-b3 b3-b2", {"size": 3}),
        ("barons", "a1 b2 c3", {"width": 3, "height": 3}),
        ("dollar-draw", "a2 c2 a3 c1", {"width": 3, "height": 3}),
    ],
)
def test_nothing_is_said_of_other_moves_that_is_not_so(key: str, moves: str, options: dict[str, int]) -> None:
    said = 0
    for position, move, _ in walk(after(key, moves, **options)):
        true = results(position)
        others = [result for other, result in true.items() if other != move]
        found = best_of_others(position, move, {})
        assert found in (None, max(others, default=None))
        assert best_of_others(position, move, true) == max(others, default=None)
        assert best_of_others(position, move, {}, Proof(position)) in (None, found, max(others, default=None))
        said += found is not None
    assert said


def won_within(position: Position, seat: int, turns: int) -> bool:
    """Whether a seat has won after so many turns at most, by trying everything."""
    if position.over:
        return position.payoffs()[seat] > 0
    if not turns:
        return False
    found = []
    for move in position.moves():
        position.apply(move)
        found.append(won_within(position, seat, turns - 1))
        position.undo()
    return any(found) if position.seat == seat else all(found)


@pytest.mark.parametrize(
    ("key", "moves", "options", "last"),
    [("dollar-draw", "a2 c2 a3 c1", {"width": 3, "height": 3}, 1), ("maze", "a3-b3 b3-b2", {"size": 3}, 2)],
)
def test_the_number_of_turns_to_a_win_is_the_least(key: str, moves: str, options: dict[str, int], last: int) -> None:
    """The last of them may be the other's."""
    counted = []
    for position, move, value in walk(after(key, moves, **options)):
        turns = turns_to_win(position, move) if value > 0 else None
        if turns is not None:
            seat = position.seat or 0
            position.apply(move)
            assert won_within(position, seat, turns - 1)
            assert turns == 1 or not won_within(position, seat, turns - 2)
            position.undo()
            counted.append(turns)
            assert proved_result(position, move, 1, {}).turns == turns
            assert proved_result(position, move, 0, {}).turns is None
    assert len(counted) > 1 and counted[-1] == last


def test_a_win_is_told_only_while_positions_are_left_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    position, move, _ = next(walk(after("dollar-draw", "a2 c2 a3 c1", width=3, height=3)))
    told = []
    for most in range(105, 121):
        monkeypatch.setattr(reasons, "TO_WIN", most)
        told.append(turns_to_win(position, move))
    assert told == [None] * 10 + [11] * 6


def test_a_far_win_is_not_counted_out() -> None:
    """The game has 16 turns: nobody waits until all of them are tried."""
    state = after("barons", "", **FOUR)
    assert turns_to_win(Position(state), 0) is None


def test_the_only_reply() -> None:
    """The tree knows that all other replies lose: so does a proof of each."""
    moves = "b1 d5 c1 c5 c2 c4 b2 c3 a2 c2 a3 b2 b3 a2 b4"
    position = Position(after("dollar-draw", moves, width=5, height=5))
    search = TreeSearch(position, 5)
    search.go_on(1000)
    [move] = search.turn()
    assert only_reply(search, position, move) == OnlyReply("c4")
    position.apply(move)
    losing = {position.text(reply) for reply, result in results(position).items() if result < 0}
    others = {position.text(reply) for reply in position.moves()} - {"c4"}
    assert len(others) > 1 and others <= losing


def test_no_reply_is_the_only_one_before_all_were_tried() -> None:
    position = Position(after("dollar-draw", "b1 e4", width=5, height=5))
    search = TreeSearch(position, 5)
    search.go_on(2)
    assert [only_reply(search, position, move) for move in position.moves()] == [None] * len(position.moves())


# In an answer

REASONS = (
    ProvedResult(1, -1, 7),
    ProvedResult(0),
    HalfTurnAnswer(1),
    OnlyReply("d4"),
    Worth(-180, "dollar", 1, "d5", ("a1", "b1")),
    Worth(200, "point", 0, "c3"),
)


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: type(reason).__name__)
def test_a_reason_is_read_as_it_was_written(reason: Reason) -> None:
    assert read_reason(reason.data(), 2) == reason


@pytest.mark.parametrize(
    "said",
    [
        None, 3, "it wins", [], {}, {"proved": True}, {"proved": 2}, {"proved": 1.0}, {"proved": 1, "turns": 0},
        {"proved": 1, "turns": 10**9}, {"proved": 1, "others": "none"}, {"half_turn": None}, {"only": ""},
        {"only": "x" * 41}, {"only": "a\n"}, {"only": "\x1b[2J"}, {"only": "\u202e"}, {"only": 3},
        {"worth": 1.5, "unit": "point", "seat": 0, "than": "a1"},
        {"worth": 1, "unit": "point", "seat": 2, "than": "a1"},
        {"worth": 10**10, "unit": "point", "seat": 0, "than": "a1"}, {"worth": 1, "unit": "", "seat": 0, "than": "a1"},
        {"worth": 1, "unit": "point", "seat": 0}, {"worth": 1, "unit": "point", "seat": -1, "than": "a1"},
        {"worth": 1, "unit": "point", "seat": 0, "than": "a1", "squares": "a1"},
        {"worth": 1, "unit": "point", "seat": 0, "than": "a1", "squares": ["a1"] * 101},
        {"worth": 1, "unit": "point", "seat": 0, "than": "a1", "squares": [1]},
        {"worth": float("nan"), "unit": "point", "seat": 0, "than": "a1"},
    ],
)  # fmt: skip
def test_anything_else_is_no_reason(said: object) -> None:
    assert read_reason(said, 2) is None
