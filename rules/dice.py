"""Dice for search and playouts: fast pseudo-random numbers, the same on every machine.

Marsaglia's xorshift with 32 bits of state (13, 17, 5), in whole numbers only: plain, compiled and under PyPy the same
seed gives the same sequence. It never deals anybody's cards or coins: rules/chance.py does.
"""

from typing import Final

from quadrille.rules.ints import i64

MASK: Final = 0xFFFFFFFF


class Dice:
    """The random sequence of a seed; `state` is its present state, never 0."""

    __slots__ = ("state",)

    state: i64

    def __init__(self, seed: i64) -> None:
        # neighbouring seeds must give unrelated sequences
        mixed = (seed ^ (seed >> 32) ^ 0x9E3779B9) & MASK
        mixed = ((mixed ^ (mixed >> 16)) * 0x45D9F3B) & MASK
        mixed = ((mixed ^ (mixed >> 16)) * 0x45D9F3B) & MASK
        mixed ^= mixed >> 16
        self.state = mixed if mixed else 1

    def word(self) -> i64:
        """Return the next number, from 1 to 2**32 - 1."""
        x = self.state
        x ^= (x << 13) & MASK
        x ^= x >> 17
        x ^= (x << 5) & MASK
        self.state = x
        return x

    def below(self, stop: i64) -> i64:
        """Return a number from 0 up to, not including, `stop`, at most 2**30: nearly uniform."""
        return self.word() * stop >> 32
