"""One peer's part in a hall: its own posting, what it passes on, and the links that it wants for that.

A machine without sockets and clock: messages of linked peers come in by `receive`, links by `came` and `went`. It
believes nothing but signatures, so a peer that lies can only withhold. A room of a few peers, who are all linked,
hears nothing of it. Specification: docs/protocols/hall.md.
"""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.core.pace import Bucket, Buckets, a_second
from quadrille.net.hall.directory import DirectoryLimits, PostingDirectory, Taken
from quadrille.net.hall.few_links import ENOUGH, FEW, FewLinks
from quadrille.net.hall.hall_events import HallEvent, Listed, Unlisted
from quadrille.net.hall.hall_limits import (
    ANSWER_COMES,
    ASKED,
    ASKED_LINKS,
    CHECKED_LINKS,
    CHECKS,
    CHOICE,
    FEW_MARKS,
    MOST_SPARED,
    MOST_UNASKED,
    NEWCOMER,
    NEWS,
    QUICK_TURN,
    RELAYED,
    SMALL,
    TURN,
    WINDOW,
)
from quadrille.net.hall.hall_link import HallLink
from quadrille.net.hall.hall_wire import (
    HALL_VERSION,
    MISSED_SINCE,
    MOST_MARKS,
    MOST_ROWS_TOLD,
    MOST_TOLD,
    BeatRow,
    Beats,
    Digest,
    HallMessage,
    Lack,
    Marks,
    Missed,
    Postings,
    Spare,
)
from quadrille.net.hall.missing import MOST_QUESTIONS, MissingPeers
from quadrille.net.hall.own_posting import OwnPosting
from quadrille.net.hall.posting import MARK_BYTES, HallPlace, Posting
from quadrille.net.trust.identity import Identity


class Hall:
    """One peer's part in a hall."""

    def __init__(
        self,
        identity: Identity,
        random: Random,
        now: int,
        *,
        seen: Callable[[bytes], str | None] = lambda _: None,
        limits: DirectoryLimits | None = None,
        serial: int = 0,
    ) -> None:
        """`seen(peer)`: the address of a peer whose link or beacon was met here; None if there was none. Our contents
        are numbered from `serial` on.
        """
        self.identity = identity
        self.outgoing: list[tuple[bytes, HallMessage]] = []
        self.events: list[HallEvent] = []
        self.directory = PostingDirectory(seen, limits)
        self.links: dict[bytes, HallLink] = {}
        self.needed: frozenset[bytes] = frozenset()  # links that the program needs anyway
        self.others = 0  # other peers known by their beacons
        self._few = FewLinks(identity.peer, random)
        self._random = random
        self._own = OwnPosting(identity, random, serial)
        self._news = Bucket(NEWS)
        self._relayed: dict[bytes, Bucket] = {}
        self._checks = Buckets[bytes](a_second(*CHECKS), shared=CHECKED_LINKS)
        self._asked = Buckets[bytes](a_second(*ASKED), shared=ASKED_LINKS)
        self._news_due = NO_DEADLINE
        self._turn_due = now + self._random.randrange(TURN)
        self._choice_due = 0
        self._quick_until = 0
        self._is_told = False
        self._missing = MissingPeers()

    # Called by the program

    @property
    def is_small(self) -> bool:
        """Whether everybody known here is linked with everybody."""
        return self.size <= SMALL

    @property
    def size(self) -> int:
        """Other peers known by their beacons or postings, whichever are more."""
        return max(self.others, len(self.directory) - 1)

    @property
    def chosen(self) -> frozenset[bytes]:
        """The peers with which this one wants links to hear of the hall."""
        return self._few.chosen

    def post(
        self, places: Iterable[HallPlace], name: str, kind: str, tables: Iterable[tuple[Any, ...]], now: int
    ) -> None:
        """Change our own words, if they differ."""
        self._own.say(places, name, kind, tables)
        if self._own.posting is None or now >= self._own.deadline:
            self._put_own(self._own.renewed(self.size, now), now)

    def leave(self, now: int) -> None:
        """Say farewell to all links; they pass it on."""
        if (farewell := self._own.farewell()) is not None:
            self._put_own(farewell, now)
            for key in self.links:
                self._push(key, now)

    def unreachable(self, key: bytes, now: int, *, may_live: bool = False) -> None:
        """A call failed. A peer that may live, but is slow or full, is shown until its beats do not come."""
        self._few.unreachable(key, now)
        if may_live:
            self.directory.unreached(key)
        else:
            self._doubt(key)

    # Links

    def came(self, key: bytes, now: int, version: int = HALL_VERSION) -> None:
        """A peer of a hall is linked, and reads this version of its messages."""
        self.links[key] = HallLink(version)
        if not self.is_small:
            self.links[key].news[self.identity.key] = None
            self._news_soon(now)
            if len(self.links) == 1:  # others are asked soon, because the first may tell nothing
                self._quick_until = now + NEWCOMER
                self._turn_due = min(self._turn_due, now + QUICK_TURN)
                self._compare(key, now)

    def went(self, key: bytes, now: int, *, broke: bool = True) -> None:
        """A link ended; one that broke puts its peer in doubt, and the hall is asked for it."""
        link = self.links.pop(key, None)
        if link is not None and broke and now >= link.offered_until:
            lost = self.directory.shown(key)
            self._doubt(key)
            self._missing.lose(key, now)
            if lost is not None and lost.words.tables and not self.is_small:
                self._miss(lost, None, now)

    def _doubt(self, key: bytes) -> None:
        if self.directory.shown(key) is not None:
            self.directory.doubt(key)
            self.events.append(Unlisted(key))

    def _miss(self, posting: Posting, asker: bytes | None, now: int) -> None:
        """Ask all other links for a newer beat, once for each beat."""
        if self._missing.ask(posting.key, posting.beat, now):
            for other, link in self.links.items():
                if other != asker and link.version >= MISSED_SINCE:
                    link.missed[posting.key] = None
                    self._news_soon(now)

    def _hear_missed(self, key: bytes, link: HallLink, rows: tuple[BeatRow, ...], now: int) -> None:
        """Answer what is known here, and pass the rest on."""
        self._hear_beats(key, rows, now)
        for mark, beat, *_ in rows if link.questions.take(now) else ():
            posting = self.directory.of_mark(mark)
            if posting is None or not posting.words.tables:
                continue
            if posting.beat > beat:
                link.news[posting.key] = None
                self._news_soon(now)
                continue
            if len(link.asks) < MOST_QUESTIONS:
                link.asks.add(posting.key)
            if posting.key == self.identity.key:
                self._own.answer(beat, now)
            elif self._missing.is_new(posting.key, beat) and self._missing.passed_on.take(now):
                self._miss(posting, key, now)

    # Messages

    def receive(self, key: bytes, message: HallMessage, now: int) -> None:
        """Process a message of a linked peer."""
        link = self.links.get(key)
        if link is None:
            return
        match message:
            case Digest(sums):
                if (differing := self.directory.differing(sums)) and link.answers.take(now):
                    start = self._random.randrange(len(differing))
                    told = self.directory.marks(differing[start:] + differing[:start])
                    self.outgoing.append((key, Marks(tuple(told))))
            case Marks(parts):
                self._compared(key, link, parts, now)
            case Lack(marks):
                self._answer(key, marks, now)
            case Postings(rows):
                self._hear(key, rows, now)
            case Beats(beats):
                self._hear_beats(key, beats, now)
            case Missed(missing):
                self._hear_missed(key, link, missing, now)
            case Spare() if now < link.offered_until:
                link.is_over = True
            case Spare() if len(self.links) > FEW and self._can_spare(key, self._few.ring):
                self._few.give_up(key)
                link.offered_until = now + ANSWER_COMES
                self.outgoing.append((key, Spare()))

    def _compared(self, key: bytes, link: HallLink, parts: tuple[tuple[int, bytes], ...], now: int) -> None:
        """The answer to our digest: ask for what is lacking here, and send what is lacking there."""
        if link.asked_at is None or now - link.asked_at > ANSWER_COMES:
            return
        most = MOST_MARKS if self.directory.has_room else FEW_MARKS
        lacking: list[bytes] = []
        extra: list[bytes] = []
        for part, marks in parts:
            there, here = self.directory.compare(part, marks, now)
            lacking += there
            extra += here
        if lacking:
            self._random.shuffle(lacking)
            self.outgoing.append((key, Lack(b"".join(lacking[:most]))))
        for one in self._random.sample(extra, min(MOST_UNASKED, len(extra))):
            link.news[one] = None
            self._news_soon(now)
        link.asked_at = now - ANSWER_COMES  # one answer to each digest
        if len(lacking) > most and most == MOST_MARKS:
            self._turn_due = min(self._turn_due, now + WINDOW)

    def _answer(self, key: bytes, marks: bytes, now: int) -> None:
        wanted = [self.directory.of_mark(marks[at : at + MARK_BYTES]) for at in range(0, len(marks), MARK_BYTES)]
        found = [one for one in wanted if one is not None]
        size = sum(len(one.content) + 150 for one in found)
        if found and self._asked.take(key, now, size):
            found.sort(key=lambda one: not one.words.tables)
            self.outgoing += [(key, message) for message in self._told(found, now)]

    def _told(self, postings: Iterable[Posting], now: int) -> Iterator[Postings]:
        """These postings as messages."""
        rows, size = list[tuple[Posting, int]](), 0
        for one in postings:
            size += len(one.content) + 150
            if rows and (size > MOST_TOLD or len(rows) == MOST_ROWS_TOLD):
                yield Postings(tuple(rows))
                rows, size = [], len(one.content) + 150
            rows.append((one, self.directory.age(one.key, now)))
        if rows:
            yield Postings(tuple(rows))

    def _hear(self, key: bytes, rows: tuple[tuple[Posting, int], ...], now: int) -> None:
        for posting, age in rows:
            self.links[key].news.pop(posting.key, None)
            if posting.key == self.identity.key:
                self._put_own(self._own.outbid(posting, now), now)
                continue
            if age >= max(posting.lives, 1) and not posting.is_farewell:
                continue
            taken = self.directory.judge(posting, now)
            if taken is Taken.KNOWN:
                known = self.directory.get(posting.key)
                if known is not None and known.hash == posting.hash:
                    if known.beat == posting.beat:
                        self.directory.hear_age(posting.key, age, now)
                elif known is not None:
                    self.links[key].news[posting.key] = None  # it has an older one
                    self._news_soon(now)
            elif taken is not Taken.FULL and self._may_pass(key, posting, taken, now):
                self._take(key, posting, age, taken, now)

    def _may_pass(self, key: bytes, posting: Posting, taken: Taken, now: int) -> bool:
        """Whether there is time for its signature, and its author has not said too much."""
        if taken is Taken.NEWS and posting.key in self._relayed and not self._relayed[posting.key].take(now):
            return False
        return self._checks.take(key, now)

    def _take(self, key: bytes, posting: Posting, age: int, taken: Taken, now: int) -> None:
        if not posting.is_signed():
            raise PeerError("a posting that its author has not signed")
        if any(offer[1] != posting.key for offer in posting.words.tables):
            raise PeerError("a posting of a table that another hosts")
        was_shown = self.directory.shown(posting.key) is not None
        known = self.directory.get(posting.key)
        if taken is Taken.NEWS and known is not None:
            self._relayed.setdefault(posting.key, Bucket(RELAYED)).take(now)
        self.directory.put(posting, age, now)
        if posting.is_farewell:
            self.events += [Unlisted(posting.key)] if was_shown else []
        elif taken is Taken.NEWS or not was_shown:
            self.events.append(Listed(posting))
        if posting.words.tables and self._missing.is_older(posting.key, now - 1000 * age):
            self._doubt(posting.key)
            self._miss(posting, None, now)
        self._missing.answer(posting.key, posting.beat)
        if taken is Taken.BEAT or self._is_urgent(posting, known, now):
            self._owe(posting.key, key, now, is_news=taken is not Taken.BEAT)

    def _owe(self, posted: bytes, teller: bytes | None, now: int, *, is_news: bool) -> None:
        """Owe it to all other links: as news, or as a beat to those that have not asked for it."""
        for other, link in self.links.items():
            is_asked = posted in link.asks
            link.asks.discard(posted)
            if other not in (teller, posted):
                if is_news or is_asked:
                    link.news[posted] = None
                    self._news_soon(now)
                else:
                    link.beats[posted] = None

    def _hear_beats(self, key: bytes, rows: tuple[BeatRow, ...], now: int) -> None:
        for mark, beat, lives, signature, age in rows:
            known = self.directory.of_mark(mark)
            if known is None or known.is_farewell or known.key == self.identity.key:
                continue
            if beat <= known.beat:
                if beat == known.beat:
                    self.links[key].beats.pop(known.key, None)
                    self.directory.hear_age(known.key, age, now)
            elif age < lives and self._checks.take(key, now):
                self.links[key].beats.pop(known.key, None)
                self._take(key, known.renewed(beat, lives, signature), age, Taken.BEAT, now)

    # Our own posting

    def _put_own(self, posting: Posting | None, now: int) -> None:
        if posting is None:
            return
        known = self.directory.get(posting.key)
        self.directory.put(posting, 0, now)
        is_news = known is None or known.hash != posting.hash
        if not (is_news and self.is_small) or posting.is_farewell:
            self._owe(posting.key, None, now, is_news=is_news)

    # Time

    @property
    def deadline(self) -> int:
        due = min(self._news_due, self._turn_due, self._own.deadline)
        return min(due, self.directory.deadline, self._missing.deadline)

    def wake(self, now: int) -> None:
        """Send what is due."""
        if now >= self.directory.deadline:
            self.events += [Unlisted(key) for key in self.directory.expire(now)]
        for key in self._missing.close(now):
            self._doubt(key)
        if now >= self._own.deadline:
            self._put_own(self._own.renewed(self.size, now), now)
        if now >= self._news_due:
            self._tell_news(now)
        if now >= self._turn_due:
            pause = QUICK_TURN if now < self._quick_until else TURN
            self._turn_due = now + pause + self._random.randrange(-pause // 10, pause // 10 + 1)
            self._take_turn(now)

    def _news_soon(self, now: int) -> None:
        self._news_due = min(self._news_due, now + 1 + self._random.randrange(WINDOW))

    def _tell_news(self, now: int) -> None:
        """Send news to the links that lack most, and questions, as fast as the paces allow."""
        owed = [key for key, link in self.links.items() if link.news or link.missed]
        owed.sort(key=lambda key: -len(self.links[key].news))
        for key in owed:
            link = self.links[key]
            if link.paces.due <= now and self._news.take(now):
                link.paces.take(now)
                if rows := self.directory.beats(link.missed, now):
                    self.outgoing.append((key, Missed(rows)))
                link.missed.clear()
                self._push(key, now)
        waiting = [link.paces.due for link in self.links.values() if link.news or link.missed]
        self._news_due = max(now + 1, min(waiting), self._news.due) if waiting else NO_DEADLINE

    def _push(self, key: bytes, now: int) -> None:
        """Send one message of news to a link."""
        link = self.links[key]
        found = [one for owed in link.news if (one := self.directory.get(owed)) is not None]
        found.sort(key=self._rank)
        if (told := next(self._told(found, now), None)) is None:
            link.news.clear()
        else:
            self.outgoing.append((key, told))
            for posting, _ in told.rows:
                del link.news[posting.key]

    def _rank(self, posting: Posting) -> tuple[bool, bool, bool]:
        """Ours comes first, then peers that were met here, then those with tables."""
        is_other = posting.key != self.identity.key
        return (is_other, not self.directory.is_seen(posting), not posting.words.tables)

    def _take_turn(self, now: int) -> None:
        """Serve the next link, and choose links anew."""
        if self.is_small:
            self._is_told = False
            return
        if not self._is_told:  # the room has grown: our links do not know our posting
            self._is_told = True
            self._owe(self.identity.key, None, now, is_news=True)
        self._relayed = {key: bucket for key, bucket in self._relayed.items() if bucket.due + 10_000 > now}
        self._choose(now)
        if not self.links:
            return
        key = next(iter(self.links))
        link = self.links[key] = self.links.pop(key)  # to the end of the row
        if rows := self.directory.beats(link.beats, now):
            self.outgoing.append((key, Beats(rows)))
        self._compare(key, now)
        unasked = [key for key, link in self.links.items() if now >= link.offered_until]
        surplus = [key for key in unasked if self._can_spare(key, self.chosen)]
        for key in surplus[: min(MOST_SPARED, len(self.links) - ENOUGH)] if len(self.links) > ENOUGH else ():
            self.links[key].offered_until = now + ANSWER_COMES
            self.outgoing.append((key, Spare()))

    def _choose(self, now: int) -> None:
        """Choose links anew if some are missing, and now and then because the hall has changed."""
        if now >= self._choice_due or len(self.links) < FEW:
            self._choice_due = now + CHOICE
            there = (one for one in self.directory.all_shown() if one.key != self.identity.key)
            self._few.choose(there, self.links, now)

    def _compare(self, key: bytes, now: int) -> None:
        self.links[key].asked_at = now
        self.outgoing.append((key, Digest(self.directory.sums())))

    def _can_spare(self, key: bytes, kept: frozenset[bytes]) -> bool:
        """Whether nothing is lost with a link that is not to be kept: its peer is known without it."""
        return key not in self.needed | kept and self.directory.shown(key) is not None

    def is_spare(self, key: bytes) -> bool:
        """Whether the program is to end this link: we can do without it, and the other end has agreed."""
        link = self.links.get(key)
        return link is not None and link.is_over and key not in self.needed

    def _is_urgent(self, posting: Posting, before: Posting | None, now: int) -> bool:
        """Whether it is about tables. When much is new, peers that only came wait for the next comparison."""
        if posting.is_farewell or posting.words.tables or (before is not None and before.words.tables):
            return True
        return now - self._news.due >= NEWS.every * NEWS.burst // 2
