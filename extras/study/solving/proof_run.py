"""A proof that takes minutes: on one core or several, kept on the disk each minute, with progress.

Processes search the same position in other orders, and tell each other the positions that took them most work. An
assisting process speaks only when it is spoken to, so that no two wait for each other. The certificate that is written
afterwards depends on which process knew what first: with one process the same command writes the same file. The proof
is rules/search/proof.py's.
"""

import multiprocessing
import signal
import struct
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final

from quadrille.client.files import path_of, read_bytes, write_file
from quadrille.client.progress_line import ProgressLine, duration
from quadrille.extras.study.certificates.certificate import ClaimedPosition
from quadrille.rules.arrays import array
from quadrille.rules.core.sealed import SealedKind, seal, unseal, unusable, whole_number
from quadrille.rules.dice import Dice
from quadrille.rules.errors import RulesError
from quadrille.rules.search import Position, Proof
from quadrille.rules.search.proof import ENTRY_BYTES

#: Positions between two looks at the clock, and for Ctrl-C.
SLICE: Final = 1 << 16
#: Seconds between two files of the proof so far, and between two exchanges of processes.
CHECKPOINT: Final = 60.0
EXCHANGE: Final = 3.0
#: Positions that a result must have taken to be kept in a file, and to be told to other processes.
KEPT: Final = 1 << 12
TOLD: Final = 1 << 14
#: The same for the report of a process that has the proof: another one needs few positions then.
SMALL: Final = 1 << 6
#: Maximum results in a file, and in a message.
MOST_KEPT: Final = 1 << 20
MOST_TOLD: Final = 1 << 16
#: More positions than any process looks at.
ENDLESS: Final = 1 << 60
KIND: Final = SealedKind("proof", 2, "an unfinished proof", 1 << 30, "delete it and begin anew")
_SPAWN: Final = multiprocessing.get_context("spawn")


class ProofRun:
    """Proves what a seat gets in a position, in several processes, whose tables share the memory.
    The file `kept` keeps what is known so far about `claimed`.
    """

    def __init__(
        self, position: Position, seat: int, memory: int, processes: int, line: ProgressLine, kept: str | None = None,
        claimed: ClaimedPosition | None = None,
    ) -> None:  # fmt: skip
        self._position, self._seat, self._line = position, seat, line
        self.kept, self._claimed = kept, claimed
        self._memory, self._processes = memory // processes, processes
        self.proof = _proof(position, seat, self._memory)
        self._others: list[Assistant] = []
        self._before = self._resumed = self._until = 0
        self._began = self._noted = time.monotonic()

    @property
    def positions(self) -> int:
        """Number of positions of all runs and processes."""
        return self._before + self.proof.positions + sum(other.positions for other in self._others)

    @property
    def searched(self) -> int:
        """Number of positions of this run."""
        return self.positions - self._resumed

    def go(self, most: int) -> bool:
        """Prove, over at most this many more positions; return whether it is done. Ctrl-C keeps what is known."""
        self._resume()
        self._resumed = self.positions
        self._until = self._resumed + most
        self._began = self._noted = time.monotonic()
        self._start()
        try:
            if not self.proof.go_on(most, self._pause, SLICE):
                return True
        except KeyboardInterrupt:
            self._keep(now=True)
            if self.kept is not None:
                self._line.say(f"{self.kept} keeps the proof so far: the same command goes on from there.")
            raise
        finally:
            self._stop()
        self._keep(now=True)
        return False

    def _pause(self) -> bool:
        """Do what is due while the search waits; return whether it may go on."""
        self._exchange()
        self._keep()
        self._line.tell(self._progress)
        return self.positions < self._until

    def done(self) -> None:
        """Delete what was kept: the certificate is written."""
        if self.kept is not None:
            path_of(self.kept).unlink(missing_ok=True)

    def _progress(self) -> str:
        rate = max(self.searched, 1) / max(time.monotonic() - self._began, 0.001)
        left = duration((self._until - self.positions) / rate)
        so_far = f"{self.positions:,} positions, {rate / 1e6:.2f} million a second, {duration(self._line.age)} so far"
        return f"{so_far}, at most {left} more"

    # The file

    def _resume(self) -> None:
        """Go on from what an earlier run has kept."""
        kept = self.kept
        if kept is None or not path_of(kept).exists():
            return
        fields, body = unseal(KIND, read_bytes(kept, KIND.most), kept)
        if fields | {"positions": 0} != self._fields(0) or len(body) % 16:
            raise unusable(KIND, kept, "it is the proof of another position, or by other rules")
        try:
            self._before = whole_number(fields, "positions")
        except RulesError as error:
            raise unusable(KIND, kept, str(error)) from None
        self.proof.take_over(array(struct.unpack(f"<{len(body) // 8}q", body)))
        self._line.say(f"Going on from {kept}: {self._before:,} positions.")

    def _fields(self, positions: int) -> dict[str, Any]:
        assert self._claimed is not None
        return {**self._claimed.fields(), "seat": self._seat, "positions": positions}

    def _keep(self, *, now: bool = False) -> None:
        """Write what took most work; a full disk only makes a sentence."""
        if self.kept is None or (not now and time.monotonic() - self._noted < CHECKPOINT):
            return
        self._noted = time.monotonic()
        entries = list(self.proof.expensive(KEPT, MOST_KEPT))
        data = seal(KIND, self._fields(self.positions), struct.pack(f"<{len(entries)}q", *entries))
        try:
            write_file(self.kept, data, over=True)
        except OSError as error:
            self._line.say(f"{self.kept} can't be written: {error.strerror or error}. The proof goes on without it.")

    # Other processes

    def _start(self) -> None:
        others = range(1, self._processes)
        self._others = [Assistant(self._position, self._seat, self._memory, number) for number in others]

    def _exchange(self) -> None:
        """Take over what the others have answered, and tell them again what is known here."""
        known: list[int] | None = None
        for other in list(self._others):
            try:
                if other.asked and other.pipe.poll():
                    other.asked = False
                    other.positions, entries = other.pipe.recv()
                    self.proof.take_over(array(entries))
                if not other.asked and time.monotonic() - other.told >= EXCHANGE:
                    known = known or list(self.proof.expensive(TOLD, MOST_TOLD))
                    other.told, other.asked = time.monotonic(), True
                    other.pipe.send(known)
            except (EOFError, OSError):
                self._line.say("a process has ended, perhaps for want of memory: the proof goes on without it")
                self._before += other.positions
                other.end()
                self._others.remove(other)

    def _stop(self) -> None:
        for other in self._others:
            self._before += other.positions
            other.end()
        self._others = []


def _proof(position: Position, seat: int, memory: int) -> Proof:
    """Return a proof that stands at the position; a refusal if there is no memory for its table."""
    try:
        return Proof(position, memory // ENTRY_BYTES, seat=seat)
    except MemoryError:
        raise RulesError(f"there are no {memory >> 20} MB for the table: give less with --memory") from None


class Assistant:
    """A process that searches the same position; `asked` if it owes an answer, and its `positions` by the last one."""

    def __init__(self, position: Position, seat: int, memory: int, number: int) -> None:
        self.pipe, there = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=assist, args=(there, position, seat, memory, number), daemon=True)
        self._process.start()
        there.close()
        self.asked, self.told, self.positions = False, time.monotonic(), 0

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def assist(pipe: Connection, position: Position, seat: int, memory: int, number: int) -> None:
    """Search the same position in another order, in a process of its own, until the other end closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError, MemoryError):
        proof = Proof(position, memory // ENTRY_BYTES, seat=seat)
        proof.engine.shuffle(Dice(number))
        proof.go_on(ENDLESS, lambda: not pipe.poll() or answer(pipe, proof, TOLD), SLICE)
        while True:
            answer(pipe, proof, SMALL)


def answer(pipe: Connection, proof: Proof, work: int) -> bool:
    """Take over what the other end tells, and tell it what is known here."""
    proof.take_over(array(pipe.recv()))
    pipe.send((proof.positions, list(proof.expensive(work, MOST_TOLD))))
    return True
