"""A stored batch: how its games were made, and the actions of each game in play.

Chance follows from the seed, so nothing else is needed: reading makes the actions again, and refuses what the rules
refuse. The file is a sealed one (rules/core/sealed.py). Specification: extras/lab/docs/batch.md, "Files".
"""

import json
import zlib
from dataclasses import dataclass
from typing import Any, Final, Self

from quadrille.rules.core.sealed import SealedKind, seal, unseal, unusable

#: The most that the body of a file may unfold to.
MOST_BYTES: Final = 1 << 30
KIND: Final = SealedKind("batch", 1, "stored batches", MOST_BYTES, "store it again with `Batch.save`")
#: The fields of the body; all others stand in the second line.
_ROWS: Final = ("rounds", "rewards", "history")


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """The contents of a file. `rounds` are the games that each row has ended, `history` the actions of those in play.

    `rewards` has the payoffs of the games that the last step ended, None for a row whose game it did not end.
    """

    game: str
    rules: int
    options: dict[str, Any]
    seats: int
    layout: str
    seed: int
    dice: int
    rounds: list[int]
    rewards: list[list[int] | None]
    history: list[list[int]]

    def to_bytes(self) -> bytes:
        """Write the batch as a file."""
        head = {name: getattr(self, name) for name in self.__slots__ if name not in _ROWS}
        rows = {name: getattr(self, name) for name in _ROWS}
        return seal(KIND, head, zlib.compress(json.dumps(rows, separators=(",", ":")).encode()))

    @classmethod
    def from_bytes(cls, data: bytes, name: str) -> Self:
        """Read a file of that name; a `RulesError` says what is wrong with it."""
        head, body = unseal(KIND, data, name)
        try:
            return cls.checked(head | json.loads(zlib.decompressobj().decompress(body, MOST_BYTES)))
        except (KeyError, TypeError, ValueError, RecursionError, zlib.error) as error:
            raise unusable(KIND, name, "its fields are others than those of a batch") from error

    @classmethod
    def checked(cls, fields: dict[str, Any]) -> Self:
        """Take these fields, if each is sound."""
        stored = cls(**fields)
        numbers = [stored.rules, stored.seats, stored.seed, stored.dice, *stored.rounds]
        paid = [(row, rounds) for row, rounds in zip(stored.rewards, stored.rounds, strict=True) if row is not None]
        numbers += [number for row in (*stored.history, *(row for row, _ in paid)) for number in row]
        games = len(stored.history)
        one_each = len(stored.rounds) == len(stored.rewards) == games
        if not one_each or any(type(number) is not int or abs(number) >= 1 << 62 for number in numbers):
            raise ValueError("not numbers")
        if min([0, stored.seed, stored.dice, *stored.rounds]) < 0 or not 0 < stored.dice < 1 << 32:
            raise ValueError("numbers out of range")
        if any(len(row) != stored.seats or sum(row) or not rounds for row, rounds in paid):
            raise ValueError("a payoff for each seat of a game that ended, 0 in all")
        return stored
