"""JSON values, one per line, from and to untrusted programs.

A line is read in bounded pieces, and one that is too long is skipped without being stored. Values that would do harm
later are refused: non-finite fractions, very long numbers, duplicate names, deep nesting.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, Final

from quadrille.rules.errors import RulesError
from quadrille.rules.options import shown
from quadrille.rules.squares import quoted

LONGEST_LINE: Final = 1 << 20
DEEPEST: Final = 100
LONGEST_NUMBER: Final = 1000
_PIECE: Final = 1 << 16


class BadJson(RulesError):
    """The line is not JSON."""

    code = "bad-json"


class TooLong(RulesError):
    """The line exceeds the maximum length."""

    code = "too-long"


class Fields:
    """The fields of a request that `does` something, by name: checked as they are asked for. A null one is absent."""

    __slots__ = ("_does", "_given")

    def __init__(self, given: Mapping[str, Any], does: str) -> None:
        self._given = given
        self._does = does

    def get(self, name: str, usual: Any = None) -> Any:
        """Return any value."""
        return usual if (value := self._given.get(name)) is None else value

    def need(self, name: str, usual: Any = None, takes: str = "") -> Any:
        """Return any value; refuse an absent one without a usual one."""
        if (value := self.get(name, usual)) is None:
            raise RulesError(f"{quoted(self._does)} needs {quoted(name)}{takes and f', {takes}, not nothing'}")
        return value

    def text(self, name: str, usual: str | None = None, most: int = LONGEST_LINE) -> str:
        """Return a text."""
        takes = "a text" + f" of at most {most} characters" * (most < LONGEST_LINE)
        value = self.need(name, usual, takes)
        if not isinstance(value, str) or len(value) > most:
            raise RulesError(f"{quoted(name)} takes {takes}, not {shown(value)}")
        return value

    def number(self, name: str, least: int, most: int, usual: int | None = None) -> int:
        """Return a whole number in a range."""
        takes = f"a whole number from {least} to {most}"
        value = self.need(name, usual, takes)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise RulesError(f"{quoted(name)} takes {takes}, not {shown(value)}")
        return value


def lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield each line without its end; None for one that was too long."""
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            while (piece := stream.readline(_PIECE)) and not piece.endswith(b"\n"):
                pass
            yield None
        else:
            yield line.removesuffix(b"\n")


def decode(line: bytes | None) -> Any:
    """Decode the value of a line; refuse an invalid one."""
    if line is None:
        raise TooLong(f"a line has at most {LONGEST_LINE} bytes: the whole of it was skipped")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson(f"byte {error.start + 1} of the line is not UTF-8") from None
    if text.startswith("\ufeff"):
        raise BadJson("the line begins with a byte order mark: write UTF-8 without one")
    if not text.strip():
        raise BadJson('the line is empty: write a JSON object, such as {"do": "games"}')
    try:
        value = _READER.decode(text)
    except json.JSONDecodeError as error:
        raise BadJson(f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]} at character {error.pos + 1}") from None
    except RecursionError:
        raise _too_deep() from None
    if text.count("[") + text.count("{") > DEEPEST:
        _check_depth(value)
    return value


def decode_leniently(line: bytes) -> Any:
    """Decode the value of a line, with NaN and numbers that are too large as fractions that are not finite."""
    return _LENIENT.decode(line.decode("utf-8"))


def encode(value: Any) -> bytes:
    """Encode a value as a line of ASCII."""
    return (_WRITER.encode(value) + "\n").encode("ascii")


def _whole(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise BadJson(f"a number has at most {LONGEST_NUMBER} digits, not {len(text)}")
    return int(text)


def _fraction(text: str) -> float:
    if len(text) > LONGEST_NUMBER or not math.isfinite(value := float(text)):
        raise BadJson(f"{quoted(text)} is more than a number can be")
    return value


def _any_number(kind: type[float]) -> Callable[[str], float]:
    return lambda text: kind(text) if len(text) <= LONGEST_NUMBER else math.inf


def _constant(text: str) -> None:
    raise BadJson(f"{text} is no JSON: JSON has no such number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise BadJson(f"the name {quoted(name)} stands twice in one object")
        members[name] = value
    return members


def _check_depth(value: Any) -> None:
    """Refuse nesting that other readers may not bear; level by level, not by recursion."""
    level, depth = [value], 0
    while holders := [item for item in level if isinstance(item, list | dict)]:
        depth += 1
        if depth > DEEPEST:
            raise _too_deep()
        level = [item for holder in holders for item in (holder if isinstance(holder, list) else holder.values())]


def _too_deep() -> BadJson:
    return BadJson(f"brackets are nested deeper than {DEEPEST}")


# made once, because json.dumps and json.loads make them again for each line; written values hold no cycles
_WRITER: Final = json.JSONEncoder(allow_nan=False, check_circular=False)
_READER: Final = json.JSONDecoder(
    parse_int=_whole, parse_float=_fraction, parse_constant=_constant, object_pairs_hook=_object
)
_LENIENT: Final = json.JSONDecoder(
    parse_int=_any_number(int), parse_float=_any_number(float), object_pairs_hook=_object
)
