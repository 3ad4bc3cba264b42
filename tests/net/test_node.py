"""Nodes over real sockets within this machine: they meet, talk, lose each other, and survive what is thrown at them."""

import contextlib
import errno
import socket
import threading
import time

import pytest

from quadrille.net.core.errors import LocalError
from quadrille.net.link import node
from quadrille.net.link.broadcast import Broadcast
from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import LossReason, PeerLeft, PeerMet
from quadrille.net.zeromq.sockets import prepare
from tests.net.party import PATIENCE, Party
from tests.net.ports import udp_port
from tests.net.programs import peer


def test_a_turn_of_no_time_reads_what_has_come(party: Party) -> None:
    """Once it looked at the clock before the sockets, so that a program with other things to do heard nobody."""
    ann, bob = party.invite("ann"), party.invite("bob")
    end = time.monotonic() + PATIENCE
    while not (ann.of(PeerMet) and bob.of(PeerMet)) and time.monotonic() < end:
        for guest in (ann, bob):
            guest.events += guest.node.turn(0)
    assert ann.of(PeerMet) and bob.of(PeerMet)


def test_farewell_is_heard_and_last_words_are_delivered(party: Party) -> None:
    ann, bob = party.meet("ann", "bob")
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


@pytest.mark.parametrize("text", ["no.such.host.invalid", "no.such.host.invalid:5000", ".", "a" * 300])
def test_a_host_that_is_not_found(party: Party, text: str) -> None:
    with pytest.raises(LocalError, match="no machine called"):
        party.invite("bob", seeds=[text])


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
