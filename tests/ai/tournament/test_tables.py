"""The tables of a report, from games that can be counted by hand."""

import random
from collections.abc import Callable
from itertools import combinations, pairwise
from math import comb, inf, log, nan, sqrt
from random import Random
from statistics import fmean, mean, pstdev, quantiles, stdev

import numpy as np
import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.counting import Count, counted
from quadrille.ai.tournament.plans.plan import Entrant, Plan, Stop
from quadrille.ai.tournament.play.paces import MoveTimes, pace
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.meetings import RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest, Fixture
from quadrille.ai.tournament.statistics import FEW_BLOCKS
from quadrille.ai.tournament.statistics.arrays import Array
from quadrille.ai.tournament.statistics.cycles import MOST_NAMED, Cycles, cycles
from quadrille.ai.tournament.statistics.shares import MeanShare, mean_share
from quadrille.ai.tournament.statistics.stopping import ConfidenceSequence, Sprt, Wager, block_scores, score_of
from quadrille.ai.tournament.statistics.tables import HeadToHead, Tally, by_points, cross_table, duplicates, seat_table
from quadrille.rules.chance import Stream
from tests.ai.tournament.simulated import Chance, bradley_terry, elo_of

#: Three games at tables of 3, and one for two.
GAMES = [
    Result("a", 0, (0, 1, 2), (1, 2, 3), 0, "m1", 30, (1.0, 2.0, 0.5), (None, None, "time")),
    Result("b", 0, (1, 2, 0), (1, 1, 3), 0, "m2", 30, (1.5, 1.0, 4.0), (None, None, None)),
    Result("c", 1, (0, 1, 2), (1, 2, 3), 0, "m1", 30),
    Result("d", 2, (3, 0), (2, 1), 1, "m1", 9, (0.25, 0.5), ("crash", None)),
]


def tallies(games: list[Result], entrants: int) -> list[Tally]:
    found = [Tally() for _ in range(entrants)]
    for game in games:
        for entrant in game.seats:
            found[entrant].take(entrant, [game])
    return found


@pytest.mark.parametrize(
    ("places", "halves"),
    [((1, 2), (2, 0)), ((1, 1), (1, 1)), ((3, 1, 2), (0, 4, 2)), ((2, 1, 2, 4), (3, 6, 3, 0)), ((1, 1, 1), (2, 2, 2))],
)
def test_half_points(places: tuple[int, ...], halves: tuple[int, ...]) -> None:
    assert Result("g", 0, tuple(range(len(places))), places).halves == halves


def test_the_cross_table() -> None:
    table = cross_table(GAMES, 5)
    assert table[0] == (HeadToHead(), HeadToHead(2, 0, 1), HeadToHead(2, 0, 1), HeadToHead(1, 0, 0), HeadToHead())
    assert table[1] == (HeadToHead(1, 0, 2), HeadToHead(), HeadToHead(2, 1, 0), HeadToHead(), HeadToHead())
    assert table[2] == (HeadToHead(1, 0, 2), HeadToHead(0, 1, 2), HeadToHead(), HeadToHead(), HeadToHead())
    assert (table[0][1].games, table[0][1].score) == (3, pytest.approx(2 / 3))
    assert table[1][2].score == pytest.approx(5 / 6)
    assert table[4][0].score is None


def test_the_figures_of_an_entrant() -> None:
    first, _, third, fourth, last = lines = tallies(GAMES, 5)
    assert [line.games for line in lines] == [4, 3, 3, 1, 0]
    assert [line.score for line in lines[1:]] == [7 / 12, 1 / 4, 0, None]
    assert [line.by_place for line in lines] == [(3, 0, 1), (1, 2), (1, 0, 2), (0, 1), ()]
    assert (first.timed, first.seconds, first.longest, first.mean_time) == (3, 5.5, 4.0, 5.5 / 3)
    assert (last.mean_time, last.error) == (0, None)
    assert (first.faults, third.faults, fourth.faults) == ({}, {"time": ["a"]}, {"crash": ["d"]})


def test_equals_share_a_rank_and_who_has_not_played_is_last() -> None:
    games = [Result("a", 0, (0, 1), (1, 1)), Result("b", 0, (2, 3), (1, 1)), Result("c", 0, (0, 3), (1, 2))]
    assert by_points(tallies(games, 5)) == ((0,), (1, 2), (3,), (4,))


def test_who_won_its_only_block_and_left_stands_below_those_that_played_on() -> None:
    games = [Result("a", 0, (2, 1), (1, 2)), *(Result("b", 0, (0, 1), (1, 2)) for _ in range(FEW_BLOCKS))]
    assert by_points(tallies(games, 4)) == ((0,), (1,), (2,), (3,))
    assert by_points(tallies(games[:2], 4)) == ((0, 2), (1,), (3,)), "where all have few, points alone tell"


def test_results_by_seat() -> None:
    first, second, third, other, last = seat_table(GAMES)
    assert (first.contest, first.seats, first.seat, first.games, first.score) == (0, 3, 0, 3, 11 / 12)
    assert (first.places, second.places, third.places) == ((3, 0, 0), (1, 2, 0), (0, 0, 3))
    assert [line.score for line in (second, third, other, last)] == [7 / 12, 0, 0, 1]
    assert (other.contest, other.seats, last.seat, last.score) == (1, 2, 1, 1.0)


def test_duplicates_are_games_of_the_same_entrants_in_the_same_seats_with_the_same_moves() -> None:
    found = duplicates(GAMES)
    assert (found.games, found.groups, found.effective, found.share) == (4, (("a", "c"),), 3, 0.25)
    assert duplicates([Result("x", 0, (0, 1), (1, 2)), Result("y", 0, (0, 1), (1, 2))]).groups == ()
    turned = [Result("x", 0, (0, 1), (1, 2), moves="m"), Result("y", 0, (1, 0), (1, 2), moves="m")]
    assert duplicates(turned).effective == 2
    assert duplicates([]).share == 0


def test_quantiles_are_those_of_all_moves_but_for_a_sixteenth() -> None:
    games = [[float(time) for time in 1000 * Chance(f"game {number}").uniform(30) ** 3] for number in range(40)]
    moves = MoveTimes()
    for game in games:
        moves.take(len(game), sum(game) / 1000, max(game) / 1000, pace(game))
    cuts = quantiles([time for game in games for time in game], n=100, method="inclusive")
    assert moves.count == 1200
    assert moves.within(0.5) == pytest.approx(cuts[49] / 1000, rel=0.0625)
    assert moves.within(0.99) == pytest.approx(cuts[98] / 1000, rel=0.0625)
    assert moves.within(1.0) == pytest.approx(moves.longest, rel=0.0625)
    assert moves.total == pytest.approx(sum(map(sum, games)) / 1000)


def test_moves_in_no_time_and_none_at_all() -> None:
    assert pace([0.0, 0.0005]) == ((0, 2),)
    assert MoveTimes().within(0.5) is None


# What counts: complete blocks in schedule order, up to the verdict, whatever order games end in


ENTRANTS = tuple(Entrant(name, bot="random") for name in ("a", "b"))


def plan(cycles: int, stop: Stop | None = None) -> Plan:
    return Plan(ENTRANTS, (Contest("maze"),), RoundRobin(cycles), "counting", stop=stop)


def result(fixture: Fixture, places: tuple[int, ...]) -> Result:
    return Result(fixture.id, fixture.block, fixture.seats, places, times=(1.0, 2.0))


def test_only_complete_blocks_count_and_in_their_order() -> None:
    one = plan(3)
    schedule, count = one.schedule(), Count(one)
    blocks = [schedule.block(number) for number in range(3)]
    for block in blocks:
        count.expect(block.ids)
    games = [result(fixture, (1, 2)) for block in blocks for fixture in block.fixtures]
    assert [count.take(games[at]) for at in (5, 0, 4)] == [[], [], []]
    assert count.take(games[1]) == games[:2]
    assert (count.games, count.blocks) == (2, 1)
    assert [count.take(games[at]) for at in (2, 3)] == [[], games[2:]]
    assert [(tally.score, tally.games, tally.error) for tally in count.tallies] == [(0.5, 6, 0.0)] * 2


def test_nothing_counts_after_the_verdict() -> None:
    """So the same games count, however many others were under way."""
    one = plan(2000, Stop("sprt", 0, 1, elo0=0, elo1=60))
    play = bradley_terry([0.8, 0.0])
    seen = set()
    for at_once in (2, 64):
        schedule, count, chance = one.schedule(), Count(one), Stream("order", str(at_once))
        running: list[Fixture] = []
        results = []
        while count.verdict is None:
            while len(running) < at_once and (block := schedule.next()):
                count.expect(block.ids)
                running += block.fixtures
            fixture = running.pop(chance.randrange(len(running)))
            results.append(result(fixture, play(fixture)))
            count.take(results[-1])
        results += [result(fixture, play(fixture)) for fixture in running]
        found = counted(one, iter(results))
        assert found.count.verdict == count.verdict == "stronger"
        assert found.count.games == count.games == len(found.results)
        assert found.beyond == len(results) - count.games
        seen.add(frozenset(game.game for game in found.results))
    assert len(seen) == 1


def test_the_live_error_is_that_of_the_blocks() -> None:
    one = plan(300)
    schedule, count, results = one.schedule(), Count(one), []
    play = bradley_terry([0.5, 0.0])
    while block := schedule.next():
        count.expect(block.ids)
        results += [result(fixture, play(fixture)) for fixture in block.fixtures]
        for game in results[-2:]:
            count.take(game)
    for entrant, tally in enumerate(count.tallies):
        scores = block_scores([results[at : at + 2] for at in range(0, len(results), 2)], entrant)
        assert (tally.blocks, tally.score) == (300, pytest.approx(fmean(scores)))
        assert tally.error == pytest.approx(pstdev(scores) / sqrt(300))


# Cycles of three among entrants: found where they are, and not made up where there are none


def league(entrants: int, blocks: int, wins: Callable[[int, int], float], dice: Random) -> list[Result]:
    """Each pair plays so many blocks of two games; `wins` is how likely the first beats the second."""
    results = []
    for block, (one, other) in enumerate(list(combinations(range(entrants), 2)) * blocks):
        for seats in ((one, other), (other, one)):
            first = dice.random() < wins(*seats)
            places = (1, 2) if first else (2, 1)
            results.append(Result(f"{block} {seats}", block, seats, places))
    return results


def rock(one: int, other: int) -> float:
    """Each of three beats the next."""
    return 0.8 if (other - one) % 3 == 1 else 0.2


def test_a_cycle_of_three_is_found_with_its_direction() -> None:
    found = cycles(league(3, 40, rock, Random("rock")), [2, 0, 1])
    assert found == Cycles(1, ((2, 0, 1),))


#: Each of three is behind the one before it, and shares its place with the next: ahead of each other equally often.
TURNS = [Result("", turn // 3, (turn % 3, (turn + 1) % 3, (turn + 2) % 3), (1, 2, 2)) for turn in range(90)]


@pytest.mark.parametrize(
    ("games", "entrants"),
    [
        *((league(3, few, lambda one, other: float(rock(one, other) > 0.5), Random(1)), 3) for few in (1, 2, 3)),
        (league(8, 30, lambda one, other: 0.9 if one < other else 0.1, Random("order")), 8),
        ([], 8),
        (league(2, 9, rock, Random(0)), 2),
        (TURNS, 3),
    ],
    ids=["a block", "2 blocks", "3 blocks", "an order", "nothing", "two", "places that are shared"],
)
def test_no_cycle_is_made_up_where_there_is_none(games: list[Result], entrants: int) -> None:
    assert cycles(games, range(entrants)) == Cycles()


def test_equal_entrants_are_hardly_ever_put_into_a_cycle() -> None:
    shown = sum(cycles(league(6, 12, lambda *_: 0.5, Random(seed)), range(6)).shown > 0 for seed in range(40))
    assert shown == 0


def test_of_many_cycles_only_the_clearest_are_named() -> None:
    results = [
        Result(f"{one} {other} {block}", 10**6 * block + 1000 * one + other, (one, other), (1, 2) if wins else (2, 1))
        for one, other in combinations(range(45), 2)
        if (wins := rock(one, other) > 0.5) or one % 3 != other % 3
        for block in range(18)
    ]
    found = cycles(results, range(45))
    assert found.shown > 1000 and len(found.clearest) == MOST_NAMED


# Mean shares and their intervals: by hand, by other ways of counting, and by how often they hold the truth


def by_hand(share: MeanShare, low: float, high: float, within: float = 0.001) -> None:
    assert share.low == pytest.approx(low, abs=within) and share.high == pytest.approx(high, abs=within)


def test_single_games_have_the_interval_of_any_textbook() -> None:
    """Student's 0.975 quantile with 9 degrees of freedom is 2.262."""
    points = [1.0, 0.0, 0.5, 1.0, 0.0, 1.0, 0.5, 0.0, 1.0, 0.0]
    half = 2.262 * stdev(points) / sqrt(10)
    found = mean_share((1, point) for point in points)
    assert (found.units, found.games, found.mean) == (10, 10, 0.5)
    by_hand(found, mean(points) - half, mean(points) + half)


def test_blocks_of_different_sizes_agree_with_the_jackknife() -> None:
    """The second way: the estimate without each block in turn (J. Tukey)."""
    dice = random.Random(1)
    units = [(games := dice.randrange(1, 4), sum(dice.choice((0, 0.5, 1.0)) for _ in range(games))) for _ in range(60)]
    games, points = sum(row[0] for row in units), sum(row[1] for row in units)
    without = [(points - took) / (games - there) for there, took in units]
    error = sqrt((len(units) - 1) / len(units) * sum((one - mean(without)) ** 2 for one in without))
    found = mean_share(units)
    assert (found.high - found.low) / 2 == pytest.approx(2.0 * error, rel=0.05)  # Student's 0.975 quantile


def test_games_that_were_all_won_leave_room_for_a_loss() -> None:
    """Clopper and Pearson: 10 of 10 are as rare as 1 in 40 at a chance of 0.025 ** (1 / 10)."""
    by_hand(mean_share([(1, 1.0)] * 10), 0.025 ** (1 / 10), 1.0, within=0.01)
    by_hand(mean_share([(1, 0.0)] * 10), 0.0, 1 - 0.025 ** (1 / 10), within=0.01)


def test_one_loss_among_many_wins_is_no_narrower_than_the_exact_bound() -> None:
    low = mean_share([(1, 1.0)] * 29 + [(1, 0.0)]).low
    at_most_one_loss = sum(comb(30, lost) * low ** (30 - lost) * (1 - low) ** lost for lost in (0, 1))
    assert at_most_one_loss < 0.03


def test_too_few_units_tell_nothing() -> None:
    for units in ([(1, 1.0)], [(1, 1.0), (1, 0.0)], [(30, 15.0), (1, 1.0), (1, 0.0)]):
        found = mean_share(units)
        assert (found.low, found.high) == (None, None)


@pytest.mark.first(1)
@pytest.mark.parametrize("chance", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("blocks", [6, 25])
def test_intervals_hold_the_truth(chance: float, blocks: int) -> None:
    """In 95 of 100 cases: where both games of half of the blocks are the same, too."""
    dice, held = random.Random(f"{chance} {blocks}"), 0

    def block() -> tuple[int, float]:
        first, second = float(dice.random() < chance), float(dice.random() < chance)
        return dice.choice(((1, first), (2, first + second), (2, 2 * first)))

    for _ in range(400):
        found = mean_share(block() for _ in range(blocks))
        held += found.low is None or (found.high is not None and found.low <= chance <= found.high)
    assert held / 400 > 0.925


# When a match is decided: errors as seldom as they say


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
