"""One end of an engagement: the bytes that a runner and somebody's bot say to each other by messages.

A machine (net/core/machine.py), the same at both ends. Each byte arrives once and in order, whatever is lost, said
twice or cut in between, and however often the link is made anew. Specification: protocols.md, "Tournaments", Peers.
"""

from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.entries.wire import Words

#: Maximum bytes in one message.
PIECE: Final = 60_000
#: Milliseconds until unheard bytes are said again, at first; doubled each time, up to the longest.
AGAIN: Final = 1000
LONGEST: Final = 8000
#: Maximum messages to one peer in a second: the peer's node would take more for a flood.
MOST_A_SECOND: Final = 1500


class SendQuota:
    """Messages that may be sent to one peer now, in all engagements with it."""

    __slots__ = ("_said", "_second")

    def __init__(self) -> None:
        self._second = self._said = 0

    def take(self, messages: list[Words], now: int) -> list[Words]:
        """Those that may be sent now, from the first on; the others stay."""
        if now // 1000 != self._second:
            self._second, self._said = now // 1000, 0
        taken = messages[: max(0, MOST_A_SECOND - self._said)]
        self._said += len(taken)
        del messages[: len(taken)]
        return taken


class ReliableStream:
    """Bytes said here that the other end has not heard, and how many bytes were heard here."""

    __slots__ = ("_due", "_pause", "_start", "_took", "_unheard", "events", "heard", "outgoing", "table")

    def __init__(self, table: bytes) -> None:
        self.table = table
        self.heard = 0
        self.outgoing: list[Words] = []
        self.events: list[bytes] = []  # new bytes
        self._unheard = bytearray()
        self._start = 0
        self._took = 0
        self._pause = AGAIN
        self._due = NO_DEADLINE

    @property
    def unheard(self) -> int:
        """How many bytes the other end has not said to have heard."""
        return len(self._unheard)

    @property
    def said(self) -> int:
        """How many bytes were said here in all."""
        return self._start + len(self._unheard)

    def say(self, data: bytes, now: int, took: int = 0) -> None:
        """More bytes for the other end; `took` goes with them."""
        start = self.said
        self._unheard += data
        self._took = took
        self._send(start)
        if self._due == NO_DEADLINE:
            self._pause, self._due = AGAIN, now + AGAIN

    def receive(self, _: bytes, words: Words, now: int) -> None:
        """A message of the other end, the only peer; a `PeerError` if that has heard what nobody said."""
        if words.heard > self.said:
            raise PeerError(f"has heard {words.heard} bytes of an engagement, and {self.said} were said")
        if words.heard > self._start:
            del self._unheard[: words.heard - self._start]
            self._start = words.heard
            self._pause, self._due = AGAIN, now + AGAIN if self._unheard else NO_DEADLINE
        known = self.heard - words.start
        if not 0 <= known < len(words.said):
            if words.said:  # said twice, or after something that was lost: that is where we are
                self.outgoing.append(Words(self.table, self.said, self.heard, b"", 0))
            return
        self.events.append(words.said[known:])
        self.heard += len(self.events[-1])

    def meet(self, now: int) -> None:
        """The other end is here again: where we are, and what it may not have heard."""
        self._send(self._start)
        self._pause, self._due = AGAIN, now + AGAIN if self._unheard else NO_DEADLINE

    @property
    def deadline(self) -> int:
        """When something is said again."""
        return self._due

    def wake(self, now: int) -> None:
        """Say again what was not heard."""
        if now >= self._due:
            self._send(self._start)
            self._pause = min(2 * self._pause, LONGEST)
            self._due = now + self._pause

    def _send(self, start: int) -> None:
        """All from there on; without anything, only how much was heard."""
        for at in range(start, max(self.said, start + 1), PIECE):
            piece = bytes(self._unheard[at - self._start : at - self._start + PIECE])
            self.outgoing.append(Words(self.table, at, self.heard, piece, self._took))
