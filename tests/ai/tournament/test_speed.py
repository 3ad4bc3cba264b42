"""The speed of a machine: the work that is its unit stays the same, and who looks is told of slow machines."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quadrille.ai.tournament.play import speed
from quadrille.client.tournament.report import page
from quadrille.client.tournament.tables import standing_of, text
from tests.ai.tournament.programs import TWO, league, play


def test_the_work_is_what_it_always_was() -> None:
    assert (speed.UNIT, speed.work(), speed.work()) == (1000, 733480, 733480)


class Steps:
    """A clock on which every look takes its next time, in seconds."""

    def __init__(self, *takes: float) -> None:
        self.now, self.takes = 0.0, list(takes)

    def perf_counter(self) -> float:
        self.now += self.takes.pop(0) if self.takes else 0.01
        return self.now


def test_the_quickest_round_counts_and_a_machine_may_become_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is measured again, and not for each game."""
    clock = Steps(0, 0, 0.5, 0.0014, 0.002)
    monkeypatch.setattr(speed, "time", clock)
    speed._measured.cache_clear()
    first = [speed.speed() for _ in range(100)]
    clock.now += speed.KEPT
    clock.takes = [0, 0, 0.4, 0.0028, 0.004]
    assert {*first} == {0.714}
    assert (speed.speed(), speed.speed()) == (0.357, 0.357)


def test_whoever_looks_is_told_of_slow_machines(tmp_path: Path) -> None:
    with league(tmp_path, TWO, cycles=1) as journal:
        play(journal)
        alike = standing_of(journal)
        with closing(sqlite3.connect(tmp_path / "one.sqlite")) as opened, opened:
            opened.execute("update games set host = iif(number % 2, '<b>', '<a>'), speed = iif(number % 2, 0.6, 1.2)")
        found = standing_of(journal)
        assert re.search(r">speed<.*?>1\.2", page(journal, 0), re.DOTALL)
    assert "Machine <b> is 0.50 times as quick as <a>; bots had the same time there." in text(found)
    assert [(name, host.speed) for name, host in found.hosts.items()] == [("<a>", 1.2), ("<b>", 0.6)]
    assert "times as quick" not in text(alike)
