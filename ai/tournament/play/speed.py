"""How quick a machine is, in a unit that is the same everywhere: times of machines that differ can be compared by it,
and given out by it.

A machine of speed 1 does `UNIT` rounds of a fixed piece of work in a second, which is much what a bot in Python does:
whole numbers, a dictionary, some hashing, in one thread. So it is the speed of a machine with its Python. Of many short
rounds the quickest counts: it is the one in which nobody else was at work. Machines grow hot, and those that share
their processors are given more of them or less, so it is measured again from time to time. The work must never change,
or the unit would. What is made of it: protocols.md, "Tournaments".
"""

import threading
import time
from hashlib import sha256
from typing import Final

#: Rounds a second of a machine of speed 1.
UNIT: Final = 1000
#: For so many seconds rounds are done to find the quickest, and at least so many: one where nobody else is at work.
SPAN: Final = 0.15
LEAST: Final = 10
#: For so many seconds it is taken for what it was.
KEPT: Final = 60.0
_STEPS: Final = 4000


class Speed:
    """That of this machine, in three digits, whenever it is asked for."""

    __slots__ = ("_asked", "_found", "_until")

    def __init__(self) -> None:
        self._asked = threading.Lock()
        self._found, self._until = 0.0, float("-inf")

    def __call__(self) -> float:
        """Measured anew where it was last measured too long ago."""
        with self._asked:  # by one thread at a time, or each would be in the other's way
            if time.perf_counter() >= self._until:
                self._found = _measured()
                self._until = time.perf_counter() + KEPT
            return self._found


#: One for all that is played in this process.
speed: Final = Speed()


def _measured() -> float:
    rounds, quickest = 0, float("inf")
    began = last = time.perf_counter()
    while rounds < LEAST or last - began < SPAN:
        work()
        now = time.perf_counter()
        rounds, quickest, last = rounds + 1, min(quickest, now - last), now
    return float(f"{1 / (UNIT * quickest):.3g}")


def work() -> int:
    """A round; what comes of it is always the same."""
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
