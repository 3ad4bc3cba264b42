"""The window that tells a move from another by learned weights, and hints that name it; if that is true."""

from typing import Any

import pytest

from quadrille import game
from quadrille.ai.opponents import opponent, reasons
from quadrille.extras.lab.engine.sums import POINT, Patterns
from quadrille.extras.lab.learned.evaluation import Evaluation, LearningTerms, patterns_on, weights_of
from quadrille.extras.lab.learned.reasons import worth
from quadrille.extras.lab.opponents import evaluation_for
from quadrille.rules.arrays import filled
from quadrille.rules.core import State
from quadrille.rules.core.thoughts import Worth
from tests.ai.opponents.test_opponents import hinted
from tests.rules.test_reasons import FOUR, after

NINE = {"width": 9, "height": 9}
ROW_5 = "a5 a1 b5 c1 c5 e1 d5 g1 e5 i1 f5 a9 g5 c9 h5"


class Weighed:
    """A position, at first that of Barons on 4 x 4 squares, with weights that a test gives to windows after a move."""

    def __init__(self, state: State[Any, Any] | None = None) -> None:
        self.state = state or game("barons").start(FOUR, 2)
        terms = LearningTerms(self.state, 1)
        self.evaluation = Evaluation(terms, 1, filled(weights_of(self.state), 0))

    def patterns(self, move: str) -> Patterns:
        state = self.state
        return patterns_on(self.evaluation.board(state.play(state.game.parse(move, state))))

    def give(self, move: str, seat: int, window: int, points: int) -> None:
        """Give the contents of a window after a move that worth for a seat."""
        patterns = self.patterns(move)
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
    weighed = Weighed(game("barons").start(FOUR, 3))
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
    assert weighed.worth("b2", "a1") is None


def test_points_at_once_are_a_reason_without_squares() -> None:
    assert Weighed(after("barons", "a1 d4", **FOUR)).worth("a2", "c3") == Worth(200, "point", 0, "c3")


@pytest.mark.parametrize(("points", "told"), [(20, (250, "dollar")), (7, (700, "square"))])
def test_dollar_draw_counts_in_dollars_and_squares(points: int, told: tuple[int, str]) -> None:
    weighed = Weighed(after("dollar-draw", "b1 e4", width=5, height=5))
    one, two = (  # the places of all weights that are added up for the first seat
        {there.slots[there.starts[w] + there.numbers[w]] for w in range(there.windows)}
        for there in map(weighed.patterns, ("c1", "b2"))
    )
    weighed.evaluation.weights[min(one - two)] = points * POINT
    found = weighed.worth("c1", "b2")
    assert found is not None and (found.hundredths, found.unit) == told
    assert len(found.squares) == 6


# Hints


def test_the_row_that_is_nearly_full_is_the_reason_to_end_it() -> None:
    """Eight squares of row 5 are the first seat's: that tells i5 from other moves, by any weights of some worth."""
    state = after("barons", ROW_5, **NINE)
    evaluation, parse = evaluation_for(state), state.game.parse
    assert evaluation is not None
    found = [worth(evaluation, state, parse("i5", state), move) for move in state.moves if str(move) != "i5"]
    rows = [one for one in found if one is not None and one.squares == tuple(f"{column}5" for column in "abcdefghi")]
    assert rows and all(one.seat == 0 and one.hundredths < 0 for one in rows)


@pytest.mark.parametrize(
    ("level", "engine", "tells"),
    [
        ("3", "compiled", True),
        pytest.param("3", "plain", False, marks=pytest.mark.slow),
        pytest.param("6", "plain", True, marks=pytest.mark.slow),
    ],
)
def test_any_level_explains_its_moves_by_what_was_learned(
    level: str, engine: str, tells: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless nobody has read the weights yet, and that would take a person half a second."""
    monkeypatch.setattr(reasons, "engine", lambda: engine)
    told, bot, state = [], opponent(level), game("barons").start({"width": 10, "height": 10}, 3)
    bot.starts(state, 0)
    for _ in range(60):
        move, reason = hinted(bot, state, 60)
        told += [reason] if reason else []
        state = state.play(state.game.parse(move, state))
    assert bool(told) == tells and all("worth" in reason and reason["than"] for reason in told)
