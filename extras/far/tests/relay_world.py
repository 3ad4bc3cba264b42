"""A simulated network (simulation.py) in which all peers meet over relays, and relays are hostile.

Between the lobbies and the relays stand the real machines: a Meeting for each life of a peer, a RelayExchange for each
relay. Instead of ZMTP a stream carries signed envelopes, each after its length. Everything that a relay passes goes
through `Relay.pass_on`, where it drops, delays, exchanges, repeats and lies.
"""

from dataclasses import dataclass, field

from quadrille.extras.far.relay import frames
from quadrille.extras.far.relay.exchange import Close, PassOn, RelayExchange
from quadrille.extras.far.relay.frames import Frame, FrameKind, FrameReader
from quadrille.extras.far.relay.meeting import (
    BeaconHeard,
    Meeting,
    StreamBroken,
    StreamData,
    StreamEnded,
    StreamKey,
    StreamOpened,
)
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import NO_DEADLINE, drain
from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import Entries, Message, opened
from quadrille.net.entries.wire import sealed as signed
from tests.net.cards.stub import STUB
from tests.net.simulation import Peer, Weather, World, gather

NUMBER, KEY = b"number of a test", b"k" * 32
#: As a node has them: silence before a link is lost, and time between two signs of life and before another call.
SILENT, RETRY = 5000, 500
CALM = Weather()


@dataclass(frozen=True)
class Malice:
    """In thousandths of all frames that a relay passes on; `deaths` in thousandths of its seconds."""

    drops: int = 0
    exchanges: int = 0
    repeats: int = 0
    lies: int = 0
    deaths: int = 0
    delay: int = 20


@dataclass(eq=False)
class Relay:
    """One relay: its machine in this life, and all that it has ever passed on."""

    world: "RelayedWorld"
    place: int
    malice: Malice
    exchange: RelayExchange = field(default_factory=RelayExchange)
    is_up: bool = True
    lives: int = 0
    members: dict[int, tuple["Member", int]] = field(default_factory=dict)  # each with its connection's number there
    memory: list[bytes] = field(default_factory=list)
    numbers: int = 0
    reader: FrameReader = field(default_factory=lambda: FrameReader(of_relay=True))  # for looking at whole frames

    def call(self, member: "Member") -> int | None:
        """A connection; None if the relay is dead."""
        if not self.is_up:
            return None
        self.numbers += 1
        self.members[self.numbers] = member, self.lives
        assert self.exchange.connected(self.numbers, member.peer.name, self.world.now)
        return self.numbers

    def hear(self, number: int, data: bytes) -> None:
        if number in self.members:
            self.exchange.read(number, data, self.world.now)
            self.perform()

    def hang_up(self, number: int) -> None:
        if self.members.pop(number, None) is not None:
            self.exchange.closed(number)
            self.perform()

    def perform(self) -> None:
        for action in drain(self.exchange.outgoing):
            match action:
                case PassOn(number, data) if number in self.members:
                    self.pass_on(number, data)
                case Close(number):
                    raise AssertionError(f"an honest member is closed: {self.exchange.counts}")

    def pass_on(self, number: int, data: bytes) -> None:
        """What reaches a member, and when. TCP keeps the order, so a relay that exchanges frames does it itself."""
        world, malice = self.world, self.malice
        [frame] = self.reader.feed(data)
        is_parcel = frame.kind is FrameKind.PARCEL
        if is_parcel and world.chance(malice.drops):
            return
        late = world.dice.randrange(400) if is_parcel and world.chance(malice.exchanges) else 0
        self.deliver(number, data, late)
        if is_parcel:
            self.memory.append(data)
        if world.chance(malice.repeats) and self.memory:
            self.deliver(number, self.memory[world.dice.randrange(len(self.memory))], world.dice.randrange(3000))
        if world.chance(malice.lies):
            self.deliver(number, self.lie(frame), world.dice.randrange(100))

    def lie(self, frame: Frame) -> bytes:
        dice = self.world.dice
        somebody = 1 + dice.randrange(9)
        match dice.randrange(5):
            case 0:
                return frames.came(somebody)
            case 1:
                return frames.went(somebody)
            case 2:
                return frames.parcel_from(somebody, frame.parcel or b"?")
            case 3:
                wrong = bytearray(frame.parcel or b"?")
                wrong[dice.randrange(len(wrong))] ^= 1 + dice.randrange(255)
                return frames.parcel_from(frame.member, bytes(wrong))
        return frames.parcel_from(somebody, bytes(dice.randrange(256) for _ in range(90)))

    def deliver(self, number: int, data: bytes, late: int) -> None:
        delay = self.malice.delay + late

        def arrive() -> None:
            if number in self.members:
                self.members[number][0].hear(self, number, data)

        # Without exchanges frames keep their order: the queue of the world does, at equal delays.
        self.world.later(delay, arrive)

    def die(self) -> None:
        """Its process is killed; another one is started in its place after a while."""
        self.is_up = False
        self.lives += 1
        gone, self.members = self.members, {}
        self.exchange = RelayExchange()
        for number, (member, _) in gone.items():
            self.world.later(1, lambda member=member, number=number: member.lost(self, number))
        self.world.later(1000 + self.world.dice.randrange(9000), self.revive)

    def revive(self) -> None:
        self.is_up = True


@dataclass(eq=False)
class Stream:
    """One stream of a member: whose it is, and what has come of a message."""

    host: str
    key: StreamKey
    heard_at: int
    author: bytes | None = None
    held: bytearray = field(default_factory=bytearray)


class Member:
    """A peer's part in the meeting, in one life of its program."""

    def __init__(self, world: "RelayedWorld", peer: Peer) -> None:
        self.world, self.peer, self.life = world, peer, peer.lives
        self.meeting = Meeting(KEY, world.draw)
        self.connections: dict[Relay, int] = {}  # each with the connection's number
        self.readers: dict[int, FrameReader] = {}
        self.alarm = NO_DEADLINE
        self.out: dict[bytes, Stream] = {}  # by the beacon of the other one, which is its key
        self.into: dict[StreamKey, Stream] = {}
        self.places: dict[bytes, dict[str, None]] = {}
        self.here: set[bytes] = set()

    @property
    def lives(self) -> bool:
        return self.peer.lobby is not None and self.peer.lives == self.life

    def tick(self) -> None:
        """Call relays and peers that are not there, give signs of life, and notice silence."""
        if not self.lives:
            for relay, number in self.connections.items():
                relay.hang_up(number)
            return
        now = self.world.now
        for relay in self.world.relays:
            if relay not in self.connections and (number := relay.call(self)) is not None:
                self.connections[relay] = number
                self.readers[relay.place] = FrameReader(of_relay=True)
                self.send_later(relay.place, frames.enter(NUMBER))
        self.meeting.announce(self.peer.identity.key, now)
        self.meeting.wake(now)
        for stream in [one for one in self.into.values() if now - one.heard_at >= SILENT]:
            self.meeting.reset(stream.key)
            self.forget(stream.key)
        answered = {one.author for one in self.into.values()}
        for key in [key for key, one in self.out.items() if key not in answered and now - one.heard_at >= SILENT]:
            self.meeting.reset(self.out.pop(key).key)
        for key in list(self.places):
            if key not in self.out:
                self.call(key)
            else:
                self.write(self.out[key], b"")
        self.perform()
        self.world.later(RETRY, self.tick)

    def call(self, key: bytes) -> None:
        for host in self.places[key]:
            if (name := self.meeting.dial(host)) is not None:
                self.out[key] = Stream(host, name, self.world.now)
                self.places[key] = {other: None for other in self.places[key] if other != host} | {host: None}
                self.write(self.out[key], self.peer.identity.key)
                self.look()
                return

    def write(self, stream: Stream, words: bytes) -> None:
        self.meeting.send(stream.key, len(words).to_bytes(4, "big") + words, self.world.now)

    def say(self, to: bytes, words: bytes) -> None:
        if to in self.out:
            self.write(self.out[to], words)
            self.perform()

    # From relays

    def hear(self, relay: Relay, number: int, data: bytes) -> None:
        if self.lives and self.connections.get(relay) == number:
            for frame in self.readers[relay.place].feed(data):
                if frame.kind is FrameKind.ENTERED:
                    self.meeting.entered(relay.place, self.world.now)
                else:
                    self.meeting.frame(relay.place, frame, self.world.now)
            self.perform()

    def lost(self, relay: Relay, number: int) -> None:
        if self.lives and self.connections.get(relay) == number:
            del self.connections[relay]
            self.meeting.left(relay.place, self.world.now)
            self.perform()

    def send_later(self, place: int, data: bytes) -> None:
        for relay, number in self.connections.items():
            if relay.place == place:
                self.world.later(relay.malice.delay, lambda relay=relay, number=number: relay.hear(number, data))

    def perform(self) -> None:
        while self.meeting.outgoing or self.meeting.events:
            for post in drain(self.meeting.outgoing):
                self.send_later(post.place, frames.post(post.to, post.parcel))
            for event in drain(self.meeting.events):
                self.take(event)
        if (due := self.meeting.deadline) < self.alarm:
            self.alarm = due
            self.world.later(max(1, due - self.world.now), self.ring)

    def ring(self) -> None:
        """What the meeting has waited for is due."""
        self.alarm = NO_DEADLINE
        if self.lives:
            self.meeting.wake(self.world.now)
            self.perform()

    def take(self, event: object) -> None:
        match event:
            case BeaconHeard(host, key):
                assert key in self.world.peers, "a beacon that nobody made"
                places = self.places.setdefault(key, {})
                places.setdefault(host)
            case StreamOpened(name, host):
                self.into[name] = Stream(host, name, self.world.now)
            case StreamData(name, data) if name in self.into:
                self.read(self.into[name], data)
            case StreamEnded(name) | StreamBroken(name):
                self.forget(name)

    def forget(self, name: StreamKey) -> None:
        stream = self.into.pop(name, None)
        for key, one in list(self.out.items()):
            if one.key == name or (stream is not None and key == stream.author):
                del self.out[key]
                self.meeting.reset(one.key)
        self.look()

    def read(self, stream: Stream, data: bytes) -> None:
        stream.heard_at = self.world.now
        stream.held += data
        while len(stream.held) >= 4 and len(stream.held) >= 4 + (size := int.from_bytes(stream.held[:4], "big")):
            words = bytes(stream.held[4 : 4 + size])
            del stream.held[: 4 + size]
            if stream.author is None:
                stream.author = words
                assert words in self.world.peers, "a stream that nobody opened"
                self.look()
            elif words and stream.author in self.here:
                self.world.heard(self.peer, stream.author, words)

    def reached(self) -> set[bytes]:
        return {one.author for one in self.into.values() if one.author is not None} & self.out.keys()

    def look(self) -> None:
        """Tell the lobby who is here: a link goes both ways."""
        now = self.reached()
        for key in now - self.here:
            self.here.add(key)
            self.world.do(self.peer, lambda lobby, at, key=key: lobby.came(key, at))
        for key in self.here - now:
            self.here.discard(key)
            self.world.do(self.peer, lambda lobby, at, key=key: lobby.went(key, at))


class RelayedWorld(World):
    """A world whose peers hear each other over relays alone."""

    def __init__(
        self,
        seed: str,
        terms: Terms,
        malice: tuple[Malice, ...],
        weather: Weather = CALM,
    ) -> None:
        super().__init__(seed, terms, weather)
        self.relays = [Relay(self, place, one) for place, one in enumerate(malice)]
        self.members: dict[bytes, Member] = {}
        self.later(1000, self.strike_relays)

    def strike_relays(self) -> None:
        for relay in self.relays:
            if relay.is_up and self.chance(relay.malice.deaths):
                relay.die()
        self.later(1000, self.strike_relays)

    def start(self, peer: Peer) -> None:
        super().start(peer)
        member = self.members[peer.identity.key] = self.member(peer)
        member.tick()

    def member(self, peer: Peer) -> Member:
        return Member(self, peer)

    def meet(self, one: Peer, other: Peer) -> None:
        """Peers meet by their streams alone."""

    def part(self, one: Peer, other: Peer) -> None:
        """And part by them."""

    def send(self, peer: Peer, key: bytes, message: Message) -> None:
        if isinstance(message, Entries):
            self.check_said(message)
        self.members[peer.identity.key].say(key, signed(message, peer.identity))

    def heard(self, peer: Peer, sender: bytes, words: bytes) -> None:
        try:
            author, message = opened(words)
        except PeerError as error:
            raise AssertionError(f"bytes that nobody said: {error}") from error
        assert author == sender
        self.do(peer, lambda lobby, now: (lobby.receive(sender, message, now), self.act(peer)))


def over_relays(seed: str, terms: Terms, malice: tuple[Malice, ...], weather: Weather = CALM) -> RelayedWorld:
    world = RelayedWorld(seed, terms, malice, weather)
    world.checker = ProofChecker(STUB)
    gather(world)
    world.run(world.settled, 400_000)
    return world
