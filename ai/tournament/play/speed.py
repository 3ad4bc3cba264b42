"""The speed of a machine in a portable unit, to compare machines.

A machine of speed 1 does `UNIT` rounds of a fixed piece of work in a second, much like the work of a bot in Python:
whole numbers, a dictionary, some hashing, in one thread. So it is the speed of a machine with its Python. The fastest
of many short rounds counts: the one without interference. Machines get hot, and the share of a shared processor
changes, so it is measured again from time to time. The work must never change, or the unit would. Use:
docs/protocols/tournaments.md, "Speed".
"""

import threading
import time
from functools import lru_cache
from hashlib import sha256
from typing import Final

#: Rounds per second of a machine of speed 1.
UNIT: Final = 1000
#: Seconds of measurement, and minimum rounds: the fastest one has no interference.
SPAN: Final = 0.02
LEAST: Final = 10
#: Seconds for which a measurement is valid.
KEPT: Final = 60.0
_STEPS: Final = 4000


#: Held by one thread at a time, because parallel measurements would disturb each other.
_measuring: Final = threading.Lock()


def speed() -> float:
    """Return the speed of this machine, in three digits. It is measured again if the last measurement is too old."""
    with _measuring:
        return _measured(int(time.perf_counter() / KEPT))


@lru_cache(1)
def _measured(_when: int) -> float:
    rounds, quickest = 0, float("inf")
    began = last = time.perf_counter()
    while rounds < LEAST or last - began < SPAN:
        work()
        now = time.perf_counter()
        rounds, quickest, last = rounds + 1, min(quickest, now - last), now
    return float(f"{1 / (UNIT * quickest):.3g}")


def work() -> int:
    """Do a round; its result is always the same."""
    counts: dict[int, int] = {}
    word, total = 1, 0
    for step in range(_STEPS):
        word = (word * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        square = word >> 8 & 1023
        count = counts[square] = counts.get(square, 0) + (word & 7)
        if count & 1:
            total += square
        elif not step & 7:
            total ^= word & 0xFFFF
        if not step % 40:
            total ^= sha256(total.to_bytes(8, "big")).digest()[0]
    return total
