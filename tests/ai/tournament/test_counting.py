"""What counts: complete blocks in schedule order, up to the verdict, whatever order games end in."""

from math import sqrt
from statistics import fmean, pstdev

import pytest

from quadrille.ai.tournament.counting import Count, counted
from quadrille.ai.tournament.plans.plan import Entrant, Plan, Stop
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.meetings import RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest, Fixture
from quadrille.ai.tournament.statistics.stopping import block_scores
from quadrille.rules.chance import Stream
from tests.ai.tournament.simulated import bradley_terry

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
