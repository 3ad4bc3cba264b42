"""The ZMTP machine without sockets: handshakes of every kind, bounds, and mutated bytes that raise nothing else."""

from collections.abc import Callable
from random import Random

import pytest

from quadrille.net.core.errors import PeerError
from tests.net.zmtp_curve import CurveClient, CurveServer
from tests.net.zmtp_mechanisms import Mechanism, Null, encode_properties
from tests.net.zmtp_wire import MOST_COMMAND_BYTES, MOST_FRAMES, MOST_MESSAGE_BYTES, Wire
from quadrille.net.zeromq.zre import MOST_FRAME_BYTES
from tests.net.keys import key_pair

SERVER, CLIENT = key_pair(), key_pair()
#: Every reason there is to end a connection: none is made of foreign text, so that they can be counted.
REASONS = {
    "no ZMTP 3", "another mechanism", "two servers", "refused by the other end", "reserved flags",
    "a command too long", "a frame too long", "a message of too many frames", "a message too long",
    "a malformed command", "metadata too long", "malformed metadata", "a socket of another type", "no READY",
    "a step of the handshake out of order", "a malformed HELLO of CURVE", "a malformed INITIATE of CURVE",
    "a malformed WELCOME of CURVE", "a malformed READY of CURVE", "a vouch for another", "a key that is not welcome",
    "an invalid key", "a box that does not open", "a nonce out of order", "no MESSAGE",
}  # fmt: skip


def null_pair() -> tuple[Wire, Wire]:
    return Wire(Null(b"ROUTER")), Wire(Null(b"DEALER", b"\x01me"))


def curve_pair(allows: Callable[[bytes], bool] = lambda _: True) -> tuple[Wire, Wire]:
    client = CurveClient(*CLIENT, b"DEALER", b"\x01me", SERVER[0])
    return Wire(CurveServer(*SERVER, b"ROUTER", allows)), Wire(client)


def pour(source: Wire, target: Wire, size: int = 1 << 20) -> list[list[bytes]]:
    """All that one end has to send goes to the other, so many bytes at a time."""
    out, messages = bytes(source.outgoing), []
    source.outgoing.clear()
    for at in range(0, len(out), size):
        target.feed(out[at : at + size])
        while target.is_busy:
            messages += target.messages(3)
    return messages


def shake(server: Wire, client: Wire, size: int = 1 << 20) -> None:
    while server.outgoing or client.outgoing:
        assert pour(client, server, size) == pour(server, client, size) == []
    assert server.is_ready and client.is_ready


@pytest.mark.parametrize("pair", [null_pair, curve_pair])
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_both_ends_meet_and_talk_however_the_bytes_are_split(pair: Callable[[], tuple[Wire, Wire]], size: int) -> None:
    server, client = pair()
    client.send([b"early", b""])
    assert client.unsent > 64
    while server.outgoing or client.outgoing:
        said = pour(client, server, size)
        assert pour(server, client, size) == []
        assert said in ([], [[b"early", b""]])
    assert server.identity == b"\x01me" and client.identity == b""
    assert server.key == (CLIENT[0] if pair is curve_pair else None)
    for frames in ([b""], [b"x" * 255], [b"x" * 256, b"y"], [b"z" * MOST_FRAME_BYTES], [b"f"] * MOST_FRAMES):
        client.send(frames)
        server.send(frames)
        assert pour(client, server, size) == [frames] and pour(server, client, size) == [frames]
    assert server.held == client.held == server.unsent == 0


def greeting(major: int = 3, minor: int = 1, mechanism: bytes = b"NULL", server: int = 0) -> bytes:
    return (b"\xff" + bytes(8) + b"\x7f" + bytes([major, minor]) + mechanism.ljust(20, b"\0") + bytes([server])).ljust(
        64, b"\0"
    )


def command(name: bytes, data: bytes = b"", flags: int = 4) -> bytes:
    body = bytes([len(name)]) + name + data
    return bytes([flags | 2]) + len(body).to_bytes(8, "big") + body


READY = command(b"READY", encode_properties(b"DEALER", b"\x01me"))


def accepted(*bytes_: bytes) -> tuple[Wire, list[list[bytes]]]:
    """What the accepting end makes of these bytes."""
    wire, messages = Wire(Null(b"ROUTER")), []
    wire.feed(b"".join(bytes_))
    while wire.is_busy:
        messages += wire.messages(100)
    return wire, messages


@pytest.mark.parametrize("minor", [0, 1, 9])
def test_every_minor_version_and_long_frames_of_few_bytes(minor: int) -> None:
    wire, messages = accepted(greeting(3, minor), READY, b"\x03" + bytes(7) + b"\x01a\x00\x01b")
    assert wire.identity == b"\x01me" and messages == [[b"a", b"b"]]


def test_names_of_properties_in_any_case_and_unknown_ones() -> None:
    data = b"\x0bSOCKET-TYPE\0\0\0\x06DEALER\x08identity\0\0\0\x01i\x03X-A\0\0\0\0"
    assert accepted(greeting(), command(b"READY", data))[0].identity == b"i"


@pytest.mark.parametrize(
    ("bytes_", "reason"),
    [
        (b"\x01\x00", "no ZMTP 3"),  # ZMTP 1: an anonymous peer
        (b"\xff" + bytes(7) + b"\x01\x00", "no ZMTP 3"),  # ZMTP 1: a long identity
        (greeting(1)[:11], "no ZMTP 3"),  # ZMTP 2
        (b"GET / HTTP/1.1\r\n", "no ZMTP 3"),
        (greeting(mechanism=b"CURVE"), "another mechanism"),
        (greeting(mechanism=b"NULLX"), "another mechanism"),
        (greeting() + command(b"ERROR", b"\x03400"), "refused by the other end"),
        (greeting() + command(b"HELLO"), "no READY"),
        (greeting() + b"\x00\x01a", "a malformed command"),
        (greeting() + command(b"READY", flags=5), "a malformed command"),
        (greeting() + b"\x04\x00", "a malformed command"),
        (greeting() + b"\x04\x02\x05R", "a malformed command"),
        (greeting() + b"\x06" + (MOST_COMMAND_BYTES + 1).to_bytes(8, "big"), "a command too long"),
        (greeting() + command(b"READY", bytes(1025)), "metadata too long"),
        (greeting() + command(b"READY"), "a socket of another type"),
        (greeting() + command(b"READY", encode_properties(b"ROUTER", b"")), "a socket of another type"),
        (greeting() + command(b"READY", b"\x01a\0\0\0\x05abc"), "malformed metadata"),
        (greeting() + command(b"READY", b"\x01a\0\0\0\0\x01A\0\0\0\0"), "malformed metadata"),
        (greeting() + command(b"READY", b"".join(b"\x01%c\0\0\0\0" % n for n in range(97, 114))), "malformed metadata"),
        (greeting() + READY + b"\x08\x00", "reserved flags"),
        (greeting() + READY + b"\x02" + (MOST_FRAME_BYTES + 1).to_bytes(8, "big"), "a frame too long"),
        (greeting() + READY + b"\x02" + b"\xff" * 8, "a frame too long"),
        (greeting() + READY + b"\x01\x00" * MOST_FRAMES + b"\x01\x00", "a message of too many frames"),
        (greeting() + READY + command(b"PING", b"\0"), "a malformed command"),
        (greeting() + READY + command(b"PING", bytes(19)), "a malformed command"),
    ],
)  # fmt: skip
def test_what_ends_a_connection(bytes_: bytes, reason: str) -> None:
    with pytest.raises(PeerError, match=reason):
        accepted(bytes_)
    assert reason in REASONS


def test_a_refusal_in_the_handshake_says_why() -> None:
    wire = Wire(Null(b"ROUTER"))
    wire.feed(greeting() + command(b"HELLO"))
    with pytest.raises(PeerError):
        list(wire.messages(100))
    assert wire.outgoing.endswith(b"\x05ERROR\x08no READY")


def test_a_message_is_refused_before_it_is_here() -> None:
    """Frames that are allowed one by one, of a message that is not."""
    wire, _ = accepted(greeting(), READY)
    frame = b"\x03" + MOST_FRAME_BYTES.to_bytes(8, "big") + bytes(MOST_FRAME_BYTES)
    for _ in range(MOST_MESSAGE_BYTES // MOST_FRAME_BYTES):
        wire.feed(frame)
        assert list(wire.messages(100)) == []
    assert wire.held == MOST_MESSAGE_BYTES
    wire.feed(frame[:9])
    with pytest.raises(PeerError, match="a message too long"):
        list(wire.messages(100))


def test_good_messages_before_a_fault_are_delivered() -> None:
    wire = Wire(Null(b"ROUTER"))
    wire.feed(greeting() + READY + b"\x00\x01a\x00\x01b\xff\xff")
    found = wire.messages(100)
    assert [next(found), next(found)] == [[b"a"], [b"b"]]
    with pytest.raises(PeerError, match="reserved flags"):
        next(found)


def test_ping_gets_pong_between_frames_and_other_commands_nothing() -> None:
    wire, messages = accepted(greeting(), READY)
    wire.outgoing.clear()
    wire.feed(b"\x01\x01a" + command(b"PING", b"\0\x10context") + command(b"SUBSCRIBE", b"x") + b"\x00\x01b")
    messages += wire.messages(100)
    assert messages == [[b"a", b"b"]] and wire.outgoing == b"\x04\x0c\x04PONGcontext"


def test_pings_of_somebody_who_does_not_read_get_no_more_answers() -> None:
    wire, _ = accepted(greeting(), READY)
    for _ in range(100):
        wire.feed(command(b"PING", bytes(18)) * 1000)
        while wire.is_busy:
            assert not list(wire.messages(1000))
    assert wire.unsent < 5000 and wire.held == 0


# CURVE


def test_a_key_that_is_not_welcome() -> None:
    server, client = curve_pair(lambda key: key != CLIENT[0])
    pour(server, client)
    pour(client, server)
    pour(server, client)
    with pytest.raises(PeerError, match="a key that is not welcome"):
        pour(client, server)
    with pytest.raises(PeerError, match="refused by the other end"):
        pour(server, client)
    assert not server.is_ready and server.key is None


def test_two_servers_and_a_server_with_another_key() -> None:
    server, client = curve_pair()
    with pytest.raises(PeerError, match="two servers"):
        pour(Wire(CurveServer(*SERVER, b"ROUTER", lambda _: True)), server)
    other = Wire(CurveServer(*key_pair(), b"ROUTER", lambda _: True))
    pour(other, client)
    with pytest.raises(PeerError, match="a box that does not open"):
        pour(client, other)


def recorded(pair: Callable[[], tuple[Wire, Wire]]) -> tuple[bytes, bytes]:
    """What each end sends in a handshake and a conversation."""
    server, client = pair()
    said: dict[Wire, bytes] = {server: b"", client: b""}
    for frames in ([b"one"], [b"head", bytes(300)], [b""] * 17):
        client.send(frames)
    while server.outgoing or client.outgoing:
        for source, target in ((client, server), (server, client)):
            said[source] += bytes(source.outgoing)
            pour(source, target)
    return said[server], said[client]


def test_a_message_that_is_said_again_is_refused() -> None:
    server, client = curve_pair()
    shake(server, client)
    client.send([b"move"])
    box = bytes(client.outgoing)
    assert pour(client, server) == [[b"move"]]
    server.feed(box)
    with pytest.raises(PeerError, match="a nonce out of order"):
        list(server.messages(100))


def test_a_handshake_that_is_said_again_is_refused() -> None:
    _, said = recorded(curve_pair)
    server, _ = curve_pair()
    server.feed(said)
    with pytest.raises(PeerError, match="a malformed INITIATE of CURVE"):
        list(server.messages(100))


@pytest.mark.parametrize("key", [bytes(32), b"\x01" + bytes(31)])
def test_keys_of_small_order(key: bytes) -> None:
    server, _ = curve_pair()
    server.feed(
        greeting(mechanism=b"CURVE") + command(b"HELLO", b"\x01\0" + bytes(72) + key + bytes(7) + b"\1" + bytes(80))
    )
    with pytest.raises(PeerError, match="an invalid key"):
        list(server.messages(100))


# Fuzz


def mutated(data: bytes, random: Random) -> bytes:
    """The bytes with one or more of the faults that break programs."""
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(data) + 1)
        match random.randrange(7):
            case 0:
                data = data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
            case 1:
                data = data[:at]
            case 2:
                data = data[:at] + random.randbytes(random.randrange(1, 9)) + data[at:]
            case 3:
                data = data[:at] + random.choice([b"\xff" * 8, bytes(8), b"\x80"]) + data[at + 8 :]
            case 4:
                data = data[:at] + data[at // 2 :]
            case 5:
                data = data[:64] + random.randbytes(random.randrange(64)) + data[64:]
            case _:
                data = data[:at] + data[at:] * random.randrange(1, 4)
    return data


def ends() -> list[tuple[Callable[[], Mechanism], bytes]]:
    """Each kind of end, and what it hears in peace."""
    from_server, from_client = recorded(null_pair)
    curve_server, curve_client = recorded(curve_pair)
    return [
        (lambda: Null(b"ROUTER"), from_client),
        (lambda: Null(b"DEALER", b"me"), from_server),
        (lambda: CurveServer(*SERVER, b"ROUTER", lambda _: True), curve_client),
        (lambda: CurveClient(*CLIENT, b"DEALER", b"me", SERVER[0]), curve_server),
    ]


def attack(wire: Wire, data: bytes, random: Random) -> None:
    """In random pieces: it raises its refusal or nothing, and keeps no more than its bounds allow."""
    at = 0
    while at < len(data):
        size = random.choice([1, 3, 50, 1000, 100_000])
        wire.feed(data[at : at + size])
        at += size
        refusal = ""
        while wire.is_busy and not refusal:
            try:
                for message in wire.messages(random.choice([1, 5, 100])):
                    assert 1 <= len(message) <= MOST_FRAMES and sum(map(len, message)) <= MOST_MESSAGE_BYTES
            except PeerError as error:
                refusal = str(error)
        assert refusal in REASONS | {""}
        if refusal:
            return
        assert wire.held <= MOST_MESSAGE_BYTES + MOST_FRAME_BYTES + 100 and wire.unsent <= 10_000


def attacks(number: int, seed: int) -> None:
    random = Random(seed)
    corpus = ends()
    for count in range(number):
        mechanism, heard = corpus[(0, 1, 0, 1, 2, 0, 1, 3)[count % 8]]
        wire = Wire(mechanism())
        if random.randrange(2):  # past the greeting, or past the handshake
            begin = 64 if random.randrange(2) else random.randrange(64, len(heard))
            attack(wire, heard[:begin], random)
            heard = heard[begin:]
        attack(wire, mutated(heard, random), random)


def sealed_attacks(number: int, seed: int) -> None:
    """Whatever is inside the boxes of somebody who has proved a key."""
    random = Random(seed)
    for _ in range(number):
        server, client = curve_pair()
        shake(server, client)
        for _ in range(20):
            mechanism = client._mechanism
            flags, content = random.randrange(8), random.randbytes(random.choice([0, 1, 5, 70_000]))
            _, body = mechanism.seal(flags, content if random.randrange(2) else mutated(b"\x04PING\0\1abc", random))
            body = body if random.randrange(4) else mutated(body, random)
            attack(server, bytes([2]) + len(body).to_bytes(8, "big") + body, random)


@pytest.mark.parametrize(
    ("streams", "seed"), [(3000, 0), *(pytest.param(50_000, seed, marks=pytest.mark.slow) for seed in (100, 101))]
)
def test_mutated_streams_and_boxes(streams: int, seed: int) -> None:
    attacks(streams, seed)
    sealed_attacks(streams // 100, seed)
