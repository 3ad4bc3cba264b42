"""The heads of frames in the plain text of NULL: what ends a connection, however the bytes are split."""

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.zeromq.frame_heads import MOST_FRAMES, MOST_MESSAGE_BYTES, FrameHeads
from tests.net.callers import LONG_FRAME, message, opening

OPENING = opening(b"e" * 16)
PING = b"\x04\x07\x04PING\x00\x00"


def read(data: bytes, size: int) -> None:
    heads = FrameHeads()
    for at in range(0, len(data), size):
        heads.read(data[at : at + size])


@pytest.mark.parametrize("size", [1, 2, 7, 64, 1 << 20])
def test_messages_of_the_most_frames_and_bytes_pass(size: int) -> None:
    most = (message(*[b"x"] * MOST_FRAMES) + PING + message(bytes(256), b"")) * 3
    read(OPENING + most + message(*[bytes(1 << 14)] * (MOST_MESSAGE_BYTES >> 14)) + most, size)


@pytest.mark.parametrize("size", [1, 2, 7, 64, 1 << 20])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"GET / HTTP/1.1\r\n", "no ZMTP 3"),
        (b"\xff" + bytes(7) + b"\x01\x00\x01\x00", "no ZMTP 3"),  # ZMTP 1
        (b"\xff" + bytes(8) + b"\x7f\x01\x00", "no ZMTP 3"),  # ZMTP 2
        (OPENING + b"\x01\x00" * MOST_FRAMES + b"\x00\x00", "a message of too many frames"),
        (OPENING + b"\x01\x00" + PING + b"\x01\x00" * MOST_FRAMES, "a message of too many frames"),
        (OPENING + LONG_FRAME * (MOST_MESSAGE_BYTES >> 16) + b"\x01\x01", "a message too long"),
        (OPENING + b"\x02" + b"\xff" * 8, "a message too long"),
        (OPENING + b"\x05\x00", "a malformed command"),
    ],
)
def test_what_ends_a_connection(data: bytes, reason: str, size: int) -> None:
    with pytest.raises(PeerError, match=reason):
        read(data, size)
