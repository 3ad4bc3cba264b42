"""A peer's advert (its name and the tables it offers), and when it is repeated.

A broken link is noticed, and a peer that comes back gets the advert again. Repetition covers only losses that nobody
noticed, so its interval grows. Specification: docs/protocols/gathering.md, "Lobby".
"""

from collections.abc import Iterable
from typing import Final

from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.entries.wire import MOST_OFFERS, Advert, Offer

#: Milliseconds until a host first repeats its advert, doubled each time up to the maximum.
FIRST_AGAIN: Final = 5000
LAST_AGAIN: Final = 60_000


class Adverts:
    """Which peers have which of my adverts."""

    __slots__ = ("_again", "_pause", "_said", "_waits", "advert")

    def __init__(self, name: str, kind: str) -> None:
        self.advert = Advert(name, kind, ())
        self._said: dict[bytes, Advert] = {}
        self._again = 0
        self._pause = FIRST_AGAIN
        self._waits = False

    def offer(self, offers: Iterable[Offer], now: int, *, waits: bool) -> None:
        """Change the offers; `waits`: they need players, so the advert is repeated."""
        self._waits = waits
        tables = tuple(offers)[:MOST_OFFERS]
        if tables != self.advert.tables:
            self.advert = Advert(self.advert.name, self.advert.kind, tables)
            self._pause = FIRST_AGAIN
            self._again = now + self._pause

    def forget(self, key: bytes) -> None:
        """That peer may not have the advert."""
        self._said.pop(key, None)

    def owed(self, here: Iterable[bytes]) -> list[bytes]:
        """The peers that lack the newest advert; they count as informed from now on."""
        old = sorted(key for key in here if self._said.get(key) != self.advert)
        self._said.update(dict.fromkeys(old, self.advert))
        return old

    @property
    def deadline(self) -> int:
        """When to call `wake`; never while no table needs players."""
        return self._again if self._waits else NO_DEADLINE

    def wake(self, now: int) -> None:
        """Repeat the advert to all if it is time."""
        if now >= self.deadline:
            self._pause = min(2 * self._pause, LAST_AGAIN)
            self._again = now + self._pause
            self._said.clear()
