"""A relay joins two connections, and bears whatever comes. extras/far/docs/relay.md, "Relays"."""

import asyncio
import re
import socket
from collections import Counter
from contextlib import suppress
from random import Random

import pytest

from extras.far.tests.relays import OTHER, ROOM, Caller, Running
from quadrille.extras.far.relay import CHUNK, MOST_LINE, Relay, RelayLimits, listener
from quadrille.net.core import doorkeeper
from quadrille.net.core.limits import Pace
from tests.waiting import soon

MUCH = (1 << 30, 1 << 30)


def test_members_of_a_room_hear_of_each_other_and_of_nobody_else() -> None:
    with Running() as server:
        (one, first), (two, second) = (server.waiting(ROOM, beacon) for beacon in ("01", "02"))
        apart, _ = server.waiting(OTHER, "03")
        assert one.line() == f"HERE {second} 02" and two.line() == f"HERE {first} 01"
        two.socket.close()
        assert one.line() == f"GONE {second}"
        apart.socket.settimeout(0)
        with pytest.raises(BlockingIOError):
            apart.line()
        one.socket.close()
        assert soon(lambda: list(server.relay.rooms) == [OTHER]) and server.relay.counts == {}


def test_a_call_and_its_answer_are_spliced_and_all_bytes_pass_both_ways() -> None:
    with Running() as server:
        call, take = server.spliced()
        data = Random(1).randbytes(3 * CHUNK + 7)
        call.socket.sendall(data)
        take.socket.sendall(b"QRLY1 WAIT is no line here\n")
        assert take.read(len(data)) == data and call.read(27) == b"QRLY1 WAIT is no line here\n"
        call.socket.shutdown(socket.SHUT_WR)
        assert take.read(1) == b""
        take.socket.sendall(b"the other side may still speak")
        take.socket.close()
        assert call.read(99) == b"the other side may still speak"
        assert soon(lambda: not server.relay.lines and not server.relay.rooms)


def test_a_token_is_good_for_one_splice_and_a_guess_costs_the_guesser_alone() -> None:
    with Running() as server:
        (_, own), (two, number) = server.waiting(), server.waiting()
        call = server.caller(f"CALL {ROOM} {number} {own}")
        assert two.line().startswith("HERE")
        found = re.fullmatch(rf"RING ([0-9a-f]{{32}}) {own}", two.line())
        assert found
        for wrong in ("0" * 32, found[1][::-1]):
            assert server.caller(f"TAKE {wrong}").line() == "NO gone"
        take, again = server.caller(f"TAKE {found[1]}"), server.caller(f"TAKE {found[1]}")
        assert sorted((take.line(), again.line())) == ["NO gone", "OK"] and call.line() == "OK"


@pytest.mark.parametrize(
    "first", ["CALL {other} {number} {number}", "CALL {room} 9999 {number}", "CALL {room} {number} 9"]
)
def test_a_call_of_nobody_is_refused(first: str) -> None:
    with Running() as server:
        _, number = server.waiting()
        caller = server.caller(first.format(room=ROOM, other=OTHER, number=number))
        assert (caller.line(), caller.line()) == ("NO gone", "")


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (RelayLimits(connections=2), "full"),
        (RelayLimits(members=2), "room"),
        (RelayLimits(of_a_room=2), "room"),
        (RelayLimits(of_an_address=2), "address"),
    ],
)
def test_a_full_relay_says_so_and_serves_those_who_are_there(limits: RelayLimits, reason: str) -> None:
    with Running(limits) as server:
        (first, _), (second, _) = server.waiting(), server.waiting()
        third = server.caller(f"WAIT {ROOM} 00")
        assert (third.line(), third.line()) == (f"NO {reason}", "")
        second.socket.close()
        assert first.line().startswith("HERE") and first.line().startswith("GONE")
        server.waiting()  # who leaves leaves its place
        assert server.relay.counts == {reason: 1}


def test_connections_without_a_first_line_are_paced_and_members_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorkeeper, "is_loopback", lambda _: False)
    monkeypatch.setattr(doorkeeper, "PACES", (Pace(3, 60_000), Pace(6, 60_000)))
    with Running() as server:
        for _ in range(8):
            server.waiting()
        for _ in range(3):
            server.caller()
        assert server.caller().line() == "NO address"


def test_a_flooded_port_serves_its_members() -> None:
    """Connections that say nothing keep nobody of their address out either."""
    with Running(RelayLimits(of_an_address=20)) as server:
        call, take = server.spliced()
        for _ in range(100):
            server.caller()
        server.waiting()
        assert server.relay.counts["gave way"] >= 80
        call.socket.sendall(b"undisturbed")
        assert take.read(11) == b"undisturbed"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "malformed"),
        (b"QRLY1 WAIT\n", "malformed"),
        (b"qrly1 WAIT %b 00\n" % ROOM.encode(), "malformed"),
        (b"QRLY1 WAIT %b 0g\n" % ROOM.encode(), "malformed"),
        (b"QRLY1 WAIT %b 00\nmore" % ROOM.encode(), "malformed"),
        (b"QRLY1 CALL %b 1\n" % ROOM.encode(), "malformed"),
        (b"QRLY1 CALL %b \xd9\xa1 1\n" % ROOM.encode(), "malformed"),
        (b"\xff\x00" * MOST_LINE, "malformed"),
        (b"QRLY2 WAIT something new\n", "version 1"),
    ],
)
def test_a_first_line_that_no_member_says_is_refused_with_a_reason(data: bytes, reason: str) -> None:
    with Running() as server:
        caller = server.caller()
        caller.socket.sendall(data)
        assert (caller.line(), caller.line()) == (f"NO {reason}", "")
        server.waiting()
        assert list(server.relay.counts) == [reason]


def test_a_member_that_speaks_while_it_waits_is_refused() -> None:
    with Running() as server:
        member, _ = server.waiting()
        member.socket.sendall(b"and now?")
        assert (member.line(), member.line()) == ("NO malformed", "")


def test_who_says_nothing_is_closed_and_slow_bytes_are_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deadlines are counted from the beginning, whatever comes meanwhile."""
    monkeypatch.setattr("quadrille.extras.far.relay.FIRST_WORDS", 600)
    monkeypatch.setattr("quadrille.extras.far.relay.PATIENCE", 600)
    with Running(RelayLimits(silence=600)) as server:
        idle, (one, own) = server.spliced(), server.waiting()
        mute, slow = server.caller(), server.caller()
        untaken = server.caller(f"CALL {ROOM} {own} {own}")
        slow.socket.sendall(b"QRLY1 ")
        assert mute.line() == slow.line() == "NO silence" and untaken.line() == "NO gone"
        assert [caller.read(1) for caller in idle] == [b"", b""] and one.line().startswith("RING")
        assert server.relay.counts == Counter({"silence": 2, "gone": 1, "said nothing": 2})


def test_a_slow_reader_stops_its_own_partner_and_nobody_else() -> None:
    limits = RelayLimits(rate=MUCH, address_rate=MUCH)
    with Running(limits) as server:
        (fast, _), (one, two) = server.spliced(), server.spliced(OTHER)
        fast.socket.settimeout(0.2)
        with pytest.raises(TimeoutError):
            fast.socket.sendall(bytes(1 << 28))
        held = [line.transport.get_write_buffer_size() for line in server.relay.lines.values()]
        assert max(held) <= CHUNK
        one.socket.sendall(b"undisturbed")
        assert two.read(11) == b"undisturbed"


def test_a_connection_over_its_rate_waits_and_loses_nothing() -> None:
    with Running(RelayLimits(rate=(100_000, 1000))) as server:
        call, take = server.spliced()
        data = Random(2).randbytes(40_000)
        call.socket.sendall(data)
        assert take.read(len(data)) == data


@pytest.mark.slow
def test_a_member_that_does_not_read_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quadrille.extras.far.relay.MOST_UNSENT", 0)
    with Running(RelayLimits(address_rate=MUCH)) as server:
        deaf = server.caller()
        deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.socket.sendall(f"QRLY1 WAIT {ROOM} 00\n".encode())
        assert deaf.line().startswith("OK")
        [line] = server.relay.lines.values()  # which the system ends if nothing is read for 20 s
        line.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1024)
        for _ in range(200):
            server.waiting(ROOM, "00" * 200)[0].socket.close()
        assert server.relay.counts["does not read"] == 1
        server.waiting()


def test_any_bytes_leave_a_relay_whole() -> None:
    random = Random(5)
    with Running(RelayLimits(address_rate=MUCH)) as server:
        call, take = server.spliced()
        lines = [f"QRLY1 {words}\n".encode() for words in (f"WAIT {ROOM} 00", f"CALL {ROOM} 1 2", f"TAKE {ROOM}")]
        for number in range(300):
            data = bytearray(random.choice(lines))
            for _ in range(random.randrange(3)):
                data[random.randrange(len(data))] = random.randrange(256)
            with Caller(server.port) as stranger:
                stranger.socket.sendall(data)
                if number % 2:
                    stranger.socket.shutdown(socket.SHUT_WR)
                    stranger.line()
        call.socket.sendall(b"still here")
        assert take.read(10) == b"still here" and soon(lambda: len(server.relay.lines) == 2)
        assert server.relay.counts.keys() <= {"malformed", "gone", "version 1"}


def test_a_relay_that_ends_says_so() -> None:
    with Running() as server:
        member, _ = server.waiting()
        server.kill(last_words=True)
        assert (member.line(), member.line()) == ("NO ending", "")


@pytest.mark.parametrize("turns", [0, 2, 3, 4])  # after 1 asyncio itself loses the socket (CPython 3.11)
def test_a_connection_that_comes_in_the_last_moment_is_closed_with_the_others(turns: int) -> None:
    here = listener(0)
    here.setblocking(False)

    async def ends() -> socket.socket:
        serving = asyncio.create_task(Relay().serve(here))
        for _ in range(9):
            await asyncio.sleep(0)
        silent = socket.create_connection(("127.0.0.1", here.getsockname()[1]))
        for _ in range(turns):
            await asyncio.sleep(0)
        serving.cancel()
        await asyncio.wait([serving])
        return silent

    with asyncio.run(ends()) as silent, suppress(ConnectionResetError):
        silent.setblocking(False)
        assert not silent.recv(1)
