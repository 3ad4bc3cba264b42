"""One stream of a meeting: its bytes in numbered parts, said again until they are acknowledged, and put in order.

Because of that a stream can go by any place, and change its place at any moment: all that is not acknowledged is said
again there, and what comes twice counts once. A value without sockets and clock that meeting.py changes. Specification:
extras/far/docs/relay.md, "Streams".
"""

from collections import deque
from typing import Final, NamedTuple

from quadrille.extras.far.relay.parcels import MOST_DATA, ParcelKind
from quadrille.net.core.machine import NO_DEADLINE

#: Bytes without an acknowledgement above which a stream takes no more.
MOST_UNHEARD: Final = 1 << 18
#: Maximum parts that wait for one before them, and maximum parts without an acknowledgement.
MOST_EARLY: Final = 256
MOST_PARTS: Final = 192
#: Milliseconds from a part to its acknowledgement, which counts for all that came meanwhile.
ACKNOWLEDGE_AFTER: Final = 100
#: Milliseconds without an acknowledgement after which parts are said again: at least, and at most.
SAY_AGAIN: Final = 2000
LAST_AGAIN: Final = 8000
#: Milliseconds without any acknowledgement after which a stream is given up.
GIVE_UP: Final = 20_000
#: Milliseconds for which a missing part may still come, before its stream is broken.
MISSING: Final = 6000


class StreamPart(NamedTuple):
    """DATA with its number, or END with the number of all DATA."""

    kind: ParcelKind
    sequence: int
    body: bytes = b""


class ParcelStream:
    """Both directions of a stream."""

    __slots__ = (
        "_acknowledge_at", "_due", "_early", "_lag", "_last", "_said_at", "_sent", "_stuck_at", "_tries", "_unheard",
        "_waits_since", "ended", "is_heard_out", "place",
    )  # fmt: skip

    def __init__(self, place: int) -> None:
        #: The place by which it goes now.
        self.place = place
        self.ended = False
        self.is_heard_out = False
        # Towards the other
        self._sent = 0
        self._unheard: deque[StreamPart] = deque()
        self._said_at = self._waits_since = self._lag = self._tries = 0
        # From the other
        self._due = 0
        self._last: int | None = None
        self._early: dict[int, bytes] = {}
        self._stuck_at: int | None = None
        self._acknowledge_at: int | None = None

    # Towards the other

    @property
    def is_full(self) -> bool:
        """Whether it takes no more before some of it is acknowledged."""
        return len(self._unheard) >= MOST_PARTS or sum(len(part.body) for part in self._unheard) >= MOST_UNHEARD

    @property
    def is_done(self) -> bool:
        """Whether both ends have said and heard everything."""
        return self.ended and self.is_heard_out and not self._unheard

    def send(self, data: bytes, now: int) -> list[StreamPart]:
        """The next parts."""
        bodies = [data[at : at + MOST_DATA] for at in range(0, len(data), MOST_DATA)]
        return self._keep([StreamPart(ParcelKind.DATA, self._sent + at, body) for at, body in enumerate(bodies)], now)

    def end(self, now: int) -> list[StreamPart]:
        """Say that no more follows."""
        self.ended = True
        return self._keep([StreamPart(ParcelKind.END, self._sent)], now)

    def _keep(self, parts: list[StreamPart], now: int) -> list[StreamPart]:
        if not self._unheard:
            self._said_at = self._waits_since = now
            self._tries = 0
        self._unheard += parts
        self._sent += sum(part.kind is ParcelKind.DATA for part in parts)
        return parts

    def again(self, now: int) -> list[StreamPart]:
        """All that is not acknowledged."""
        self._said_at = now
        return list(self._unheard)

    def acknowledged(self, number: int, now: int) -> None:
        """The other has everything before that number; END is one more than all DATA."""
        before = len(self._unheard)
        while self._unheard and self._unheard[0].sequence < number:
            self._unheard.popleft()
        if len(self._unheard) < before:
            self._lag = max(now - self._said_at, self._lag * 7 // 8)
            self._said_at = self._waits_since = now
            self._tries = 0

    @property
    def _again_at(self) -> int:
        pause = max(SAY_AGAIN, 2 * self._lag) << self._tries
        return self._said_at + min(pause, LAST_AGAIN) if self._unheard else NO_DEADLINE

    # From the other

    def take(self, part: StreamPart, now: int) -> list[bytes]:
        """A part that has come; return the bytes whose turn it is."""
        if self._acknowledge_at is None:
            self._acknowledge_at = now + ACKNOWLEDGE_AFTER
        if part.kind is ParcelKind.END:
            self._last = part.sequence
        elif part.sequence >= self._due:
            self._early.setdefault(part.sequence, part.body)
        found = []
        while self._due in self._early:
            found.append(self._early.pop(self._due))
            self._due += 1
            self._stuck_at = None
        if self._early or (self._last is not None and self._due < self._last):
            self._stuck_at = now if self._stuck_at is None else self._stuck_at
        return found

    @property
    def is_flooded(self) -> bool:
        return len(self._early) > MOST_EARLY

    @property
    def ends_now(self) -> bool:
        """Whether all that the other said is here, and its END."""
        return self._last is not None and self._due >= self._last

    @property
    def has_news(self) -> bool:
        """Whether something has come that is not acknowledged yet."""
        return self._acknowledge_at is not None

    def acknowledgement(self) -> StreamPart:
        """All that has come, in one number."""
        self._acknowledge_at = None
        return StreamPart(ParcelKind.ACK, self._due + (1 if self.ends_now else 0))

    # Time

    @property
    def deadline(self) -> int:
        """When something of this is due."""
        stuck = NO_DEADLINE if self._stuck_at is None else self._stuck_at + MISSING
        return min(self._again_at, stuck, NO_DEADLINE if self._acknowledge_at is None else self._acknowledge_at)

    def owes_acknowledgement(self, now: int) -> bool:
        return self._acknowledge_at is not None and now >= self._acknowledge_at

    def is_hopeless(self, now: int) -> bool:
        """Whether a part is missing for too long, here or there."""
        stuck = self._stuck_at is not None and now >= self._stuck_at + MISSING
        return stuck or (bool(self._unheard) and now - self._waits_since >= GIVE_UP)

    def is_unanswered(self, now: int) -> bool:
        """Whether nothing was acknowledged for a while; each time the next while is longer."""
        if now < self._again_at:
            return False
        self._tries += 1
        return True
