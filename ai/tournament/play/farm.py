"""Where games are played: an executor that any number of workers stand behind, and what to do when one of them is lost.

All that is known here is `concurrent.futures.Executor`: processes of this machine (processes.py), threads, or a cluster
(cluster.py). A few jobs are in flight at a time, and each future is dropped as soon as it has ended: so memory stays
flat, and a cluster does not make results anew that were delivered long ago.
"""

from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from dataclasses import dataclass
from typing import Any, Final, Protocol

from quadrille.ai.tournament import TournamentError

#: So many jobs are in flight for each worker.
AHEAD: Final = 2
#: Errors of clusters that mean: a worker, or the way to it, is gone.
_LOST: Final = ("KilledWorker", "CommClosedError", "FutureCancelledError", "WorkerCrashedError", "TimeoutError")


class WorkerLost(Exception):
    """A worker is lost, and with it what it was to do: why, in a sentence."""


class Workers(Protocol):
    """A way to have things done elsewhere."""

    @property
    def slots(self) -> int:
        """How many jobs are done at a time."""

    @property
    def trouble(self) -> str:
        """What is the matter with those who do things, in a sentence; it may pass."""

    def open(self) -> Executor:
        """An executor; asked again when one is broken."""

    def close(self, *, at_once: bool) -> None:
        """The executors have been let go: let the workers go too; `at_once`: whatever they are doing, where one can."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A job was not done, and not through its own doing: why. `worker`: the worker that should do it was lost."""

    why: str
    worker: bool


class Farm:
    """Jobs in flight."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._executor: Executor | None = None
        self._live: dict[Future[Any], tuple[Any, Executor]] = {}
        self._lost: list[tuple[Any, Lost]] = []

    @property
    def busy(self) -> int:
        """How many jobs are in flight."""
        return len(self._live) + len(self._lost)

    @property
    def room(self) -> int:
        """How many more may be."""
        return AHEAD * self.workers.slots - self.busy

    def submit(self, work: Callable[[Any], Any], job: Any) -> None:
        """Have a job done by a function that can be imported where it is done."""
        if self._executor is None:
            self._executor = self.workers.open()
        try:
            self._live[self._executor.submit(work, job)] = job, self._executor
        except (BrokenExecutor, RuntimeError) as error:
            # it broke since it was last heard of: its other jobs will say so too
            self._lost.append((job, Lost(_said(error), worker=True)))
            self._let_go(self._executor)

    def ended(self, timeout: float) -> list[tuple[Any, Any]]:
        """The jobs that have ended, each with what came of it or `Lost`, waiting for the first so long at most."""
        found: list[tuple[Any, Any]] = [*self._lost]
        self._lost.clear()
        if self._live:
            for future in wait(self._live, 0 if found else timeout, FIRST_COMPLETED).done:
                job, executor = self._live.pop(future)
                found.append((job, _outcome(future)))
                if not future.cancelled() and isinstance(future.exception(), BrokenExecutor):
                    self._let_go(executor)
        return found

    def _let_go(self, executor: Executor) -> None:
        """One that is broken; the next job opens another."""
        if executor is self._executor:
            executor.shutdown(wait=False)
            self._executor = None

    def recall(self) -> None:
        """Take back the jobs that nobody has begun."""
        for future in [future for future in self._live if future.cancel()]:
            del self._live[future]

    def close(self, *, at_once: bool = False) -> None:
        """Let the workers go home; or `at_once`, in the middle of what they do."""
        self.recall()
        if self._executor is not None:
            self._executor.shutdown(wait=not at_once)
            self._executor = None
        self.workers.close(at_once=at_once)
        self._live.clear()


def _outcome(future: Future[Any]) -> Any:
    """What a job has come to."""
    if future.cancelled():
        return Lost("its worker was lost", worker=True)
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, WorkerLost):
        return Lost(str(error), worker=True)
    if isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ in _LOST:
        return Lost(_said(error), worker=True)
    return Lost(str(error) if isinstance(error, TournamentError) else f"{type(error).__name__}: {error}", worker=False)


def _said(error: BaseException) -> str:
    """In a sentence."""
    return f"its worker was lost ({type(error).__name__})"
