"""Ed25519 in plain Python, as RFC 8032 has it: some milliseconds each, and timing may reveal the secret.

A real program uses a library. Specification: docs/protocols/identity.md, "Keys".
"""

import hashlib
from functools import lru_cache

Point = tuple[int, int, int, int]

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def plus(one: Point, other: Point) -> Point:
    """Add two points in extended coordinates (RFC 8032, 5.1.4)."""
    a = (one[1] - one[0]) * (other[1] - other[0])
    b = (one[1] + one[0]) * (other[1] + other[0])
    c = 2 * one[3] * other[3] * D
    d = 2 * one[2] * other[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    for digit in f"{number:b}":
        total = plus(total, total)
        total = plus(total, point) if digit == "1" else total
    return total


def encoded(point: Point) -> bytes:
    """Encode a point in 32 bytes: y, and in the highest bit whether x is odd."""
    inverse = pow(point[2], -1, P)
    return (point[1] * inverse % P | (point[0] * inverse % P & 1) << 255).to_bytes(32, "little")


def decoded(data: bytes) -> Point:
    """Decode a point of 32 bytes; raise a ValueError if they are not just those of one, or its order is small."""
    number = int.from_bytes(data, "little")
    y = number % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    x = x if x & 1 == number >> 255 else -x % P
    point = (x, y, 1, x * y % P)
    if x * x % P != square or encoded(point) != data or times(8, point)[0] == 0:
        raise ValueError("no point, or one of small order")
    return point


def hashed(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


BASE = decoded((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


@lru_cache(maxsize=4)
def halves(secret: bytes) -> tuple[int, bytes, bytes]:
    """Split 32 secret bytes into the clamped number, the salt of nonces, and the key, which is the public half."""
    digest = hashlib.sha512(secret).digest()
    number = int.from_bytes(digest[:32], "little") % 2**254 // 8 * 8 + 2**254
    return number, digest[32:], encoded(times(number, BASE))


def key_of(secret: bytes) -> bytes:
    return halves(secret)[2]


def sign(secret: bytes, data: bytes) -> bytes:
    """Sign in 64 bytes, the same each time."""
    number, salt, key = halves(secret)
    nonce = hashed(salt, data) % ORDER
    start = encoded(times(nonce, BASE))
    return start + ((nonce + hashed(start, key, data) * number) % ORDER).to_bytes(32, "little")


@lru_cache(maxsize=64)
def verified(key: bytes, signature: bytes, data: bytes) -> bool:
    """Return whether the owner of the key signed these bytes."""
    start, s = signature[:32], int.from_bytes(signature[32:], "little")
    try:
        owner, first = decoded(key), decoded(start)
    except ValueError:
        return False
    challenge = hashed(start, key, data) % ORDER
    return (
        len(signature) == 64 and s < ORDER and encoded(times(s, BASE)) == encoded(plus(first, times(challenge, owner)))
    )
