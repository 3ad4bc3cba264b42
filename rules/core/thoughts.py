"""A bot's remarks on its move: a thought (its own chances, its depth, a note, signs on squares), and a reason.

Any answer to a turn may have them. Thoughts are for the bot's author, and for all who look at the finished game; no
table tells them to another seat. The table drops a field that it can't use, with a remark, and the move counts. A
reason is one value, for the person who asked for a hint: rules/search/reasons.py and packages (rules/search/views.py)
find reasons, and client/words/reasons.py makes the sentence. Nothing here is part of a position or a digest.
Specification: docs/protocols/bots.md, "Thoughts" and "Reasons".
"""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any, Final, Self, TypeAlias, TypeGuard

from quadrille.rules.core import State
from quadrille.rules.options import shown
from quadrille.rules.squares import grid, quoted
from quadrille.value import value

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


@value
class Thought:
    """A bot's thoughts behind one move. `dropped` has the names of useless fields, each with the reason."""

    value: float | None = None
    depth: int | None = None
    note: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether nothing is left but what was dropped."""
        return self.value is None and self.depth is None and not (self.note or self.marks)

    def data(self) -> dict[str, Any]:
        """Return the fields that are there, as an answer has them."""
        fields = {"value": self.value, "depth": self.depth, "note": self.note, "marks": dict(self.marks)}
        return {name: value for name, value in fields.items() if value not in (None, "", {})}


@value
class DroppedField:
    """A field that a seat's bot filled wrongly: first with the entry of that number, and `times` in all."""

    seat: int
    field: str
    number: int
    why: str
    times: int = 1


def thought(answer: Mapping[str, Any], view: State[Any, Any]) -> Thought | None:
    """Read the thought in an answer; None without any."""
    values: dict[str, Any] = {}
    dropped = []
    for name in FIELDS:
        if (value := answer.get(name)) is None:
            continue
        try:
            values[name] = _CHECKS[name](value)
            if name == "marks":
                _check_squares(values[name], view)
        except ValueError as error:
            dropped.append((name, str(error)[:_LONGEST_WHY]))
            values.pop(name, None)
    return Thought(**values, dropped=tuple(dropped)) if values or dropped else None


def _value(value: object) -> float:
    if type(value) not in (int, float) or not -1 <= value <= 1:  # type: ignore[operator]  # true is not a number
        raise _refused("value", value)
    return value  # type: ignore[return-value]


def _depth(value: object) -> int:
    if not _is_whole(value, 0, MOST_DEPTH):
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
    """Return whether a sign is one printable character of one column."""
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


@value
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
        return Thoughts(dict(self.by_entry), dict(self.remarks))

    def before(self, number: int) -> "Thoughts":
        """Return the thoughts of the first entries only, after the others were taken back."""
        if not self.by_entry or max(self.by_entry) < number:
            return self
        return Thoughts({at: thought for at, thought in self.by_entry.items() if at < number}, self.remarks)

    def plain(self) -> dict[str, Any]:
        """Return the form in files; entries are counted from 1 there, as in records."""
        data: dict[str, Any] = {
            "entries": [
                [number + 1, one.value, one.depth, one.note, dict(one.marks)]
                for number, one in sorted(self.by_entry.items())
            ]
        }
        if self.remarks:
            remarks = sorted(self.remarks.values(), key=lambda one: (one.number, one.seat, one.field))
            data["remarks"] = [[one.seat, one.field, one.number + 1, one.why, one.times] for one in remarks]
        return data

    @classmethod
    def read(cls, plain: object) -> Self:
        """Read the thoughts of a file, which may come from anybody: invalid parts are ignored."""
        thoughts = cls()
        data = plain if isinstance(plain, dict) else {}
        for row in _rows(data.get("entries"), 5):
            number, *fields = row
            if not _is_whole(number, 1, MOST_DEPTH):
                continue
            values: dict[str, Any] = {}
            for name, written in zip(FIELDS, fields, strict=True):
                try:
                    values |= {} if written is None else {name: _CHECKS[name](written)}
                except ValueError:
                    continue
            entry_thought = Thought(**values)
            if not entry_thought.is_empty:
                thoughts.by_entry[number - 1] = entry_thought
        for row in _rows(data.get("remarks"), 5):
            seat, name, number, why, times = row
            is_text = isinstance(why, str) and len(why) <= _LONGEST_WHY and why.isprintable()
            is_counted = _is_whole(number, 1, MOST_DEPTH) and _is_whole(times, 1, MOST_DEPTH)
            if _is_whole(seat, 0, 99) and name in FIELDS and is_text and is_counted:
                thoughts.remarks[seat, name] = DroppedField(seat, name, number - 1, why, times)
        return thoughts


def _rows(data: object, length: int) -> list[list[Any]]:
    rows = data if isinstance(data, list) else []
    return [row for row in rows[:_MOST_ROWS] if isinstance(row, list) and len(row) == length]


# Reasons

#: Maximum squares of a window, turns until a game is won, hundredths of a unit, and characters of a text.
MOST_SQUARES: Final = 100
MOST_TURNS: Final = 1000
MOST_WORTH: Final = 1_000_000_000
LONGEST_TEXT: Final = 40
RESULTS: Final = (-1, 0, 1)
#: The field of an answer.
REASON: Final = "reason"


@value
class ProvedResult:
    """The result of the move at best play: 1 is won, 0 tied, -1 lost. `others` is the best result of all other moves.

    `turns`: this move wins within that many turns of all seats. None: not known.
    """

    result: int
    others: int | None = None
    turns: int | None = None

    def data(self) -> dict[str, Any]:
        known = {"others": self.others, "turns": self.turns}
        return {"proved": self.result, **{name: value for name, value in known.items() if value is not None}}


@value
class HalfTurnAnswer:
    """The move turns the opponent's last one by 180 degrees; such answers lead to this result at least."""

    result: int

    def data(self) -> dict[str, Any]:
        return {"half_turn": self.result}


@value
class OnlyReply:
    """After the move the opponent surely loses by every reply but this one. Nothing is proved of this one."""

    reply: str

    def data(self) -> dict[str, Any]:
        return {"only": self.reply}


@value
class Worth:
    """The largest part of the difference between the move and another one, `than`, by an additive evaluation.

    It is the change of what `seat` can expect, in hundredths of a `unit` of the game: by what these squares show, or
    by what the seat has earned if there are none.
    """

    hundredths: int
    unit: str
    seat: int
    than: str
    squares: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        data = {"worth": self.hundredths, "unit": self.unit, "seat": self.seat, "than": self.than}
        return data | ({"squares": list(self.squares)} if self.squares else {})


Reason: TypeAlias = ProvedResult | HalfTurnAnswer | OnlyReply | Worth


def read_reason(data: object, seats: int) -> Reason | None:
    """Read the reason in an answer, at a table of that many seats; None if there is none that can be used."""
    if not isinstance(data, Mapping):
        return None
    match dict(data):
        case {"proved": result}:
            others, turns = data.get("others"), data.get("turns")
            is_read = _is_result(result) and (others is None or _is_result(others))
            is_read = is_read and (turns is None or _is_whole(turns, 1, MOST_TURNS))
            return ProvedResult(result, others, turns) if is_read else None
        case {"half_turn": result}:
            return HalfTurnAnswer(result) if _is_result(result) else None
        case {"only": reply}:
            return OnlyReply(reply) if _is_text(reply) else None
        case {"worth": hundredths, "unit": unit, "seat": seat, "than": than}:
            squares = data.get("squares", [])
            is_read = _is_whole(hundredths, -MOST_WORTH, MOST_WORTH) and _is_whole(seat, 0, seats - 1)
            is_read = is_read and _is_text(unit) and _is_text(than)
            is_read = is_read and isinstance(squares, list) and len(squares) <= MOST_SQUARES
            if is_read and all(map(_is_text, squares)):
                return Worth(hundredths, unit, seat, than, tuple(squares))
    return None


def _is_result(value: object) -> bool:
    return type(value) is int and value in RESULTS  # true is not a number


def _is_whole(value: object, least: int, most: int) -> TypeGuard[int]:
    return type(value) is int and least <= value <= most


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT and value.isprintable()
