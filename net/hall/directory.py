"""The postings that a peer keeps of a hall: bounded, newest first, and compared with others by sums.

No clock and no messages; hall.py decides what is sent. Specification: docs/protocols/hall.md, "The directory of a
peer".
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from quadrille.net.core.ip_addresses import crowd_of
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.hall.hall_wire import MOST_MARKS, MOST_ROWS_TOLD, PARTS, SUM_BYTES, BeatRow
from quadrille.net.hall.posting import MARK_BYTES, Posting

#: Milliseconds for which a farewell is kept, so that no older posting of its author counts.
FAREWELL_KEPT: Final = 300_000
#: Milliseconds for which a full directory takes nobody that it has not seen.
CROWDED: Final = 1000
#: Milliseconds for which a peer does not ask for a posting that it refused or forgot.
NOT_ASKED: Final = 120_000
_WRAP: Final = 1 << 8 * SUM_BYTES
_SHIFT: Final = 8 - (PARTS - 1).bit_length()


@dataclass(frozen=True, slots=True)
class DirectoryLimits:
    """Bounds of what a peer keeps of others."""

    postings: int = 4096
    bytes: int = 3 << 19
    forgotten: int = 4096  # remembered versions of postings that are no longer kept


class Taken(Enum):
    """The outcome for a posting that was offered."""

    NEWS = "news"  # a new peer, a new content, a farewell
    BEAT = "beat"  # known content that holds for longer
    KNOWN = "known"  # nothing new
    FULL = "full"  # there is no room for it


class PostingDirectory:
    """Postings by key."""

    __slots__ = ("_born", "_bytes", "_crowded_until", "_doubted", "_due", "_forgotten", "_limits", "_marks",
                 "_postings", "_refused", "_seen", "_sums", "_told_sums", "_unreached")  # fmt: skip

    def __init__(self, seen: Callable[[bytes], str | None], limits: DirectoryLimits | None = None) -> None:
        """`seen(peer)` is the address of a peer whose link or beacon was met here; None if there was none."""
        self._seen = seen
        self._limits = limits or DirectoryLimits()
        self._postings: dict[bytes, Posting] = {}
        self._born: dict[bytes, int] = {}  # when the author signed the newest beat, by our clock
        self._marks: list[dict[bytes, bytes]] = [{} for _ in range(PARTS)]  # keys by mark, in each part
        self._forgotten: dict[bytes, tuple[tuple[int, bytes], int]] = {}
        self._refused: dict[bytes, int] = {}  # marks that are not asked for, until when
        self._doubted: set[bytes] = set()  # peers whose link broke since their newest beat
        self._unreached: set[bytes] = set()  # peers that did not answer a call since their newest beat
        self._sums = [0] * PARTS
        self._told_sums: bytes | None = None
        self._bytes = 0
        self._due = NO_DEADLINE
        self._crowded_until = 0

    # Postings kept here

    def __len__(self) -> int:
        return len(self._postings)

    def get(self, key: bytes) -> Posting | None:
        """The posting of a peer, shown or not."""
        return self._postings.get(key)

    def shown(self, key: bytes) -> Posting | None:
        """The posting of a peer that should be there."""
        posting = self._postings.get(key)
        return None if posting is None or posting.is_farewell or key in self._doubted else posting

    def all_shown(self) -> Iterator[Posting]:
        return (one for key, one in self._postings.items() if not one.is_farewell and key not in self._doubted)

    def of_mark(self, mark: bytes) -> Posting | None:
        key = self._marks[_part(mark)].get(mark)
        return None if key is None else self._postings[key]

    def age(self, key: bytes, now: int) -> int:
        """Seconds since its author signed its newest beat, as far as this peer knows."""
        return max(0, now - self._born[key]) // 1000

    def beats(self, owed: dict[bytes, None], now: int) -> tuple[BeatRow, ...]:
        """Take the beats for one message from the keys of those that are owed."""
        found = [one for key in owed if (one := self._postings.get(key)) is not None][:MOST_ROWS_TOLD]
        for one in found:
            del owed[one.key]
        return tuple((one.mark, one.beat, one.lives, one.signature, self.age(one.key, now)) for one in found)

    @property
    def most(self) -> int:
        """Maximum postings."""
        return self._limits.postings

    @property
    def has_room(self) -> bool:
        """Whether it is far from full."""
        limits = self._limits
        return len(self._postings) < limits.postings * 9 // 10 and self._bytes < limits.bytes * 9 // 10

    def is_seen(self, posting: Posting) -> bool:
        """Whether its author was met here."""
        return self._seen(posting.peer) is not None

    # Postings that come

    def judge(self, posting: Posting, now: int) -> Taken:
        """The outcome for a posting, before anybody checks its signature."""
        known = self._postings.get(posting.key)
        if known is not None:
            if known.hash == posting.hash:
                return Taken.BEAT if posting.beat > known.beat else Taken.KNOWN
            return Taken.NEWS if posting.version > known.version else Taken.KNOWN
        last = self._forgotten.get(posting.key)
        if last is not None and (posting.version, posting.beat) <= last:
            return Taken.KNOWN
        if self._has_room(posting, now):
            return Taken.NEWS
        self._refuse(posting.mark, now)
        return Taken.FULL

    def put(self, posting: Posting, age: int, now: int) -> None:
        """Keep a posting that is new and whose signature is right."""
        known = self._postings.get(posting.key)
        if known is None:
            self._make_room(posting, now)
            self._forgotten.pop(posting.key, None)
        if known is None or known.hash != posting.hash:
            self._take_out(posting.key)
            self._sum(posting.mark, 1)
            self._marks[_part(posting.mark)][posting.mark] = posting.key
            self._bytes += len(posting.content)
        self._doubted.discard(posting.key)
        self._unreached.discard(posting.key)
        self._postings[posting.key] = posting
        born = now - 1000 * age
        self._born[posting.key] = max(born, self._born.get(posting.key, born))  # a newer beat is no older
        self._due = min(self._due, self._ends(posting))

    def hear_age(self, key: bytes, age: int, now: int) -> None:
        """Another copy of what is kept: the youngest age that anybody tells counts, so a false one ends nothing."""
        self._born[key] = max(self._born[key], now - 1000 * age)

    def doubt(self, key: bytes) -> None:
        """Its link broke: it is not shown before its next beat."""
        if key in self._postings:
            self._doubted.add(key)

    def unreached(self, key: bytes) -> None:
        """It did not answer a call: it is not shown when half its life is over, and before its next beat."""
        if key in self._postings:
            self._unreached.add(key)
            self._due = min(self._due, self._overdue(key))

    def _overdue(self, key: bytes) -> int:
        """When two beats of an author have not come. A posting lives for four."""
        return self._born[key] + 500 * self._postings[key].lives

    def _ends(self, posting: Posting) -> int:
        return self._born[posting.key] + (FAREWELL_KEPT if posting.is_farewell else 1000 * posting.lives)

    @property
    def deadline(self) -> int:
        """When the first posting may have come to its end."""
        return self._due

    def expire(self, now: int) -> list[bytes]:
        """Forget postings whose time is up; return the keys of those that are shown no more."""
        if now < self._due:
            return []
        over = [key for key, posting in self._postings.items() if self._ends(posting) <= now]
        silent = [key for key in sorted(self._unreached) if self._overdue(key) <= now]
        shown = [key for key in dict.fromkeys(over + silent) if self.shown(key) is not None]
        for key in over:
            self.forget(key, now)
        for key in silent:
            self._unreached.discard(key)
            self.doubt(key)
        ends = min((self._ends(posting) for posting in self._postings.values()), default=NO_DEADLINE)
        self._due = min([ends, *map(self._overdue, self._unreached)])
        return shown

    def forget(self, key: bytes, now: int) -> None:
        """Remove a posting, and remember how new it was."""
        posting = self._postings[key]
        self._refuse(posting.mark, now)
        self._forgotten.pop(key, None)
        self._forgotten[key] = (posting.version, posting.beat)
        if len(self._forgotten) > self._limits.forgotten:
            del self._forgotten[next(iter(self._forgotten))]
        self._take_out(key)

    def _take_out(self, key: bytes) -> None:
        posting = self._postings.pop(key, None)
        if posting is not None:
            self._sum(posting.mark, -1)
            del self._marks[_part(posting.mark)][posting.mark], self._born[key]
            self._bytes -= len(posting.content)
            self._doubted.discard(key)
            self._unreached.discard(key)

    # Room: peers whose link or beacon was met here stay before others; then no address holds more than the rest

    def _fits(self, posting: Posting) -> bool:
        limits = self._limits
        return len(self._postings) < limits.postings and self._bytes + len(posting.content) <= limits.bytes

    def _has_room(self, posting: Posting, now: int) -> bool:
        if self._fits(posting):
            return True
        if self._seen(posting.peer) is None and now < self._crowded_until:
            return False
        if self._weakest(posting) is not None:
            return True
        self._crowded_until = now + CROWDED
        return False

    def _make_room(self, posting: Posting, now: int) -> None:
        while not self._fits(posting) and (weakest := self._weakest(posting)) is not None:
            self.forget(weakest, now)

    def _refuse(self, mark: bytes, now: int) -> None:
        """Do not ask for this posting for a while."""
        self._refused.pop(mark, None)
        self._refused[mark] = now + NOT_ASKED
        if len(self._refused) > self._limits.forgotten:
            del self._refused[next(iter(self._refused))]

    def _weakest(self, newcomer: Posting) -> bytes | None:
        """The key of the posting that gives way to a newcomer; None if the newcomer is no better than any."""
        groups = {key: self._group(posting) for key, posting in self._postings.items()}
        own = self._group(newcomer)
        strangers = Counter(group for group in groups.values() if not group[0])
        crowds = strangers or (Counter(groups.values()) if own[0] else strangers)
        if not crowds:
            return None
        crowd, most = crowds.most_common(1)[0]
        if own[0] == crowd[0] and crowds[own] + 1 >= most:
            return None
        return next(key for key, group in groups.items() if group == crowd)

    def _group(self, posting: Posting) -> tuple[bool, str]:
        """Whether its author was met here, and its address."""
        if (host := self._seen(posting.peer)) is not None:
            return True, host
        places = posting.words.places
        return False, crowd_of(places[0].host) if places else ""

    # Comparison with others

    def _sum(self, mark: bytes, sign: int) -> None:
        part = _part(mark)
        self._told_sums = None
        self._sums[part] = (self._sums[part] + sign * int.from_bytes(mark, "big")) % _WRAP

    def sums(self) -> bytes:
        """The sum of the marks of each part."""
        if self._told_sums is None:
            self._told_sums = b"".join([one.to_bytes(SUM_BYTES, "big") for one in self._sums])
        return self._told_sums

    def differing(self, sums: bytes) -> list[int]:
        """The parts whose sums are not these."""
        own = self.sums()
        if sums == own:
            return []
        places = range(0, PARTS * SUM_BYTES, SUM_BYTES)
        return [at // SUM_BYTES for at in places if own[at : at + SUM_BYTES] != sums[at : at + SUM_BYTES]]

    def marks(self, parts: Iterable[int]) -> list[tuple[int, bytes]]:
        """The marks in these parts, as many whole parts as one message holds; a part of too many is cut."""
        told, left = list[tuple[int, bytes]](), MOST_MARKS
        for part in parts:
            if told and len(self._marks[part]) > left:
                break
            found = sorted(self._marks[part])[:left]
            left -= len(found)
            told.append((part, b"".join(found)))
        return told

    def compare(self, part: int, marks: bytes, now: int) -> tuple[list[bytes], list[bytes]]:
        """The marks of another's part that are lacking here, and the keys of ours that it does not name."""
        named = {marks[at : at + MARK_BYTES] for at in range(0, len(marks), MARK_BYTES)}
        own = self._marks[part]
        lacking = [mark for mark in named if mark not in own and len(mark) == MARK_BYTES and _part(mark) == part]
        lacking = sorted(mark for mark in lacking if self._refused.get(mark, now) <= now)
        return lacking, [key for mark, key in own.items() if mark not in named]


def _part(mark: bytes) -> int:
    """The part into which a mark falls."""
    return mark[0] >> _SHIFT
