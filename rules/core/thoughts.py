"""A bot's thoughts behind a move: its own chances, its depth, a note, signs on squares.

Any answer to a turn may have them. The bot's author reads them, and whoever looks at the finished game; no table tells
them to another seat. The table drops a field that it can't use, with a remark, and the move counts. Nothing here is
part of a position or a digest. Specification: docs/protocols/bots.md, "Thoughts".
"""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Self

from quadrille.rules.core import State
from quadrille.rules.options import shown
from quadrille.rules.squares import grid, quoted

#: The fields of an answer, in the order in which they are stored.
FIELDS: Final = ("value", "depth", "note", "marks")
LONGEST_NOTE: Final = 200
MOST_MARKS: Final = 100
MOST_DEPTH: Final = 1_000_000_000
#: The values of each field, in words.
_TAKES: Final = {
    "value": "a number from -1 to 1",
    "depth": f"a whole number from 0 to {MOST_DEPTH}",
    "note": f"one line of text of at most {LONGEST_NOTE} characters",
    "marks": f"an object of at most {MOST_MARKS} squares of the board, each with one printable character",
}
_LONGEST_WHY: Final = 200
#: Maximum size of a game's thoughts in a file, in entries that are looked at.
_MOST_ROWS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Thought:
    """A bot's thoughts behind one move. `dropped` has the names of useless fields, each with the reason."""

    value: float | None = None
    depth: int | None = None
    note: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left but what was dropped."""
        return self.value is None and self.depth is None and not (self.note or self.marks)

    def data(self) -> dict[str, Any]:
        """The fields that are there, as an answer has them."""
        fields = {"value": self.value, "depth": self.depth, "note": self.note, "marks": dict(self.marks)}
        return {name: value for name, value in fields.items() if value not in (None, "", {})}


@dataclass(frozen=True, slots=True)
class DroppedField:
    """A field that a seat's bot filled wrongly: first with the entry of that number, and `times` in all."""

    seat: int
    field: str
    number: int
    why: str
    times: int = 1


def thought(said: Mapping[str, Any], view: State[Any, Any]) -> Thought | None:
    """The thought in an answer; None without any."""
    found: dict[str, Any] = {}
    dropped = []
    for name in FIELDS:
        if (value := said.get(name)) is None:
            continue
        try:
            found[name] = _CHECKS[name](value)
            if name == "marks":
                _check_squares(found[name], view)
        except ValueError as error:
            dropped.append((name, str(error)[:_LONGEST_WHY]))
            found.pop(name, None)
    return Thought(**found, dropped=tuple(dropped)) if found or dropped else None


def _value(value: object) -> float:
    if type(value) not in (int, float) or not -1 <= value <= 1:  # type: ignore[operator]  # true is not a number
        raise _refused("value", value)
    return value  # type: ignore[return-value]


def _depth(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_DEPTH:
        raise _refused("depth", value)
    return value


def _note(value: object) -> str:
    if not isinstance(value, str):
        raise _refused("note", value)
    if len(value) > LONGEST_NOTE:
        raise ValueError(f"it takes {_TAKES['note']}, not of {len(value)}")
    if not value.isprintable():
        raise ValueError(f"it takes {_TAKES['note']}, without control characters")
    return value


def _marks(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise _refused("marks", value)
    if len(value) > MOST_MARKS:
        raise ValueError(f"it takes {_TAKES['marks']}, not {len(value)} squares")
    for square, sign in value.items():
        if not isinstance(square, str) or not _is_sign(sign):
            raise ValueError(f"it takes {_TAKES['marks']}, not {_cut(sign)} at {_cut(square)}")
    return tuple(value.items())


def _is_sign(sign: object) -> bool:
    """Whether it is one printable character of one column."""
    return (
        isinstance(sign, str)
        and len(sign) == 1
        and sign.isprintable()
        and not sign.isspace()
        and unicodedata.east_asian_width(sign) not in "WF"
        and not unicodedata.category(sign).startswith("M")
    )


def _check_squares(marks: Iterable[tuple[str, str]], view: State[Any, Any]) -> None:
    sheet = view.scene().sheet
    squares = _squares(sheet.width, sheet.height) if sheet is not None else frozenset[str]()
    for square, _ in marks:
        if square not in squares:
            raise ValueError(f"{quoted(square)} is no square of this board")


@lru_cache(maxsize=64)
def _squares(width: int, height: int) -> frozenset[str]:
    return frozenset(grid(width, height).names)


_CHECKS: Final[dict[str, Any]] = {"value": _value, "depth": _depth, "note": _note, "marks": _marks}


def _refused(name: str, value: object) -> ValueError:
    return ValueError(f"it takes {_TAKES[name]}, not {_cut(value)}")


def _cut(value: object) -> str:
    return str(value) if isinstance(value, float) else shown(value)


@dataclass(frozen=True, slots=True)
class Thoughts:
    """The thoughts of a game's bots, by the number of the entry that followed, from 0 on.

    Of a seat's remarks about a field there is one, however often the bot fills it wrongly. Its maker alone may `add`.
    """

    by_entry: dict[int, Thought] = field(default_factory=dict)
    remarks: dict[tuple[int, str], DroppedField] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.by_entry or self.remarks)

    def add(self, number: int, seat: int, thought: Thought) -> None:
        """Store the thought of that seat's bot behind the entry of that number."""
        for name, why in thought.dropped:
            first = self.remarks.get((seat, name))
            self.remarks[seat, name] = (
                DroppedField(seat, name, number, why)
                if first is None
                else DroppedField(seat, name, first.number, first.why, first.times + 1)
            )
        if not thought.is_empty:
            self.by_entry[number] = thought

    def copy(self) -> "Thoughts":
        """A copy that changes by itself."""
        return Thoughts(dict(self.by_entry), dict(self.remarks))

    def before(self, number: int) -> "Thoughts":
        """Those of the first entries only, after the others were taken back."""
        if not self.by_entry or max(self.by_entry) < number:
            return self
        return Thoughts({at: one for at, one in self.by_entry.items() if at < number}, self.remarks)

    def plain(self) -> dict[str, Any]:
        """The form in files; entries are counted from 1 there, as in records."""
        found: dict[str, Any] = {
            "entries": [
                [number + 1, one.value, one.depth, one.note, dict(one.marks)]
                for number, one in sorted(self.by_entry.items())
            ]
        }
        if self.remarks:
            rows = sorted(self.remarks.values(), key=lambda one: (one.number, one.seat, one.field))
            found["remarks"] = [[one.seat, one.field, one.number + 1, one.why, one.times] for one in rows]
        return found

    @classmethod
    def read(cls, plain: object) -> Self:
        """The thoughts of a file, which may come from anybody: invalid parts are ignored."""
        found = cls()
        rows = plain if isinstance(plain, dict) else {}
        for row in _rows(rows.get("entries"), 5):
            number, *fields = row
            if not _is_whole(number):
                continue
            values: dict[str, Any] = {}
            for name, value in zip(FIELDS, fields, strict=True):
                try:
                    values |= {} if value is None else {name: _CHECKS[name](value)}
                except ValueError:
                    continue
            one = Thought(**values)
            if not one.is_empty:
                found.by_entry[number - 1] = one
        for row in _rows(rows.get("remarks"), 5):
            seat, name, number, why, times = row
            is_text = isinstance(why, str) and len(why) <= _LONGEST_WHY and why.isprintable()
            if type(seat) is int and 0 <= seat < 100 and name in FIELDS and is_text and _is_whole(number, times):
                found.remarks[seat, name] = DroppedField(seat, name, number - 1, why, times)
        return found


def _rows(found: object, length: int) -> list[list[Any]]:
    rows = found if isinstance(found, list) else []
    return [row for row in rows[:_MOST_ROWS] if isinstance(row, list) and len(row) == length]


def _is_whole(*values: object) -> bool:
    return all(type(value) is int and 1 <= value <= MOST_DEPTH for value in values)
