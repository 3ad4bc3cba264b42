"""The ZRE wire: vectors worked out by hand from RFC 36, what is refused, and that nothing else can happen."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.core.errors import LocalError, NetError, PeerError
from quadrille.net.zeromq import zre

ID = bytes(range(16))
KEY = bytes(range(100, 132))

HELLO = zre.Hello(1, "tcp://10.0.0.1:49152", ("A", "é"), 2, "Zoë", (("K", "v"), ("X-GAME", "")))
#: Lengths are in bytes: é and ë have two. A group in HELLO has a length of 4 bytes, everywhere else of 1.
HELLO_BYTES = bytes.fromhex(
    "aaa1 01 02 0001"
    "14 7463703a2f2f31302e302e302e313a3439313532"
    "00000002 00000001 41 00000002 c3a9"
    "02"
    "04 5a6fc3ab"
    "00000002 01 4b 00000001 76 06 582d47414d45 00000000"
)
PING_OK_BYTES = bytes.fromhex("aaa1 07 02 0005")
VECTORS: list[tuple[zre.Message, list[str]]] = [
    (HELLO, [HELLO_BYTES.hex()]),
    (zre.Whisper(2, (b"hi",)), ["aaa1 02 02 0002", "6869"]),
    (zre.Whisper(258, ()), ["aaa1 02 02 0102"]),
    (zre.Ping(4), ["aaa1 06 02 0004"]),
    (zre.PingOk(5), [PING_OK_BYTES.hex()]),
    (zre.Unused(10, 6), ["aaa1 0a 02 0006"]),
]


@pytest.mark.parametrize(("message", "frames"), VECTORS)
def test_messages_are_these_bytes(message: zre.Message, frames: list[str]) -> None:
    data = [bytes.fromhex(frame) for frame in frames]
    assert zre.encode(message) == data
    assert zre.decode(data) == message


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no ZRE beacon"),
        (b"ZRE", "no ZRE beacon"),
        (b"ZRF\x01" + bytes(18), "no ZRE beacon"),
        (b"ZRE\x01" + bytes(17), "version 1 and 21 bytes"),
        (b"ZRE\x01" + bytes(50), "version 1 and 54 bytes"),
        (b"ZRE\x03" + bytes(18), "version 3 and 22 bytes"),
        (b"ZRE\x02" + bytes(18), "version 2 and 22 bytes"),
    ],
)
def test_other_datagrams_are_no_beacons(data: bytes, says: str) -> None:
    with pytest.raises(PeerError, match=says):
        zre.decode_beacon(data)


MALFORMED = [
    ([], "a message of 0 bytes"),
    ([""], "a message of 0 bytes"),
    (["aaa1010200"], "a message of 5 bytes"),
    (["aaa0 06 02 0001"], "begins with aaa0"),
    (["aaa1 06 03 0001"], "version 3"),
    (["aaa1 06 02 0001 00"], "1 bytes after the end"),
    (["aaa1 06 02 0001", "00"], "command 6 with 1 frames"),
    (["aaa1 02 02 0001 00", "00"], "1 bytes after the end"),
    (["aaa1 02 02 0001", *[""] * 17], "17 frames"),
    ([HELLO_BYTES[:-1].hex()], "too early"),
    ([HELLO_BYTES.replace(b"\0\x01\x14", b"\0\x02\x14").hex()], "HELLO with number 2"),
    ([HELLO_BYTES.replace(b"Zo\xc3", b"Zo\xff").hex()], "name that is not UTF-8"),
    ([HELLO_BYTES.replace(b"tcp://10.0.0.1:49152", b"junk junk junk junk!").hex()], 'the endpoint "junk'),
    ([HELLO_BYTES.replace(b":49152", b":00000").hex()], "the endpoint"),
    ([HELLO_BYTES.replace(b":49152", b":65536").hex()], "the endpoint"),
    ([HELLO_BYTES.replace(b"\0\0\0\x02\0\0\0\x01A", b"\xff\xff\xff\xff\0\0\0\x01A").hex()], "4294967295 groups"),
    ([HELLO_BYTES.replace(b"\0\0\0\x02\0\0\0\x01A", b"\0\0\0\x02\x40\0\0\x01A").hex()], "1073741825 bytes of a group"),
    ([HELLO_BYTES.replace(b"\0\0\0\x02\x01K", b"\0\0\0\x21\x01K").hex()], "33 headers"),
    ([HELLO_BYTES.replace(b"\0\0\0\x01v", b"\0\0\x10\x01v").hex()], "4097 bytes of a header"),
]


@pytest.mark.parametrize(("frames", "says"), MALFORMED)
def test_malformed_messages_are_refused_with_a_reason(frames: list[str], says: str) -> None:
    with pytest.raises(PeerError, match=says):
        zre.decode([bytes.fromhex(frame) for frame in frames])


def test_what_is_said_twice_in_a_hello_is_refused() -> None:
    for hello in (
        zre.Hello(1, "tcp://a:1", ("A", "A"), 0, "", ()),
        zre.Hello(1, "tcp://a:1", (), 0, "", (("K", "v"), ("K", "w"))),
    ):
        with pytest.raises(PeerError, match="twice"):
            zre.decode(zre.encode(hello))


def test_a_hello_as_full_as_can_be() -> None:
    groups = tuple(f"{number:02}" + "g" * 253 for number in range(32))
    headers = tuple((f"{number:02}" + "h" * 253, "v" * 4096) for number in range(32))
    hello = zre.Hello(1, "tcp://255.255.255.255:65535", groups, 255, "n" * 255, headers)
    assert zre.decode(zre.encode(hello)) == hello


@pytest.mark.parametrize(
    ("hello", "says"),
    [
        (zre.Hello(1, "tcp://a:1", (), 0, "ë" * 128, ()), "256 bytes"),
        (zre.Hello(1, "tcp://a:1", (), 0, "\udcff", ()), "cannot be written"),
        (zre.Hello(1, "tcp://a:1", (), 0, "", (("K", "v" * 4097),)), "4096 bytes"),
        (zre.Hello(1, "tcp://a:1", (), 0, "", tuple((str(number), "") for number in range(33))), "32 headers"),
    ],
)
def test_what_we_cannot_say_is_our_own_fault(hello: zre.Hello, says: str) -> None:
    with pytest.raises(LocalError, match=says):
        zre.encode(hello)


def test_ports_of_endpoints() -> None:
    assert zre.port_of("tcp://10.0.0.1:1") == 1
    assert zre.port_of("tcp://[fe80::1%eth0]:49152") == 49152
    for text in ("tcp://h", "tcp://:5", "udp://h:5", "tcp://h:123456", "tcp://h:5\n", "tcp://h:-5", "tcp://h:٣", "5"):
        with pytest.raises(PeerError):
            zre.port_of(text)


names = st.text(st.characters(codec="utf-8"), max_size=63)
sequences = st.integers(0, 65535)
statuses = st.integers(0, 255)
contents = st.lists(st.binary(max_size=20), max_size=16).map(tuple)
hellos = st.builds(
    zre.Hello,
    st.just(1),
    st.integers(1, 65535).map(lambda port: f"tcp://192.0.2.1:{port}"),
    st.lists(names, max_size=4, unique=True).map(tuple),
    statuses,
    names,
    st.dictionaries(names, names, max_size=4).map(lambda headers: tuple(headers.items())),
)
messages: st.SearchStrategy[zre.Message] = st.one_of(
    hellos,
    st.builds(zre.Whisper, sequences, contents),
    st.builds(zre.Ping, sequences),
    st.builds(zre.PingOk, sequences),
    st.builds(zre.Unused, st.sampled_from([0, 3, 4, 5, *range(8, 256)]), sequences),
)


@given(messages)
def test_what_is_written_is_read(message: zre.Message) -> None:
    assert zre.decode(zre.encode(message)) == message


def read(frames: list[bytes]) -> None:
    """Any bytes are a message, which is written with the same bytes again, or the fault of who sent them."""
    with contextlib.suppress(PeerError):
        message = zre.decode(frames)
        assert isinstance(message, zre.Unused) or zre.encode(message) == frames


@given(st.lists(st.binary(max_size=80), max_size=4))
def test_any_frames_are_a_message_or_a_fault_of_the_peer(frames: list[bytes]) -> None:
    read(frames)


@given(messages, st.integers(0, 200), st.binary(max_size=3), st.integers(0, 3))
def test_a_message_with_a_flaw_is_a_message_or_a_fault_of_the_peer(
    message: zre.Message, at: int, patch: bytes, cut: int
) -> None:
    head, *content = zre.encode(message)
    at %= len(head) + 1
    read([head[:at] + patch + head[at + cut :], *content])


@given(st.binary(max_size=64))
def test_any_datagram_is_a_beacon_or_a_fault_of_the_peer(data: bytes) -> None:
    for datagram in (data, b"ZRE" + data):
        with contextlib.suppress(PeerError):
            assert zre.decode_beacon(datagram).encode() == datagram


def test_errors_have_codes() -> None:
    assert {error.code for error in (NetError, PeerError, LocalError)} == {"net", "peer", "local"}
    assert zre.MOST_FRAME_BYTES == 65536
