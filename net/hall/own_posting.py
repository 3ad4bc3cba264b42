"""A peer's own posting: when it gets a new content, when a new beat, and for how long it lives.

Part of hall.py. Specification: docs/protocols/hall.md, "Postings".
"""

from collections.abc import Iterable
from random import Random
from typing import Any, Final

from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.core.pace import Bucket, Pace
from quadrille.net.hall.missing import ANSWER_EVERY
from quadrille.net.hall.posting import LONGEST_LIFE, MOST_SERIALS, HallPlace, Posting, content_of
from quadrille.net.trust.identity import Identity

#: Maximum seconds between two beats in a hall of fewer than 250, doubled as often as the hall doubles; a posting lives
#: four times as long.
FIRST_BEAT: Final = 30
FIRST_SIZE: Final = 250
LIVES: Final = 4
#: Milliseconds between two contents of ours, after a burst.
CONTENTS: Final = Pace(4, 2000)


class OwnPosting:
    """One peer's words to its hall."""

    __slots__ = (
        "_beat_at", "_beat_due", "_contents", "_identity", "_pause", "_posted", "_random", "_serial", "_words",
        "posting",
    )  # fmt: skip

    def __init__(self, identity: Identity, random: Random, serial: int) -> None:
        """Contents are numbered from `serial` on."""
        self.posting: Posting | None = None
        self._identity = identity
        self._random = random
        self._serial = serial
        self._words: tuple[tuple[HallPlace, ...], str, str, tuple[Any, ...]] = ((), "", "person", ())
        self._posted: tuple[tuple[HallPlace, ...], str, str, tuple[Any, ...]] = self._words
        self._contents = Bucket(CONTENTS)
        self._pause = FIRST_BEAT
        self._beat_due = NO_DEADLINE
        self._beat_at = -ANSWER_EVERY

    def say(self, places: Iterable[HallPlace], name: str, kind: str, tables: Iterable[tuple[Any, ...]]) -> None:
        """Words for the next content."""
        self._words = (tuple(places), name, kind, tuple(tables))

    @property
    def deadline(self) -> int:
        """When a content or a beat is due."""
        if self.posting is None or self.posting.is_farewell:
            return NO_DEADLINE
        return min(self._beat_due, self._contents.due if self._words != self._posted else NO_DEADLINE)

    def renewed(self, size: int, now: int) -> Posting | None:
        """The posting with the newest words or with a new beat, if one is due in a hall of that size."""
        if self.posting is not None and self.posting.is_farewell:
            return None
        is_first = self.posting is None
        if (is_first or self._words != self._posted) and self._contents.take(now):
            self._adapt(size)
            self._posted = self._words
            return self._write(content_of(*self._words), now)
        if is_first or now < self._beat_due or self.posting is None:
            return None
        self._adapt(size)
        return self._beat(self.posting, self.posting.beat + 1, now)

    def answer(self, beat: int, now: int) -> bool:
        """Somebody knows no newer beat than this, and lost sight of us: beat soon. False if we have a newer one."""
        if self.posting is None or self.posting.is_farewell or beat < self.posting.beat:
            return False
        self._beat_due = min(self._beat_due, max(now, self._beat_at + ANSWER_EVERY))
        return True

    def outbid(self, posting: Posting, now: int) -> Posting | None:
        """A newer content than one that others know: from before this program was started."""
        own = self.posting
        if own is None or own.is_farewell or posting.version <= own.version or not posting.is_signed():
            return None
        self._serial = min(posting.serial, MOST_SERIALS - 1)
        return self._write(own.content, now)

    def farewell(self) -> Posting | None:
        """The last posting, if there was one."""
        if self.posting is None or self.posting.is_farewell:
            return None
        return self._write(b"", 0)

    def _write(self, content: bytes, now: int) -> Posting:
        self._serial += 1
        return self._beat(Posting(self._identity.key, self._serial, content), 1, now)

    def _beat(self, posting: Posting, beat: int, now: int) -> Posting:
        """Beats of peers that began together drift apart."""
        self._beat_at = now
        self._beat_due = now + 1000 * self._pause - self._random.randrange(500 * self._pause)
        self.posting = posting.signed(self._identity, beat, min(LIVES * self._pause, LONGEST_LIFE))
        return self.posting

    def _adapt(self, size: int) -> None:
        """Beat seldom in a large hall; follow a hall that shrinks only by half."""
        pause = FIRST_BEAT << (size // FIRST_SIZE).bit_length()
        if self._pause < pause or pause < self._pause // 2:
            self._pause = pause
