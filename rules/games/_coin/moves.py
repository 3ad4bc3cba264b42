"""The moves of Coin Isolation and their notation (docs/protocols/games.md, "Notation").

rules/games/coin_isolation.py interprets moves; this module only reads and writes them. An absent clause is None.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from quadrille.rules.core import Face, Move
from quadrille.rules.errors import BadNotation
from quadrille.rules.squares import Grid, Square, quoted

LETTERS: Final = "pndq"
SIDES: Final = ("south", "north", "west", "east")
_TYPES: Final = {"p": 0, "n": 1, "d": 2, "q": 3, "penny": 0, "nickel": 1, "dime": 2, "quarter": 3}
_CLAUSE: Final = re.compile(r"(type|take|give|to) ((?:(?!type|take|give|to)[^ ]+ ?)*)")
_COINS: Final = re.compile(r"([1-9][0-9]?)([pndq])")


@dataclass(frozen=True, slots=True)
class Pick(Move):
    """A seat picks its side before the first turn: `side south`."""

    side: int

    def __str__(self) -> str:
        return f"side {SIDES[self.side]}"


@dataclass(frozen=True, slots=True)
class Walk(Move):
    """A path, with its clauses for coins: `a1-a2 type n take 2 give 2p1n to a4,b6`, `renegade a1-b1`."""

    path: tuple[Square, ...]
    kind: int | None = None
    take: int | None = None
    give: tuple[int, int, int, int] | None = None
    to: tuple[Square, ...] | None = None
    renegade: bool = False

    def __str__(self) -> str:
        text = "-".join(map(str, self.path))
        if self.renegade:
            text = f"renegade {text}"
        if self.kind is not None:
            text += f" type {LETTERS[self.kind]}"
        if self.take is not None:
            text += f" take {self.take}"
        if self.give is not None:
            text += " give " + "".join(f"{n}{LETTERS[kind]}" for kind, n in enumerate(self.give) if n)
        if self.to is not None:
            text += " to " + ",".join(map(str, self.to))
        return text


@dataclass(frozen=True, slots=True)
class Stand(Move):
    """The player stays and keeps a coin from under the pawn: `stand`, `stand n`."""

    kind: int | None = None

    def __str__(self) -> str:
        return "stand" if self.kind is None else f"stand {LETTERS[self.kind]}"


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """The player can't move, or does not want to turn renegade: `pass`."""

    def __str__(self) -> str:
        return "pass"


CoinMove: TypeAlias = Pick | Walk | Stand | Pass | Face


def read(text: str, sheet: Grid) -> CoinMove:
    """The move of a clean text, as far as it is determined without the position."""
    first, _, rest = text.partition(" ")
    if first == "pass" and not rest:
        return Pass()
    if first == "side":
        if rest not in SIDES:
            raise BadNotation(f"{quoted(rest)} is no side: pick {', '.join(SIDES[:-1])} or {SIDES[-1]}")
        return Pick(SIDES.index(rest))
    if first == "stand":
        return Stand(_kind(rest) if rest else None)
    if first == "renegade":
        return _walk(rest, sheet, renegade=True)
    return _walk(text, sheet, renegade=False)


def _walk(text: str, sheet: Grid, *, renegade: bool) -> Walk:
    """Path first, then clauses in any order but each once."""
    text = re.sub(" ?([-,]) ?", r"\1", text)
    line, _, rest = text.partition(" ")
    path = tuple(sheet.read(name) for name in line.split("-"))
    clauses: dict[str, str] = {}
    while rest:
        found = _CLAUSE.match(rest)
        if found is None:
            raise BadNotation(f"{quoted(rest)} is not understood: after a path come type, take, give or to")
        if found[1] in clauses:
            raise BadNotation(f"{found[1]} is there twice")
        clauses[found[1]] = found[2].strip()
        rest = rest[found.end() :]
    return Walk(
        path,
        _kind(clauses["type"]) if "type" in clauses else None,
        _count(clauses["take"]) if "take" in clauses else None,
        _coins(clauses["give"]) if "give" in clauses else None,
        _squares(clauses["to"], sheet) if "to" in clauses else None,
        renegade,
    )


def _kind(text: str) -> int:
    if text not in _TYPES:
        raise BadNotation(f"{quoted(text)} is no type of coin: write p, n, d or q")
    return _TYPES[text]


def _count(text: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,2}", text):
        raise BadNotation(f"{quoted(text)} is no number of coins to take: write take 0, take 1, …")
    return int(text)


def _coins(text: str) -> tuple[int, int, int, int]:
    """Coins in any order, each type once."""
    counts = [0, 0, 0, 0]
    bare = text.replace(" ", "")
    if not re.fullmatch(f"({_COINS.pattern})+", bare):
        raise BadNotation(f"{quoted(text)} are no coins: write give 2p1n for two pennies and a nickel")
    for number, letter in _COINS.findall(bare):
        if counts[_TYPES[letter]]:
            raise BadNotation(f"{quoted(text)} names {letter} twice")
        counts[_TYPES[letter]] = int(number)
    return counts[0], counts[1], counts[2], counts[3]


def _squares(text: str, sheet: Grid) -> tuple[Square, ...]:
    """Squares in any order, each once."""
    squares = tuple(sorted(sheet.read(name) for name in text.split(",")))
    for one, other in pairwise(squares):
        if one == other:
            raise BadNotation(f"{one} is named twice: each square takes one coin")
    return squares
