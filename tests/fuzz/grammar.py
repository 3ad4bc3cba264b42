"""Values of any `Shape`, read from the words by which it says what it takes; so a new message is fuzzed as it stands.

A value is made anew, or is one that has been seen in a place of the same words, or that with a part of it made anew:
most are well formed, and many are the right thing in the wrong place.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final

from quadrille.net.core.shapes import LAYOUTS

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


@dataclass(frozen=True, slots=True)
class Node:
    """A shape in its words: how a value of it is made of nothing else (`fresh`), or of an old one that then differs a
    little (`like`), and which parts are in one.
    """

    says: str
    fresh: Callable[[Seen], Any]
    like: Callable[[Any, Seen], Any] = lambda old, _: old
    parts: Callable[[Any], Iterable[tuple["Node", Any]]] = lambda _: ()
    size: int | None = None  # how many parts each has, if that is fixed

    def make(self, seen: Seen) -> Any:
        """A value that fits, most likely."""
        old = seen.any(self.says) if seen.dice.random() < 0.6 else None
        return self.fresh(seen) if old is None else self.like(old, seen)

    def learn(self, value: Any, seen: Seen) -> None:
        """Remember a value and what it is made of."""
        seen.keep(self.says, value)
        for part, one in self.parts(value):
            part.learn(one, seen)


def _row(says: str, parts: list[Node]) -> Node:
    def like(old: Any, seen: Seen) -> Any:
        if seen.dice.random() < 0.4 or not parts:
            return old
        at = seen.dice.randrange(len(parts))
        return (*old[:at], parts[at].make(seen), *old[at + 1 :])

    def fresh(seen: Seen) -> Any:
        return tuple([part.make(seen) for part in parts])

    return Node(says, fresh, like, lambda value: zip(parts, value, strict=True), len(parts))


def _list(says: str, part: Node, least: int, most: int) -> Node:
    def fresh(seen: Seen) -> Any:
        count = seen.dice.choice((0, 1, 1, 2, 2, 3, 4)) if seen.dice.random() < 0.98 else most
        return tuple([part.make(seen) for _ in range(least + min(most - least, count))])

    def like(old: Any, seen: Seen) -> Any:
        at = seen.dice.randrange(len(old) + 1)
        match seen.dice.randrange(6):
            case 0:
                return old[: max(at, least)]
            case 1 if len(old) < most:
                return (*old[:at], part.make(seen), *old[at:])
            case 2 if old:
                return (*old[: at - 1], part.make(seen), *old[at:])[:most]
            case 3:
                return old[::-1]
        return old

    return Node(says, fresh, like, lambda value: ((part, one) for one in value))


def _either(says: str, choices: list[Node]) -> Node:
    """One of several rows, of which no two have as many parts; or something, or nil."""

    def parts(value: Any) -> list[tuple[Node, Any]]:
        size = len(value) if isinstance(value, tuple) else None
        return [(one, value) for one in choices if value is not None and one.size == size][:1]

    return Node(says, lambda seen: seen.dice.choice(choices).make(seen), parts=parts)


def _whole(says: str, least: int, most: int) -> Node:
    def fresh(seen: Seen) -> int:
        dice = seen.dice
        return min(
            most, max(least, dice.choice((dice.randrange(6), dice.randrange(6), dice.randrange(60), most, most - 1)))
        )

    return Node(says, fresh, lambda old, seen: min(most, max(least, old + seen.dice.choice((0, 0, 0, 1, -1, 2)))))


def _bytes(says: str, most: int, *, exactly: bool) -> Node:
    def fresh(seen: Seen) -> bytes:
        dice = seen.dice
        if exactly:
            return bytes(most) if dice.random() < 0.2 else dice.randbytes(most)
        return dice.randbytes(min(most, dice.choice((0, 0, 1, 31, 32, 33, 64, 200, dice.randrange(2000)))))

    def like(old: bytes, seen: Seen) -> bytes:
        if not old or seen.dice.random() < 0.8:
            return old
        at = seen.dice.randrange(len(old))
        if not exactly and seen.dice.random() < 0.5:
            return old[:at]
        return old[:at] + bytes([old[at] ^ 1 << seen.dice.randrange(8)]) + old[at + 1 :]

    return Node(says, fresh, like)


def _one_of(says: str, *values: Any) -> Node:
    return Node(says, lambda seen: seen.dice.choice(values))


@cache
def node(says: str) -> Node:
    """What a shape takes, from its words (net/core/shapes.py)."""
    if says in LAYOUTS:
        return node(LAYOUTS[says])
    if len(choices := _split(says, ", or ")) > 1:
        return _either(says, [*map(node, choices)])
    if says.startswith("[") and says.endswith("]"):
        return _row(says, [*map(node, _split(says[1:-1], "; "))])
    words = says.split()
    if says.startswith("a list of ") and ", each " in says:
        bounds, _, part = says.removeprefix("a list of ").partition(", each ")
        least, _, most = bounds.rpartition(" to ")
        return _list(says, node(part), int(least or 0), int(most.removeprefix("at most ")))
    if words[-1] == "bytes":
        return _bytes(says, int(words[-2]), exactly=len(words) == 2)
    if says.startswith("a line of "):
        return _one_of(says, *(text[: int(words[5])] or "x" * (words[3] == "1") for text in _TEXTS))
    if says.startswith("a whole number from "):
        return _whole(says, int(words[4]), int(words[6]))
    if says.startswith("one of "):
        return _one_of(says, *says.removeprefix("one of ").split(", "))
    others = {
        "nil": (None,),
        "true or false": (True, False),
        "a number, flag or text": (0, 1, 2, 3, 9, -1, True, 2**64 - 1, *_TEXTS),
    }
    assert says in others, f"nothing is known of a shape that takes {says}"
    return _one_of(says, *others[says])


def _split(text: str, between: str) -> list[str]:
    """The parts of a row, which may hold rows, or what there is to choose from."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth == 0 and text.startswith(between, at):
            parts.append(text[start:at])
            start = at + len(between)
    return [*parts, text[start:]]
