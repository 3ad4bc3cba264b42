"""The neighbours of a node, from their first beacon or a seed to the last sign of life.

A machine without sockets and clocks. Datagrams, messages, reports of links and the time (milliseconds) come in; its
driver (net/link/node.py) drains `outgoing` and `events`. This module takes input and requests, streams.py acts on the
links, and the table in neighbour.py says what a message does in which phase. Guarantees, whatever arrives: no memory
or work beyond `Limits`, one link to a neighbour and to an endpoint, no event of a peer that has not answered us.
Specification: docs/protocols/discovery.md.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.ip_addresses import is_host, is_ipv6, is_loopback
from quadrille.net.neighbours import introductions
from quadrille.net.neighbours.conversations import Conversations
from quadrille.net.neighbours.link_queue import Announce
from quadrille.net.neighbours.neighbour import Contact, Endpoint, LossReason, Neighbour, Peer, Phase, Trouble, Way
from quadrille.net.neighbours.peer_directory import Newcomer
from quadrille.net.neighbours.streams import MISSED, TICK
from quadrille.net.zeromq.zre import MOST_FRAME_BYTES, Beacon, Shout, Whisper, check_names, decode_beacon

#: Maximum delay of a tick in milliseconds. A program that was stopped for longer received nothing, so silence means
#: nothing.
LATE = 1000
#: One of so many beacons goes by IPv6 too where IPv4 works: somebody there may have IPv4 of another network.
IPV6_BEACON = 10
#: Milliseconds for which a refusal counts.
REFUSAL_COUNTS = 60_000


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


class Neighbourhood(Conversations):
    """All neighbours of one node."""

    # Time

    @property
    def deadline(self) -> int:
        """When to call `wake` next."""
        return min(self._beacon_due, self._tick_due)

    def wake(self, now: int) -> None:
        """Do what is due."""
        self._listen(now)
        if now >= self._beacon_due:
            every = self._ear.beacon_every(now)
            self._beacon_due = now + every + self._random.randrange(-every // 10, every // 10 + 1)
            self.announce(by_ipv6=self._beacons % IPV6_BEACON == 0 or self._ear.needs_ipv6(now))
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

    def _listen(self, now: int) -> None:
        """Once everybody has had the time for a beacon, call all those heard if they are few; else any few of them, so
        that those heard first are not called by all.
        """
        if self._listens_since is None:
            self._listens_since = now
        if not self._has_listened and now - self._listens_since >= self.limits.beacon_every * 11 // 10:
            self._has_listened = True
            heard = self._ear.all() if self.small is not None else []
            self._random.shuffle(heard)
            for peer, place in heard:
                self._heard_of(Contact(peer, place), now, hearsay=True)

    def announce(self, *, by_ipv6: bool = True) -> None:
        """Send our beacon now, as when an interface comes up."""
        beacon = Beacon(self.me, self.port, self._key)
        self.outgoing.append(Announce(beacon.encode(), self._seed_hosts, by_ipv6))

    def close(self) -> None:
        """Say good-bye to everybody. The driver closes the links."""
        self.outgoing.append(Announce(Beacon(self.me, 0, self._key).encode(), self._seed_hosts))

    def _excuse(self, late: int) -> None:
        """Do not count the time in which we did not listen as anybody's silence."""
        if late > LATE and self._tick_due:
            for neighbour in self._known:
                neighbour.heard_at += late
                neighbour.since += late

    def _tend(self, neighbour: Neighbour, now: int) -> None:
        if neighbour.leaving_at is not None and now - neighbour.leaving_at >= TICK and not neighbour.proved:
            self._part(neighbour, LossReason.LEFT, now)
            self._forget(neighbour)
        elif not neighbour.is_called:
            if not self._may_call(neighbour.id) and neighbour.hello is None:
                self._forget(neighbour)
            elif now >= neighbour.retry_at:
                self._call(neighbour, now)
        elif neighbour.peer is None:
            self._tend_unmet(neighbour, now)
        else:
            self._tend_met(neighbour, now)

    def _tend_met(self, neighbour: Neighbour, now: int) -> None:
        limits = self.limits
        is_lazy = self.is_hall and neighbour.id not in self.at_tables and neighbour.seed is None
        quiet, silent = (limits.few_quiet, limits.few_silent) if is_lazy else (limits.quiet, limits.silent)
        silent = max(silent, min(limits.most_silent, limits.lags * neighbour.lag))
        if now - neighbour.heard_at >= silent:
            self._part(neighbour, LossReason.SILENT, now)
        elif now - neighbour.heard_at >= quiet and now - neighbour.pinged_at >= limits.ping_every:
            self._board.ping(neighbour, now)

    def _tend_unmet(self, neighbour: Neighbour, now: int) -> None:
        limits = self.limits
        if neighbour.hello is None and now - neighbour.dialled_at >= limits.unanswered:
            neighbour.trouble = self._trouble(neighbour)
        if not neighbour.connected and now - neighbour.since >= limits.alone and self._can_answer(neighbour):
            self._answer(neighbour, now)
        elif now - neighbour.since < self._patience(neighbour):
            if neighbour.hello is not None and now - neighbour.pinged_at >= limits.ping_every:
                self._board.ping(neighbour, now)
        elif neighbour.id == self.me:
            self._forget(neighbour)
        elif neighbour.claim is not None and neighbour.ponged:  # it is there but can't prove its identity
            self._board.cut(0 if neighbour.back else neighbour.way.connection)
            self._part(neighbour, LossReason.BROKE, now)
        else:
            if neighbour.connected or neighbour.reached:
                neighbour.slow = min(limits.patient, neighbour.slow + 1)
            self._failed(neighbour, now)

    def _patience(self, neighbour: Neighbour) -> int:
        """Milliseconds for an answer to a call: more for a peer that was reached before and answered too late."""
        limits = self.limits
        return (limits.slowness if neighbour.connected or neighbour.reached else limits.patience) << neighbour.slow

    # Called by programs

    def join(self, group: str) -> None:
        check_names("", (*self.groups, group), ())
        if group not in self.groups:
            self.groups[group] = None
            self._tell_all()

    def leave(self, group: str) -> None:
        if group in self.groups:
            del self.groups[group]
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

    def crowd(self, now: int, elsewhere: Container[bytes] = ()) -> Crowd:
        """How many peers are here, and how many found no room: of those `elsewhere`, nobody misses anything."""
        refused = sum(now - at < REFUSAL_COUNTS for peer, at in self._refused.items() if peer not in elsewhere)
        return Crowd(len(self.peers()), self.limits.peers, refused)

    def seed(self, seed: Endpoint) -> None:
        """Look for a peer there until it is found. Its host gets our beacons and can call us. Nothing more is
        possible without a port (0), or in a private room, where we can't call a peer whose key is unknown.
        """
        if seed.host not in self._seed_hosts:
            self._seed_hosts += (seed.host,)
        if seed.port and self._key is None:
            self._known.add_seed(seed)

    def count_heard(self, now: int) -> int:
        """The number of identities whose beacons were heard lately."""
        return self._ear.count(now)

    def where(self, peer: bytes) -> Endpoint | None:
        """The place of a peer whose link or beacon was met here."""
        one = self._known.get(peer)
        place = one.place if one is not None and one.hello is not None else None
        return place or self._ear.where(peer)

    def speaks_from(self, peer: bytes) -> str | None:
        """The address from which a peer's messages come now."""
        one = self._known.get(peer)
        return None if one is None or one.peer is None or one.came_from is None else one.came_from.host

    def way(self, peer: bytes) -> Way:
        """The source of a peer's stream; nowhere if it is unknown."""
        return Way() if (one := self._known.get(peer)) is None else one.way

    def seek(self, peer: bytes, places: Iterable[Endpoint], now: int) -> None:
        """Call a wanted peer, where its beacon came from or where its signed posting says that it listens."""
        heard = self._ear.where(peer)
        near = [at for at in places if is_host(at.host) and at.port and self._near(at.host)]
        for endpoint in (*near, *((heard,) if heard else ())):
            known = self._known.get(peer)
            if known is None or (known.peer is None and endpoint not in known.contacts):
                self._heard_of(Contact(peer, endpoint), now, hearsay=True)

    def trouble(self, peer: bytes) -> Trouble | None:
        """Why the last call of a peer failed; None if it did not."""
        one = self._known.get(peer)
        return one.trouble if one is not None and one.peer is None and one.failures else None

    def spare(self, peer: bytes, now: int) -> None:
        """End a link that neither end needs."""
        one = self._known.get(peer)
        if one is not None and one.peer is not None:
            self._left(one, LossReason.SPARED, now)
            self._board.cut(one.way.connection if not one.back else 0)
            self._forget(one)

    def contacts(self, to: bytes) -> list[Contact]:
        """The peers we met, to introduce to an admitted peer of our own kind (see `introduce`).

        Those that IPv4 does not reach are left out: older programs take an address of IPv6 for an offence.
        """
        local = self._is_local(to)
        return [
            Contact(peer.id, endpoint, peer.key)
            for one in self._known
            if (peer := one.peer) and one.admitted and one.at and peer.id != to
            for endpoint in [
                at
                for at in (one.at, *one.contacts)
                if is_host(at.host) and not is_ipv6(at.host) and (local or not is_loopback(at.host))
            ][:1]
        ]

    def is_at(self, peer: bytes, endpoint: Endpoint) -> bool:
        """Whether that neighbour can be found there. A place from hearsay may be another peer's."""
        one = self._known.get(peer)
        if one is None or one.peer is None or one.place is None or one.place.port != endpoint.port:
            return False
        return endpoint in (one.place, one.seed, *one.contacts)

    def hears(self, peer: bytes) -> bool:
        """Whether that neighbour's beacons arrive here: then most of our neighbours hear them too."""
        return (one := self._known.get(peer)) is not None and one.beacon_at is not None

    def lag(self, peer: bytes) -> int:
        """Milliseconds that neighbour lately took to answer, at most; 0 if it is unknown."""
        return 0 if (one := self._known.get(peer)) is None else one.lag

    def heard_at(self, peer: bytes) -> int | None:
        """Time of that neighbour's last sign of life; None if it is unknown."""
        return None if (one := self._known.get(peer)) is None else one.heard_at

    def introduce(self, contact: Contact, by: bytes, now: int) -> None:
        """Accept an introduction: the peer is called, and shown once it has answered."""
        if (speaker := self._known.get(by)) is None or speaker.place is None:
            return self._drop("introduction by a peer that is gone")
        introductions.check(contact, speaker.place.host, self._facing)
        if len(contact.id) != len(self.me) or (contact.key is None) != (self._key is None):
            raise PeerError("an introduction to somebody of another world")
        if self._prover is not None and not speaker.proved:
            return self._drop("introduction by an unproved peer")
        known = self._known.get(contact.id)
        if known is not None and (known.peer is not None or contact.endpoint in known.contacts):
            return None
        if why := introductions.refusal(contact, speaker, self._near, now, self.limits):
            return self._drop(why)
        return self._heard_of(contact, now, hearsay=True)

    # Beacons

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

    def _heard_of(self, contact: Contact, now: int, *, hearsay: bool) -> None:
        if not self._known.is_welcome(contact.id, contact.key, contact.endpoint.host, now) or (
            contact.id == self.me and self._is_echo(contact.endpoint)
        ):
            return self._drop("not wanted")
        neighbour = self._known.get(contact.id)
        may_call = self._may_call(contact.id)
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
            neighbour.beacon_at = neighbour.heard_at = now
            neighbour.leaving_at = None
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

    def _is_local(self, peer: bytes) -> bool:
        """Whether we reach it within this machine."""
        neighbour = self._known.get(peer)
        return neighbour is not None and neighbour.at is not None and is_loopback(neighbour.at.host)


def _check_payload(payload: bytes) -> None:
    if len(payload) > MOST_FRAME_BYTES:
        raise LocalError(f"a message of {len(payload)} bytes; at most {MOST_FRAME_BYTES} are allowed")
