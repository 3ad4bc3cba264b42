"""A simulated network for a few peers, in bad weather: messages are delayed, repeated, reordered or lost, and links
break and mend. All of it follows from a seed, except for the time that programs take.

Peers are whole lobbies (net/seating/lobby.py); only sockets are left out. Time is real while a program thinks, and
skipped otherwise.
"""

import heapq
import time
from collections.abc import Callable
from itertools import count
from typing import Final

from quadrille.net.entries.wire import Advert, Message
from quadrille.net.seating.lobby import Event, Lobby
from quadrille.rules.chance import Stream

#: Thousandths of messages that are lost, that are repeated, after which a link breaks. Times in milliseconds.
LOSS: Final = 60
TWICE: Final = 100
BREAKS: Final = 8
LONGEST_WAY: Final = 300
NOTICED: Final = 1500
LONGEST_BREAK: Final = 6000
#: Seconds of one wait for a program that thinks.
_LOOK: Final = 0.005


class Weather:
    """The network and its clock."""

    def __init__(self, seed: str) -> None:
        self.dice = Stream(seed, "weather")
        self._entropy = Stream(seed, "entropy")
        self.lobbies: dict[bytes, Lobby] = {}
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = count()
        self._broken: set[frozenset[bytes]] = set()
        self._posted: dict[bytes, Advert] = {}
        #: Milliseconds since the start.
        self.now = 0
        self._looked = time.monotonic()

    def come(self, lobby: Lobby) -> None:
        """Let a peer appear, for the first time or again."""
        key = lobby.identity.key
        self.lobbies[key] = lobby
        for other in self.lobbies:
            if other != key:
                self._meet(key, other)

    def entropy(self, size: int) -> bytes:
        """Return bytes for the secrets of the peers, which follow from the seed too."""
        return b"".join(self._entropy.word().to_bytes(8, "big") for _ in range(-(-size // 8)))[:size]

    def go(self, key: bytes) -> None:
        """Let a peer's program end; the others notice it later."""
        gone = self.lobbies.pop(key)
        for other in self.lobbies:
            self._later(NOTICED, lambda other=other: self._part(key, other, gone))  # type: ignore[misc]

    def turn(self, thinks: Callable[[], bool]) -> list[tuple[bytes, Event]]:
        """Let the next event happen. Time is real while a program thinks, and skipped otherwise."""
        self._send_all()
        due = min([lobby.deadline for lobby in self.lobbies.values()] + [at for at, _, _ in self._queue[:1]])
        if thinks():
            time.sleep(max(0.0, min(_LOOK, (due - self.now) / 1000)))
            self.now += round(1000 * (time.monotonic() - self._looked))
        else:
            self.now = max(self.now, due)
        self._looked = time.monotonic()
        while self._queue and self._queue[0][0] <= self.now:
            heapq.heappop(self._queue)[2]()
        events = []
        for key, lobby in list(self.lobbies.items()):
            if self.now >= lobby.deadline:
                lobby.wake(self.now)
            events += [(key, event) for event in lobby.events]
            lobby.events.clear()
        return events

    def _send_all(self) -> None:
        for key, lobby in list(self.lobbies.items()):
            lobby.flush(self.now)
            if self._posted.get(key) != lobby.advert:
                self._posted[key] = lobby.advert
                for other in self.lobbies:
                    self._list(key, other)
            for to, message in lobby.outgoing:
                self._send(key, to, message)
            lobby.outgoing.clear()

    def _send(self, key: bytes, to: bytes, message: Message) -> None:
        plays = bool(self.lobbies[key].tables)  # a request for a seat is made once: a loss means that there was no link
        copies = 0 if plays and self._chance(LOSS) else 2 if self._chance(TWICE) else 1
        for _ in range(copies):
            self._later(1 + self.dice.randrange(LONGEST_WAY), lambda: self._deliver(key, to, message))
        if plays and self._chance(BREAKS):
            self._break(key, to)

    def _deliver(self, key: bytes, to: bytes, message: Message) -> None:
        if to in self.lobbies and frozenset((key, to)) not in self._broken:
            self.lobbies[to].receive(key, message, self.now)

    def _break(self, one: bytes, other: bytes) -> None:
        """Block a link for a while; both ends notice if it takes long enough."""
        link = frozenset((one, other))
        if link in self._broken:
            return
        self._broken.add(link)

        def mend() -> None:
            self._broken.discard(link)
            self._meet(one, other)

        def notice() -> None:
            if link in self._broken:
                self._part(one, other, None)

        self._later(NOTICED, notice)
        self._later(1 + self.dice.randrange(LONGEST_BREAK), mend)

    def _meet(self, one: bytes, other: bytes) -> None:
        if one in self.lobbies and other in self.lobbies:
            for here, there in ((one, other), (other, one)):
                self.lobbies[here].came(there, self.now)
                self._list(there, here)

    def _list(self, key: bytes, to: bytes) -> None:
        """Carry what a peer posts to another that meets it."""

        def hear() -> None:
            if {key, to} <= self.lobbies.keys() and frozenset((key, to)) not in self._broken:
                self.lobbies[to].list_peer(key, self.lobbies[key].advert, self.now)

        if key != to:
            self._later(1, hear)

    def _part(self, one: bytes, other: bytes, gone: Lobby | None) -> None:
        """Let both ends notice that the other is gone, unless its program is back."""
        for here, there in ((one, other), (other, one)):
            if here in self.lobbies and (gone is None or self.lobbies.get(there) is None):
                self.lobbies[here].went(there, self.now)
                self.lobbies[here].unlist_peer(there)

    def _later(self, delay: int, action: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (self.now + delay, next(self._numbers), action))

    def _chance(self, thousandths: int) -> bool:
        return self.dice.randrange(1000) < thousandths
