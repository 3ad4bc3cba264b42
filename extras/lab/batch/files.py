"""A stored batch: how its games were made, and the actions of each game in play.

Chance follows from the seed, so nothing else is needed: reading makes the actions again, and refuses what the rules
refuse. Specification: extras/lab/docs/batch.md, "Files".
"""

import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import Any, Final, Self

from quadrille.rules.errors import RulesError
from quadrille.rules.options import shown

#: The first line of a file, and its version.
NAME: Final = "quadrille-batch"
VERSION: Final = 1
#: Bytes of the checksum of the rest, and the most that a file may unfold to.
CHECK: Final = 16
MOST_BYTES: Final = 1 << 30


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
        """As a file."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        packed = zlib.compress(json.dumps(fields, separators=(",", ":")).encode())
        return f"{NAME} {VERSION}\n".encode() + hashlib.blake2b(packed, digest_size=CHECK).digest() + packed

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Of a file; a sentence if it is none, of another version, cut or changed."""
        line, _, rest = data.partition(b"\n")
        name, _, version = line.decode("ascii", "replace").partition(" ")
        if name != NAME:
            raise RulesError("this is no stored batch: `Batch.save` writes such files")
        if version != str(VERSION):
            wanted = f"this program reads version {VERSION}: use the program that wrote it"
            raise RulesError(f"this batch was stored in version {shown(version)}, and {wanted}")
        check, packed = rest[:CHECK], rest[CHECK:]
        if hashlib.blake2b(packed, digest_size=CHECK).digest() != check:
            raise RulesError("this stored batch is cut off, or bits of it have changed: take a whole copy of it")
        try:
            return cls.checked(json.loads(zlib.decompressobj().decompress(packed, MOST_BYTES)))
        except (KeyError, TypeError, ValueError, RecursionError, zlib.error) as error:
            raise RulesError("this stored batch was not written by `Batch.save`: its fields are others") from error

    @classmethod
    def checked(cls, fields: dict[str, Any]) -> Self:
        """These fields, if each is what it should be."""
        found = cls(**fields)
        numbers = [found.rules, found.seats, found.seed, found.dice, *found.rounds]
        paid = [(row, rounds) for row, rounds in zip(found.rewards, found.rounds, strict=True) if row is not None]
        numbers += [number for row in (*found.history, *(row for row, _ in paid)) for number in row]
        games = len(found.history)
        one_each = len(found.rounds) == len(found.rewards) == games
        if not one_each or any(type(number) is not int or abs(number) >= 1 << 62 for number in numbers):
            raise ValueError("not numbers")
        if min([0, found.seed, found.dice, *found.rounds]) < 0 or not 0 < found.dice < 1 << 32:
            raise ValueError("numbers out of range")
        if any(len(row) != found.seats or sum(row) or not rounds for row, rounds in paid):
            raise ValueError("a payoff for each seat of a game that ended, 0 in all")
        return found
