"""The reason of a move: what is proved, the only reply, the window that tells it from another; if that is true."""

from collections.abc import Iterator
from typing import Any

import pytest

from quadrille.rules.arrays import filled
from quadrille.rules.board import Board
from quadrille.rules.core import State
from quadrille.rules.core.reasons import HalfTurnAnswer, OnlyReply, ProvedResult, Reason, Worth, read_reason
from quadrille.rules.learned.evaluation import Evaluation, weights_of
from quadrille.rules.learned.reasons import worth
from quadrille.rules.patterns.sums import POINT
from quadrille.rules.registry import game
from quadrille.rules.search import Position, Proof, TreeSearch
from quadrille.rules.search.reasons import best_of_others, only_reply, proved_result, turns_to_win
from quadrille.rules.search.results import Solved

FOUR = {"width": 4, "height": 4}


def after(key: str, moves: str, seats: int = 2, **options: int) -> State[Any, Any]:
    state: State[Any, Any] = game(key).start(options, seats)
    for move in moves.split():
        state = state.play(state.game.parse(move, state))
    return state


class Weighed:
    """Barons on 4 x 4 squares, first seat to move, with weights that a test gives to windows after a move."""

    def __init__(self, seats: int = 2) -> None:
        self.state = after("barons", "", seats, **FOUR)
        self.evaluation = Evaluation("barons", self.state.options, seats, 1, 1, filled(weights_of(self.state), 0))

    def give(self, move: str, seat: int, window: int, points: int) -> None:
        """Give the contents of a window after a move that worth for a seat."""
        state = self.state
        patterns = self.evaluation.board(state.play(state.game.parse(move, state))).patterns
        assert patterns is not None
        number = patterns.numbers[seat * patterns.windows + window]
        assert number, "a window that shows nothing has no weight"
        self.evaluation.weights[patterns.slots[patterns.starts[window] + number]] = points * POINT

    def worth(self, move: str, other: str) -> Worth | None:
        parse = self.state.game.parse
        return worth(self.evaluation, self.state, parse(move, self.state), parse(other, self.state))


#: Windows of that board, in the order in which they are made: four of 3 x 3 squares, four rows, four columns.
ROW_2 = 5
SQUARES = ("a2", "b2", "c2", "d2")


def test_the_window_with_the_whole_difference_is_the_reason() -> None:
    weighed = Weighed()
    weighed.give("b2", 0, ROW_2, 3)
    assert weighed.worth("b2", "a1") == Worth(300, "point", 0, "a1", SQUARES)
    assert weighed.worth("a1", "b2") is None, "the evaluation does not prefer it"
    assert weighed.worth("b2", "c3") is None, "the mirror image is worth the same"


def test_a_window_of_an_opponent_counts_against_it() -> None:
    weighed = Weighed(3)
    weighed.give("b2", 2, ROW_2, -4)
    assert weighed.worth("b2", "a1") == Worth(-400, "point", 1, "a1", SQUARES)


def test_a_difference_of_less_than_half_a_point_is_no_reason() -> None:
    weighed = Weighed()
    weighed.give("b2", 0, ROW_2, 1)
    slots = [slot for slot, weight in enumerate(weighed.evaluation.weights) if weight]
    for weight, told in ((POINT // 2, True), (POINT // 2 - 1, False)):
        for slot in slots:
            weighed.evaluation.weights[slot] = weight
        assert (weighed.worth("b2", "a1") is not None) == told


@pytest.mark.parametrize(("against", "told"), [(0, True), (4, True), (5, False)])
def test_too_much_that_speaks_against_it_makes_it_no_reason(against: int, told: bool) -> None:
    """What is named is the whole difference within a factor of two: 8 points of 4 are, of 3 they are not."""
    weighed = Weighed()
    weighed.give("b2", 0, ROW_2, 8)
    weighed.give("a1", 0, 0, against)
    assert (weighed.worth("b2", "a1") is not None) == told


def test_much_beside_it_makes_it_no_reason() -> None:
    """Three windows are 3, 3 and 3 points: none of them is half of 9."""
    weighed = Weighed()
    for window in (0, 1, ROW_2):
        weighed.give("b2", 0, window, 3)
    found = weighed.worth("b2", "a1")
    assert found is None


def test_points_at_once_are_a_reason_without_squares() -> None:
    state = after("barons", "a1 d4", **FOUR)
    evaluation = Evaluation("barons", state.options, 2, 1, 1, filled(weights_of(state), 0))
    move, other = (state.game.parse(text, state) for text in ("a2", "c3"))
    assert worth(evaluation, state, move, other) == Worth(200, "point", 0, "c3")


def contents(board: Board) -> set[int]:
    """The places of all weights that a board adds up for the first seat."""
    patterns = board.patterns
    assert patterns is not None
    return {patterns.slots[patterns.starts[w] + patterns.numbers[w]] for w in range(patterns.windows)}


@pytest.mark.parametrize(("points", "told"), [(20, (250, "dollar")), (7, (700, "square"))])
def test_dollar_draw_counts_in_dollars_and_squares(points: int, told: tuple[int, str]) -> None:
    state = after("dollar-draw", "b1 e4", width=5, height=5)
    evaluation = Evaluation("dollar-draw", state.options, 2, 1, 1, filled(weights_of(state), 0))
    move, other = (state.game.parse(text, state) for text in ("c1", "b2"))
    one, two = (contents(evaluation.board(state.play(played))) for played in (move, other))
    evaluation.weights[min(one - two)] = points * POINT
    found = worth(evaluation, state, move, other)
    assert found is not None and (found.hundredths, found.unit) == told
    assert len(found.squares) == 6


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


def test_the_number_of_turns_to_a_win_is_the_least() -> None:
    counted = []
    for position, move, value in walk(after("dollar-draw", "a2 c2 a3 c1", width=3, height=3)):
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
    assert len(counted) > 1 and counted[-1] == 1


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
