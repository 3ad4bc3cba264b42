"""Runs, workers and bots that are killed at any moment: the end is that of a calm run, and nobody stays behind."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quadrille.ai.bots.process.usage import children
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.tournament.standings import standing_of
from quadrille.rules.chance import Stream
from tests.ai.tournament.programs import FIRST, LAST, NO_BOX, games, left_in, program, told, working_in, write_file
from tests.waiting import soon

resource = pytest.importorskip("resource", reason="POSIX tells how large a file may be")
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL") or not Path("/proc").exists(), reason="reads /proc")
RUN = [sys.executable, "-m", "quadrille.client.cli", "tournament", "run"]
#: Bots that take their time, so that kills come in the middle of games.
PAUSE = "time.sleep(0.002) or "
AT_ONCE = 2
BOT = 2


def begin(folder: Path, name: str) -> subprocess.Popen[bytes]:
    """A run, from the folder of its file; what works there belongs to it."""
    words = [*RUN, f"{name}.toml", "--quiet", "--untried"]
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def ends(run: subprocess.Popen[bytes]) -> int:
    _, said = run.communicate(timeout=900)
    assert b"Traceback" not in said, said.decode()
    return run.returncode


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kills", "form", "boxed"),
    [(3, "cycles = 20", True), (8, "cycles = 32", False), (8, 'kind = "swiss"\nrounds = 3\nstarts = 11', False)],
)
def test_kills_change_nothing(tmp_path: Path, kills: int, form: str, boxed: bool) -> None:
    """Of a tournament so often the run, a worker or a bot is killed, and the same is played in peace. Bots in no box
    note in their folder which games they have begun. One in a box would lose, so there are only a few.
    """
    folder = tmp_path
    log = "pass" if boxed else "open('begun', 'a').write('x')"
    program(folder, "first", PAUSE + FIRST, before=log)
    program(folder, "last", PAUSE + LAST, before=log)
    for name in ("calm", "wild"):
        write_file(folder, name=name, form=form, top=f"at_once = {AT_ONCE}", more="" if boxed else NO_BOX)
    assert ends(begin(folder, "calm")) == 0
    calm = 0 if boxed else (folder / "begun").stat().st_size
    dice, wild, killed = Stream("kills", form), folder / "wild.sqlite", 0
    run = begin(folder, "wild")
    while killed < kills and run.poll() is None:
        what = dice.randrange(2 if boxed else 3)
        # a bot that is killed three times in one game has lost it: the next is killed when that one has surely ended
        goal = games(wild) + dice.randrange(4) + (5 if what == BOT else 1)
        if not soon(lambda goal=goal, run=run: games(wild) >= goal or run.poll() is not None):
            break
        match what:
            case _ if run.poll() is not None:
                break
            case 0:
                run.kill()
                run.communicate()
                assert soon(lambda: left_in(folder) == []), left_in(folder)
                run = begin(folder, "wild")
            case _:  # a worker, which is a copy of the run and below it; or a bot, or what watches over one
                there = working_in(folder)
                runs = {process for process, words in there.items() if "tournament run" in words}
                workers = [below for process in runs for below in children(process) if below in runs]
                victims = workers if what == 1 else [process for process, words in there.items() if "-I -S" in words]
                with contextlib.suppress(ProcessLookupError, IndexError):  # it, or all of them, may be gone
                    os.kill(victims[dice.randrange(len(victims) or 1)], signal.SIGKILL)
        killed += 1
    assert killed == kills, "the tournament was over too soon: give it more games"
    code = ends(run)
    assert soon(lambda: left_in(folder) == []), left_in(folder)
    with Journal(folder / "calm.sqlite") as undisturbed, Journal(wild) as found:
        assert code == standing_of(found).is_unranked
        assert told(found) == told(undisturbed)
        assert found.games == undisturbed.games
    if boxed:
        return
    # two lines a game, and of a game that was not kept: at most those that had begun are played again
    assert (folder / "begun").stat().st_size - 2 * calm <= 2 * AT_ONCE * kills


@pytest.mark.slow
def test_ctrl_c_finishes_games_and_a_second_one_does_not(tmp_path: Path) -> None:
    program(tmp_path, "first", "time.sleep(0.05) or " + FIRST)
    write_file(tmp_path, cycles=50, top="at_once = 2")
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
    assert soon(lambda: left_in(tmp_path) == []), left_in(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("early", [True, False], ids=["workers begin", "a bot is tried"])
def test_ctrl_c_before_the_first_game_stops_at_once(tmp_path: Path, early: bool) -> None:
    for name in ("silent", "mute"):
        program(tmp_path, name, "open('asked', 'w').close() or time.sleep(3600)")
    write_file(tmp_path, ("silent", "mute"), cycles=2, top="at_once = 2", more=NO_BOX)
    words = [*RUN, "one.toml", "--quiet"]
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True) as run:
        threads = Path(f"/proc/{run.pid}/task")  # which hand tasks to its workers
        assert soon(lambda: len([*threads.iterdir()]) > 1 if early else (tmp_path / "asked").exists())
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        _, said = run.communicate(timeout=900)
    assert run.returncode == 130
    assert not any(word in said for word in (b"Error", b"Traceback", b"can't be tried")), said
    with Journal(tmp_path / "one.sqlite") as journal:
        assert (journal.games, journal.voids()) == (0, [])
    assert soon(lambda: left_in(tmp_path) == []), left_in(tmp_path)
