"""Workers of a Dask cluster (extra `cluster`), which play whole games as this machine does.

The cluster belongs to others: it is queried, and left as it is. A frozen worker is not killed here, as its scheduler
does after some minutes: its games are given to others, and it gets no more of ours until it is alive again. A worker
needs this very version of this program, and the bots' files at the same place as here. Both are checked: every bot is
tried there before the first game, and its files are compared at each start.
"""

import asyncio
import ipaddress
import logging
import platform
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Set
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from quadrille import __version__
from quadrille.ai.missing import needs
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.play.farm import WorkerLost
from quadrille.rules.registry import games
from quadrille.rules.squares import quoted

#: Timeout of a cluster's answer, and of its first worker, in seconds.
PATIENCE: Final = 10
#: Seconds of silence after which a worker counts as lost; workers report every few seconds.
SILENCE: Final = 40.0
#: Number of checks within that time.
LOOKS: Final = 8
_ADDRESS: Final = re.compile(r"dask(\+tls|\+tcp)?://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):([0-9]{1,5})")


class Cluster:
    """The workers of the cluster at an address such as dask://10.0.0.5:8786."""

    def __init__(self, address: str, slots: int = 0, *, silence: float = SILENCE) -> None:
        """Without `slots` there are as many as the cluster has threads."""
        self._silence = silence
        self._address = scheduler(address)
        self._client: Any = None
        self._pulse = Pulse()
        threads = self._connect()
        self.slots = slots or max(1, threads)

    def _connect(self) -> int:
        """Connect to a cluster with workers of our versions; return its number of threads."""
        with needs("distributed", "distributed", "distributed", "dask"):
            distributed: Any = import_module("distributed")
        for name in ("distributed", "distributed.client", "distributed.batched", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # the run reports what matters
        security = self._security(distributed)
        try:
            client = distributed.Client(self._address, timeout=PATIENCE, set_as_default=False, security=security)
        except (OSError, ValueError, TypeError, RuntimeError) as error:  # whatever the error, it is the cluster's
            raise self._refuse(f"does not answer: {error}. Played games are kept") from None
        self._client = client
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
            answers, there = client.sync(_ask, client)
        except TimeoutError:
            raise self._refuse("has no worker") from None
        except OSError as error:
            raise self._refuse(f"does not answer any more: {error}. Played games are kept") from None
        for worker, answer in sorted(answers.items()):
            match answer:
                case ModuleNotFoundError():
                    raise self._refuse("has workers without quadrille: install it there")
                case BaseException() if not isinstance(answer, OSError):
                    raise answer
                case str() if answer != versions():
                    raise self._refuse(f"has {answer} at {worker}, and here is {versions()}: they have to be the same")
        able = {worker for worker, answer in answers.items() if answer == versions()}
        if not able:
            raise self._refuse(f"has no worker that answers in {PATIENCE} seconds")
        self._pulse = Pulse(_last_seen(there), answers.keys() - able)
        return sum(there[worker]["nthreads"] for worker in able & there.keys())

    def _security(self, distributed: Any) -> Any:
        """Find the certificates in Dask's configuration, if the connection is encrypted."""
        if not self._address.startswith("tls:"):
            return None
        security = distributed.Security(require_encryption=True)
        try:
            there = security.get_connection_args("client")["ssl_context"] is not None
        except OSError as error:
            raise TournamentError(f"the certificates for {self._address} can't be used: {error}") from None
        if not there:
            raise TournamentError(
                f"the way to {self._address} is encrypted, and Dask knows no certificates: name them in its "
                "configuration (distributed.comm.tls), or write dask+tcp:// where nobody else is on the network"
            )
        return security

    def _refuse(self, sentence: str) -> TournamentError:
        self.close()
        return TournamentError(f"the cluster at {self._address} {sentence}")

    @property
    def trouble(self) -> str:
        """A sentence if all workers are gone and the scheduler waits for others; or if some are gone, and others play
        on.
        """
        if not (heard := self._pulse.heard):
            return f"the cluster at {self._address} has no worker: games wait until one comes"
        if not (gone := sorted(self._pulse.gone)):
            return ""
        who = f"the worker at {gone[0]} is" if len(gone) == 1 else f"the workers at {' and '.join(gone)} are"
        return f"{who} gone from the cluster: games that were there are played again, and {len(heard)} play on"

    def open(self) -> Executor:
        """Return an executor; make a lost connection again."""
        if self._client is None or self._client.status != "running":
            self.close()
            self._connect()
        return Connected(self._client, self._silence, self._pulse)

    def close(self, *, at_once: bool = True) -> None:
        """Disconnect. Games in progress there end by themselves, and their results are dropped."""
        if self._client is not None:
            self._client.close(timeout=1)
            self._client = None


async def _ask(client: Any) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Ask all workers to describe themselves, or take the error; then ask the scheduler for its view of all workers.
    Runs in the client's loop.
    """
    workers = [*(await client.scheduler.identity())["workers"]]
    asked = [asyncio.wait_for(client.run(versions, workers=[worker]), PATIENCE) for worker in workers]
    answers = {
        worker: answer[worker] if isinstance(answer, dict) else answer
        for worker, answer in zip(workers, await asyncio.gather(*asked, return_exceptions=True), strict=True)
    }
    return answers, (await client.scheduler.identity())["workers"]


def _last_seen(workers: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    return {worker: row["last_seen"] for worker, row in workers.items()}


class Pulse:
    """Detects lost workers, from repeated checks of their last signs of life.

    Checks are counted instead of time: a sleeping machine or scheduler makes no checks, and clocks of other machines
    may be wrong.
    """

    def __init__(self, seen: Mapping[str, float] = MappingProxyType({}), mute: Set[str] = frozenset()) -> None:
        """`mute` workers count as silent at first."""
        self._seen = dict(seen)
        self._missed = {worker: LOOKS if worker in mute else 0 for worker in seen}
        #: Workers that have left. Once there is none at all, new ones are a fresh start.
        self.gone: set[str] = set()

    def look(self, seen: Mapping[str, float]) -> None:
        """Check the last signs of life, by whatever clock."""
        self.gone = (self.gone | self._seen.keys()) - seen.keys() if seen else set()
        still = {worker for worker, at in seen.items() if self._seen.get(worker) == at}
        self._missed = {worker: self._missed[worker] + 1 if worker in still else 0 for worker in seen}
        self._seen = dict(seen)

    @property
    def silent(self) -> set[str]:
        """The workers that count as lost."""
        return {worker for worker, looks in self._missed.items() if looks >= LOOKS}

    @property
    def heard(self) -> set[str]:
        """All others."""
        return self._missed.keys() - self.silent

    @property
    def among(self) -> frozenset[str] | None:
        """The workers that may get work: all others, if there are any; None: anybody."""
        return frozenset(self.heard) if self.silent and self.heard else None

    def forgive(self) -> None:
        """Treat all of them as alive."""
        self._missed = dict.fromkeys(self._missed, 0)


@dataclass(frozen=True, slots=True)
class ClusterTask:
    """A task for the cluster: Dask's future and ours, and the workers that may do it (None: any)."""

    done: Any
    told: "Future[Any]"
    among: frozenset[str] | None


class Connected(Executor):
    """The client as an executor. Dask's own leaves a future open for ever if the connection breaks as a result comes
    in, and for minutes if a worker is frozen.
    """

    def __init__(self, client: Any, silence: float, pulse: Pulse) -> None:
        self._client = client
        self._silence = silence
        self._pulse = pulse
        self._among = pulse.among
        self._sent: dict[str, ClusterTask] = {}
        self._over = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, work: Callable[..., Any], /, *words: Any, **named: Any) -> "Future[Any]":
        """Submit a task. It can't be cancelled, because it is unknown whether it has begun."""
        if self._client.status not in ("running", "connecting"):
            raise BrokenExecutor(f"the connection is {self._client.status}")
        among = self._among
        done = self._client.submit(work, *words, **named, pure=False, workers=None if among is None else sorted(among))
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        self._sent[done.key] = ClusterTask(done, future, among)
        done.add_done_callback(self._tell)
        return future

    def _tell(self, done: Any) -> None:
        """Pass on a result, unless the task was given up. Runs in a thread of the client."""
        if (sent := self._sent.pop(done.key, None)) is None:
            return
        try:
            if (error := done.exception()) is None:
                sent.told.set_result(done.result(PATIENCE))
            else:
                sent.told.set_exception(error)
        except TimeoutError:
            sent.told.set_exception(WorkerLost(f"its worker did not hand it over in {PATIENCE} seconds"))
        except BaseException as error:  # noqa: BLE001 - it is handed on: whoever waits must not wait for ever
            sent.told.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop watching workers."""
        self._over.set()

    def _watch(self) -> None:
        """Watch workers, while there is a connection. Runs in a thread of its own."""
        while not self._over.wait(self._silence / LOOKS) and self._client.status in ("running", "connecting"):
            # If the connection breaks meanwhile, all open tasks get that error.
            with suppress(OSError, RuntimeError, asyncio.CancelledError):
                self._client.sync(self._look)

    async def _look(self) -> None:
        """Take back tasks of silent workers, and tasks whose workers are all gone. Runs in the client's loop."""
        if (dealer := self._client.scheduler) is None:
            return
        self._pulse.look(_last_seen((await dealer.identity())["workers"]))
        silent, heard, self._among = self._pulse.silent, self._pulse.heard, self._pulse.among
        lying = await dealer.processing() if silent else {}
        for worker in silent & lying.keys():
            reason = f"its worker at {worker} was not heard of for {self._silence:g} seconds"
            await self._give_up(lying[worker], reason)
        stranded = [key for key, sent in [*self._sent.items()] if sent.among is not None and not sent.among & heard]
        await self._give_up(stranded, "the workers that it was for are gone")
        if not heard:  # the task goes to them again, because there is nobody else
            self._pulse.forgive()

    async def _give_up(self, keys: Iterable[str], reason: str) -> None:
        """Repeat these tasks elsewhere. Late results of the first attempt are ignored."""
        given_up = [sent for sent in [self._sent.pop(key, None) for key in keys] if sent is not None]
        for sent in given_up:
            sent.told.set_exception(WorkerLost(reason))
        if given_up and self._client.status == "running":
            await self._client.cancel([sent.done for sent in given_up])


def scheduler(address: str) -> str:
    """Write a scheduler's address in Dask's form: encrypted, unless it is on this machine or declared plain."""
    parts = _ADDRESS.fullmatch(address)
    if parts is None:
        raise TournamentError(f"{quoted(address)} is no cluster: write dask://HOST:PORT")
    way, host, port = parts.groups()
    return f"{'tcp' if way == '+tcp' or (way is None and _is_here(host)) else 'tls'}://{host}:{port}"


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def versions() -> str:
    """Return the versions that must be equal on all machines of a tournament."""
    rules = ", ".join(f"{game.key} {game.rules}" for game in games())
    return f"Python {platform.python_version()}, quadrille {__version__}, rules {rules}"
