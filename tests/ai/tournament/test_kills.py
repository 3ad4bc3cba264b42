"""Runs and workers that are killed at any moment: the end is that of a calm run, and nobody stays behind."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from quadrille.ai.tournament.journal import Journal
from quadrille.rules.chance import Stream
from tests.ai.tournament.programs import FIRST, LAST, file, left_in, program, soon, told

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL") or not Path("/proc").exists(), reason="reads /proc")
RUN = [sys.executable, "-m", "quadrille.client.cli", "tournament", "run"]
#: Bots that take their time, so that kills come in the middle of games.
PAUSE = "time.sleep(0.002) or "


def begin(folder: Path, name: str) -> subprocess.Popen[bytes]:
    """A run, from the folder of its file; what works there belongs to it."""
    words = [*RUN, f"{name}.toml", "--quiet", "--untried"]
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def ends(run: subprocess.Popen[bytes]) -> int:
    _, said = run.communicate(timeout=120)
    assert b"Traceback" not in said, said.decode()
    return run.returncode


def games(path: Path) -> int:
    """How many games have been kept."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as file:
            count = file.execute("SELECT count(*) FROM games").fetchone()[0]
        file.close()
    except sqlite3.OperationalError:
        return 0
    return int(count)


def workers(run: subprocess.Popen[bytes]) -> list[int]:
    """The processes in which games are played."""
    tasks = Path(f"/proc/{run.pid}/task").glob("*")
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def disturbed(folder: Path, kills: int, cycles: int) -> None:
    """A tournament that is killed so often, and the same in peace."""
    program(folder, "first", PAUSE + FIRST)
    program(folder, "last", PAUSE + LAST)
    for name in ("calm", "wild"):
        (folder / f"{name}.toml").write_text(file(("first", "last"), cycles=cycles, top="at_once = 2"), "utf-8")
    assert ends(begin(folder, "calm")) == 0
    dice, wild, killed = Stream("kills", str(kills)), folder / "wild.sqlite", 0
    run = begin(folder, "wild")
    while killed < kills and run.poll() is None:
        goal = games(wild) + dice.randrange(4)
        if not soon(lambda goal=goal, run=run: games(wild) >= goal or run.poll() is not None):
            break
        there = workers(run) if run.poll() is None else []
        if run.poll() is None and there and dice.randrange(2):
            os.kill(there[dice.randrange(len(there))], signal.SIGKILL)
        elif run.poll() is None:
            run.kill()
            run.communicate()
            assert soon(lambda: left_in(folder) == [], 2), left_in(folder)
            run = begin(folder, "wild")
        killed += 1
    assert killed == kills, "the tournament was over too soon: give it more games"
    assert ends(run) == 0
    assert soon(lambda: left_in(folder) == [], 2), left_in(folder)
    with Journal(folder / "calm.sqlite") as calm, Journal(wild) as found:
        assert told(found) == told(calm)
        assert found.games == 2 * cycles


def test_a_few_kills_change_nothing(tmp_path: Path) -> None:
    disturbed(tmp_path, 3, 12)


@pytest.mark.slow
def test_many_kills_change_nothing(tmp_path: Path) -> None:
    disturbed(tmp_path, 24, 60)


def test_ctrl_c_finishes_games_and_a_second_one_does_not(tmp_path: Path) -> None:
    program(tmp_path, "first", "time.sleep(0.05) or " + FIRST)
    program(tmp_path, "last", LAST)
    (tmp_path / "one.toml").write_text(file(("first", "last"), cycles=50, top="at_once = 2"), "utf-8")
    path = tmp_path / "one.sqlite"
    run = begin(tmp_path, "one")
    assert soon(lambda: games(path) >= 2)
    run.send_signal(signal.SIGINT)
    assert ends(run) == 130
    finished = games(path)
    assert 2 <= finished < 100
    with Journal(path) as journal:
        assert journal.voids() == []
    run = begin(tmp_path, "one")
    assert soon(lambda: games(path) > finished)
    run.send_signal(signal.SIGINT)
    assert run.poll() is None or run.returncode == 130
    run.send_signal(signal.SIGINT)
    assert ends(run) == 130
    assert soon(lambda: left_in(tmp_path) == [], 2), left_in(tmp_path)
