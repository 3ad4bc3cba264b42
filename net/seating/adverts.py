"""What a peer tells everybody: its name, and the tables that it offers; and when it tells that again.

A link that breaks is noticed, and who comes back is told everything anew. So saying an advert again is only for what
nobody noticed, and is done ever more rarely. Specification: protocols.md, "Lobby".
"""

from collections.abc import Iterable
from typing import Any, Final

from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.entries.wire import Advert

#: When a host says again what it offers, in milliseconds: each time after twice as long, up to the last.
FIRST_AGAIN: Final = 5000
LAST_AGAIN: Final = 60_000
MOST_OFFERS: Final = 32


class Adverts:
    """Who has heard which advert of mine."""

    __slots__ = ("_again", "_pause", "_said", "_waits", "advert")

    def __init__(self, name: str, kind: str) -> None:
        self.advert = Advert(name, kind, ())
        self._said: dict[bytes, Advert] = {}
        self._again = 0
        self._pause = FIRST_AGAIN
        self._waits = False

    def offer(self, offers: Iterable[tuple[Any, ...]], now: int, *, waits: bool) -> None:
        """What is offered from now on; `waits`: somebody should come, so it is said again."""
        self._waits = waits
        tables = tuple(offers)[:MOST_OFFERS]
        if tables != self.advert.tables:
            self.advert = Advert(self.advert.name, self.advert.kind, tables)
            self._pause = FIRST_AGAIN
            self._again = now + self._pause

    def forget(self, key: bytes) -> None:
        """That peer may not have heard it."""
        self._said.pop(key, None)

    def owed(self, here: Iterable[bytes]) -> list[bytes]:
        """Those who are here and have not been told; from now on they have."""
        old = sorted(key for key in here if self._said.get(key) != self.advert)
        self._said.update(dict.fromkeys(old, self.advert))
        return old

    @property
    def deadline(self) -> int:
        """When `wake` is wanted: never while nobody should come."""
        return self._again if self._waits else NO_DEADLINE

    def wake(self, now: int) -> None:
        """Time has passed: it may have to be said again to all."""
        if now >= self.deadline:
            self._pause = min(2 * self._pause, LAST_AGAIN)
            self._again = now + self._pause
            self._said.clear()
