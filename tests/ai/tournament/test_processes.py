"""Workers of this machine, each behind a pipe of its own: what is lost with one, and that nobody stays behind."""

import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.tournament.play import cores, processes
from quadrille.ai.tournament.play.farm import WorkerLost
from quadrille.ai.tournament.play.processes import Processes, WorkerProcess, forked
from tests.waiting import DEADLINE, soon

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="what a signal ends")


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked there only")


def copies(count: int) -> list[WorkerProcess]:
    """Workers that are copies of this process, though a test's may have threads."""
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore", DeprecationWarning)
        patch.setattr(processes, "glob", lambda _: ["1"])
        return forked(count)


@pytest.fixture(params=["imported", pytest.param("forked", marks=on_linux)])
def ready(request: pytest.FixtureRequest) -> list[WorkerProcess]:
    """Who waits for work already: nobody, or two copies of this process."""
    return copies(2) if request.param == "forked" else []


@pytest.fixture
def crew(ready: list[WorkerProcess]) -> Iterator[Processes]:
    crew = Processes(2, ready=ready)
    yield crew
    crew.kill()


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def begin(folder: Path) -> int:
    """Say that it has begun, and wait for a word."""
    (folder / "begun").touch()
    assert soon((folder / "go").exists, DEADLINE)
    return os.getpid()


def half() -> bytes:
    """An answer of which the first bytes are sent when its worker is killed, as may happen to a long one."""
    send = Connection._send  # type: ignore[attr-defined]

    def first(self: Any, buffer: bytes, *words: Any) -> None:
        send(self, buffer[:4], *words)
        os.kill(os.getpid(), signal.SIGKILL)

    Connection._send = first  # type: ignore[attr-defined]
    return bytes(100_000)


class Odd(Exception):
    """Can be sent, and not read."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def odd() -> None:
    raise Odd(1, 2)


def unable() -> None:
    raise OSError("nothing can be reached")


def lost(crew: Processes, work: Any, *words: Any) -> str:
    with pytest.raises(WorkerLost) as found:
        crew.submit(work, *words).result(DEADLINE)
    return str(found.value)


def test_a_worker_that_is_killed_with_half_of_its_answer_sent_loses_only_that(crew: Processes, tmp_path: Path) -> None:
    """Who reads answers of all workers in one pipe would wait for the rest of it, and for all others, for ever."""
    other = crew.submit(begin, tmp_path)
    assert soon((tmp_path / "begun").exists)
    before = crew.submit(os.getpid).result(DEADLINE)
    assert lost(crew, half) == "its worker was lost (SIGKILL)"
    after = crew.submit(os.getpid).result(DEADLINE)
    (tmp_path / "go").touch()
    assert len({before, after, other.result(DEADLINE)}) == 3


@pytest.mark.parametrize(
    ("work", "word", "how"),
    [
        (signal.raise_signal, 9, "SIGKILL"), (os._exit, 3, "exit code 3"),
        pytest.param(signal.raise_signal, 15, "SIGTERM", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_how_a_worker_went_is_told(crew: Processes, work: Any, word: int, how: str) -> None:
    assert lost(crew, work, word) == f"its worker was lost ({how})"
    assert crew.submit(abs, -1).result(DEADLINE) == 1


def test_workers_are_kept_and_errors_come_back(crew: Processes) -> None:
    found = set()
    for why, task, *words in (
        ("of no use", int, "of no use"), ("pickle", threading.Lock), ("missing 1 required", odd),
        (r"pickle|local object", lambda: None),
    ):  # fmt: skip
        found.add(crew.submit(os.getpid).result(DEADLINE))
        with pytest.raises(Exception, match=why):
            crew.submit(task, *words).result(DEADLINE)
    assert len(found) <= 2 and all(map(is_there, found))


def test_what_nobody_has_begun_can_be_taken_back(tmp_path: Path) -> None:
    with Processes(1) as crew:
        first, second, third = crew.submit(begin, tmp_path), crew.submit(os.getpid), crew.submit(os.getpid)
        assert soon((tmp_path / "begun").exists)
        assert (first.cancel(), second.cancel()) == (False, True)
        (tmp_path / "go").touch()
        assert first.result(DEADLINE) == third.result(DEADLINE)
        with pytest.raises(CancelledError):
            second.result()


def test_as_many_workers_start_as_are_needed() -> None:
    with Processes(50) as crew:
        assert crew.submit(abs, -1).result(DEADLINE) == 1
        assert len(crew._hands) == 1


@pytest.mark.parametrize("at_once", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_nobody_stays_behind(tmp_path: Path, ready: list[WorkerProcess], at_once: bool) -> None:
    """Not a process, and not a thread: it would still be at work when the interpreter ends (a test of Ctrl-C found
    what that one had to say, once in a thousand times).
    """
    threads = set(threading.enumerate())
    workers = Processes(2, ready=ready)
    crew = workers.open()
    ends = [crew.submit(begin, tmp_path) for _ in range(5)]
    assert soon((tmp_path / "begun").exists)
    started = [hand.process.pid for hand in crew._hands.values()]
    if not at_once:
        (tmp_path / "go").touch()
    crew.shutdown(wait=not at_once, cancel_futures=at_once)
    workers.close(at_once=at_once)
    assert started and not any(process and is_there(process) for process in started)
    assert set(threading.enumerate()) <= threads
    if at_once:
        assert sum(future.cancelled() for future in ends) >= 3
        assert all(future.cancelled() or isinstance(future.exception(0), WorkerLost) for future in ends)
    else:
        assert len({future.result(0) for future in ends}) <= 2
    with pytest.raises(RuntimeError, match="let go"):
        crew.submit(abs, -1)


def test_a_worker_that_can_not_settle_is_lost(ready: list[WorkerProcess]) -> None:
    with Processes(1, unable, ready) as crew:
        assert lost(crew, abs, -1) == "its worker was lost (exit code 1)"


@pytest.mark.parametrize("error", [BlockingIOError(11, "no room"), EOFError("no room")])
def test_where_no_process_starts_it_is_told_and_nobody_waits(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refused(_: object) -> None:
        raise error

    with Processes(1) as crew:
        with monkeypatch.context() as patch:
            patch.setattr("multiprocessing.process.BaseProcess.start", refused)
            assert lost(crew, abs, -1) == "no worker can be started: no room"
        assert crew.submit(abs, -1).result(DEADLINE) == 1


#: Scripts that begin their work when they are imported, as each worker does; the second has locked its journal.
UNGUARDED = {
    "workers": """
from quadrille.ai.tournament.play.processes import Processes
with Processes(1) as crew:
    crew.submit(abs, -1).result()
""",
    "a tournament": """
from pathlib import Path
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.processes import Processes
from quadrille.ai.tournament.run import Run
bots = "".join(f'[[entrant]]\\nname = "{name}"\\nbot = "random"\\n' for name in "ab")
plan = parse(bots + '[[game]]\\ngame = "maze"\\nseats = 2\\n', ".")
with Journal(Path("kept.sqlite"), plan=plan) as journal, Run(plan, journal, Processes(1)) as run:
    run.go()
""",
}


@pytest.mark.parametrize("script", UNGUARDED.values(), ids=UNGUARDED)
def test_a_script_that_each_worker_would_run_again_ends_with_what_to_do(tmp_path: Path, script: str) -> None:
    """Python's own refusal ended a thread of the worker, and all waited for ever."""
    (tmp_path / "script.py").write_text(script)
    words = [sys.executable, "script.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert done.returncode == 1
    assert 'put what it does below `if __name__ == "__main__":`' in done.stderr.splitlines()[-1], done.stderr


@on_linux
def test_workers_that_nobody_needed_end_with_the_others() -> None:
    waits = copies(3)
    with Processes(3, ready=waits) as crew:
        assert crew.submit(os.getpid).result(DEADLINE) == waits[-1].process.pid
    assert not any(is_there(one.process.pid or 0) for one in waits)


@on_linux
def test_a_process_with_threads_is_not_forked() -> None:
    """A lock that another thread holds would stay locked for ever."""
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    assert forked(2) == []
    over.set()
    thread.join()


def test_a_core_is_left_where_a_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for count, clocked, free in ((1, 1, 1), (2, 1, 2), (8, 7, 8)):
        monkeypatch.setattr(cores, "usable", lambda count=count: tuple(range(count)))
        assert (cores.slots(clocked=True), cores.slots(clocked=False)) == (clocked, free)
