"""Who is near, and how we keep in touch: every neighbour, from its first beacon or a seed to its last sign of life.

A machine without sockets and clocks: datagrams, messages, news of links and the time (milliseconds) come in; `outgoing`
and `events` are taken out by whoever drives it (net/node.py). What a message does in which phase is the table in
net/neighbour.py. It promises, whatever arrives: no memory or work beyond `Limits`, one link to a neighbour and to an
endpoint, no event of a peer that has not answered us. It is longer than 600 lines because all that turns a neighbour
stands in one place. Specification: protocols.md, "Discovery".
"""

import ipaddress
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from quadrille.net.acquaintances import Acquaintances
from quadrille.net.errors import LocalError, PeerError
from quadrille.net.neighbour import (
    TABLE,
    Contact,
    Deed,
    Endpoint,
    Event,
    Joined,
    Left,
    LeftGroup,
    Limits,
    Met,
    Neighbour,
    Peer,
    Phase,
    Said,
    Why,
)
from quadrille.net.switchboard import Action, Announce, Switchboard
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

TICK = 250
#: Milliseconds that a tick may come late. A program that was stopped for longer has heard nobody, which says nothing.
LATE = 1000
#: Beacons of a neighbour that may be missing before it counts as silent; twice as many, before it counts as gone.
MISSED = 5


@dataclass(frozen=True, slots=True)
class Halfway:
    """Somebody we know of and have not met: what to look at when a peer is missing."""

    endpoint: Endpoint
    phase: Phase
    connected: bool


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
        limits: Limits | None = None,
        key: bytes | None = None,
        certify: Callable[[bytes, bytes], bool] | None = None,
    ) -> None:
        """We listen at TCP `port`; `facing(host)` is our own address as that host sees it. With a `key` this is a
        private room, and `certify(id, key)` says whether both belong to one peer.
        """
        check_names(name, (), headers.items())
        self.me = me
        self.name = name
        self.headers = tuple(headers.items())
        self.port = port
        self.groups: dict[str, None] = {}
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        self.limits = limits or Limits()
        self._facing = facing
        self._random = random
        self._key = key
        self._board = Switchboard(self._greeting, self.limits)
        self._beacon_due = 0
        self._tick_due = 0
        self._seed_hosts: tuple[str, ...] = ()
        self._known = Acquaintances(self.limits, key, certify)

    @property
    def outgoing(self) -> list[Action]:
        """What is to be done, in order. Whoever does it clears the list."""
        return self._board.outgoing

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
        if neighbour.leaving_at is not None and now - neighbour.leaving_at >= TICK and self._key is None:
            self._part(neighbour, Why.LEFT, now)
            self._forget(neighbour)
        elif neighbour.link is None:
            if now >= neighbour.retry_at:
                self._call(neighbour, now)
        elif neighbour.peer is None:
            if now - neighbour.since >= (limits.slowness if neighbour.connected else limits.patience):
                self._failed(neighbour, now)
            elif neighbour.hello is not None and now - neighbour.pinged_at >= limits.ping_every:
                self._board.ping(neighbour, now)
        elif now - neighbour.heard_at >= limits.silent:
            self._part(neighbour, Why.SILENT, now)
        elif now - neighbour.heard_at >= limits.quiet and now - neighbour.pinged_at >= limits.ping_every:
            self._board.ping(neighbour, now)

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
        return [Halfway(one.at or one.contacts[0], one.phase, one.connected) for one in self._known if one.peer is None]

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
            for endpoint in [at for at in (one.at, *one.contacts) if local or not _is_loopback(at.host)][:1]
        ]

    def is_at(self, peer: bytes, endpoint: Endpoint) -> bool:
        """Whether that neighbour can be found there. A place that it was only said to be at may be somebody else's."""
        one = self._known.get(peer)
        if one is None or one.peer is None or one.at is None or one.at.port != endpoint.port:
            return False
        return endpoint in (one.at, one.seed, *one.contacts)

    def hears(self, peer: bytes) -> bool:
        """Whether beacons of that neighbour come here: then most of our neighbours hear them too."""
        return (one := self._known.get(peer)) is not None and one.beacon_at is not None

    def introduce(self, contact: Contact, by: bytes, now: int) -> None:
        """Take a peer's word for where another is: it is called, and shown only once it has answered."""
        if (speaker := self._known.get(by)) is None or speaker.at is None:
            return self._drop("introduction by somebody who is gone")
        if not _is_host(contact.endpoint.host) or not 0 < contact.endpoint.port < 1 << 16:
            raise PeerError(f"an introduction to {contact.endpoint}: that is no host's address")
        if _is_loopback(contact.endpoint.host) and not _is_loopback(speaker.at.host):
            raise PeerError("an introduction from another machine to an address within this one")
        if len(contact.id) != len(self.me) or (contact.key is None) != (self._key is None):
            raise PeerError("an introduction to somebody of another world")
        return self._heard_of(contact, now, hearsay=True)

    def ban(self, peer: bytes, now: int, time: int, why: Why = Why.BANNED, detail: str = "") -> None:
        """Part with a peer, and take nothing from it for so long."""
        self._known.ban(peer, now + time)
        neighbour = self._known.get(peer)
        if neighbour is not None:
            self._part(neighbour, why, now, detail)
            self._forget(neighbour)

    # Beacons

    def heard_beacon(self, address: str, datagram: bytes, now: int) -> None:
        """A datagram has come from there."""
        try:
            beacon = decode_beacon(datagram)
        except PeerError:
            return self._drop("no beacon")
        if beacon.id == self.me:
            return self._drop("own echo")
        if (beacon.key is None) != (self._key is None):
            return self._drop("beacon of another world")
        if beacon.port == 0:
            return self._leaving(beacon.id, address, now)
        return self._heard_of(Contact(beacon.id, Endpoint(address, beacon.port), beacon.key), now, hearsay=False)

    def _heard_of(self, contact: Contact, now: int, *, hearsay: bool) -> None:
        if contact.id == self.me or not self._known.is_welcome(contact.id, contact.key, now):
            return self._drop("not wanted")
        neighbour = self._known.get(contact.id)
        if neighbour is None:
            if not self._make_room(Phase.AWAY):
                return self._drop("no room")
            neighbour = self._known.add(contact.id, contact.key)
        news = neighbour.learn(contact.endpoint, hearsay=hearsay)
        if not hearsay:
            # Beacons after a silence: perhaps the cable is back.
            news = news or neighbour.beacon_at is None or now - neighbour.beacon_at > MISSED * self.limits.beacon_every
            neighbour.beacon_at = neighbour.heard_at = now
            neighbour.leaving_at = None
        if neighbour.link is None and (news or now >= neighbour.retry_at):
            if news:
                neighbour.failures = 0
            self._call(neighbour, now)
        return None

    def _leaving(self, peer: bytes, address: str, now: int) -> None:
        """RFC 36: "When a ZRE node receives a beacon from a known node, with a zero port number, it SHALL disconnect
        from this peer." Its last words may still be on the way, so that it has until the link breaks or the next tick
        but one. In a private room nothing unsigned ends a conversation: the link breaks anyway, if it is true.
        """
        neighbour = self._known.get(peer)
        if neighbour is None or address not in {
            contact.host for contact in (*neighbour.contacts, neighbour.at) if contact
        }:
            return
        neighbour.leaving_at = now

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
        """A message has come by the accepted connection of that number, whose other end has this identity; in a private
        room, from the owner of `key`.
        """
        if len(identity) != 1 + ID_BYTES + (TAIL_BYTES if self._key else 0) or identity[0] != 1:
            return self._drop("no ZRE identity")
        sender = identity[1 : 1 + ID_BYTES]
        neighbour = self._known.get(sender)
        if neighbour is not None and neighbour.key != key and neighbour.hello is None:
            self._forget(neighbour)  # a beacon said that it has another key; the link knows better
            neighbour = None
        if not self._known.is_welcome(sender, key, now):
            return self._drop("not wanted")
        if neighbour is not None and not neighbour.pay(1, now, self.limits):
            return self.ban(sender, now, self.limits.ban, Why.FLOODED)
        try:
            message = decode(frames)
        except PeerError as error:
            return self._broke(neighbour, str(error), now)
        phase = Phase.AWAY if neighbour is None else neighbour.phase
        deed = TABLE[type(message)][phase]
        if isinstance(message, Hello):
            endpoint = Endpoint(address, port_of(message.endpoint))
            return self._greeted((identity, connection), message, endpoint, key, now)
        if neighbour is None or deed is Deed.DROP or neighbour.stream != (identity, connection):
            return self._drop("before HELLO")
        if not neighbour.counts(message.sequence):
            return self._part(neighbour, Why.GAPS, now)
        neighbour.heard_at = now
        return self._do(deed, neighbour, message, now)

    def _do(self, deed: Deed, neighbour: Neighbour, message: Message, now: int) -> None:
        match deed, message:
            case Deed.SAY | Deed.HOLD, Whisper(_, content):
                self._say(neighbour, None, content)
            case Deed.SAY | Deed.HOLD, Shout(_, group, content):
                self._say(neighbour, group, content)
            case Deed.JOIN, Join(_, group, status):
                self._regroup(neighbour, group, status, now, joins=True)
            case Deed.LEAVE, Leave(_, group, status):
                self._regroup(neighbour, group, status, now, joins=False)
            case Deed.ANSWER, _:
                if neighbour.link is not None:
                    self._board.send(neighbour, PingOk(neighbour.number()))
            case Deed.MEET, _:
                if neighbour.link is not None:
                    self._meet(neighbour, now)

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

    def _meet(self, neighbour: Neighbour, now: int) -> None:
        """It has answered: it is who is at the end of our link, and nobody else is there."""
        neighbour.peer = neighbour.snapshot()
        neighbour.met_at = now
        self.events.append(Met(neighbour.peer))
        self.events += [Joined(neighbour.peer, group) for group in neighbour.groups]
        self.events += [Said(neighbour.peer, group, payload) for group, payload in neighbour.held]
        neighbour.held = []
        for other in list(self._known):
            if other.link is None and neighbour.at in other.contacts:
                other.contacts.remove(neighbour.at)
                if not other.contacts:
                    self._forget(other)

    # A HELLO

    def _greeted(
        self, stream: tuple[bytes, int], hello: Hello, endpoint: Endpoint, key: bytes | None, now: int
    ) -> None:
        sender = stream[0][1 : 1 + ID_BYTES]
        if sender == self.me:
            return self._called_myself(endpoint, now)
        neighbour = self._known.get(sender)
        if neighbour is None:
            if not self._make_room(Phase.HEARD):
                return self._drop("no room")
            neighbour = self._known.add(sender, key)
        elif neighbour.hello is None and not self._make_room(Phase.HEARD, neighbour):
            return self._drop("no room")
        if not neighbour.pay(self.limits.hello_price, now, self.limits):
            return self.ban(sender, now, self.limits.ban, Why.FLOODED)
        again = neighbour.hello is not None
        self._keep_or_drop_link(neighbour, endpoint, now)
        self._take_over(neighbour, endpoint, now)
        neighbour.learn(endpoint, hearsay=False)
        neighbour.begin(hello, stream, now)
        if neighbour.link is None:
            neighbour.turn = neighbour.contacts.index(endpoint)
            self._call(neighbour, now)
        elif again:
            self._board.ping(neighbour, now)
        return None

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
            self._left(neighbour, Why.RESTARTED, now)
        if gone:
            self._board.hang_up(neighbour)

    def _take_over(self, neighbour: Neighbour, endpoint: Endpoint, now: int) -> None:
        """Where this HELLO comes from we may have called already, not knowing whom, or thinking it was another."""
        caller = self._board.at(endpoint)
        if caller is None and neighbour.link is None and neighbour.beacon_at is None:
            caller = self._answering_seed(endpoint, now)
        if caller is None or caller is neighbour or caller.hello is not None:
            return
        reached = caller.at
        if neighbour.link is None and neighbour.key == caller.key:
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

    # Links

    def connected(self, link: int) -> None:
        """At the other end somebody speaks ZMTP."""
        neighbour = self._board.owner(link)
        if neighbour is not None:
            neighbour.connected = True

    def lost(self, link: int, now: int) -> None:
        """The connection could not be made, or is broken."""
        neighbour = self._board.owner(link)
        if neighbour is None:
            return
        if neighbour.leaving_at is not None:
            self._part(neighbour, Why.LEFT, now)
            self._forget(neighbour)
        elif neighbour.peer is None:
            self._failed(neighbour, now)
        else:
            self._part(neighbour, Why.LOST, now)

    def choked(self, link: int, now: int) -> None:
        """RFC 36: "a full send buffer can be detected and treated as 'peer not responding'"."""
        neighbour = self._board.owner(link)
        if neighbour is not None:
            self._part(neighbour, Why.CHOKED, now)

    def streams(self) -> set[int]:
        """The accepted connections by which neighbours speak: fewer than `Limits.peers`, or as many."""
        return {neighbour.stream[1] for neighbour in self._known if neighbour.hello is not None}

    def answered(self, link: int, frames: list[bytes], address: str, now: int) -> None:
        """A message has come back by a link. ZRE says nothing that way."""
        self._drop("answer on a link")

    def broke(self, connection: int, detail: str, now: int) -> None:
        """An accepted connection was closed, because its other end sent something that nobody may send."""
        for neighbour in list(self._known):
            if neighbour.hello is not None and neighbour.stream[1] == connection:
                self._broke(neighbour, detail, now)

    def cut(self, connection: int, now: int) -> None:
        """An accepted connection is closed. Its stream can't go on; the link to the same peer, if there is one, tells
        whether that peer is gone.
        """

    def _greeting(self, endpoint: Endpoint) -> Hello:
        here = Endpoint(self._facing(endpoint.host), self.port)
        groups = tuple(self.groups) if self._key is None else ()
        return Hello(1, str(here), groups, 0, self.name, self.headers)

    def _call(self, neighbour: Neighbour, now: int) -> None:
        """Call it at the next of its contacts where nobody else is called; when all were tried, pause."""
        if not self._board.may_call(now):
            neighbour.retry_at = now + self.limits.first_retry
            return
        while neighbour.turn < len(neighbour.contacts):
            endpoint = neighbour.contacts[neighbour.turn]
            neighbour.turn += 1
            if self._board.at(endpoint) is None:
                self._board.dial(neighbour, endpoint, now)
                return
        self._later(neighbour, now)

    def _failed(self, neighbour: Neighbour, now: int) -> None:
        """There was no answer at this contact."""
        self._board.hang_up(neighbour)
        self._call(neighbour, now)

    def _later(self, neighbour: Neighbour, now: int) -> None:
        """Call it again after a while, longer each time; forget it if there is no reason to hope."""
        limits = self.limits
        neighbour.turn = 0
        wait = min(limits.last_retry, limits.first_retry << min(neighbour.failures, 16))
        neighbour.failures += 1
        neighbour.retry_at = now + wait + self._random.randrange(-wait // 5, wait // 5 + 1)
        beacons = neighbour.beacon_at is not None and now - neighbour.beacon_at < 2 * MISSED * limits.beacon_every
        if neighbour.failures > limits.tries and not beacons and neighbour.seed is None:
            self._forget(neighbour)

    # Partings

    def _broke(self, neighbour: Neighbour | None, detail: str, now: int) -> None:
        """Something that ZRE does not allow. From strangers it is counted; with a peer it ends the conversation."""
        self._drop("malformed")
        if neighbour is None or neighbour.hello is None:
            return
        neighbour.strikes += 1
        if neighbour.strikes >= self.limits.strikes and neighbour.id is not None:
            self.ban(neighbour.id, now, self.limits.ban, Why.BROKE, detail)
        else:
            self._part(neighbour, Why.BROKE, now, detail)

    def _part(self, neighbour: Neighbour, why: Why, now: int, detail: str = "") -> None:
        """Both streams end. It may be called again later."""
        if neighbour.peer is not None:
            self._left(neighbour, why, now, detail)
        self._board.hang_up(neighbour)
        neighbour.hello = None
        neighbour.held = []
        self._later(neighbour, now)

    def _left(self, neighbour: Neighbour, why: Why, now: int, detail: str = "") -> None:
        assert neighbour.peer is not None
        self.events.append(Left(neighbour.peer, why, detail))
        neighbour.peer = None
        neighbour.admitted = self._key is None
        if now - neighbour.met_at >= self.limits.settled:
            neighbour.failures = neighbour.strikes = 0

    # Who is known

    def _forget(self, neighbour: Neighbour) -> None:
        self._board.hang_up(neighbour)
        self._known.forget(neighbour)

    def _make_room(self, phase: Phase, known: Neighbour | None = None) -> bool:
        if self._known.is_full(phase, known) and (weakest := self._known.weakest(phase)) is not None:
            self._forget(weakest)
        return not self._known.is_full(phase, known)

    def _is_local(self, peer: bytes) -> bool:
        """Whether we reach it within this machine."""
        neighbour = self._known.get(peer)
        return neighbour is not None and neighbour.at is not None and _is_loopback(neighbour.at.host)

    def _drop(self, reason: str) -> None:
        self.counts[reason] += 1


def _check_payload(payload: bytes) -> None:
    if len(payload) > MOST_FRAME_BYTES:
        raise LocalError(f"a message of {len(payload)} bytes; {MOST_FRAME_BYTES} are the most")


def _same_machine(one: Endpoint, other: Endpoint) -> bool:
    """Whether both are at one address, and that is not the one that all programs of this machine have in common."""
    return one.host == other.host and not _is_loopback(one.host)


def _is_loopback(host: str) -> bool:
    return host.startswith("127.")


def _is_host(host: str) -> bool:
    """Whether it is the IPv4 address of one machine."""
    try:
        address = ipaddress.IPv4Address(host)
    except ValueError:
        return False
    return not (address.is_multicast or address.is_unspecified or address.is_reserved)
