"""The sealed channel between a page and the host's program: a key that both ends make, and the secret of the code.

No socket and no clock. Two ephemeral keys give each connection a shared secret of its own, so a listener who learns
the code later still reads nothing. The code is mixed in, so nobody without it gets an answer. docs/protocols/phones.md
has the bytes.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import Final

from nacl.bindings import crypto_box_beforenm, crypto_box_keypair, crypto_secretbox, crypto_secretbox_open
from nacl.exceptions import CryptoError

from quadrille.net.core.errors import PeerError

#: Bytes: an ephemeral key, and the overhead of a frame.
KEY: Final = 32
SEAL: Final = 16
_NONCE: Final = 24
_LABEL: Final = b"quadrille phone"
_DASHES: Final = re.compile("[^a-z0-9]")


def tidy_secret(text: str) -> str:
    return _DASHES.sub("", text.lower())


class SealedChannel:
    """One connection, from the ephemeral keys on. The page speaks first; its first frame shows which secret it has."""

    def __init__(self) -> None:
        self.public, self._private = crypto_box_keypair()
        self._shared = b""
        self._to_page = self._to_server = b""
        self._sent = self._heard = 0

    def meet(self, key: bytes) -> None:
        """Take the ephemeral key of the other end."""
        try:
            self._shared = crypto_box_beforenm(key, self._private)
        except CryptoError:
            raise PeerError(f"an invalid key of {len(key)} bytes; {KEY} are right") from None

    def accept(self, frame: bytes, secrets: Iterable[str]) -> tuple[str, bytes] | None:
        """Open the first frame with one of these secrets; return the secret and the content, None if none fits."""
        for secret in secrets:
            self._to_server, self._to_page = self._keys(secret)
            try:
                return secret, self.opened(frame)
            except PeerError:
                continue
        return None

    def _keys(self, secret: str) -> tuple[bytes, bytes]:
        both = hashlib.sha512(_LABEL + self._shared + tidy_secret(secret).encode()).digest()
        return both[:KEY], both[KEY:]

    def opened(self, frame: bytes) -> bytes:
        """Open the next frame of the page."""
        try:
            content = crypto_secretbox_open(frame, self._heard.to_bytes(_NONCE, "big"), self._to_server)
        except (CryptoError, ValueError):
            raise PeerError("a frame that does not open") from None
        self._heard += 1
        return content

    def sealed(self, content: bytes) -> bytes:
        """Seal the next frame for the page."""
        frame = crypto_secretbox(content, self._sent.to_bytes(_NONCE, "big"), self._to_page)
        self._sent += 1
        return frame
