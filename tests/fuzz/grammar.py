"""Values of any `Shape`, read from the words by which it says what it takes; so a new message is fuzzed as it stands.

A value is made anew, or is one that has been seen in a place of the same words, or that with a part of it made anew:
most are well formed, and many are the right thing in the wrong place.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final

from quadrille.net.core.shapes import LAYOUTS, Shape

#: How many values of one place are remembered.
MOST_SEEN: Final = 48
_TEXTS: Final = (
    "", " ", "a", "a1", "b2-b3", "deal", "pass", "x" * 40, "\u0410nn", "I\u0142", "\u2800", "1", "-1", "0" * 30, "cat9",
    "width", "size", "laps", "barons", "chess", "\u0663", "(", "{}", "draw p1 1a", "a" * 4000,
)  # fmt: skip


@dataclass(slots=True)
class Seen:
    """What has been seen in places of each kind."""

    dice: Random
    values: dict[str, list[Any]] = field(default_factory=dict)

    def keep(self, says: str, value: Any) -> None:
        row = self.values.setdefault(says, [])
        if len(row) < MOST_SEEN:
            row.append(value)
        else:
            row[self.dice.randrange(MOST_SEEN)] = value

    def any(self, says: str) -> Any | None:
        row = self.values.get(says)
        return self.dice.choice(row) if row else None


class Node(ABC):
    """A shape, and what is in it."""

    def __init__(self, says: str, parts: Iterable["Node"] = ()) -> None:
        self.says = says
        self.parts = tuple(parts)

    def make(self, seen: Seen) -> Any:
        """A value that fits, most likely."""
        old = seen.any(self.says) if seen.dice.random() < 0.6 else None
        return self.fresh(seen) if old is None else self.like(old, seen)

    def like(self, old: Any, seen: Seen) -> Any:
        """That one, or one that differs a little."""
        return old

    @abstractmethod
    def fresh(self, seen: Seen) -> Any:
        """One that was made of nothing but its shape."""

    def learn(self, value: Any, seen: Seen) -> None:
        """Remember a value and what it is made of."""
        seen.keep(self.says, value)


class Row(Node):
    def fresh(self, seen: Seen) -> Any:
        return tuple([part.make(seen) for part in self.parts])

    def like(self, old: Any, seen: Seen) -> Any:
        if seen.dice.random() < 0.4 or not self.parts:
            return old
        at = seen.dice.randrange(len(self.parts))
        return (*old[:at], self.parts[at].make(seen), *old[at + 1 :])

    def learn(self, value: Any, seen: Seen) -> None:
        seen.keep(self.says, value)
        for part, one in zip(self.parts, value, strict=True):
            part.learn(one, seen)


class Listed(Node):
    def __init__(self, says: str, part: Node, most: int, least: int = 0) -> None:
        super().__init__(says, (part,))
        self.most, self.least = most, least

    def fresh(self, seen: Seen) -> Any:
        count = self.least + min(
            self.most - self.least, seen.dice.choice((0, 1, 1, 2, 2, 3, 4)) if seen.dice.random() < 0.98 else self.most
        )
        return tuple([self.parts[0].make(seen) for _ in range(count)])

    def like(self, old: Any, seen: Seen) -> Any:
        dice, part = seen.dice, self.parts[0]
        at = dice.randrange(len(old) + 1)
        match dice.randrange(6):
            case 0:
                return old[: max(at, self.least)]
            case 1 if len(old) < self.most:
                return (*old[:at], part.make(seen), *old[at:])
            case 2 if old:
                return (*old[: at - 1], part.make(seen), *old[at:])[: self.most]
            case 3:
                return old[::-1]
        return old

    def learn(self, value: Any, seen: Seen) -> None:
        seen.keep(self.says, value)
        for one in value:
            self.parts[0].learn(one, seen)


class Maybe(Node):
    def fresh(self, seen: Seen) -> Any:
        return None if seen.dice.random() < 0.3 else self.parts[0].make(seen)

    def learn(self, value: Any, seen: Seen) -> None:
        if value is not None:
            self.parts[0].learn(value, seen)


class Either(Node):
    def fresh(self, seen: Seen) -> Any:
        return seen.dice.choice(self.parts).make(seen)

    def learn(self, value: Any, seen: Seen) -> None:
        """As the one of them that has so many fields; they are rows."""
        for part in self.parts:
            if isinstance(part, Row) and isinstance(value, tuple) and len(part.parts) == len(value):
                part.learn(value, seen)
                return
        seen.keep(self.says, value)


class Leaf(Node):
    def __init__(self, says: str, fresh: Callable[[Random], Any]) -> None:
        super().__init__(says)
        self._fresh = fresh

    def fresh(self, seen: Seen) -> Any:
        return self._fresh(seen.dice)


class Whole(Node):
    def __init__(self, says: str, least: int, most: int) -> None:
        super().__init__(says)
        self.least, self.most = least, most

    def fresh(self, seen: Seen) -> int:
        dice = seen.dice
        value = dice.choice((dice.randrange(6), dice.randrange(6), dice.randrange(60), self.most, self.most - 1))
        return min(self.most, max(self.least, value))

    def like(self, old: int, seen: Seen) -> int:
        return min(self.most, max(self.least, old + seen.dice.choice((0, 0, 0, 1, -1, 2))))


class Bytes(Node):
    def __init__(self, says: str, most: int, *, exactly: bool) -> None:
        super().__init__(says)
        self.most, self.exactly = most, exactly

    def fresh(self, seen: Seen) -> bytes:
        dice = seen.dice
        if self.exactly:
            return bytes(self.most) if dice.random() < 0.2 else dice.randbytes(self.most)
        return dice.randbytes(min(self.most, dice.choice((0, 0, 1, 31, 32, 33, 64, 200, dice.randrange(2000)))))

    def like(self, old: bytes, seen: Seen) -> bytes:
        if not old or seen.dice.random() < 0.8:
            return old
        at = seen.dice.randrange(len(old))
        if not self.exactly and seen.dice.random() < 0.5:
            return old[:at]
        return old[:at] + bytes([old[at] ^ 1 << seen.dice.randrange(8)]) + old[at + 1 :]


def node(shape: Shape) -> Node:
    """What a shape takes."""
    return read(shape.says)


@cache
def read(says: str) -> Node:
    """A shape from its words (net/core/shapes.py)."""
    if says in LAYOUTS:
        return read(LAYOUTS[says])
    if says.endswith(", or nil"):
        return Maybe(says, (read(says.removesuffix(", or nil")),))
    if len(choices := _split(says, ", or ")) > 1:
        return Either(says, map(read, choices))
    if says.startswith("[") and says.endswith("]"):
        return Row(says, map(read, _split(says[1:-1], "; ")))
    words = says.split()
    if says.startswith("a list of ") and ", each " in says:
        bounds, _, part = says.removeprefix("a list of ").partition(", each ")
        least, _, most = bounds.rpartition(" to ")
        return Listed(says, read(part), int(most.removeprefix("at most ")), int(least or 0))
    if says.startswith("at most ") and words[-1] == "bytes":
        return Bytes(says, int(words[2]), exactly=False)
    if len(words) == 2 and words[1] == "bytes":
        return Bytes(says, int(words[0]), exactly=True)
    if says.startswith("a line of "):
        least, most = words[3] == "1", int(words[5])
        return Leaf(says, lambda dice: dice.choice(_TEXTS)[:most] or "x" * least)
    if says.startswith("a whole number from "):
        return Whole(says, int(words[4]), int(words[6]))
    if says == "true or false":
        return Leaf(says, lambda dice: dice.random() < 0.5)
    if says == "a number, flag or text":
        return Leaf(says, lambda dice: dice.choice((0, 1, 2, 3, 9, -1, True, 2**64 - 1, *_TEXTS)))
    if says.startswith("one of "):
        given = says.removeprefix("one of ").split(", ")
        return Leaf(says, lambda dice: dice.choice(given))
    raise AssertionError(f"nothing is known of a shape that takes {says}")


def _split(text: str, between: str) -> list[str]:
    """The parts of a row, which may hold rows, or what there is to choose from."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth == 0 and text.startswith(between, at):
            parts.append(text[start:at])
            start = at + len(between)
    return [*parts, text[start:]]
