"""One neighbourhood, and peers that are nothing but bytes: for tests that say message by message what happens."""

from dataclasses import replace
from typing import Any

from quadrille.net.core.machine import drain
from quadrille.net.neighbours import neighbour
from quadrille.net.zeromq.zre import Beacon, Hello, Message, Ping, PingOk, Unused, Whisper, decode, encode
from tests.net.street import House, Street, Wire

ME = b"m" * 16
HERE = "10.0.0.1"
PORT = 50000


class Desk(Street):
    """A street of one house, of which we see and do everything."""

    def __init__(self, limits: neighbour.NeighbourLimits | None = None, **more: Any) -> None:
        super().__init__()
        self.actions: list[neighbour.Action] = []
        self.house = self.build("me", HERE, port=PORT, id=ME, limits=limits, **more)
        self.machine = self.house.machine
        self.run(0)

    def _perform(self, house: House) -> None:
        """Take out what the machine wants."""
        for action in drain(house.machine.outgoing):
            self.actions.append(action)
            match action:
                case neighbour.Dial(link, endpoint, _):
                    house.wires[link] = Wire(house, link, endpoint, 0)
                case neighbour.Close(link) if link < 0:
                    del house.wires[link]

    def collect(self) -> None:
        """Look at what came of it."""
        self.settle(self.house)

    def hears_of(self, peer: bytes, place: neighbour.Endpoint, by: "Stranger") -> None:
        """A peer tells of a third one."""
        self.machine.introduce(peer, place, None, by.id, self.now)
        self.collect()

    def events(self) -> list[neighbour.Event]:
        """What programs were told since we last asked."""
        return drain(self.house.events)

    def take(self, kind: type[neighbour.Action]) -> list[neighbour.Action]:
        """What of this kind was to be done since we last asked; all else is forgotten."""
        return [action for action in drain(self.actions) if isinstance(action, kind)]

    def dialled(self) -> list[neighbour.Endpoint]:
        return [action.endpoint for action in self.take(neighbour.Dial) if isinstance(action, neighbour.Dial)]

    def sent(self) -> list[Message]:
        return [decode(action.frames) for action in self.take(neighbour.Send) if isinstance(action, neighbour.Send)]

    def beacons(self) -> list[neighbour.Announce]:
        return [action for action in self.take(neighbour.Announce) if isinstance(action, neighbour.Announce)]


class Stranger:
    """A peer that does only what it is told."""

    def __init__(
        self, street: Street, number: int = 1, address: str = "10.0.0.7", key: bytes | None = None, id: bytes = b""
    ) -> None:
        self.street, self.house = street, street.houses[0]
        self.id = id or bytes([number]) * 16
        self.way = neighbour.NOWHERE
        self.address = address
        self.port = 50000 + number
        self.key = key
        self.sequence = 0

    @property
    def endpoint(self) -> neighbour.Endpoint:
        return neighbour.Endpoint(self.address, self.port)

    def beacon(self, port: int | None = None, address: str | None = None) -> None:
        datagram = Beacon(self.id, self.port if port is None else port, self.key).encode()
        self.house.machine.heard_beacon(address or self.address, datagram, self.street.now)
        self.street.settle(self.house)

    def raw(self, *frames: bytes) -> None:
        """These bytes, whatever they are."""
        source = neighbour.Source(self.address, self.way, b"\x01" + self.id, self.key)
        self.house.machine.receive(source, list(frames), self.street.now)
        self.street.settle(self.house)

    def hello(
        self, *groups: str, status: int = 0, name: str = "stranger", headers: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.sequence = 1
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
        known = self.house.machine.get(self.id)
        return None if known is None else known.line or None

    @property
    def phase(self) -> neighbour.Phase:
        known = self.house.machine.get(self.id)
        return neighbour.Phase.AWAY if known is None else known.phase

    def lose(self) -> None:
        """The connection to it breaks."""
        assert self.link is not None
        self.house.machine.lost(self.link, self.street.now)
        self.street.settle(self.house)


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
