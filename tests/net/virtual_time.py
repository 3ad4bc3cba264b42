"""Time of a simulated world: what is to happen and when, so that an hour passes in a second and in the same order; and
what many peers in one process need not do again.
"""

import heapq
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from unittest.mock import patch

from quadrille.net.hall import hall
from quadrille.net.trust import identity


class VirtualTime:
    """Actions in the order of their time; those of one moment in the order in which they were asked for."""

    __slots__ = ("_queue", "now", "steps")

    def __init__(self) -> None:
        self.now = 0
        self.steps = 0
        self._queue: list[tuple[int, int, Callable[[], None]]] = []

    def later(self, delay: int, action: Callable[[], None]) -> None:
        self.steps += 1
        heapq.heappush(self._queue, (self.now + delay, self.steps, action))

    def step(self, end: int | None = None) -> bool:
        """Do what is next; False if nothing is before the end."""
        if not self._queue or (end is not None and self._queue[0][0] > end):
            return False
        self.now, _, action = heapq.heappop(self._queue)
        action()
        return True


@contextmanager
def signatures_checked_once() -> Iterator[None]:
    """Each signature is made and checked once, and each posting decoded once, and not once for each of a thousand peers
    in this process: the same bytes always give the same. A wrong signature is checked anew each time.
    """
    with ExitStack() as patches:
        for where, name in ((identity, "crypto_sign"), (identity, "crypto_sign_open"), (hall, "read_part")):
            patches.enter_context(patch.object(where, name, lru_cache(maxsize=1 << 16)(getattr(where, name))))
        yield
