"""A simulated network of homes behind NATs: whoever can be called directly is, and everybody else is met over relays.

A wire between two members is opened by the one that can call the other: within one home, or from outside at an open
port. It carries signed messages, as a stream over a relay does. A NAT forgets wires without a word, so that each end
notices by silence alone, at its own time; meanwhile what is said is lost. Relays are those of relay_world.py.
"""

from dataclasses import dataclass

from extras.far.tests.relay_world import SILENT, Malice, Member, RelayedWorld
from quadrille.net.entries.terms import Terms
from tests.net.simulation import Peer, Weather, gather

CALM = Weather()
#: Milliseconds on a wire.
NEAR = 8


@dataclass(frozen=True)
class Homes:
    """Where the peers live, one after another; whose homes have an open port, and in thousandths how often in half a
    second a NAT forgets a wire, or a home gets another outside address and loses all.
    """

    lived_in: tuple[int, ...]
    opened: frozenset[int] = frozenset()
    forgets: int = 0
    moves: int = 0

    def of(self, number: int) -> int:
        return self.lived_in[number % len(self.lived_in)]


@dataclass(eq=False)
class Wire:
    """A direct connection, as both ends know it."""

    caller: bytes
    callee: bytes
    heard_at: dict[bytes, int]
    is_forgotten: bool = False  # a NAT on the way swallows everything

    def other(self, key: bytes) -> bytes:
        return self.callee if key == self.caller else self.caller


class HomeMember(Member):
    """A member that prefers wires."""

    world: "NatWorld"

    def __init__(self, world: "NatWorld", peer: Peer) -> None:
        super().__init__(world, peer)
        self.wires: dict[bytes, Wire] = {}

    def tick(self) -> None:
        own = self.peer.identity.key
        if self.lives:
            for key in list(self.wires):
                if self.world.now - self.wires[key].heard_at[own] >= SILENT:
                    self.unwire(key)
                else:
                    self.world.carry(self, key, b"")
            for key in self.places.keys() - self.wires.keys():
                if self.world.can_call(own, key):
                    self.world.wire(self, key)
        super().tick()

    def say(self, to: bytes, words: bytes) -> None:
        if to in self.wires:
            self.world.carry(self, to, words)
        else:
            super().say(to, words)

    def unwire(self, key: bytes) -> None:
        """The wire is gone, with what was on it: the lobby learns that even if a relay leads there."""
        if self.wires.pop(key, None) is not None and key in self.here:
            self.here.discard(key)
            self.world.do(self.peer, lambda lobby, at: lobby.went(key, at))
            self.look()

    def reached(self) -> set[bytes]:
        return super().reached() | self.wires.keys()


@dataclass
class Wires:
    """What has become of the wires of a world."""

    made: int = 0
    forgotten: int = 0
    carried: int = 0
    swallowed: int = 0


class NatWorld(RelayedWorld):
    """A world whose peers live in homes."""

    members: dict[bytes, HomeMember]  # type: ignore[assignment]

    def __init__(
        self, seed: str, terms: Terms, homes: Homes, malice: tuple[Malice, ...], weather: Weather = CALM
    ) -> None:
        super().__init__(seed, terms, malice, weather)
        self.homes = homes
        self.lives_in = {key: homes.of(number) for number, key in enumerate(self.peers)}
        self.wires = Wires()
        self.later(500, self.strike_nats)

    def member(self, peer: Peer) -> HomeMember:
        return HomeMember(self, peer)

    def can_call(self, caller: bytes, callee: bytes) -> bool:
        return self.lives_in[caller] == self.lives_in[callee] or self.lives_in[callee] in self.homes.opened

    def wire(self, caller: HomeMember, key: bytes) -> None:
        def answered() -> None:
            callee, own = self.members.get(key), caller.peer.identity.key
            if callee is None or not (caller.lives and callee.lives) or key in caller.wires or own in callee.wires:
                return
            made = Wire(own, key, {own: self.now, key: self.now})
            self.wires.made += 1
            caller.wires[key] = callee.wires[own] = made
            caller.look()
            callee.look()

        self.later(2 * NEAR, answered)

    def carry(self, sender: HomeMember, to: bytes, words: bytes) -> None:
        """Words by a wire; none are a sign of life."""
        own, wire = sender.peer.identity.key, sender.wires[to]
        if wire.is_forgotten or self.chance(self.weather.loss):
            self.wires.swallowed += bool(words)
            return

        def arrive() -> None:
            receiver = self.members.get(to)
            if receiver is None or not receiver.lives or receiver.wires.get(own) is not wire:
                self.later(NEAR, lambda: self.refused(sender, wire))  # nobody knows this wire there
                return
            wire.heard_at[to] = self.now
            if words:
                self.wires.carried += 1
                self.heard(receiver.peer, own, words)

        self.later(NEAR + self.dice.randrange(NEAR), arrive)

    def refused(self, sender: HomeMember, wire: Wire) -> None:
        to = wire.other(sender.peer.identity.key)
        if sender.lives and sender.wires.get(to) is wire:
            sender.unwire(to)

    def strike_nats(self) -> None:
        moved = {home for home in dict.fromkeys(self.lives_in.values()) if self.chance(self.homes.moves)}
        for wire in {id(wire): wire for member in self.members.values() for wire in member.wires.values()}.values():
            ends = {self.lives_in[wire.caller], self.lives_in[wire.callee]}
            if len(ends) > 1 and (ends & moved or self.chance(self.homes.forgets)):
                self.wires.forgotten += not wire.is_forgotten
                wire.is_forgotten = True
        self.later(500, self.strike_nats)


def behind_nats(seed: str, terms: Terms, homes: Homes, malice: tuple[Malice, ...], weather: Weather = CALM) -> NatWorld:
    """A game to its end."""
    world = NatWorld(seed, terms, homes, malice, weather)
    gather(world)
    world.run(world.settled, 400_000)
    return world
