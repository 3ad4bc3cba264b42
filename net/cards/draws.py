"""A seat's secret random draws for its cards, all from one seed, so that none of them has to be stored.

A stream of draws is named by a label and a context. After a restart a seat draws and sends the same bytes as before.
That is safe only if the name of a stream covers its whole use, so a proof adds its own context to the given one
(`with_`). Specification: docs/protocols/cards.md, "Draws".
"""

from typing import Final

from quadrille.net.cards.group import ORDER
from quadrille.net.core.hashing import hashed

_WORD: Final = 8
_SPAN: Final = 1 << 64


class Draws:
    """One stream of blocks 1, 2, ... of 64 bytes; each draw takes the next block."""

    def __init__(self, seed: bytes, gid: bytes, label: str, *context: bytes) -> None:
        self._name = (seed, gid, label, context)
        self._key = hashed("drbg", seed, gid, label.encode(), *context)
        self._block = 0

    def with_(self, *more: bytes) -> "Draws":
        """Begin a stream with more context."""
        seed, gid, label, context = self._name
        return Draws(seed, gid, label, *context, *more)

    def scalar(self) -> int:
        """Draw a scalar other than zero: a block modulo the order."""
        while not (drawn := int.from_bytes(self._next(), "little") % ORDER):
            pass
        return drawn

    def below(self, stop: int) -> int:
        """Draw a whole number below `stop` from the first 64 bits of a block. Reject a block that would favour some
        number.
        """
        if not 0 < stop <= _SPAN:
            raise ValueError(f"a number below {stop} can't be drawn from 64 bits")
        limit = _SPAN - _SPAN % stop
        while (drawn := int.from_bytes(self._next()[:_WORD], "little")) >= limit:
            pass
        return drawn % stop

    def permutation(self, length: int) -> list[int]:
        """Draw an order of the numbers below `length`: Fisher-Yates from the top."""
        order = list(range(length))
        for last in range(length - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order

    def _next(self) -> bytes:
        self._block += 1
        return hashed("drbg/out", self._key, self._block.to_bytes(_WORD, "big"))

    def __repr__(self) -> str:
        """Hide the seed, so that no traceback shows it."""
        return f"<Draws {self._name[2]}>"
