"""The processor time of bots that hide it: children that nobody waits for, orphans, other processors."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots.process import cgroup
from quadrille.ai.bots.process.program import Program
from quadrille.ai.tournament.journals.journal import Journal
from tests.ai.bots.test_program import ended
from tests.ai.bots.test_system_calls import boxed, way
from tests.ai.tournament.programs import FIRST, THREE, program, write_file
from tests.ai.tournament.test_attacks import CLI, MODES, NAMESPACES

__all__ = ["way"]
pytestmark = pytest.mark.skipif(not NAMESPACES, reason="needs a system that lets programs make namespaces")

#: Let children of 15 ms work one after the other, 3 seconds in all. `AT_THE_END` says how a child is waited for.
HIDES = """
import os, signal, sys, time
def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
signal.signal(signal.SIGCHLD, HOW)
for _ in range(COUNT):
    ready, done = os.pipe()
    if os.fork() == 0:
        os.close(ready)
        work(0.015)
        os._exit(0)
    os.close(done)
    os.read(ready, 1)  # until it has ended
    os.close(ready)
    if HOW == signal.SIG_DFL: os.wait()
"""


def hides(how: str, count: int = 200, **limits: Any) -> Program:
    return boxed(HIDES.replace("HOW", f"signal.{how}").replace("COUNT", str(count)), **limits)


@pytest.fixture(params=["cgroup", "polls"])
def counted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "polls":
        monkeypatch.setattr(cgroup, "make", lambda *_: None)
    elif cgroup._writable() is None:
        pytest.skip("this system gives no cgroup in which others can be made")
    return str(request.param)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["SIG_IGN", "SIG_DFL"])
def test_children_that_a_bot_never_waits_for_count_to_its_limit(way: str, counted: str, how: str) -> None:
    with hides(how, cpu=1) as bot:
        assert bot.protection is not None and bool(bot._cgroup and bot._cgroup.members) == (counted == "cgroup")
        assert "used more than its 1 seconds of processor time" in str(ended(bot))


@pytest.mark.slow
@pytest.mark.parametrize("box", ["namespaces", "landlock"])
def test_a_rogue_that_hides_its_children_changes_no_result_of_others(tmp_path: Path, box: str) -> None:
    """It loses by its limit in every game, and the others play the games that they play without it."""
    (tmp_path / "hides.txt").write_text(HIDES.replace("HOW", "signal.SIG_IGN").replace("COUNT", "300"))
    found = []
    for name, choose in (("rogue", f"(exec(open('hides.txt').read(), {{}}), {FIRST})[1]"), ("tame", FIRST)):
        program(tmp_path, "first", choose)
        more = "[limits]\ncpu = 1\nfresh = true\n[time]\nmove = '5m'\n"
        write_file(tmp_path, THREE, cycles=1, name=name, more=more)
        words = [*MODES[box], *CLI, "tournament", "run", f"{name}.toml", "--untried", "--quiet"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0, done.stderr
        with Journal(tmp_path / f"{name}.sqlite") as journal:
            outcomes = list(journal.outcomes())
        honest = [one for one in outcomes if 0 not in one.result.seats]
        assert not any(why for one in honest for why in one.whys)
        whys = [dict(zip(one.result.seats, one.whys, strict=True)) for one in outcomes if one not in honest]
        if name == "rogue":
            assert {why[0] for why in whys} == {"used more than its 1 seconds of processor time"}
        assert not any(why for row in whys for entrant, why in row.items() if entrant)
        found.append({(one.result.seats, one.result.moves, one.result.places) for one in honest})
    assert found[0] == found[1]
