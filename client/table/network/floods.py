"""Rate limits on events that others cause: which notices are shown, and which are only counted.

Each kind of notice has a pace for each author. Strangers together have one too, because a stranger may use any number
of keys. The number of suppressed notices is shown every few seconds. Pure; the caller passes the time in.
"""

from typing import Final

from quadrille.client.table.notices import Kind
from quadrille.client.value import value
from quadrille.net.core.limits import Bucket, Buckets, Pace

#: The paces of people at the table and of people this person knows.
_KNOWN: Final = {
    Kind.CHAT: Pace(12, 1500),
    Kind.NAME: Pace(3, 10_000),
    Kind.INVITATION: Pace(3, 10_000),
    Kind.PROPOSAL: Pace(6, 4000),
    Kind.BLAME: Pace(3, 10_000),
    Kind.COMING: Pace(8, 5000),
}
#: The pace of one stranger, for lines of each kind.
_STRANGER: Final = {
    kind: Pace(pace.burst if kind is Kind.COMING else 3, 2 * pace.every) for kind, pace in _KNOWN.items()
}
#: The pace of all strangers together.
_STRANGERS: Final = Pace(20, 2000)
#: Milliseconds between two sums of one kind.
SUM_EVERY: Final = 5000
#: Maximum authors whose suppressed lines are counted apart.
_MOST_AUTHORS: Final = 256


@value
class Sum:
    """Number of suppressed lines of a kind. `author` is None for strangers counted together."""

    kind: Kind
    author: bytes | None
    count: int


class Floods:
    """The lines of one conversation: which are shown, and the sums of the others."""

    def __init__(self) -> None:
        self.muted: set[bytes] = set()
        self._known = {kind: Buckets[bytes](pace) for kind, pace in _KNOWN.items()}
        self._stranger = {kind: Buckets[bytes](pace) for kind, pace in _STRANGER.items()}
        self._strangers = {kind: Bucket(_STRANGERS) for kind in Kind}
        self._counts: dict[tuple[Kind, bytes | None], tuple[int, int]] = {}  # number, and when it is shown

    def hear(self, kind: Kind, author: bytes, now: int, *, stranger: bool) -> bool:
        if author in self.muted:
            return False
        if (self._stranger if stranger else self._known)[kind].take(author, now):
            if not stranger or self._strangers[kind].take(now):
                return True
            self._count(kind, None, now)
        else:
            self._count(kind, author, now)
        return False

    def _count(self, kind: Kind, author: bytes | None, now: int) -> None:
        count, due = self._counts.get((kind, author), (0, now + SUM_EVERY))
        if not count and len(self._counts) >= _MOST_AUTHORS:
            author = None
            count, due = self._counts.get((kind, author), (0, now + SUM_EVERY))
        self._counts[kind, author] = (count + 1, due)

    def sums(self, now: int) -> list[Sum]:
        due = [key for key, (_, at) in self._counts.items() if at <= now]
        return [Sum(*key, self._counts.pop(key)[0]) for key in due]

    def mute(self, author: bytes) -> None:
        self.muted.add(author)
        for key in [key for key in self._counts if key[1] == author]:
            del self._counts[key]
