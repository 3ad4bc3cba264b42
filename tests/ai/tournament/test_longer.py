"""A tournament may become longer while it is played: all that was played stays, and is how the longer one begins."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest, Format, Schedule
from quadrille.ai.tournament.schedules.swiss import Swiss
from tests.ai.tournament.programs import file, play, three
from tests.ai.tournament.simulated import bradley_terry, run

STRENGTHS = [2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0]


def blocks(format: Format, entrants: int, seats: int) -> list[Any]:
    names = [f"bot {number}" for number in range(entrants)]
    schedule = Schedule("longer", names, [Contest("maze", (), seats)], format)
    return run(schedule, bradley_terry(STRENGTHS))[0]


@pytest.mark.parametrize(("entrants", "seats"), [(7, 2), (7, 3), (2, 2)])
@pytest.mark.parametrize(
    ("short", "long"),
    [(RoundRobin(2), RoundRobin(5)), (Gauntlet(1, 1), Gauntlet(1, 3)), (Swiss(3), Swiss(6))],
)
def test_a_longer_one_begins_as_the_shorter_one(short: Format, long: Format, entrants: int, seats: int) -> None:
    few, many = blocks(short, entrants, seats), blocks(long, entrants, seats)
    assert len(few) < len(many) and many[: len(few)] == few


def test_it_goes_on_with_more_cycles_and_keeps_its_games(tmp_path: Path) -> None:
    names, path = three(tmp_path), tmp_path / "one.sqlite"
    short, long = (parse(file(names, cycles=cycles), str(tmp_path)) for cycles in (1, 3))
    with Journal(path, plan=short) as journal:
        play(journal)
        before = list(journal.outcomes())
    with Journal(path, plan=long) as journal:
        run = play(journal)
        assert (run.there, run.played, journal.games) == (6, 12, 18)
        assert list(journal.outcomes())[:6] == before
        assert journal.plan() == long
    with pytest.raises(TournamentError, match=r"cycles of \[format\] is 1 here and 3 there"):
        Journal(path, plan=short)
    with pytest.raises(TournamentError, match="another tournament"):
        Journal(path, plan=replace(long, format=RoundRobin(4), seed="another"))
    with pytest.raises(TournamentError, match="another tournament"):
        Journal(path, plan=replace(long, format=Swiss(3)))
