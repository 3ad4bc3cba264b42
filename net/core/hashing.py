"""The one hash of tables and cards: SHA-512 over a tag and parts, each with its length. protocols.md, "Hashes"."""

import hashlib


def hashed(tag: str, *parts: bytes) -> bytes:
    """64 bytes; no two lists of parts, and no two tags, give the same input."""
    state = hashlib.sha512()
    for part in (b"dotter/v1/" + tag.encode(), *parts):
        state.update(len(part).to_bytes(4, "big"))
        state.update(part)
    return state.digest()


def short(tag: str, *parts: bytes) -> bytes:
    """The first 32 bytes of it."""
    return hashed(tag, *parts)[:32]


def decimal(number: int) -> bytes:
    """A number as a part: ASCII digits."""
    return str(number).encode()


def committed(table: bytes, turn: int, chair: int | bytes, secret: bytes) -> bytes:
    """The commitment of a chair to its share of a joint seed (commit-reveal, cards).

    Protocol 2 binds it to the key of the chair, so that a copy is worth nothing to another; protocol 1 to its number.
    """
    return short("cr/commit", table, decimal(turn), chair if isinstance(chair, bytes) else bytes([chair]), secret)


def joint(table: bytes, turn: int, secrets: tuple[bytes, ...]) -> bytes:
    """The joint seed that all shares give, in the order of the chairs."""
    return hashed("cr/out", table, decimal(turn), *secrets)
