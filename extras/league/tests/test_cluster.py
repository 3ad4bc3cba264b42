"""A Dask cluster on this machine, of which a worker is killed: no game is lost, and none is there twice."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

import pytest

from quadrille.ai.missing import MissingLibrary
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.play.farm import AHEAD
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import OVER, Ended, Event, Void, Warned
from quadrille.extras.league import cluster
from quadrille.extras.league.cluster import LOOKS, Cluster, Pulse, scheduler
from tests.ai.tournament import programs
from tests.ai.tournament.programs import FIRST, TWO, left_in, play, program, told
from tests.waiting import DEADLINE, soon


def test_addresses() -> None:
    assert scheduler("dask://127.0.0.1:8786") == "tcp://127.0.0.1:8786"
    assert scheduler("dask://localhost:8786") == "tcp://localhost:8786"
    assert scheduler("dask://10.0.0.5:8786") == "tls://10.0.0.5:8786", "whoever can speak to a cluster rules it"
    assert scheduler("dask+tcp://10.0.0.5:8786") == "tcp://10.0.0.5:8786"
    assert scheduler("dask+tls://[::1]:8786") == "tls://[::1]:8786"
    for wrong in ("cloud", "dask://host", "tcp://host:1", "dask://:8786", "dask://host:port", "ray://host:1"):
        with pytest.raises(TournamentError, match="is no cluster: write dask://HOST:PORT"):
            scheduler(wrong)


#: The address of a cluster, the process of its scheduler, and those of its workers.
Begun: TypeAlias = tuple[str, list["subprocess.Popen[bytes]"]]
#: What a worker is begun with, in the folder of its scheduler.
A_WORKER = ("--scheduler-file", "scheduler.json", "--nthreads", "1", "--local-directory", "work")


def begin_in(folder: Path, what: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.{what}", "--no-dashboard", *words]
    nothing = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, stdout=nothing, stderr=nothing, start_new_session=True)


@contextmanager
def cluster_in(folder: Path, pem: Path | None = None) -> Iterator[Begun]:
    """Yield a scheduler and two workers, that work in a folder; encrypted with the certificates that are made there."""
    distributed = pytest.importorskip("distributed")
    told_by = folder / "scheduler.json"
    words = ["--host", f"{'tls' if pem else 'tcp'}://127.0.0.1", "--port", "0", "--scheduler-file", str(told_by)]
    more = ("--tls-ca-file", "ca.pem", "--tls-cert", "our.pem", "--tls-key", "our.key") if pem else ()
    programs: list[subprocess.Popen[bytes]] = []

    def begin(what: str, *words: str) -> None:
        programs.append(begin_in(folder, what, *words, *more))

    try:
        begin("dask_scheduler", *words)
        assert soon(lambda: told_by.exists() and b"://" in told_by.read_bytes())
        for _ in range(2):
            begin("dask_worker", *A_WORKER)
        address = json.loads(told_by.read_text())["address"]
        files = dict.fromkeys(("tls_ca_file", "tls_client_cert", "tls_client_key"), str(pem)) if pem else {}
        security = distributed.Security(**files)
        with distributed.Client(address, timeout=DEADLINE, set_as_default=False, security=security) as client:
            client.wait_for_workers(2, timeout=DEADLINE)
        yield "dask://" + address.split("://")[1], programs
    finally:
        for one in programs:
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGCONT)
            one.terminate()
        for one in programs:
            try:
                one.wait(10)
            except subprocess.TimeoutExpired:  # a worker whose scheduler is gone looks for it for long
                os.killpg(one.pid, signal.SIGKILL)
                one.wait(10)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Begun]:
    with cluster_in(tmp_path) as found:
        yield found


def plan_in(folder: Path, cycles: int, *, is_slow: bool = False) -> Plan:
    """Return a tournament of two programs; a slow one leaves time to disturb it."""
    program(folder, "first", "time.sleep(0.002) or " + FIRST if is_slow else FIRST)
    return programs.plan_in(folder, TWO, cycles=cycles, size=4)


@pytest.mark.slow
def test_a_cluster_that_goes_ends_the_run_and_keeps_what_is_there(
    tmp_path: Path, address: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = pytest.importorskip("dask").config
    where, (dealer, *_) = address
    plan = plan_in(tmp_path, 300, is_slow=True)

    def tell(event: Event) -> None:
        if isinstance(event, Ended) and event.outcome.number == 20:
            monkeypatch.setattr(cluster, "PATIENCE", 2)
            dealer.kill()

    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        with (
            config.set({"distributed.comm.timeouts.connect": "2s"}),
            pytest.raises(TournamentError, match="does not answer"),
            Run(plan, journal, Cluster(where), tell) as run,
        ):
            run.go()
        assert 20 <= journal.games < 600
    assert soon(lambda: not [words for words in left_in(tmp_path) if "first.py" in words])


def test_who_is_not_heard_of_in_so_many_looks_is_silent() -> None:
    pulse = Pulse()
    assert (pulse.silent, pulse.heard) == (set(), set())
    for look in range(LOOKS):
        pulse.look({"a": 5.0, "b": float(look)})
        assert (pulse.silent, pulse.heard) == (set(), {"a", "b"}), look
    pulse.look({"a": 5.0, "b": 100.0, "new": 1.0})
    assert (pulse.silent, pulse.heard) == ({"a"}, {"b", "new"})
    pulse.look({"a": 6.0, "b": 100.0})
    assert (pulse.silent, pulse.heard) == (set(), {"a", "b"}), "it has woken, and another is gone"
    for _ in range(LOOKS):
        pulse.look({"a": 6.0, "b": 100.0})
    assert pulse.silent == {"a", "b"}
    assert pulse.among is None, "there is nobody else"
    pulse.forgive()
    pulse.look({"a": 6.0, "b": 100.0})
    assert pulse.heard == {"a", "b"}
    pulse = Pulse({"a": 5.0, "b": 1.0}, {"a"})
    assert pulse.among == {"b"}
    pulse.look({"a": 5.0, "b": 1.0})
    assert pulse.silent == {"a"}, "as long as nothing is heard of it"
    pulse.look({"a": 6.0, "b": 1.0})
    assert pulse.among is None


@pytest.mark.slow
@pytest.mark.parametrize("is_killed", [True, False], ids=["killed", "frozen and woken"])
def test_the_games_of_a_lost_worker_are_given_to_others(tmp_path: Path, *, is_killed: bool) -> None:
    """Of a frozen one long before the scheduler gives it up, whose `worker-ttl` is what it usually is. It is left as it
    is: so it may wake in the middle of a game that somebody else has played meanwhile.
    """
    plan = plan_in(tmp_path, 40, is_slow=True)
    with Journal(tmp_path / "calm.sqlite", plan=plan) as journal:
        play(journal)
        calm = told(journal)
    victims: list[int] = []
    lost: list[Void] = []
    woken: list[Void] = []
    ended: list[int] = []

    def send(what: signal.Signals) -> None:
        for worker in victims:
            os.kill(worker, what)

    def tell(event: Event) -> None:
        if isinstance(event, Ended):
            ended.append(event.outcome.number)
            if event.outcome.number == 20:
                victims.extend(_workers(nannies[0].pid))
                send(signal.SIGKILL if is_killed else signal.SIGSTOP)
        if isinstance(event, Void):
            lost.append(event)
            if not is_killed and not woken and "not heard of" in event.why:
                stats = [Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2] for worker in victims]
                assert {stat.split()[0] for stat in stats} == {"T"}, "nanny and scheduler leave it alone, frozen"
                woken.append(event)
                send(signal.SIGCONT)

    with cluster_in(tmp_path) as (where, (_, *nannies)), Journal(tmp_path / "wild.sqlite", plan=plan) as journal:
        began = time.monotonic()
        with Run(plan, journal, Cluster(where, 2, silence=10), tell) as run:
            run.try_all()
            assert run.go() == OVER
        assert time.monotonic() - began < 200, "its scheduler gives a frozen one up after 300 seconds"
        assert victims and sorted(ended) == list(range(80))
        assert told(journal) == calm
        if not is_killed:
            send(signal.SIGKILL)
            assert len({event.number for event in lost}) <= 2 * AHEAD, "what was in flight"
            assert all(re.search(r"was not heard of for 10 seconds|did not hand it over", event.why) for event in lost)
            assert any(re.search(r"worker at tcp://\S+ was not heard of", event.why) for event in lost)
    assert soon(lambda: not left_in(tmp_path))


@pytest.mark.slow
def test_without_workers_a_run_says_so_and_waits(tmp_path: Path, address: Begun) -> None:
    where, programs = address
    plan = plan_in(tmp_path, 20, is_slow=True)
    told: list[str] = []
    nobody = f"the cluster at tcp{where.removeprefix('dask')} has no worker: games wait until one comes"

    def tell(event: Event) -> None:
        if isinstance(event, Ended) and event.outcome.number == 5:
            for nanny in programs[1:]:
                nanny.terminate()
        if isinstance(event, Warned):
            told.append(event.why)
            if event.why == nobody:
                programs.append(begin_in(tmp_path, "dask_worker", *A_WORKER))

    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        with Run(plan, journal, Cluster(where, 2, silence=4), tell) as run:
            assert run.go() == OVER
        assert journal.games == 40
    # a look may fall between the end of the one and the end of the other
    assert [why for why in told if not re.match(r"the worker at \S+ is gone from the cluster", why)] == [nobody]
    assert told[-1] == nobody
    programs[-1].terminate()
    assert programs[-1].wait(30) is not None


@pytest.mark.slow
def test_a_worker_that_was_frozen_before_is_left_out(tmp_path: Path, address: Begun) -> None:
    where, (_, *nannies) = address
    plan = plan_in(tmp_path, 5)
    for worker in _workers(nannies[0].pid):
        os.kill(worker, signal.SIGSTOP)
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal, Run(plan, journal, Cluster(where)) as run:
        assert run.workers.slots == 1
        run.try_all()
        assert run.go() == OVER
        assert journal.voids() == [], "nothing was given to it, that would have had to be taken back"


def certificates(folder: Path) -> Path:
    """Return an authority and what it has signed, in one file; made by openssl, where there is one."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl here")

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    new = ("-newkey", "rsa:2048", "-nodes", "-subj")
    openssl("req", "-x509", *new, "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2")
    openssl("req", *new, "/CN=player", "-keyout", "our.key", "-out", "our.csr")
    signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2")
    openssl("x509", "-req", "-in", "our.csr", *signed, "-out", "our.pem")
    all_of_it = folder / "all.pem"
    all_of_it.write_bytes(b"".join((folder / name).read_bytes() for name in ("our.pem", "our.key", "ca.pem")))
    return all_of_it


def configured(pem: Path) -> AbstractContextManager[object]:
    """Dask's configuration with one file for the certificate of the cluster's authority, one of ours, and its key."""
    dask, name = pytest.importorskip("dask"), str(pem)
    found: AbstractContextManager[object] = dask.config.set(
        {f"distributed.comm.tls.{key}": name for key in ("ca-file", "client.cert", "client.key")}
    )
    return found


def test_a_way_that_can_not_be_encrypted_is_refused_at_once(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(TournamentError, match=r"^the way to tls://10\..*: name them in its configuration"):
        Cluster("dask://10.255.255.1:8786")
    (tmp_path / "odd.pem").write_text("BEGIN CERTIFICATE\n" * 2 + "PRIVATE KEY")
    with (
        configured(tmp_path / "odd.pem"),
        pytest.raises(TournamentError, match=r"^the certificates for tls://10\..* can't be used"),
    ):
        Cluster("dask://10.255.255.1:8786")


@pytest.mark.slow
def test_an_encrypted_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    pem = certificates(tmp_path)
    plan = plan_in(tmp_path, 5)
    with cluster_in(tmp_path, pem) as (where, _):
        with (
            configured(pem),
            Journal(tmp_path / "one.sqlite", plan=plan) as journal,
            Run(plan, journal, Cluster(where.replace("dask:", "dask+tls:"), 2)) as run,
        ):
            run.try_all()
            assert run.go() == OVER
            assert journal.games == 10
        with pytest.raises(TournamentError, match="Dask knows no certificates"):
            Cluster(where.replace("dask:", "dask+tls:"))
        (tmp_path / "others").mkdir()
        with configured(certificates(tmp_path / "others")), pytest.raises(TournamentError, match="does not answer"):
            Cluster(where.replace("dask:", "dask+tls:"), 2)


def _workers(nanny: int) -> list[int]:
    """Return the process in which a worker's games are played."""
    tasks = Path(f"/proc/{nanny}/task").glob("*")
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_a_worker_that_is_gone_is_mentioned() -> None:
    """Its games are played again by others: nothing is lost, and somebody should know."""
    cluster = object.__new__(Cluster)
    cluster._address, cluster._pulse = "tcp://a:1", Pulse({"tcp://b:2": 1.0, "tcp://c:3": 1.0, "tcp://d:4": 1.0})
    assert cluster.trouble == ""
    cluster._pulse.look({"tcp://b:2": 2.0, "tcp://d:4": 2.0})
    assert cluster.trouble.startswith("the worker at tcp://c:3 is gone from the cluster: games that were there")
    cluster._pulse.look({"tcp://d:4": 3.0})
    assert cluster.trouble.startswith("the workers at tcp://b:2 and tcp://c:3 are gone")
    assert "1 play on" in cluster.trouble
    cluster._pulse.look({"tcp://b:2": 4.0, "tcp://c:3": 4.0, "tcp://d:4": 4.0})
    assert cluster.trouble == ""
    cluster._pulse.look({})
    assert "has no worker" in cluster.trouble


def test_where_dask_is_missing_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingLibrary, match="distributed is not installed: install it with pip install distributed"):
        Cluster("dask://127.0.0.1:1")
