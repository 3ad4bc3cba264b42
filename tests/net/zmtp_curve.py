"""CurveZMQ: the handshake and the boxes of a ZMTP connection on which both ends prove their keys. No socket, no
clock.

`CurveServer` and `CurveClient` are each a `Mechanism` (zmtp_mechanisms.py). The server keeps state for each
connection, so its cookie is only a number that the client repeats. Specification: RFC 26 of ZeroMQ, and docs/protocols/links.md,
"Connections".
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from hmac import compare_digest
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

_HELLO_BYTES = 2 + 72 + KEY + SHORT + 64 + BOX
_WELCOME_BYTES = LONG + KEY + COOKIE + BOX
_VOUCH_BYTES = LONG + 2 * KEY + BOX
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
    """State of both sides: nonces in each direction, boxes of frames."""

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


class CurveServer(_Curve):
    """The accepting side."""

    is_server = True
    _ours, _theirs = b"CurveZMQMESSAGES", b"CurveZMQMESSAGEC"

    def __init__(self, public: bytes, secret: bytes, socket_type: bytes, allows: Callable[[bytes], bool]) -> None:
        """`allows(key)` says whether the owner of a proven key may connect."""
        super().__init__(public, secret, socket_type, b"")
        self._allows = allows
        self._cookie = secrets.token_bytes(COOKIE)
        self._client = b""  # the client's short-term key

    def begin(self) -> Sequence[Command]:
        """Nothing: the client speaks first."""
        return ()

    def answer(self, name: bytes, data: bytes) -> Sequence[Command]:
        """Answer HELLO, then INITIATE."""
        if name == b"HELLO" and not self._client:
            return [self._welcome(data)]
        if name == b"INITIATE" and self._client:
            return [self._ready(data)]
        raise PeerError("a step of the handshake out of order")

    def _welcome(self, data: bytes) -> Command:
        """ "hello = version padding hello-client hello-nonce hello-box"; WELCOME goes back."""
        if len(data) != _HELLO_BYTES or data[:2] != b"\x01\x00":
            raise PeerError("a malformed HELLO of CURVE")
        client, number, box = data[74:106], data[106:114], data[114:]
        shared = _shared(client, self._secret)
        if _opened(box, b"CurveZMQHELLO---" + self._heard_number(number), shared) != bytes(64):
            raise PeerError("a malformed HELLO of CURVE")
        self._client = client
        self._session = _shared(client, self._brief_secret)
        nonce = secrets.token_bytes(LONG)
        return b"WELCOME", nonce + crypto_box_afternm(self._brief_public + self._cookie, b"WELCOME-" + nonce, shared)

    def _ready(self, data: bytes) -> Command:
        """ "initiate = cookie initiate-nonce initiate-box". The vouch proves the client's key; READY goes back."""
        cookie, number, box = data[:COOKIE], data[COOKIE : COOKIE + SHORT], data[COOKIE + SHORT :]
        if len(box) < KEY + _VOUCH_BYTES + BOX or not compare_digest(cookie, self._cookie):
            raise PeerError("a malformed INITIATE of CURVE")
        opened = _opened(box, b"CurveZMQINITIATE" + self._heard_number(number), self._session)
        key, vouch, metadata = opened[:KEY], opened[KEY : KEY + _VOUCH_BYTES], opened[KEY + _VOUCH_BYTES :]
        vouched = _opened(vouch[LONG:], b"VOUCH---" + vouch[:LONG], _shared(key, self._brief_secret))
        if vouched != self._client + self._public:
            raise PeerError("a vouch for another")
        peer = decode_properties(metadata, self._socket_type)
        if not self._allows(key):
            raise PeerError("a key that is not welcome")
        self.key, self.peer = key, peer
        number = self._number()
        return b"READY", number + crypto_box_afternm(self._metadata, b"CurveZMQREADY---" + number, self._session)


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
