"""One end of an engagement: a reliable byte stream between a runner and a bot, over messages.

A machine (net/core/machine.py), the same at both ends. Each byte arrives once and in order, whatever messages are
lost or repeated, and however often the link is made again. Specification: extras/league/docs/runners.md.
"""

from itertools import takewhile
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.limits import Bucket, a_second
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.entries.wire import Words

#: Maximum bytes in one message.
PIECE: Final = 60_000
#: Milliseconds until unacknowledged bytes are first sent again; doubled each time, up to the maximum.
AGAIN: Final = 1000
LONGEST: Final = 8000
#: Messages to one peer, over all engagements with it: its node would take more for a flood.
SENT: Final = a_second(1500, burst=1500)


class ReliableStream:
    """Sent bytes without an acknowledgement, and the offset of received ones."""

    __slots__ = ("_pause", "_start", "_unheard", "deadline", "events", "heard", "outgoing", "table")

    def __init__(self, table: bytes) -> None:
        self.table = table
        self.heard = 0
        self.outgoing: list[Words] = []
        self.events: list[bytes] = []  # new bytes
        self._unheard = bytearray()
        self._start = 0
        self._pause = AGAIN
        self.deadline = NO_DEADLINE  # when to repeat

    @property
    def unheard(self) -> int:
        """Number of unacknowledged bytes."""
        return len(self._unheard)

    @property
    def said(self) -> int:
        """Number of bytes sent in all."""
        return self._start + len(self._unheard)

    def sent(self, bucket: Bucket, now: int) -> list[Words]:
        """Take the first messages that the bucket lets out now; the others stay."""
        first = list(takewhile(lambda _: bucket.take(now), self.outgoing))
        del self.outgoing[: len(first)]
        return first

    def say(self, data: bytes, now: int) -> None:
        """Send more bytes."""
        start = self.said
        self._unheard += data
        self._send(start)
        if self.deadline == NO_DEADLINE:
            self._pause, self.deadline = AGAIN, now + AGAIN

    def receive(self, _: bytes, words: Words, now: int) -> None:
        """Process a message of the other end; a `PeerError` refuses an acknowledgement of bytes never sent."""
        if words.heard > self.said:
            raise PeerError(f"has heard {words.heard} bytes of an engagement, and {self.said} were said")
        if words.heard > self._start:
            del self._unheard[: words.heard - self._start]
            self._start = words.heard
            self._pause, self.deadline = AGAIN, now + AGAIN if self._unheard else NO_DEADLINE
        known = self.heard - words.start
        if not 0 <= known < len(words.said):
            if words.said:  # a repetition, or after a loss: answer with our offset
                self.acknowledge()
            return
        self.events.append(words.said[known:])
        self.heard += len(self.events[-1])

    def acknowledge(self) -> None:
        """Send our offset without bytes. The other end answers by Gone if it has ended."""
        self.outgoing.append(Words(self.table, self.said, self.heard, b""))

    def meet(self, now: int) -> None:
        """Send our offset and the unacknowledged bytes: the other end is connected again."""
        self._send(self._start)
        self._pause, self.deadline = AGAIN, now + AGAIN if self._unheard else NO_DEADLINE

    def wake(self, now: int) -> None:
        """Repeat unacknowledged bytes."""
        if now >= self.deadline:
            self._send(self._start)
            self._pause = min(2 * self._pause, LONGEST)
            self.deadline = now + self._pause

    def _send(self, start: int) -> None:
        """Send all bytes from that offset on; without any, only the acknowledgement."""
        for at in range(start, max(self.said, start + 1), PIECE):
            piece = bytes(self._unheard[at - self._start : at - self._start + PIECE])
            self.outgoing.append(Words(self.table, at, self.heard, piece))
