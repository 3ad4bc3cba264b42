"""Nodes over real sockets within this machine: they meet, talk, lose each other, and survive what is thrown at them.

In private rooms: CURVE on every link, strangers get nothing, identities belong to keys.
"""

import contextlib
import errno
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from quadrille.net.core.errors import LocalError
from quadrille.net.core.machine import now as clock
from quadrille.net.link import node
from quadrille.net.link.broadcast import Broadcast
from quadrille.net.link.node import Node, RoomLock
from quadrille.net.neighbours.neighbour import LossReason, PeerLeft, PeerMet, Phase
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import Prover
from quadrille.net.zeromq.sockets import prepare
from quadrille.net.zeromq.zre import Hello, Whisper, decode_beacon, encode
from tests.net.callers import dealer
from tests.net.party import PATIENCE, Guest, Party
from tests.net.ports import tcp_port, udp_port
from tests.net.programs import peer
from tests.net.street import ours
from tests.net.zmtp import key_pair


def test_a_turn_of_no_time_reads_what_has_come(party: Party) -> None:
    """Once it looked at the clock before the sockets, so that a program with other things to do heard nobody."""
    ann, bob = party.invite("ann"), party.invite("bob")
    end = time.monotonic() + PATIENCE
    while not (ann.of(PeerMet) and bob.of(PeerMet)) and time.monotonic() < end:
        for guest in (ann, bob):
            guest.events += guest.node.turn(0)
    assert ann.of(PeerMet) and bob.of(PeerMet)


def test_farewell_is_heard_and_last_words_are_delivered_however_late_a_busy_machine_reads_them(party: Party) -> None:
    own = {name: Identity(bytes([number]) * 32) for number, name in enumerate(("ann", "bob"), 1)}
    for name, one in own.items():
        party.invite(name, ours(one), identity=one.peer, prover=Prover(one))
    party.until_all_met()
    ann, bob = party.guests
    for number in range(50):
        bob.node.neighbours.whisper(ann.id, bytes([number]))
    party.is_over(bob)
    ann.node._hear_beacons(0, clock())
    ann.node.neighbours.wake(clock() + 1000)
    party.until(lambda: ann.of(PeerLeft))
    assert ann.of(PeerLeft)[0].why is LossReason.LEFT
    assert [payload for _, payload in ann.said()] == [bytes([number]) for number in range(50)]


def test_a_killed_process_is_noticed_by_its_connection(party: Party) -> None:
    """At once, that is, and not only when nothing has been heard of it for long."""
    ann = party.invite("ann")
    bob = peer("bob", party.port, "interface=127.0.0.1")
    try:
        party.until(lambda: ann.peers() == {"bob"})
        bob.process.kill()
        party.until(lambda: ann.of(PeerLeft))
        assert ann.of(PeerLeft)[0].why is LossReason.LOST
    finally:
        bob.kill()


def test_another_thread_can_wake_a_node(party: Party) -> None:
    ann = party.invite("ann")
    ann.node.turn(0)
    waker = threading.Thread(target=ann.node.wake_up)
    start = time.monotonic()
    waker.start()
    assert ann.node.turn(1_000_000) == []
    waker.join()
    assert time.monotonic() - start < 500, "it only returned when its time was over"
    party.is_over(ann)
    ann.node.wake_up()
    ann.node.close()


@pytest.mark.parametrize("text", ["no.such.host.invalid", "no.such.host.invalid:5000", ".", "a" * 300])
def test_a_host_that_is_not_found(party: Party, text: str) -> None:
    with pytest.raises(LocalError, match="no machine called"):
        party.invite("bob", seeds=[text])


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_a_tcp_port_that_is_taken(party: Party, family: socket.AddressFamily) -> None:
    with contextlib.ExitStack() as until_tried:
        try:
            other = until_tried.enter_context(node._listener(family, 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
        taken = other.getsockname()[1]
        with pytest.raises(LocalError, match=f"TCP port {taken} is taken by another program"):
            party.invite("ann", tcp_port=taken)
    party.meet("bob", "cid")


def test_a_udp_port_that_is_not_shared(party: Party) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as selfish:
        selfish.bind(("", 0))
        port = selfish.getsockname()[1]
        with pytest.raises(LocalError, match=f"UDP port {port} is taken by a program that does not share it"):
            party.invite("bob", port=port)


def test_a_connection_that_was_reset_before_it_got_its_options_fails_nobody() -> None:
    class Reset(socket.socket):
        def setsockopt(self, *_: object) -> None:
            raise OSError(22, "Invalid argument")

    with Reset() as reset:
        prepare(reset)
        assert not reset.getblocking()


def test_ports_that_the_system_keeps_to_itself() -> None:
    own = Broadcast(80, None)
    with contextlib.closing(own):
        assert "choose a port from 1024 up" in str(own._refusal(PermissionError(13, "Permission denied")))
        assert "nobody can be heard at UDP port 80: Too many" in str(own._refusal(OSError(24, "Too many open files")))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"identity": b"short"}, "16 bytes, not 5"),
        ({"headers": {"k": "v" * 5000}}, "longer than 4096 bytes"),
        ({"name": "n" * 256}, "256 bytes"),
    ],
)
def test_what_cannot_be_said_about_oneself(options: dict[str, object], says: str) -> None:
    with pytest.raises(LocalError, match=says):
        Node(**({"identity": b"i" * 16, "name": "n", "headers": {}, "port": udp_port()} | options))  # type: ignore[arg-type]


def test_a_node_that_can_open_no_more_sockets_goes_on_and_meets_later(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    party.invite("ann")
    refused = []

    def refuse(connection: socket.socket) -> None:
        refused.append(connection)
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as no_more:
        no_more.setattr(node, "prepare", refuse)
        bob = party.invite("bob")
        party.until(lambda: refused and bob.node.neighbours.halfway())
    party.until_all_met()


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
