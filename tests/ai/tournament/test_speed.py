"""The speed of a machine: the work that is its unit stays the same, and times are given by it where it is wanted."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Time
from quadrille.ai.tournament.plans.plan_file import PlanError, parse
from quadrille.ai.tournament.play import playing, speed
from quadrille.client.tournament.report import page
from quadrille.client.tournament.tables import data, standing_of, text
from quadrille.net.entries.terms import TimeControl
from tests.ai.tournament.programs import FIRST, LAST, NO_BOX, clear, file, play, program


def test_the_work_is_what_it_always_was() -> None:
    assert (speed.UNIT, speed.work(), speed.work()) == (1000, 733480, 733480)


class Steps:
    """A clock on which every look takes its next time, in seconds."""

    def __init__(self, *takes: float) -> None:
        self.now, self.takes = 0.0, list(takes)

    def perf_counter(self) -> float:
        self.now += self.takes.pop(0) if self.takes else 0.01
        return self.now


def test_the_quickest_round_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many were disturbed."""
    monkeypatch.setattr(speed, "time", Steps(0, 0, 0.5, 0.0014, 0.002))
    assert speed.Speed()() == 0.714


def test_a_machine_may_become_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or quicker: it is measured again, and not for each game."""
    clock = Steps(0, 0, 0.5, 0.0014, 0.002)
    monkeypatch.setattr(speed, "time", clock)
    found = speed.Speed()
    first = [found() for _ in range(100)]
    clock.now += speed.KEPT
    clock.takes = [0, 0, 0.4, 0.0028, 0.004]
    assert {*first} == {0.714}
    assert (found(), found()) == (0.357, 0.357)


def test_times_are_divided_by_the_speed() -> None:
    clock = Time(TimeControl(60_000, 500), move=10_000, budget=200, period=5, scaled=True)
    assert clock.at(0.5) == Time(TimeControl(120_000, 1000), move=20_000, budget=400, period=5)
    assert clock.at(1.0) == replace(clock, scaled=False)
    assert Time(move=1000, bank=3000, margin=70, scaled=True).at(1.5) == Time(move=667, bank=2000, margin=70)
    assert Time(TimeControl(1, 0), budget=1, scaled=True).at(8.0) == Time(TimeControl(1, 0), move=7500, budget=1)
    plain = Time(TimeControl(60_000, 500))
    assert plain.at(0.5) is plain


#: A program that writes down the clock that it is given.
NOTED = 'open("clocks", "a").write(json.dumps(said["clock"]) + "\\n")'


def test_bots_are_given_it_and_the_journal_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "first", FIRST, before=NOTED)
    program(tmp_path, "last", LAST)
    monkeypatch.setattr(playing, "speed", lambda: 0.5)
    for scaled, initial in (("true", 20_000), ("false", 10_000)):
        more = f'{NO_BOX}[time]\nclock = "10s+1s"\nscaled = {scaled}'
        plan = parse(file(("first", "last"), cycles=1, more=more), str(tmp_path))
        assert ("scaled" in plan.contests[0].clock) == (scaled == "true")
        with Journal(tmp_path / f"{scaled}.sqlite", plan=plan) as journal:
            play(journal)
            clear()
            assert journal.plan() == plan
            assert [outcome.speed for outcome in journal.outcomes()] == [0.5, 0.5]
            row = f'{{"initial": {initial}, "increment": {initial // 10}}}'
            assert (tmp_path / "clocks").read_text().splitlines()[-2:] == [row, row]


@contextmanager
def played(folder: Path, cycles: int) -> Iterator[Journal]:
    """The journal of two who have met so often."""
    program(folder, "first", FIRST)
    program(folder, "last", LAST)
    plan = parse(file(("first", "last"), cycles=cycles), str(folder))
    with Journal(folder / "one.sqlite", plan=plan) as journal:
        play(journal)
        clear()
        yield journal


def test_whoever_looks_is_told_of_slow_machines(tmp_path: Path) -> None:
    with played(tmp_path, 2) as journal:
        outcomes = [
            replace(outcome, host=f"<{'ab'[outcome.number % 2]}>", speed=(1.2, 0.6)[outcome.number % 2])
            for outcome in journal.outcomes(records=False)
        ]
        found = standing_of(journal, outcomes)
        alike = standing_of(journal, [replace(outcome, speed=1.0) for outcome in outcomes])
    assert "Machine <b> is 0.50 times as quick as <a>; bots had the same time there." in text(found)
    assert [(host["name"], host["speed"]) for host in data(found)["hosts"]] == [("<a>", 1.2), ("<b>", 0.6)]
    assert "times as quick" not in text(alike)


def test_the_report_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "speed", lambda: 0.71)
    with played(tmp_path, 1) as journal:
        assert re.search(r"<th>speed.*?<td>0\.71", page(journal, 0))


def test_peers_are_not_scaled(tmp_path: Path) -> None:
    rows = '[time]\nclock = "1m"\nscaled = true\n[[game]]\ngame = "maze"\n[[entrant]]\nbot = "random"\n[[entrant]]\n'
    with pytest.raises(PlanError, match="afar plays on its owner's: leave it out") as refused:
        parse(f'{rows}name = "afar"\npeer = "{"0a" * 32}"', str(tmp_path))
    assert refused.value.line == 3
    with pytest.raises(PlanError, match="scaled takes true or false"):
        parse('[time]\nscaled = "much"', str(tmp_path))
