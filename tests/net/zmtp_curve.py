"""CurveZMQ of the tests' own ZMTP: the handshake and the boxes of the end that calls. No socket, no clock.

`CurveClient` is a `Mechanism` (zmtp_mechanisms.py). Specification: RFC 26 of ZeroMQ, and docs/protocols/links.md,
"Connections".
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from nacl.bindings import crypto_box_afternm, crypto_box_beforenm, crypto_box_keypair, crypto_box_open_afternm
from nacl.exceptions import CryptoError

from quadrille.net.core.errors import PeerError
from tests.net.zmtp_mechanisms import COMMAND, MORE, Command, decode_properties, encode_properties

#: Bytes: overhead of a box, length of a key, a short nonce, a long nonce and a cookie.
BOX: Final = 16
KEY: Final = 32
SHORT: Final = 8
LONG: Final = 16
COOKIE: Final = 96

_WELCOME_BYTES = LONG + KEY + COOKIE + BOX
#: Flags of the frame inside a MESSAGE (RFC 26).
_MORE_INSIDE, _COMMAND_INSIDE = 1, 2
_MESSAGE = b"\x07MESSAGE"
_LAST_NONCE = (1 << 64) - 1


def _shared(public: bytes, secret: bytes) -> bytes:
    """The shared secret of two keys; a key of small order has none."""
    try:
        return crypto_box_beforenm(public, secret)
    except CryptoError:
        raise PeerError("an invalid key") from None


def _opened(box: bytes, nonce: bytes, shared: bytes) -> bytes:
    try:
        return crypto_box_open_afternm(box, nonce, shared)
    except CryptoError:
        raise PeerError("a box that does not open") from None


class _Curve:
    """Nonces in each direction, boxes of frames."""

    name: bytes = b"CURVE"
    overhead = len(_MESSAGE) + SHORT + BOX + 1
    #: Nonce prefixes of our MESSAGE boxes and of the other's.
    _ours = _theirs = b""

    def __init__(self, public: bytes, secret: bytes, socket_type: bytes, identity: bytes) -> None:
        self.peer: Mapping[bytes, bytes] | None = None
        self.key: bytes | None = None
        self._public = public
        self._secret = secret
        self._socket_type = socket_type
        self._metadata = encode_properties(socket_type, identity)
        self._brief_public, self._brief_secret = crypto_box_keypair()
        self._session = b""  # the shared secret of both short-term keys
        self._sent = 0
        self._heard = 0

    def _number(self) -> bytes:
        self._sent += 1
        return self._sent.to_bytes(SHORT, "big")

    def _heard_number(self, number: bytes) -> bytes:
        """ "The short nonce … SHALL be strictly greater than the last" (RFC 26), which prevents replays."""
        value = int.from_bytes(number, "big")
        if not self._heard < value < _LAST_NONCE:
            raise PeerError("a nonce out of order")
        self._heard = value
        return number

    def seal(self, flags: int, content: bytes) -> tuple[int, bytes]:
        """A MESSAGE. RFC 26 calls it a command; libzmq sends it as a content frame, and accepts both."""
        inside = (_MORE_INSIDE if flags & MORE else 0) | (_COMMAND_INSIDE if flags & COMMAND else 0)
        number = self._number()
        box = crypto_box_afternm(bytes((inside,)) + content, self._ours + number, self._session)
        return 0, _MESSAGE + number + box

    def unseal(self, flags: int, body: bytes) -> tuple[int, bytes]:
        """The content of a MESSAGE."""
        begin = len(_MESSAGE)
        if flags & MORE or not body.startswith(_MESSAGE) or len(body) < self.overhead:
            raise PeerError("no MESSAGE")
        number = self._heard_number(body[begin : begin + SHORT])
        opened = _opened(body[begin + SHORT :], self._theirs + number, self._session)
        if opened[0] & ~(_MORE_INSIDE | _COMMAND_INSIDE):
            raise PeerError("reserved flags")
        inside = (MORE if opened[0] & _MORE_INSIDE else 0) | (COMMAND if opened[0] & _COMMAND_INSIDE else 0)
        return inside, opened[1:]


class CurveClient(_Curve):
    """The calling side."""

    is_server = False
    _ours, _theirs = b"CurveZMQMESSAGEC", b"CurveZMQMESSAGES"

    def __init__(self, public: bytes, secret: bytes, socket_type: bytes, identity: bytes, server: bytes) -> None:
        """`server` is the key of the called end."""
        super().__init__(public, secret, socket_type, identity)
        self._server = server
        self._shared_hello = b""

    def begin(self) -> Sequence[Command]:
        """HELLO, padded so that WELCOME is not longer than it."""
        number = self._number()
        self._shared_hello = _shared(self._server, self._brief_secret)
        box = crypto_box_afternm(bytes(64), b"CurveZMQHELLO---" + number, self._shared_hello)
        return [(b"HELLO", b"\x01\x00" + bytes(72) + self._brief_public + number + box)]

    def answer(self, name: bytes, data: bytes) -> Sequence[Command]:
        """Answer WELCOME, then READY."""
        if name == b"WELCOME" and not self._session:
            return [self._initiate(data)]
        if name == b"READY" and self._session:
            self._finish(data)
            return ()
        raise PeerError("a step of the handshake out of order")

    def _initiate(self, data: bytes) -> Command:
        if len(data) != _WELCOME_BYTES:
            raise PeerError("a malformed WELCOME of CURVE")
        opened = _opened(data[LONG:], b"WELCOME-" + data[:LONG], self._shared_hello)
        server, cookie = opened[:KEY], opened[KEY:]
        self._session = _shared(server, self._brief_secret)
        nonce, number = secrets.token_bytes(LONG), self._number()
        vouch = crypto_box_afternm(
            self._brief_public + self._server, b"VOUCH---" + nonce, _shared(server, self._secret)
        )
        inside = self._public + nonce + vouch + self._metadata
        return b"INITIATE", cookie + number + crypto_box_afternm(inside, b"CurveZMQINITIATE" + number, self._session)

    def _finish(self, data: bytes) -> None:
        number, box = data[:SHORT], data[SHORT:]
        if len(box) < BOX:
            raise PeerError("a malformed READY of CURVE")
        metadata = _opened(box, b"CurveZMQREADY---" + self._heard_number(number), self._session)
        self.peer = decode_properties(metadata, self._socket_type)
        self.key = self._server
