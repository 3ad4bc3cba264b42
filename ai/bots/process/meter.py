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
        #: The last reading of each process's clock.
        self._shown: dict[int, float] = {}
        self._look_at = 0.0
        self._first = 0.0
        self._first = self.read()

    def read(self) -> float:
        """Return the seconds since the first reading. A new process's earlier time counts too, except at first."""
        shown = self._shown
        if (now := time.monotonic()) >= self._look_at:
            self._look_at = now + _LOOK
            for process in census.descendants(self._process):
                shown.setdefault((~process << 3) | _OF_PROCESS, 0.0)
        for clock in shown:
            try:
                shown[clock] = time.clock_gettime(clock)
            except OSError:
                continue  # it has ended, and its clock stays where it was
        return sum(shown.values()) - self._first


def share(warden: int) -> tuple[float, float] | None:
    """Return the processor seconds of a warden and all its descendants so far, and those for which they could run and
    waited for a processor; None where the system does not measure them.
    """
    ran = waited = 0
    for process in (warden, *census.descendants(warden)):
        for path in glob(f"/proc/{process}/task/*/schedstat"):
            with suppress(OSError), open(path) as file:
                one, other, _ = map(int, file.read().split())
                ran, waited = ran + one, waited + other
    return (ran / 1e9, waited / 1e9) if ran + waited else None


def shortages() -> int:
    """Count how often this machine has ended a program because no memory was left; 0 if that is unknown."""
    with suppress(OSError), open("/proc/vmstat") as file:
        return next((int(line.split()[1]) for line in file if line.startswith("oom_kill ")), 0)
    return 0
