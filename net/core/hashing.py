"""The hash of tables and cards: SHA-512 over a tag and length-prefixed parts. docs/protocols/tables.md, "Hashes"."""

import hashlib


def hashed(tag: str, *parts: bytes) -> bytes:
    """Hash to 64 bytes. Different tags or lists of parts never give the same input."""
    state = hashlib.sha512()
    for part in (b"dotter/v1/" + tag.encode(), *parts):
        state.update(len(part).to_bytes(4, "big"))
        state.update(part)
    return state.digest()


def short(tag: str, *parts: bytes) -> bytes:
    """Return the first 32 bytes of `hashed`."""
    return hashed(tag, *parts)[:32]


def decimal(number: int) -> bytes:
    """Write a number as ASCII digits, to be hashed."""
    return str(number).encode()


def committed(table: bytes, turn: int, key: bytes, secret: bytes) -> bytes:
    """Commit a chair to its share of a joint seed. The hash covers the chair's key, so a copy is useless to another
    chair.
    """
    return short("cr/commit", table, decimal(turn), key, secret)


def joint(table: bytes, turn: int, secrets: tuple[bytes, ...]) -> bytes:
    """Combine all shares into the joint seed; `secrets` are in the order of the chairs."""
    return hashed("cr/out", table, decimal(turn), *secrets)
