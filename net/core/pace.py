"""Pacing of what others can cause as often as they like: a few at once, and then one in a while. Pure; time comes in.

Used by net/seating/lobby.py for the adverts of a peer, and by client/table/network/floods.py for the lines that a
person reads.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from quadrille.net.core.machine import NO_DEADLINE

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Pace:
    """So many at once, and one more every so many milliseconds."""

    burst: int
    every: int


class Bucket:
    """What is left of a pace at some time."""

    __slots__ = ("_full_at", "_pace")

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._full_at = 0  # the time at which nothing has been taken any more

    def take(self, now: int) -> bool:
        """Whether there is one, which is taken then."""
        if now < self.due:
            return False
        self._full_at = max(self._full_at, now) + self._pace.every
        return True

    @property
    def due(self) -> int:
        """When there is one again."""
        return self._full_at - self._pace.every * (self._pace.burst - 1)


#: How often a peer's new advert is an event.
ADVERTS: Final = Pace(8, 500)


class Held(Generic[Key]):
    """What is heard from each key at a pace. What comes too often is held, and the newest of it is due later."""

    __slots__ = ("_buckets", "_held", "_pace")

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._buckets: dict[Key, Bucket] = {}
        self._held: set[Key] = set()

    def hear(self, key: Key, now: int) -> bool:
        """Whether it may be told now; else it is held."""
        if self._buckets.setdefault(key, Bucket(self._pace)).take(now):
            self._held.discard(key)
            return True
        self._held.add(key)
        return False

    @property
    def deadline(self) -> int:
        """When `due` is wanted; never while nothing is held."""
        return min((self._buckets[key].due for key in self._held), default=NO_DEADLINE)

    def due(self, now: int) -> list[Key]:
        """Those of whom something was held, and may be told now."""
        return [key for key in sorted(self._held, key=repr) if self._buckets[key].due <= now and self.hear(key, now)]

    def drop(self, key: Key) -> None:
        """Nothing of that key is to be told any more. Its pace stays: it may come again at once."""
        self._held.discard(key)

    def sweep(self, now: int) -> None:
        """Forget the paces of those who have been quiet for long enough."""
        quiet = now - self._pace.every * self._pace.burst
        for key in [key for key, bucket in self._buckets.items() if key not in self._held and bucket.due < quiet]:
            del self._buckets[key]
