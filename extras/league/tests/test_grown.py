"""Entrants may come or go after games were played: nothing is played again, and nothing that was played changes."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.counting import counted
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.journals.proof import check
from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedules.schedule import Block, Contest, Schedule
from quadrille.extras.league.formats.grown import Grown, Stage
from tests.ai.tournament.programs import LAST, league, play, program, three


def drawn(
    shape: RoundRobin | Gauntlet, entrants: int, seats: int, *stages: Stage, out: tuple[int, ...] = ()
) -> list[Block]:
    """Return all blocks, which are as many as the schedule says."""
    names = [f"bot {number}" for number in range(entrants)]
    stages = stages or ((entrants, shape.cycles),)
    grown = Grown(shape.seeds if isinstance(shape, Gauntlet) else 0, stages, out)
    schedule = Schedule("grown", names, [Contest("maze", (), seats)], grown)
    blocks = list(iter(schedule.next, None))
    assert schedule.over and schedule.games == sum(len(block.fixtures) for block in blocks)
    return blocks


@pytest.mark.first(1)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("shape", [RoundRobin(2), Gauntlet(2, 3), Gauntlet(1, 2)])
def test_what_was_played_stays_when_entrants_come(shape: RoundRobin | Gauntlet, seats: int) -> None:
    names = [f"bot {number}" for number in range(6)]
    few = list(iter(Schedule("grown", names, [Contest("maze", (), seats)], shape).next, None))
    many = drawn(shape, 8, seats, (6, shape.cycles), (7, shape.cycles), (8, shape.cycles), (8, shape.cycles + 1))
    assert len(many) > len(few) and many[: len(few)] == few
    grown = Grown(0, ((6, shape.cycles), (8, shape.cycles)))
    assert grown.uneven(8, seats).startswith("Entrants have come or gone") is (seats > 2)
    for start, table in Counter((block.start, tuple(sorted(block.table))) for block in many).items():
        assert table == 1, f"the same table has {start} twice"


def test_a_round_robin_of_pairs_that_grew_is_the_longer_one() -> None:
    """With two seats all have met as often in the end, from the same starts."""
    stages = ((3, 2), (5, 2), (5, 4))
    grown, whole = drawn(RoundRobin(4), 5, 2, *stages), drawn(RoundRobin(4), 5, 2)
    told = [sorted((tuple(sorted(block.table)), block.start) for block in blocks) for blocks in (grown, whole)]
    assert told[0] == told[1]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "before"), [(3, 5), (3, 7), (4, 6), (4, 9)])
def test_a_newcomer_at_larger_tables_meets_everybody_about_as_often(seats: int, before: int) -> None:
    cycles = 6
    added = drawn(RoundRobin(cycles), before + 1, seats, (before, cycles), (before + 1, cycles))
    added = added[len(drawn(RoundRobin(cycles), before, seats)) :]
    assert all(before in block.table for block in added)
    met = Counter(pair for block in added for pair in combinations(sorted(block.table), 2))
    own = [met[other, before] for other in range(before)]
    assert max(own) - min(own) <= 2 and cycles <= sum(own) / before < cycles + 1
    others = [met[pair] for pair in combinations(range(before), 2)]
    assert max(others) - min(others) <= 3, "the others sit with each other about equally often as well"


@pytest.mark.parametrize("seats", [2, 3])
def test_blocks_of_those_who_are_out_are_left_away_and_keep_their_numbers(seats: int) -> None:
    whole, rest = drawn(RoundRobin(2), 6, seats), drawn(RoundRobin(2), 6, seats, out=(1,))
    assert rest == [block for block in whole if 1 not in block.table]


@pytest.mark.first(1)
@pytest.mark.parametrize("shape", [Gauntlet(1, 2), RoundRobin(2)])
def test_many_old_versions_take_no_game_from_a_newcomer(shape: RoundRobin | Gauntlet) -> None:
    """At tables of three, six of eight have changed three times since: the newest one plays as many games as ever."""
    stages = [(8, 2), (14, 2, *range(2, 8)), (20, 2, *range(2, 14)), (26, 2, *range(2, 20))]
    blocks = drawn(shape, 26, 3, *stages, out=tuple(range(2, 20)))
    newest = [block for block in blocks if 25 in block.table]
    fresh = [block for block in drawn(shape, 8, 3) if 7 in block.table]
    assert len(newest) >= len(fresh) > 0
    assert len({(block.start, block.table) for block in blocks}) == len(blocks)


def test_a_field_that_has_changed_as_a_whole_plays_on() -> None:
    blocks = drawn(RoundRobin(1), 6, 3, (3, 1), (6, 1, 0, 1, 2), out=(0, 1, 2))
    assert [block.table for block in blocks] == [(3, 4, 5)]


@pytest.mark.slow
def test_an_entrant_comes_goes_and_comes_back_and_nothing_is_played_twice(tmp_path: Path) -> None:
    names = three(tmp_path)
    program(tmp_path, "fourth", LAST)
    with league(tmp_path, names, cycles=2) as journal:
        play(journal)
        before = list(journal.outcomes())
    with league(tmp_path, (*names, "fourth"), cycles=2) as journal:
        assert journal.changes == ["fourth is new here: only its games are played"]
        run = play(journal)
        assert (run.there, run.played, run.total, journal.games) == (12, 12, 24, 24)
        assert list(journal.outcomes())[:12] == before
        assert all(3 in result.seats for result in list(journal.results())[12:])
        assert check(journal).right == 24
    with league(tmp_path, ("first", "middle", "fourth"), cycles=2) as journal:
        assert journal.changes == ["last is in the file no more: its games are kept, and do not count"]
        run = play(journal)
        assert (run.there, run.played, run.total, journal.games) == (12, 0, 12, 24)
        found = counted(journal.plan(), journal.results())
        assert (found.count.games, found.beyond, found.aside) == (12, 0, 12)
        assert all(1 not in result.seats for result in found.results)
        assert check(journal).right == 24
        plan = journal.plan()
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        assert journal.changes == [] and journal.plan() == plan, "as `verify --show-secret` opens it"
    with league(tmp_path, (*names, "fourth"), cycles=3) as journal:
        assert journal.changes == ["last is back: its kept games count again"]
        run = play(journal)
        assert (run.there, run.played, journal.games) == (24, 12, 36)
        assert counted(journal.plan(), journal.results()).count.games == 36
        assert not check(journal).wrong
        assert list(journal.outcomes())[:12] == before
    with league(tmp_path, (*names, "fourth"), cycles=3) as journal:
        assert journal.changes == [] and play(journal).played == 0
    with pytest.raises(TournamentError, match="another tournament: stages of"):
        league(tmp_path, (*names, "fourth"), cycles=2)


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("form", "then", "more", "why"),
    [
        ('kind = "gauntlet"', 'kind = "gauntlet"', "", "nobody can come, go or change here: the seeds of a gauntlet"),
        ("", "", '[stop]\nentrant = "last"', r"here: the test of \[stop\] holds only for"),
        ('kind = "swiss"\nrounds = 1', "", "", "is the journal of another tournament"),
    ],
)
def test_nobody_leaves_a_test_nor_a_swiss_nor_a_seed(tmp_path: Path, form: str, then: str, more: str, why: str) -> None:
    names = three(tmp_path)
    with league(tmp_path, names, form=form, more=more) as journal:
        play(journal)
    with pytest.raises(TournamentError, match=why):
        league(tmp_path, names[1:], form=then, more=more)


@pytest.mark.slow
def test_a_changed_program_plays_on_under_its_name_as_a_new_version(tmp_path: Path) -> None:
    """The unchanged ones play no game among themselves again; the old version comes back with its file."""
    names = three(tmp_path)
    with league(tmp_path, names, cycles=1) as journal:
        play(journal)
        before = list(journal.outcomes())
    old = (tmp_path / "last.py").read_text()
    program(tmp_path, "last", LAST + " ")
    with league(tmp_path, names, cycles=1) as journal:
        assert journal.changes == ["last has changed: it plays on as version 2, from its first game on"]
        run = play(journal)
        assert (run.there, run.played, run.total, journal.games) == (2, 4, 6, 10)
        plan = journal.plan()
        assert plan.versions(1) == [1, 3] and plan.out == (1,) and plan.gone == ()
        assert list(journal.outcomes())[:6] == before and not check(journal).wrong
    (tmp_path / "last.py").write_text(old)
    with league(tmp_path, names, cycles=1) as journal:
        assert journal.changes == ["last is back: its kept games count again"]
        assert play(journal).played == 0
    with league(tmp_path, ("middle", "first"), cycles=1) as journal:
        assert journal.changes == ["last is in the file no more: its games are kept, and do not count"]


@pytest.mark.parametrize("form", ['kind = "gauntlet"', ""])
def test_an_order_alone_changes_nothing_that_was_played(tmp_path: Path, form: str) -> None:
    names = three(tmp_path)
    with league(tmp_path, names, form=form) as journal:
        play(journal)
    with pytest.raises(TournamentError, match="stand in another order"):
        league(tmp_path, names[::-1], form=form)


def test_a_test_is_over_when_a_program_has_changed(tmp_path: Path) -> None:
    names = three(tmp_path)
    with league(tmp_path, names, cycles=1, more="[stop]") as journal:
        play(journal)
    program(tmp_path, "last", LAST + " ")
    with pytest.raises(TournamentError, match=r"change here: the test of \[stop\] .*last has changed"):
        league(tmp_path, names, cycles=1, more="[stop]")
