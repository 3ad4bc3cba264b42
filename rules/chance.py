"""Chance on a machine that may know everything: a documented random stream, and dealers.

Rules never draw: a State says what is owed (`ToDraw`) and a dealer, the table's joint seed or the dealerless deck
answers. Specification with test vectors: docs/protocols/games.md, "Chance". No float, no clock, no other source of
randomness.
"""

import hashlib
from collections.abc import Mapping, MutableSequence, Sequence
from typing import Final, Protocol, TypeVar

from quadrille.rules.errors import RulesError

T = TypeVar("T")
_WORD: Final = 8
_SPAN: Final = 1 << 64


class Randomness(Protocol):
    """The source of randomness for `sample` and `guess`; `random.Random` fits, and so does a `Stream`."""

    def randrange(self, stop: int, /) -> int:
        """Return a whole number from 0 up to, not including, `stop`, all equally likely."""


class Stream:
    """A reproducible stream of numbers, named by a seed and a label."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, seed: str, label: str = "") -> None:
        named = seed.encode("utf-8", "surrogatepass")
        text = b"quadrille/chance/1" + len(named).to_bytes(_WORD, "big") + named + label.encode()
        self._key = hashlib.sha256(text).digest()
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next 64 bits: block i is SHA-256(key, i as 8 bytes), read as four big-endian words."""
        if not self._words:
            block = hashlib.sha256(self._key + self._block.to_bytes(_WORD, "big")).digest()
            self._block += 1
            self._words = [int.from_bytes(block[at : at + _WORD], "big") for at in (24, 16, 8, 0)]
        return self._words.pop()

    def randrange(self, stop: int, /) -> int:
        """Draw without bias: words at or above the largest multiple of `stop` are thrown away."""
        if not 0 < stop <= _SPAN:
            raise ValueError(f"a number below {stop} can't be drawn from 64 bits")
        limit = _SPAN - _SPAN % stop
        while (drawn := self.word()) >= limit:
            pass
        return drawn % stop

    def shuffle(self, row: MutableSequence[T]) -> None:
        """Shuffle by Fisher-Yates from the top: the last place is filled first."""
        for last in range(len(row) - 1, 0, -1):
            chosen = self.randrange(last + 1)
            row[last], row[chosen] = row[chosen], row[last]


class Dealer(Protocol):
    """Knows every face of every pile; only for tables where one machine may know them."""

    def face(self, pile: str, faces: Sequence[str], position: int) -> str:
        """Return the face at that position (0 is the top) of the pile, which is a shuffle of `faces`."""


class SeedDealer:
    """Shuffles each pile with the stream of the seed and the pile's name."""

    __slots__ = ("_piles", "seed")

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._piles: dict[str, list[str]] = {}

    def face(self, pile: str, faces: Sequence[str], position: int) -> str:
        row = self._piles.get(pile)
        if row is None:
            row = list(faces)
            Stream(self.seed, pile).shuffle(row)
            self._piles[pile] = row
        return row[position]


class OpenDealer:
    """Deals given piles, and the others from another dealer."""

    __slots__ = ("_behind", "_piles")

    def __init__(self, piles: Mapping[str, Sequence[str]], behind: Dealer) -> None:
        self._piles = piles
        self._behind = behind

    def face(self, pile: str, faces: Sequence[str], position: int) -> str:
        row = self._piles.get(pile)
        if row is None:
            return self._behind.face(pile, faces, position)
        if sorted(row) != sorted(faces):
            raise RulesError(f"{pile} was given outright, but not with its {len(faces)} faces, each once")
        return row[position]
