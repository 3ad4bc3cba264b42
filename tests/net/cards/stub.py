"""A group for tests of all but secrecy: numbers modulo the order of ristretto255, so that whole tables are quick.

Anybody can take logarithms here. The proofs are the real ones, made and checked by the same equations.
"""

from collections.abc import Sequence

from quadrille.net.cards.group import BASE, ORDER, Group
from quadrille.net.core.errors import PeerError


class Stub(Group):
    """Numbers instead of points. The base point is 1, so that 1 has its bytes."""

    def read(self, point: bytes) -> int:
        """The number itself."""
        number = 1 if point == BASE else int.from_bytes(point, "little")
        if len(point) != 32 or number >= ORDER or (number == 1 and point != BASE):
            raise PeerError("no number of this group")
        return number

    def write(self, number: int) -> bytes:
        number %= ORDER
        return BASE if number == 1 else number.to_bytes(32, "little")

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
