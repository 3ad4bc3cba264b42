"""Processor time of a program with all its processes, cheap enough to read at every turn, and its wait for a processor;
the lack of memory. Linux only.
"""

import sys
import time
from contextlib import suppress
from glob import glob
from typing import Final

from quadrille.ai.bots.process import census

#: Whether this system supports it.
METERED: Final = sys.platform == "linux"
#: Seconds between two searches for processes.
_LOOK: Final = 0.1
#: The clock id for the time of all threads of a process (Linux, include/linux/posix-timers.h).
_OF_PROCESS: Final = 2


class Meter:
    """The processor time of all descendants of a process."""

    def __init__(self, process: int) -> None:
        self._process = process
        #: Each process's clock, and its first reading.
        self._shown: dict[int, float] = {}
        self._before: dict[int, float] = {}
        self._looked = -_LOOK
        self._began = False

    def read(self) -> float:
        """Seconds since the first reading."""
        now = time.monotonic()
        if now - self._looked >= _LOOK:
            self._looked = now
            self._look()
        for process in self._shown:
            with suppress(OSError):  # it has ended, and its clock stays where it was
                self._shown[process] = time.clock_gettime((~process << 3) | _OF_PROCESS)
        if not self._began:
            self._began = True
            self._before = dict(self._shown)
        return sum(self._shown.values()) - sum(self._before.values())

    def _look(self) -> None:
        """Find all processes. A new one's earlier time counts too, except for those found first."""
        for process in census.descendants(self._process):
            self._shown.setdefault(process, 0.0)


def share(warden: int) -> tuple[float, float] | None:
    """The processor seconds of a warden and all its descendants so far, and those for which they could run and waited
    for a processor; None where the system does not tell.
    """
    ran = waited = 0
    for process in (warden, *census.descendants(warden)):
        for path in glob(f"/proc/{process}/task/*/schedstat"):
            with suppress(OSError), open(path) as file:
                one, other, _ = map(int, file.read().split())
                ran, waited = ran + one, waited + other
    return (ran / 1e9, waited / 1e9) if ran + waited else None


def shortages() -> int:
    """How often this machine has ended a program because no memory was left; 0 where the system does not tell."""
    with suppress(OSError), open("/proc/vmstat") as file:
        return next((int(line.split()[1]) for line in file if line.startswith("oom_kill ")), 0)
    return 0
