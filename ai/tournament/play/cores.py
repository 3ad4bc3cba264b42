"""The processor cores for games: their number, and how many play at a time."""

import os


def usable() -> tuple[int, ...]:
    """Return the cores that this process may use; empty if the system does not tell."""
    return tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else ()


def cores() -> int:
    return len(usable()) or os.cpu_count() or 1


def idle() -> int:
    """Return the number of cores that nobody keeps busy, where the system tells; the load is that of a minute."""
    return int(cores() - os.getloadavg()[0]) if hasattr(os, "getloadavg") else 0


def slots(*, clocked: bool) -> int:
    """Return the number of parallel games: with a clock, one core is left for other work."""
    return max(1, cores() - clocked)
