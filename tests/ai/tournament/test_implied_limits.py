"""A bot whose isolation is required has limits, whether its plan names any or not."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.implied_limits import with_limits
from tests.ai.tournament.programs import FIRST, TWO, league, plan_in, program, write_file
from tests.ai.tournament.test_attacks import CLI, NAMESPACES

REQUIRED = '[limits]\nisolate = "required"\n'


@pytest.mark.skipif(not hasattr(os, "sysconf"), reason="this system does not tell its memory")
def test_all_bots_that_may_run_at_once_fit_into_three_quarters_of_the_memory(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, more=REQUIRED)
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    for at_once, kept, programs in ((1, 1, 2), (2, 16, 6)):  # a table of two; all three entrants
        limited, said = with_limits(plan, at_once, kept)
        memory = limited.entrants[0].limits.memory
        assert memory is not None and 0 < memory * programs <= 0.75 * total
        assert f"{memory} MiB ({programs} may run at once)" in said and "ponder = false" in said
        assert {one.limits.processes for one in limited.entrants} == {64 + 2 * (os.cpu_count() or 1)}
    assert with_limits(plan, 10_000_000, 1)[0].entrants[0].limits.memory == 128, "less starts nothing"


def test_limits_of_the_plan_win_and_only_strangers_are_limited(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, more=f"{REQUIRED}memory = 77\nprocesses = 9\nponder = false\n")
    assert with_limits(plan, 2, 16) == (plan, "")
    first, *others = plan.entrants
    plan = replace(plan, entrants=(replace(first, limits=replace(first.limits, processes=None)), *others))
    limited, said = with_limits(plan, 2, 16)
    assert "MiB" not in said and "processes" in said
    assert limited.entrants[0].limits.memory == 77 and limited.entrants[1:] == plan.entrants[1:]
    for isolate in ("none", "if possible"):
        plan = plan_in(tmp_path, more=f'[limits]\nisolate = "{isolate}"\n')
        assert with_limits(plan, 2, 16) == (plan, "")


@pytest.mark.slow
@pytest.mark.skipif(not NAMESPACES, reason="needs a system that lets programs make namespaces")
def test_a_run_says_its_implied_limits_first_and_keeps_them(tmp_path: Path) -> None:
    """They are no part of the tournament: its journal goes on where the machine has other memory."""
    forks = "[os.fork() or time.sleep(60) for _ in range(300)] and None"
    program(tmp_path, "first", f"({forks}, {FIRST})[1]")
    write_file(tmp_path, TWO, cycles=1, more=REQUIRED)
    words = [*CLI, "tournament", "run", "one.toml", "--untried"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False)
    assert (
        "isolation is required: each bot for which [limits] says nothing else may have" in done.stderr.splitlines()[0]
    )
    with Journal(tmp_path / "one.sqlite") as journal:
        whys = {why for outcome in journal.outcomes() for why in outcome.whys if why}
        assert len(whys) == 1 and whys.pop().startswith(("had more than its ", "ended with exit code 1"))
    with league(tmp_path, TWO, cycles=1, more=REQUIRED) as journal:
        assert journal.games == 2
