"""The place of a bot on a ladder: adaptive choice of opponents, and intervals that hold the truth."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import log

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.meetings import RoundRobin
from quadrille.ai.tournament.schedules.schedule import Format
from quadrille.extras.league.formats.placement import Placement
from quadrille.extras.league.ladder.ladders import LadderDraft, RatedLadder, Rung, Sample
from quadrille.extras.league.ladder.place import pairs_of, placed, rated
from tests.ai.tournament.simulated import bradley_terry, run, schedule_of

TRUTH = (900, 740, 610, 520, 480, 350, 300, 210, 90, 0)
NAMES = [f"sample {number}" for number in range(len(TRUTH))]


def simulated(format: Format, truth: Sequence[float], seed: str) -> list[Result]:
    """Return all results of a tournament between entrants of that strength in Elo."""
    play = bradley_terry([elo * log(10) / 400 for elo in truth])
    return run(schedule_of(format, len(truth), seed=seed), play)[1]


def rated_ladder(cycles: int = 3, seed: str = "ladder") -> RatedLadder:
    """Return a ladder whose ratings come from simulated games of samples of known strength."""
    pairs = pairs_of(simulated(RoundRobin(cycles), TRUTH, seed), NAMES)
    ratings = rated(pairs, NAMES)
    rungs = [
        Rung(Sample(name), ratings.elo[number] - ratings.elo[-1], ratings.error[number], 0.5, 2, "")
        for number, name in enumerate(NAMES)
    ]
    draft = LadderDraft("maze", (), 0, tuple(rung.sample for rung in rungs))
    return RatedLadder(draft, tuple(sorted(rungs, key=lambda rung: -rung.elo)), pairs, ((),), ())


def placement(one: RatedLadder, rounds: int = 12) -> Placement:
    return Placement(tuple(rung.elo for rung in one.rungs), tuple(rung.error for rung in one.rungs), rounds)


def names_of(one: RatedLadder) -> list[str]:
    return ["new", *(rung.sample.name for rung in one.rungs)]


def truth_of(one: RatedLadder, own: float) -> list[float]:
    return [own, *(TRUTH[NAMES.index(rung.sample.name)] for rung in one.rungs)]


def test_most_games_of_a_placement_are_against_near_equals_after_a_look_at_all() -> None:
    one = rated_ladder(8)
    truth = truth_of(one, 500)
    others = [max(result.seats) for result in simulated(placement(one, 25), truth, "near")]
    assert {1, len(NAMES)} <= set(others[:16])
    near = sum(abs(truth[other] - 500) <= 250 for other in others[16:])
    assert near > 0.8 * len(others[16:])
    assert max(Counter(others).values()) < len(others) / 3


def test_a_placement_is_drawn_again_from_its_results_and_grows() -> None:
    one = rated_ladder()
    results = simulated(placement(one), truth_of(one, 0), "seed")
    again = schedule_of(placement(one, 20), len(NAMES) + 1)
    for result in reversed(results):
        again.tell(result)
    blocks = [again.next() for _ in range(len(results) // 2)]
    assert [game for block in blocks if block for game in block.ids] == [result.game for result in results]


@pytest.mark.slow
def test_the_interval_of_a_placement_holds_the_truth() -> None:
    """The errors of the samples' ratings count: with few games behind the ladder it is the wider."""
    held, wide = 0, []
    trials = 40
    for trial in range(trials):
        own, one = 25 * trial - 50, rated_ladder(seed=f"ladder {trial}")
        found = placed(one, simulated(placement(one), truth_of(one, own), f"placement {trial}"), names_of(one))
        assert found is not None
        off = (found.elo - one.mean) - (own - sum(TRUTH) / len(TRUTH))
        held += abs(off) <= found.error
        wide.append(found.error)
    assert held >= 0.88 * trials
    assert 60 < sum(wide) / trials < 140


def test_games_that_a_sample_lost_by_a_fault_say_nothing() -> None:
    one = rated_ladder()
    names = names_of(one)
    fair = simulated(placement(one), truth_of(one, 300), "fair")
    gift = [Result("g", 900 + game // 2, (0, 1), (1, 2), faults=(None, "crash")) for game in range(20)]
    assert placed(one, [*fair, *gift], names) == placed(one, fair, names)
    assert placed(one, gift, names) is None
    assert placed(one, [replace(gift[0], void=True, faults=(), places=())], names) is None


@pytest.mark.parametrize("places", [(1, 2), (2, 1)])
def test_a_bot_that_wins_or_loses_everything_is_beyond_the_ladder_by_an_open_amount(places: tuple[int, int]) -> None:
    one = rated_ladder()
    schedule = schedule_of(placement(one, 5), len(NAMES) + 1)
    _, results = run(schedule, lambda fixture: places if fixture.seats[0] == 0 else places[::-1])
    found = placed(one, results, names_of(one))
    assert found is not None
    best, worst = one.rungs[0].elo, one.rungs[-1].elo
    if places == (1, 2):
        assert (found.beyond, found.high) == (1, float("inf")) and best - 200 < found.low < found.elo
    else:
        assert (found.beyond, found.low) == (-1, float("-inf")) and worst + 200 > found.high > found.elo


def test_a_placement_needs_two_seats_and_all_strengths() -> None:
    with pytest.raises(TournamentError, match="two seats"):
        schedule_of(Placement((0, 1), (9, 9)), 3, 3)
    with pytest.raises(TournamentError, match="knows the strength"):
        schedule_of(Placement((0,), (9,)), 3)
