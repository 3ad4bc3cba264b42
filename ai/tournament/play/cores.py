"""The processor cores for games: their number, and one for a worker and all its bots.

Only one process of a game works at a time. On a shared core a move passes between processes without waking another
core, which may cost several times the move; and no two games disturb each other. Only on systems that let a process
choose (Linux); elsewhere nothing is bound.
"""

import os
import sys


def usable() -> tuple[int, ...]:
    """The cores that this process may use; empty if the system does not tell."""
    return tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else ()


def cores() -> int:
    return len(usable()) or os.cpu_count() or 1


def slots(*, clocked: bool) -> int:
    """The number of parallel games: with a clock, one core is left for other work."""
    return max(1, cores() - clocked)


def stay(number: int) -> None:
    """Bind this process and its future children to one core; consecutive numbers get different cores, as long as
    there are any.
    """
    if sys.platform == "linux" and (here := usable()):
        os.sched_setaffinity(0, {here[number % len(here)]})
