"""The neighbours of a node, from their first beacon or a seed to the last sign of life.

A machine without sockets and clocks. Datagrams, messages, reports of links and the time (milliseconds) come in; its
driver (net/link/node.py) drains `outgoing` and `events`. The table in neighbour.py says what a message does in which
phase. Guarantees, whatever arrives: no memory or work beyond `Limits`, one link to a neighbour and to an endpoint, no
event of a peer that has not answered us. Specification: docs/protocols/discovery.md; docs/protocols/links.md,
"Messages of a link" and "Proof of a link".
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.ip_addresses import is_host, is_loopback, is_virtual
from quadrille.net.core.pace import Bucket, a_second
from quadrille.net.core.per_key import PerKey
from quadrille.net.neighbours.ear import Ear
from quadrille.net.neighbours.link_queue import Action, Announce, LinkQueue
from quadrille.net.neighbours.neighbour import (
    TABLE,
    Contact,
    Deed,
    Doubled,
    Endpoint,
    Event,
    Joined,
    LeftGroup,
    LossReason,
    Neighbour,
    NeighbourLimits,
    Peer,
    PeerLeft,
    PeerMet,
    Phase,
    Said,
    Source,
    Trouble,
    Way,
)
from quadrille.net.neighbours.peer_directory import Newcomer, PeerDirectory
from quadrille.net.neighbours.rivals import Rivals
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
    MOST_GROUPS,
    STATUSES,
    TAIL_BYTES,
    Beacon,
    Hello,
    Join,
    Leave,
    Message,
    PingOk,
    Shout,
    Whisper,
    check_names,
    decode,
    decode_beacon,
    port_of,
)

TICK = 250
#: Missed beacons after which a neighbour counts as silent; twice as many, and it counts as gone.
MISSED = 5
#: Maximum delay of a tick in milliseconds. A program that was stopped for longer received nothing, so silence means
#: nothing.
LATE = 1000
#: One of so many beacons goes by IPv6 too where IPv4 works: somebody there may have IPv4 of another network.
IPV6_BEACON = 10
#: Milliseconds for which a refusal counts.
REFUSAL_COUNTS = 60_000
#: Maximum remembered refusals; half of them of one address.
MOST_REFUSED = 256
#: Maximum remembered doubled identities, and maximum places of one identity among them.
MOST_DOUBLED = 64
MOST_OF_ONE = 4


@dataclass(frozen=True, slots=True)
class Halfway:
    """A known peer that is not met yet: shown when a person looks for a missing peer. It is shown at one endpoint as
    long as no better one is known: what a person gave, or IPv4. `peer` is its identity, if that is known. `tries` is
    how often it was called in vain, 0 for a peer that was met before.
    """

    endpoint: Endpoint
    phase: Phase
    connected: bool
    trouble: Trouble | None = None
    named: bool = False  # a person gave us this address
    peer: bytes | None = None
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Crowd:
    """Number of peers met, maximum, and number refused in the last minute for lack of room; and in a hall the number
    known to be there, and the maximum that can be listed.
    """

    met: int
    limit: int
    refused: int
    there: int = 0
    listed: int = 0


class Neighbourhood:
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
        matters: Callable[[bytes], bool] = lambda _: False,
        calls: Callable[[bytes, int], bool] = lambda _peer, _now: True,
        posting: Callable[[int], Iterable[bytes]] = lambda _now: (),
    ) -> None:
        """We listen at TCP `port`; `facing(host)` is our own address as that host sees it. With a `key` this is a
        private room, and `certify(id, key)` says whether both belong to one peer. A `prover` proves our links in the
        open network. `near(host)` says whether an address is in one of our networks, `matters(id)` whether a peer
        keeps its place against strangers, `calls(id, now)` whether to call a peer that we hear of. `posting(now)` is
        sent before each beacon.
        """
        check_names(name, (), headers.items())
        self.me = me
        self.name = name
        self.headers = tuple(headers.items())
        self.port = port
        self.groups: dict[str, None] = {}
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        #: The claimed id of the peer whose message is being processed.
        self.speaker: bytes | None = None
        self.limits = limits or NeighbourLimits()
        self._facing = facing
        self._random = random
        self._key = key
        self._prover = prover
        self._near = near
        self._board = LinkQueue(self._greeting, self.limits, prover)
        self._rivals = Rivals(self.limits)
        self._doubled: dict[tuple[bytes, Endpoint], None] = {}
        self._refused = PerKey[str, bytes, int](MOST_REFUSED // 2, MOST_REFUSED)
        self._beacon_due = 0
        self._beacons = 0
        self._tick_due = 0
        self._seed_hosts: tuple[str, ...] = ()
        self._known = PeerDirectory(self.limits, key, certify, matters)
        self._ear = Ear(self.limits.beacon_every)
        self._calls = calls
        self._posting = posting

    @property
    def outgoing(self) -> list[Action]:
        """Actions to carry out in order. The driver clears the list."""
        return self._board.outgoing

    # Time

    @property
    def deadline(self) -> int:
        """When to call `wake` next."""
        return min(self._beacon_due, self._tick_due)

    def wake(self, now: int) -> None:
        """Do what is due."""
        if now >= self._beacon_due:
            every = self.beacon_every(now)
            self._beacon_due = now + every + self._random.randrange(-every // 10, every // 10 + 1)
            by_ipv6 = self._beacons % IPV6_BEACON == 0 or self._ear.needs_ipv6(now)
            for datagram in self._posting(now):
                self.post(datagram, by_ipv6=by_ipv6)
            self.announce(by_ipv6=by_ipv6)
            self._beacons += 1
        if now >= self._tick_due:
            self._excuse(now - self._tick_due)
            self._tick_due = now + TICK
            for neighbour in list(self._known):
                self._tend(neighbour, now)
            for rival in self._rivals:
                if now - rival.since >= self.limits.patience and not (rival.proved and rival.ponged):
                    self._dismiss(rival)
                else:
                    self._meet_if_ready(rival, now)

    def announce(self, *, by_ipv6: bool = True) -> None:
        """Send our beacon now, as when an interface comes up."""
        self.post(Beacon(self.me, self.port, self._key).encode(), by_ipv6=by_ipv6)

    def post(self, datagram: bytes, *, by_ipv6: bool = True) -> None:
        """Send a datagram to everybody who can hear our beacons."""
        self.outgoing.append(Announce(datagram, self._seed_hosts, by_ipv6))

    def close(self) -> None:
        """Say good-bye to everybody. The driver closes the links."""
        self.post(Beacon(self.me, 0, self._key).encode())

    def _excuse(self, late: int) -> None:
        """Do not count the time in which we did not listen as anybody's silence."""
        if late > LATE and self._tick_due:
            for neighbour in self._known:
                neighbour.heard_at += late
                neighbour.since += late

    def _tend(self, neighbour: Neighbour, now: int) -> None:
        if neighbour.leaving_at is not None and now - neighbour.leaving_at >= TICK and not neighbour.proved:
            self._expel(neighbour, LossReason.LEFT, now)
        elif not neighbour.is_called:
            if not self._may_call(neighbour.id, now) and neighbour.hello is None:
                self._forget(neighbour)
            elif now >= neighbour.retry_at:
                self._call(neighbour, now)
        elif neighbour.peer is None:
            self._tend_unmet(neighbour, now)
        else:
            self._tend_met(neighbour, now)

    def _tend_met(self, neighbour: Neighbour, now: int) -> None:
        limits = self.limits
        silent = max(limits.silent, min(limits.most_silent, limits.lags * neighbour.lag))
        if now - neighbour.heard_at >= silent:
            self._part(neighbour, LossReason.SILENT, now)
        elif now - neighbour.heard_at >= limits.quiet and now - neighbour.pinged_at >= limits.ping_every:
            self._board.ping(neighbour, now)

    def _tend_unmet(self, neighbour: Neighbour, now: int) -> None:
        limits, reached = self.limits, neighbour.connected or neighbour.reached
        patience = (limits.slowness if reached else limits.patience) << neighbour.slow
        if neighbour.hello is None and now - neighbour.dialled_at >= limits.unanswered:
            neighbour.trouble = self._trouble(neighbour, now)
        if not neighbour.connected and now - neighbour.since >= limits.alone and self._answer(neighbour, now):
            return
        if now - neighbour.since < patience:
            if neighbour.hello is not None and now - neighbour.pinged_at >= limits.ping_every:
                self._board.ping(neighbour, now)
        elif neighbour.id == self.me:
            self._forget(neighbour)
        elif neighbour.claim is not None and neighbour.ponged:  # it is there but can't prove its identity
            self._board.cut(0 if neighbour.back else neighbour.way.connection)
            self._part(neighbour, LossReason.BROKE, now)
        else:
            if reached:  # it answers too late
                neighbour.slow = min(limits.patient, neighbour.slow + 1)
            self._failed(neighbour, now)

    # Called by programs

    def join(self, group: str) -> None:
        check_names("", (*self.groups, group), ())
        self.groups[group] = None
        self._tell_all()

    def leave(self, group: str) -> None:
        self.groups.pop(group, None)
        self._tell_all()

    def _tell_all(self) -> None:
        """Tell all neighbours that get our HELLO, met or not, because all count our joins and leaves."""
        for neighbour in self._board.called():
            if neighbour.admitted:
                self._board.tell_groups(neighbour, self.groups)

    def admit(self, peer: bytes) -> None:
        """A peer has proved to belong to the private room: show it our groups."""
        neighbour = self._known.get(peer)
        if neighbour is not None and neighbour.peer is not None:
            neighbour.admitted = True
            self._board.tell_groups(neighbour, self.groups)

    def whisper(self, peer: bytes, payload: bytes) -> bool:
        """Send to one peer; False if it is not connected."""
        _check_payload(payload)
        neighbour = self._known.get(peer)
        if neighbour is None or neighbour.peer is None:
            return False
        self._board.send(neighbour, Whisper(neighbour.number(), (payload,)))
        return True

    def shout(self, group: str, payload: bytes) -> int:
        """Send to a group; return the number of receivers."""
        _check_payload(payload)
        members = [one for one in self._board.called() if one.peer and one.admitted and group in one.groups]
        for neighbour in members:
            self._board.send(neighbour, Shout(neighbour.number(), group, (payload,)))
        return len(members)

    def ban(self, peer: bytes, now: int, time: int) -> None:
        """Drop a peer, and ignore it for `time` milliseconds."""
        self._known.ban(peer, now + time)
        if (neighbour := self._known.get(peer)) is not None:
            self._expel(neighbour, LossReason.BANNED, now)

    def seed(self, seed: Endpoint) -> None:
        """Look for a peer there until it is found. Its host gets our beacons and can call us. Nothing more is
        possible without a port (0), or in a private room, where we can't call a peer whose key is unknown.
        """
        if seed.host not in self._seed_hosts:
            self._seed_hosts += (seed.host,)
        if seed.port and self._key is None:
            self._known.add_seed(seed)

    def is_seed(self, host: str) -> bool:
        """Return True if a person named a peer at this host."""
        return host in self._seed_hosts

    def seek(self, peer: bytes, places: Iterable[Endpoint], now: int) -> None:
        """Call a wanted peer where its beacon or its posting came from."""
        heard = self._ear.where(peer)
        for endpoint in (*places, *((heard,) if heard else ())):
            known = self._known.get(peer)
            if known is None or (known.peer is None and endpoint not in known.contacts):
                self._heard_of(Contact(peer, endpoint), now, hearsay=True)

    def spare(self, peer: bytes, now: int) -> None:
        """End a link that is not wanted any more."""
        one = self._known.get(peer)
        if one is not None and one.peer is not None:
            self._board.cut(0 if one.back else one.way.connection)
            self._expel(one, LossReason.SPARED, now)

    # Asked by programs

    def get(self, peer: bytes) -> Neighbour | None:
        """A known neighbour, to look at."""
        return self._known.get(peer)

    def peers(self) -> list[Peer]:
        """All peers that are met and not lost."""
        return [neighbour.peer for neighbour in self._known if neighbour.peer is not None]

    def halfway(self) -> list[Halfway]:
        """Known peers that are not met."""
        return [
            Halfway(
                one.seed or one.contacts[0], one.phase, one.connected, one.trouble, one.seed is not None, one.id,
                0 if one.met_at else one.failures,
            )
            for one in self._known
            if one.peer is None and one.id != self.me
        ]  # fmt: skip

    def met_at_seeds(self) -> list[tuple[Endpoint, Peer]]:
        """The peers that answered at a seed."""
        return [(one.seed, one.peer) for one in self._known if one.seed is not None and one.peer is not None]

    def crowd(self, now: int, is_known: Callable[[bytes], bool] = lambda _: False) -> Crowd:
        """How many peers are here, and how many found no room: who is known without a link is not missed."""
        refused = sum(now - at < REFUSAL_COUNTS for peer, at in self._refused.items() if not is_known(peer))
        return Crowd(len(self.peers()), self.limits.peers, refused)

    def count_heard(self, now: int) -> int:
        """The number of identities whose beacons were heard lately."""
        return self._ear.count(now)

    def beacon_every(self, now: int) -> int:
        """Milliseconds between two beacons of ours."""
        return self._ear.beacon_every(now)

    def heard_since(self, peer: bytes) -> int | None:
        """When the first beacon of a peer was heard; None if none was."""
        return self._ear.since(peer)

    def where(self, peer: bytes) -> Endpoint | None:
        """The place of a peer whose link or beacon was met here."""
        one = self._known.get(peer)
        place = one.place if one is not None and one.hello is not None else None
        return place or self._ear.where(peer)

    def trouble(self, peer: bytes) -> Trouble | None:
        """Why the last call of a peer failed; None if it did not."""
        one = self._known.get(peer)
        return one.trouble if one is not None and one.peer is None and one.failures else None

    def introducible(self, peer: bytes, to: bytes) -> Endpoint | None:
        """Where another peer that we met may find this one (see `introduce`); None if it can't by what we know.

        Tell a place within this machine only to peers within it, and only a place that we called ourselves.
        """
        one, other = self._known.get(peer), self._known.get(to)
        if one is None or one.peer is None or one.at is None or not one.admitted:
            return None
        is_local = other is not None and other.at is not None and self._is_own(other.at.host)
        places = (at for at in (one.at, *one.contacts) if is_host(at.host) and (is_local or not is_loopback(at.host)))
        return next(places, None)

    def _is_own(self, host: str) -> bool:
        """Return True for an address of this machine: the machine reaches that from the same address."""
        return is_loopback(host) or self._facing(host) == host

    def is_at(self, peer: bytes, endpoint: Endpoint) -> bool:
        """Whether that neighbour can be found there. A place from hearsay may be another peer's."""
        one = self._known.get(peer)
        if one is None or one.peer is None or one.place is None or one.place.port != endpoint.port:
            return False
        return endpoint in (one.place, one.seed, *one.contacts)

    # Beacons and introductions

    def heard_beacon(self, address: str, datagram: bytes, now: int) -> None:
        """A datagram has arrived."""
        self.speaker = None
        try:
            beacon = decode_beacon(datagram)
        except PeerError:
            return self._drop("no beacon")
        if beacon.id == self.me and self._is_echo(Endpoint(address, beacon.port)):
            return self._drop("own echo")
        if (beacon.key is None) != (self._key is None):
            return self._drop("beacon of another world")
        if beacon.port == 0:
            if (heard := self._ear.where(beacon.id)) is not None and heard.host == address:
                self._ear.forget(beacon.id)
            return self._leaving(beacon.id, address, now)
        if beacon.id != self.me:
            self._ear.note(beacon.id, Endpoint(address, beacon.port), now)
        return self._heard_of(Contact(beacon.id, Endpoint(address, beacon.port), beacon.key), now, hearsay=False)

    def introduce(self, contact: Contact, by: bytes, now: int) -> None:
        """Accept an introduction: the peer is called, and shown once it has answered. A PeerError if no honest peer
        makes it.
        """
        if (speaker := self._known.get(by)) is None or speaker.place is None:
            return self._drop("introduction by a peer that is gone")
        (host, port), there = contact.endpoint, speaker.place.host
        if not is_host(host) or not 0 < port < 1 << 16:
            raise PeerError(f"an introduction to {contact.endpoint}: that is no host's address")
        if is_loopback(host) and not self._is_own(there):
            raise PeerError("an introduction from another machine to an address within this one")
        if len(contact.id) != len(self.me) or (contact.key is None) != (self._key is None):
            raise PeerError("an introduction to somebody of another world")
        if self._prover is not None and not speaker.proved:
            return self._drop("introduction by an unproved peer")
        known = self._known.get(contact.id)
        if known is not None and (known.peer is not None or contact.endpoint in known.contacts):
            return None
        if host != there and not is_loopback(host) and not self._near(host):
            return self._drop("introduction to another network")  # an honest peer may be there
        if not speaker.introductions.take(now):
            return self._drop("too many introductions")
        return self._heard_of(contact, now, hearsay=True)

    def _heard_of(self, contact: Contact, now: int, *, hearsay: bool) -> None:
        if not self._known.is_welcome(contact.id, contact.key, contact.endpoint.host, now) or (
            contact.id == self.me and self._is_echo(contact.endpoint)
        ):
            return self._drop("not wanted")
        neighbour = self._known.get(contact.id)
        may_call = self._may_call(contact.id, now)
        if neighbour is None:
            if not may_call:
                return self._drop("not needed")
            if not self._make_room(Phase.AWAY, Newcomer(contact.id, contact.endpoint.host), now):
                return self._drop("no room")
            neighbour = self._known.add(contact.id, contact.key)
        news = neighbour.learn(contact.endpoint, hearsay=hearsay)
        if not hearsay:
            # Beacons after a silence: perhaps the cable is plugged in again.
            silence = MISSED * self._ear.beacon_every(now)
            news = news or neighbour.beacon_at is None or now - neighbour.beacon_at > silence
            neighbour.beacon_at, neighbour.leaving_at = now, None
            neighbour.heard_at = neighbour.heard_at if is_virtual(contact.endpoint.host) else now  # a link may die
        if may_call and not neighbour.is_called and (news or now >= neighbour.retry_at):
            if news:
                neighbour.failures = 0
            self._call(neighbour, now)
        return None

    def _is_echo(self, endpoint: Endpoint) -> bool:
        """Whether a beacon with our identity is our own. Otherwise another machine uses it, and can prove it."""
        if self._prover is None or endpoint.port == 0 or (self.me, endpoint) in self._doubled:
            return True
        return endpoint.port == self.port and self._facing(endpoint.host) == endpoint.host

    def _leaving(self, peer: bytes, address: str, now: int) -> None:
        """RFC 36: "When a ZRE node receives a beacon from a known node, with a zero port number, it SHALL disconnect
        from this peer." Its last messages may still be in flight, so we wait until the link breaks, or two ticks. An
        unsigned beacon ends no conversation with a peer that has proved itself. If the beacon is true, the link
        breaks anyway; if not, the answer to a PING shows it.
        """
        neighbour = self._known.get(peer)
        if neighbour is None or address not in {
            contact.host for contact in (*neighbour.contacts, neighbour.place) if contact
        }:
            return
        neighbour.leaving_at = now
        if neighbour.proved and neighbour.is_called and now - neighbour.pinged_at >= self.limits.ping_every:
            self._board.ping(neighbour, now)

    # Links and connections

    def reached(self, link: int) -> None:
        """The other end accepted the TCP connection."""
        if (neighbour := self._board.owner(link)) is not None:
            neighbour.reached = True

    def connected(self, link: int) -> None:
        """The other end speaks ZMTP."""
        if (neighbour := self._board.owner(link)) is not None:
            neighbour.connected = True

    def lost(self, link: int, now: int, trouble: Trouble | None = None) -> None:
        """The connection failed or broke; `trouble` is the system's reason if known."""
        if (neighbour := self._board.owner(link)) is None:
            return
        if neighbour.hello is None and not neighbour.connected:
            neighbour.trouble = self._trouble(neighbour, now, trouble)
        self._broken(neighbour, now)

    def cut(self, connection: int, now: int) -> None:
        """A connection that we accepted is closed."""
        for one in self._speakers(connection) if connection else ():
            if one.back == connection:
                self._board.forget_back(one)
            if one in self._rivals:
                self._rivals.remove(one)
                continue
            if one.peer is not None:
                self._broken(one, now)
            one.end()
            if not one.is_called and one.retry_at < now:
                self._later(one, now)

    def choked(self, link: int, now: int) -> None:
        """RFC 36: "a full send buffer can be detected and treated as 'peer not responding'"."""
        if (neighbour := self._board.owner(link)) is not None:
            self._part(neighbour, LossReason.CHOKED, now)

    def broke(self, connection: int, detail: str, now: int) -> None:
        """An accepted connection was closed, because the other end broke the protocol."""
        for one in self._speakers(connection):
            self._broke(one, detail, now)

    def _broken(self, neighbour: Neighbour, now: int) -> None:
        """A connection with it is closed."""
        if neighbour.leaving_at is not None:
            self._expel(neighbour, LossReason.LEFT, now)
        elif neighbour.peer is None:
            self._failed(neighbour, now)
        else:
            self._part(neighbour, LossReason.LOST, now)

    def streams(self) -> set[int]:
        """The accepted connections that carry neighbours: fewer than `peers` and `rivals` of `NeighbourLimits`
        together.
        """
        return {one.way.connection for one in self._speakers()}

    def _speakers(self, connection: int | None = None) -> list[Neighbour]:
        """Those whose streams have begun: all, or those on one accepted connection."""
        there = [one for one in (*self._known, *self._rivals) if one.hello is not None]
        return there if connection is None else [one for one in there if one.way.connection == connection]

    def matters(self, way: Way) -> bool:
        """Whether a genuine peer that matters uses it."""
        there = (one for one in self._known if one.proved and one.way[:2] == way[:2])
        return any(one.id is not None and self._known.matters(one.id) for one in there)

    # Messages

    def receive(self, source: Source, frames: list[bytes], now: int) -> None:
        """A message arrived on an accepted connection, or on our own link from a peer that can't call us."""
        way, sender = source.way, source.way.identity[1 : 1 + ID_BYTES]
        if way.link:
            owner = self._board.owner(way.link)
            author = None if owner is None else owner.id or self._author(frames)
            if owner is None or author is None:
                return self._drop("before HELLO")
            source, sender = source._replace(key=owner.key), author
        elif len(way.identity) != 1 + ID_BYTES + (TAIL_BYTES if self._key else 0) or way.identity[0] != 1:
            return self._drop("no ZRE identity")
        return self._hear(source, sender, frames, now)

    def _author(self, frames: list[bytes]) -> bytes | None:
        """The identity of a peer that answers at a seed, by the key in its HELLO."""
        try:
            message = decode(frames)
        except PeerError:
            return None
        claim = claim_of(dict(message.headers)) if isinstance(message, Hello) else None
        return None if claim is None else peer_of(claim.key)

    def _hear(self, source: Source, sender: bytes, frames: list[bytes], now: int) -> None:
        self.speaker = sender
        neighbour = self._rivals.get(source.way) or self._known.get(sender)
        if neighbour is not None and neighbour.key != source.key and neighbour.hello is None:
            self._forget(neighbour)  # a beacon named another key; the link is more reliable
            neighbour = None
        if not self._known.is_welcome(sender, source.key, source.address, now):
            return self._drop("not wanted")
        has_begun = neighbour is not None and neighbour.hello is not None
        speaker = neighbour if neighbour is not None and has_begun and neighbour.way == source.way else None
        payer = speaker if has_begun else neighbour
        if payer is not None and not payer.budget.take(now):
            return self._put_out(payer, source.address, LossReason.FLOODED, now)
        try:
            message = decode(frames)
            if isinstance(message, Hello):
                came_from = Endpoint(source.address, port_of(message.endpoint))
        except PeerError as error:
            return self._broke(speaker, str(error), now)
        if isinstance(message, Hello):
            return self._greeted(source, sender, message, came_from, now)
        return self._take(speaker, message, now) if speaker is not None else self._drop("before HELLO")

    def _take(self, neighbour: Neighbour, message: Message, now: int) -> None:
        """The next message of a stream that has begun."""
        deed = TABLE[type(message)][neighbour.phase]
        if deed is Deed.DROP:
            return self._drop("before HELLO")
        if not neighbour.counts(message.sequence):
            return self._part(neighbour, LossReason.GAPS, now)
        neighbour.heard_at = neighbour.spoke_at = now
        return self._do(deed, neighbour, message, now)

    def _do(self, deed: Deed, neighbour: Neighbour, message: Message, now: int) -> None:
        match deed, message:
            case Deed.SAY | Deed.HOLD, Whisper(_, (content,)) if neighbour.claim is not None and is_proof(content):
                self._check(neighbour, neighbour.claim, content, now)
            case Deed.SAY | Deed.HOLD, Whisper(_, content):
                self._say(neighbour, None, content)
            case Deed.SAY | Deed.HOLD, Shout(_, group, content):
                self._say(neighbour, group, content)
            case Deed.JOIN, Join(_, group, status):
                self._regroup(neighbour, group, status, now, joins=True)
            case Deed.LEAVE, Leave(_, group, status):
                self._regroup(neighbour, group, status, now, joins=False)
            case Deed.ANSWER, _:
                if neighbour.is_called:
                    self._board.send(neighbour, PingOk(neighbour.number()))
            case Deed.MEET, _:
                neighbour.answered(now)
                neighbour.ponged = neighbour.is_called
                self._meet_if_ready(neighbour, now)
            case Deed.COUNT, PingOk():
                neighbour.answered(now)
                if neighbour.proved:
                    neighbour.leaving_at = None  # the farewell came from another sender

    def _say(self, neighbour: Neighbour, group: str | None, content: tuple[bytes, ...]) -> None:
        """Only content of one frame is ours; other programs send more frames or none."""
        if len(content) != 1:
            self._drop("content not in one frame")
        elif neighbour.peer is not None:
            self.events.append(Said(neighbour.peer, group, content[0]))
        elif len(neighbour.held) < self.limits.held:
            neighbour.held.append((group, content[0]))
        else:
            self._drop("said too much before it was met")

    def _regroup(self, neighbour: Neighbour, group: str, status: int, now: int, *, joins: bool) -> None:
        """ "A one-octet number that is incremented each time the peer joins or leaves a group" (RFC 36)."""
        neighbour.status = (neighbour.status + 1) % STATUSES
        if status != neighbour.status:
            return self._broke(neighbour, f"group status {status}; {neighbour.status} was its turn", now)
        if joins == (group in neighbour.groups):
            return None
        if joins:
            neighbour.groups[group] = None
        else:
            del neighbour.groups[group]
        if len(neighbour.groups) > MOST_GROUPS:
            return self._broke(neighbour, f"in more than {MOST_GROUPS} groups", now)
        if neighbour.peer is not None:
            neighbour.peer = neighbour.snapshot()
            self.events.append((Joined if joins else LeftGroup)(neighbour.peer, group))
        return None

    # HELLO

    def _greeted(self, source: Source, sender: bytes, hello: Hello, endpoint: Endpoint, now: int) -> None:
        claim = self._claim(sender, hello)
        nonces = (one.nonce for one in (*self._known, *self._rivals))
        if sender == self.me and (claim is None or claim.nonce in nonces):
            seed = self._board.at(endpoint) or self._answering_seed(endpoint, now)
            if seed is not None and seed.id is None:
                self._forget(seed)
            return self._drop("own echo")
        if source.way.link:
            owner = self._board.owner(source.way.link)
            assert owner is not None and owner.at is not None
            endpoint = owner.at
            if FULL_HEADER in dict(hello.headers):
                if owner.peer is None:
                    owner.trouble = Trouble.FULL
                    self._hang_up(owner)
                    self._later(owner, now)
                return None
            if not self._reads_answers(hello, claim):
                return self._drop("before HELLO")
        elif self._is_taken(self._known.get(sender), source.way, claim):
            return self._stand_beside(source, sender, hello, claim, endpoint, now)
        return self._begin(source, sender, hello, claim, endpoint, now)

    def _begin(
        self, source: Source, sender: bytes, hello: Hello, claim: SenderClaim | None, endpoint: Endpoint, now: int
    ) -> None:
        """Begin a peer's stream if there is a place for it."""
        way, neighbour = source.way, self._known.get(sender)
        if neighbour is None or neighbour.hello is None:
            newcomer = Newcomer(sender, endpoint.host, claim is not None or self._key is not None)
            if not self._make_room(Phase.HEARD, newcomer, now, neighbour):
                return self._refuse(way, sender, hello, endpoint, now)
        neighbour = neighbour or self._known.add(sender, source.key)
        if not neighbour.budget.take(now, self.limits.hello_price):
            return self._put_out(neighbour, endpoint.host, LossReason.FLOODED, now)
        if way.link and not self._take_answer(neighbour, way, endpoint, now):
            return None
        again = neighbour.hello is not None
        if not way.link:
            self._keep_or_drop_link(neighbour, endpoint, now)
            self._take_over(neighbour, endpoint, now)
        neighbour.learn(endpoint, hearsay=False)
        neighbour.begin(hello, way, endpoint, claim, now)
        if not neighbour.is_called and not self._may_call(sender, now) and self._answer(neighbour, now):
            return None  # in a hall one connection is enough
        if not neighbour.is_called:
            neighbour.turn = neighbour.contacts.index(endpoint)
            return self._call(neighbour, now)
        self._board.prove(neighbour)
        return self._board.ping(neighbour, now) if again else None

    def _take_answer(self, neighbour: Neighbour, way: Way, endpoint: Endpoint, now: int) -> bool:
        """Begin a peer's stream on a link that we called; False if it has a better one."""
        if neighbour.proved and neighbour.hello is not None and neighbour.way != way:
            if self._board.owner(way.link) is not neighbour:
                self._take_over(neighbour, endpoint, now)
            self._drop("answered twice")
            return False
        self._take_over(neighbour, endpoint, now)
        self._left(neighbour, LossReason.RESTARTED, now)
        return neighbour.link == way.link

    def _keep_or_drop_link(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """A HELLO on a stream that had begun: the peer restarted and wants our HELLO again. But if it crossed ours,
        an answer would cause another HELLO, and so on. (If we guess wrong, PINGs stay unanswered and the neighbour is
        soon called again.) A call to the peer's former place is given up as well.
        """
        if neighbour.hello is None:
            gone = neighbour.at != endpoint and not neighbour.connected
        else:
            gone = neighbour.at != endpoint or now - neighbour.dialled_at >= self.limits.crossing
        self._left(neighbour, LossReason.RESTARTED, now)
        if gone:
            self._hang_up(neighbour)

    def _take_over(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """We may already have called the source of this HELLO without knowing its identity, or under another."""
        caller = self._board.at(endpoint)
        if caller is None and not neighbour.is_called and neighbour.beacon_at is None:
            caller = self._answering_seed(endpoint, now)
        if caller is None or caller is neighbour or caller.hello is not None:
            return
        reached = caller.at
        if not neighbour.is_called and neighbour.key == caller.key:
            self._board.hand_over(caller, neighbour)
        else:
            self._board.hang_up(caller)
        if caller.seed is not None:
            neighbour.seed = caller.seed
            neighbour.learn(caller.seed, hearsay=False)
            caller.seed = None
        caller.contacts = [contact for contact in caller.contacts if contact not in (endpoint, reached)]
        if caller.id is None or not caller.contacts:
            self._forget(caller)
        else:
            self._later(caller, now)

    def _answering_seed(self, endpoint: Endpoint, now: int) -> Neighbour | None:
        """The seed that answers. A seed may answer from another address (it has several) or another port (its router
        forwards one). We take the seed with the same port or address, if there is only one.
        """
        crossing = self.limits.crossing
        seeds = [one for one in self._known.unnamed() if one.connected or now - one.dialled_at < crossing]
        host = endpoint.host if not is_loopback(endpoint.host) else None  # that is of all programs here
        likely = [one for one in seeds if one.at and (one.at.port == endpoint.port or one.at.host == host)]
        return likely[0] if len(likely) == 1 else None

    def _claim(self, sender: bytes, hello: Hello) -> SenderClaim | None:
        """The claim that a HELLO's sender must prove: that it holds the key of its identity."""
        claim = claim_of(dict(hello.headers)) if self._prover is not None else None
        return claim if claim is not None and peer_of(claim.key) == sender else None

    def _reads_answers(self, hello: Hello, claim: SenderClaim | None) -> bool:
        """Whether a stream of our own may follow on the connection that carried this HELLO."""
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
        """It has answered, so it is at the end of our link, and nobody else is."""
        neighbour.trouble = None
        neighbour.peer = neighbour.snapshot()
        neighbour.met_at = now
        self.events.append(PeerMet(neighbour.peer))
        self.events += [Joined(neighbour.peer, group) for group in neighbour.groups]
        self.events += [Said(neighbour.peer, group, payload) for group, payload in neighbour.held]
        neighbour.held = []
        for other in list(self._known):
            if not other.is_called and other.hello is None and neighbour.at in other.contacts:
                other.contacts.remove(neighbour.at)
                if not other.contacts:
                    self._forget(other)

    def _check(self, neighbour: Neighbour, claim: SenderClaim, content: bytes, now: int) -> None:
        """Check a proof. A late one, for earlier HELLOs, is wrong but nobody's fault."""
        neighbour.budget.pay(now, self.limits.hello_price)
        if neighbour.proved or self._prover is None:
            return
        if neighbour.is_called and self._prover.is_right(content, claim, neighbour.nonce):
            neighbour.proved = True
            self._meet_if_ready(neighbour, now)
        else:
            self._drop("wrong proof")

    # Rivals: streams of an identity whose place is taken

    def _is_taken(self, neighbour: Neighbour | None, way: Way, claim: SenderClaim | None) -> bool:
        """Whether a stream must wait for its proof, because another stream of this identity is or may be genuine."""
        if neighbour is None or neighbour.hello is None or not way.connection or neighbour.way == way:
            return False
        return neighbour.proved or neighbour.claim is not None or claim is not None

    def _stand_beside(
        self, source: Source, sender: bytes, hello: Hello, claim: SenderClaim | None, endpoint: Endpoint, now: int
    ) -> None:
        """Send it a HELLO on its own connection, so that it can prove itself."""
        way = source.way
        if not self._reads_answers(hello, claim):
            self._drop("another's place")
            return self._board.cut(way.connection)
        before = self._rivals.get(way) or self._rivals.surplus(sender, endpoint.host)
        if before is not None:
            self._dismiss(before)
            if before.way == way:
                return None
        if self._board.is_answered(way.connection):
            return self._drop("two on one connection")
        budget = Bucket(a_second(self.limits.messages_a_second, self.limits.burst))
        rival = Neighbour(sender, source.key, admitted=self._key is None, contacts=[endpoint], budget=budget)
        rival.begin(hello, way, endpoint, claim, now)
        self._rivals.add(rival)
        self._answer(rival, now)
        return None

    def _contest(self, rival: Neighbour, now: int) -> None:
        """A second stream has proved the key. Either the first is gone without our knowledge, or there are two
        programs: its answer to a PING will show which.
        """
        assert rival.id is not None and rival.came_from is not None
        first = self._known.get(rival.id)
        if first is None or first.peer is None or not first.proved:
            self._succeed(first, rival, now)
        elif rival.contested_at is None:
            rival.contested_at = now
            self._board.ping(first, now)
        elif first.spoke_at > rival.contested_at:
            self._tell_doubled(first, rival.came_from)
            self._dismiss(rival)
        elif now - rival.contested_at >= self.limits.doubt:
            self._succeed(first, rival, now)

    def _succeed(self, first: Neighbour | None, rival: Neighbour, now: int) -> None:
        """A rival takes the place."""
        assert rival.id is not None and rival.came_from is not None
        self._rivals.remove(rival)
        if first is None or first.hello is None:
            newcomer = Newcomer(rival.id, rival.came_from.host, True)
            if not self._make_room(Phase.HEARD, newcomer, now, first):
                return self._board.hang_up(rival)
        if first is not None:
            for contact in first.contacts:
                rival.learn(contact, hearsay=True)
            rival.seed, first.seed = first.seed, None
            rival.beacon_at = first.beacon_at
            self._expel(first, LossReason.RESTARTED, now)
        self._known.put(rival)
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

    def _greeting(self, endpoint: Endpoint) -> tuple[Hello, bytes]:
        here = Endpoint(self._facing(endpoint.host), self.port)
        groups = tuple(self.groups) if self._key is None else ()
        nonce = self._random.randbytes(NONCE_BYTES) if self._prover is not None else b""
        proving = ((NONCE_HEADER, nonce.hex()),) if nonce else ()
        return Hello(1, str(here), groups, 0, self.name, self.headers + proving), nonce

    def _call(self, neighbour: Neighbour, now: int) -> None:
        """Call it at its next contact where nobody else is called; pause after all were tried."""
        if self._board.may_call(now):
            while neighbour.turn < len(neighbour.contacts):
                endpoint = neighbour.contacts[neighbour.turn]
                neighbour.turn += 1
                if self._board.at(endpoint) is None:
                    self._board.dial(neighbour, endpoint, now)
                    return
        if self._answer(neighbour, now):
            return
        if neighbour.turn < len(neighbour.contacts):
            neighbour.retry_at = now + self.limits.first_retry
        else:
            self._later(neighbour, now)

    def _answer(self, neighbour: Neighbour, now: int) -> bool:
        """Answer on the connection that it made, because one is enough; False if it does not read answers there, as
        peers of our kind do.
        """
        connection, hello, place = neighbour.way.connection, neighbour.hello, neighbour.came_from
        if hello is None or place is None or neighbour.back or not connection or self._board.is_answered(connection):
            return False
        if not self._reads_answers(hello, neighbour.claim):
            return False
        self._board.answer(neighbour, place, now)
        return True

    def _may_call(self, peer: bytes | None, now: int) -> bool:
        """Whether we want a link: in a hall only with a few, unless somebody named the address."""
        known = None if peer is None else self._known.get(peer)
        return peer is None or (known is not None and known.seed is not None) or self._calls(peer, now)

    def _failed(self, neighbour: Neighbour, now: int) -> None:
        """There was no answer at this contact."""
        self._hang_up(neighbour)
        if not self._answer(neighbour, now):
            self._call(neighbour, now)

    def _hang_up(self, neighbour: Neighbour) -> None:
        """End our stream; its own ends too if it uses the same connection."""
        shared = bool(neighbour.back or (neighbour.link is not None and neighbour.way.link == neighbour.link))
        self._board.hang_up(neighbour)
        if shared:
            neighbour.end()

    def _later(self, neighbour: Neighbour, now: int) -> None:
        """Retry later with a growing backoff; forget it if there is no reason to hope."""
        limits = self.limits
        neighbour.turn = 0
        wait = min(limits.last_retry, limits.first_retry << min(neighbour.failures, 16))
        neighbour.failures += 1
        neighbour.retry_at = now + wait + self._random.randrange(-wait // 5, wait // 5 + 1)
        heard = 2 * MISSED * self._ear.beacon_every(now)
        beacons = neighbour.beacon_at is not None and now - neighbour.beacon_at < heard
        if neighbour.failures > limits.tries and not beacons and neighbour.seed is None:
            self._forget(neighbour)

    def _trouble(self, neighbour: Neighbour, now: int, reported: Trouble | None = None) -> Trouble | None:
        """The likely reason why a call is not answered; the system may have `reported` one."""
        soon = now - neighbour.dialled_at < self.limits.unanswered
        reached = neighbour.connected or neighbour.reached
        why = reported or (Trouble.STRANGE if reached else Trouble.REFUSED if soon else Trouble.SILENT)
        if neighbour.beacon_at is None or why not in (Trouble.REFUSED, Trouble.SILENT):
            return why
        return None if soon and not neighbour.failures else Trouble.WALLED  # its own call may be on the way

    # Places

    def _make_room(self, phase: Phase, newcomer: Newcomer, now: int, known: Neighbour | None = None) -> bool:
        if self._known.is_full(phase, known) and (weakest := self._known.weakest(phase, newcomer, now)) is not None:
            self._expel(weakest, LossReason.CROWDED, now)
        return not self._known.is_full(phase, known)

    def _refuse(self, way: Way, sender: bytes, hello: Hello, endpoint: Endpoint, now: int) -> None:
        """Refuse one more stream for lack of room, and say so if it is of our kind."""
        self._drop("no room")
        self._refused.put(endpoint.host, sender, now)
        if way.connection and _is_ours(hello):
            ours, _ = self._greeting(endpoint)
            full = (FULL_HEADER, str(self.limits.peers))
            self._board.turn_away(way.connection, replace(ours, groups=(), headers=(*ours.headers, full)))

    # Partings

    def _broke(self, neighbour: Neighbour | None, detail: str, now: int) -> None:
        """Handle a violation of ZRE: count it for a stranger, end the conversation with a peer."""
        self._drop("malformed")
        if neighbour is None or neighbour.hello is None or neighbour.came_from is None:
            return
        neighbour.strikes += 1
        if neighbour.strikes >= self.limits.strikes:
            self._put_out(neighbour, neighbour.came_from.host, LossReason.BROKE, now, detail)
        else:
            self._part(neighbour, LossReason.BROKE, now, detail)

    def _put_out(self, neighbour: Neighbour, host: str, why: LossReason, now: int, detail: str = "") -> None:
        """Ban a peer for an offence. An unproved one is banned only from that host: otherwise anybody could get
        anybody banned.
        """
        if neighbour in self._rivals:
            return self._dismiss(neighbour)
        assert neighbour.id is not None
        self._known.ban(neighbour.id, now + self.limits.ban, "" if neighbour.proved else host)
        return self._expel(neighbour, why, now, detail)

    def _part(self, neighbour: Neighbour, why: LossReason, now: int, detail: str = "") -> None:
        """End both streams. The peer may be called again later."""
        if neighbour in self._rivals:
            return self._dismiss(neighbour)
        self._left(neighbour, why, now, detail)
        self._hang_up(neighbour)
        neighbour.end()
        return self._later(neighbour, now)

    def _left(self, neighbour: Neighbour, why: LossReason, now: int, detail: str = "") -> None:
        """Report the loss of a peer, if it was met."""
        if neighbour.peer is None:
            return
        self.events.append(PeerLeft(neighbour.peer, why, detail))
        neighbour.peer = None
        neighbour.admitted = self._key is None
        if now - neighbour.met_at >= self.limits.settled:
            neighbour.failures = neighbour.strikes = 0

    def _dismiss(self, rival: Neighbour) -> None:
        self._rivals.remove(rival)
        self._board.hang_up(rival)

    def _expel(self, neighbour: Neighbour, why: LossReason, now: int, detail: str = "") -> None:
        """End both streams for good."""
        self._left(neighbour, why, now, detail)
        self._forget(neighbour)

    def _forget(self, neighbour: Neighbour) -> None:
        self._hang_up(neighbour)
        self._known.forget(neighbour)

    def _drop(self, reason: str) -> None:
        self.counts[reason] += 1


def _check_payload(payload: bytes) -> None:
    if len(payload) > MOST_FRAME_BYTES:
        raise LocalError(f"a message of {len(payload)} bytes; at most {MOST_FRAME_BYTES} are allowed")


def _is_ours(hello: Hello) -> bool:
    """Whether its sender is of our kind, which reads answers on the connection that carried this."""
    return spoken(dict(hello.headers)) >= FIRST_PROVING
