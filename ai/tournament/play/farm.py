"""An executor of games with any number of workers, and the handling of lost ones.

All that is known here is `concurrent.futures.Executor`: processes of this machine (processes.py), threads, or a
cluster (cluster.py). A few jobs are in flight at a time, and each future is dropped as soon as it has ended: so
memory stays flat, and a cluster does not compute delivered results again.
"""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Any, Final, Protocol

from quadrille.ai.tournament import TournamentError
from quadrille.value import value

#: Jobs in flight for each worker.
AHEAD: Final = 2
#: A cluster's errors that mean the loss of a worker or of the connection.
_LOST: Final = ("KilledWorker", "CommClosedError", "FutureCancelledError", "WorkerCrashedError", "TimeoutError")


class WorkerLost(Exception):
    """A worker is lost with its job; the reason in a sentence."""


class Workers(Protocol):
    """A kind of workers."""

    @property
    def slots(self) -> int:
        """Number of parallel jobs."""

    @property
    def trouble(self) -> str:
        """The workers' present trouble, in a sentence; it may pass."""

    def open(self) -> Executor:
        """Return an executor; called again when one is broken."""

    def close(self, *, at_once: bool) -> None:
        """Let the workers go, after their executors; `at_once`: in the middle of their work, if possible."""


@value
class Lost:
    """A job failed through no fault of its own, with the reason. `worker`: its worker was lost."""

    why: str
    worker: bool
    absent: str = ""  # the key of the peer that did not come


class Farm:
    """Jobs in flight."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._executor: Executor | None = None
        self._live: dict[Future[Any], tuple[Any, Executor]] = {}
        self._lost: list[tuple[Any, Lost]] = []

    @property
    def busy(self) -> int:
        """Number of jobs in flight."""
        return len(self._live) + len(self._lost)

    @property
    def room(self) -> int:
        """Number of jobs that may be added."""
        return AHEAD * self.workers.slots - self.busy

    def submit(self, work: Callable[[Any], Any], job: Any) -> None:
        """Submit a job for a function that workers can import."""
        if self._executor is None:
            self._executor = self.workers.open()
        try:
            self._live[self._executor.submit(work, job)] = job, self._executor
        except (BrokenExecutor, RuntimeError) as error:
            # it broke since the last check: its other jobs will report so too
            self._lost.append((job, Lost(_said(error), worker=True)))
            self._let_go(self._executor)

    def ended(self, timeout: float) -> list[tuple[Any, Any]]:
        """Return the ended jobs, each with its result or `Lost`, after up to `timeout` seconds for the first."""
        ended: list[tuple[Any, Any]] = [*self._lost]
        self._lost.clear()
        if self._live:
            for future in wait(self._live, 0 if ended else timeout, FIRST_COMPLETED).done:
                job, executor = self._live.pop(future)
                ended.append((job, _outcome(future)))
                if not future.cancelled() and isinstance(future.exception(), BrokenExecutor):
                    self._let_go(executor)
        return ended

    def _let_go(self, executor: Executor) -> None:
        """Drop a broken executor; the next job opens another."""
        if executor is self._executor:
            executor.shutdown(wait=False)
            self._executor = None

    def recall(self) -> None:
        """Take back the jobs that have not begun."""
        for future in [future for future in self._live if future.cancel()]:
            del self._live[future]

    def close(self, *, at_once: bool = False) -> None:
        """Let the workers go; `at_once`: in the middle of their work."""
        self.recall()
        if self._executor is not None:
            self._executor.shutdown(wait=not at_once)
            self._executor = None
        self.workers.close(at_once=at_once)
        self._live.clear()


def _outcome(future: Future[Any]) -> Any:
    """Return the result of a job, or why it is `Lost`."""
    if future.cancelled():
        return Lost("its worker was lost", worker=True)
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, WorkerLost):
        return Lost(str(error), worker=True)
    if isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ in _LOST:
        return Lost(_said(error), worker=True)
    if isinstance(error, TournamentError):
        return Lost(str(error), worker=False, absent=error.absent)
    return Lost(f"{type(error).__name__}: {error}", worker=False)


def _said(error: BaseException) -> str:
    return f"its worker was lost ({type(error).__name__})"
