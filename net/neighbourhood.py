"""Who is near, and how we keep in touch: every neighbour, from its first beacon or a seed to its last sign of life.

A machine without sockets and clocks: datagrams, messages, news of links and the time (milliseconds) come in; `outgoing`
and `events` are taken out by whoever drives it (net/node.py). Here is what is heard and asked for; what it does to the
links is in net/streams.py; the table in net/neighbour.py says what a message does in which phase. It promises, whatever
arrives: no memory or work beyond `Limits`, one link to a neighbour and to an endpoint, no event of a peer that has not
answered us. Specification: protocols.md, "Discovery".
"""

from dataclasses import dataclass

from quadrille.net import introductions
from quadrille.net.acquaintances import Newcomer
from quadrille.net.errors import LocalError, PeerError
from quadrille.net.identity import peer_of
from quadrille.net.introductions import is_loopback
from quadrille.net.neighbour import (
    TABLE,
    Contact,
    Deed,
    Endpoint,
    Joined,
    LeftGroup,
    LossReason,
    Neighbour,
    Peer,
    Phase,
    Said,
    Trouble,
    Way,
)
from quadrille.net.proof import (
    FULL_HEADER,
    claim_of,
    is_proof,
)
from quadrille.net.streams import MISSED, TICK, Streams, reads
from quadrille.net.switchboard import Announce
from quadrille.net.zre import (
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


class Neighbourhood(Streams):
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

    # Messages

    def received(
        self,
        identity: bytes,
        frames: list[bytes],
        address: str,
        now: int,
        key: bytes | None = None,
        connection: int = 0,
    ) -> None:
        """A message has come from a DEALER of this identity, by that accepted connection; in a private room, from the
        owner of `key`. Connection 0 is none that can be answered or told from others.
        """
        if len(identity) != 1 + ID_BYTES + (TAIL_BYTES if self._key else 0) or identity[0] != 1:
            return self._drop("no ZRE identity")
        return self._hear(Way(connection, 0, identity), identity[1 : 1 + ID_BYTES], frames, address, key, now)

    def answered(self, link: int, frames: list[bytes], address: str, now: int) -> None:
        """A message has come back on a link that we called: its other end is of our kind, and can't call us."""
        owner = self._board.owner(link)
        sender = None if owner is None else owner.id or self._author(frames)
        if owner is None or sender is None:
            return self._drop("before HELLO")
        return self._hear(Way(link=link), sender, frames, address, owner.key, now)

    def _author(self, frames: list[bytes]) -> bytes | None:
        """The identity of a peer that answers at a seed, by the key in its HELLO."""
        try:
            message = decode(frames)
        except PeerError:
            return None
        claim = claim_of(dict(message.headers)) if isinstance(message, Hello) else None
        return None if claim is None else peer_of(claim.key)

    def _hear(self, way: Way, sender: bytes, frames: list[bytes], address: str, key: bytes | None, now: int) -> None:
        self.speaker = sender
        neighbour = self._rivals.get(way) or self._known.get(sender)
        if neighbour is not None and neighbour.key != key and neighbour.hello is None:
            self._forget(neighbour)  # a beacon said that it has another key; the link knows better
            neighbour = None
        if not self._known.is_welcome(sender, key, address, now):
            return self._drop("not wanted")
        speaks = neighbour is not None and neighbour.hello is not None and neighbour.way == way
        if neighbour is not None and (speaks or neighbour.hello is None) and not neighbour.pay(1, now, self.limits):
            return self._put_out(neighbour, address, LossReason.FLOODED, now)
        try:
            message = decode(frames)
            if isinstance(message, Hello):
                came_from = Endpoint(address, port_of(message.endpoint))
        except PeerError as error:
            return self._broke(neighbour if speaks else None, str(error), address, now)
        phase = Phase.AWAY if neighbour is None else neighbour.phase
        deed = TABLE[type(message)][phase]
        if isinstance(message, Hello):
            return self._greeted(way, sender, message, came_from, key, now)
        if neighbour is None or deed is Deed.DROP or not speaks:
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
                neighbour.ponged = neighbour.is_called
                self._meet_if_ready(neighbour, now)
            case Deed.COUNT, PingOk() if neighbour.proved:
                neighbour.leaving_at = None  # its farewell was another's

    def _say(self, neighbour: Neighbour, group: str | None, content: tuple[bytes, ...]) -> None:
        """Only content of one frame is ours; more frames, or none, are another program's affair."""
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
            return self._broke(neighbour, f"group status {status}; {neighbour.status} was its turn", "", now)
        if joins == (group in neighbour.groups):
            return None
        if joins:
            neighbour.groups[group] = None
        else:
            del neighbour.groups[group]
        if len(neighbour.groups) > MOST_GROUPS:
            return self._broke(neighbour, f"in more than {MOST_GROUPS} groups", "", now)
        if neighbour.peer is not None:
            neighbour.peer = neighbour.snapshot()
            self.events.append((Joined if joins else LeftGroup)(neighbour.peer, group))
        return None

    # A HELLO

    def _greeted(self, way: Way, sender: bytes, hello: Hello, endpoint: Endpoint, key: bytes | None, now: int) -> None:
        claim = self._claim(sender, hello)
        if sender == self.me and (claim is None or self._is_mine(claim.nonce)):
            return self._called_myself(endpoint, now)
        neighbour = self._known.get(sender)
        if way.link:
            owner = self._board.owner(way.link)
            assert owner is not None and owner.at is not None
            endpoint = owner.at
            if FULL_HEADER in dict(hello.headers):
                return self._turned_away(owner, now)
            if claim is None and (self._key is None or not reads(hello)):
                return self._drop("before HELLO")
        elif self._is_taken(neighbour, way, claim):
            return self._stand_beside(way, sender, hello, endpoint, key, now)
        if neighbour is None or neighbour.hello is None:
            newcomer = Newcomer(sender, endpoint.host, claim is not None or self._key is not None)
            if not self._make_room(Phase.HEARD, newcomer, now, neighbour):
                return self._refuse(way, sender, hello, endpoint, now)
        neighbour = neighbour or self._known.add(sender, key)
        if not neighbour.pay(self.limits.hello_price, now, self.limits):
            return self._put_out(neighbour, endpoint.host, LossReason.FLOODED, now)
        if way.link and not self._take_answer(neighbour, way, endpoint, now):
            return None
        again = neighbour.hello is not None
        if not way.link:
            self._keep_or_drop_link(neighbour, endpoint, now)
            self._take_over(neighbour, endpoint, now)
        neighbour.learn(endpoint, hearsay=False)
        neighbour.begin(hello, way, endpoint, claim, now)
        if not neighbour.is_called:
            neighbour.turn = neighbour.contacts.index(endpoint)
            self._call(neighbour, now)
            return None
        self._board.prove(neighbour)
        if again:
            self._board.ping(neighbour, now)
        return None

    def _take_answer(self, neighbour: Neighbour, way: Way, endpoint: Endpoint, now: int) -> bool:
        """A peer's stream begins on a link that we called; False where it has a better one."""
        if neighbour.proved and neighbour.hello is not None and neighbour.way != way:
            if self._board.owner(way.link) is not neighbour:
                self._take_over(neighbour, endpoint, now)
            self._drop("answered twice")
            return False
        self._take_over(neighbour, endpoint, now)
        if neighbour.peer is not None:
            self._left(neighbour, LossReason.RESTARTED, now)
        return neighbour.link == way.link

    def _keep_or_drop_link(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """A HELLO on a stream that had begun: the peer began anew and wants our HELLO again. Unless it crossed ours:
        then answering would beget another HELLO, and another. (Where that guess is wrong, PINGs stay without an answer,
        and after a while the neighbour is called anew.) A call to where the peer is no longer is given up as well.
        """
        if neighbour.hello is None:
            gone = neighbour.at != endpoint and not neighbour.connected
        else:
            gone = neighbour.at != endpoint or now - neighbour.dialled_at >= self.limits.crossing
        if neighbour.peer is not None:
            self._left(neighbour, LossReason.RESTARTED, now)
        if gone:
            self._hang_up(neighbour)

    def _take_over(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """Where this HELLO comes from we may have called already, not knowing whom, or thinking it was another."""
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
        """A seed can answer from another address than we called it at (it has several), or another port (its router
        passes one on). It is taken for the one that has the port or the address in common, if there is only one.
        """
        crossing = self.limits.crossing
        seeds = [one for one in self._known.unnamed() if one.connected or now - one.dialled_at < crossing]
        likely = [one for one in seeds if one.at and (one.at.port == endpoint.port or _same_machine(one.at, endpoint))]
        return likely[0] if len(likely) == 1 else None

    def _called_myself(self, endpoint: Endpoint, now: int) -> None:
        """One of the seeds is us."""
        self._drop("own echo")
        seed = self._board.at(endpoint) or self._answering_seed(endpoint, now)
        if seed is not None and seed.id is None:
            self._forget(seed)

    def _is_local(self, peer: bytes) -> bool:
        """Whether we reach it within this machine."""
        neighbour = self._known.get(peer)
        return neighbour is not None and neighbour.at is not None and is_loopback(neighbour.at.host)


def _check_payload(payload: bytes) -> None:
    if len(payload) > MOST_FRAME_BYTES:
        raise LocalError(f"a message of {len(payload)} bytes; {MOST_FRAME_BYTES} are the most")


def _same_machine(one: Endpoint, other: Endpoint) -> bool:
    """Whether both are at one address, and that is not the one that all programs of this machine have in common."""
    return one.host == other.host and not is_loopback(one.host)
