"""The rarer formats: what each promises, some by hand, and all that every format has to keep."""

from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.counting import Count, counted
from quadrille.ai.tournament.plans.plan import Entrant, Plan
from quadrille.ai.tournament.plans.plan_file import PlanError, parse
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.schedule import Contest, Format
from quadrille.extras.league.formats.knockout import Knockout, bracket, sent_home
from quadrille.extras.league.formats.placement import Placement
from tests.ai.tournament import test_schedule as laws
from tests.ai.tournament.simulated import bradley_terry, lower_wins, run, schedule_of
from tests.ai.tournament.test_plan_file import FINE
from tests.ai.tournament.test_schedule import tables, told
from tests.ai.tournament.test_tables import result

GOLDEN = Path(__file__).parent / "golden"
#: Format, entrants, seats.
CASES: dict[str, tuple[Format, int, int]] = {
    "knockout": (Knockout(starts=1), 7, 2),
    "knockout-tables": (Knockout(), 9, 4),
}
PLACEMENT = Placement((0, 100, 200, 300, 400), (50,) * 5, rounds=8)
FORMATS = [(Knockout(starts=1), 11, 2), (Knockout(), 9, 4), (PLACEMENT, 6, 2)]


def test_a_game_that_is_not_there_is_refused_where_their_number_is_unknown() -> None:
    with pytest.raises(TournamentError, match="no game -1: games are counted from 0"):
        schedule_of(Knockout(), 4).fixture(-1)


@pytest.mark.parametrize("name", CASES)
def test_golden_schedules(name: str) -> None:
    assert told(*CASES[name]) == (GOLDEN / f"{name}.txt").read_text("utf-8"), "wanted? write told(*CASES[name]) there"


@pytest.mark.parametrize(("format", "entrants", "seats"), FORMATS)
@pytest.mark.parametrize(
    "law",
    [
        laws.test_results_may_arrive_in_any_order,
        laws.test_a_schedule_that_was_killed_goes_on,
        laws.test_any_fixture_is_made_again_from_its_number,
    ],
)
def test_the_laws_of_schedules(law: object, format: Format, entrants: int, seats: int) -> None:
    assert callable(law)
    law(format, entrants, seats)


@pytest.mark.parametrize(
    ("section", "line", "why"),
    [
        ('kind = "knockout"\nstarts = 0', 3, "starts takes a whole number from 1 to"),
        ('kind = "knockout"\nextra = -1', 3, "extra takes a whole number from 0 to"),
        ('kind = "placement"', 2, "no file can ask for the format placement"),
        ('kind = "king"', 2, 'there is no format "king": there are round robin, gauntlet, swiss, knockout'),
    ],
)
def test_a_wrong_format_is_refused_with_its_line(section: str, line: int, why: str) -> None:
    with pytest.raises(PlanError, match=why) as refused:
        parse(f"[format]\n{section}\n{FINE}", ".")
    assert refused.value.line == line


@pytest.mark.parametrize(
    ("left", "seats", "home"),
    [
        (2, 2, [1]), (3, 2, [1]), (4, 2, [1, 1]), (5, 2, [1]), (7, 2, [1, 1, 1]), (8, 2, [1] * 4), (11, 2, [1] * 3),
        (3, 3, [2]), (4, 3, [1]), (8, 3, [2, 2]), (9, 3, [2, 2, 2]),
        (4, 4, [3]), (5, 4, [1]), (6, 4, [2]), (7, 4, [3]), (8, 4, [2, 2]), (13, 4, [2, 2, 1]), (16, 4, [2] * 4),
    ],
)  # fmt: skip
def test_who_goes_home(left: int, seats: int, home: list[int]) -> None:
    assert sent_home(left, seats) == home


@pytest.mark.parametrize("seats", range(2, 9))
def test_every_field_comes_down_to_one(seats: int) -> None:
    for entrants in range(seats, 60):
        left = entrants
        while left > 1:
            home = sent_home(left, seats)
            assert home and len(home) * seats <= left and all(0 < count < seats for count in home)
            left -= sum(home)
        assert left == 1


def test_a_knockout_by_hand() -> None:
    assert tables(Knockout(starts=1), 6) == [[(2, 5), (3, 4)], [(0, 3), (1, 2)], [(0, 1)]]
    schedule = schedule_of(Knockout(starts=1), 6)
    run(schedule, lower_wins)
    assert schedule.ranking == ((0,), (1,), (2, 3), (4, 5))
    schedule = schedule_of(Knockout(starts=1), 8, 4)
    run(schedule, lower_wins)
    assert schedule.ranking == ((0,), (1,), (2,), (3,), (4, 5), (6, 7))


def test_the_bracket_shows_each_series_in_its_round_also_before_it_is_over() -> None:
    _, results = run(schedule_of(Knockout(starts=1), 6), lower_wins)
    rows = bracket(results)
    assert [(nth, sorted(points)) for nth, points in rows] == [
        (1, [2, 5]), (1, [3, 4]), (2, [0, 3]), (2, [1, 2]), (3, [0, 1]),
    ]  # fmt: skip
    assert rows[0][1] == {2: 4, 5: 0}
    assert bracket(results[:1])[0][1].total() == 2 and bracket([]) == []


def test_a_tied_series_goes_on_and_then_the_better_seed_does() -> None:
    schedule = schedule_of(Knockout(starts=2, extra=3), 2)
    blocks, _ = run(schedule, lambda fixture: (1, 1))
    assert [block.round for block in blocks] == [0, 0, 1, 2, 3]
    assert len({block.start for block in blocks}) == 5
    assert schedule.ranking == ((0,), (1,))
    # the third block settles it, for the worse seed
    settled = schedule_of(Knockout(starts=2, extra=3), 2)
    blocks, _ = run(settled, lambda fixture: (1, 1) if fixture.block < 2 else tuple(2 - seat for seat in fixture.seats))
    assert len(blocks) == 3
    assert settled.ranking == ((1,), (0,))


def test_only_tied_series_go_on() -> None:
    schedule = schedule_of(Knockout(starts=1, extra=1), 4)
    blocks, _ = run(schedule, lambda fixture: (1, 1) if 3 in fixture.seats else lower_wins(fixture))
    assert [block.table for block in blocks] == [(0, 3), (1, 2), (0, 3), (0, 1)]


def test_a_placement_counts_as_if_it_were_drawn_again() -> None:
    entrants = tuple(Entrant(name, bot="random") for name in "abcd")
    one = Plan(entrants, (Contest("maze"),), Placement((0, 100, 200), (50,) * 3, rounds=8, at_once=3), "counting")
    schedule, count, play = one.schedule(), Count(one), bradley_terry([0.5, 0.0, 0.0, -0.5])
    results, counting = list[Result](), list[Result]()
    for _ in range(20):
        block = schedule.next()
        assert block is not None
        count.expect(block.ids)
        for fixture in block.fixtures:
            results.append(result(fixture, play(fixture)))
            schedule.tell(results[-1])
            counting += count.take(results[-1])
    found = counted(one, iter([*results[:-4], *results[-3:]]))
    assert found.results == tuple(counting[:-4])
    assert (found.count.games, found.count.blocks, found.beyond) == (36, 18, 3)
    assert found.schedule.ranking is None
    whole = counted(one, iter(results))
    assert (whole.results, whole.count.tallies) == (tuple(counting), count.tallies)
