"""One neighbourhood, and peers that are nothing but bytes: for tests that say message by message what happens."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from typing import Any

from quadrille.net.neighbours import neighbour
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import Prover
from quadrille.net.zeromq.zre import Beacon, Hello, Message, Ping, PingOk, Unused, Whisper, decode, encode
from tests.net.street import House, check, ours

ME = b"m" * 16
HERE = "10.0.0.1"
PORT = 50000


class Desk:
    """A neighbourhood of which we see and do everything."""

    def __init__(
        self,
        limits: neighbour.NeighbourLimits | None = None,
        seeds: Iterable[neighbour.Endpoint] = (),
        key: bytes | None = None,
        near: Callable[[str], bool] = lambda _: True,
        identity: Identity | None = None,
    ) -> None:
        """With an identity it proves its links."""
        self.now = 1_000_000
        self.machine = Neighbours(
            identity.peer if identity else ME,
            "me",
            ours(identity) if identity else {"K": "v"},
            port=PORT,
            facing=lambda _: HERE,
            random=Random(1),
            limits=limits,
            key=key,
            near=near,
            prover=Prover(identity) if identity else None,
        )
        for seed in seeds:
            self.machine.seed(seed)
        self.house = House("me", (HERE,), self.machine)
        self.actions: list[neighbour.Action] = []
        self.wait(0)

    def wait(self, time: int) -> None:
        """Let time pass, with every `wake` that is due."""
        end = self.now + time
        while self.machine.deadline <= end:
            self.now = max(self.now, self.machine.deadline)
            self.machine.wake(self.now)
            self.collect()
        self.now = end

    def collect(self) -> None:
        """Take out what the machine wants, and check that it keeps its promises."""
        for action in self.machine.outgoing:
            self.actions.append(action)
            match action:
                case neighbour.Dial(link, endpoint, _):
                    self.house.wires[link] = endpoint  # type: ignore[assignment]
                case neighbour.Close(neighbour.Way(_, link)) if link:
                    del self.house.wires[link]
        self.machine.outgoing.clear()
        for event in self.machine.events:
            self.house.events.append(event)
            if isinstance(event, neighbour.PeerMet):
                self.house.met.add(event.peer.id)
            elif isinstance(event, neighbour.PeerLeft):
                self.house.met.remove(event.peer.id)
        self.machine.events.clear()
        check(self.house)

    def introduce(self, peer: bytes, place: neighbour.Endpoint, by: "Stranger") -> None:
        """A peer tells of a third one."""
        self.machine.introduce(neighbour.Contact(peer, place), by.id, self.now)
        self.collect()

    def events(self) -> list[neighbour.Event]:
        """What programs were told since we last asked."""
        events = self.house.events[:]
        self.house.events.clear()
        return events

    def take(self, kind: type[neighbour.Action]) -> list[neighbour.Action]:
        """What of this kind was to be done since we last asked; all else is forgotten."""
        actions = [action for action in self.actions if isinstance(action, kind)]
        self.actions.clear()
        return actions

    def dials(self) -> list[neighbour.Endpoint]:
        return [action.endpoint for action in self.take(neighbour.Dial) if isinstance(action, neighbour.Dial)]

    def sent(self) -> list[Message]:
        return [decode(action.frames) for action in self.take(neighbour.Send) if isinstance(action, neighbour.Send)]

    def beacons(self) -> list[neighbour.Announce]:
        return [action for action in self.take(neighbour.Announce) if isinstance(action, neighbour.Announce)]


class Stranger:
    """A peer that does only what it is told."""

    def __init__(self, desk: Desk, number: int = 1, address: str = "10.0.0.7", key: bytes | None = None) -> None:
        self.desk = desk
        self.id = bytes([number]) * 16
        self.address = address
        self.port = 50000 + number
        self.key = key
        self.sequence = 0
        self.stream = 0

    @property
    def endpoint(self) -> neighbour.Endpoint:
        return neighbour.Endpoint(self.address, self.port)

    def beacon(self, port: int | None = None, address: str | None = None) -> None:
        datagram = Beacon(self.id, self.port if port is None else port, self.key).encode()
        self.desk.machine.heard_beacon(address or self.address, datagram, self.desk.now)
        self.desk.collect()

    def raw(self, *frames: bytes) -> None:
        """These bytes, whatever they are."""
        source = neighbour.Source(self.address, neighbour.Way(identity=b"\x01" + self.id), self.key)
        self.desk.machine.receive(source, list(frames), self.desk.now)
        self.desk.collect()

    def hello(
        self, *groups: str, status: int = 0, name: str = "stranger", headers: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.sequence = 1
        self.stream += 1
        self.raw(*encode(Hello(1, str(self.endpoint), groups, status, name, headers)))

    def say(self, message: Message) -> None:
        """A message with the number that it should have."""
        self.sequence = (self.sequence + 1) % 65536
        self.raw(*encode(replace(message, sequence=self.sequence)))

    def greet(self) -> None:
        """HELLO, and the answer to our PING."""
        self.hello()
        self.say(PingOk(0))

    def meet(self) -> None:
        """Everything that belongs to a meeting."""
        self.beacon()
        self.greet()

    @property
    def link(self) -> int | None:
        known = self.desk.machine.get(self.id)
        return None if known is None else known.line.link or None

    @property
    def phase(self) -> neighbour.Phase:
        known = self.desk.machine.get(self.id)
        return neighbour.Phase.AWAY if known is None else known.phase

    def lose(self) -> None:
        """The connection to it breaks."""
        assert self.link is not None
        self.desk.machine.lost(self.link, self.desk.now)
        self.desk.collect()


def alone(
    limits: neighbour.NeighbourLimits | None = None, *, address: str = "10.0.0.7", **more: Any
) -> tuple[Desk, Stranger]:
    """A desk and a stranger of which it has heard nothing."""
    desk = Desk(limits, **more)
    return desk, Stranger(desk, address=address)


def met(limits: neighbour.NeighbourLimits | None = None, **more: Any) -> tuple[Desk, Stranger]:
    """A desk and a stranger that it has met, and all that came of it until then is forgotten."""
    desk, stranger = alone(limits, **more)
    stranger.meet()
    desk.events()
    desk.actions.clear()
    return desk, stranger


def left(desk: Desk) -> list[neighbour.LossReason]:
    """Why peers were lost since we last asked."""
    return [event.why for event in desk.events() if isinstance(event, neighbour.PeerLeft)]


SAMPLES: tuple[Message, ...] = (Whisper(0, (b"w",)), Ping(0), PingOk(0), Unused(3, 0), Unused(9, 0))
