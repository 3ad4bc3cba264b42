"""What a result is worth, and which results may be looked at while a tournament goes on."""

import heapq
from statistics import mean

import pytest

from quadrille.ai.tournament.counting import Count
from quadrille.ai.tournament.plans.plan import Entrant, Plan
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.meetings import RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.chance import Stream

PLAN = Plan(tuple(Entrant(name, bot="random") for name in "ab"), (Contest("maze"),), RoundRobin(200), "early")


@pytest.mark.parametrize(
    ("places", "halves"),
    [((1, 2), (2, 0)), ((1, 1), (1, 1)), ((3, 1, 2), (0, 4, 2)), ((2, 1, 2, 4), (3, 6, 3, 0)), ((1, 1, 1), (2, 2, 2))],
)
def test_half_points(places: tuple[int, ...], halves: tuple[int, ...]) -> None:
    assert Result("g", 0, tuple(range(len(places))), places).halves == halves


def first_hundred(seed: int, at_once: int) -> tuple[float, float]:
    """A score of 100 games: of those that end first, and of those that count first.

    Equal programs; a win of entrant 0 takes 1 unit of time and its loss 3.
    """
    count = Count(PLAN)
    for game in range(0, 400, 2):
        count.expect((str(game), str(game + 1)))
    stream = Stream(str(seed), "early")
    wins = [stream.randrange(2) for _ in range(400)]
    running: list[tuple[int, int]] = []
    counted: list[Result] = []
    ended: list[int] = []
    given = now = 0
    waiting = {*range(100)}
    while waiting:
        while len(running) < at_once and given < len(wins):
            heapq.heappush(running, (now + (1 if wins[given] else 3), given))
            given += 1
        now, game = heapq.heappop(running)
        ended.append(wins[game])
        waiting.discard(game)
        counted += count.take(Result(str(game), game // 2, (0, 1), (1, 2) if wins[game] else (2, 1)))
    return mean(ended[:100]), mean(result.halves[0] / 2 for result in counted[:100])


@pytest.mark.slow
def test_games_that_end_early_don_t_count_for_more() -> None:
    """A naive count gives 0.625 for a true 0.5 with 64 games at once, and no bias in the prefix."""
    naive, honest = zip(*(first_hundred(seed, 64) for seed in range(500)), strict=True)
    assert mean(naive) > 0.55
    assert mean(honest) == pytest.approx(0.5, abs=0.01)
