"""The neighbours of a node, from their first beacon or a seed to the last sign of life.

A machine without sockets and clocks. Datagrams, messages, reports of connections and the time (milliseconds) come in;
its driver (net/link/node.py) drains `outgoing` and `events`. `TABLE` in neighbour.py says what a message does in which
phase. The decisions, and the functions that make them:

- who is called, where, and when again: `_wants`, `_call`, `_later`
- whose stream begins, by which connection, and what becomes of an earlier one: `_greeted`, `_begin`
- who is met, and which of two with one identity stays: `_meet_if_ready`, `_contest`
- who gives way when all places are taken: `_has_place`, `_least`
- who is parted with, and who is forgotten: `_part`, `_expel`

Guarantees, whatever arrives: no memory or work beyond `NeighbourLimits`, one link to a neighbour and to an endpoint, no
event of a peer that has not answered us. Specification: docs/protocols/discovery.md; docs/protocols/links.md,
"Messages of a link" and "Proof of a link".
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from random import Random
from types import MappingProxyType
from typing import Final

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.ip_addresses import is_host, is_ipv6, is_link_local_ipv6, is_loopback, is_virtual, subnet_of
from quadrille.net.core.limits import Bucket, FairBuffer, Pace, a_second
from quadrille.net.neighbours.neighbour import (
    CAUSES,
    NOWHERE,
    TABLE,
    Action,
    Announce,
    CallEnd,
    Close,
    Dial,
    Doubled,
    Endpoint,
    Event,
    Halfway,
    LossReason,
    NeighbourLimits,
    NeighbourReaction,
    Peer,
    PeerLeft,
    PeerMet,
    Phase,
    Said,
    Send,
    Source,
    Trouble,
    Way,
)
from quadrille.net.trust.identity import peer_of
from quadrille.net.trust.proof import (
    FIRST_PROVING,
    FULL_HEADER,
    NONCE_BYTES,
    NONCE_HEADER,
    Prover,
    SenderClaim,
    claim_of,
    is_proof,
    spoken,
)
from quadrille.net.zeromq.zre import (
    ID_BYTES,
    MOST_FRAME_BYTES,
    SEQUENCES,
    Beacon,
    Hello,
    Message,
    Ping,
    PingOk,
    Whisper,
    decode,
    decode_beacon,
    encode,
    port_of,
)

MOST_CONTACTS = 8
#: Introductions that one peer may make: an honest one may know more peers than we ask for.
INTRODUCTIONS = Pace(16, 5000)
TICK = 250
#: Missed beacons after which a neighbour counts as silent; twice as many, and it counts as gone.
MISSED = 5
#: Each tenth beacon goes by IPv6 too where IPv4 works: somebody there may have IPv4 of another network.
IPV6_BEACON = 10
#: Milliseconds for which a refusal counts.
REFUSAL_COUNTS = 60_000
#: Maximum remembered refusals; half of them of one address, whose liar would else push out all others.
MOST_REFUSED = 256
#: Maximum remembered doubled identities, and maximum places of one identity among them.
MOST_DOUBLED = 64
MOST_OF_ONE = 4
#: Maximum bans; half of them from one address, and half of them everywhere.
MOST_BANS = 1024
#: Milliseconds that a newcomer has to prove itself before it counts as unproved.
FRESH = 500
#: Maximum remembered identities; half of them from one address.
MOST_HEARD: Final = 4096
#: Milliseconds between our beacons for each identity heard, so that a whole room sends 25 a second; and the most.
BEACON_SHARE: Final = 40
LONGEST_BEACON: Final = 60_000
#: Missed beacons after which an identity is no longer counted.
MISSED_OF_MANY: Final = 5


class BeaconLog:
    """Beacons heard without a link: which identities are on the network, and where each can be called; the one heard
    longest ago first. Specification: docs/protocols/hall.md, "Datagrams".
    """

    def __init__(self, every: int) -> None:
        """`every`: milliseconds between two beacons of a peer in a small room."""
        self._every = every
        self._heard = FairBuffer[str, bytes, tuple[Endpoint, int, int]](MOST_HEARD // 2, MOST_HEARD)
        self._ipv6_at: int | None = None  # when a beacon of somebody whom IPv4 does not bring was heard

    def note(self, peer: bytes, endpoint: Endpoint, now: int) -> None:
        """Note a heard beacon. Many at once count at once. IPv6 replaces nothing that is heard by IPv4."""
        before = self._heard.get(peer)
        if is_ipv6(endpoint.host):
            if before is not None and not is_ipv6(before[0].host) and before[1] >= self._lately(now):
                return
            if is_link_local_ipv6(endpoint.host):
                self._ipv6_at = now
        self._heard.put(subnet_of(endpoint.host), peer, (endpoint, now, now if before is None else before[2]))

    def forget(self, peer: bytes) -> None:
        self._heard.pop(peer)

    def where(self, peer: bytes) -> Endpoint | None:
        """Return the place from which a peer's last beacon came."""
        heard = self._heard.get(peer)
        return None if heard is None else heard[0]

    def since(self, peer: bytes) -> int | None:
        """Return the time when a peer's first beacon came."""
        heard = self._heard.get(peer)
        return None if heard is None else heard[2]

    def needs_ipv6(self, now: int) -> bool:
        """Return True if somebody on a link of ours is heard by IPv6 alone."""
        return self._ipv6_at is not None and self._ipv6_at >= self._lately(now)

    def _lately(self, now: int) -> int:
        return now - MISSED_OF_MANY * max(self._every, min(LONGEST_BEACON, BEACON_SHARE * len(self._heard)))

    def beacon_every(self, now: int) -> int:
        """Return the milliseconds between two beacons of ours, so that all beacons together stay few."""
        return max(self._every, min(LONGEST_BEACON, BEACON_SHARE * self.count(now)))

    def count(self, now: int) -> int:
        """Count the identities heard lately; drop those that fell silent."""
        lately = self._lately(now)
        while (oldest := next(self._heard.items(), None)) is not None and oldest[1][1] < lately:
            self._heard.pop(oldest[0])
        return len(self._heard)


@dataclass(slots=True, eq=False)
class Neighbour:
    """A neighbour and its two streams.

    Our stream goes by its `line` and begins with our HELLO. Its own comes by `way` and begins with its `hello`. Each
    can exist without the other; both determine the phase.
    """

    id: bytes | None  # None: a seed that has not answered yet
    key: bytes | None = None
    admitted: bool = True  # in a private room only after it has proved itself at the door
    seed: Endpoint | None = None  # the address that a person gave: never forgotten
    contacts: list[Endpoint] = field(default_factory=list)
    turn: int = 0  # index of the next contact to try

    line: Way = NOWHERE  # a link, or the accepted connection on which we answer if our own call does not get there
    at: Endpoint | None = None  # the endpoint of the link
    reached: bool = False  # it accepts TCP connections
    connected: bool = False  # it speaks ZMTP
    nonce: bytes = b""  # of our HELLO
    sent: int = 0
    dialled_at: int = 0
    since: int = 0  # the start of either stream, whichever was later

    hello: Hello | None = None
    way: Way = NOWHERE
    came_from: Endpoint | None = None  # the address of its stream, and the port it names
    claim: SenderClaim | None = None  # the claim that it has to prove
    proved: bool = False  # its stream belongs to the owner of its key
    ponged: bool = False  # it has answered a PING
    want: int = 0
    held: list[bytes] = field(default_factory=list)
    peer: Peer | None = None  # as programs know it, once it is met

    heard_at: int = 0
    spoke_at: int = 0  # the time of its last message; unlike a beacon, nobody can fake it
    contested_at: int | None = None  # when a second stream proved the same key
    met_at: int = 0
    pinged_at: int = 0
    asked_at: int | None = None  # when the first PING without an answer was sent
    lag: int = 0  # milliseconds that it lately took to answer one, at most
    slow: int = 0  # calls that reached it and were not answered in time
    beacon_at: int | None = None
    refused_at: int | None = None  # when the first of its refused calls was
    leaving_at: int | None = None  # when its beacon announced it
    failures: int = 0
    retry_at: int = 0
    strikes: int = 0
    budget: Bucket = field(default_factory=lambda: Bucket(a_second(1, 0)))  # of messages
    trouble: Trouble | None = None
    introductions: Bucket = field(default_factory=lambda: Bucket(INTRODUCTIONS))

    @property
    def is_called(self) -> bool:
        return self.line != NOWHERE

    @property
    def place(self) -> Endpoint | None:
        """The endpoint where we called it, or where it says that it listens."""
        return self.at or self.came_from

    @property
    def host(self) -> str:
        return "" if self.came_from is None else self.came_from.host

    @property
    def phase(self) -> Phase:
        if self.hello is None:
            return Phase.GREETED if self.line < 0 else Phase.AWAY
        return Phase.HEARD if self.peer is None else Phase.MET

    def learn(self, endpoint: Endpoint, *, hearsay: bool) -> bool:
        """Add a contact to try next: IPv4, IPv6, then overlays. Return True if it is new; hearsay replaces none."""
        if endpoint in self.contacts or (hearsay and len(self.contacts) == MOST_CONTACTS):
            return False
        contacts = [endpoint, *self.contacts[: MOST_CONTACTS - 1]]
        self.contacts = sorted(contacts, key=lambda contact: (is_virtual(contact.host), is_ipv6(contact.host)))
        self.turn = 0
        return True

    def number(self) -> int:
        """Return the number of the next message to this neighbour. Every message gets one, sent or not."""
        self.sent = (self.sent + 1) % SEQUENCES
        return self.sent

    def counts(self, sequence: int) -> bool:
        """Count its next message. Return False if earlier ones are missing."""
        self.want = (self.want + 1) % SEQUENCES
        return sequence == self.want

    def answered(self, now: int) -> None:
        """Note its answer to a PING. An old lag counts for less and less."""
        if self.asked_at is not None:
            self.lag = max(now - self.asked_at, self.lag * 7 // 8)
            self.asked_at = None

    def take_line(self, other: "Neighbour") -> None:
        """Take over another's stream, which leads here."""
        self.line, self.at, self.connected, self.sent = other.line, other.at, other.connected, other.sent
        self.dialled_at, self.pinged_at = other.dialled_at, other.pinged_at
        self.nonce, self.asked_at = other.nonce, other.asked_at
        other.drop_line()

    def drop_line(self) -> None:
        """Forget our stream, which has ended."""
        self.line, self.at, self.connected = NOWHERE, None, False

    def begin(self, hello: Hello, way: Way, came_from: Endpoint, claim: SenderClaim | None, now: int) -> None:
        self.hello, self.way, self.came_from, self.claim = hello, way, came_from, claim
        self.proved = self.key is not None  # in a private room CURVE has proved it
        self.ponged = False
        self.trouble = self.leaving_at = self.refused_at = None
        self.want = hello.sequence
        self.held = []
        self.heard_at = self.spoke_at = self.since = now

    def end(self) -> None:
        """Forget its stream, which has ended."""
        self.hello = self.claim = None
        self.way = NOWHERE
        self.proved = self.ponged = False
        self.held = []

    def snapshot(self) -> Peer:
        """Return the present state, for programs."""
        assert self.id is not None and self.hello is not None and self.place is not None
        headers = MappingProxyType(dict(self.hello.headers))
        return Peer(self.id, self.hello.name, headers, self.place.host, self.key, self.proved)


class Neighbours:
    """All neighbours of one node."""

    def __init__(
        self,
        me: bytes,
        name: str,
        headers: Mapping[str, str],
        *,
        port: int,
        facing: Callable[[str], str],
        random: Random,
        limits: NeighbourLimits | None = None,
        key: bytes | None = None,
        certify: Callable[[bytes, bytes], bool] | None = None,
        prover: Prover | None = None,
        near: Callable[[str], bool] = lambda _: True,
        priority_peers: Callable[[], Container[bytes]] = frozenset,
        calls: Callable[[bytes, int], bool] = lambda _peer, _now: True,
        posting: Callable[[int], Iterable[bytes]] = lambda _now: (),
    ) -> None:
        """Listen at TCP `port`; `facing(host)` is our own address as that host sees it.

        With a `key` this is a private room, and `certify(id, key)` says whether both belong to one peer. A `prover`
        proves our links in the open network. `near(host)` says whether an address is in one of our networks, `calls(id,
        now)` whether to call a peer that we hear of. The `priority_peers()` keep their places against strangers.
        `posting(now)` is sent before each beacon.
        """
        self.me = me
        self.name = name
        self.headers = tuple(headers.items())
        encode(Hello(1, "", (), 0, name, self.headers))  # a LocalError if that can't be said
        self.port = port
        self.limits = limits or NeighbourLimits()
        #: Actions to carry out in order, and news for programs. The driver clears both lists.
        self.outgoing: list[Action] = []
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        #: The sources of beacons, linked or not.
        self.beacons_heard = BeaconLog(self.limits.beacon_every)
        #: The claimed id of the peer whose message is being processed.
        self.speaker: bytes | None = None
        self._facing, self._random, self._key, self._certify, self._prover = facing, random, key, certify, prover
        self._near, self._priority_peers, self._calls, self._posting = near, priority_peers, calls, posting
        self._named: dict[bytes, Neighbour] = {}
        self._seeds: list[Neighbour] = []  # that have not answered yet
        self._rivals: list[Neighbour] = []  # streams of an identity whose place is taken, the oldest first
        self._lines: dict[Way, Neighbour] = {}  # whom we speak to, by line
        #: Hosts at which a person named a peer.
        self.seed_hosts: tuple[str, ...] = ()
        self._links = 0
        self._dialled = Bucket(a_second(self.limits.calls, self.limits.calls))
        self._bans = FairBuffer[str, tuple[bytes, str], int](MOST_BANS // 2, MOST_BANS)
        self._refused = FairBuffer[str, bytes, int](MOST_REFUSED // 2, MOST_REFUSED)
        self._doubled: dict[tuple[bytes, Endpoint], None] = {}
        self._turned_at = 0  # when a stranger last lost its place to one that is no better
        self._beacon_due = self._beacons = self._tick_due = 0

    # Time

    @property
    def deadline(self) -> int:
        return min(self._beacon_due, self._tick_due)

    def wake(self, now: int) -> None:
        if now >= self._beacon_due:
            every = self.beacons_heard.beacon_every(now)
            self._beacon_due = now + every + self._random.randrange(-every // 10, every // 10 + 1)
            by_ipv6 = self._beacons % IPV6_BEACON == 0 or self.beacons_heard.needs_ipv6(now)
            for datagram in self._posting(now):
                self.post(datagram, by_ipv6=by_ipv6)
            self.announce(by_ipv6=by_ipv6)
            self._beacons += 1
        if now >= self._tick_due:
            self._tick_due = now + TICK
            for neighbour in list(self.all()):
                (self._tend_rival if neighbour in self._rivals else self._tend)(neighbour, now)

    def announce(self, *, by_ipv6: bool = True) -> None:
        """Send our beacon now, as when an interface comes up."""
        self.post(Beacon(self.me, self.port, self._key).encode(), by_ipv6=by_ipv6)

    def post(self, datagram: bytes, *, by_ipv6: bool = True) -> None:
        """Send a datagram to everybody who can hear our beacons."""
        self.outgoing.append(Announce(datagram, self.seed_hosts, by_ipv6))

    def close(self) -> None:
        """Say good-bye to everybody. The driver closes the links."""
        self.post(Beacon(self.me, 0, self._key).encode())

    def _tend(self, neighbour: Neighbour, now: int) -> None:
        if neighbour.leaving_at is not None and now - neighbour.leaving_at >= TICK and not neighbour.proved:
            self._expel(neighbour, LossReason.LEFT, now)
        elif neighbour.peer is not None:
            self._tend_met(neighbour, now)
        elif neighbour.is_called:
            self._tend_called(neighbour, now)
        elif neighbour.hello is None and not self._wants(neighbour.id, now):
            self._forget(neighbour)
        elif now >= neighbour.retry_at:
            self._call(neighbour, now)

    def _tend_met(self, neighbour: Neighbour, now: int) -> None:
        limits, silence = self.limits, now - neighbour.heard_at
        if silence >= max(limits.silent, min(limits.most_silent, limits.lags * neighbour.lag)):
            self._part(neighbour, LossReason.SILENT, now)
        elif silence >= limits.quiet and now - neighbour.pinged_at >= limits.ping_every:
            self._ping(neighbour, now)

    def _tend_called(self, neighbour: Neighbour, now: int) -> None:
        limits, reached = self.limits, neighbour.connected or neighbour.reached
        patience = (limits.slowness if reached else limits.patience) << neighbour.slow
        if neighbour.hello is None and now - neighbour.dialled_at >= limits.unanswered:
            neighbour.trouble = self._trouble(neighbour, CallEnd.UNANSWERED, now)
        if not neighbour.connected and now - neighbour.since >= limits.alone and self._answer(neighbour, now):
            return
        if now - neighbour.since < patience:
            if neighbour.hello is not None and now - neighbour.pinged_at >= limits.ping_every:
                self._ping(neighbour, now)
        elif neighbour.claim is not None and neighbour.ponged:  # it is there but can't prove its identity
            self._cut(neighbour)
            self._part(neighbour, LossReason.BROKE, now)
        else:
            if reached:  # it answers too late
                neighbour.slow = min(limits.patient, neighbour.slow + 1)
            self._failed(neighbour, now)

    # Called by programs

    def admit(self, peer: bytes) -> None:
        """Let a peer learn of others: it has proved that it belongs to the private room."""
        if (neighbour := self._named.get(peer)) is not None and neighbour.peer is not None:
            neighbour.admitted = True

    def whisper(self, peer: bytes, payload: bytes) -> bool:
        """Send to one peer. Return False if it is not connected."""
        if len(payload) > MOST_FRAME_BYTES:
            raise LocalError(f"a message of {len(payload)} bytes; at most {MOST_FRAME_BYTES} are allowed")
        neighbour = self._named.get(peer)
        if neighbour is None or neighbour.peer is None:
            return False
        self._send(neighbour, Whisper(neighbour.number(), (payload,)))
        return True

    def ban(self, peer: bytes, now: int, time: int) -> None:
        """Drop a peer, and ignore it for `time` milliseconds."""
        self._bans.put("", (peer, ""), now + time)
        if (neighbour := self._named.get(peer)) is not None:
            self._expel(neighbour, LossReason.BANNED, now)

    def seed(self, seed: Endpoint) -> None:
        """Look for a peer there until it is found. Its host gets our beacons and can call us. Nothing more is possible
        without a port (0), or in a private room, where we can't call a peer whose key is unknown.
        """
        if seed.host not in self.seed_hosts:
            self.seed_hosts += (seed.host,)
        if seed.port and self._key is None and all(known.seed != seed for known in self.all()):
            self._seeds.append(Neighbour(None, seed=seed, contacts=[seed]))

    def seek(self, peer: bytes, places: Iterable[Endpoint], now: int) -> None:
        """Call a wanted peer where its beacon or its posting came from."""
        heard = self.beacons_heard.where(peer)
        for endpoint in (*places, *((heard,) if heard else ())):
            known = self._named.get(peer)
            if known is None or (known.peer is None and endpoint not in known.contacts):
                self._heard_of(peer, endpoint, None, now, hearsay=True)

    def spare(self, peer: bytes, now: int) -> None:
        """End a link that nobody needs any more."""
        neighbour = self._named.get(peer)
        if neighbour is not None and neighbour.peer is not None:
            self._cut(neighbour)
            self._expel(neighbour, LossReason.SPARED, now)

    # Asked by programs

    def is_banned(self, peer: bytes, now: int, host: str = "") -> bool:
        """Return True if a peer is banned everywhere, or at this host."""
        return any(now < (self._bans.get(ban) or now) for ban in ((peer, ""), (peer, host)))

    def get(self, peer: bytes) -> Neighbour | None:
        return self._named.get(peer)

    def all(self) -> Iterator[Neighbour]:
        """Yield all that are known, seeds and rivals too."""
        return chain(self._named.values(), self._seeds, self._rivals)

    def peers(self) -> list[Peer]:
        return [one.peer for one in self._named.values() if one.peer is not None]

    def halfway(self) -> list[Halfway]:
        return [
            Halfway(one.seed or one.contacts[0], one.phase, one.trouble, one.seed is not None, one.id, one.failures)
            for one in chain(self._named.values(), self._seeds)
            if one.peer is None and one.id != self.me
        ]

    def met_at_seeds(self) -> list[tuple[Endpoint, Peer]]:
        return [(one.seed, one.peer) for one in self._named.values() if one.seed is not None and one.peer is not None]

    def refused(self, now: int) -> list[bytes]:
        """Return the peers that found no room lately."""
        return [peer for peer, at in self._refused.items() if now - at < REFUSAL_COUNTS]

    def where(self, peer: bytes) -> Endpoint | None:
        """Return the place of a peer whose stream or beacon reached us."""
        neighbour = self._named.get(peer)
        place = neighbour.place if neighbour is not None and neighbour.hello is not None else None
        return place or self.beacons_heard.where(peer)

    def trouble(self, peer: bytes) -> Trouble | None:
        """Say why the last call of a peer failed; None if it did not."""
        neighbour = self._named.get(peer)
        return neighbour.trouble if neighbour is not None and neighbour.peer is None and neighbour.failures else None

    def is_gone(self, peer: bytes, now: int) -> bool:
        """Tell a program that was killed from one whose firewall refuses calls: two of its beacons are missing."""
        neighbour = self._named.get(peer)
        if neighbour is None or neighbour.trouble is not Trouble.REFUSED or neighbour.refused_at is None:
            return False
        return max(neighbour.refused_at, neighbour.beacon_at or 0) + 2 * self.beacons_heard.beacon_every(now) <= now

    def introducible(self, peer: bytes, to: bytes) -> Endpoint | None:
        """Return a place where another peer that we met may find this one (see `introduce`); None if we know of no such
        place.

        Tell a place within this machine only to peers within it, and only a place that we called ourselves.
        """
        neighbour, other = self._named.get(peer), self._named.get(to)
        if neighbour is None or neighbour.peer is None or neighbour.at is None or not neighbour.admitted:
            return None
        is_local = other is not None and other.at is not None and self._is_own(other.at.host)
        places = (
            at
            for at in (neighbour.at, *neighbour.contacts)
            if is_host(at.host) and (is_local or not is_loopback(at.host))
        )
        return next(places, None)

    def _is_own(self, host: str) -> bool:
        """Return True for an address of this machine: the machine reaches that from the same address."""
        return is_loopback(host) or self._facing(host) == host

    def is_at(self, peer: bytes, endpoint: Endpoint) -> bool:
        """Return True if that neighbour can be found there. A place from hearsay may be another peer's."""
        neighbour = self._named.get(peer)
        if (
            neighbour is None
            or neighbour.peer is None
            or neighbour.place is None
            or neighbour.place.port != endpoint.port
        ):
            return False
        return endpoint in (neighbour.place, neighbour.seed, *neighbour.contacts)

    def streams(self) -> set[int]:
        """Return the accepted connections that carry neighbours: at most `peers` and `rivals` of `NeighbourLimits`
        together.
        """
        return {one.way for one in self.all() if one.hello is not None}

    def matters(self, way: Way) -> bool:
        """Return True if a genuine peer that matters uses this way."""
        priority_peers = self._priority_peers()
        return any(id in priority_peers for id, one in self._named.items() if one.proved and one.way == way)

    # Beacons and introductions

    def heard_beacon(self, address: str, datagram: bytes, now: int) -> None:
        """Read a datagram that has arrived."""
        self.speaker = None
        try:
            beacon = decode_beacon(datagram)
        except PeerError:
            return self._drop("no beacon")
        place = Endpoint(address, beacon.port)
        if beacon.id == self.me and self._is_echo(place):
            return self._drop("own echo")
        if (beacon.key is None) != (self._key is None):
            return self._drop("beacon of another world")
        if beacon.port == 0:
            if (heard := self.beacons_heard.where(beacon.id)) is not None and heard.host == address:
                self.beacons_heard.forget(beacon.id)
            return self._leaving(beacon.id, address, now)
        if beacon.id != self.me:
            self.beacons_heard.note(beacon.id, place, now)
        return self._heard_of(beacon.id, place, beacon.key, now, hearsay=False)

    def introduce(self, peer: bytes, endpoint: Endpoint, key: bytes | None, by: bytes, now: int) -> None:
        """Accept an introduction: call the peer, and show it once it has answered. A PeerError refuses an introduction
        that no honest peer makes.
        """
        if (speaker := self._named.get(by)) is None or speaker.place is None:
            return self._drop("introduction by a peer that is gone")
        (host, port), there = endpoint, speaker.place.host
        if not is_host(host) or not 0 < port < 1 << 16:
            raise PeerError(f"an introduction to {endpoint}: that is no host's address")
        if is_loopback(host) and not self._is_own(there):
            raise PeerError("an introduction from another machine to an address within this one")
        if self._prover is not None and not speaker.proved:
            return self._drop("introduction by an unproved peer")
        known = self._named.get(peer)
        if known is not None and known.peer is not None:
            return None
        if host != there and not is_loopback(host) and not self._near(host):
            return self._drop("introduction to another network")  # an honest peer may be there
        if not speaker.introductions.take(now):
            return self._drop("too many introductions")
        return self._heard_of(peer, endpoint, key, now, hearsay=True)

    def _heard_of(self, peer: bytes, endpoint: Endpoint, key: bytes | None, now: int, *, hearsay: bool) -> None:
        is_echo = peer == self.me and self._is_echo(endpoint)
        if is_echo or not self._is_welcome(peer, key, endpoint.host, now):
            return self._drop("not wanted")
        neighbour, wants = self._named.get(peer), self._wants(peer, now)
        if neighbour is None:
            if not wants:
                return self._drop("not needed")
            if not self._has_place(peer, endpoint.host, now):
                return self._drop("no room")
            neighbour = self._add(peer, key)
        news = neighbour.learn(endpoint, hearsay=hearsay)
        if not hearsay:
            # Beacons after a silence: perhaps the cable is plugged in again.
            silence = MISSED * self.beacons_heard.beacon_every(now)
            news = news or neighbour.beacon_at is None or now - neighbour.beacon_at > silence
            neighbour.beacon_at, neighbour.leaving_at = now, None
            neighbour.heard_at = neighbour.heard_at if is_virtual(endpoint.host) else now  # a link may die
        if wants and not neighbour.is_called and (news or now >= neighbour.retry_at):
            if news:
                neighbour.failures = 0
            self._call(neighbour, now)
        return None

    def _is_echo(self, endpoint: Endpoint) -> bool:
        """Tell our own beacon from one of another machine that uses our identity, and can prove it."""
        if self._prover is None or (self.me, endpoint) in self._doubled:
            return True
        return endpoint.port == self.port and self._facing(endpoint.host) == endpoint.host

    def _leaving(self, peer: bytes, address: str, now: int) -> None:
        """Note a peer's farewell. RFC 36: "When a ZRE node receives a beacon from a known node, with a zero port
        number, it SHALL disconnect from this peer." Its last messages may still be in flight, so we wait until the link
        breaks, or two ticks. An unsigned beacon ends no conversation with a peer that has proved itself. If the beacon
        is true, the link breaks anyway; if not, the answer to a PING shows it.
        """
        neighbour = self._named.get(peer)
        if neighbour is None or address not in {
            place.host for place in (*neighbour.contacts, neighbour.place) if place
        }:
            return
        neighbour.leaving_at = now
        if neighbour.proved and neighbour.is_called and now - neighbour.pinged_at >= self.limits.ping_every:
            self._ping(neighbour, now)

    # Connections

    def reached(self, link: Way) -> None:
        """Note that the other end accepted the TCP connection."""
        if (neighbour := self._lines.get(link)) is not None:
            neighbour.reached = True

    def connected(self, link: Way) -> None:
        """Note that the other end speaks ZMTP."""
        if (neighbour := self._lines.get(link)) is not None:
            neighbour.connected = True

    def lost(self, link: Way, now: int, call: CallEnd = CallEnd.UNANSWERED) -> None:
        """Give up a link that failed or broke; `call` says how far it got if it never stood."""
        if (neighbour := self._lines.get(link)) is None:
            return
        if neighbour.hello is None and not neighbour.connected:
            neighbour.trouble = self._trouble(neighbour, call, now)
        self._broken(neighbour, now)

    def cut(self, connection: Way, now: int) -> None:
        """Give up the streams of an accepted connection that is closed."""
        for neighbour in self._speakers(connection):
            if neighbour.line == connection:
                self._drop_line(neighbour)
            if neighbour in self._rivals:
                self._forget(neighbour)
                continue
            if neighbour.peer is not None:
                self._broken(neighbour, now)
            neighbour.end()

    def choked(self, way: Way, now: int) -> None:
        """Part with a peer that reads no more. RFC 36: "a full send buffer can be detected and treated as 'peer not
        responding'".
        """
        if (neighbour := self._lines.get(way)) is not None:
            self._part(neighbour, LossReason.CHOKED, now)

    def broke(self, connection: Way, now: int) -> None:
        """Count a violation against the peers on an accepted connection that was closed because of it."""
        for neighbour in self._speakers(connection):
            self._broke(neighbour, now)

    def _broken(self, neighbour: Neighbour, now: int) -> None:
        if neighbour.leaving_at is not None:
            self._expel(neighbour, LossReason.LEFT, now)
        elif neighbour.peer is None:
            self._failed(neighbour, now)
        else:
            self._part(neighbour, LossReason.LOST, now)

    def _speakers(self, connection: Way) -> list[Neighbour]:
        """Return those whose streams come by this accepted connection."""
        return [one for one in self.all() if connection and one.hello is not None and one.way == connection]

    # Messages

    def receive(self, source: Source, frames: list[bytes], now: int) -> None:
        """Read a message from an accepted connection, or from our own link to a peer that can't call us."""
        way, sender = source.way, source.identity[1 : 1 + ID_BYTES]
        if way < 0:
            owner = self._lines.get(way)
            author = None if owner is None else owner.id or _author(frames)
            if owner is None or author is None:
                return self._drop("before HELLO")
            source, sender = source._replace(key=owner.key), author
        elif len(source.identity) != 1 + ID_BYTES or source.identity[0] != 1:
            return self._drop("no ZRE identity")
        return self._hear(source, sender, frames, now)

    def _hear(self, source: Source, sender: bytes, frames: list[bytes], now: int) -> None:
        self.speaker = sender
        neighbour = self._rival(source.way) or self._named.get(sender)
        if neighbour is not None and neighbour.key != source.key and neighbour.hello is None:
            self._forget(neighbour)  # a beacon named another key; the link is more reliable
            neighbour = None
        if not self._is_welcome(sender, source.key, source.address, now):
            return self._drop("not wanted")
        has_begun = neighbour is not None and neighbour.hello is not None
        speaker = neighbour if neighbour is not None and has_begun and neighbour.way == source.way else None
        payer = speaker if has_begun else neighbour
        if payer is not None and not payer.budget.take(now):
            return self._put_out(payer, source.address, LossReason.FLOODED, now)
        try:
            message = decode(frames)
        except PeerError:
            return self._broke(speaker, now)
        if isinstance(message, Hello):
            return self._greeted(source, sender, message, Endpoint(source.address, port_of(message.endpoint)), now)
        return self._take(speaker, message, now) if speaker is not None else self._drop("before HELLO")

    def _take(self, neighbour: Neighbour, message: Message, now: int) -> None:
        reaction = TABLE[type(message)][neighbour.phase]
        if reaction is NeighbourReaction.DROP:
            return self._drop("before HELLO")
        if not neighbour.counts(message.sequence):
            return self._part(neighbour, LossReason.GAPS, now)
        neighbour.heard_at = neighbour.spoke_at = now
        match reaction, message:
            case NeighbourReaction.SAY | NeighbourReaction.HOLD, Whisper(_, content):
                self._say(neighbour, content, now)
            case NeighbourReaction.ANSWER, _ if neighbour.is_called:
                self._send(neighbour, PingOk(neighbour.number()))
            case NeighbourReaction.MEET, _:
                neighbour.answered(now)
                neighbour.ponged = neighbour.is_called
                self._meet_if_ready(neighbour, now)
            case NeighbourReaction.COUNT, PingOk():
                neighbour.answered(now)
                if neighbour.proved:
                    neighbour.leaving_at = None  # the farewell came from another sender
        return None

    def _say(self, neighbour: Neighbour, content: tuple[bytes, ...], now: int) -> None:
        """Pass content of one frame on to the program; other programs send more frames or none."""
        if len(content) != 1:
            self._drop("content not in one frame")
        elif neighbour.claim is not None and is_proof(content[0]):
            self._check(neighbour, neighbour.claim, content[0], now)
        elif neighbour.peer is not None:
            self.events.append(Said(neighbour.peer, content[0]))
        elif len(neighbour.held) < self.limits.held:
            neighbour.held.append(content[0])
        else:
            self._drop("said too much before it was met")

    # HELLO

    def _greeted(self, source: Source, sender: bytes, hello: Hello, endpoint: Endpoint, now: int) -> None:
        way, claim = source.way, self._claim(sender, hello)
        if sender == self.me and (claim is None or claim.nonce in [neighbour.nonce for neighbour in self.all()]):
            seed = self._at(endpoint) or self._answering_seed(endpoint, now)
            if seed is not None and seed.id is None:
                self._forget(seed)
            return self._drop("own echo")
        if way < 0:
            owner = self._lines[way]
            assert owner.at is not None
            endpoint = owner.at
            if FULL_HEADER in dict(hello.headers):
                if owner.peer is None:
                    owner.trouble = Trouble.FULL
                    self._hang_up(owner)
                    self._later(owner, now)
                return None
            if not self._reads_answers(hello, claim):
                return self._drop("before HELLO")
        elif self._is_taken(self._named.get(sender), way, claim):
            return self._stand_beside(source, sender, hello, claim, endpoint, now)
        return self._begin(source, sender, hello, claim, endpoint, now)

    def _begin(
        self, source: Source, sender: bytes, hello: Hello, claim: SenderClaim | None, endpoint: Endpoint, now: int
    ) -> None:
        """Begin a peer's stream if there is a place for it."""
        way, neighbour = source.way, self._named.get(sender)
        if neighbour is None or neighbour.hello is None:
            proves = claim is not None or self._key is not None
            if not self._has_place(sender, endpoint.host, now, neighbour, greets=True, proves=proves):
                return self._refuse(way, sender, hello, endpoint, now)
        neighbour = neighbour or self._add(sender, source.key)
        if not neighbour.budget.take(now, self.limits.hello_price):
            return self._put_out(neighbour, endpoint.host, LossReason.FLOODED, now)
        if way < 0 and not self._take_answer(neighbour, way, endpoint, now):
            return None
        again = neighbour.hello is not None
        if way >= 0:
            self._keep_or_drop_link(neighbour, endpoint, now)
            self._take_over(neighbour, endpoint, now)
        neighbour.learn(endpoint, hearsay=False)
        neighbour.begin(hello, way, endpoint, claim, now)
        if not neighbour.is_called:
            if not self._wants(sender, now) and self._answer(neighbour, now):  # in a hall one connection is enough
                return None
            neighbour.turn = neighbour.contacts.index(endpoint)
            return self._call(neighbour, now)
        self._prove(neighbour)
        return self._ping(neighbour, now) if again else None

    def _take_answer(self, neighbour: Neighbour, way: Way, endpoint: Endpoint, now: int) -> bool:
        """Begin a peer's stream on a link that we called. Return False if it has a better one."""
        if neighbour.proved and neighbour.hello is not None and neighbour.way != way:
            if self._lines[way] is not neighbour:
                self._take_over(neighbour, endpoint, now)
            self._drop("answered twice")
            return False
        self._take_over(neighbour, endpoint, now)
        self._left(neighbour, LossReason.RESTARTED, now)
        return neighbour.line == way

    def _keep_or_drop_link(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """Decide about our link after a HELLO on a stream that had begun: the peer restarted and wants our HELLO again.
        But if it crossed ours, an answer would cause another HELLO, and so on. (If we guess wrong, PINGs stay
        unanswered and the neighbour is soon called again.) A call to the peer's former place is given up as well.
        """
        moved = neighbour.at != endpoint
        gone = (
            moved and not neighbour.connected if neighbour.hello is None else moved or not self._crossed(neighbour, now)
        )
        self._left(neighbour, LossReason.RESTARTED, now)
        if gone:
            self._hang_up(neighbour)

    def _crossed(self, neighbour: Neighbour, now: int) -> bool:
        """Return True if a HELLO that comes now crossed ours."""
        return now - neighbour.dialled_at < self.limits.crossing

    def _take_over(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """Take over the call to the source of this HELLO, if we called it without knowing its identity, or under
        another.
        """
        caller = self._at(endpoint)
        if caller is None and not neighbour.is_called and neighbour.beacon_at is None:
            caller = self._answering_seed(endpoint, now)
        if caller is None or caller is neighbour or caller.hello is not None:
            return
        reached = caller.at
        if not neighbour.is_called and neighbour.key == caller.key:
            neighbour.take_line(caller)
            self._lines[neighbour.line] = neighbour
        else:
            self._close(caller)
        if caller.seed is not None:
            neighbour.seed, caller.seed = caller.seed, None
            neighbour.learn(neighbour.seed, hearsay=False)
        caller.contacts = [contact for contact in caller.contacts if contact not in (endpoint, reached)]
        if caller.id is None or not caller.contacts:
            self._forget(caller)
        else:
            self._later(caller, now)

    def _answering_seed(self, endpoint: Endpoint, now: int) -> Neighbour | None:
        """Find the seed with the same port or address, if there is only one. A seed may answer from another address (it
        has several) or another port (its router forwards one).
        """
        host = endpoint.host if not is_loopback(endpoint.host) else None  # that is of all programs here
        seeds = [seed for seed in self._seeds if seed.connected or self._crossed(seed, now)]
        likely = [seed for seed in seeds if seed.at and (seed.at.port == endpoint.port or seed.at.host == host)]
        return likely[0] if len(likely) == 1 else None

    def _claim(self, sender: bytes, hello: Hello) -> SenderClaim | None:
        """Read the claim that a HELLO's sender must prove: that it holds the key of its identity."""
        claim = claim_of(dict(hello.headers)) if self._prover is not None else None
        return claim if claim is not None and peer_of(claim.key) == sender else None

    def _reads_answers(self, hello: Hello, claim: SenderClaim | None) -> bool:
        """Return True if a stream of our own may follow on the connection that carried this HELLO."""
        return claim is not None or (self._key is not None and _is_ours(hello))

    # Meetings

    def _meet_if_ready(self, neighbour: Neighbour, now: int) -> None:
        """Meet a neighbour. One that can prove its key must do so first."""
        if neighbour.id == self.me:
            if neighbour.proved and neighbour.came_from is not None:
                self._tell_doubled(neighbour, neighbour.came_from)
        elif neighbour.peer is None and neighbour.ponged and (neighbour.claim is None or neighbour.proved):
            if neighbour in self._rivals:
                self._contest(neighbour, now)
            else:
                self._meet(neighbour, now)

    def _meet(self, neighbour: Neighbour, now: int) -> None:
        """Meet a neighbour. It has answered, so it is at the end of our link, and nobody else is."""
        neighbour.trouble = None
        neighbour.peer = neighbour.snapshot()
        neighbour.met_at = now
        self.events += [PeerMet(neighbour.peer), *(Said(neighbour.peer, payload) for payload in neighbour.held)]
        neighbour.held = []
        for other in list(self.all()):
            if not other.is_called and other.hello is None and neighbour.at in other.contacts:
                other.contacts.remove(neighbour.at)
                if not other.contacts:
                    self._forget(other)

    def _check(self, neighbour: Neighbour, claim: SenderClaim, content: bytes, now: int) -> None:
        """Check a proof. A late one, for earlier HELLOs, is wrong without anybody's fault."""
        neighbour.budget.pay(now, self.limits.hello_price)
        if neighbour.proved or self._prover is None:
            return
        if neighbour.is_called and self._prover.is_right(content, claim, neighbour.nonce):
            neighbour.proved = True
            self._meet_if_ready(neighbour, now)
        else:
            self._drop("wrong proof")

    # Rivals: streams of an identity whose place is taken. They are answered on their own connections, and held.

    def _rival(self, way: Way) -> Neighbour | None:
        return next((rival for rival in self._rivals if rival.way == way), None)

    def _is_taken(self, neighbour: Neighbour | None, way: Way, claim: SenderClaim | None) -> bool:
        """Return True if a stream must wait for its proof: another stream of this identity is or may be genuine."""
        if neighbour is None or neighbour.hello is None or not way or neighbour.way == way:
            return False
        return neighbour.proved or neighbour.claim is not None or claim is not None

    def _stand_beside(
        self, source: Source, sender: bytes, hello: Hello, claim: SenderClaim | None, endpoint: Endpoint, now: int
    ) -> None:
        """Send a rival a HELLO on its own connection, so that it can prove itself."""
        way = source.way
        if not self._reads_answers(hello, claim):
            self._drop("another's place")
            return self.outgoing.append(Close(way))
        before = self._rival(way) or self._surplus_rival(sender, endpoint.host)
        if before is not None:
            self._forget(before)
            if before.way == way:
                return None
        if way in self._lines:
            return self._drop("two on one connection")
        rival = self._new(sender, source.key)
        rival.contacts.append(endpoint)
        rival.begin(hello, way, endpoint, claim, now)
        self._rivals.append(rival)
        self._answer(rival, now)
        return None

    def _surplus_rival(self, peer: bytes, host: str) -> Neighbour | None:
        """Choose the rival to evict before another one for that peer can come from that host. An unproved one from the
        same host goes first, so a flood from one machine evicts itself; then the oldest.
        """
        rivals = sorted(self._rivals, key=lambda rival: (rival.proved, rival.host != host))
        for most, alike in (
            (self.limits.rivals_each, [rival for rival in rivals if rival.host == host]),
            (self.limits.rivals // 2, [rival for rival in rivals if subnet_of(rival.host) == subnet_of(host)]),
            (self.limits.rivals_each, [rival for rival in rivals if rival.id == peer]),
            (self.limits.rivals, rivals),
        ):
            if len(alike) >= most:
                return alike[0]
        return None

    def _tend_rival(self, rival: Neighbour, now: int) -> None:
        if now - rival.since >= self.limits.patience and not (rival.proved and rival.ponged):
            self._forget(rival)
        else:
            self._meet_if_ready(rival, now)

    def _contest(self, rival: Neighbour, now: int) -> None:
        """Ping the first of two streams that have proved one key. Its answer shows that there are two programs; its
        silence, that it is gone without our knowledge.
        """
        assert rival.id is not None and rival.came_from is not None
        first = self._named.get(rival.id)
        if first is None or first.peer is None or not first.proved:
            self._succeed(first, rival, now)
        elif rival.contested_at is None:
            rival.contested_at = now
            self._ping(first, now)
        elif first.spoke_at > rival.contested_at:
            self._tell_doubled(first, rival.came_from)
            self._forget(rival)
        elif now - rival.contested_at >= self.limits.doubt:
            self._succeed(first, rival, now)

    def _succeed(self, first: Neighbour | None, rival: Neighbour, now: int) -> None:
        """Give the place of the first stream to a rival."""
        assert rival.id is not None
        is_new = first is None or first.hello is None
        if is_new and not self._has_place(rival.id, rival.host, now, first, greets=True, proves=True):
            return self._forget(rival)
        self._rivals.remove(rival)
        if first is not None:
            for contact in first.contacts:
                rival.learn(contact, hearsay=True)
            rival.seed, first.seed = first.seed, None
            rival.beacon_at = first.beacon_at
            self._expel(first, LossReason.RESTARTED, now)
        self._named[rival.id] = rival
        return self._meet(rival, now)

    def _tell_doubled(self, first: Neighbour, endpoint: Endpoint) -> None:
        """Report that one identity is in use twice; once for each place."""
        assert first.id is not None and first.place is not None and first.hello is not None
        of_it = sum(peer == first.id for peer, _ in self._doubled)
        if (first.id, endpoint) not in self._doubled and of_it < MOST_OF_ONE:
            if len(self._doubled) >= MOST_DOUBLED:
                del self._doubled[next(iter(self._doubled))]
            self._doubled[first.id, endpoint] = None
            self.events.append(Doubled(first.id, first.hello.name, first.place.host, endpoint))

    # Calls

    def _wants(self, peer: bytes | None, now: int) -> bool:
        """Return True if we want a link to a peer: in a hall only to a few, unless somebody named the address."""
        known = None if peer is None else self._named.get(peer)
        return peer is None or (known is not None and known.seed is not None) or self._calls(peer, now)

    def _at(self, endpoint: Endpoint) -> Neighbour | None:
        return next((neighbour for neighbour in self._lines.values() if neighbour.at == endpoint), None)

    def _call(self, neighbour: Neighbour, now: int) -> None:
        """Call a neighbour at its next contact where nobody else is called; pause after all were tried."""
        while neighbour.turn < len(neighbour.contacts) and self._dialled.due <= now:
            endpoint = neighbour.contacts[neighbour.turn]
            neighbour.turn += 1
            if self._at(endpoint) is None:
                return self._dial(neighbour, endpoint, now)
        if self._answer(neighbour, now):
            return None
        if neighbour.turn == len(neighbour.contacts):
            return self._later(neighbour, now)
        neighbour.retry_at = now + self.limits.first_retry
        return None

    def _dial(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        self._dialled.pay(now, 1)
        self._links -= 1
        neighbour.at, neighbour.dialled_at, neighbour.connected, neighbour.reached = endpoint, now, False, False
        self.outgoing.append(Dial(self._links, endpoint, neighbour.key))
        self._open(neighbour, self._links, endpoint, now)

    def _answer(self, neighbour: Neighbour, now: int) -> bool:
        """Answer on the connection that the neighbour made, because one is enough. Return False if it does not read
        answers there, as peers of our kind do.
        """
        line = max(neighbour.way, NOWHERE)
        if (
            neighbour.hello is None
            or neighbour.came_from is None
            or line == NOWHERE
            or neighbour.line > 0
            or line in self._lines
        ):
            return False
        if not self._reads_answers(neighbour.hello, neighbour.claim):
            return False
        self._close(neighbour)
        neighbour.connected = True
        self._open(neighbour, line, neighbour.came_from, now)
        return True

    def _open(self, neighbour: Neighbour, line: Way, endpoint: Endpoint, now: int) -> None:
        """Begin our stream with a HELLO and a PING; its answer proves that both arrived."""
        neighbour.line, self._lines[line] = line, neighbour
        neighbour.since = now
        neighbour.leaving_at = neighbour.asked_at = None
        hello, neighbour.nonce = self._greeting(endpoint)
        neighbour.sent = hello.sequence
        self._send(neighbour, hello)
        self._ping(neighbour, now)
        self._prove(neighbour)

    def _greeting(self, endpoint: Endpoint) -> tuple[Hello, bytes]:
        """Write the HELLO that begins a stream to an endpoint, and draw its nonce."""
        here = Endpoint(self._facing(endpoint.host), self.port)
        nonce = self._random.randbytes(NONCE_BYTES) if self._prover is not None else b""
        proving = ((NONCE_HEADER, nonce.hex()),) if nonce else ()
        return Hello(1, str(here), (), 0, self.name, self.headers + proving), nonce

    def _prove(self, neighbour: Neighbour) -> None:
        """Sign both nonces once both HELLOs are there."""
        if self._prover is not None and neighbour.claim is not None and neighbour.is_called:
            self._send(neighbour, Whisper(neighbour.number(), (self._prover.proof(neighbour.nonce, neighbour.claim),)))

    def _ping(self, neighbour: Neighbour, now: int) -> None:
        """Ask for a sign of life."""
        neighbour.pinged_at = now
        if neighbour.asked_at is None:
            neighbour.asked_at = now
        self._send(neighbour, Ping(neighbour.number()))

    def _send(self, neighbour: Neighbour, message: Message) -> None:
        self.outgoing.append(Send(neighbour.line, encode(message)))

    def _failed(self, neighbour: Neighbour, now: int) -> None:
        """Try the next contact: there was no answer at this one."""
        self._hang_up(neighbour)
        if not self._answer(neighbour, now):
            self._call(neighbour, now)

    def _later(self, neighbour: Neighbour, now: int) -> None:
        """Retry later with a growing backoff; forget the neighbour if there is no reason to hope."""
        limits = self.limits
        neighbour.turn = 0
        wait = min(limits.last_retry, limits.first_retry << min(neighbour.failures, 16))
        neighbour.failures += 1
        neighbour.retry_at = now + wait + self._random.randrange(-wait // 5, wait // 5 + 1)
        is_heard = (
            neighbour.beacon_at is not None
            and now - neighbour.beacon_at < 2 * MISSED * self.beacons_heard.beacon_every(now)
        )
        if neighbour.failures > limits.tries and not is_heard and neighbour.seed is None:
            self._forget(neighbour)

    def _trouble(self, neighbour: Neighbour, call: CallEnd, now: int) -> Trouble:
        """Find the cause of a call in vain. A program that was killed refuses calls at once, while its last beacon is
        fresh: only a beacon after a refused call shows that a firewall has refused it.
        """
        call = CallEnd.ACCEPTED if neighbour.connected or neighbour.reached else call
        if call is CallEnd.REFUSED and neighbour.refused_at is None:
            neighbour.refused_at = now
        since = neighbour.dialled_at if neighbour.refused_at is None else neighbour.refused_at + 1
        return CAUSES[call][neighbour.beacon_at is not None and neighbour.beacon_at >= since]

    # Places

    def _new(self, peer: bytes, key: bytes | None) -> Neighbour:
        budget = Bucket(a_second(self.limits.messages_a_second, self.limits.burst))
        return Neighbour(peer, key, admitted=self._key is None, budget=budget)

    def _add(self, peer: bytes, key: bytes | None) -> Neighbour:
        neighbour = self._named[peer] = self._new(peer, key)
        return neighbour

    def _is_welcome(self, peer: bytes, key: bytes | None, host: str, now: int) -> bool:
        """Check that a peer is not banned, and in a private room has the key that belongs to its identity."""
        if self.is_banned(peer, now, host):
            return False
        if self._key is None:
            return True
        if (known := self._named.get(peer)) is not None:
            return known.key == key
        return key is not None and (self._certify is None or self._certify(peer, key))

    def _has_place(
        self,
        peer: bytes,
        host: str,
        now: int,
        known: Neighbour | None = None,
        *,
        greets: bool = False,
        proves: bool = False,
    ) -> bool:
        """Find a place for one more that is heard of, or `greets` us; if need be that of a weaker one. Never evict a
        greeted seed or a peer that matters.
        """
        limits = self.limits
        if greets and sum(one.hello is not None for one in self._named.values()) >= limits.peers:
            weakest = self._least(peer, host, now, proves=proves)
        elif known is None and len(self._named) >= limits.peers + limits.calls:
            unheard = (one for one in self._strangers() if one.hello is None and (greets or not one.is_called))
            weakest = next(unheard, None)
        else:
            return True
        if weakest is not None:
            self._expel(weakest, LossReason.CROWDED, now)
        return weakest is not None

    def _strangers(self) -> Iterator[Neighbour]:
        priority_peers = self._priority_peers()
        return (one for id, one in self._named.items() if one.seed is None and id not in priority_peers)

    def _least(self, peer: bytes, host: str, now: int, *, proves: bool) -> Neighbour | None:
        """Choose the stranger to evict: an unproved one first; then one of the address with the most places, or of a
        network with more than half of them; then, at long intervals, the oldest.
        """
        greeted = sorted((one for one in self._strangers() if one.hello is not None), key=lambda one: one.since)
        matters = peer in self._priority_peers()
        if unproved := [one for one in greeted if (proves or matters) and not (one.proved and one.admitted)]:
            return next((one for one in unproved if now - one.since >= FRESH), unproved[0])
        if not greeted or matters:
            return greeted[0] if greeted else None
        hosts, subnets = Counter(one.host for one in greeted), Counter(subnet_of(one.host) for one in greeted)
        [(most, count)] = hosts.most_common(1)
        if count > hosts[host] + 1:
            return next(one for one in greeted if one.host == most)
        [(most, count)] = subnets.most_common(1)
        if count > self.limits.peers // 2 and most != subnet_of(host):
            return next(one for one in greeted if subnet_of(one.host) == most)
        turnover = self.limits.turnover
        if now - greeted[0].since >= turnover and now - self._turned_at >= turnover:
            self._turned_at = now
            return greeted[0]
        return None

    def _refuse(self, way: Way, sender: bytes, hello: Hello, endpoint: Endpoint, now: int) -> None:
        """Refuse one more stream for lack of room, and say so if it is of our kind."""
        self._drop("no room")
        self._refused.put(endpoint.host, sender, now)
        if way > 0 and _is_ours(hello):
            ours, _ = self._greeting(endpoint)
            full = (FULL_HEADER, str(self.limits.peers))
            refusal = replace(ours, headers=(*ours.headers, full))
            self.outgoing.append(Send(way, encode(refusal)))

    # Partings

    def _broke(self, neighbour: Neighbour | None, now: int) -> None:
        """Handle a violation of ZRE: count it for a stranger, end the conversation with a peer."""
        self._drop("malformed")
        if neighbour is None or neighbour.hello is None:
            return
        neighbour.strikes += 1
        if neighbour.strikes >= self.limits.strikes:
            self._put_out(neighbour, neighbour.host, LossReason.BROKE, now)
        else:
            self._part(neighbour, LossReason.BROKE, now)

    def _put_out(self, neighbour: Neighbour, host: str, reason: LossReason, now: int) -> None:
        """Ban a peer for an offence. An unproved one is banned only from that host: otherwise anybody could get
        anybody banned.
        """
        if neighbour not in self._rivals:
            assert neighbour.id is not None
            banned_at = "" if neighbour.proved else host
            self._bans.put(banned_at, (neighbour.id, banned_at), now + self.limits.ban)
        self._expel(neighbour, reason, now)

    def _part(self, neighbour: Neighbour, reason: LossReason, now: int) -> None:
        """End both streams. The peer may be called again later."""
        if neighbour in self._rivals:
            return self._forget(neighbour)
        self._left(neighbour, reason, now)
        self._hang_up(neighbour)
        neighbour.end()
        return self._later(neighbour, now)

    def _expel(self, neighbour: Neighbour, reason: LossReason, now: int) -> None:
        """End both streams for good."""
        self._left(neighbour, reason, now)
        self._forget(neighbour)

    def _left(self, neighbour: Neighbour, reason: LossReason, now: int) -> None:
        """Report the loss of a peer, if it was met."""
        if neighbour.peer is None:
            return
        self.events.append(PeerLeft(neighbour.peer, reason))
        neighbour.peer = None
        neighbour.admitted = self._key is None
        if now - neighbour.met_at >= self.limits.settled:
            neighbour.failures = neighbour.strikes = 0

    def _forget(self, neighbour: Neighbour) -> None:
        """Forget a neighbour; a seed stays, because a peer may appear there again."""
        self._hang_up(neighbour)
        if neighbour in self._rivals:
            self._rivals.remove(neighbour)
        elif neighbour in self._seeds:
            self._seeds.remove(neighbour)
        elif neighbour.id is not None and self._named.get(neighbour.id) is neighbour:
            del self._named[neighbour.id]
            if neighbour.seed is not None:
                self.seed(neighbour.seed)

    def _hang_up(self, neighbour: Neighbour) -> None:
        """End our stream; its own ends too if it uses the same connection."""
        shared = neighbour.is_called and neighbour.way == neighbour.line
        self._close(neighbour)
        if shared:
            neighbour.end()

    def _close(self, neighbour: Neighbour) -> None:
        if neighbour.is_called:
            self.outgoing.append(Close(neighbour.line))
            self._drop_line(neighbour)

    def _drop_line(self, neighbour: Neighbour) -> None:
        """Forget the connection by which we spoke; it is closed."""
        del self._lines[neighbour.line]
        neighbour.drop_line()

    def _cut(self, neighbour: Neighbour) -> None:
        """Close the connection by which the neighbour speaks, if we do not speak by it."""
        if neighbour.way > 0 and neighbour.line <= 0:
            self.outgoing.append(Close(neighbour.way))

    def _drop(self, reason: str) -> None:
        self.counts[reason] += 1


def _author(frames: list[bytes]) -> bytes | None:
    """Read the identity of a peer that answers at a seed, from the key in its HELLO."""
    try:
        message = decode(frames)
    except PeerError:
        return None
    claim = claim_of(dict(message.headers)) if isinstance(message, Hello) else None
    return None if claim is None else peer_of(claim.key)


def _is_ours(hello: Hello) -> bool:
    """Return True if its sender is of our kind, which reads answers on the connection that carried this."""
    return spoken(dict(hello.headers)) >= FIRST_PROVING
