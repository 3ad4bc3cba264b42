"""Nodes over real sockets within this machine: they meet, talk, lose each other, and survive what is thrown at them."""

import contextlib
import errno
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import zmq

from quadrille.net.core.errors import LocalError
from quadrille.net.link import caller
from quadrille.net.link.broadcast import Broadcast
from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import LossReason, PeerLeft, PeerMet
from quadrille.net.zeromq.sockets import prepare
from quadrille.net.zeromq.zre import Hello, Message, Ping, PingOk, decode, encode
from tests.net.party import PATIENCE, Party, meetings
from tests.net.ports import udp_port
from tests.net.programs import peer


def test_two_nodes_meet_and_talk(party: Party) -> None:
    zoe = party.invite("Zoë ✋", {"X-GAME": "quadrille", "schlüssel": "wert"})
    bob = party.invite("bob")
    party.until_all_met()
    [met] = bob.of(PeerMet)
    assert (met.peer.id, met.peer.headers) == (zoe.id, {"X-GAME": "quadrille", "schlüssel": "wert"})
    bob.node.neighbours.whisper(zoe.id, b"to you")
    party.until(zoe.said)
    assert zoe.said() == [("bob", b"to you")]


def test_a_turn_of_no_time_reads_what_has_come(party: Party) -> None:
    """Once it looked at the clock before the sockets, so that a program with other things to do heard nobody."""
    ann, bob = party.invite("ann"), party.invite("bob")
    end = time.monotonic() + PATIENCE
    while not (ann.of(PeerMet) and bob.of(PeerMet)) and time.monotonic() < end:
        for guest in (ann, bob):
            guest.events += guest.node.turn(0)
    assert ann.of(PeerMet) and bob.of(PeerMet)


def test_farewell_is_heard_and_last_words_are_delivered(party: Party) -> None:
    ann, bob = party.invite("ann"), party.invite("bob")
    party.until_all_met()
    for number in range(50):
        bob.node.neighbours.whisper(ann.id, bytes([number]))
    party.is_over(bob)
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


# Where broadcasts do not get through: nodes on different UDP ports


def test_seeds(party: Party) -> None:
    ann = party.invite("ann")
    party.invite("bob", port=udp_port(), seeds=[f"localhost:{ann.node.tcp_port}"])
    party.until_all_met()
    assert meetings(ann) == ["bob"]


@pytest.mark.parametrize("text", ["127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:x", "127.0.0.1:", "127.0.0.1:٣"])
def test_what_is_no_address(party: Party, text: str) -> None:
    with pytest.raises(LocalError, match="expected HOST or HOST:PORT"):
        party.invite("bob", seeds=[text])


@pytest.mark.parametrize("text", ["no.such.host.invalid", "no.such.host.invalid:5000", ".", "a" * 300])
def test_a_host_that_is_not_found(party: Party, text: str) -> None:
    with pytest.raises(LocalError, match="no machine called"):
        party.invite("bob", seeds=[text])


# What cannot be opened


def test_a_tcp_port_that_is_taken(party: Party) -> None:
    ann = party.invite("ann")
    with pytest.raises(LocalError, match=f"TCP port {ann.node.tcp_port} is taken"):
        party.invite("bob", tcp_port=ann.node.tcp_port)
    party.invite("cid")
    party.until_all_met()


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


def test_an_interface_that_does_not_exist(party: Party) -> None:
    with pytest.raises(LocalError, match=r'there is no interface "eth99" .*\(127\.0\.0\.1\)'):
        party.invite("bob", interfaces=["eth99"])


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


# Hostile peers


class Raw:
    """A peer made of bare sockets, which says whatever it is told."""

    def __init__(self, party: Party, identity: bytes = b"r" * 16) -> None:
        self.id = identity
        self.udp_port = party.port
        self.context = zmq.Context()
        self.router = self.context.socket(zmq.ROUTER)
        self.port = self.router.bind_to_random_port("tcp://127.0.0.1")
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.dealer: zmq.Socket[bytes] | None = None
        self.sequence = 0

    def dial(self, port: int) -> None:
        if self.dealer is not None:
            self.dealer.close(0)
        self.dealer = self.context.socket(zmq.DEALER)
        self.dealer.routing_id = b"\x01" + self.id
        self.dealer.connect(f"tcp://127.0.0.1:{port}")
        self.sequence = 0

    def send(self, *frames: bytes) -> None:
        assert self.dealer is not None
        self.sequence += 1
        self.dealer.send_multipart(frames)

    def hello(self) -> None:
        self.send(*encode(Hello(1, f"tcp://127.0.0.1:{self.port}", (), 0, "raw", ())))

    def datagram(self, data: bytes) -> None:
        self.udp.sendto(data, ("127.0.0.1", self.udp_port))

    def received(self) -> list[Message]:
        messages = []
        with contextlib.suppress(zmq.Again):
            while True:
                messages.append(decode(self.router.recv_multipart(zmq.NOBLOCK)[1:]))
        return messages

    def answer(self) -> None:
        """Answer every PING."""
        for message in self.received():
            if isinstance(message, Ping):
                self.send(*encode(PingOk(self.sequence + 1)))

    def close(self) -> None:
        self.udp.close()
        self.context.destroy(linger=0)


@pytest.fixture
def raw(party: Party) -> Iterator[Raw]:
    it = Raw(party)
    yield it
    it.close()


def meet(party: Party, raw: Raw, port: int) -> None:
    raw.dial(port)
    raw.hello()

    def met() -> bool:
        raw.answer()
        return all("raw" in guest.peers() for guest in party.guests if guest.node.tcp_port == port)

    party.until(met)


def test_a_message_that_is_too_long_cuts_only_its_sender(party: Party, raw: Raw) -> None:
    ann, bob = party.invite("ann"), party.invite("bob")
    party.until_all_met()
    meet(party, raw, ann.node.tcp_port)
    raw.send(bytes(128 * 1024))
    raw.router.close(0)
    party.until(lambda: ann.of(PeerLeft))
    bob.node.neighbours.whisper(ann.id, b"still here")
    party.until(ann.said)


def test_a_node_that_can_open_no_more_sockets_goes_on_and_meets_later(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    party.invite("ann")
    refused = []

    def refuse(connection: socket.socket) -> None:
        refused.append(connection)
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as no_more:
        no_more.setattr(caller, "prepare", refuse)
        bob = party.invite("bob")
        party.until(lambda: refused and bob.node.neighbours.halfway())
    party.until_all_met()
