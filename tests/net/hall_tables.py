"""Many tables at once in one simulated hall: whole lobbies (simulation.py) whose peers know each other by postings.

Between a lobby and the hall (hall_world.py) stands the real HallDesk; the resident of this file is its node. A guest
learns of a table by its host's posting, asks for a chair over a link that it seeks, and keeps that link. Everything
that a hall's liars do (hall_liars.py) happens meanwhile.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import Entries, Message, opened, sealed
from quadrille.net.hall.hall_wire import HALL_VERSION, Postings, hall_message, is_of_hall
from quadrille.net.neighbours.neighbour import Endpoint, LossReason, Trouble
from quadrille.net.neighbours.neighbour import Peer as NodePeer
from quadrille.net.program.hall_desk import HallDesk
from quadrille.net.trust.identity import peer_of
from quadrille.net.trust.proof import HALL_HEADER
from tests.net.hall_liars import LIARS
from tests.net.hall_world import HallPeer, HallWorld
from tests.net.simulation import Peer, Weather, World, seat

CALM = Weather()
#: Milliseconds until a call to somebody who is not there has failed.
UNANSWERED = 1500
#: Within so many tables are opened, one after another.
OPENED_WITHIN = 8000


class NobodyBlocked:
    """The store of a resident, as far as its desk reads it."""

    def rows(self, *_: object) -> list[Any]:
        return []


class Resident(HallPeer):
    """One life of a peer: the node that its desk has."""

    def __init__(self, tables: "HallTables", peer: Peer, number: int) -> None:
        self.tables, self.peer = tables, peer
        self.identity, self.number, self.key = peer.identity, number, peer.identity.key
        self.world = tables.hall
        self.here = self.honest = True
        self.sent = self.bytes = 0
        self.links: set[bytes] = set()
        self.calls: set[bytes] = set()
        self.woken_at = -1
        self.troubles: set[bytes] = set()
        assert peer.lobby is not None
        self.desk = HallDesk(
            self.identity,
            self,  # type: ignore[arg-type]
            peer.lobby,
            NobodyBlocked(),  # type: ignore[arg-type]
            tables.now,
            random=Random(tables.dice.word()),
            serial=tables.now,
        )
        self.hall = self.desk.machine

    # What its desk asks its node for

    def call_few_above(self, small: int) -> None:
        """The hall has its own beacons."""

    def where(self, peer: bytes) -> Endpoint | None:
        host = self.world.seen(peer)
        return None if host is None else Endpoint(host, 50_000)

    def count_heard(self) -> int:
        return len(self.world.peers) - 1

    def want(self, peers: frozenset[bytes], at_tables: frozenset[bytes], *, is_hall: bool) -> None:
        """It seeks those itself."""

    def trouble(self, peer: bytes) -> Trouble | None:
        return Trouble.SILENT if peer in self.troubles else None

    def seek(self, peer: bytes, places: Sequence[Endpoint]) -> None:
        other = self.world.by_peer.get(peer)
        if other is not None:
            self.troubles.discard(peer)
            self.world.dial(self, other)
        else:
            self.world.later(UNANSWERED, lambda: self.troubles.add(peer))

    def spare(self, peer: bytes) -> None:
        if (other := self.world.by_peer.get(peer)) is not None:
            self.world.part(self, other, broke=False)

    def whisper(self, peer: bytes, payload: bytes) -> bool:
        other = self.world.by_peer.get(peer)
        if other is None or other.key not in self.links:
            return False
        words: Any = hall_message(payload) if is_of_hall(payload) else payload
        self.world.later(self.world.random.randint(*self.world.delay), lambda: self.told_to(other.key, words))
        return True

    def told_to(self, key: bytes, words: Any) -> None:
        if not isinstance(words, bytes) or isinstance(self.world.peers.get(key), Resident):
            self.world.deliver(self, key, words)

    def places(self) -> list[Endpoint]:
        return [Endpoint(place.host, place.port) for place in self.own_places]

    # What the hall does to it

    @property
    def deadline(self) -> int:
        return self.desk.deadline

    def wants(self) -> Iterable[bytes]:
        return ()

    def told(self) -> list[Any]:
        return []

    def wake(self) -> None:
        self.tables.do(self.peer, lambda lobby, now: None)

    def met(self, key: bytes) -> None:
        self.troubles.discard(peer_of(key))
        there = NodePeer(peer_of(key), "", {HALL_HEADER: str(HALL_VERSION)}, frozenset(), "", None, True)
        self.tables.do(self.peer, lambda lobby, now: (lobby.came(key, now), self.desk.met(key, there, now)))

    def lost(self, key: bytes, *, broke: bool) -> None:
        why = LossReason.LOST if broke else LossReason.SPARED
        self.tables.do(self.peer, lambda lobby, now: lobby.went(key, now, self.desk.left(key, why, now)))

    def missed(self, key: bytes) -> None:
        self.troubles.add(peer_of(key))

    def receive(self, key: bytes, message: Any) -> None:
        if isinstance(message, bytes):
            author, words = opened(message)
            assert author == key
            self.tables.do(self.peer, lambda lobby, now: (lobby.receive(key, words, now), self.tables.act(self.peer)))
        else:
            self.tables.do(self.peer, lambda lobby, now: self.hall.receive(key, message, now))
            if isinstance(message, Postings):
                self.tables.check_postings(self, message)


class HallTables(World):
    """A hall of so many tables, where every tenth of the others lies."""

    def __init__(self, seed: str, tables: Sequence[Terms], weather: Weather = CALM, liars: int = 0) -> None:
        seats = sum(terms.seats for terms in tables)
        super().__init__(seed, tables[0], weather, others=seats - tables[0].seats)
        self.hall = HallWorld(seed, time=self.time)
        self.hall.numbers = seats
        self.residents: dict[bytes, Resident] = {}
        self.posted: set[tuple[bytes, bytes]] = set()
        peers = iter(self.peers.values())
        self.groups = [[next(peers) for _ in range(terms.seats)] for terms in tables]
        self.unsettled = list(self.groups)
        for number in range(liars):
            self.hall.start(LIARS[number % len(LIARS)])
        for peer in self.peers.values():
            self.start(peer)
        for group, terms in zip(self.groups, tables, strict=True):
            self.later(self.dice.randrange(OPENED_WITHIN), lambda group=group, terms=terms: seat(self, group, terms))

    def start(self, peer: Peer) -> None:
        super().start(peer)
        if peer.lobby is not None:
            number = list(self.peers).index(peer.identity.key)
            resident = self.residents[peer.identity.key] = Resident(self, peer, number)
            self.hall.enter(resident)

    def crash(self, peer: Peer, back: int | None) -> None:
        super().crash(peer, back)
        if (resident := self.residents.pop(peer.identity.key, None)) is not None:
            self.hall.end(resident, farewell=False)

    def meet(self, one: Peer, other: Peer) -> None:
        """Peers meet in the hall."""

    def part(self, one: Peer, other: Peer) -> None:
        """And part there."""

    def sever(self, one: Peer, other: Peer, time: int) -> None:
        """A link breaks; whoever wants it makes it anew."""
        ends = self.residents.get(one.identity.key), self.residents.get(other.identity.key)
        if ends[0] is not None and ends[1] is not None:
            self.hall.part(ends[0], ends[1], broke=True)

    def say(self, peer: Peer) -> None:
        super().say(peer)
        resident = self.residents.get(peer.identity.key)
        if resident is not None and peer.lobby is not None:
            resident.desk.wake(self.clock(peer))
            self.hall.after(resident)
            if (own := resident.hall.directory.get(resident.key)) is not None:
                self.posted.add((own.key, own.content))

    def check_postings(self, reader: Resident, message: Postings) -> None:
        """Nobody keeps a posting by an honest peer that it did not write."""
        for told, _ in message.rows:
            kept = reader.hall.directory.get(told.key)
            if kept is not None and kept.key in self.peers:
                assert (kept.key, kept.content) in self.posted, "a posting that another wrote"

    def send(self, peer: Peer, key: bytes, message: Message) -> None:
        if isinstance(message, Entries):
            self.check_said(message)
        resident = self.residents.get(peer.identity.key)
        if resident is not None:
            words = sealed(message, peer.identity)
            if not resident.whisper(peer_of(key), words):
                resident.desk.hold(key, words, self.clock(peer))

    def settled(self) -> bool:
        while self.unsettled:
            if not self.is_settled(self.unsettled[-1]):
                return False
            self.unsettled.pop()
        self.unsettled = [group for group in self.groups if not self.is_settled(group)]
        return not self.unsettled
