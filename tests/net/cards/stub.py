"""A group for tests of all but secrecy: numbers modulo the order of ristretto255, so that whole tables are quick.

Anybody can take logarithms here. The proofs are the real ones, made and checked by the same equations.
"""

from collections.abc import Sequence

from quadrille.net.cards.group import BASE, ORDER, hashed, two_bytes
from quadrille.net.core.errors import PeerError

#: Generators have the bytes that everybody's have; their numbers are what they are hashed from.
_NAMED = {
    BASE: 1,
    **{
        bytes.fromhex(known): int.from_bytes(hashed(tag, *parts), "little") % ORDER
        for known, tag, parts in (
            ("5a64ff9a565b30ed8567f12be3628ee19d78219fe66186241d8ba90939a7534b", "gen/h", ()),
            ("e2d2dba23837a5d2db069d61e26a360d8d24c705d1b2173b8bd422820b2ba939", "gen/hi", (two_bytes(0),)),
            ("9e9bb11c74aba567b8bb8cb625ccc69fdcf40e204b9ec0f9d3160d7c2dcc150e", "gen/hi", (two_bytes(53),)),
            ("9ee4a190eadf9bf9634e262c04a582070d2438094eb9b8b0f894f3f9da0bd10f", "card", (two_bytes(0),)),
            ("fa2e9139bc9a100fd0a402d684b75341ad3eabd7aed7364db3da9d200e64170b", "card", (two_bytes(53),)),
        )
    },
}
_NAMES = {number: name for name, number in _NAMED.items()}


class Stub:
    """Numbers instead of points."""

    name = "numbers, for tests"

    def read(self, point: bytes) -> int:
        """The number itself."""
        number = _NAMED.get(point)
        if number is None:
            number = int.from_bytes(point, "little")
            if len(point) != 32 or number >= ORDER or number in _NAMES:
                raise PeerError("no number of this group")
        return number

    def write(self, number: int) -> bytes:
        number %= ORDER
        return _NAMES.get(number) or number.to_bytes(32, "little")

    def base(self, scalar: int) -> bytes:
        return self.write(scalar)

    def times(self, scalar: int, point: bytes) -> bytes:
        return self.write(scalar * self.read(point))

    def plus(self, one: bytes, other: bytes) -> bytes:
        return self.write(self.read(one) + self.read(other))

    def minus(self, one: bytes, other: bytes) -> bytes:
        return self.write(self.read(one) - self.read(other))

    def total(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        return self.write(sum(n * self.read(point) for n, point in zip(scalars, points, strict=True)))

    def from_hash(self, data: bytes) -> bytes:
        return self.write(int.from_bytes(data, "little"))

    def is_point(self, data: bytes) -> bool:
        try:
            return self.read(data) != 0
        except PeerError:
            return False


STUB = Stub()
