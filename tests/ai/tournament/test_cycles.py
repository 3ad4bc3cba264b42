"""Cycles of three among entrants: found where they are, and not made up where there are none."""

from collections.abc import Callable
from itertools import combinations
from random import Random

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.cycles import MOST_NAMED, Cycles, cycles


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


def test_few_blocks_show_no_cycle() -> None:
    for blocks in (1, 2, 3):
        found = cycles(league(3, blocks, lambda one, other: float(rock(one, other) > 0.5), Random(1)), range(3))
        assert found == Cycles()


def test_an_order_has_no_cycle() -> None:
    found = cycles(league(8, 30, lambda one, other: 0.9 if one < other else 0.1, Random("order")), range(8))
    assert found == Cycles()
    assert cycles([], range(8)) == Cycles() == cycles(league(2, 9, rock, Random(0)), range(2))


def test_equal_entrants_are_hardly_ever_put_into_a_cycle() -> None:
    shown = sum(cycles(league(6, 12, lambda *_: 0.5, Random(seed)), range(6)).shown > 0 for seed in range(40))
    assert shown == 0


def test_tables_of_three_and_shared_places_count_by_pairs() -> None:
    """Whoever sits before its victim is ahead of it; the third shares its place with the second."""
    results = [
        Result(f"{block} {turn}", block, ((turn, (turn + 1) % 3, (turn + 2) % 3)), (1, 2, 2))
        for block in range(30)
        for turn in range(3)
    ]
    assert cycles(results, range(3)) == Cycles(), "each is ahead of each other equally often"


def test_of_many_cycles_only_the_clearest_are_named() -> None:
    results = [
        Result(f"{one} {other} {block}", 10**6 * block + 1000 * one + other, (one, other), (1, 2) if wins else (2, 1))
        for one, other in combinations(range(45), 2)
        if (wins := rock(one, other) > 0.5) or one % 3 != other % 3
        for block in range(18)
    ]
    found = cycles(results, range(45))
    assert found.shown > 1000 and len(found.clearest) == MOST_NAMED
