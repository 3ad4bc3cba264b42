"""Hostile bytes at any phase: dropped and counted, or a named parting; and honest peers never notice.

The promises of net/neighbours/neighbours.py are checked after every step (tests/net/street.py, `check`).
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.net.neighbours.neighbour import Endpoint, NeighbourLimits, PeerMet, Phase, Said, Send, Source
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import Prover, SenderClaim, claim_of
from quadrille.net.zeromq.zre import Beacon, Hello, Message, Ping, PingOk, Whisper, decode, encode
from tests.net.street import Desk, Stranger, ours
from tests.net.test_zre import messages

#: All reasons there are to count something: none of them is made of foreign text, so that they stay few.
REASONS = {
    "no ZRE identity", "not wanted", "malformed", "before HELLO", "no beacon", "own echo", "beacon of another world",
    "no room", "content not in one frame", "said too much before it was met",
}  # fmt: skip


def honest_peers_are_well(desk: Desk, honest: Stranger) -> None:
    """The one that was there before is still there and heard, a new one is met."""
    desk.events()
    honest.say(Whisper(0, (b"still here",)))
    assert [event.payload for event in desk.events() if isinstance(event, Said)] == [b"still here"]
    newcomer = Stranger(desk, 200, "10.0.0.200")
    newcomer.meet()
    desk.run(1000)
    newcomer.say(PingOk(0))
    assert newcomer.phase is Phase.MET
    assert set(desk.machine.counts) <= REASONS


@settings(max_examples=25)
@given(st.data())
def test_any_bytes_at_any_time(data: st.DataObject) -> None:
    desk = Desk(NeighbourLimits(peers=6, calls=6))
    honest = Stranger(desk, 100, "10.0.0.100")
    honest.meet()
    hostile = [Stranger(desk, number, "10.0.0.66") for number in (1, 2, 3)]
    junk = st.lists(st.binary(max_size=60), max_size=3)
    for _ in range(data.draw(st.integers(1, 30))):
        stranger = data.draw(st.sampled_from(hostile))
        match data.draw(st.integers(0, 7)):
            case 0:
                desk.machine.heard_beacon(stranger.address, data.draw(st.binary(max_size=60)), desk.now)
            case 1:
                stranger.beacon(data.draw(st.sampled_from([0, 1, 50001, 65535])))
            case 2:
                stranger.hello("G", status=data.draw(st.integers(0, 255)))
            case 3:
                stranger.say(data.draw(messages))
            case 4:
                stranger.raw(*encode(data.draw(messages)))
            case 5:
                stranger.raw(*data.draw(junk))
            case 6:
                source = Source("10.0.0.66", 0, data.draw(st.binary(max_size=18)))
                desk.machine.receive(source, data.draw(junk), desk.now)
            case 7:
                desk.run(data.draw(st.sampled_from([1, 300, 3000])))
        desk.collect()
    if honest.phase is not Phase.MET:  # so much time has passed
        honest.meet()
    honest_peers_are_well(desk, honest)


ME, THEM = Identity(b"m" * 32), [Identity(bytes([number]) * 32) for number in range(1, 5)]


class Crossfire:
    """Peers that can prove their keys, and say everything at any time on any connection, in anybody's name."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        limits = NeighbourLimits(peers=3, calls=3, rivals=3, rivals_each=2)
        self.desk = Desk(limits, seeds=[Endpoint("10.0.0.3", 50003)], identity=ME)
        self.nonces: dict[int, bytes] = {}  # of the HELLOs that were sent on a connection or a link
        self.theirs: list[SenderClaim] = []  # of the HELLOs that have come

    def step(self) -> None:
        random, desk = self.random, self.desk
        who, connection = random.choice([*THEM, ME]), random.randrange(6)
        links = list(desk.house.wires) or [0]
        way = random.choice([connection, random.choice(links)])
        match random.randrange(10):
            case 9:
                self.meet(connection, who)
            case 0 | 1:
                self.nonces[way] = random.randbytes(16)
                headers = ours(who, random.choice([1, 2, 2, 2, 3])) | {"X-NONCE": self.nonces[way].hex()}
                if random.randrange(8) == 0:
                    headers["X-FULL"] = "64"
                at = f"tcp://10.0.0.{random.randrange(5)}:5000{random.randrange(5)}"
                self.say(way, who, Hello(1, at, (), 0, "x", tuple(headers.items())))
            case 2 | 3 if self.theirs:
                proof = Prover(who).proof(self.nonces.get(way, bytes(16)), random.choice(self.theirs[-4:]))
                self.say(way, who, Whisper(random.randrange(2, 5), (proof,)))
            case 4 | 5:
                self.say(way, who, random.choice([PingOk, Ping])(random.randrange(2, 5)))
            case 6:
                desk.machine.cut(connection, desk.now)
            case 7:
                port = random.choice([0, 50003, 5000 + random.randrange(5)])
                beacon = Beacon(who.peer, port).encode()
                desk.machine.heard_beacon(f"10.0.0.{random.randrange(5)}", beacon, desk.now)
            case _:
                link = random.choice(links)
                random.choice([desk.machine.connected, lambda one: desk.machine.lost(one, desk.now)])(link)
        self.look()
        desk.run(random.choice([0, 1, 1, 50, 500]))
        self.look()

    def meet(self, connection: int, who: Identity) -> None:
        """All that belongs to a meeting, up to a random point."""
        self.desk.machine.cut(connection, self.desk.now)
        nonce = self.nonces[connection] = self.random.randbytes(16)
        headers = ours(who) | {"X-NONCE": nonce.hex()}
        self.say(connection, who, Hello(1, "tcp://10.0.0.9:50009", (), 0, "x", tuple(headers.items())))
        self.look()
        proofs = [Prover(who).proof(nonce, claim) for claim in self.theirs[-2:]]
        rest = [Whisper(2 + number, (proof,)) for number, proof in enumerate(proofs)]
        for message in [*rest, PingOk(2 + len(rest))][: self.random.randrange(5)]:
            self.say(connection, who, message)

    def look(self) -> None:
        desk = self.desk
        desk.collect()
        for action in desk.actions:
            if isinstance(action, Send) and isinstance(hello := decode(action.frames), Hello):
                claim = claim_of(dict(hello.headers))
                self.theirs.append(claim)
        desk.actions.clear()

    def say(self, way: int, who: Identity, message: Message) -> None:
        address, machine, now = f"10.0.0.{self.random.randrange(5)}", self.desk.machine, self.desk.now
        machine.receive(Source(address, way, b"\1" + who.peer), encode(message), now)


@pytest.mark.first(1)
@pytest.mark.parametrize("seed", range(4))
def test_peers_that_prove_their_keys_say_anything_anywhere(seed: int) -> None:
    fire = Crossfire(seed)
    for _ in range(800):
        fire.step()
    assert any(isinstance(event, PeerMet) and event.peer.proved for event in fire.desk.events())
