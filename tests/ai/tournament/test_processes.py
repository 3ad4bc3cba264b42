"""Workers of this machine, each behind a pipe of its own: what is lost with one, and that nobody stays behind."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.tournament.play import cores
from quadrille.ai.tournament.play.farm import WorkerLost
from quadrille.ai.tournament.play.processes import Crew, Processes
from tests.waiting import DEADLINE, soon

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="what a signal ends")


@pytest.fixture
def crew() -> Iterator[Crew]:
    crew = Crew(2)
    yield crew
    crew.kill()


def who(_: object = None) -> int:
    return os.getpid()


def end(number: int) -> None:
    os.kill(os.getpid(), number)


def leave(code: int) -> None:
    os._exit(code)


def fail() -> None:
    raise ValueError("of no use")


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


def nothing_to_send() -> object:
    return lambda: None


def unable() -> None:
    raise OSError("nothing can be reached")


def lost(crew: Crew, work: Any, *words: Any) -> str:
    with pytest.raises(WorkerLost) as found:
        crew.submit(work, *words).result(DEADLINE)
    return str(found.value)


def test_a_worker_that_is_killed_with_half_of_its_answer_sent_loses_only_that(crew: Crew, tmp_path: Path) -> None:
    """Who reads answers of all workers in one pipe would wait for the rest of it, and for all others, for ever."""
    other = crew.submit(begin, tmp_path)
    assert soon((tmp_path / "begun").exists)
    before = crew.submit(who).result(DEADLINE)
    assert lost(crew, half) == "its worker was lost (SIGKILL)"
    after = crew.submit(who).result(DEADLINE)
    (tmp_path / "go").touch()
    assert len({before, after, other.result(DEADLINE)}) == 3


@pytest.mark.parametrize(
    ("work", "word", "how"),
    [(end, 9, "SIGKILL"), pytest.param(end, 15, "SIGTERM", marks=pytest.mark.slow), (leave, 3, "exit code 3")],
)
def test_how_a_worker_went_is_told(crew: Crew, work: Any, word: int, how: str) -> None:
    assert lost(crew, work, word) == f"its worker was lost ({how})"
    assert crew.submit(abs, -1).result(DEADLINE) == 1


def test_workers_are_kept_and_errors_come_back(crew: Crew) -> None:
    found = set()
    for work, why in (
        (fail, "of no use"), (nothing_to_send, r"pickle|local object"), (odd, "missing 1 required"),
        (lambda: None, r"pickle|local object"),
    ):  # fmt: skip
        found.add(crew.submit(who).result(DEADLINE))
        with pytest.raises(Exception, match=why):
            crew.submit(work).result(DEADLINE)
    assert found <= {process.pid for process in multiprocessing.active_children()} and len(found) <= 2


def test_what_nobody_has_begun_can_be_taken_back(tmp_path: Path) -> None:
    with Crew(1) as crew:
        first, second, third = crew.submit(begin, tmp_path), crew.submit(who), crew.submit(who)
        assert soon((tmp_path / "begun").exists)
        assert (first.cancel(), second.cancel()) == (False, True)
        (tmp_path / "go").touch()
        assert first.result(DEADLINE) == third.result(DEADLINE)
        with pytest.raises(CancelledError):
            second.result()


def test_as_many_workers_start_as_are_needed() -> None:
    before = set(multiprocessing.active_children())
    with Crew(50) as crew:
        assert crew.submit(abs, -1).result(DEADLINE) == 1
        assert len(set(multiprocessing.active_children()) - before) == 1


@pytest.mark.parametrize("at_once", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_nobody_stays_behind(tmp_path: Path, at_once: bool) -> None:
    """Not a process, and not a thread: it would still be at work when the interpreter ends (a test of Ctrl-C found
    what that one had to say, once in a thousand times).
    """
    children, threads = set(multiprocessing.active_children()), set(threading.enumerate())
    workers = Processes(2)
    crew = workers.open()
    ends = [crew.submit(begin, tmp_path) for _ in range(5)]
    assert soon((tmp_path / "begun").exists)
    if not at_once:
        (tmp_path / "go").touch()
    crew.shutdown(wait=not at_once, cancel_futures=at_once)
    workers.close(at_once=at_once)
    assert set(multiprocessing.active_children()) <= children
    assert set(threading.enumerate()) <= threads
    if at_once:
        assert sum(future.cancelled() for future in ends) >= 3
        assert all(future.cancelled() or isinstance(future.exception(0), WorkerLost) for future in ends)
    else:
        assert len({future.result(0) for future in ends}) <= 2
    with pytest.raises(RuntimeError, match="let go"):
        crew.submit(abs, -1)


def test_a_worker_that_can_not_settle_is_lost() -> None:
    with Crew(1, unable) as crew:
        assert lost(crew, abs, -1) == "its worker was lost (exit code 1)"


@pytest.mark.parametrize("error", [BlockingIOError(11, "no room"), EOFError("no room")])
def test_where_no_process_can_be_started_it_is_told_and_nobody_waits(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refused(_: object) -> None:
        raise error

    with Crew(1) as crew:
        with monkeypatch.context() as patch:
            patch.setattr("multiprocessing.process.BaseProcess.start", refused)
            assert lost(crew, abs, -1) == "no worker can be started: no room"
        assert crew.submit(abs, -1).result(DEADLINE) == 1


def test_a_core_is_left_where_a_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for count, clocked, free in ((1, 1, 1), (2, 1, 2), (8, 7, 8)):
        monkeypatch.setattr(cores, "usable", lambda count=count: tuple(range(count)))
        assert (cores.slots(clocked=True), cores.slots(clocked=False)) == (clocked, free)
