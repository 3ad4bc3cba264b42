"""The table's side of a warden (warden.py): its start, the messages to it, its reports. POSIX.

program.py makes the sentences.
"""

import os
import select
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from quadrille.ai.bots.process.isolation import Isolate, Protection, protection_of
from quadrille.ai.bots.process.program_lines import LAST_WORDS, PIECE, ready, within

#: Runs the warden as a module and not as a script, which Python would compile again at each start.
_WARDEN: Final = "import sys; sys.path.append(sys.argv.pop(1)); import warden; warden.main(sys.argv[1:])"
#: Its reports of the number of the warden in namespaces, and that the program has tried to use a network.
_INSIDE: Final = "inside "
#: Maximum seconds until it has told the isolation of its program.
_STARTING: Final = 10.0
_NETWORK: Final = "network"


class WardenLink:
    """The pipes of a warden."""

    def __init__(self) -> None:
        self._theirs, self._control = os.pipe()
        self._status, self._told_by = os.pipe()
        self._told = b""
        #: Held while the warden's reports are read.
        self._hearing = threading.Lock()
        #: The isolation of its program, once it was reported.
        self.protection: Protection | None = None
        #: The number of the warden in namespaces, a child of this process; 0: there is none.
        self.inside = 0
        self._network = False

    def words(self, numbers: Sequence[int], isolate: Isolate) -> list[str]:
        """Return the command line of a warden. `numbers`: memory in bytes, seconds, processes (0: no limit), the open
        folder of a cgroup (-1: none), and 1 if that has limits.
        """
        numbers = self._theirs, self._told_by, *numbers
        python = sys.executable or "python3"
        return [python, "-I", "-S", "-c", _WARDEN, str(Path(__file__).parent), *map(str, numbers), isolate]

    @property
    def inherited(self) -> tuple[int, int]:
        """The warden's ends of the pipes."""
        return self._theirs, self._told_by

    def started(self) -> None:
        """Close the warden's ends of the pipes, which it has inherited by now, or never will."""
        for pipe in self.inherited:
            os.close(pipe)

    def show(self, user: str, places: Sequence[str], filters: Sequence[bytes]) -> None:
        """Tell the warden its program's user, what that may see, and which system calls it may make."""
        for part in (os.fsencode(user), os.fsencode("\0".join(places)), *filters):
            self._tell(len(part).to_bytes(8, "big") + part)

    def freeze(self, *, still: bool) -> None:
        """Stop or continue all processes of the warden's program."""
        self._tell(b"s" if still else b"g")  # STILL and ON of warden.py

    def _tell(self, data: bytes) -> None:
        with suppress(BrokenPipeError):  # it has ended
            while data:
                data = data[os.write(self._control, data) :]

    def hear(self) -> str | None:
        """Return the warden's first line: the program's isolation, or why there is none; None if it was read before."""
        with self._hearing:
            return self._hear(_STARTING) if self.protection is None else None

    def _hear(self, seconds: float = LAST_WORDS) -> str | None:
        """Return the warden's next line: "" at the end of its output, None after that many seconds."""
        while b"\n" not in self._told:
            if not self._comes(seconds):
                return None
            if not (piece := os.read(self._status, PIECE)):
                return ""
            self._told += piece
        line, _, self._told = self._told.partition(b"\n")
        text = os.fsdecode(line)
        if text.startswith(_INSIDE):
            self.inside = int(text.removeprefix(_INSIDE))
            return self._hear(seconds)
        if text.startswith("held "):
            self.protection = protection_of(text)
        self._network = self._network or text == _NETWORK
        return text

    def heard_of_network(self) -> bool:
        """Return whether the program has tried to use a network until now."""
        with self._hearing:
            while ready(self._status, select.POLLIN, 0) and (piece := os.read(self._status, PIECE)):
                self._told += piece
            return self._network or _NETWORK.encode() + b"\n" in self._told

    def _comes(self, seconds: float) -> bool:
        """Return whether more output comes in time."""
        wait = partial(ready, self._status, select.POLLIN)
        return within(seconds, lambda: wait(0), wait)

    def last_status(self) -> str:
        """Return how the program ended; "" while it still runs."""
        with self._hearing:
            status = self._hear()
            while status is not None and status.startswith(("held ", _NETWORK)):
                status = self._hear()
        # a warden without a report was killed itself, and the program with it
        return "" if status is None else status or f"signal {signal.SIGKILL:d}"

    def let_go(self) -> None:
        """Let the warden end everything, and then itself."""
        os.close(self._control)

    def reap(self, seconds: float) -> None:
        """Wait for the end of the warden in namespaces, and kill it after that many seconds. All others have ended."""
        if sys.platform != "linux":
            return
        with self._hearing:
            while not self.inside and self._hear():
                pass
        with suppress(ChildProcessError):
            while self.inside and not os.waitpid(self.inside, os.WNOHANG)[0]:
                os.kill(self.inside, signal.SIGCONT)  # in case somebody has stopped it
                end = os.pidfd_open(self.inside)
                if not ready(end, select.POLLIN, seconds):
                    os.kill(self.inside, signal.SIGKILL)
                    ready(end, select.POLLIN, seconds)
                os.close(end)
        self.inside = 0

    def close(self) -> None:
        """Close the pipes: nobody reads any more."""
        os.close(self._status)
