"""A Dask cluster on this machine, of which a worker is killed: no game is lost, and none is there twice."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError, cluster
from quadrille.ai.tournament.cluster import Cluster, scheduler
from quadrille.ai.tournament.journal import Journal
from quadrille.ai.tournament.plan_file import parse
from quadrille.ai.tournament.run import Ended, Event, Run
from tests.ai.tournament.programs import FIRST, LAST, file, left_in, play, program, soon, told


def test_addresses() -> None:
    assert scheduler("dask://127.0.0.1:8786") == "tcp://127.0.0.1:8786"
    assert scheduler("dask://localhost:8786") == "tcp://localhost:8786"
    assert scheduler("dask://10.0.0.5:8786") == "tls://10.0.0.5:8786", "whoever can speak to a cluster rules it"
    assert scheduler("dask+tcp://10.0.0.5:8786") == "tcp://10.0.0.5:8786"
    assert scheduler("dask+tls://[::1]:8786") == "tls://[::1]:8786"
    for wrong in ("dask://host", "tcp://host:1", "dask://:8786", "dask://host:port", "ray://host:1"):
        with pytest.raises(TournamentError, match="is no cluster: write dask://HOST:PORT"):
            scheduler(wrong)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, in the folder of the test."""
    pytest.importorskip("distributed")
    told_by = tmp_path / "scheduler.json"
    quiet = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    module = [sys.executable, "-m", "distributed.cli"]
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told_by)]
    programs = [subprocess.Popen([*module[:2], "distributed.cli.dask_scheduler", *words], **quiet)]  # type: ignore[call-overload]
    try:
        assert soon(lambda: told_by.exists() and b"tcp://" in told_by.read_bytes(), 60)
        for _ in range(2):
            words = ["--scheduler-file", str(told_by), "--nthreads", "1", "--no-dashboard", "--local-directory", "work"]
            worker = [*module[:2], "distributed.cli.dask_worker", *words]
            programs.append(subprocess.Popen(worker, **quiet))  # type: ignore[call-overload]
        found = told_by.read_text().split("tcp://")[1].split('"')[0]
        yield f"dask://{found}", programs
    finally:
        for one in programs:
            one.terminate()
        for one in programs:
            one.wait(60)


@pytest.mark.slow
def test_a_worker_is_killed(tmp_path: Path, address: tuple[str, list[subprocess.Popen[bytes]]]) -> None:
    where, (_, *nannies) = address
    program(tmp_path, "first", "time.sleep(0.002) or " + FIRST)
    program(tmp_path, "last", LAST)
    plan = parse(file(("first", "last"), cycles=80, size=4), str(tmp_path))
    with Journal(tmp_path / "calm.sqlite", plan=plan) as journal:
        play(journal)
        calm = told(journal)
    killed: list[int] = []

    def tell(event: Event) -> None:
        if isinstance(event, Ended) and event.outcome.number == 40:
            killed.extend(_workers(nannies[0].pid))
            for worker in killed:
                os.kill(worker, signal.SIGKILL)

    with Journal(tmp_path / "wild.sqlite", plan=plan) as journal:
        with Run(plan, journal, Cluster(where, 2), tell) as run:
            run.try_all()
            run.go()
        assert killed
        assert journal.games == 160
        assert told(journal) == calm


@pytest.mark.slow
def test_a_cluster_that_goes_ends_the_run_and_keeps_what_is_there(
    tmp_path: Path, address: tuple[str, list[subprocess.Popen[bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = pytest.importorskip("dask").config
    monkeypatch.setattr(cluster, "PATIENCE", 2)
    where, (dealer, *_) = address
    program(tmp_path, "first", "time.sleep(0.002) or " + FIRST)
    program(tmp_path, "last", LAST)
    plan = parse(file(("first", "last"), cycles=300, size=4), str(tmp_path))

    def tell(event: Event) -> None:
        if isinstance(event, Ended) and event.outcome.number == 20:
            dealer.kill()

    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        began = time.monotonic()
        with (
            config.set({"distributed.comm.timeouts.connect": "2s"}),
            pytest.raises(TournamentError, match="does not answer"),
            Run(plan, journal, Cluster(where), tell) as run,
        ):
            run.go()
        assert time.monotonic() - began < 60
        assert 20 <= journal.games < 600
    assert soon(lambda: not [words for words in left_in(tmp_path) if "first.py" in words])


def _workers(nanny: int) -> list[int]:
    """The process in which a worker's games are played."""
    tasks = Path(f"/proc/{nanny}/task").glob("*")
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
