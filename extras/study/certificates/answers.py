"""Answers as bytes: the places of chosen moves, packed by the number of moves that there were to choose from.

Specification: extras/study/docs/certificates.md, "Answers". Nothing here knows a game.
"""

from typing import Final

from quadrille.rules.errors import RulesError

#: Bytes of a group of answers, and the number of values that it holds.
GROUP: Final = 8
_ROOM: Final = 1 << 8 * GROUP


class AnswerWriter:
    """Answers of a strategy, in the order of its walk."""

    __slots__ = ("_groups", "_number", "_weight", "count")

    def __init__(self) -> None:
        self._groups = bytearray()
        self._number, self._weight = 0, 1
        self.count = 0

    @property
    def size(self) -> int:
        """Bytes of all full groups."""
        return len(self._groups)

    def add(self, place: int, choices: int) -> None:
        """Add the place of a move among this many."""
        if self._weight * choices > _ROOM:
            self._end_group()
        self._number += place * self._weight
        self._weight *= choices
        self.count += 1

    def written(self) -> bytes:
        """Return all answers; after that none can be added."""
        if self._weight > 1:
            self._end_group()
        return bytes(self._groups)

    def _end_group(self) -> None:
        self._groups += self._number.to_bytes(GROUP, "little")
        self._number, self._weight = 0, 1


class AnswerReader:
    """Reads what an `AnswerWriter` has written; `count` answers so far, `used` bytes."""

    __slots__ = ("_data", "_number", "_weight", "count", "used")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._number, self._weight = 0, _ROOM
        self.count = self.used = 0

    def next(self, choices: int) -> int:
        """Read the place of the next move among this many."""
        if self._weight * choices > _ROOM:
            self.end_group()
            if self.used == len(self._data):
                raise RulesError(f"it ends after {self.count:,} answers, and another one is wanted")
            group = self._data[self.used : self.used + GROUP]
            self.used += len(group)
            self._number, self._weight = int.from_bytes(group, "little"), 1
        self._number, place = divmod(self._number, choices)
        self._weight *= choices
        self.count += 1
        return place

    def end_group(self) -> None:
        """See that the answers of a group fill it as the writer does."""
        if self._number:
            raise RulesError(f"answer {self.count:,} is followed by a number that answers nothing")
