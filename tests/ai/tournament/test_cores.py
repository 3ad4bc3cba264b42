"""Workers that stay on a core, with all that they start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quadrille.ai.tournament.plans.plan_file import PlanError, parse
from quadrille.ai.tournament.play import cores
from quadrille.ai.tournament.play.processes import Processes

PLAN = """{top}
[[entrant]]
bot = "random"
[[entrant]]
bot = "greedy"
[[game]]
game = "maze"
"""


def where(_: int) -> tuple[int, set[int], set[int]]:
    """In a worker: which process it is, and on which cores it and what it starts may be."""
    asked = "import os; print(*os.sched_getaffinity(0))"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True, text=True)
    return os.getpid(), os.sched_getaffinity(0), set(map(int, said.stdout.split()))


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process chooses its cores")
@pytest.mark.slow
def test_a_worker_and_what_it_starts_stay_on_one_core() -> None:
    workers = Processes(cores.cores(), pinned=True)
    with workers.open() as pool:
        found = {pid: (own, started) for pid, own, started in pool.map(where, range(4 * cores.cores()))}
    for own, started in found.values():
        assert len(own) == 1 and own == started
        assert own <= set(cores.usable())
    assert len({core for own, _ in found.values() for core in own}) == len(found), "two have the same"


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process chooses its cores")
@pytest.mark.slow
def test_others_go_where_the_system_puts_them() -> None:
    with Processes(1).open() as pool:
        _, own, started = pool.submit(where, 0).result()
    assert own == started == set(cores.usable())


def test_a_core_is_left_where_a_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for count, clocked, free in ((1, 1, 1), (2, 1, 2), (8, 7, 8)):
        monkeypatch.setattr(cores, "usable", lambda count=count: tuple(range(count)))
        assert (cores.slots(clocked=True), cores.slots(clocked=False)) == (clocked, free)


def test_a_file_says_so(tmp_path: Path) -> None:
    assert not parse(PLAN.format(top=""), str(tmp_path)).pinned
    plan = parse(PLAN.format(top="pinned = true"), str(tmp_path))
    assert plan.pinned
    assert plan.plain() == parse(PLAN.format(top=""), str(tmp_path)).plain(), "it is the same tournament"
    with pytest.raises(PlanError, match="pinned takes true or false"):
        parse(PLAN.format(top='pinned = "yes"'), str(tmp_path))
