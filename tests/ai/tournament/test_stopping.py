"""When a match is decided: errors as seldom as they say."""

from collections.abc import Callable
from itertools import pairwise
from math import inf, log, nan

import numpy as np
import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.arrays import Array
from quadrille.ai.tournament.statistics.stopping import (
    ConfidenceSequence,
    Sprt,
    Wager,
    block_scores,
    score_of,
)
from quadrille.rules.chance import Stream
from tests.ai.tournament.simulated import Chance, elo_of


def test_scores_by_hand() -> None:
    first = [Result("", 0, (0, 1, 2), (1, 2, 3)), Result("", 0, (2, 0, 1), (1, 1, 3))]
    second = [Result("", 1, (1, 2, 3), (1, 2, 3))]
    assert block_scores([first, second], 0) == [(2 + 1.5) / 4]
    assert block_scores([first, second], 0, against=2) == [(1 + 0.5) / 2]
    assert block_scores([first, second], 1, against=2) == [0.5, 1.0]
    assert block_scores([first, second], 3) == [0.0]
    assert block_scores([second], 0) == []


def test_elo_and_scores() -> None:
    assert score_of(0) == 0.5
    assert score_of(400) == pytest.approx(10 / 11)
    assert elo_of(score_of(37)) == pytest.approx(37)
    assert (elo_of(0), elo_of(1)) == (-inf, inf)


def test_a_test_decides_once_and_for_all() -> None:
    test = Sprt(0, 50)
    assert test.enough == (pytest.approx(log(20)), pytest.approx(log(20)))
    scores = [0.75, 0.5, 1.0] * 200
    taken = [test.take(score) for score in scores]
    at = taken.index("stronger")
    assert taken == [None] * at + ["stronger"] * (len(scores) - at)
    assert test.blocks == at + 1
    assert test.take(0.0) == "stronger"
    assert test.blocks == at + 1
    level = Sprt(0, 50)
    assert [level.take(0.5) for _ in range(200)][-1] == "not stronger"


def test_a_sequence_decides_and_its_interval_goes_on() -> None:
    sequence = ConfidenceSequence()
    stream = Stream("sequence")
    intervals = []
    for _ in range(400):
        sequence.take((stream.randrange(3) + 2 * stream.randrange(2)) / 4)  # a mean of 1/2
        intervals.append((sequence.low, sequence.high))
    assert sequence.verdict is None
    assert all(low <= 0.5 <= high for low, high in intervals)
    assert all(one[0] <= other[0] and one[1] >= other[1] for one, other in pairwise(intervals))
    assert intervals[-1][1] - intervals[-1][0] < 0.25
    for score, verdict in ((0.75, "stronger"), (0.25, "weaker")):
        sequence = ConfidenceSequence()
        taken = [sequence.take(score) for _ in range(60)]
        assert (taken[0], taken[-1]) == (None, verdict)
        at = taken.index(verdict)  # type: ignore[arg-type]
        assert taken[at:] == [verdict] * (60 - at)
        assert sequence.low < score < sequence.high
        assert not sequence.low < 0.5 < sequence.high


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Sprt(5, 5), "a test needs a lower and a higher Elo, from -2000 to 2000: not 5 and 5"),
        (lambda: Sprt(0, inf), "a test needs a lower and a higher Elo, from -2000 to 2000: not 0 and inf"),
        (lambda: Sprt(nan, 5), "not nan and 5"),
        (lambda: Sprt(0, 5, alpha=0.7), "the chances of an error are above 0 and below 0.5: not 0.7 and 0.05"),
        (lambda: ConfidenceSequence(alpha=0), "between 0 and 1: not 0"),
    ],
)
def test_rules_that_make_no_sense_are_refused(make: Callable[[], object], why: str) -> None:
    with pytest.raises(TournamentError, match=why):
        make()


def decided(scores: Array, low: float, high: float, error: float = 0.05) -> tuple[float, float]:
    """How often a test between two scores takes either side, looking after every block: as Sprt does, all at once."""
    verdicts, wager = np.zeros(len(scores)), Wager([low, high], [high, low])
    for block in scores.T:
        wager.bet(block)
        above, below = (wager.winnings >= log(1 / error)).T
        verdicts = np.where(verdicts != 0, verdicts, np.where(above, 1, np.where(below, -1, 0)))
    return float((verdicts > 0).mean()), float((verdicts < 0).mean())


def left(scores: Array, error: float) -> float:
    """How often a sequence leaves 1/2, looking after every block."""
    wager, out = Wager([0.5]), np.zeros(len(scores), bool)
    for block in scores.T:
        wager.bet(block)
        out |= wager.winnings[:, 0] >= log(1 / error)
    return float(out.mean())


def far(chance: Chance, runs: int, blocks: int, elo: float, kind: str) -> Array:
    """Scores of pairs with that mean: of two games without or with shared places, or where the seat decides."""
    mean = score_of(elo)
    if kind == "seats":
        split = min(0.95, 2 * (1 - mean) * 0.95)
        drawn = chance.uniform(runs, blocks)
        return np.where(drawn < mean - split / 2, 1, np.where(drawn < mean + split / 2, 0.5, 0))
    shared = 0.0 if kind == "plain" else min(0.9, 2 * (1 - mean) * 0.95)
    drawn = chance.uniform(runs, blocks, 2)
    return np.where(drawn < mean - shared / 2, 1, np.where(drawn < mean + shared / 2, 0.5, 0)).mean(-1)


@pytest.mark.first(3)
@pytest.mark.parametrize("kind", ["plain", "shared", "seats"])
@pytest.mark.parametrize(("elo", "error"), [(200, 0.05), (50, 0.1), (100, 0.01)])
def test_hypotheses_keep_their_word(kind: str, elo: int, error: float) -> None:
    """Of 200 Elo, ten blocks decided, and the weaker was taken in 0.154 of the cases for 0.05."""
    runs = 400
    noise = 2.6 * np.sqrt(error * (1 - error) / runs)  # one test of a hundred would else fail for bad luck
    for true, wrong in ((0, 0), (elo, 1)):
        name = f"{kind} {elo} {true} {error}"
        scores = far(Chance(name), runs, 60000 // elo, true, kind)
        taken, leaves = decided(scores, 0.5, score_of(elo), error), left(scores, error)
        assert taken[wrong] <= error + noise
        assert sum(taken) >= 0.97
        assert leaves >= 0.97 if true else leaves <= error + noise


def test_few_blocks_alike_decide_nothing_between_far_hypotheses() -> None:
    """Five pairs that were split may well come from one who is 200 Elo stronger."""
    test = Sprt(0, 200)
    assert [test.take(0.5) for _ in range(5)] == [None] * 5
    scores = far(Chance("one"), 1, 200, 200, "plain")
    test = Sprt(0, 200)
    verdicts = [test.take(score) for score in scores[0]]
    assert (float("stronger" in verdicts), float("not stronger" in verdicts)) == decided(scores, 0.5, score_of(200))


def test_a_wager_is_fair_to_whom_it_is_made_against() -> None:
    """Worked by hand for one bet: a first guess of a half with a variance of 1/8, against 0.4, on 0.6."""
    wager = Wager([0.4], [0.6])
    stake = 0.2 / (0.125 + 0.1**2 + 0.0)
    wager.bet(np.array(1.0))
    assert float(wager.winnings[0]) == pytest.approx(log(1 + stake * 0.6))
    assert 0.4 * (1 + stake * 0.6) + 0.6 * (1 - stake * 0.4) == pytest.approx(1), "the winnings stay what they are"
