"""The postings of everybody on the network as one peer knows them, and its own posting.

A machine without sockets and clock. Datagrams and messages of links come in by `receive`, links by `came` and `went`;
`outgoing` holds what goes to everybody (no key) or to a linked peer. It believes nothing but signatures, and keeps
nothing of a replay. Specification: docs/protocols/hall.md.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple, TypeAlias

from quadrille.net.core.errors import PeerError
from quadrille.net.core.ip_addresses import crowd_of
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.core.pace import Bucket, Buckets, Pace, a_second
from quadrille.net.core.per_key import PerKey
from quadrille.net.entries.wire import Advert
from quadrille.net.hall.posting import LONGEST_LIFE, PostingPart, content_of, parts_of, read_part, words_of
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.net.trust.identity import Identity, peer_of

#: A posting holds for so many of its author's paces after it came. A host's pace is at most this many milliseconds, so
#: that the table of a host that was killed is gone within half a minute.
LIVES: Final = 4
HOST_PACE: Final = 7000
#: Milliseconds after a change until it is said again, because a datagram may be lost.
SAID_AGAIN: Final = (250, 750)
#: How often our words change on the network.
CHANGES: Final = Pace(8, 500)
#: Milliseconds within which everybody posts for a newcomer: one second, or these for each peer; and at least so many
#: after its last posting.
WELCOME: Final = 1000
WELCOME_SHARE: Final = 5
WELCOME_AGAIN: Final = 2000
#: Maximum postings of others, and bytes of their contents.
MOST_POSTINGS: Final = 4096
MOST_BYTES: Final = 3 << 19
#: Bytes that a posting counts beside its content, when its address is compared with others.
ROW_BYTES: Final = 400
#: Remembered serials of postings that are over, and parts that wait for others; and how many of them of one address.
FORGOTTEN: Final = (2048, 4096)
WAITING: Final = (16, 128)
#: Signatures checked in a second, and at once: of the peers of one address that are not known there, and of one that
#: is known or linked. All together may have so many times that.
STRANGER: Final = (100, 500)
STRANGERS: Final = 4
KNOWN: Final = (20, 100)
KNOWN_PEERS: Final = 50
#: Places kept of one posting: a peer with several addresses posts from each.
MOST_PLACES: Final = 4
SWEEP: Final = 500
#: Milliseconds by which a wake is so late that this program did not run: nobody was silent in that time.
LATE: Final = 3000


class Origin(NamedTuple):
    """Where a posting came from: an address, and the key of the peer whose link brought it."""

    host: str
    key: bytes | None = None


@dataclass(slots=True)
class Posting:
    """The newest posting of another peer."""

    serial: int
    content: bytes
    words: Advert
    places: list[Endpoint]
    lives: int
    until: int

    @property
    def crowd(self) -> str:
        return crowd_of(self.places[0].host)

    @property
    def weight(self) -> int:
        return ROW_BYTES + len(self.content)


@dataclass(frozen=True, slots=True)
class Listed:
    """A peer is there, or says something new."""

    key: bytes
    words: Advert


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A peer is there no more."""

    key: bytes


HallEvent: TypeAlias = Listed | Unlisted


class Hall:
    """All postings that one peer knows."""

    def __init__(
        self,
        identity: Identity,
        random: Random,
        *,
        serial: int,
        port: Callable[[], int],
        realm: bytes = b"",
    ) -> None:
        """Our postings are numbered from `serial` on and say that we listen at `port()`. `realm` names the private
        room, where postings go over links alone; it is empty in the open network.
        """
        self.outgoing: list[tuple[bytes | None, bytes]] = []
        self.events: list[HallEvent] = []
        #: Milliseconds between two of our postings, as between our beacons.
        self.pace = 1000
        #: Linked peers, each with the first part of its newest posting, to be passed on.
        self.links: dict[bytes, bytes | None] = {}
        self._identity, self._random, self._realm, self._is_open = identity, random, realm, not realm
        self._port = port
        self._postings: dict[bytes, Posting] = {}
        self._ids: dict[bytes, bytes] = {}  # keys by ZRE identity
        self._weights: Counter[str] = Counter()  # of peers without a link, by address
        self._forgotten = PerKey[str, bytes, int](*FORGOTTEN)
        self._waiting = PerKey[str, bytes, tuple[int, dict[int, bytes]]](*WAITING)
        self._strangers = Buckets[str](a_second(*STRANGER), shared=STRANGERS)
        self._known = Buckets[bytes](a_second(*KNOWN), shared=KNOWN_PEERS)
        self._serial = serial
        self._words = self._said = Advert("", "person", ())
        self._parts: list[bytes] = []
        self._changes = Bucket(CHANGES)
        self._again: list[int] = []
        self._posted_at = -WELCOME_AGAIN
        self._welcome_due = NO_DEADLINE
        self._sweep_due = NO_DEADLINE

    # Asked by the program

    def __len__(self) -> int:
        return len(self._postings)

    def get(self, key: bytes) -> Posting | None:
        return self._postings.get(key)

    def posts(self, peer: bytes) -> bool:
        """Return True if the peer with this ZRE identity is known by its posting."""
        return peer in self._ids

    # Our own posting

    def say(self, words: Advert) -> None:
        """Post these words, as soon as the pace of changes allows it."""
        self._words = words

    def beat(self, now: int) -> list[bytes]:
        """Our posting with a new serial, for everybody."""
        if not self._is_open:
            return []
        if not self._parts:
            self._said = self._words
        return self._signed(content_of(self._said), now)

    def leave(self, now: int) -> None:
        """Say farewell: an empty posting."""
        self.outgoing += [(key, data) for data in self._signed(b"", now) for key in self._all()]

    def _all(self) -> list[bytes | None]:
        return [*([None] if self._is_open else []), *self.links]

    def _signed(self, content: bytes, now: int) -> list[bytes]:
        """Parts that hold until the posting after the next two was lost, too."""
        self._serial += 1
        self._posted_at = now
        self._again = []
        self._welcome_due = NO_DEADLINE
        lives = min(LONGEST_LIFE, -(-LIVES * self._own_pace() // 1000))
        self._parts = parts_of(self._identity, self._realm, self._serial, lives, self._port(), content)
        return self._parts

    def _own_pace(self) -> int:
        return min(self.pace, HOST_PACE) if self._said.tables else self.pace

    def _change(self, now: int) -> None:
        self._said = self._words
        self.outgoing += [(key, data) for data in self._signed(content_of(self._said), now) for key in self._all()]
        self._again = [now + later for later in SAID_AGAIN if self._is_open]

    def _welcome(self, now: int) -> None:
        """Somebody is new here: post soon, so that it knows us, but not often."""
        spread = max(WELCOME, WELCOME_SHARE * len(self))
        due = max(now + self._random.randrange(spread), self._posted_at + max(WELCOME_AGAIN, spread))
        self._welcome_due = min(self._welcome_due, due)

    # Links

    def came(self, key: bytes, now: int) -> None:
        """A peer of ours is linked: it gets our posting."""
        if (posting := self._postings.get(key)) is not None and key not in self.links:
            self._weigh(posting, -1)
        self.links[key] = None
        if not self._parts:
            self._change(now)
        else:
            self.outgoing += [(key, data) for data in self._parts]

    def went(self, key: bytes, now: int, *, stays: bool = False) -> None:
        """A link ended. A peer that `stays` is known by its posting; any other is gone until it posts again."""
        posting = self._postings.get(key)
        if key in self.links and posting is not None:
            self._weigh(posting, 1)
        self.links.pop(key, None)
        if posting is not None and stays and self._is_open:
            posting.until = now + 1000 * posting.lives
        elif posting is not None:
            self._forget(key)

    # Postings of others

    def receive(self, origin: Origin, data: bytes, now: int) -> None:
        """Take one part of a posting; a `PeerError` if no honest peer sent it."""
        part = read_part(data)
        if part.key == self._identity.key:
            return
        is_own_link = origin.key == part.key
        if is_own_link and part.number == 0 and part.key in self.links:
            self.links[part.key] = data
        known = self._postings.get(part.key)
        place = Endpoint(origin.host, part.port)
        newest = known.serial if known is not None else self._forgotten.get(part.key) or -1
        # An author's own link may bring a lower serial: its clock was set back.
        if part.serial == newest or (part.serial < newest and not is_own_link):
            if known is not None and part.serial == newest and len(known.places) < MOST_PLACES:
                known.places += [place] if place not in known.places else []
            return
        _, pieces = waiting = self._waiting.get(part.key) or (part.serial, {})
        if waiting[0] > part.serial or (waiting[0] == part.serial and part.number in pieces):
            return
        if not self.checks(part, origin, now):
            return
        if waiting[0] < part.serial:
            pieces = {}
        pieces[part.number] = part.piece
        if len(pieces) < part.parts:
            self._waiting.put(place.host, part.key, (part.serial, pieces))
            return
        self._waiting.pop(part.key)
        self._take(part, place, b"".join(piece for _, piece in sorted(pieces.items())), now)

    def checks(self, part: PostingPart, origin: Origin, now: int) -> bool:
        """Check a signature: False if there was too much to check of late; a `PeerError` if it is wrong."""
        known = self._postings.get(part.key)
        if origin.key is not None:
            may = self._known.take(origin.key, now)
        elif known is not None and origin.host in [place.host for place in known.places]:
            may = self._known.take(part.key, now)
        else:
            may = self._strangers.take(crowd_of(origin.host), now)
        if may and not part.is_signed(self._realm):
            raise PeerError("a posting that its author did not sign")
        return may

    def _take(self, part: PostingPart, place: Endpoint, content: bytes, now: int) -> None:
        """A whole posting that is new."""
        key, known = part.key, self._postings.get(part.key)
        if not content:
            if known is not None:
                self._forget(key)
            self._forgotten.put(crowd_of(place.host), key, part.serial)
            return
        is_news = known is None or known.content != content
        words = words_of(content) if is_news or known is None else known.words
        self._remove(key)
        until = now + 1000 * part.lives
        new = self._postings[key] = Posting(part.serial, content, words, [place], part.lives, until)
        self._ids[peer_of(key)] = key
        if key not in self.links:
            self._weigh(new, 1)
        self._sweep_due = min(self._sweep_due, now + SWEEP)
        if known is None:
            self._forgotten.pop(key)
            self._welcome(now)
            self._make_room()
        if is_news and key in self._postings:
            self.events.append(Listed(key, words))

    def _weigh(self, posting: Posting, sign: int) -> None:
        self._weights[posting.crowd] += sign * posting.weight
        if not self._weights[posting.crowd]:
            del self._weights[posting.crowd]

    def _make_room(self) -> None:
        """The address with most of those without a link loses its oldest."""
        while len(self) > MOST_POSTINGS or self._weights.total() - ROW_BYTES * len(self) > MOST_BYTES:
            if not self._weights:
                return
            [(most, _)] = self._weights.most_common(1)
            rows = self._postings.items()
            self._forget(next(key for key, one in rows if key not in self.links and one.crowd == most))

    def _remove(self, key: bytes) -> None:
        posting = self._postings.pop(key, None)
        if posting is not None:
            self._ids.pop(peer_of(key), None)
            if key not in self.links:
                self._weigh(posting, -1)

    def _forget(self, key: bytes) -> None:
        """A peer is gone. Its serial is remembered, so that nothing older revives it."""
        posting = self._postings[key]
        self._remove(key)
        self._forgotten.put(posting.crowd, key, posting.serial)
        self.events.append(Unlisted(key))

    # Time

    @property
    def deadline(self) -> int:
        due = [self._sweep_due, self._welcome_due, *self._again]
        if self._words != self._said or not self._parts:
            due.append(self._changes.due)
        if self._is_open and self._said.tables:
            due.append(self._posted_at + HOST_PACE)
        return min(due)

    def wake(self, now: int) -> None:
        """Do what is due."""
        if now >= self._sweep_due:
            self._sweep(now)
        if (self._words != self._said or not self._parts) and self._changes.take(now):
            self._change(now)
        if self._again and now >= self._again[0]:
            self._again = [due for due in self._again if due > now]
            self.outgoing += [(None, data) for data in self._parts]
        if now >= self._welcome_due or (self._said.tables and now - self._posted_at >= HOST_PACE):
            self._welcome_due = NO_DEADLINE
            self.outgoing += [(None, data) for data in self.beat(now)]

    def _sweep(self, now: int) -> None:
        """Forget what holds no more. A linked peer stays as long as its link."""
        late = now - self._sweep_due
        for key, posting in list(self._postings.items()):
            if late > LATE:
                posting.until += late
            if key not in self.links and now >= posting.until:
                self._forget(key)
        self._sweep_due = now + SWEEP if self._postings else NO_DEADLINE
