"""The tests' own ZMTP 3 beside libzmq's: what a hostile end says, octet by octet, with NULL or CURVE.

Specification: RFC 23 and 37 (ZMTP 3.0 and 3.1) and 26 (CurveZMQ) of ZeroMQ; docs/protocols/links.md, "Connections".
"""

import secrets
import struct
from collections.abc import Sequence

import zmq
from nacl.bindings import crypto_box_afternm, crypto_box_beforenm, crypto_box_keypair, crypto_box_open_afternm
from zmq.utils import z85

#: Bits of a frame's flags.
MORE, LONG, COMMAND = 1, 2, 4
GREETING_BYTES = 64


def greeting(mechanism: bytes = b"NULL") -> bytes:
    """ "greeting = signature version mechanism as-server filler" (RFC 23)."""
    signature = b"\xff" + bytes(8) + b"\x7f"
    return (signature + b"\x03\x01" + mechanism.ljust(20, b"\0")).ljust(GREETING_BYTES, b"\0")


def frame(flags: int, body: bytes) -> bytes:
    """ "short-size = OCTET, long-size = 8OCTET" (RFC 23)."""
    if len(body) < 256:
        return bytes((flags, len(body))) + body
    return struct.pack(">BQ", flags | LONG, len(body)) + body


def message(*frames: bytes) -> bytes:
    """A message as NULL says it."""
    return b"".join(frame(MORE if frames[number + 1 :] else 0, each) for number, each in enumerate(frames))


def command(name: bytes, data: bytes = b"") -> bytes:
    return frame(COMMAND, bytes([len(name)]) + name + data)


def ping(ttl: int) -> bytes:
    """PING, after `ttl` tenths of a second without a word of which the other end may close."""
    return command(b"PING", struct.pack(">H", ttl))


def properties(kind: bytes, identity: bytes = b"") -> bytes:
    """What READY says of an end, in either mechanism."""
    pairs = ((b"Socket-Type", kind), (b"Identity", identity))
    return b"".join(bytes([len(name)]) + name + struct.pack(">I", len(value)) + value for name, value in pairs if value)


def opening(identity: bytes, kind: bytes = b"DEALER") -> bytes:
    """The greeting and READY of one end."""
    return greeting() + command(b"READY", properties(kind, identity and b"\x01" + identity))


def bodies(heard: bytes) -> list[bytes]:
    """The whole frames after a greeting."""
    found, at = [], GREETING_BYTES
    while len(heard) > at + 1:
        long = heard[at] & LONG
        begin = at + (9 if long else 2)
        at = begin + int.from_bytes(heard[at + 1 : begin], "big")
        if at <= len(heard):
            found.append(heard[begin:at])
    return found


def key_pair() -> tuple[bytes, bytes]:
    """The 32 bytes of a public and of a secret key of CURVE, made by libzmq."""
    public, secret = zmq.curve_keypair()
    return z85.decode(public), z85.decode(secret)


class CurveClient:
    """The calling end of CURVE."""

    def __init__(self, public: bytes, secret: bytes, server: bytes, identity: bytes) -> None:
        """`server` is the key of the called end."""
        self._public, self._secret, self._server = public, secret, server
        self._identity = identity
        self._brief_public, self._brief_secret = crypto_box_keypair()
        self._session = b""  # the shared secret of both short-term keys
        self._number = 0

    def _next(self) -> bytes:
        self._number += 1
        return self._number.to_bytes(8, "big")

    def hello(self) -> bytes:
        """The greeting, and HELLO: padded so that WELCOME is not longer than it."""
        number = self._next()
        shared = crypto_box_beforenm(self._server, self._brief_secret)
        box = crypto_box_afternm(bytes(64), b"CurveZMQHELLO---" + number, shared)
        return greeting(b"CURVE") + command(b"HELLO", b"\x01\x00" + bytes(72) + self._brief_public + number + box)

    def initiate(self, heard: bytes) -> bytes:
        """INITIATE, once WELCOME has come."""
        welcome = bodies(heard)[0].removeprefix(b"\x07WELCOME")
        shared = crypto_box_beforenm(self._server, self._brief_secret)
        opened = crypto_box_open_afternm(welcome[16:], b"WELCOME-" + welcome[:16], shared)
        server, cookie = opened[:32], opened[32:]
        self._session = crypto_box_beforenm(server, self._brief_secret)
        nonce, number = secrets.token_bytes(16), self._next()
        vouch_key = crypto_box_beforenm(server, self._secret)
        vouch = crypto_box_afternm(self._brief_public + self._server, b"VOUCH---" + nonce, vouch_key)
        inside = self._public + nonce + vouch + properties(b"DEALER", self._identity)
        box = crypto_box_afternm(inside, b"CurveZMQINITIATE" + number, self._session)
        return command(b"INITIATE", cookie + number + box)

    def sealed(self, flags: int, content: bytes) -> bytes:
        """A frame. Inside its box the bit of a command is 2."""
        number = self._next()
        inside = bytes([flags & MORE | (2 if flags & COMMAND else 0)]) + content
        return frame(
            0, b"\x07MESSAGE" + number + crypto_box_afternm(inside, b"CurveZMQMESSAGEC" + number, self._session)
        )

    def message(self, frames: Sequence[bytes]) -> bytes:
        return b"".join(self.sealed(MORE if frames[number + 1 :] else 0, each) for number, each in enumerate(frames))
