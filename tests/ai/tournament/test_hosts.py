"""Machines that are like all others are seldom named, and one on which games go otherwise is found."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.hosts import HostFigures, compare, medians, named, slower
from quadrille.ai.tournament.statistics.ratings import rate
from tests.ai.tournament.simulated import Chance, tournament

STRENGTHS = (1.2, 0.8, 0.4, 0.0, -0.4)


def played(chance: Chance, sizes: Sequence[int], blocks: int, hosts: int) -> tuple[list[Result], dict[str, str]]:
    """A tournament whose blocks are played on machines at random."""
    results = [
        replace(result, game=str(number))
        for number, result in enumerate(tournament(chance, STRENGTHS, sizes, blocks, starts=1))
    ]
    drawn = (hosts * chance.uniform(blocks)).astype(int)
    return results, {result.game: f"host {drawn[result.block]}" for result in results}


def judged(results: Sequence[Result], where: dict[str, str]) -> tuple[HostFigures, ...]:
    return compare(results, where, rate(results, len(STRENGTHS)).expected)


def wrong(sizes: Sequence[int], runs: int) -> float:
    """How often a machine is named where all are alike."""
    return sum(bool(named(judged(*played(Chance(f"alike {run}"), sizes, 250, 4)))) for run in range(runs)) / runs


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(2,), (3, 4)])
def test_they_are_named_as_seldom_as_it_is_said(sizes: Sequence[int]) -> None:
    assert wrong(sizes, 300) <= 0.07


def test_a_machine_on_which_luck_decides_is_named() -> None:
    results, where = played(Chance("luck"), (2,), 400, 4)
    coin = Chance("coin")
    changed = [
        replace(result, places=(1, 2) if coin.uniform(1)[0] < 0.5 else (2, 1))
        if where[result.game] == "host 2"
        else result
        for result in results
    ]
    assert [host.name for host in named(judged(changed, where))] == ["host 2"]
    assert sum(host.games for host in judged(results, where)) == len(results)


def test_a_machine_on_which_bots_are_late_is_named() -> None:
    """Both seats as often, so that no score tells of it."""
    results, where = played(Chance("late"), (2,), 400, 3)
    late = [
        replace(result, faults=("time", None)) if where[result.game] == "host 0" and number % 7 == 0 else result
        for number, result in enumerate(results)
    ]
    found = judged(late, where)
    assert [host.name for host in named(found)] == ["host 0"]
    assert [bool(host.faults) for host in found] == [True, False, False]


def test_one_machine_and_few_games_tell_nothing() -> None:
    results, where = played(Chance("few"), (2,), 10, 1)
    assert [(host.name, host.games, host.corrected) for host in judged(results, where)] == [("host 0", 20, 1.0)]
    where = {game: f"host {number % 3}" for number, game in enumerate(where)}
    assert {host.corrected for host in judged(results, where)} == {1.0}
    assert compare([], {}, [[0.5]]) == ()


def test_machines_that_are_slower_are_told_with_the_quickest() -> None:
    speeds = medians({"b": [0.7, 0.75, 0.4], "a": [1.0], "c": [0.92, 0.94]})
    assert speeds == {"b": 0.7, "a": 1.0, "c": pytest.approx(0.93)}
    assert slower(speeds) == ("a", {"b": 0.7}), "within 10 % they are the same"
    assert slower({"a": 0.3}) == ("a", {})
    assert slower({}) == ("", {})
