"""Processor time of a program with all its processes, cheap enough to read at every turn. Linux only."""

import sys
import time
from contextlib import suppress
from typing import Final

from quadrille.ai.bots.process import census

#: Whether this system supports it.
METERED: Final = sys.platform == "linux"
#: Seconds between two searches for processes.
_LOOK: Final = 0.1
#: The clock id for the time of all threads of a process (Linux, include/linux/posix-timers.h).
_OF_PROCESS: Final = 2


class Meter:
    """The processor time of all descendants of a process, from a given generation on."""

    def __init__(self, process: int, *, below: int) -> None:
        self._process = process
        self._below = below
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
        generation = [self._process]
        for depth in range(self._below + 64):
            generation = [child for process in generation for child in census.children(process)]
            if not generation:
                return
            if depth >= self._below - 1:
                for process in generation:
                    self._shown.setdefault(process, 0.0)
