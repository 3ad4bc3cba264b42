"""Which cores games are played on: how many there are, and one for a worker and all the bots that it starts.

Of a game one process works at a time. Where they share a core, a move goes from one to the other and no other core has
to be woken for it, which may cost several times the move; and no two games take time from each other. Only on systems
that let a process choose (Linux): elsewhere nothing is kept anywhere. What is played there is not known here.
"""

import os
import sys


def usable() -> tuple[int, ...]:
    """Those that this process may use; none if the system does not tell."""
    return tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else ()


def cores() -> int:
    """How many this process may use."""
    return len(usable()) or os.cpu_count() or 1


def slots(*, clocked: bool) -> int:
    """How many games to play at a time: where a clock runs, a core is left to whatever else there is to do."""
    return max(1, cores() - clocked)


def stay(number: int) -> None:
    """Keep this process, and all that it starts from now on, on one core: numbers that follow each other on others, as
    long as there are any.
    """
    if sys.platform == "linux" and (here := usable()):
        os.sched_setaffinity(0, {here[number % len(here)]})
