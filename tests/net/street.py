"""A street: many neighbourhoods, hosts, cables and virtual time, so that discovery can be watched without sockets.

It plays the part of net/link/node.py and of the network: datagrams reach who is on the same segment, links connect
where a host can be reached, no wall is in the way, and somebody listens; both ends learn when one closes. After every
step the promises of net/neighbours/neighbours.py are checked.

And one house with peers that are nothing but bytes: for tests that say message by message what happens.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any, Literal

from quadrille.net.core.machine import drain
from quadrille.net.neighbours import neighbour
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import GAME_HEADER, KEY_HEADER, SPEAKS_HEADER, Prover
from quadrille.net.zeromq.zre import Beacon, Hello, Message, Ping, PingOk, Unused, Whisper, decode, encode
from tests.net.network import CALM, Network, Weather, check_contract

DELAY = 2
MARKS = {GAME_HEADER: "quadrille/1", SPEAKS_HEADER: "3"}
NOTICED = 4500  # a cable that is pulled: what stays unconfirmed for so long breaks its link


#: What becomes of those that call a house. One that "drops" hears no datagram either.
Wall = Literal["", "refuses", "swallows", "drops"]


@dataclass
class Wire:
    """A link that is open at its caller's end."""

    caller: "House"
    link: int
    endpoint: neighbour.Endpoint
    number: int  # as its callee knows it
    callee: "House | None" = None
    is_open: bool = True


@dataclass(eq=False)
class House:
    """A node with its addresses. A segment is named by the first three numbers of an IPv4 address on it, or by the
    index of a link-local one.
    """

    name: str
    addresses: tuple[str, ...]
    machine: Neighbours
    certificate: bytes | None = None
    is_up: bool = True
    wall: Wall = ""
    wires: dict[int, Wire] = field(default_factory=dict)
    accepted: dict[int, Wire] = field(default_factory=dict)
    events: list[neighbour.Event] = field(default_factory=list)
    met: set[bytes] = field(default_factory=set)

    @property
    def id(self) -> bytes:
        return self.machine.me

    def peers(self) -> set[str]:
        return {peer.name for peer in self.machine.peers()}

    def losses(self) -> list[neighbour.LossReason]:
        """Why it has lost peers."""
        return [event.why for event in self.events if isinstance(event, neighbour.PeerLeft)]


def segment(address: str) -> str:
    return address.rpartition("%" if "%" in address else ".")[2 if "%" in address else 0]


class Street(Network):
    """All houses, and what is on its way between them; the weather is that of datagrams."""

    def __init__(self, seed: int = 1, weather: Weather = CALM) -> None:
        super().__init__(f"street {seed}", weather)
        self.now = 1000
        self.random = Random(seed)
        self.houses: list[House] = []
        self.deaf: set[str] = set()  # segments without broadcasts
        self.pulled: set[House] = set()
        self.dials = 0
        self._numbers = 0
        self.announced: Counter[str] = Counter()
        self.outsiders: dict[int, Any] = {}  # by their connections: they hear frames, and are cut

    def build(
        self,
        name: str,
        *addresses: str,
        port: int = 0,
        id: bytes | None = None,
        seeds: Iterable[neighbour.Endpoint] = (),
        key: bytes | None = None,
        identity: Identity | None = None,
        wall: Wall = "",
        **more: Any,
    ) -> House:
        """With an identity it is a program of our kind that proves its links, with a key one of a private room."""
        machine = Neighbours(
            identity.peer if identity else id or self.random.randbytes(16),
            name,
            {"X-HOUSE": name} | (ours(identity) if identity else MARKS if key else {}),
            port=port or self.random.randrange(49152, 65536),
            facing=lambda host: next((own for own in addresses if segment(own) == segment(host)), addresses[0]),
            random=self.random,
            key=key,
            prover=Prover(identity) if identity else None,
            **more,
        )
        for seed in seeds:
            machine.seed(seed)
        house = House(name, addresses, machine, key, wall=wall)
        self.houses.append(house)
        self.settle(house)
        return house

    def kill(self, house: House) -> None:
        """The process ends without a word; the system closes its sockets."""
        house.is_up = False
        self.houses.remove(house)
        for wire in [*house.wires.values(), *self._wires_to(house)]:
            self._break(wire)

    def leave(self, house: House) -> None:
        house.machine.close()
        self._perform(house)
        self.kill(house)

    def pull(self, house: House) -> None:
        """Its cable: nothing passes, and it is noticed late."""
        self.pulled.add(house)
        for wire in [*house.wires.values(), *self._wires_to(house)]:
            self.later(NOTICED, lambda wire=wire: self._break(wire))

    def plug(self, house: House) -> None:
        self.pulled.discard(house)

    def _wires_to(self, house: House) -> list[Wire]:
        return [wire for one in self.houses for wire in one.wires.values() if wire.callee is house]

    def _break(self, wire: Wire) -> None:
        if wire.is_open:
            wire.is_open = False
            self.later(1, lambda: self._lost(wire))

    def _lost(self, wire: Wire) -> None:
        self._tell_callee(wire)
        if wire.caller.is_up and wire.link in wire.caller.wires:
            end = neighbour.CallEnd.REFUSED if wire.callee is None else neighbour.CallEnd.UNANSWERED
            wire.caller.machine.lost(wire.link, self.now, end)
            self.settle(wire.caller)

    def _tell_callee(self, wire: Wire) -> None:
        if wire.callee is not None and wire.callee.is_up and wire.number in wire.callee.accepted:
            del wire.callee.accepted[wire.number]
            wire.callee.machine.cut(wire.number, self.now)
            self.settle(wire.callee)

    def sleepers(self) -> Iterable[tuple[Neighbours, Callable[[], None]]]:
        return ((house.machine, partial(self.settle, house)) for house in self.houses)

    # What houses do

    def settle(self, house: House) -> None:
        """Do what the machine wants, look at what it says, and check that it keeps its promises."""
        self._perform(house)
        for event in house.machine.events:
            house.events.append(event)
            match event:
                case neighbour.PeerMet(peer):
                    assert peer.id not in house.met
                    house.met.add(peer.id)
                case neighbour.PeerLeft(peer):
                    house.met.remove(peer.id)
                case neighbour.Doubled():
                    pass
                case _:
                    assert event.peer.id in house.met
        house.machine.events.clear()
        check(house)
        check_contract(house.machine, self.now)

    def _perform(self, house: House) -> None:
        for action in house.machine.outgoing:
            match action:
                case neighbour.Dial(link, endpoint, key):
                    self.dials += 1
                    self._numbers += 1
                    wire = house.wires[link] = Wire(house, link, endpoint, self._numbers)
                    self.later(DELAY, lambda wire=wire, key=key: self._connect(wire, key))
                case neighbour.Send(number, frames) if number in self.outsiders:
                    self.outsiders[number].hear(frames)
                case neighbour.Close(number) if number in self.outsiders:
                    self.outsiders[number].cut()
                case neighbour.Send(link, frames) if link in house.wires:
                    wire = house.wires[link]
                    self.later(2 * DELAY, lambda wire=wire, frames=frames: self._arrive(wire, frames))
                case neighbour.Send(number, frames) if number in house.accepted:
                    wire = house.accepted[number]
                    self.later(2 * DELAY, lambda wire=wire, frames=frames: self._come_back(wire, frames))
                case neighbour.Close(link) if link < 0:
                    wire = house.wires.pop(link)
                    self.later(3 * DELAY, lambda wire=wire: self._end(wire))  # what is on its way still arrives
                case neighbour.Close(number):
                    if wire := house.accepted.pop(number, None):
                        self.later(2 * DELAY, lambda wire=wire: self._break(wire))
                case neighbour.Announce(datagram, hosts, by_ipv6):
                    self._announce(house, datagram, hosts, by_ipv6=by_ipv6)
        house.machine.outgoing.clear()

    def _end(self, wire: Wire) -> None:
        wire.is_open = False
        if not {wire.caller, wire.callee} & self.pulled:
            self._tell_callee(wire)

    def _announce(self, house: House, datagram: bytes, hosts: tuple[str, ...], *, by_ipv6: bool) -> None:
        has_ipv4 = any("%" not in own for own in house.addresses)
        for own in house.addresses:
            if "%" in own and has_ipv4 and not by_ipv6:
                continue
            self.announced["IPv6" if "%" in own else "IPv4"] += 1
            for other in self.houses:
                near = segment(own) not in self.deaf and any(segment(own) == segment(far) for far in other.addresses)
                for _ in range(self.copies() if near or set(hosts) & set(other.addresses) else 0):
                    self.later(DELAY, lambda other=other, own=own: self._hear(house, other, own, datagram))

    def _hear(self, house: House, other: House, address: str, datagram: bytes) -> None:
        if other.is_up and other.wall != "drops" and not {house, other} & self.pulled:
            other.machine.heard_beacon(address, datagram, self.now)
            self.settle(other)

    def _connect(self, wire: Wire, key: bytes | None) -> None:
        if not wire.caller.is_up or wire.caller in self.pulled:
            return
        there = [one for one in self.houses if wire.endpoint.host in one.addresses and one not in self.pulled]
        callee = next((one for one in there if one.machine.port == wire.endpoint.port), None)
        if callee is not None and callee.wall in ("swallows", "drops"):
            return
        if callee is None or callee.wall or callee.certificate != key:
            self._break(wire)
        elif wire.is_open:
            wire.callee = callee
            callee.accepted[wire.number] = wire
            wire.caller.machine.connected(wire.link)
            self.settle(wire.caller)

    def _arrive(self, wire: Wire, frames: list[bytes]) -> None:
        callee = wire.callee
        if not wire.is_open or callee is None or not callee.is_up or {callee, wire.caller} & self.pulled:
            return
        own = next((own for own in wire.caller.addresses if segment(own) == segment(wire.endpoint.host)), None)
        address = own or wire.caller.addresses[0]
        stream, certificate = b"\x01" + wire.caller.id, wire.caller.certificate
        callee.machine.receive(neighbour.Source(address, wire.number, stream, certificate), frames, self.now)
        self.settle(callee)

    def _come_back(self, wire: Wire, frames: list[bytes]) -> None:
        if wire.is_open and wire.caller.is_up and not {wire.callee, wire.caller} & self.pulled:
            wire.caller.machine.receive(neighbour.Source(wire.endpoint.host, wire.link), frames, self.now)
            self.settle(wire.caller)

    def introduce(self, house: House, by: House) -> None:
        """What two programs of our own kind do with a message between them."""
        for peer in by.machine.peers():
            if (place := by.machine.introducible(peer.id, house.id)) is not None and peer.id != house.id:
                house.machine.introduce(peer.id, place, peer.key, by.id, self.now)
                self.settle(house)


def all_met(*houses: House) -> bool:
    """Whether each has met all the others, and nobody else."""
    return all(house.peers() == {other.name for other in houses if other is not house} for house in houses)


def ours(identity: Identity, speaks: int = 3) -> dict[str, str]:
    """The headers of a program of our kind."""
    return MARKS | {KEY_HEADER: identity.key.hex(), SPEAKS_HEADER: str(speaks)}


def check(house: House) -> None:
    """What net/neighbours/neighbours.py promises, whatever has arrived."""
    machine, limits = house.machine, house.machine.limits
    everybody, rivals = list(machine.all()), machine._rivals
    known = [one for one in everybody if one not in rivals]
    called = [one for one in known if one.line < 0]
    assert len({one.line for one in called}) == len({one.at for one in called}) == len(called)
    answered = [one for one in everybody if one.line > 0]
    assert len({one.line for one in answered}) == len(answered) and not any(one.at for one in answered)
    assert machine._lines == {one.line: one for one in (*called, *answered)}
    assert all(one.line > 0 and one.peer is None for one in rivals) and len(rivals) <= limits.rivals
    assert {one.line for one in called} == house.wires.keys()
    named = [one for one in known if one.id is not None]
    assert len(named) <= limits.peers + limits.calls
    assert sum(one.hello is not None for one in named) <= limits.peers
    assert all(one.peer is None and machine._prover for one in known if one.id == machine.me)
    assert len({one.seed for one in known if one.seed}) == sum(one.seed is not None for one in known)
    assert len(machine._bans) <= 1024
    assert all(1 <= len(one.contacts) <= 8 and len(one.held) <= limits.held for one in known)
    assert all(one.is_called and one.hello is not None for one in known if one.peer is not None)
    assert all(one.proved for one in known if one.peer is not None and one.claim is not None)
    assert {peer.id for peer in machine.peers()} == house.met


# Message by message

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
