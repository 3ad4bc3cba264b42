"""Who somebody is: an Ed25519 key, what follows from it, and the file it is kept in.

A name is a claim, a key is not: whatever matters is signed. The rest of the package learns nothing of the 32 secret
bytes but what is derived from them here. Specification with vectors: protocols.md, "Identity and rooms".
"""

import contextlib
import hashlib
import os
import stat
import sys
from dataclasses import dataclass, field
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
from quadrille.net.core.home import refusal, sync_folder

KEY_FILE: Final = "identity.key"
KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
PEER_BYTES: Final = 16
#: 64 bits: a key with the fingerprint of another takes 2^64 tries, which 32 bits did not (F15).
FINGERPRINT_BYTES: Final = 8
_SECRET: Final = b"quadrille/secret"
_FIELD: Final = 2**255 - 19
_BINARY: Final = getattr(os, "O_BINARY", 0)


def peer_of(key: bytes) -> bytes:
    """The ZRE identity of a key, which so certifies itself: the first 16 bytes of its BLAKE2b hash."""
    return hashlib.blake2b(key).digest()[:PEER_BYTES]


def fingerprint(key: bytes) -> str:
    """Sixteen digits for people to compare, such as `3f2a 91bc 04de 7a10`; programs compare whole keys."""
    return peer_of(key)[:FINGERPRINT_BYTES].hex(" ", 2)


@lru_cache(maxsize=16)
def verified(key: bytes, signature: bytes, data: bytes) -> bool:
    """Whether the holder of that key signed exactly these bytes; False for whatever else it may be.

    The answer never changes, and an entry is asked about twice: when it comes, and right after, when it is taken.
    """
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        crypto_sign_open(signature + data, key)
    except BadSignatureError:
        return False
    return True


def owner_of(peer: bytes, curve_key: bytes) -> bytes | None:
    """The identity key to which both a ZRE identity and a CURVE key belong; None where there is none.

    A CURVE key is an identity key in another form that lacks one bit (RFC 7748, 4.1: u = (1 + y) / (1 - y)); the ZRE
    identity says which of the two keys it is. So nobody can put their own CURVE key beside the identity of another.
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
            return key if _curve_form(key) == curve_key else None
    return None


def _curve_form(key: bytes) -> bytes | None:
    """A public key as a CURVE key, if it is a sound one."""
    try:
        return crypto_sign_ed25519_pk_to_curve25519(key)
    except RuntimeError:
        return None


@dataclass(frozen=True, slots=True)
class Curve:
    """The CURVE key pair of an identity, for the links of private rooms: its own keys in their other form."""

    public: bytes
    secret: bytes = field(repr=False)


class Identity:
    """A key that signs; `key` is its public half, `peer` the ZRE identity that it certifies."""

    __slots__ = ("_sign_key", "_signing", "key", "peer")

    def __init__(self, sign_key: bytes) -> None:
        """From the 32 secret bytes themselves."""
        self._sign_key = sign_key
        self.key, self._signing = crypto_sign_seed_keypair(sign_key)
        self.peer = peer_of(self.key)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The identity that a folder holds; a new one if it holds none."""
        path = folder / KEY_FILE
        try:
            try:
                return cls(_read(path))
            except FileNotFoundError:
                _make(path)
                return cls(_read(path))
        except OSError as error:
            raise refusal(error, path) from None

    def sign(self, data: bytes) -> bytes:
        """The signature of this identity on these bytes: the same each time."""
        return crypto_sign(data, self._signing)[:SIGNATURE_BYTES]

    def secret(self, label: str, *context: bytes) -> bytes:
        """32 bytes that nobody else can tell, the same each time: what is needed again after a crash need not be kept.

        The key of the hash is the identity's secret; no two lists of label and context give the same input.
        """
        state = hashlib.blake2b(key=self._sign_key, digest_size=32, person=_SECRET)
        for part in (label.encode(), *context):
            state.update(len(part).to_bytes(4, "big"))
            state.update(part)
        return state.digest()

    def curve(self) -> Curve:
        """The CURVE key pair of this identity."""
        secret = crypto_sign_ed25519_sk_to_curve25519(self._signing)
        return Curve(crypto_sign_ed25519_pk_to_curve25519(self.key), secret)

    def __repr__(self) -> str:
        return f"<Identity {fingerprint(self.key)}>"


def _read(path: Path) -> bytes:
    """The secret bytes of a key file, if it is whole and nobody else's."""
    file = os.open(path, os.O_RDONLY | _BINARY)
    try:
        info = os.fstat(file)
        if not stat.S_ISREG(info.st_mode):
            raise LocalError(f"{path} is no ordinary file: move it away, and a new key is made at the next start")
        _check_private(path, info)
        secret = os.read(file, KEY_BYTES + 1)
    finally:
        os.close(file)
    if len(secret) != KEY_BYTES or not any(secret):
        raise LocalError(
            f"{path} is damaged: it should hold {KEY_BYTES} secret bytes. Bring it back from a copy; or move it away, "
            "and a new key is made at the next start: then others will see somebody new in you"
        )
    return secret


def _check_private(path: Path, info: os.stat_result) -> None:
    """Refuse a key that others can read. Windows has no such modes: there the user's own data folder protects it."""
    if sys.platform != "win32":
        if info.st_uid != os.geteuid():
            raise LocalError(
                f"{path} belongs to another user of this machine: "
                f"if the key is yours, make the file yours (chown {os.geteuid()}); else move it away"
            )
        if info.st_mode & 0o077:
            raise LocalError(
                f"{path} can be read by others on this machine. If nobody has, keep it to yourself with chmod 600; "
                "else move it away, and a new key is made at the next start"
            )


def _make(path: Path) -> None:
    """Write a new key under a name of its own, then give it its place: it is there whole or not at all.

    Where another program made one in the meantime, theirs stays.
    """
    secret = os.urandom(KEY_BYTES)
    part = path.with_name(f"{path.name}.{os.urandom(4).hex()}.part")
    try:
        _write(part, secret)
        try:
            os.link(part, path)
        except FileExistsError:
            return
        except OSError:  # a file system where no file has two names, as on some phones and sticks
            with contextlib.suppress(FileExistsError):
                _write(path, secret)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def _write(path: Path, secret: bytes) -> None:
    """A new file that never was anybody else's to read, on disk before we go on."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600), "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
