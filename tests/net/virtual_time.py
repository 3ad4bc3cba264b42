"""Time of a simulated world: what is to happen and when, so that an hour passes in a second and in the same order."""

import heapq
from collections.abc import Callable


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
