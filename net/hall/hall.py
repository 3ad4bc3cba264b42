"""The postings of everybody on the network as one peer knows them, and its own posting.

A machine without sockets and clock. Datagrams and messages of links come in by `receive`, links by `came` and `went`;
`outgoing` holds what goes to everybody (no key) or to a linked peer. It believes nothing but signatures, and keeps
nothing of a replay. Specification: docs/protocols/hall.md.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from quadrille.net.core.errors import PeerError
from quadrille.net.core.ip_addresses import subnet_of
from quadrille.net.core.limits import Bucket, Buckets, FairBuffer, Pace, a_second
from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.entries.wire import Advert
from quadrille.net.hall.posting import LONGEST_LIFE, PostingPart, advert_of, content_of, parts_of, read_part
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.net.trust.identity import Identity, peer_of

#: A posting expires this many of its author's paces after it came. A host's pace is at most HOST_PACE milliseconds, so
#: that the table of a host that was killed is gone within half a minute.
LIVES: Final = 4
HOST_PACE: Final = 7000
#: Milliseconds after a change until it is said again, because a datagram may be lost; how often our advert changes.
SAID_AGAIN: Final = (250, 750)
CHANGES: Final = Pace(8, 500)
#: How often new adverts of one peer are taken: as often, and eight more at once, as delays can bring together. Those
#: beyond that are heard when the peer posts again.
NEWS: Final = Pace(16, 500)
#: Milliseconds within which everybody posts for a newcomer: one second, or WELCOME_SHARE for each peer (200 postings a
#: second); but at least WELCOME_AGAIN after the last posting of each. `tests.net.test_hall 200` measures it.
WELCOME: Final = 1000
WELCOME_SHARE: Final = 5
WELCOME_AGAIN: Final = 2000
#: Maximum postings of others, and bytes of their contents. When addresses are compared, each posting counts this many
#: bytes more, so that many empty ones of one address weigh too.
MOST_POSTINGS: Final = 4096
MOST_BYTES: Final = 3 << 19
ROW_BYTES: Final = 400
#: An address with at most this part of all has little, and keeps what was heard in so many milliseconds: a host posts
#: twice in them.
LITTLE: Final = 64
LATELY: Final = 2 * HOST_PACE
#: Remembered serials of postings that are over, and postings whose parts are not all there; how many of one address,
#: and of all.
FORGOTTEN: Final = (2048, 4096)
WAITING: Final = (16, 128)
#: Signatures checked in a second (each takes 70 µs), and at once: of the peers of one address that are not known there,
#: and of one that is known or linked. All together may have STRANGERS or KNOWN_PEERS times that.
STRANGER: Final = (100, 500)
STRANGERS: Final = 4
KNOWN: Final = (20, 100)
KNOWN_PEERS: Final = 50
#: Places kept of one posting: a peer with several addresses posts from each.
MOST_PLACES: Final = 4
SWEEP: Final = 500
#: Maximum serials from a posting to the farewell of its run. A recording from before a clock was set back is further.
NEAR: Final = 1000


class Origin(NamedTuple):
    """Where a posting came from: an address, and the key of the peer whose link brought it."""

    host: str
    key: bytes | None = None


@dataclass(slots=True)
class Posting:
    """The newest posting of another peer."""

    key: bytes
    serial: int
    content: bytes
    advert: Advert
    places: list[Endpoint]
    lives: int
    until: int

    @property
    def subnet(self) -> str:
        return subnet_of(self.places[0].host)


@dataclass(frozen=True, slots=True)
class Listed:
    """A peer is there with this advert, its first or a new one; without an advert, it is there no more."""

    key: bytes
    advert: Advert | None


class Hall:
    """All postings that one peer knows."""

    def __init__(
        self,
        identity: Identity,
        random: Random,
        *,
        serial: int,
        port: Callable[[], int],
        advert: Callable[[], Advert],
        pace: Callable[[int], int],
        realm: bytes = b"",
    ) -> None:
        """Begin with this serial; post every `pace(now)` milliseconds, as our beacons go out, this advert and our
        `port()`. `realm` names the private room, where postings go over links alone; it is empty in the open network.
        """
        self.outgoing: list[tuple[bytes | None, bytes]] = []
        self.events: list[Listed] = []
        #: Linked peers, each with the first part of its newest posting, to be passed on; empty after its farewell.
        self.links: dict[bytes, bytes | None] = {}
        self._identity, self._random = identity, random
        self._port, self._advert, self._pace = port, advert, pace
        self._realm, self._is_open = realm, not realm
        self._postings: dict[bytes, Posting] = {}  # by ZRE identity
        self._weights: Counter[str] = Counter()  # by address
        self._forgotten = FairBuffer[str, bytes, int](*FORGOTTEN)
        self._waiting = FairBuffer[str, tuple[bytes, int], dict[int, bytes]](*WAITING)
        self._strangers = Buckets[str](a_second(*STRANGER), shared=STRANGERS)
        self._known = Buckets[bytes](a_second(*KNOWN), shared=KNOWN_PEERS)
        self._news = Buckets[bytes](NEWS, most=MOST_POSTINGS)
        self._serial = serial
        self._said: Advert | None = None
        self._parts: list[bytes] = []
        self._changes = Bucket(CHANGES)
        self._again: list[int] = []
        self._posted_at = -WELCOME_AGAIN
        self._beat_due = self._sweep_due = NO_DEADLINE  # when all are to hear us again; when a posting may be over

    # Asked by the program

    def __len__(self) -> int:
        return len(self._postings)

    def get(self, key: bytes) -> Posting | None:
        return self.of(peer_of(key))

    def of(self, peer: bytes | None) -> Posting | None:
        """Return the posting of the peer with this ZRE identity."""
        return self._postings.get(peer or b"")

    # Our own posting

    def beat(self, now: int) -> list[bytes]:
        """Write our posting with a new serial, for everybody."""
        if not self._is_open:
            return []
        self._said = self._said or self._advert()
        return self._signed(content_of(self._said), now)

    def leave(self, now: int) -> None:
        """Say farewell: an empty posting."""
        self._tell_all(self._signed(b"", now))

    def _change(self, now: int) -> None:
        self._said = self._advert()
        self._tell_all(self._signed(content_of(self._said), now))
        self._again = [now + later for later in SAID_AGAIN if self._is_open]

    def _tell_all(self, parts: list[bytes]) -> None:
        everybody = [None] if self._is_open else []
        self.outgoing += [(key, data) for data in parts for key in (*everybody, *self.links)]

    def _signed(self, content: bytes, now: int) -> list[bytes]:
        """Sign the parts of a posting. It holds until the next three have been lost, too."""
        self._serial += 1
        self._posted_at, self._again = now, []
        pace, self._beat_due = self._pace(now), NO_DEADLINE
        if self._said is not None and self._said.tables:
            pace = min(pace, HOST_PACE)
            if self._is_open:
                self._beat_due = now + HOST_PACE
        lives = min(LONGEST_LIFE, -(-LIVES * pace // 1000))
        self._parts = parts_of(self._identity, self._realm, self._serial, lives, self._port(), content)
        return self._parts

    def _welcome(self, now: int) -> None:
        """Post soon, so that a newcomer knows us, but not often."""
        spread = max(WELCOME, WELCOME_SHARE * len(self))
        due = max(now + self._random.randrange(spread), self._posted_at + max(WELCOME_AGAIN, spread))
        self._beat_due = min(self._beat_due, due)

    # Links

    def came(self, key: bytes, now: int) -> None:
        """Send our posting to a peer of ours that is linked."""
        self.links[key] = None
        if self._parts:
            self.outgoing += [(key, data) for data in self._parts]
        else:
            self._change(now)

    def went(self, key: bytes, now: int, *, stays: bool = False) -> None:
        """Note the end of a link. A peer that `stays` is known by its posting; any other is gone until its next
        posting.
        """
        self.links.pop(key, None)
        posting = self.get(key)
        if posting is not None and stays and self._is_open:
            posting.until = now + 1000 * posting.lives
        elif posting is not None:
            self._forget(posting)

    # Postings of others

    def receive(self, origin: Origin, data: bytes, now: int) -> None:
        """Take one part of a posting; a `PeerError` says that no honest peer sent it."""
        part = read_part(data)
        if part.key == self._identity.key:
            return
        is_own_link = origin.key == part.key and self.links.get(part.key) != b""
        if is_own_link and part.number == 0 and part.key in self.links:
            self.links[part.key] = data
        known, place = self.get(part.key), Endpoint(origin.host, part.port)
        newest = known.serial if known is not None else self._forgotten.get(part.key) or -1
        # An author's own link may bring a lower serial: its clock was set back.
        if part.serial == newest or (part.serial < newest and not is_own_link):
            if known is not None and part.serial == newest and place not in known.places:
                known.places[:] = [*known.places, place][:MOST_PLACES]
            return
        row = part.key, part.serial
        pieces = self._waiting.get(row) or {}
        if part.number in pieces or not self.checks(part, origin, now):
            return
        pieces[part.number] = part.piece
        if len(pieces) < part.parts:
            self._waiting.put(origin.host, row, pieces)
            return
        self._waiting.pop(row)
        self._take(part, place, b"".join(piece for _, piece in sorted(pieces.items())), now)

    def checks(self, part: PostingPart, origin: Origin, now: int) -> bool:
        """Check a signature; False if there was too much to check of late. A `PeerError` says that it is wrong."""
        known = self.get(part.key)
        is_at_home = known is not None and origin.host in [place.host for place in known.places]
        if (peer := origin.key or (part.key if is_at_home else None)) is not None:
            may = self._known.take(peer, now)
        else:
            may = self._strangers.take(subnet_of(origin.host), now)
        if may and not part.is_signed(self._realm):
            raise PeerError("a posting that its author did not sign")
        return may

    def _take(self, part: PostingPart, place: Endpoint, content: bytes, now: int) -> None:
        """Take a whole posting that is new."""
        known = self.get(part.key)
        if not content:
            if known is not None:
                self._forget(known)
            self._forgotten.put(subnet_of(place.host), part.key, part.serial)
            if part.key in self.links and known is not None and part.serial - known.serial < NEAR:
                self.links[part.key] = b""  # what it said before may come after this by the link
            return
        is_news = known is None or known.content != content
        if is_news and not self._news.take(part.key, now):
            return
        advert = advert_of(content) if is_news or known is None else known.advert
        if known is not None:
            self._remove(known)
        new = Posting(part.key, part.serial, content, advert, [place], part.lives, now + 1000 * part.lives)
        self._postings[peer_of(part.key)] = new
        self._weights[new.subnet] += ROW_BYTES + len(content)
        self._sweep_due = min(self._sweep_due, now + SWEEP)
        self._forgotten.pop(part.key)
        self._make_room(now)
        if known is None and self._is_open:
            self._welcome(now)
        if is_news and self.get(part.key) is not None:
            self.events.append(Listed(part.key, advert))

    def _make_room(self, now: int) -> None:
        """Forget the oldest posting without a link, of the address with most. Where each has little, the oldest of all
        goes; or the newest, if all were heard lately: a crowd of false addresses displaces no host.
        """
        while len(self) > MOST_POSTINGS or self._weights.total() - ROW_BYTES * len(self) > MOST_BYTES:
            unlinked = [posting for posting in self._postings.values() if posting.key not in self.links]
            if not unlinked:
                return
            little = self._weights.total() // LITTLE
            much = {subnet: weight for subnet, weight in self._weights.items() if weight > little}
            rivals = [posting for posting in unlinked if posting.subnet in much] if much else []
            is_late = now - unlinked[0].until + 1000 * unlinked[0].lives >= LATELY
            spare = unlinked[0 if is_late else -1]
            self._forget(max(rivals, key=lambda posting: much[posting.subnet], default=spare))

    def _remove(self, posting: Posting) -> None:
        del self._postings[peer_of(posting.key)]
        self._weights[posting.subnet] -= ROW_BYTES + len(posting.content)
        if not self._weights[posting.subnet]:
            del self._weights[posting.subnet]

    def _forget(self, posting: Posting) -> None:
        """Forget a peer that is gone, but not its serial, so that nothing older revives it."""
        self._remove(posting)
        self._forgotten.put(posting.subnet, posting.key, posting.serial)
        self.events.append(Listed(posting.key, None))

    # Time

    @property
    def deadline(self) -> int:
        change = self._changes.due if self._advert() != self._said else NO_DEADLINE
        return min(self._sweep_due, self._beat_due, change, *self._again)

    def wake(self, now: int) -> None:
        if now >= self._sweep_due:
            self._sweep(now)
        if self._advert() != self._said and self._changes.take(now):
            self._change(now)
        if self._again and now >= self._again[0]:
            self._again = [due for due in self._again if due > now]
            self.outgoing += [(None, data) for data in self._parts]
        if now >= self._beat_due:
            self.outgoing += [(None, data) for data in self.beat(now)]

    def _sweep(self, now: int) -> None:
        """Forget postings whose time is over. A linked peer stays as long as its link."""
        for posting in list(self._postings.values()):
            if posting.key not in self.links and now >= posting.until:
                self._forget(posting)
        self._sweep_due = now + SWEEP if self._postings else NO_DEADLINE
