"""The values of a journal, decoded from its file. A journal may come from anybody: each value has its type, range and
size, and anything else is a `TournamentError`.

Layout: docs/protocols/journal.md.
"""

import json
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import FAULTS, Kill, Result
from quadrille.net.core import shapes
from quadrille.net.core.shapes import Shape
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.record import MOST_CHARACTERS
from quadrille.value import value

#: Maximum size of a row or a value in the file, in bytes.
MOST_BYTES: Final = 16 << 20
#: Maximum length of a list, in characters of JSON.
_LONGEST_LIST: Final = 1 << 20


def checked(result: Result, entrants: int, contests: int) -> Result:
    """Check that the seats and contest of a result are of the plan, and that its rows all have the same length."""
    seats = len(result.seats)
    places = result.seats if result.void else result.places
    rows = (places, result.times or result.seats, result.faults or result.seats)
    if any(len(row) != seats for row in rows) or max(result.seats, default=0) >= entrants or result.contest >= contests:
        raise TournamentError("the journal was damaged, or made by hand: a result is not of its plan")
    return result


def checked_kill(kill: Kill, entrants: int) -> Kill:
    """Check that a kill is at a table of entrants of the plan, with the ended program's owner among them."""
    if kill.entrant not in kill.seats or max(kill.seats) >= entrants:
        raise TournamentError("the journal was damaged, or made by hand: a program that ended is not of its plan")
    return kill


def reader(shape: Shape) -> Callable[[object], Any]:
    """Return a reader of values of a shape."""

    def read(value: object) -> Any:
        if not shape.fits(value):
            raise _wrong(shape.says, value)
        return shape.read(value) if shape.read else value

    return read


#: The greatest number of anything; a sum of them is no more than a float holds.
_MOST: Final = 2**53
_AMOUNT: Final = shapes.whole(_MOST)
_TIME: Final = Shape(
    lambda value: isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST, "a time"
)
_STEP: Final = shapes.whole(500)  # a move of many years
_PACE: Final = shapes.listed(
    Shape(
        lambda row: isinstance(row, list) and len(row) == 2 and _STEP.fits(row[0]) and _AMOUNT.fits(row[1]), "", tuple
    ),
    _LONGEST_LIST,
)
words: Final = reader(Shape(lambda value: isinstance(value, str), "a text"))
whole: Final = reader(_AMOUNT)
seconds_of: Final = reader(_TIME)


def listed(read: Callable[[Any], Any], *, often: bool = False) -> Callable[[Any], tuple[Any, ...]]:
    """Return a reader of lists in JSON, value by value. Lists that occur `often` are one value for all rows."""

    def read_all(text: object) -> tuple[Any, ...]:
        if not isinstance(text, str) or len(text) > _LONGEST_LIST:
            raise _wrong("a list in JSON", text)
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            raise _wrong("a list in JSON", text) from None
        if not isinstance(values, list):
            raise _wrong("a list in JSON", text)
        return tuple(map(read, values))

    return lru_cache(1 << 14)(read_all) if often else read_all


def inflated(data: object) -> str:
    """Inflate a stored record. At most the maximum length of a record is unpacked."""
    if not isinstance(data, bytes):
        raise _wrong("a record", data)
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, MOST_CHARACTERS + 1)
        if len(text) > MOST_CHARACTERS or not unpacking.eof:
            raise _wrong(f"a record of at most {MOST_CHARACTERS} characters", data)
        return text.decode("ascii")
    except (zlib.error, UnicodeDecodeError):
        raise _wrong("a record", data) from None


def thoughts_of(data: object) -> Thoughts:
    """Read the thoughts of a game's bots, if they told any."""
    if data is None:
        return Thoughts()
    text = inflated(data)
    try:
        return Thoughts.read(json.loads(text))
    except (ValueError, RecursionError):
        raise _wrong("an object in JSON", text) from None


def _wrong(expected: str, value: object) -> TournamentError:
    kind = type(value).__name__
    return TournamentError(f"the journal was damaged, or made by hand: {expected} should stand where a {kind} does")


@value
class Column:
    """A column of the table of games: its kind in SQL, and how its values are read and written."""

    kind: str
    read: Callable[[Any], Any]
    write: Callable[[Any], object] = lambda value: value


#: Made once, because json.dumps makes another for each value.
_json: Final = json.JSONEncoder(separators=(",", ":")).encode


def _deflated(text: str) -> bytes | None:
    return zlib.compress(text.encode("ascii")) if text else None


def _list(read: Callable[[Any], Any], *, often: bool = False) -> Column:
    return Column("TEXT NOT NULL", listed(read, often=often), lru_cache(1 << 14)(_json) if often else _json)


_WORDS, _WHOLE, _SECONDS = (
    Column(f"{kind} NOT NULL", read) for kind, read in (("TEXT", words), ("INTEGER", whole), ("REAL", seconds_of))
)
#: The columns of the table of games, the broad ones last. The first are those of a `Result`, in its order.
RESULT: Final = {
    "id": Column("TEXT NOT NULL UNIQUE", words),
    "block": _WHOLE,
    "seats": _list(whole, often=True),
    "places": _list(whole, often=True),
    "contest": _WHOLE,
    "moves": _WORDS,
    "plies": _WHOLE,
    "times": _list(seconds_of),
    "faults": _list(reader(shapes.maybe(shapes.word(*FAULTS))), often=True),
}
COLUMNS: Final = {
    "number": Column("INTEGER PRIMARY KEY", whole),
    **RESULT,
    "host": _WORDS,
    "speed": Column("REAL NOT NULL", reader(Shape(lambda value: _TIME.fits(value) and value > 0, "a speed"))),
    "began": _SECONDS,
    "seconds": _SECONDS,
    "reason": _WORDS,
    "held": _list(words, often=True),
    "counts": _list(whole, often=True),
    "longest": _list(seconds_of),
    "paces": _list(reader(_PACE)),
    "whys": _list(words, often=True),
    "errors": _list(words, often=True),
    "record": Column("BLOB NOT NULL", inflated, _deflated),
    "thoughts": Column("BLOB", thoughts_of, lambda thoughts: _deflated(_json(thoughts.plain())) if thoughts else None),
    "dialogue": Column("BLOB", lambda data: "" if data is None else inflated(data), _deflated),
}
