"""Private rooms over real sockets: CURVE on every link, strangers get nothing, identities belong to keys."""

import socket
from collections.abc import Iterator

import pytest

from quadrille.net.core.errors import LocalError
from quadrille.net.link.node import Node, RoomLock
from quadrille.net.neighbours.neighbour import PeerLeft, PeerMet, Phase
from quadrille.net.zeromq.zre import Hello, Whisper, decode_beacon, encode
from tests.net.callers import dealer
from tests.net.keys import key_pair
from tests.net.party import Guest, Party
from tests.net.ports import tcp_port

EVE = b"r" * 16
HELLO = Hello(1, f"tcp://127.0.0.1:{tcp_port()}", (), 0, "bob", ())


class Room(Party):
    """A party whose guests have keys. `banned` are keys that nobody lets in."""

    def __init__(self) -> None:
        super().__init__()
        self.banned: set[bytes] = set()

    def enter(self, name: str, pair: tuple[bytes, bytes] | None = None, **options: object) -> tuple[Guest, bytes]:
        public, secret = pair or key_pair()
        lock = RoomLock(
            public, secret, allows=lambda key: key not in self.banned, certify=lambda peer, key: peer == key[:16]
        )
        options.setdefault("identity", public[:16])
        return self.invite(name, security=lock, **options), public


@pytest.fixture
def room() -> Iterator[Room]:
    with Room() as it:
        yield it


def test_four_meet_and_talk_and_know_each_others_keys(room: Room) -> None:
    guests = [room.enter(name) for name in ("ann", "bob", "cid", "dot")]
    room.until_all_met()
    (ann, ann_key), (bob, _), *_ = guests
    assert {met.peer.key for met in bob.of(PeerMet)} == {key for guest, key in guests if guest is not bob}
    bob.node.neighbours.whisper(ann.id, b"hello")
    room.until(ann.said)
    assert ann.said() == [("bob", b"hello")] and ann.id == ann_key[:16]


def test_beacons_carry_the_key_and_go_to_the_rooms_own_port(room: Room) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        ear.bind(("", room.port))
        ear.setblocking(False)
        ann, key = room.enter("ann")
        room.until(lambda: ann.node.neighbours.counts["own echo"])
        beacon = decode_beacon(ear.recv(100))
    assert (beacon.id, beacon.key, beacon.port) == (key[:16], key, ann.node.tcp_port)
    public, secret = key_pair()
    with pytest.raises(LocalError, match="5670 belongs to the open network"):
        Node(public[:16], "ann", {}, security=RoomLock(public, secret, lambda _: True))
    with pytest.raises(LocalError, match="a CURVE key has 32 bytes"):
        Node(public[:16], "ann", {}, port=room.port, security=RoomLock(public[:-1], secret, lambda _: True))


def test_whose_key_is_not_allowed_gets_nothing(room: Room) -> None:
    pair = key_pair()
    room.banned.add(pair[0])
    ann, _ = room.enter("ann")
    eve, _ = room.enter("eve", pair)
    room.enter("bob")
    room.until(lambda: "bob" in ann.peers())
    room.until(lambda: len(eve.node.neighbours.halfway()) == 2)
    room.until(lambda: not any(half.phase is Phase.GREETED for half in eve.node.neighbours.halfway()))
    assert ann.peers() == {"bob"} and not eve.peers() and not any(one.connected for one in eve.node.neighbours.all())


def test_who_has_no_key_at_all_gets_nothing(room: Room) -> None:
    ann, _ = room.enter("ann")
    bob, _ = room.enter("bob")
    open_node = room.invite("open")
    with dealer(ann.node.tcp_port, b"\x01" + EVE) as eve:
        for message in (HELLO, Whisper(2, (b"let me in",))):
            eve.send_multipart(encode(message))
        room.until(lambda: ann.peers() == {"bob"} and bob.peers() == {"ann"})
        room.until(lambda: ann.node.neighbours.counts["beacon of another world"] > 1)
        assert not ann.said() and not open_node.events and not open_node.node.neighbours.halfway()


def test_nobody_speaks_with_the_identity_of_another(room: Room) -> None:
    """Eve has a good key, and says that she is Bob."""
    ann, ann_key = room.enter("ann")
    bob, _ = room.enter("bob")
    room.until_all_met()
    keys = (*key_pair(), ann_key)
    with dealer(ann.node.tcp_port, b"01%s" % bob.id.hex().encode(), keys) as eve:
        for message in (HELLO, Whisper(2, (b"resign",))):
            eve.send_multipart(encode(message))
        room.until(lambda: ann.node.neighbours.counts["not wanted"] >= 2)
    with dealer(ann.node.tcp_port, b"\x01" + bob.id, keys) as eve:
        eve.send_multipart(encode(HELLO))
        room.until(lambda: ann.node.neighbours.counts["no ZRE identity"])
    assert not ann.said() and not ann.of(PeerLeft) and not bob.of(PeerLeft)
    bob.node.neighbours.whisper(ann.id, b"I am bob")
    room.until(ann.said)
    assert ann.said() == [("bob", b"I am bob")]


def test_an_identity_that_does_not_belong_to_its_key_is_not_met(room: Room) -> None:
    ann, _ = room.enter("ann")
    room.enter("liar", identity=b"liar" * 4)
    room.enter("bob")
    room.until(lambda: ann.peers() == {"bob"} and ann.node.neighbours.counts["not wanted"] > 1)
