"""A relay passes parcels between the members of a meeting, and bears whatever comes. extras/far/docs/relay.md."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from random import Random

import pytest

from quadrille.extras.far.link.relay_server import RelayServer
from quadrille.extras.far.relay import frames
from quadrille.extras.far.relay.exchange import Close, PassOn, RelayExchange, RelayLimits
from quadrille.extras.far.relay.frames import MOST_PARCEL, Frame, FrameKind, FrameReader, RefusalReason
from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.machine import drain

MEETING, OTHER = b"m" * 16, b"o" * 16


class Company:
    """Connections to one exchange, and all frames that each has got."""

    def __init__(self, limits: RelayLimits | None = None) -> None:
        self.relay = RelayExchange(limits)
        self.got: dict[int, list[Frame]] = {}
        self.closed: set[int] = set()
        self._readers: dict[int, FrameReader] = {}
        self._number = 0
        self.now = 0

    def connect(self, address: str = "10.0.0.1") -> int:
        self._number += 1
        self.got[self._number] = []
        self._readers[self._number] = FrameReader(of_relay=True)
        taken = self.relay.connected(self._number, address, self.now)
        self._carry()
        if not taken:
            self.closed.add(self._number)
        return self._number

    def enter(self, meeting: bytes = MEETING, address: str = "10.0.0.1") -> int:
        number = self.connect(address)
        self.say(number, frames.enter(meeting))
        return number

    def say(self, number: int, data: bytes) -> int:
        rest = self.relay.read(number, data, self.now)
        self._carry()
        return rest

    def leave(self, number: int) -> None:
        self.relay.closed(number)
        self._carry()

    def wait(self, time: int) -> None:
        self.now += time
        self.relay.wake(self.now)
        self._carry()

    def _carry(self) -> None:
        for action in drain(self.relay.outgoing):
            match action:
                case PassOn(number, data):
                    assert number not in self.closed
                    self.got[number] += self._readers[number].feed(data)
                case Close(number):
                    self.closed.add(number)

    def heard(self, number: int) -> list[tuple[str, bytes]]:
        return [(frame.kind.name, frame.body) for frame in drain(self.got[number])]


def test_members_of_a_meeting_hear_each_other_and_nobody_else() -> None:
    company = Company()
    one, two, three, apart = company.enter(), company.enter(), company.enter(), company.enter(OTHER)
    assert company.heard(one) == [("ENTERED", b"\1\0\1"), ("CAME", b"\0\2"), ("CAME", b"\0\3")]
    assert company.heard(three) == [("ENTERED", b"\1\0\3"), ("CAME", b"\0\1"), ("CAME", b"\0\2")]
    drain(company.got[two])
    assert company.heard(apart) == [("ENTERED", b"\1\0\1")]
    company.say(one, frames.post(0, b"to all") + frames.post(3, b"to one") + frames.post(9, b"to nobody"))
    assert company.heard(two) == [("PARCEL", b"\0\1to all")]
    assert company.heard(three) == [("PARCEL", b"\0\1to all"), ("PARCEL", b"\0\1to one")]
    company.say(two, frames.PING)
    company.leave(three)
    assert company.heard(two) == [("PONG", b""), ("WENT", b"\0\3")]
    assert company.heard(apart) == [] and company.heard(one) == [("WENT", b"\0\3")]
    for number in (one, two, apart):
        company.leave(number)
    assert (company.relay.meetings, company.relay.connections) == (0, 0)


def test_a_number_is_not_soon_anothers() -> None:
    company = Company()
    company.enter()
    company.leave(company.enter())
    assert company.heard(company.enter())[0] == ("ENTERED", b"\1\0\3")


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (RelayLimits(connections=2), RefusalReason.FULL),
        (RelayLimits(members=2), RefusalReason.MEETING_FULL),
        (RelayLimits(of_an_address=2), RefusalReason.ADDRESS_FULL),
    ],
)
def test_a_full_relay_says_so(limits: RelayLimits, reason: RefusalReason) -> None:
    company = Company(limits)
    first = company.enter()
    company.enter()
    company.now += 1
    number = company.connect()
    if number not in company.closed:
        company.say(number, frames.enter(MEETING))
    assert company.heard(number) == [("REFUSED", bytes([reason, 1]))] and number in company.closed
    assert first not in company.closed and company.relay.counts[reason.name] == 1


def test_other_addresses_enter_while_one_is_refused() -> None:
    company = Company(RelayLimits(of_an_address=2))
    for _ in range(5):
        company.enter(address="10.0.0.9")
    assert len(company.closed) == 3
    assert company.heard(company.enter(address="10.0.0.8"))[0][0] == "ENTERED"


def test_connections_that_come_without_end_keep_nobody_of_their_address_out() -> None:
    company = Company()
    for _ in range(1000):
        company.connect()
    assert company.heard(company.enter())[0][0] == "ENTERED"


def test_another_version_is_told_ours() -> None:
    company = Company()
    number = company.connect()
    company.say(number, frames.enter(MEETING).replace(b"QRLY\1", b"QRLY\2"))
    assert company.heard(number) == [("REFUSED", bytes([RefusalReason.VERSION, 1]))] and number in company.closed


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        frames.enter(MEETING).replace(b"QRLY", b"qrly"),
        frames.post(0, b"before I entered"),
        frames.PING,
        frames.PONG,
        b"\xff\xff\2",
        b"\0\0\2",
        b"\0\3\2\0\0",
        b"\0\1\1",
    ],
)
def test_bytes_that_no_member_sends_close_their_connection_alone(data: bytes) -> None:
    company = Company()
    one = company.enter()
    number = company.connect()
    company.say(number, data)
    assert number in company.closed and one not in company.closed and company.heard(number) == []


def test_a_second_entry_ends_the_connection() -> None:
    company = Company()
    number = company.enter()
    company.say(number, frames.enter(OTHER))
    assert number in company.closed and company.relay.meetings == 0


def test_who_says_nothing_is_closed_and_slow_bytes_are_no_word() -> None:
    company = Company()
    member, mute, slow = company.enter(), company.connect(), company.connect()
    word = frames.enter(MEETING)
    for byte in word[:5]:
        company.say(slow, bytes([byte]))
        company.wait(1000)
    assert {mute, slow} <= company.closed and member not in company.closed
    for _ in range(9):
        company.say(member, frames.PING)
        company.wait(40_000)
    assert member not in company.closed
    company.wait(45_000)
    assert member in company.closed


def test_a_flood_rests_and_the_others_do_not() -> None:
    company = Company()
    flood, friend, other = company.enter(), company.enter(), company.enter(OTHER, "10.0.0.2")
    parcel = frames.post(2, bytes(MOST_PARCEL))
    rests = [company.say(flood, parcel) for _ in range(70)]
    assert rests[0] == 0 and rests[-1] > 0 and friend not in company.closed
    assert company.say(other, frames.post(0, b"hello")) == 0
    small = Company()
    flood = small.enter()
    assert any(small.say(flood, frames.post(0, b"?") * 100) for _ in range(60)), "small frames cost too"


def test_a_meeting_pays_for_all_its_members() -> None:
    limits = replace(RelayLimits(), meeting_rate=(1000, 1 << 16))
    company = Company(limits)
    members = [company.enter(address=f"10.0.0.{number}") for number in range(1, 5)]
    rests = [company.say(number, frames.post(0, bytes(MOST_PARCEL))) for number in members for _ in range(2)]
    assert rests[0] == 0 and rests[-1] > 0


def test_any_bytes_leave_a_relay_whole() -> None:
    random = Random(5)
    company = Company()
    kept = [company.enter(), company.enter()]
    words = [frames.enter(MEETING), frames.post(0, b"x" * 40), frames.PING, frames.post(1, b"y")]
    for _ in range(3000):
        number = company.enter() if random.random() < 0.5 else company.connect(f"10.0.1.{random.randrange(9)}")
        data = bytearray(b"".join(random.choices(words, k=3)))
        for _ in range(random.randrange(3)):
            data[random.randrange(len(data))] = random.randrange(256)
        company.now += 300
        if number not in company.closed:
            company.say(number, bytes(data))
        for member in kept:
            company.say(member, frames.PING)
        company.leave(number)
    assert not set(kept) & company.closed and company.relay.connections <= 4
    company.say(kept[0], frames.post(0, b"still here"))
    assert company.heard(kept[1])[-1] == ("PARCEL", b"\0\1still here")


def test_a_reader_takes_frames_however_they_are_cut() -> None:
    row = frames.enter(MEETING) + frames.post(7, b"abc") + frames.PING
    for size in (1, 2, 3, 7, len(row)):
        reader = FrameReader(of_relay=False)
        found = [frame for at in range(0, len(row), size) for frame in reader.feed(row[at : at + size])]
        assert [frame.kind for frame in found] == [FrameKind.ENTER, FrameKind.POST, FrameKind.PING]
        assert found[1].member == 7 and found[1].parcel == b"abc" and not len(reader)
    with pytest.raises(PeerError, match="unknown kind"):
        FrameReader(of_relay=True).feed(frames.PING)


# On sockets


@contextmanager
def running(limits: RelayLimits | None = None, port: int = 0) -> Iterator[RelayServer]:
    """A relay on loopback, in a thread of its own."""
    with RelayServer(port, limits=limits) as server:
        ended = threading.Event()

        def run() -> None:
            while not ended.is_set():
                server.turn(1000)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield server
        finally:
            ended.set()
            server.wake_up()
            thread.join()


class Caller:
    """A connection to a relay, read frame by frame."""

    def __init__(self, server: RelayServer, meeting: bytes | None = MEETING, family: int = socket.AF_INET) -> None:
        self.socket = socket.socket(family)
        self.socket.settimeout(20)
        self.socket.connect(("::1" if family == socket.AF_INET6 else "127.0.0.1", server.port))
        self._reader = FrameReader(of_relay=True)
        self._frames: list[Frame] = []
        if meeting is not None:
            self.socket.sendall(frames.enter(meeting))
            assert self.frame().kind is FrameKind.ENTERED

    def frame(self) -> Frame:
        while not self._frames:
            if not (data := self.socket.recv(1 << 16)):
                raise EOFError
            self._frames += self._reader.feed(data)
        return self._frames.pop(0)

    def parcel(self) -> bytes:
        while (frame := self.frame()).kind is not FrameKind.PARCEL:
            pass
        return frame.parcel


def test_parcels_pass_over_sockets() -> None:
    with running() as server, ExitStack() as stack:
        one, two = (Caller(server) for _ in range(2))
        for caller in (one, two):
            stack.enter_context(caller.socket)
        sizes = (1, 1000, MOST_PARCEL)
        for size in sizes:
            one.socket.sendall(frames.post(0, b"p" * size))
        assert [len(two.parcel()) for _ in sizes] == list(sizes)
        two.socket.close()
        while one.frame().kind is not FrameKind.WENT:
            pass


def test_a_relay_takes_calls_by_ipv6() -> None:
    with running() as server, ExitStack() as stack:
        try:
            six = Caller(server, family=socket.AF_INET6)
        except OSError:
            pytest.skip("this machine has no IPv6")
        four = Caller(server)
        for caller in (six, four):
            stack.enter_context(caller.socket)
        six.socket.sendall(frames.post(0, b"by another way"))
        assert four.parcel() == b"by another way"


def test_a_member_that_does_not_read_is_closed_and_the_others_go_on() -> None:
    limits = RelayLimits(unsent=1 << 18, member_rate=(1 << 30, 1 << 30), meeting_rate=(1 << 30, 1 << 30))
    with running(replace(limits, address_rate=(1 << 30, 1 << 30))) as server, ExitStack() as stack:
        deaf = socket.socket()
        stack.enter_context(deaf)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(frames.enter(MEETING))
        one, two = Caller(server), Caller(server)
        for caller in (one, two):
            stack.enter_context(caller.socket)
        for _ in range(1000):
            one.socket.sendall(frames.post(0, bytes(MOST_PARCEL)))
            two.parcel()
            if server.exchange.counts["does not read"]:
                break
        assert server.exchange.counts["does not read"] == 1
        one.socket.sendall(frames.post(0, b"go on"))
        while two.parcel() != b"go on":
            pass


def test_a_flooded_port_serves_its_members() -> None:
    limits = RelayLimits(of_an_address=40)
    with running(limits) as server, ExitStack() as stack:
        one, two = Caller(server), Caller(server)
        for caller in (one, two):
            stack.enter_context(caller.socket)
        for number in range(200):
            try:
                stranger = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
                stranger.sendall(Random(number).randbytes(200) if number % 2 else b"\0")
            except ConnectionError:  # refused already
                continue
        one.socket.sendall(frames.post(0, b"undisturbed"))
        assert two.parcel() == b"undisturbed"


def test_a_taken_port_is_told_in_a_sentence() -> None:
    with running() as server, pytest.raises(LocalError, match=r"is taken by another program: choose another port$"):
        RelayServer(server.port).start()


def test_a_relay_that_ends_says_so() -> None:
    with running() as server:
        one = Caller(server)
    with one.socket:
        assert one.frame() == Frame(FrameKind.REFUSED, bytes([RefusalReason.ENDING, 1]))
        with pytest.raises(EOFError):
            one.frame()


def test_a_fault_in_the_relay_costs_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as server, ExitStack() as stack:
        one, two, three = (Caller(server) for _ in range(3))
        for caller in (one, two, three):
            stack.enter_context(caller.socket)
        read = server.exchange.read

        def fails(connection: int, data: bytes, now: int) -> int:
            if b"fault" in data:
                raise ZeroDivisionError
            return read(connection, data, now)

        monkeypatch.setattr(server.exchange, "read", fails)
        three.socket.sendall(frames.post(0, b"fault"))
        with pytest.raises((EOFError, ConnectionError)):
            three.parcel()
        one.socket.sendall(frames.post(0, b"goes on"))
        assert two.parcel() == b"goes on" and server.exchange.counts["a fault of this program"] == 1


def test_a_refused_caller_hears_why_though_it_has_spoken_already() -> None:
    with running(RelayLimits(of_an_address=1)) as server, ExitStack() as stack:
        one = Caller(server)
        stack.enter_context(one.socket)
        for _ in range(20):
            late = Caller(server, meeting=None)
            stack.enter_context(late.socket)
            late.socket.sendall(frames.enter(MEETING) * 3)
            assert late.frame().body == bytes([RefusalReason.ADDRESS_FULL, 1])
            with pytest.raises(EOFError):
                late.frame()
        assert server.exchange.connections == 1
