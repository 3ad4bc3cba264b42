"""Machines as one test drives them all: pairs of each kind, the network between them, and the contract they keep."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgpack

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import Machine, drain
from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Answer, Head, Offer, Words, opened, sealed
from quadrille.net.hall.hall import Hall
from quadrille.net.hall.hall_limits import SMALL
from quadrille.net.hall.hall_wire import Digest, hall_bytes, hall_message
from quadrille.net.hall.posting import HallPlace
from quadrille.net.neighbours.link_queue import Announce, Dial, Send, SendBack
from quadrille.net.neighbours.neighbour import Endpoint, Source, Way
from quadrille.net.neighbours.neighbourhood import Neighbourhood
from quadrille.net.private_room.door import INSIDE, Door
from quadrille.net.program.reliable_stream import ReliableStream
from quadrille.net.seating.gathering import Gathering
from quadrille.net.seating.gathering_phases import BEGUN
from quadrille.net.seating.lobby import Lobby
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import GAME_HEADER, KEY_HEADER, SPEAKS_HEADER, Prover
from tests.net.doors import curve, door
from tests.net.simulation import MemoryShelf
from tests.net.tables import TABLE, begun, identity, terms
from tests.net.virtual_time import VirtualTime

Call = Callable[[Any, int], object]
TERMS = terms("maze", 2, {"size": 3})


class Driven:
    """A machine with its driver, which looks at the contract of net/core/machine.py after each call."""

    def __init__(self, kind: "Kind", number: int) -> None:
        self.kind, self.number = kind, number
        self.machine: Machine[Any, Any, Any, Any] = kind.make(number)
        self.calls: list[tuple[Call, int, object]] = []
        self.sent: list[Any] = []

    def do(self, call: Call, now: int) -> None:
        self.calls.append((call, now, self._outcome(call, now)))
        self.sent += self.calls[-1][2][1]  # type: ignore[index]
        assert isinstance(self.machine.deadline, int)
        if now < self.machine.deadline:
            self.machine.wake(now)
            assert (self.machine.outgoing, self.machine.events) == ([], []), "nothing is due before the deadline"

    def _outcome(self, call: Call, now: int) -> tuple[object, ...]:
        wrong = ""
        try:
            call(self.machine, now)
        except PeerError as error:
            wrong = str(error)
        return wrong, drain(self.machine.outgoing), drain(self.machine.events)

    def wake(self, now: int) -> None:
        """At the deadline; to wake it again at once changes nothing."""
        self.do(lambda machine, at: machine.wake(at), now)
        assert self.machine.deadline >= now, "the deadline stays in the past"
        self.machine.wake(now)
        assert (self.machine.outgoing, self.machine.events) == ([], []), "woken twice at one time"

    def repeat(self) -> None:
        """The same calls at the same times give the same, message for message."""
        twin = Driven(self.kind, self.number)
        for call, now, outcome in self.calls:
            assert twin._outcome(call, now) == outcome


class Kind:
    """A kind of machine, and how two of them talk: most by messages that are signed and named by keys."""

    def make(self, number: int) -> Machine[Any, Any, Any, Any]:
        """The first or the second of a pair."""
        raise NotImplementedError

    def begin(self, number: int) -> Call:
        """What the program does first."""
        return lambda machine, now: None

    def act(self, number: int, machine: Any) -> Call | None:
        """What the program does whenever something has happened."""
        return None

    def encode(self, number: int, sent: Any) -> bytes | None:
        """What goes to the other one, as bytes; None if it is for others."""
        key, message = sent
        return sealed(message, identity(number + 1)) if key in (None, identity(2 - number).key) else None

    def hear(self, number: int, data: bytes) -> Call:
        """Bytes from the other one."""
        author, message = opened(data)
        return lambda machine, now: machine.receive(author, message, now)

    def strange(self) -> Call:
        """A message from somebody who has nothing to say there."""
        return lambda machine, now: machine.receive(identity(9).key, Head(TABLE, 7, bytes(32)), now)

    def done(self, machine: Any) -> bool:
        """Whether it has come as far as it can."""
        raise NotImplementedError


class Gatherings(Kind):
    def make(self, number: int) -> Gathering:
        host = identity(1).key
        gathering = Gathering(TABLE, host, TERMS, identity(number + 1), 0, entropy=Random(number).randbytes)
        if number == 0:
            gathering.sit(Chair(host, "host", "bot"))
        return gathering

    def begin(self, number: int) -> Call:
        return lambda machine, now: machine.ask("guest", "bot") if number else None

    def act(self, number: int, machine: Gathering) -> Call | None:
        is_full = machine.phase == "open" and len(machine.chairs) == 2
        return (lambda one, now: one.start(now)) if is_full else None

    def strange(self) -> Call:
        return lambda machine, now: machine.receive(identity(9).key, Answer(TABLE, True, ""), now)

    def done(self, machine: Gathering) -> bool:
        return machine.phase is BEGUN


class Tables(Kind):
    def make(self, number: int) -> Table:
        return Table(begun(TERMS), identity(number + 1), MemoryShelf(identity(number + 1).key), 0)

    def begin(self, number: int) -> Call:
        return lambda machine, now: machine.came(identity(2 - number).key, now)

    def act(self, number: int, machine: Table) -> Call | None:
        if not machine.is_my_turn:
            return None
        move = str(next(iter(machine.view.moves)))
        return lambda one, now: one.play(move, now)

    def done(self, machine: Table) -> bool:
        return len(machine.log.entries) > 8 or machine.over is not None


class Lobbies(Kind):
    def make(self, number: int) -> Lobby:
        own = identity(number + 1)
        return Lobby(own, f"name {number}", "bot", MemoryShelf(own.key), entropy=Random(number).randbytes)

    def begin(self, number: int) -> Call:
        def first(lobby: Lobby, now: int) -> None:
            lobby.came(identity(2 - number).key, now)
            if number == 0:
                lobby.host(TERMS, b"nonce", now)

        return first

    def act(self, number: int, machine: Lobby) -> Call | None:
        offers = [offer for peer in machine.peers.values() for offer in peer.tables]
        if number and offers and not machine.gatherings and not machine.tables:
            return lambda lobby, now: lobby.join(offers[0], now)
        if any(one.hosts and one.phase == "open" and len(one.chairs) == 2 for one in machine.gatherings.values()):
            return start
        return None

    def done(self, machine: Lobby) -> bool:
        return bool(machine.tables)


def start(lobby: Lobby, now: int) -> None:
    for gathering in list(lobby.gatherings.values()):
        gathering.start(now)
    lobby.flush(now)


class Streams(Kind):
    """Bytes both ways, more than fit into one message."""

    def make(self, number: int) -> ReliableStream:
        return ReliableStream(TABLE)

    def begin(self, number: int) -> Call:
        return lambda machine, now: machine.say(bytes([number]) * 70_000, now)

    def encode(self, number: int, sent: Words) -> bytes:
        return sealed(sent, identity(number + 1))

    def strange(self) -> Call:
        return lambda machine, now: machine.receive(b"", Words(TABLE, 0, 2**40, b"", 0), now)

    def done(self, machine: ReliableStream) -> bool:
        return machine.heard == 70_000 and machine.unheard == 0


class Doors(Kind):
    """Two peers of a private room, who know the passphrase."""

    def make(self, number: int) -> Door:
        return door(identity(number + 1), run=number + 1)

    def begin(self, number: int) -> Call:
        other = identity(2 - number)
        headers = door(other, run=2 - number).headers
        return lambda machine, now: machine.hello(curve(other), other.peer, headers, now)

    def encode(self, number: int, sent: tuple[bytes, bytes]) -> bytes | None:
        return sent[1] if sent[0] == identity(2 - number).peer else None

    def hear(self, number: int, data: bytes) -> Call:
        return lambda machine, now: machine.receive(curve(identity(2 - number)), data, now)

    def strange(self) -> Call:
        return lambda machine, now: machine.receive(curve(identity(9)), b"\x04", now)

    def done(self, machine: Door) -> bool:
        return any(machine.state(curve(identity(number)), 0) is INSIDE for number in (1, 2))


class Neighbourhoods(Kind):
    """Two nodes that find each other by beacons, and prove their keys."""

    def make(self, number: int) -> Neighbourhood:
        own: Identity = identity(number + 1)
        marks = {GAME_HEADER: "quadrille/1", SPEAKS_HEADER: "2", KEY_HEADER: own.key.hex()}
        port, random = 5000 + number, Random(number)
        return Neighbourhood(
            own.peer, f"name {number}", marks, port=port, facing=address_of(number), random=random, prover=Prover(own)
        )

    def begin(self, number: int) -> Call:
        return lambda machine, now: machine.wake(now)

    def encode(self, number: int, sent: Any) -> bytes | None:
        match sent:
            case Announce(datagram):
                return bytes(msgpack.packb(("beacon", datagram)))
            case Dial(link):
                return bytes(msgpack.packb(("call", link)))
            case Send(link, frames):
                return bytes(msgpack.packb(("there", link, frames)))
            case SendBack(connection, frames):
                return bytes(msgpack.packb(("back", connection, frames)))
        return None

    def hear(self, number: int, data: bytes) -> Call:
        other, address = identity(2 - number), f"10.0.0.{2 - number}"
        match msgpack.unpackb(data):
            case "beacon", datagram:
                return lambda machine, now: machine.heard_beacon(address, datagram, now)
            case "there", link, frames:
                there = Source(address, Way(link, 0, b"\1" + other.peer))
                return lambda machine, now: machine.receive(there, frames, now)
            case "back", link, frames:
                return lambda machine, now: machine.receive(Source(address, Way(link=link)), frames, now)
        return lambda machine, now: None

    def strange(self) -> Call:
        return lambda machine, now: machine.receive(Source("10.0.0.9", Way(9, 0, b"\1" + bytes(16))), [b"junk"], now)

    def done(self, machine: Neighbourhood) -> bool:
        return len(machine.peers()) == 1 and machine.peers()[0].proved


class Halls(Kind):
    """Two peers that know of many others by their beacons, and each of one table."""

    def make(self, number: int) -> Hall:
        machine = Hall(identity(number + 1), Random(number), 1000)
        machine.others = 2 * SMALL
        return machine

    def begin(self, number: int) -> Call:
        own = identity(number + 1).key
        offer = Offer(TABLE, own, TERMS, (Chair(own, "host", "bot"),), "open", 0).plain()

        def first(machine: Hall, now: int) -> None:
            machine.post((HallPlace("10.0.0.1", 5000),), f"name {number}", "bot", (offer,), now)
            machine.came(identity(2 - number).key, now)

        return first

    def encode(self, number: int, sent: Any) -> bytes | None:
        key, message = sent
        return hall_bytes(message) if key == identity(2 - number).key else None

    def hear(self, number: int, data: bytes) -> Call:
        message = hall_message(data)
        return lambda machine, now: machine.receive(identity(2 - number).key, message, now)

    def strange(self) -> Call:
        return lambda machine, now: machine.receive(identity(9).key, Digest(bytes(512)), now)

    def done(self, machine: Hall) -> bool:
        return len(list(machine.directory.all_shown())) == 2


def address_of(number: int) -> Callable[[str], str]:
    return lambda _: str(Endpoint(f"10.0.0.{number + 1}", 0).host)


KINDS: dict[type, Kind] = {
    Gathering: Gatherings(),
    Table: Tables(),
    Lobby: Lobbies(),
    ReliableStream: Streams(),
    Door: Doors(),
    Neighbourhood: Neighbourhoods(),
    Hall: Halls(),
}


def run(kind: Kind, most: int = 20_000) -> list[Driven]:
    """Two machines of a kind, until both have come as far as they can. Time passes when nothing is on its way."""
    time = VirtualTime()
    time.now = 1000
    pair = [Driven(kind, number) for number in (0, 1)]

    def call(one: Driven, what: Call) -> None:
        one.do(what, time.now)
        while (act := kind.act(one.number, one.machine)) is not None:
            one.do(act, time.now)
        for sent in drain(one.sent):
            if isinstance(sent, Dial):  # the link stands at once
                one.do(lambda machine, now, link=sent.link: machine.reached(link), time.now)
                one.do(lambda machine, now, link=sent.link: machine.connected(link), time.now)
            if (data := kind.encode(one.number, sent)) is not None:
                other = pair[1 - one.number]
                time.later(3, lambda other=other, data=data: call(other, kind.hear(other.number, data)))

    for one in pair:
        call(one, kind.begin(one.number))
        call(one, kind.strange())
    end = time.now + most
    while not all(kind.done(one.machine) for one in pair):
        assert time.now < end, [one.machine for one in pair]
        due = min(end, *(one.machine.deadline for one in pair))
        if not time.step(due):
            time.now = max(time.now, due)
        for one in pair:
            if one.machine.deadline <= time.now:
                one.wake(time.now)
                call(one, lambda machine, at: None)
    for one in pair:
        call(one, kind.strange())
    return pair
