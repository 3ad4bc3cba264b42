"""Who is near, and how we keep in touch: every neighbour, from its first beacon or a seed to its last sign of life.

A machine without sockets and clocks: datagrams, messages, news of links and the time (milliseconds) come in; `outgoing`
and `events` are taken out by whoever drives it (net/link/node.py). Here is what is heard and asked for; what it does to
the links is in streams.py; the table in neighbour.py says what a message does in which phase. It promises, whatever
arrives: no memory or work beyond `Limits`, one link to a neighbour and to an endpoint, no event of a peer that has not
answered us. Specification: protocols.md, "Discovery".
"""

from dataclasses import dataclass

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.neighbours import introductions
from quadrille.net.neighbours.conversations import Conversations
from quadrille.net.neighbours.introductions import is_loopback
from quadrille.net.neighbours.link_queue import Announce
from quadrille.net.neighbours.neighbour import Contact, Endpoint, LossReason, Neighbour, Peer, Phase, Trouble
from quadrille.net.neighbours.peer_directory import Newcomer
from quadrille.net.neighbours.streams import MISSED, TICK
from quadrille.net.zeromq.zre import MOST_FRAME_BYTES, Beacon, Shout, Whisper, check_names, decode_beacon

#: Milliseconds that a tick may come late. A program that was stopped for longer has heard nobody, which says nothing.
LATE = 1000
#: Milliseconds for which a refusal counts.
REFUSAL_COUNTS = 60_000


@dataclass(frozen=True, slots=True)
class Halfway:
    """Somebody we know of and have not met: what to look at when a peer is missing."""

    endpoint: Endpoint
    phase: Phase
    connected: bool
    trouble: Trouble | None = None
    named: bool = False  # a person gave us this address


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many are met, how many can be, and how many were refused in the last minute because there was no room."""

    met: int
    limit: int
    refused: int


class Neighbourhood(Conversations):
    """All neighbours of one node."""

    # Time

    @property
    def deadline(self) -> int:
        """When `wake` wants to be called next."""
        return min(self._beacon_due, self._tick_due)

    def wake(self, now: int) -> None:
        """Do what is due."""
        if now >= self._beacon_due:
            every = self.limits.beacon_every
            self._beacon_due = now + every + self._random.randrange(-every // 10, every // 10 + 1)
            self.announce()
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

    def announce(self) -> None:
        """Send our beacon now: at the start, and when an interface has come up."""
        beacon = Beacon(self.me, self.port, self._key)
        self.outgoing.append(Announce(beacon.encode(), self._seed_hosts))

    def close(self) -> None:
        """Tell everybody that we leave. The links are for the shell to close."""
        self.outgoing.append(Announce(Beacon(self.me, 0, self._key).encode(), self._seed_hosts))

    def _excuse(self, late: int) -> None:
        """The time in which we did not listen is nobody's silence."""
        if late > LATE and self._tick_due:
            for neighbour in self._known:
                neighbour.heard_at += late
                neighbour.since += late

    def _tend(self, neighbour: Neighbour, now: int) -> None:
        limits = self.limits
        if neighbour.leaving_at is not None and now - neighbour.leaving_at >= TICK and not neighbour.proved:
            self._part(neighbour, LossReason.LEFT, now)
            self._forget(neighbour)
        elif not neighbour.is_called:
            if now >= neighbour.retry_at:
                self._call(neighbour, now)
        elif neighbour.peer is None:
            self._tend_unmet(neighbour, now)
        elif now - neighbour.heard_at >= limits.silent:
            self._part(neighbour, LossReason.SILENT, now)
        elif now - neighbour.heard_at >= limits.quiet and now - neighbour.pinged_at >= limits.ping_every:
            self._board.ping(neighbour, now)

    def _tend_unmet(self, neighbour: Neighbour, now: int) -> None:
        limits = self.limits
        if neighbour.hello is None and now - neighbour.dialled_at >= limits.unanswered:
            neighbour.trouble = self._trouble(neighbour)
        if not neighbour.connected and now - neighbour.since >= limits.alone and self._can_answer(neighbour):
            self._answer(neighbour, now)
        elif now - neighbour.since < (limits.slowness if neighbour.connected or neighbour.reached else limits.patience):
            if neighbour.hello is not None and now - neighbour.pinged_at >= limits.ping_every:
                self._board.ping(neighbour, now)
        elif neighbour.id == self.me:
            self._forget(neighbour)
        elif neighbour.claim is not None and neighbour.ponged:  # it is there, and can't prove who it is
            self._board.cut(0 if neighbour.back else neighbour.way.connection)
            self._part(neighbour, LossReason.BROKE, now)
        else:
            self._failed(neighbour, now)

    # What programs ask for

    def join(self, group: str) -> None:
        """Be in a group from now on."""
        check_names("", (*self.groups, group), ())
        if group not in self.groups:
            self.groups[group] = None
            self._tell_all()

    def leave(self, group: str) -> None:
        """Be in a group no longer."""
        if group in self.groups:
            del self.groups[group]
            self._tell_all()

    def _tell_all(self) -> None:
        """Everybody who has or will get our HELLO must hear of it, met or not: all count our joins and leaves."""
        for neighbour in self._board.called():
            if neighbour.admitted:
                self._board.tell_groups(neighbour, self.groups)

    def admit(self, peer: bytes) -> None:
        """A peer has proved to the program that it belongs to the private room: now it may know our groups."""
        neighbour = self._known.get(peer)
        if neighbour is not None and neighbour.peer is not None:
            neighbour.admitted = True
            self._board.tell_groups(neighbour, self.groups)

    def whisper(self, peer: bytes, payload: bytes) -> bool:
        """Send to one peer; False if it is not there (any more)."""
        _check_payload(payload)
        neighbour = self._known.get(peer)
        if neighbour is None or neighbour.peer is None:
            return False
        self._board.send(neighbour, Whisper(neighbour.number(), (payload,)))
        return True

    def shout(self, group: str, payload: bytes) -> int:
        """Send to everybody in a group; how many that were."""
        _check_payload(payload)
        members = [one for one in self._board.called() if one.peer and one.admitted and group in one.groups]
        for neighbour in members:
            self._board.send(neighbour, Shout(neighbour.number(), group, (payload,)))
        return len(members)

    def peers(self) -> list[Peer]:
        """Everybody we have met and not lost."""
        return [neighbour.peer for neighbour in self._known if neighbour.peer is not None]

    def halfway(self) -> list[Halfway]:
        """Everybody we know of and have not met."""
        return [
            Halfway(one.at or one.contacts[0], one.phase, one.connected, one.trouble, one.seed is not None)
            for one in self._known
            if one.peer is None and one.id != self.me
        ]

    def met_at_seeds(self) -> list[tuple[Endpoint, Peer]]:
        """The peers that answered where a person said that somebody is."""
        return [(one.seed, one.peer) for one in self._known if one.seed is not None and one.peer is not None]

    def crowd(self, now: int) -> Crowd:
        """How many are here, and how many found no room."""
        refused = sum(now - at < REFUSAL_COUNTS for at in self._refused.values())
        return Crowd(len(self.peers()), self.limits.peers, refused)

    def seed(self, seed: Endpoint) -> None:
        """Look for a peer there, for as long as it takes. Its host gets our beacons too, and can call us; that is all
        where the port is not known (0), and in a private room, where nobody can be called whose key is not known.
        """
        if seed.host not in self._seed_hosts:
            self._seed_hosts += (seed.host,)
        if seed.port and self._key is None:
            self._known.add_seed(seed)

    def contacts(self, to: bytes) -> list[Contact]:
        """Whom we have met, to be passed on to a peer of our own kind that is admitted, which does `introduce`."""
        local = self._is_local(to)
        return [
            Contact(peer.id, endpoint, peer.key)
            for one in self._known
            if (peer := one.peer) and one.admitted and one.at and peer.id != to
            for endpoint in [at for at in (one.at, *one.contacts) if local or not is_loopback(at.host)][:1]
        ]

    def is_at(self, peer: bytes, endpoint: Endpoint) -> bool:
        """Whether that neighbour can be found there. A place that it was only said to be at may be somebody else's."""
        one = self._known.get(peer)
        if one is None or one.peer is None or one.place is None or one.place.port != endpoint.port:
            return False
        return endpoint in (one.place, one.seed, *one.contacts)

    def hears(self, peer: bytes) -> bool:
        """Whether beacons of that neighbour come here: then most of our neighbours hear them too."""
        return (one := self._known.get(peer)) is not None and one.beacon_at is not None

    def heard_at(self, peer: bytes) -> int | None:
        """When that neighbour gave its last sign of life; None if it is not known here."""
        return None if (one := self._known.get(peer)) is None else one.heard_at

    def introduce(self, contact: Contact, by: bytes, now: int) -> None:
        """Take a peer's word for where another is: it is called, and shown only once it has answered."""
        if (speaker := self._known.get(by)) is None or speaker.place is None:
            return self._drop("introduction by somebody who is gone")
        introductions.check(contact, speaker.place.host)
        if len(contact.id) != len(self.me) or (contact.key is None) != (self._key is None):
            raise PeerError("an introduction to somebody of another world")
        if self._prover is not None and not speaker.proved:
            return self._drop("introduction by somebody who has proved nothing")
        known = self._known.get(contact.id)
        if known is not None and (known.peer is not None or contact.endpoint in known.contacts):
            return None
        if why := introductions.refusal(contact, speaker, self._near, now, self.limits):
            return self._drop(why)
        return self._heard_of(contact, now, hearsay=True)

    # Beacons

    def heard_beacon(self, address: str, datagram: bytes, now: int) -> None:
        """A datagram has come from there."""
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
            return self._leaving(beacon.id, address, now)
        return self._heard_of(Contact(beacon.id, Endpoint(address, beacon.port), beacon.key), now, hearsay=False)

    def _heard_of(self, contact: Contact, now: int, *, hearsay: bool) -> None:
        if not self._known.is_welcome(contact.id, contact.key, contact.endpoint.host, now) or (
            contact.id == self.me and self._is_echo(contact.endpoint)
        ):
            return self._drop("not wanted")
        neighbour = self._known.get(contact.id)
        if neighbour is None:
            if not self._make_room(Phase.AWAY, Newcomer(contact.id, contact.endpoint.host), now):
                return self._drop("no room")
            neighbour = self._known.add(contact.id, contact.key)
        news = neighbour.learn(contact.endpoint, hearsay=hearsay)
        if not hearsay:
            # Beacons after a silence: perhaps the cable is back.
            news = news or neighbour.beacon_at is None or now - neighbour.beacon_at > MISSED * self.limits.beacon_every
            neighbour.beacon_at = neighbour.heard_at = now
            neighbour.leaving_at = None
        if not neighbour.is_called and (news or now >= neighbour.retry_at):
            if news:
                neighbour.failures = 0
            self._call(neighbour, now)
        return None

    def _is_echo(self, endpoint: Endpoint) -> bool:
        """Whether what has our identity is us. Else somebody uses it on another machine, which it can prove."""
        if self._prover is None or endpoint.port == 0 or (self.me, endpoint) in self._doubled:
            return True
        return endpoint.port == self.port and self._facing(endpoint.host) == endpoint.host

    def _leaving(self, peer: bytes, address: str, now: int) -> None:
        """RFC 36: "When a ZRE node receives a beacon from a known node, with a zero port number, it SHALL disconnect
        from this peer." Its last words may still be on the way, so that it has until the link breaks or the next tick
        but one. Nothing unsigned ends a conversation with a peer that has proved itself: the link breaks anyway, if it
        is true, and else the answer to a PING shows that it is not.
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
        raise LocalError(f"a message of {len(payload)} bytes; {MOST_FRAME_BYTES} are the most")
