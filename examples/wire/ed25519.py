"""Ed25519, from PyNaCl. Specification: docs/protocols/identity.md, "Keys"."""

from functools import lru_cache

from nacl.exceptions import CryptoError
from nacl.signing import SigningKey, VerifyKey


@lru_cache(maxsize=4)
def key_of(secret: bytes) -> bytes:
    return bytes(SigningKey(secret).verify_key)


def sign(secret: bytes, data: bytes) -> bytes:
    """Sign in 64 bytes, the same each time."""
    return SigningKey(secret).sign(data).signature


def verified(key: bytes, signature: bytes, data: bytes) -> bool:
    """Return whether the owner of the key signed these bytes; libsodium takes no key of small order."""
    try:
        VerifyKey(key).verify(data, signature)
    except (CryptoError, ValueError):
        return False
    return True
