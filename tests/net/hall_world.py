"""Halls of many peers in virtual time: whole `Hall` machines, links that come and go, and peers that lie.

Only sockets, clocks and beacons are left out: a newcomer hears 25 beacons a second, as in a hall of any size. A failing
run is repeated by its seed.
"""

from collections.abc import Callable, Iterable
from random import Random

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Offer
from quadrille.net.hall.directory import DirectoryLimits
from quadrille.net.hall.few_links import FEW
from quadrille.net.hall.hall import Hall
from quadrille.net.hall.hall_limits import SMALL
from quadrille.net.hall.hall_wire import HallMessage, hall_bytes
from quadrille.net.hall.posting import HallPlace
from quadrille.net.trust.identity import Identity
from tests.net.tables import terms
from tests.net.virtual_time import VirtualTime

TERMS = terms("maze", 2, {"size": 3})
#: Milliseconds between two beacons that a newcomer hears, and until a link is made.
HEARS_EVERY = 40
MEETING = 30


class HallPeer:
    """A peer of a hall; a liar replaces `receive` and `outgoing`."""

    def __init__(self, world: "HallWorld", number: int, limits: DirectoryLimits | None) -> None:
        self.identity = Identity(number.to_bytes(32, "big"))
        self.number = number
        self.key = self.identity.key
        self.world = world
        self.here = True
        self.honest = True
        self.sent = self.bytes = 0
        self.links: set[bytes] = set()
        self.calls: set[bytes] = set()
        self.woken_at = -1
        self.hall = Hall(self.identity, Random(world.random.random()), world.now, seen=world.seen, limits=limits)

    @property
    def own_places(self) -> tuple[HallPlace, ...]:
        return (HallPlace(f"10.0.{self.number >> 8 & 255}.{self.number & 255}", 50_000),)

    def offer(self, count: int = 1, state: str = "open") -> list[tuple[object, ...]]:
        chair = Chair(self.key, f"p{self.number}", "bot")
        names = [bytes([index]) + self.key[:15] for index in range(count)]
        return [Offer(name, self.key, TERMS, (chair,), state, 0).plain() for name in names]

    def post(self, tables: int = 0) -> None:
        self.hall.post(self.own_places, f"p{self.number}", "bot", self.offer(tables), self.world.now)
        self.world.after(self)

    def receive(self, key: bytes, message: HallMessage) -> None:
        self.hall.receive(key, message, self.world.now)

    def told(self) -> list[tuple[bytes, HallMessage]]:
        said, self.hall.outgoing = self.hall.outgoing, []
        self.hall.events.clear()
        return said

    # Called by the world; in hall_tables.py a peer has more to do then

    @property
    def deadline(self) -> int:
        return self.hall.deadline

    def wants(self) -> Iterable[bytes]:
        return self.hall.chosen

    def wake(self) -> None:
        self.hall.others = len(self.world.peers) - 1
        self.hall.wake(self.world.now)

    def met(self, key: bytes) -> None:
        self.hall.came(key, self.world.now)

    def lost(self, key: bytes, *, broke: bool) -> None:
        self.hall.went(key, self.world.now, broke=broke)

    def missed(self, key: bytes) -> None:
        self.hall.unreachable(key, self.world.now)

    def shows(self, key: bytes, tables: int = 1) -> bool:
        posting = self.hall.directory.shown(key)
        return posting is not None and len(posting.words.tables) == tables


class HallWorld:
    """Peers, links, messages under way, and what time it is."""

    def __init__(
        self,
        seed: str,
        limits: DirectoryLimits | None = None,
        *,
        measures_bytes: bool = False,
        time: VirtualTime | None = None,
    ) -> None:
        self.random = Random(seed)
        self.time = time or VirtualTime()
        self.limits = limits
        self.peers: dict[bytes, HallPeer] = {}
        self.by_peer: dict[bytes, HallPeer] = {}
        self.numbers = 0
        self.delay = (5, 50)
        self.measures_bytes = measures_bytes
        self.blamed: set[bytes] = set()
        self.make: Callable[[HallWorld, int, DirectoryLimits | None], HallPeer] = HallPeer

    def seen(self, peer: bytes) -> str | None:
        """A beacon of every peer that is there has been heard by all."""
        one = self.by_peer.get(peer)
        return one.own_places[0].host if one is not None else None

    @property
    def now(self) -> int:
        return self.time.now

    def later(self, delay: int, action: Callable[[], None]) -> None:
        self.time.later(delay, action)

    def run(self, milliseconds: int) -> None:
        end = self.now + milliseconds
        while self.time.step(end):
            pass
        self.time.now = end

    def until(self, done: Callable[[], bool], most: int, step: int = 100) -> int:
        """The milliseconds until it is done."""
        start = self.now
        while not done():
            assert self.now - start < most, f"not done after {most} ms"
            self.run(step)
        return self.now - start

    # Peers

    def start(self, kind: Callable[..., HallPeer] | None = None, tables: int = 0) -> HallPeer:
        self.numbers += 1
        peer = (kind or HallPeer)(self, self.numbers, self.limits)
        self.enter(peer)
        peer.post(tables)
        return peer

    def enter(self, peer: HallPeer) -> None:
        self.peers[peer.key] = self.by_peer[peer.identity.peer] = peer
        for other in self.peers.values():
            other.hall.others = len(self.peers) - 1
        self.listen(peer, Random(self.random.random()))

    def listen(self, peer: HallPeer, random: Random) -> None:
        """It hears a beacon now and then, and calls while it has few links; in a small room everybody is called."""
        others = [other for other in self.peers.values() if other is not peer and other.here]
        if not peer.here or not others:
            return
        if len(others) <= SMALL:
            for other in others:
                self.dial(peer, other)
            return
        if len(peer.links | peer.calls) < FEW:
            self.dial(peer, others[random.randrange(len(others))])
        self.later(HEARS_EVERY if len(peer.links) < FEW else 1000, lambda: self.listen(peer, random))

    def dial(self, one: HallPeer, other: HallPeer) -> None:
        if other.key in one.links or other.key in one.calls or one is other:
            return
        one.calls.add(other.key)

        def meet() -> None:
            one.calls.discard(other.key)
            if one.here and other.here and other.key not in one.links:
                for here, there in ((one, other), (other, one)):
                    here.links.add(there.key)
                    here.met(there.key)
                    self.after(here)
            elif one.here and not other.here:
                one.missed(other.key)
                self.after(one)

        self.later(MEETING + self.random.randrange(20), meet)

    def part(self, one: HallPeer, other: HallPeer, *, broke: bool) -> None:
        for here, there in ((one, other), (other, one)):
            if there.key in here.links:
                here.links.discard(there.key)
                if here.here:
                    here.lost(there.key, broke=broke)
                    self.after(here)

    def end(self, peer: HallPeer, *, farewell: bool = True) -> None:
        """Its program ends, with a farewell or killed."""
        if farewell:
            peer.hall.leave(self.now)
            self.after(peer)
        peer.here = False
        del self.peers[peer.key], self.by_peer[peer.identity.peer]
        for key in sorted(peer.links):
            if key in self.peers:
                self.later(
                    50, lambda key=key: self.part(peer, self.peers[key], broke=True) if key in self.peers else None
                )  # type: ignore[misc]

    # Messages

    def after(self, peer: HallPeer) -> None:
        """Deliver what it says, make the links that it wants, and wake it when it is due."""
        for key, message in peer.told():
            if key not in peer.links:
                continue
            peer.sent += 1
            if self.measures_bytes:
                peer.bytes += len(hall_bytes(message))
            self.later(
                self.random.randint(*self.delay), lambda key=key, message=message: self.deliver(peer, key, message)
            )  # type: ignore[misc]
        for key in sorted({*peer.wants()} - peer.links - peer.calls):
            if key in self.peers:
                self.dial(peer, self.peers[key])
            else:
                self.later(1500, lambda key=key: self.missed(peer, key))  # type: ignore[misc]
        due = max(peer.deadline, self.now + 1)
        if peer.woken_at <= self.now or due < peer.woken_at:
            peer.woken_at = due
            self.later(due - self.now, lambda: self.wake(peer, due))

    def missed(self, peer: HallPeer, key: bytes) -> None:
        if peer.here and key in peer.hall.chosen and key not in self.peers:
            peer.missed(key)
            self.after(peer)

    def wake(self, peer: HallPeer, due: int) -> None:
        if peer.here and peer.woken_at == due:
            peer.wake()
            self.after(peer)

    def deliver(self, sender: HallPeer, key: bytes, message: HallMessage) -> None:
        receiver = self.peers.get(key)
        if receiver is None or sender.key not in receiver.links:
            return
        try:
            receiver.receive(sender.key, message)
        except PeerError:
            self.blamed.add(sender.key)
            if sender.honest and receiver.honest:
                raise
        self.after(receiver)
        if sender.key in receiver.links and receiver.hall.is_spare(sender.key):
            self.part(receiver, sender, broke=False)

    # What is looked at

    def honest(self) -> list[HallPeer]:
        return [peer for peer in self.peers.values() if peer.honest]

    def know(self, hosts: list[HallPeer], tables: int = 1) -> bool:
        """Whether every honest peer shows these hosts with so many tables."""
        return all(peer.shows(host.key, tables) for peer in self.honest() for host in hosts)

    def rates(self, seconds: int) -> tuple[float, float]:
        """Messages that a peer sends in a second: on average, and at most."""
        for peer in self.peers.values():
            peer.sent = peer.bytes = 0
        self.run(seconds * 1000)
        sent = [peer.sent / seconds for peer in self.honest()]
        return sum(sent) / len(sent), max(sent)
