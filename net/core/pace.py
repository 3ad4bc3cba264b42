"""Rate limits for events that other peers cause: a burst at once, then one per interval. Pure; the caller passes the
time in.

net/seating/lobby.py limits a peer's adverts with it, client/table/network/floods.py the lines that a person reads.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from quadrille.net.core.machine import NO_DEADLINE

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Pace:
    """A rate: `burst` at once, and one more every `every` milliseconds."""

    burst: int
    every: int


class Bucket:
    """The remainder of a pace at a given time."""

    __slots__ = ("_full_at", "_pace")

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._full_at = 0  # when the bucket is full again

    def take(self, now: int) -> bool:
        """Take one if there is one."""
        if now < self.due:
            return False
        self._full_at = max(self._full_at, now) + self._pace.every
        return True

    @property
    def due(self) -> int:
        """When the next one is available."""
        return self._full_at - self._pace.every * (self._pace.burst - 1)


#: How often a peer's new advert becomes an event.
ADVERTS: Final = Pace(8, 500)


class Held(Generic[Key]):
    """Limits how often each key is heard. Messages above the limit are held; the newest of them is due later."""

    __slots__ = ("_buckets", "_held", "_pace")

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._buckets: dict[Key, Bucket] = {}
        self._held: set[Key] = set()

    def hear(self, key: Key, now: int) -> bool:
        """Return True if the message may pass now; otherwise hold it."""
        if self._buckets.setdefault(key, Bucket(self._pace)).take(now):
            self._held.discard(key)
            return True
        self._held.add(key)
        return False

    @property
    def deadline(self) -> int:
        """When to call `due` next."""
        return min((self._buckets[key].due for key in self._held), default=NO_DEADLINE)

    def due(self, now: int) -> list[Key]:
        """The keys with a held message that may pass now."""
        return [key for key in sorted(self._held, key=repr) if self._buckets[key].due <= now and self.hear(key, now)]

    def drop(self, key: Key) -> None:
        """Forget a key's held message. Its bucket stays, so the key gains nothing by coming back."""
        self._held.discard(key)

    def sweep(self, now: int) -> None:
        """Forget the buckets that are full again."""
        quiet = now - self._pace.every * self._pace.burst
        for key in [key for key, bucket in self._buckets.items() if key not in self._held and bucket.due < quiet]:
            del self._buckets[key]
