"""Workers on this machine: processes, each with a pipe of its own, that end with this one, however it ends.

Python's own pool has one pipe for all answers: if a worker is killed in the middle of an answer, the reader waits for
ever. And if one is killed the pool ends all others, in the middle of their games. Here nothing is shared: only the
lost worker's job is lost, and another worker takes its place. playing.py does the work, and farm.py repeats lost
jobs.
"""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from glob import glob
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_end
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any, Final, Self

from quadrille.ai.bots.process.last_words import signal_name
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.play.cores import cores
from quadrille.ai.tournament.play.farm import WorkerLost
from quadrille.plugs import game_fault
from quadrille.value import value

#: Maximum seconds for a process to end after its pipe is closed.
_LAST_BREATH: Final = 5.0
#: The message that there is nothing more to do, and the first one of a worker, which has imported the script.
_NO_MORE: Final = b""
_BEGUN: Final = b"begun"
_UNGUARDED: Final = (
    "no worker can begin: each imports the script that starts it, which must not start any then; "
    'put what it does below `if __name__ == "__main__":`'
)
#: Processes start without anything of this one. Linux copies them from a process that has imported a game's modules.
_START: Final[Any] = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
_START.set_forkserver_preload(["quadrille.ai.tournament.play.entrant_trial", "quadrille.ai.tournament.play.playing"])
#: Those of `forked` are copies of this one.
_FORK: Final[Any] = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


@value
class WorkerTask:
    """A pickled task, and the future of its result."""

    words: bytes
    told: "Future[Any]"


class Processes(Executor):
    """Workers (farm.py): that many, or one for each core, and each is started when it is needed. A thread for each
    place hands its worker a task, and waits for the result.
    """

    trouble = ""

    def __init__(
        self, slots: int = 0, first: Callable[[], object] | None = None, ready: "Sequence[WorkerProcess]" = ()
    ) -> None:
        """`first` runs in each process before anything else, and must be importable there. `ready` wait for work."""
        self.slots = slots or cores()
        self._first = first
        self._ready = list(ready)
        self._asked: SimpleQueue[WorkerTask | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._hands: dict[int, WorkerProcess] = {}
        self._closed = self._killed = False
        #: Held while a worker is started: one at a time, and none after all have been killed.
        self._door = threading.Lock()

    def open(self) -> Executor:
        return self

    def close(self, *, at_once: bool) -> None:
        """Kill the workers if it is to be `at_once`; their bots end with them (ai/bots/process/warden.py)."""
        if at_once:
            self.kill()

    def submit(self, work: Callable[..., Any], /, *words: Any, **named: Any) -> "Future[Any]":
        """Submit a task. It can be cancelled until a worker begins it."""
        if self._closed:
            raise RuntimeError("the workers have been let go")
        told: Future[Any] = Future()
        try:
            self._asked.put(WorkerTask(pickle.dumps((work, words, named)), told))
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            told.set_exception(error)
            return told
        if len(self._threads) < self.slots:
            thread = threading.Thread(target=self._serve, args=(len(self._threads),), daemon=True)
            self._threads.append(thread)
            thread.start()
        return told

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the workers go after all tasks; with `cancel_futures` after those begun."""
        self._closed = True
        with suppress(Empty):
            while cancel_futures:
                if (asked := self._asked.get_nowait()) is not None:
                    asked.told.cancel()
        self._asked.put(None)
        for thread in self._threads if wait else ():
            thread.join()
        while self._ready and wait:
            self._ready.pop().dismiss()

    def kill(self) -> None:
        """Kill the workers in the middle of their work."""
        with self._door:
            self._killed = True
            for hand in [*self._hands.values(), *self._ready]:
                hand.process.kill()
        self.shutdown(cancel_futures=True)

    def _serve(self, place: int) -> None:
        """Serve a place, in its own thread. The next task is handed over before the last result is passed on: its
        receiver has much to do then, and the worker would wait.
        """
        _block_interrupts()  # they are for the main thread
        following = None
        while (asked := following or self._begin(place, wait=True)) is not None:
            heard = self._hands[place].hear()
            if not isinstance(heard, bytes):
                del self._hands[place]
            following = self._begin(place, wait=False)
            _tell(asked.told, heard)
        if hand := self._hands.get(place):
            hand.dismiss()

    def _begin(self, place: int, *, wait: bool) -> WorkerTask | None:
        """Hand over the next task, if there is one; with `wait`, wait until there is one or the end."""
        while True:
            try:
                asked = self._asked.get(wait)
            except Empty:
                return None
            if asked is None:
                self._asked.put(None)  # for the other places, and for another call here
                return None
            if asked.told.set_running_or_notify_cancel():
                try:
                    self._hand(place).give(asked.words)
                except (WorkerLost, TournamentError) as error:
                    asked.told.set_exception(error)
                else:
                    return asked

    def _hand(self, place: int) -> "WorkerProcess":
        """Return the worker of a place; start one if there is none."""
        if hand := self._hands.get(place):
            return hand
        with self._door:
            if self._killed:
                raise WorkerLost("its worker was ended")
            hand = self._hands[place] = self._ready.pop() if self._ready else WorkerProcess.hire(_START)
            hand.give(pickle.dumps(self._first))
            return hand


def forked(count: int) -> "list[WorkerProcess]":
    """Fork workers from this process: they find all its modules, which take another interpreter 0.3 s to import.

    Nobody is forked where there are threads: a lock that one of them holds would stay locked in the copy for ever. A
    copy holds all that its origin holds, so there must not be a journal or a secret yet.
    """
    workers = list[WorkerProcess]()
    if sys.platform == "linux" and len(glob("/proc/self/task/*")) == 1:  # none where there is no /proc
        _block_interrupts()
        with suppress(WorkerLost):
            while len(workers) < count:
                workers.append(WorkerProcess.hire(_FORK))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    return workers


def _block_interrupts() -> None:
    """Keep Ctrl-C from this thread, and from the processes that it starts until they ignore it (`_settle`)."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


@dataclass(slots=True, eq=False)
class WorkerProcess:
    """A worker, seen from here."""

    process: BaseProcess
    pipe: "Connection[Any, Any]"
    has_begun: bool = False

    @classmethod
    def hire(cls, start: Any) -> Self:
        """Start a worker in a way of `multiprocessing`."""
        pipe, far_end = start.Pipe()
        process = start.Process(target=_work, args=(far_end,), daemon=True)
        try:
            if start is _START and sys.platform != "win32":
                resource_tracker.ensure_running()  # it lets the thread that starts it get Ctrl-C again
                _block_interrupts()
            process.start()
        except (OSError, EOFError, RuntimeError) as error:  # EOFError: the process to copy has ended
            pipe.close()
            if isinstance(error, RuntimeError):  # this is a worker, which imports the script
                raise TournamentError(_UNGUARDED) from None
            raise WorkerLost(f"no worker can be started: {getattr(error, 'strerror', None) or error}") from None
        finally:
            far_end.close()
        return cls(process, pipe)

    def give(self, words: bytes) -> None:
        """Send a task."""
        with suppress(OSError):  # it is gone, and `hear` will report it
            self.pipe.send_bytes(words)

    def hear(self) -> bytes | WorkerLost | TournamentError:
        """Wait for the worker's result."""
        try:
            self.has_begun = self.has_begun or self.pipe.recv_bytes() == _BEGUN
            return self.pipe.recv_bytes()
        except (EOFError, OSError):
            code = self._end()
            if code >= 0 and not self.has_begun:  # it ended by itself
                return TournamentError(_UNGUARDED)
            return WorkerLost(f"its worker was lost ({signal_name(-code) if code < 0 else f'exit code {code}'})")

    def _end(self) -> int:
        """Wait for the worker's end; return its exit code."""
        self.pipe.close()
        self.process.join(_LAST_BREATH)
        self.process.kill()
        self.process.join()
        return self.process.exitcode or 0

    def dismiss(self) -> None:
        """Let the worker end."""
        self.give(_NO_MORE)
        self.process.join()
        self.pipe.close()


def _tell(future: "Future[Any]", heard: bytes | WorkerLost | TournamentError) -> None:
    """Pass on a result."""
    try:
        result, error = pickle.loads(heard) if isinstance(heard, bytes) else (None, heard)  # noqa: S301 - a worker's
    except Exception as unread:  # noqa: BLE001 - an error's own class may raise anything here
        result, error = None, unread
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _work(pipe: "Connection[Any, Any]") -> None:
    """Process tasks, in the worker, until there are no more or the parent is gone."""
    _settle()
    with suppress(OSError):
        pipe.send_bytes(_BEGUN)
    words = _heard(pipe)
    if words != _NO_MORE and (first := pickle.loads(words)) is not None:  # noqa: S301 - the run's
        first()
    while words != _NO_MORE and (words := _heard(pipe)) != _NO_MORE:
        with suppress(OSError):
            pipe.send_bytes(_answer(words))


def _heard(pipe: "Connection[Any, Any]") -> bytes:
    try:
        return pipe.recv_bytes()
    except (EOFError, OSError):
        return _NO_MORE


def _answer(words: bytes) -> bytes:
    """Return the pickled result, or error."""
    try:
        work, given, named = pickle.loads(words)  # noqa: S301 - the run's
        return pickle.dumps((work(*given, **named), None))
    except Exception as error:  # noqa: BLE001 - the run gets it
        try:
            return pickle.dumps((None, TournamentError(sentence) if (sentence := game_fault(error)) else error))
        except Exception:  # noqa: BLE001 - its words can be sent
            return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))


def _settle() -> None:
    """Ignore Ctrl-C, which the run handles, and end when the run dies in any way."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    run = multiprocessing.parent_process()
    assert run is not None

    def watch() -> None:
        wait_for_end([run.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
