"""Identities: an Ed25519 key, what derives from it, and its file.

A name is a claim, a key is not: whatever matters is signed. The rest of the package never sees the 32 secret bytes,
only what is derived from them here. Specification with vectors: docs/protocols/identity.md.
"""

import hashlib
import os
import stat
import sys
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Final, Self

from nacl.bindings import (
    crypto_sign,
    crypto_sign_ed25519_pk_to_curve25519,
    crypto_sign_ed25519_sk_to_curve25519,
    crypto_sign_open,
    crypto_sign_seed_keypair,
)
from nacl.exceptions import BadSignatureError

from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import KEY_FILE, made_once, refusal
from quadrille.value import value

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
PEER_BYTES: Final = 16
#: 64 bits: to find a key with the same fingerprint takes 2^64 tries. 32 bits were too few (F15).
FINGERPRINT_BYTES: Final = 8
_SECRET: Final = b"quadrille/secret"
_FIELD: Final = 2**255 - 19
_BINARY: Final = getattr(os, "O_BINARY", 0)


def peer_of(key: bytes) -> bytes:
    """Derive the ZRE identity of a key: the first 16 bytes of its BLAKE2b hash, so the key certifies it."""
    return hashlib.blake2b(key).digest()[:PEER_BYTES]


def fingerprint(key: bytes) -> str:
    """Write sixteen digits for people to compare, such as `3f2a 91bc 04de 7a10`; programs compare whole keys."""
    return peer_of(key)[:FINGERPRINT_BYTES].hex(" ", 2)


@lru_cache(maxsize=16)
def verified(key: bytes, signature: bytes, data: bytes) -> bool:
    """Check that the holder of the key signed exactly these bytes. Malformed input is refused as well.

    Cached, because an entry is checked twice: on arrival and when it is taken into the log.
    """
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        crypto_sign_open(signature + data, key)
    except BadSignatureError:
        return False
    return True


def owner_of(peer: bytes, curve_key: bytes) -> bytes | None:
    """Find the identity key that owns both a ZRE identity and a CURVE key; None if there is none.

    A CURVE key is an identity key in another form that lacks one bit (RFC 7748, 4.1: u = (1 + y) / (1 - y)); the ZRE
    identity says which of the two candidates it is. So nobody can combine another's identity with a CURVE key that is
    not its owner's.
    """
    if len(curve_key) != KEY_BYTES:
        return None
    u = int.from_bytes(curve_key, "little")
    if (u + 1) % _FIELD == 0:
        return None
    y = (u - 1) * pow(u + 1, -1, _FIELD) % _FIELD
    for sign in (0, 1):
        key = (y | sign << 255).to_bytes(KEY_BYTES, "little")
        if peer_of(key) == peer:
            return key if curve_form(key) == curve_key else None
    return None


def curve_form(key: bytes) -> bytes | None:
    """Convert a public key to CURVE form; None for an invalid key."""
    try:
        return crypto_sign_ed25519_pk_to_curve25519(key)
    except RuntimeError:
        return None


@value
class Curve:
    """The CURVE key pair of an identity, for the links of private rooms: the same key in another form."""

    public: bytes
    secret: bytes = field(repr=False)


class Identity:
    """A signing key; `key` is its public half, `peer` the ZRE identity derived from it."""

    def __init__(self, sign_key: bytes) -> None:
        """Take the 32 secret bytes."""
        self._sign_key = sign_key
        self.key, self._signing = crypto_sign_seed_keypair(sign_key)
        self.peer = peer_of(self.key)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Read the identity of a folder; make one if there is none."""
        path = folder / KEY_FILE
        try:
            if not path.exists():
                with made_once(path) as part:
                    _write(part, os.urandom(KEY_BYTES))
            return cls(_read(path))
        except OSError as error:
            raise refusal(error, path) from None

    def sign(self, data: bytes) -> bytes:
        """Sign these bytes, the same way each time."""
        return crypto_sign(data, self._signing)[:SIGNATURE_BYTES]

    def secret(self, label: str, *context: bytes) -> bytes:
        """Derive a 32-byte secret, the same each time, so that nothing needed after a crash has to be stored.

        It is a hash keyed by the identity's secret; different lists of label and context never give the same input.
        """
        state = hashlib.blake2b(key=self._sign_key, digest_size=32, person=_SECRET)
        for part in (label.encode(), *context):
            state.update(len(part).to_bytes(4, "big"))
            state.update(part)
        return state.digest()

    def curve(self) -> Curve:
        secret = crypto_sign_ed25519_sk_to_curve25519(self._signing)
        return Curve(crypto_sign_ed25519_pk_to_curve25519(self.key), secret)

    def __repr__(self) -> str:
        return f"<Identity {fingerprint(self.key)}>"


def _read(path: Path) -> bytes:
    """Read the secret bytes of a key file. Refuse a file that is damaged or not private."""
    file = os.open(path, os.O_RDONLY | _BINARY)
    try:
        info = os.fstat(file)
        if not stat.S_ISREG(info.st_mode):
            raise LocalError(f"{path} is not an ordinary file: move it away, and the next start makes a new key")
        _check_private(path, info)
        secret = os.read(file, KEY_BYTES + 1)
    finally:
        os.close(file)
    if len(secret) != KEY_BYTES or not any(secret):
        raise LocalError(
            f"{path} is damaged: it should hold {KEY_BYTES} secret bytes. Restore it from a backup; or move it away, "
            "and the next start makes a new key: then others will take you for somebody new"
        )
    return secret


def _check_private(path: Path, info: os.stat_result) -> None:
    """Refuse a key that others can read. Windows has no such modes: there the user's own data folder protects it."""
    if sys.platform != "win32":
        if info.st_uid != os.geteuid():
            raise LocalError(
                f"{path} belongs to another user of this machine: "
                f"if the key is yours, make the file yours (chown {os.geteuid()}); otherwise move it away"
            )
        if info.st_mode & 0o077:
            raise LocalError(
                f"{path} can be read by others on this machine. If nobody has read it, protect it with chmod 600; "
                "otherwise move it away, and the next start makes a new key"
            )


def _write(path: Path, secret: bytes) -> None:
    """Write a new file that only its owner could ever read, and flush it to disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600), "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
