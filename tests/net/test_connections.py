"""Connections of a node under strangers and cuts, with plain sockets and with pyzmq.

The version of libzmq stands in what fails, since it was libzmq that ended programs (N1) and took their memory (N2).
"""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from select import select

import pytest
import zmq
from zmq.utils import z85

from quadrille.net.core import doorkeeper
from quadrille.net.core.machine import now as clock
from quadrille.net.link.node import RoomLock
from quadrille.net.neighbours.neighbour import Close, NeighbourLimits, PeerLeft, PeerMet, Send
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import Prover
from quadrille.net.zeromq import connection, libzmq
from quadrille.net.zeromq.connection import MOST_UNSENT
from quadrille.net.zeromq.zre import MOST_FRAME_BYTES, Hello, Ping, PingOk, Whisper, encode
from tests.net.callers import HOST, LONG_FRAME, Stranger, dealer, hello, strangers
from tests.net.party import Guest, Party
from tests.net.ports import tcp_port
from tests.net.street import ours
from tests.net.zmtp import COMMAND, MORE, CurveClient, bodies, frame, key_pair, message, opening, ping
from tests.waiting import DEADLINE, soon

VERSION = f"libzmq {zmq.zmq_version()}"
EVE = b"e" * 16
FEW = NeighbourLimits(strangers_a_second=1, strangers_burst=20, stranger_a_second=1, stranger_burst=10)


def accepted_by(guest: Guest) -> list[int]:
    """The numbers of the connections that others made."""
    return [number for number in guest.node._lines._open if number > 0]


def connections(guest: Guest) -> int:
    return len(accepted_by(guest))


def bob_is_heard(party: Party, ann: Guest, bob: Guest) -> None:
    before = len(ann.said())
    bob.node.neighbours.whisper(ann.id, b"still here")
    party.until(lambda: ("bob", b"still here") in ann.said()[before:])
    assert not bob.of(PeerLeft) and "bob" in ann.peers(), VERSION


def opens(party: Party, eve: Stranger) -> None:
    """The greeting and READY, either way."""
    eve.say(opening(EVE))
    party.until(eve.is_answered)


@contextlib.contextmanager
def opened(party: Party, at: Guest) -> Iterator[Stranger]:
    """A stranger whose connection is open."""
    with strangers(at.node.tcp_port, 1) as [eve]:
        opens(party, eve)
        yield eve


HELLO = hello(tcp_port())
#: What a stranger has said when it is cut off: within the opening, or after it.
BEFORE = {"before the greeting": [], "within the greeting": [opening(EVE)[:37]], "within READY": [opening(EVE)[:80]]}
AFTER = {
    "opened": [],
    "after HELLO": [HELLO],
    "within a frame": [HELLO, LONG_FRAME[:500]],
    "within a message": [HELLO, LONG_FRAME],
    "a second of the same identity": [HELLO],
    "twenty thousand small messages": [HELLO, b"\x00\x01x" * 20_000],
}


@pytest.mark.parametrize("rudely", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("state", [*BEFORE, *AFTER])
def test_a_cut_in_each_state_of_a_connection(party: Party, state: str, *, rudely: bool) -> None:
    ann, bob = party.meet("ann", "bob")
    for turns in (0, 1, 5):
        eve = Stranger(ann.node.tcp_port)
        if state in AFTER:
            opens(party, eve)
        for said in {**BEFORE, **AFTER}[state]:
            eve.say(said)
        if "second" in state:
            with opened(party, ann) as second:
                second.say(HELLO)
                eve.say(message(*encode(Ping(2))))
        for _ in range(turns):
            ann.events += ann.node.turn(0)
        eve.cut(rudely=rudely)
        bob_is_heard(party, ann, bob)
    party.until(lambda: connections(ann) == 1 and not ann.node._exchange.held)


def test_two_connections_of_one_identity_are_never_mixed(party: Party) -> None:
    """The newest HELLO wins; what the first connection says then is not counted in the second's stream."""
    ann = party.invite("ann")
    party.until(lambda: ann.node.neighbours.counts["own echo"])
    port = tcp_port()
    with socket.create_server((HOST, port)), strangers(ann.node.tcp_port, 2) as (first, second):
        opens(party, first)
        first.say(hello(port))
        party.until(lambda: [half for half in ann.node.neighbours.halfway() if half.phase.name == "HEARD"])
        opens(party, second)
        second.say(hello(port))
        party.until(lambda: connections(ann) == 2)
        party.until(lambda: ann.node.neighbours.get(EVE).way == 2)  # type: ignore[union-attr]
        first.say(message(*encode(PingOk(2))))
        party.until(lambda: ann.node.neighbours.counts["before HELLO"])
        assert not ann.peers()
        second.say(message(*encode(PingOk(2))))
        party.until(lambda: ann.peers() == {"stranger"})


# What strangers may cost


def test_whoever_does_not_finish_the_handshake_is_closed(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = party.meet("ann", "bob")
    with strangers(ann.node.tcp_port, 12) as crowd:
        for number, eve in enumerate(crowd):
            eve.say(opening(EVE)[: number * 10])
        # On a busy machine libzmq may take longer than any deadline to take a connection: then ours is to blame.
        party.until(lambda: sum(ann.node._lines._open[one].is_joined for one in accepted_by(ann)) == 12 + 1)
        monkeypatch.setattr(doorkeeper, "FIRST_WORDS", 0)
        party.until(lambda: all(eve.is_closed() for eve in crowd))
    assert ann.node.neighbours.counts["said nothing"] == 12
    bob_is_heard(party, ann, bob)


def test_an_address_that_breaks_bounds_is_slowed_and_its_standing_connections_are_not(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorkeeper, "is_loopback", lambda _: False)
    ann, bob = party.meet("ann", "bob")
    tries = 0
    while not ann.node.neighbours.counts["connected too often"]:
        tries += 1
        assert tries < 10 * doorkeeper.PACES[0].burst
        eve = Stranger(ann.node.tcp_port)
        eve.say(b"GET / HTTP/1.1\r\n\r\n")
        party.until(eve.is_closed)
        eve.cut()
    bob_is_heard(party, ann, bob)
    party.meet("cid")
    assert not bob.of(PeerLeft)


@pytest.mark.parametrize("between", [ping(0), frame(COMMAND | MORE, bytes(7))], ids=["PING", "more"])
def test_a_command_between_frames_ends_no_message(party: Party, between: bytes) -> None:
    ann = party.invite("ann")
    with opened(party, ann) as eve:
        eve.say((frame(MORE, b"") * 6 + between) * 3)
        party.until(lambda: ann.node.neighbours.counts["a message of too many frames"])


def test_zmtp_1_is_refused_whatever_stands_where_zmtp_3_has_its_version(party: Party) -> None:
    """To libzmq an even tenth octet is the flags of a frame, which has that length."""
    ann = party.invite("ann")
    with strangers(ann.node.tcp_port, 1) as [eve]:
        eve.say(b"\xff" + (55).to_bytes(8, "big") + b"\0\3" + bytes(53))
        party.until(lambda: ann.node.neighbours.counts["no ZMTP 3"] or eve.heard())
        assert ann.node.neighbours.counts["no ZMTP 3"]


def test_strangers_are_read_at_a_pace_of_their_own(party: Party) -> None:
    """All of them together: what they say beyond it waits, and takes no time from a peer that matters."""
    own = {name: Identity(bytes([number]) * 32) for number, name in enumerate(("ann", "bob", "cid", "dan"), 1)}
    ann, bob, cid, dan = (
        party.invite(
            name,
            ours(one),
            identity=one.peer,
            prover=Prover(one),
            priority_peers=lambda: {own["bob"].peer},
            limits=FEW if name == "ann" else None,
        )
        for name, one in own.items()
    )
    party.until_all_met()
    for _ in range(900):
        for guest in (bob, cid, dan):
            guest.node.neighbours.whisper(ann.id, b"word")
    party.until(lambda: ann.said().count(("bob", b"word")) == 900)
    assert all(ann.said().count((name, b"word")) < 250 for name in ("cid", "dan"))
    assert not ann.of(PeerLeft), "to say too much is no offence"


def test_what_is_sent_back_is_bounded_too_and_it_arrives(party: Party) -> None:
    ann, bob = party.meet("ann", "bob")
    with opened(party, ann) as eve:
        eve.say(message(b"x"))
        party.until(lambda: connections(ann) == 2 and ann.node.neighbours.counts["malformed"])
        number = max(accepted_by(ann))
        for _ in range(1000):
            ann.node.neighbours.outgoing.append(Send(number, [b"head", bytes(60_000)]))
            ann.node.turn(0)
            assert ann.node._exchange.held < MOST_UNSENT + (1 << 18)
            if connections(ann) == 1:
                break
        assert ann.node.neighbours.counts["does not read"] == 1
    bob_is_heard(party, ann, bob)


def test_all_together_hold_no_more_than_a_node_may(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_HELD", 500_000)
    ann, bob = party.meet("ann", "bob")
    with strangers(ann.node.tcp_port, 8) as crowd:
        for eve in crowd:
            opens(party, eve)
            eve.socket.settimeout(5)
            eve.say(LONG_FRAME, LONG_FRAME)
        party.until(lambda: ann.node.neighbours.counts["too much in all"] >= 4)
        assert ann.node._exchange.held <= 500_000
    bob_is_heard(party, ann, bob)


def test_commands_cost_as_much_as_frames(party: Party) -> None:
    ann = party.invite("ann", limits=FEW, priority_peers=frozenset)
    with opened(party, ann) as eve:
        eve.say(ping(0) * 300)
        party.until(lambda: any(ann.node._exchange.resting.values()))


def test_who_is_cut_off_and_goes_on_talking_is_not_read_for_ever(party: Party) -> None:
    ann = party.invite("ann")
    with opened(party, ann) as eve:
        eve.say(message(b"x"))
        party.until(lambda: ann.node.neighbours.counts["malformed"])
        ann.node.neighbours.outgoing.append(Close(max(accepted_by(ann))))
        party.until(lambda: not eve.say(bytes(1 << 16)))


# Other programs


def test_a_message_goes_back_to_a_dealer_of_pyzmq_that_called(party: Party) -> None:
    ann = party.invite("ann")
    with dealer(ann.node.tcp_port, b"\x01" + EVE) as eve:
        eve.send_multipart(encode(Hello(1, f"tcp://{HOST}:{tcp_port()}", (), 0, "eve", ())))
        party.until(lambda: ann.node.neighbours.halfway())
        for size in (0, 1, 255, 256, 65536):
            [number] = accepted_by(ann)
            ann.node.neighbours.outgoing.append(Send(number, [b"head", bytes(size)]))
            party.until(lambda: eve.poll(0))
            assert eve.recv_multipart() == [b"head", bytes(size)], VERSION
        ann.node.neighbours.outgoing.append(Close(number))
        party.until(lambda number=number: accepted_by(ann) not in ([], [number]))


def test_heartbeats_of_other_programs_are_answered(party: Party) -> None:
    """A connection on which more PINGs come than its caller's patience lasts for has had an answer."""
    ann = party.invite("ann")
    with dealer(ann.node.tcp_port, b"\x01" + EVE, patience=500):
        party.until(lambda: any(ann.node._lines._open[one]._inside > 20 * len(ping(0)) for one in accepted_by(ann)))


@pytest.mark.parametrize("is_private", [False, True])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_ping_too_short_for_its_time_is_refused_and_a_whole_one_is_answered(
    party: Party, size: int, *, is_private: bool
) -> None:
    """libzmq takes the length of what comes after 7 bytes for a huge one, and answers with memory of its own."""
    (public, secret), keys = key_pair(), key_pair()
    lock = RoomLock(public, secret, lambda _: True) if is_private else None
    ann = party.invite("ann", identity=public[:16], security=lock)
    with strangers(ann.node.tcp_port, 1) as [eve]:
        curve = CurveClient(*keys, public, b"\x01" + EVE)
        if is_private:
            eve.say(curve.hello())
            party.until(lambda: len(bodies(eve.heard())) == 1)
            eve.say(curve.initiate(eve.heard()))
            party.until(eve.is_answered)
        else:
            opens(party, eve)
        before = bodies(eve.heard())
        said = (curve.sealed if is_private else frame)(COMMAND, b"\x04PING\0\0"[:size])
        for part in said[:-1], said[-1:]:
            eve.say(part)
            ann.events += ann.node.turn(0)
        party.until(lambda: ann.node.neighbours.counts["a command too short"] or bodies(eve.heard()) != before)
        assert sum(map(len, bodies(eve.heard())[len(before) :])) == (size == 7) * (38 if is_private else 5), VERSION
        party.until(lambda: eve.is_closed() == (size < 7))


def test_curve_with_pyzmq_either_way(party: Party) -> None:
    """A room of which one end is libzmq: a DEALER that calls, and a ROUTER that is called."""
    (public, secret), (their_public, their_secret) = key_pair(), key_pair()
    ann = party.invite("ann", identity=public[:16], security=RoomLock(public, secret, lambda key: key == their_public))
    identity = b"01%s" % their_public[:16].hex().encode()
    with (
        dealer(ann.node.tcp_port, identity, (their_public, their_secret, public)) as calls,
        zmq.Context() as context,
        context.socket(zmq.ROUTER) as called,
    ):
        called.linger, called.curve_server = 0, True
        called.curve_publickey, called.curve_secretkey = z85.encode(their_public), z85.encode(their_secret)
        port = called.bind_to_random_port(f"tcp://{HOST}")
        calls.send_multipart(encode(Hello(1, f"tcp://{HOST}:{port}", (), 0, "eve", ())))
        party.until(lambda: called.poll(0))
        assert called.recv_multipart()[0] == b"01%s" % ann.id.hex().encode(), VERSION
        calls.send_multipart(encode(PingOk(2)))
        calls.send_multipart(encode(Whisper(3, (bytes(60_000),))))
        party.until(ann.said)
        assert ann.said() == [("eve", bytes(60_000))] and ann.of(PeerMet)[0].peer.key == their_public


@pytest.mark.parametrize("is_abstract", [True, False], ids=["Linux", "another system"])
@pytest.mark.parametrize("folder", ["there", "missing", "x" * 100])
def test_a_pipe_needs_no_room_for_a_file_and_leaves_none(
    party: Party, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, *, is_abstract: bool
) -> None:
    """A folder that is full or whose path is too long (a path of Unix has 103 bytes at most on macOS) is not used."""
    monkeypatch.setattr(libzmq, "_IS_ABSTRACT", is_abstract and libzmq._IS_ABSTRACT)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / folder))
    if folder != "missing":
        (tmp_path / folder).mkdir()
    ann, bob = party.meet("ann", "bob")
    bob_is_heard(party, ann, bob)
    assert not [each for each in tmp_path.glob("*/*") if libzmq._IS_ABSTRACT or [*each.iterdir()]]
    for guest in (ann, bob):
        guest.node.close()
    assert not [*tmp_path.glob("*/*")]


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="only Linux tells who has called")
def test_a_pipe_that_another_program_calls_first_is_not_taken() -> None:
    ann = libzmq.Libzmq(EVE, None, lambda _: False)
    end = ann.end(None, calls=False)
    intruder = "import socket, sys; socket.socket(socket.AF_UNIX).connect(chr(0) + sys.argv[1])"
    try:
        soon(lambda: select([end.pipe], [], [], 0)[0])
        end.pipe.accept()[0].close()  # libzmq's call
        subprocess.run([sys.executable, "-c", intruder, end.pipe.getsockname()[1:].decode()], check=True)
        assert select([end.pipe], [], [], DEADLINE)[0] and not end.join()
    finally:
        end.close()
        ann.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell who has hung up")
def test_the_end_of_one_that_broke_zmtp_ends_no_other(party: Party) -> None:
    """libzmq names a connection by its address in memory, also when another has got its memory."""
    ann = party.invite("ann")
    router, adopt = ann.node._exchange._libzmq.router, ann.node._lines.adopt
    for _ in range(10):
        pairs = [socket.socketpair() for _ in range(2)]
        for each, _ in pairs:
            each.setblocking(False)
        eve, bob = (Stranger(accepted=each) for _, each in pairs)
        adopt(pairs[0][0], HOST, clock())
        *_, end = router.ends.values()
        party.until(lambda: eve.heard())  # noqa: B023
        end.pipe.send(opening(EVE, b"PUB"))
        soon(router.hung_up)
        looks = iter(range(20))
        soon(lambda: router.settle() or next(looks) == 19)  # noqa: B023
        adopt(pairs[1][0], HOST, clock())
        bob.say(opening(EVE))
        party.until(lambda: eve.is_closed() and bob.is_answered())  # noqa: B023
        before = ann.node.neighbours.counts["malformed"]
        bob.say(message(b"x"))
        party.until(lambda: ann.node.neighbours.counts["malformed"] > before)  # noqa: B023
        for each in (eve, bob):
            each.cut()
        party.until(lambda: not connections(ann))


def answered(end: libzmq.WireEnd) -> None:
    """Say a greeting and READY by the pipe of our own end, and hear libzmq's."""
    heard = b""
    end.pipe.send(opening(EVE))
    while b"READY" not in heard and select([end.pipe], [], [], DEADLINE)[0]:
        heard += end.pipe.recv(connection.CHUNK)


def test_who_is_left_when_libzmq_has_begun_its_message_holds_up_nobody() -> None:
    """libzmq waited for the rest of that message for ever, or ended the program."""
    ann = libzmq.Libzmq(EVE, None, lambda _: False)
    router, ends = ann.router, [ann.end(None, calls=False) for _ in range(3)]
    router.socket.rcvtimeo = 10_000
    try:
        for end in ends:
            soon(end.join)
            answered(end)
            end.pipe.send(message(b"one", b"two"))
            assert soon(lambda: router.socket.get(zmq.EVENTS) & zmq.POLLIN)
            if end is not ends[-1]:
                end.finish(0)
        assert [frames for _, frames in router.messages()] == [[b"one", b"two"]]
    finally:
        for end in ends:
            end.close()
        ann.close()


@pytest.mark.parametrize("size", [*range(64, 64 + 2 + 6 + 21 + 31)])
def test_a_claim_that_is_cut_is_no_fault(size: int) -> None:
    heads, said = connection._Heads(), opening(EVE)
    heads.read(said[:size], 1)
    assert heads.identity() == b"\1" + EVE or size < len(said)


@pytest.mark.parametrize("has_unix", [True, False] if hasattr(socket, "AF_UNIX") else [False], ids=["Unix", "TCP"])
def test_the_pipe_holds_no_more_than_two_full_frames_leave_of_what_may_be_inside(
    monkeypatch: pytest.MonkeyPatch, *, has_unix: bool
) -> None:
    monkeypatch.setattr(libzmq, "_HAS_UNIX", has_unix)
    ann = libzmq.Libzmq(EVE, None, lambda _: False)
    end, taken = ann.end(None, calls=False), 0
    try:
        soon(end.join)
        answered(end)
        said = message(bytes(1000)) * 1000
        unread = libzmq.MOST_UNREAD * len(message(bytes(1000)))
        while select([], [end.pipe], [], DEADLINE if taken <= unread else 0.1)[1]:
            taken += end.pipe.send(said[taken : taken + connection.CHUNK])
        assert unread < taken <= unread + connection.MOST_INSIDE - 2 * MOST_FRAME_BYTES, VERSION
    finally:
        end.close()
        ann.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_an_accepted_connection_takes_three_descriptors(party: Party) -> None:
    ann = party.invite("ann")
    with opened(party, ann):
        before = len(os.listdir("/dev/fd"))
        with strangers(ann.node.tcp_port, 8) as crowd:
            for eve in crowd:
                opens(party, eve)
            assert len(os.listdir("/dev/fd")) - before == 8 * (3 + 1), VERSION


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_system_without_descriptors_turns_newcomers_away(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are left: libzmq ends the program if it accepts a connection and finds none."""
    import resource

    monkeypatch.setattr(doorkeeper, "FIRST_WORDS", 300)
    ann, bob = party.meet("ann", "bob")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with strangers(ann.node.tcp_port, 1) as crowd:
        crowd[0].say(opening(EVE))
        for left in range(8):
            ours, theirs = socket.socketpair()
            ours.setblocking(False)
            crowd.append(Stranger(accepted=theirs))
            with contextlib.ExitStack() as stack:
                stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
                resource.setrlimit(resource.RLIMIT_NOFILE, (theirs.fileno() + 50, hard))
                taken = [os.dup(0) for _ in range(left)]
                with contextlib.suppress(OSError):
                    while True:
                        stack.callback(os.close, os.dup(0))
                for each in taken:
                    os.close(each)
                ann.node._lines.adopt(ours, HOST, 0)
                for _ in range(5):
                    ann.events += ann.node.turn(1)
            crowd[-1].say(opening(EVE))
        party.until(lambda: all(eve.is_answered() or eve.is_closed() for eve in crowd))
        assert ann.node.neighbours.counts["no room in the system"] >= 3, "each needs four"
    bob_is_heard(party, ann, bob)


def test_no_more_connections_are_open_than_the_system_has_files_for(party: Party) -> None:
    ann, bob = party.meet("ann", "bob")
    ann.node._exchange.most = len(ann.node._exchange._connections)
    with strangers(ann.node.tcp_port, 1) as [eve]:
        party.until(eve.is_closed)
    assert ann.node.neighbours.counts["no room in the system"] == 1 and connections(ann) == 1
    bob_is_heard(party, ann, bob)
