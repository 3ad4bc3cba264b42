"""A few lobbies (net/seating/lobby.py) without sockets: what one says reaches the others at once and in order.

Time is real while a program thinks, and skipped otherwise. A bot hears nothing of a network but what its table makes of
it, so bad weather is for the tests of `net`.
"""

import time
from collections.abc import Callable
from typing import Final

from quadrille.net.entries.wire import Advert
from quadrille.net.seating.lobby import Event, Lobby
from quadrille.rules.chance import Stream

#: Seconds of one wait for a program that thinks.
_LOOK: Final = 0.005
#: Milliseconds after which whoever plays by a lobby acts again, though nothing is due there.
_PERSON: Final = 100


class LinkedLobbies:
    """The lobbies by key, and their clock."""

    def __init__(self, seed: str) -> None:
        self._entropy = Stream(seed, "entropy")
        self.lobbies: dict[bytes, Lobby] = {}
        self._posted: dict[bytes, Advert] = {}
        #: Milliseconds since the start.
        self.now = 0
        self._looked = time.monotonic()

    def entropy(self, size: int) -> bytes:
        """Return bytes for the secrets of the peers, which follow from the seed too."""
        return b"".join(self._entropy.word().to_bytes(8, "big") for _ in range(-(-size // 8)))[:size]

    def come(self, lobby: Lobby) -> None:
        """Let a peer appear, for the first time or again."""
        key = lobby.identity.key
        for other, there in self.lobbies.items():
            lobby.came(other, self.now)
            lobby.list_peer(other, there.advert, self.now)
            there.came(key, self.now)
        self.lobbies[key] = lobby
        self._posted.pop(key, None)

    def go(self, key: bytes) -> None:
        """Let a peer's program end."""
        del self.lobbies[key]
        for lobby in self.lobbies.values():
            lobby.went(key, self.now)
            lobby.unlist_peer(key)

    def turn(self, thinks: Callable[[], bool]) -> list[tuple[bytes, Event]]:
        """Carry what was said; if nothing was, let time pass until something is due, or a program has thought a bit."""
        if not self._carry():
            due = min(lobby.deadline for lobby in self.lobbies.values())
            if thinks():
                time.sleep(max(0.0, min(_LOOK, (due - self.now) / 1000)))
                self.now += round(1000 * (time.monotonic() - self._looked))
            else:
                self.now = max(self.now, min(due, self.now + _PERSON))
        self._looked = time.monotonic()
        events = []
        for key, lobby in self.lobbies.items():
            if self.now >= lobby.deadline:
                lobby.wake(self.now)
            events += [(key, event) for event in lobby.events]
            lobby.events.clear()
        return events

    def _carry(self) -> bool:
        """Deliver all that lobbies post and say; return whether there was anything."""
        carried = False
        for key, lobby in self.lobbies.items():
            lobby.flush(self.now)
            said = list(lobby.outgoing)
            lobby.outgoing.clear()
            if self._posted.get(key) != lobby.advert:
                self._posted[key] = lobby.advert
                for other, there in self.lobbies.items():
                    if other != key:
                        there.list_peer(key, lobby.advert, self.now)
            for to, message in said:
                if to in self.lobbies:
                    self.lobbies[to].receive(key, message, self.now)
            carried = carried or bool(said)
        return carried
