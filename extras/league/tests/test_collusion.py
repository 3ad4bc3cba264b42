"""Planted helpers are found, and an honest field is not accused more often than it is said."""

from itertools import permutations

import numpy as np
import pytest

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.meetings import Acquaintance
from quadrille.extras.league.collusion import Favour, collusion, holm, p_value, parted, residuals
from quadrille.rules.chance import Stream
from tests.ai.tournament.simulated import Chance, places, rotations

ENTRANTS = 8


def field(seed: str, rounds: int = 60, *, seats: int = 4, helper: int | None = None, helped: int = 5) -> list[Result]:
    """Honest entrants of different strengths at tables from starts that favour some seats; or one helps another: at the
    same table the one is 0.5 weaker for it (87 points), and the other 1.0 stronger.
    """
    chance, stream = Chance(seed), Stream(seed, "field")
    strengths = chance.uniform(ENTRANTS) * 2 - 1
    acquaintance, results, block = Acquaintance(ENTRANTS), [], 0
    for _ in range(rounds):
        for table in acquaintance.tables(range(ENTRANTS), seats, stream):
            acquaintance.note(table)
            now = strengths.copy()
            if helper in table and helped in table:
                now[helper] -= 0.5
                now[helped] += 1.0
            favour = chance.uniform(seats) - 0.5
            order = list(table)
            stream.shuffle(order)
            for seating in rotations(order):
                heights = now[list(seating)] + favour + chance.gumbel(seats)
                results.append(Result("", block, seating, places(heights)))
            block += 1
    return results


def test_a_planted_pair_is_found_and_nobody_else() -> None:
    found = collusion(field("planted", 120, helper=2), ENTRANTS)
    assert [(favour.helper, favour.helped) for favour in found.named] == [(2, 5)]
    [named] = found.named
    assert named.gain > 0.1
    assert named.p <= named.corrected <= found.rate == 0.05
    # the tables at which those two sat are left out of all other tests, and so the other way round can't be told
    assert {(favour.helper, favour.helped) for favour in found.favours} | {(5, 2)} == {*permutations(range(8), 2)}
    assert found.untested == ()


@pytest.mark.slow
def test_honest_fields_are_seldom_accused() -> None:
    alarms = 0
    for number in range(8):
        found = collusion(field(f"honest {number}", 40), ENTRANTS)
        alarms += bool(found.named)
        assert len(found.favours) + len(found.untested) >= ENTRANTS * (ENTRANTS - 1) - 1
        assert [favour.corrected for favour in found.favours] == sorted(favour.corrected for favour in found.favours)
    assert alarms <= 1


def test_the_same_results_give_the_same_report_in_any_order() -> None:
    results, stream = field("order", 40, helper=1), Stream("order")
    found = collusion(results, ENTRANTS, seed="a")
    stream.shuffle(results)
    assert collusion(results, ENTRANTS, seed="a") == found


def test_who_always_or_never_sit_together_can_t_be_told() -> None:
    results = [result for result in field("together", 60) if not {0, 1} <= {*result.seats}]
    assert {*collusion(results, ENTRANTS).untested} == {(0, 1), (1, 0)}
    one_table = [Result("", block, (0, 1, 2), (1, 2, 3)) for block in range(50)]
    assert len(collusion(one_table, 3).untested) == 6
    assert collusion([Result("", block, (0, 1), (1, 2)) for block in range(50)], 2).favours == ()


def test_residuals_by_hand() -> None:
    """Equal strengths let expect 1/2 of everybody; what two do to each other is left out with a helper at the table."""
    even = tuple((0.5,) * 4 for _ in range(4))
    games = [
        Result("", 0, (0, 1, 2), (1, 2, 3)),
        Result("", 0, (1, 2, 0), (1, 1, 3)),
        Result("", 1, (0, 1, 3), (1, 2, 2)),
    ]
    of = residuals(games, even)
    assert of[0] == [{1: 0.0, 2: 0.0}, {1: 0.5, 3: 0.5}]
    assert of[1] == [{0: 0.0, 2: 0.25}, {0: -0.5, 3: 0.0}]
    present, absent = parted(of[1], 2)
    assert (present.tolist(), absent.tolist()) == ([0.0], [-0.25])


def test_holm_by_hand() -> None:
    made = [Favour(0, number, 0.1, 9, 9, p, p) for number, p in enumerate([0.04, 0.01, 0.03, 0.5])]
    corrected = [(favour.p, favour.corrected) for favour in holm(made)]
    assert corrected == [(0.01, 0.04), (0.03, pytest.approx(0.09)), (0.04, pytest.approx(0.09)), (0.5, 0.5)]


def test_p_values_are_even_under_the_null_hypothesis() -> None:
    """Also where the two sorts of blocks scatter unequally, the one by three times the other."""
    chance = Chance("null")
    found = []
    for number in range(300):
        values = chance.gumbel(60)
        found.append(p_value(values[:15] * 3 - 3 * 0.5772, values[15:] - 0.5772, 1000, Stream(f"{number}")))
    assert abs(np.mean(found) - 0.5) < 0.06
    assert np.mean([p <= 0.05 for p in found]) <= 0.09
    shifted = p_value(chance.gumbel(30) + 2, chance.gumbel(30), 10000, Stream("shifted"))
    assert shifted < 0.001


@pytest.mark.slow
def test_error_rates_are_as_stated() -> None:
    """An honest field has anybody named with a chance of 5 %; of planted pairs 4 of 5 are found in 120 blocks."""
    alarms = [bool(collusion(field(f"fair {number}"), ENTRANTS).named) for number in range(200)]
    assert np.mean(alarms) <= 0.05 + 2 * (0.05 * 0.95 / 200) ** 0.5
    planted = [collusion(field(f"unfair {number}", helper=2), ENTRANTS).named for number in range(40)]
    pairs = [{(favour.helper, favour.helped) for favour in named} for named in planted]
    assert np.mean([(2, 5) in named for named in pairs]) >= 0.8
    assert np.mean([bool(named - {(2, 5), (5, 2)}) for named in pairs]) <= 0.1
