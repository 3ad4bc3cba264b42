"""Nodes over real sockets within this machine: they meet, talk, lose each other, and survive what is thrown at them."""

import contextlib
import errno
import signal
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import zmq

from quadrille.net.core.errors import LocalError
from quadrille.net.link import caller
from quadrille.net.link.broadcast import _refusal
from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import Joined, LeftGroup, LossReason, NeighbourLimits, PeerLeft, PeerMet
from quadrille.net.zeromq.zre import Beacon, Hello, Message, Ping, PingOk, Whisper, decode, encode
from tests.net.party import PATIENCE, Party, meetings
from tests.net.ports import tcp_port, udp_port
from tests.net.programs import peer
from tests.net.test_zre import HELLO_BYTES


@pytest.fixture
def party() -> Iterator[Party]:
    with Party() as it:
        yield it


def test_two_nodes_meet_and_talk(party: Party) -> None:
    zoe = party.invite("Zoë ✋", {"X-GAME": "quadrille", "schlüssel": "wert"})
    zoe.node.join("größe")
    bob = party.invite("bob")
    party.until_all_met()
    [met] = bob.of(PeerMet)
    assert (met.peer.id, met.peer.headers) == (zoe.id, {"X-GAME": "quadrille", "schlüssel": "wert"})
    party.until(lambda: bob.of(Joined))
    bob.node.shout("größe", b"to all")
    bob.node.whisper(zoe.id, b"to you")
    party.until(lambda: len(zoe.said()) == 2)
    assert zoe.said() == [("bob", "größe", b"to all"), ("bob", None, b"to you")]
    zoe.node.leave("größe")
    party.until(lambda: bob.of(LeftGroup))
    assert bob.node.shout("größe", b"to nobody") == 0


def test_a_turn_of_no_time_reads_what_has_come(party: Party) -> None:
    """Once it looked at the clock before the sockets, so that a program with other things to do heard nobody."""
    ann, bob = party.invite("ann"), party.invite("bob")
    end = time.monotonic() + PATIENCE
    while not (ann.of(PeerMet) and bob.of(PeerMet)) and time.monotonic() < end:
        for guest in (ann, bob):
            guest.events += guest.node.turn(0)
    assert ann.of(PeerMet) and bob.of(PeerMet)


def test_many_meet(party: Party) -> None:
    """By all the interfaces that this machine has."""
    for number in range(8):
        party.invite(f"guest {number}", interfaces=None)
    party.until_all_met()
    assert all(len(guest.of(PeerMet)) == 7 and not guest.of(PeerLeft) for guest in party.guests)


def test_farewell_is_heard_and_last_words_are_delivered(party: Party) -> None:
    ann, bob = party.invite("ann"), party.invite("bob")
    party.until_all_met()
    for number in range(50):
        bob.node.whisper(ann.id, bytes([number]))
    party.is_over(bob)
    party.until(lambda: ann.of(PeerLeft))
    assert ann.of(PeerLeft)[0].why is LossReason.LEFT
    assert [payload for _, _, payload in ann.said()] == [bytes([number]) for number in range(50)]


def test_whoever_closes_can_start_again_with_the_same_identity_and_port(party: Party) -> None:
    port = tcp_port()
    ann, bob = party.invite("ann"), party.invite("bob", tcp_port=port)
    party.until_all_met()
    party.is_over(bob)
    party.until(lambda: not ann.peers())
    again = party.invite("bob", identity=bob.id, tcp_port=port)
    party.until_all_met()
    assert meetings(ann) == ["bob", "bob"] and again.node.tcp_port == port


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


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no program can be stopped here")
@pytest.mark.slow
def test_n1_a_stopped_program_is_noticed_as_soon_as_a_cut_cable(party: Party) -> None:
    """No heartbeat of the wire says so, and its system still confirms what is sent: ZRE's own PING does it."""
    ann = party.invite("ann")
    bob = peer("bob", party.port, "interface=127.0.0.1")
    try:
        party.until(lambda: ann.peers() == {"bob"})
        bob.process.send_signal(signal.SIGSTOP)
        party.until(lambda: ann.of(PeerLeft))
        [left] = ann.of(PeerLeft)
        assert left.why is LossReason.SILENT
        bob.process.send_signal(signal.SIGCONT)
        party.until(lambda: len(ann.of(PeerMet)) == 2)
    finally:
        bob.process.send_signal(signal.SIGCONT)
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


def test_a_seed_that_comes_later(party: Party) -> None:
    port = tcp_port()
    bob = party.invite("bob", port=udp_port())
    bob.node.seed(f"127.0.0.1:{port}")
    party.until(lambda: bob.node.halfway())
    party.invite("ann", tcp_port=port)
    party.until_all_met()


def test_peers_introduce_peers(party: Party) -> None:
    ann = party.invite("ann")
    bob, cid = (
        party.invite(name, port=udp_port(), seeds=[f"127.0.0.1:{ann.node.tcp_port}"]) for name in ("bob", "cid")
    )
    party.until(lambda: len(ann.peers()) == 2)
    for contact in ann.node.contacts(bob.id):
        bob.node.introduce(contact, ann.id)
    party.until_all_met()
    assert meetings(cid) == ["ann", "bob"]


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


def test_ports_that_the_system_keeps_to_itself() -> None:
    assert "choose a port from 1024 up" in _refusal(PermissionError(13, "Permission denied"), 80)
    assert "nobody can be heard at UDP port 80: Too many" in _refusal(OSError(24, "Too many open files"), 80)


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


def test_only_chosen_interfaces_are_heard(party: Party) -> None:
    ann = party.invite("ann", interfaces=["127.0.0.1"])
    party.invite("bob", interfaces=["127.0.0.1"])
    party.until_all_met()
    assert [met.peer.address for met in ann.of(PeerMet)] == ["127.0.0.1"]
    assert ann.node.troubles == {}


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


DATAGRAMS = [b"ZRE", Beacon(b"c" * 16, 5, b"k" * 32).encode(), b"\xff" * 1000, b"", b"ZRE\x01" + bytes(17)]
FRAMES = [
    [HELLO_BYTES[:-1]],
    [HELLO_BYTES.replace(b"Zo\xc3\xab", b"Zo\xff\xff")],
    [HELLO_BYTES.replace(b"tcp://10.0.0.1:49152", b"junk junk junk junk!")],
    [HELLO_BYTES.replace(b"\0\0\0\x02\0\0\0\x01A", b"\xff\xff\xff\xff\0\0\0\x01A")],
    [bytes.fromhex("aaa1 04 02 0003 0141 09")],  # JOIN, status 9 where 1 is due
    [bytes.fromhex("aaa1 02 02 0003")],  # WHISPER without content
    [bytes.fromhex("aaa1 0a 02 0003 ffff")],  # GOODBYE
    [bytes.fromhex("aaa1 02 02 0009"), b"x"],  # numbers 3 to 8 are missing
    [b""],
    [b"\xaa\xa1"],
    [b"x" * 60_000, *[b"y"] * 100],
]
GOES_ON = {5, 6}


@pytest.mark.parametrize("datagram", DATAGRAMS)
def test_datagrams_that_end_other_nodes(party: Party, raw: Raw, datagram: bytes) -> None:
    ann = party.invite("ann", interfaces=["127.0.0.1"])
    party.until(lambda: ann.node.counts["own echo"])
    raw.datagram(datagram)
    bad = ("no beacon", "beacon of another world")
    party.until(lambda: sum(ann.node.counts[reason] for reason in bad) or ann.node.halfway())
    party.invite("bob")
    party.until_all_met()


@pytest.mark.parametrize("case", range(len(FRAMES)))
def test_messages_that_end_other_nodes(party: Party, raw: Raw, case: int) -> None:
    ann, bob = party.invite("ann"), party.invite("bob")
    party.until_all_met()
    meet(party, raw, ann.node.tcp_port)
    raw.send(*FRAMES[case])
    if case in GOES_ON:
        raw.send(*encode(Whisper(raw.sequence + 1, (b"and on",))))
        party.until(lambda: ann.said() == [("raw", None, b"and on")])
    else:
        party.until(lambda: ann.of(PeerLeft))
        assert ann.of(PeerLeft)[0].why in (LossReason.BROKE, LossReason.GAPS)
    bob.node.whisper(ann.id, b"still here")
    party.until(lambda: ann.said()[-1:] == [("bob", None, b"still here")])
    assert ann.peers() >= {"bob"} and not bob.of(PeerLeft)


def test_a_message_that_is_too_long_cuts_only_its_sender(party: Party, raw: Raw) -> None:
    ann, bob = party.invite("ann"), party.invite("bob")
    party.until_all_met()
    meet(party, raw, ann.node.tcp_port)
    raw.send(bytes(128 * 1024))
    raw.router.close(0)
    party.until(lambda: ann.of(PeerLeft))
    bob.node.whisper(ann.id, b"still here")
    party.until(ann.said)


def test_a_message_of_very_many_frames_cuts_only_its_sender(party: Party, raw: Raw) -> None:
    ann, bob = party.invite("ann"), party.invite("bob")
    party.until_all_met()
    meet(party, raw, ann.node.tcp_port)
    raw.send(*encode(Whisper(3, (b"x",) * 50_000)))
    party.until(lambda: ann.of(PeerLeft))
    assert (ann.of(PeerLeft)[0].why, ann.of(PeerLeft)[0].detail) == (LossReason.BROKE, "a message of too many frames")
    bob.node.whisper(ann.id, b"still here")
    party.until(ann.said)


def test_a_flood_is_ended_and_others_are_heard(party: Party, raw: Raw) -> None:
    ann = party.invite("ann", limits=NeighbourLimits(messages_a_second=1, burst=500))
    bob = party.invite("bob")
    party.until_all_met()
    meet(party, raw, ann.node.tcp_port)
    for number in range(900):
        raw.send(*encode(Whisper(number + 3, (b"flood",))))
    party.until(lambda: ann.of(PeerLeft))
    assert ann.of(PeerLeft)[0].why is LossReason.FLOODED
    bob.node.whisper(ann.id, b"still here")
    party.until(lambda: ann.said()[-1][2] == b"still here")


def test_whom_a_program_bans(party: Party) -> None:
    ann, bob = party.invite("ann"), party.invite("bob")
    party.until_all_met()
    ann.node.ban(bob.id, 3_600_000)
    party.until(lambda: ann.of(PeerLeft))
    assert ann.of(PeerLeft)[0].why is LossReason.BANNED
    party.until(lambda: ann.node.counts["not wanted"])
    assert not ann.peers()


def test_a_connection_that_says_nothing_disturbs_nobody(party: Party) -> None:
    ann = party.invite("ann")
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(socket.create_connection(("127.0.0.1", ann.node.tcp_port)))
        party.invite("bob")
        party.until_all_met()


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
        party.until(lambda: refused and bob.node.halfway())
    party.until_all_met()


def test_281_joins_and_leaves_arrive(party: Party) -> None:
    ann, bob = party.invite("ann"), party.invite("bob")
    party.until_all_met()
    for number in range(281):
        bob.node.join(f"g{number}")
        bob.node.leave(f"g{number}")
        ann.events += ann.node.turn(0)
    party.until(lambda: len(ann.of(LeftGroup)) == 281)
    assert len(ann.of(Joined)) == 281 and not ann.of(PeerLeft)


def test_messages_across_the_wrap(party: Party) -> None:
    """Both are told that 65,400 were said before; in test_neighbourhood_talk.py and test_pyre.py they are."""
    many = NeighbourLimits(messages_a_second=100_000, burst=100_000)
    ann, bob = party.invite("ann", limits=many), party.invite("bob", limits=many)
    party.until_all_met()
    said, heard = bob.node._machine._known.get(ann.id), ann.node._machine._known.get(bob.id)
    assert said is not None and heard is not None and said.sent == heard.want
    said.sent = heard.want = 65_400
    for number in range(300):
        assert bob.node.whisper(ann.id, number.to_bytes(4, "big"))
    party.until(lambda: len(ann.said()) == 300)
    assert [payload for _, _, payload in ann.said()] == [number.to_bytes(4, "big") for number in range(300)]
    assert len(ann.of(PeerMet)) == 1 and not ann.of(PeerLeft)
    assert said.sent == heard.want == 65_400 + 300 - 65_536
