"""Hostile bytes at any phase: dropped and counted, or a named parting; and honest peers never notice.

The promises of net/neighbourhood.py are checked after every step (tests/net/street.py, `check`).
"""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.neighbour import Limits, Phase, Said
from quadrille.net.zre import Beacon, Hello, Join, Message, Ping, PingOk, Shout, Unknown, Whisper, encode
from tests.net.strangers import Desk, Stranger
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
    desk.wait(1000)
    newcomer.say(PingOk(0))
    assert newcomer.phase is Phase.MET
    assert set(desk.machine.counts) <= REASONS


@given(st.data())
def test_any_bytes_at_any_time(data: st.DataObject) -> None:
    desk = Desk(Limits(peers=6, calls=6))
    honest = Stranger(desk, 100, "10.0.0.100")
    honest.meet("G")
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
                desk.machine.received(data.draw(st.binary(max_size=18)), data.draw(junk), "10.0.0.66", desk.now)
            case 7:
                desk.wait(data.draw(st.sampled_from([1, 300, 3000])))
        desk.collect()
    if honest.phase is not Phase.MET:  # so much time has passed
        honest.meet("G")
    honest_peers_are_well(desk, honest)


SESSION: tuple[Message, ...] = (
    Hello(1, "tcp://10.0.0.66:50001", ("G", "Größe"), 7, "Zoë", (("X-GAME", "quadrille"), ("empty", ""))),
    PingOk(2),
    Join(3, "H", 8),
    Shout(4, "G", (b"content",)),
    Whisper(5, (b"", b"two")),
    Whisper(6, (b"content",)),
    Unknown(10, 7),
    Ping(8),
)


def mutated(data: bytes, random: Random) -> bytes:
    """The bytes with one of the faults that break programs."""
    at = random.randrange(len(data) + 1)
    match random.randrange(6):
        case 0:
            return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at]
        case 2:
            return data[:at] + random.randbytes(random.randrange(1, 5)) + data[at:]
        case 3:
            return data[:at] + random.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x80"]) + data[at + 4 :]
        case 4:
            return data[:at] + data[at // 2 :]
        case _:
            return random.randbytes(random.randrange(64))


def hostile_session(desk: Desk, stranger: Stranger, random: Random) -> int:
    """A session with one or more mutations in it; how many."""
    mutations = 0
    beacon = Beacon(stranger.id, stranger.port).encode()
    for _ in range(2):
        desk.machine.heard_beacon(stranger.address, mutated(beacon, random), desk.now)
        mutations += 1
    stranger.beacon()
    for message in SESSION:
        frames = encode(message)
        if random.randrange(3) == 0:
            at = random.randrange(len(frames))
            frames[at] = mutated(frames[at], random)
            if random.randrange(8) == 0:
                frames = frames * random.randrange(4)
            mutations += 1
        stranger.raw(*frames)
    return mutations


def mutations(most: int, seed: int) -> None:
    random = Random(seed)
    done = 0
    desk = Desk()
    while done < most:
        honest = Stranger(desk, 100, "10.0.0.100")
        honest.meet()
        for _ in range(100):
            stranger = Stranger(desk, random.randrange(1, 60), "10.0.0.66")
            done += hostile_session(desk, stranger, random)
            desk.wait(20)
        honest_peers_are_well(desk, honest)
        desk.actions.clear()


@pytest.mark.parametrize("seed", range(3))
def test_2000_mutations_of_valid_sessions(seed: int) -> None:
    mutations(2000, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 102))
def test_40000_mutations_of_valid_sessions(seed: int) -> None:
    mutations(20_000, seed)
