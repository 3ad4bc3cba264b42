"""CPace: two peers that share a passphrase agree on a key, and nobody learns anything that helps to guess it.

Pure functions of the balanced PAKE of draft-irtf-cfrg-cpace, in its suite CPACE-RISTR255-SHA512, for two equal sides
("symmetric setting"), and `PakeRun`, one side of one run. A run is one guess at the passphrase, whatever the other
side does; door.py limits the runs. Specification: docs/protocols/rooms.md.
"""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from quadrille.net.cards import group
from quadrille.net.cards.group import ORDER

TAG_BYTES: Final = 64
_SCALAR_SEED_BYTES: Final = 64
_SUITE: Final = b"CPaceRistretto255"
#: Bytes of one input block of SHA-512.
_BLOCK_BYTES: Final = 128


@dataclass(frozen=True, slots=True)
class PakeMessage:
    """The message of one side: its share, and the data that the run authenticates with it."""

    share: bytes
    data: bytes

    @property
    def packed(self) -> bytes:
        """The share and the data, each with its length."""
        return lv_cat(self.share, self.data)


def lv_cat(*parts: bytes) -> bytes:
    """Concatenate parts, each after its length in LEB128."""
    return b"".join(_length(len(part)) + part for part in parts)


def _length(number: int) -> bytes:
    digits = bytearray()
    while number >= 128:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes((*digits, number))


def generator_string(secret: bytes, channel: bytes, session: bytes) -> bytes:
    """Join the input that is hashed to the generator. Zeros fill a block, so that timing hides the secret's length."""
    begun = lv_cat(_SUITE, secret)
    padding = bytes(max(0, _BLOCK_BYTES - len(begun) - 1))
    return begun + lv_cat(padding, channel, session)


def generator(secret: bytes, channel: bytes, session: bytes) -> bytes:
    """Compute the generator, as only those can who know the secret; nobody knows its logarithm."""
    return group.from_hash(hashlib.sha512(generator_string(secret, channel, session)).digest())


def scalar(draw: Callable[[int], bytes]) -> int:
    """Draw a number from 1 to the group's order less 1."""
    while not (number := int.from_bytes(draw(_SCALAR_SEED_BYTES), "little") % ORDER):
        pass
    return number


def session_key(secret: int, session: bytes, mine: PakeMessage, theirs: PakeMessage) -> bytes | None:
    """Compute the key of a run (ISK); None if the other share is no point, the identity, or our own share reflected.

    Both sides get the same key if they had the same passphrase and saw the same run; otherwise unrelated keys.
    """
    if theirs.share == mine.share or not group.is_point(theirs.share):
        return None
    common = group.times(secret, theirs.share)
    transcript = b"oc" + b"".join(sorted((mine.packed, theirs.packed), reverse=True))
    return hashlib.sha512(lv_cat(_SUITE + b"_ISK", session, common) + transcript).digest()


def tag(key: bytes, session: bytes, sender: PakeMessage) -> bytes:
    """Prove that the sender of this share has the key of the run."""
    tag_key = hashlib.sha512(b"CPaceMac" + session + key).digest()
    return hmac.digest(tag_key, sender.packed, "sha512")


class PakeRun:
    """One side of one run: send `sent.share`, hear the other's, send `tag`, and check the other's."""

    def __init__(
        self,
        secret: bytes,
        *,
        channel: bytes,
        session: bytes,
        data: bytes,
        draw: Callable[[int], bytes],
    ) -> None:
        """Take a secret, channel and session that both sides share; `data` is this side's own."""
        self._session = session
        self._scalar = scalar(draw)
        self.sent = PakeMessage(group.times(self._scalar, generator(secret, channel, session)), data)
        self._theirs: PakeMessage | None = None
        self._key = b""

    def hears(self, theirs: PakeMessage) -> bool:
        """Take the other side's share. Return False if it is invalid, and the run is over."""
        key = session_key(self._scalar, self._session, self.sent, theirs)
        self._theirs, self._key = theirs, key or b""
        return key is not None

    @property
    def tag(self) -> bytes:
        """The proof for the other side that this one had the secret."""
        return tag(self._key, self._session, self.sent)

    def is_right(self, claim: bytes) -> bool:
        """Return True if the other side had the secret."""
        assert self._theirs is not None
        return hmac.compare_digest(claim, tag(self._key, self._session, self._theirs))
