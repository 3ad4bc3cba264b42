"""Validates the lines of a remote runner to a bot.

A runner may send any bytes. `Course.read` accepts a whole line of the dialogue in its place and returns its canonical
form; anything else is a `PeerError`. No process and no network here. Specification: docs/protocols/bots.md.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from quadrille.ai.bots.lines.parameters import is_number
from quadrille.ai.json_lines import LONGEST_LINE, BadJson, decode, encode
from quadrille.net.core.errors import PeerError
from quadrille.rules.squares import quoted

#: Maximum characters of a name; `text` and `reason` may be longer.
LONGEST_NAME: Final = 200
_LARGEST: Final = 2**53
_MOST_SEATS: Final = 26

Check = Callable[[Any], bool]


def _whole(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST  # true is not a number


def _name(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_NAME


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _object(value: Any) -> bool:
    return isinstance(value, dict)


def _all(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _row(check: Check) -> Check:
    """One value for each seat."""
    return lambda value: _all(check)(value) and len(value) <= _MOST_SEATS


def _maybe(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _has(names: Mapping[str, Check]) -> Check:
    return lambda value: (
        isinstance(value, dict) and all(name in value and check(value[name]) for name, check in names.items())
    )


def _seen(value: Any) -> bool:
    return isinstance(value, dict) and all(
        name.isascii() and name.isdigit() and len(name) < 10 and _name(face) for name, face in value.items()
    )


def _numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(_name(name) and is_number(number) for name, number in value.items())


#: The fields of an item of news.
_ITEM: Final[Mapping[str, Check]] = {
    "seat": _whole,
    "move": _text,
    "left": _name,
    "faces": _all(_name),
    "seen": _seen,
    "undone": _whole,
    "agreed": _flag,
    "adjudicated": _row(_whole),
    "why": _text,
}


def _item(value: Any) -> bool:
    return isinstance(value, dict) and all(_ITEM[name](value[name]) for name in _ITEM.keys() & value.keys())


_NEWS: Final = _all(_item)
#: The required fields of each line, by its `do`.
_LINES: Final[Mapping[str, Mapping[str, Check]]] = {
    "hello": {"protocol": _whole, "rules": _whole},
    "start": {
        "table": _name,
        "game": _name,
        "options": _object,
        "seats": _whole,
        "seat": _whole,
        "names": _row(_name),
        "clock": _maybe(_has({"initial": _whole, "increment": _whole})),
        "seed": _name,
        "news": _NEWS,
    },
    "turn": {
        "turn": _whole,
        "news": _NEWS,
        "clock": _maybe(_has({"left": _row(_whole), "increment": _whole})),
        "patience": _whole,
        "budget": _whole,
    },
    "answer": {"answer": _name},
    "offer": {"offer": _name, "by": _whole, "number": _whole, "news": _NEWS},
    "over": {"places": _row(_whole), "figures": _object, "reason": _text, "news": _NEWS},
    "quit": {},
}
#: The optional fields of a line.
_MORE: Final[Mapping[str, Mapping[str, Check]]] = {
    "start": {"parameters": _numbers},
    "turn": {"work": _whole, "view": _object, "text": _text, "moves": _all(_text), "more": _flag},
}
#: Lines that are valid only between a start and its end.
_IN_GAME: Final = ("turn", "offer", "over")


class Course:
    """The lines of one engagement, in their order."""

    __slots__ = ("_greeted", "_playing")

    def __init__(self) -> None:
        self._greeted = self._playing = False

    def read(self, line: bytes) -> bytes:
        """A line without its end in the form in which it is passed on: with its end, in ASCII, `do` first."""
        said = _checked(line)
        do = said["do"]
        if (do == "hello") == self._greeted:
            raise PeerError(f"said {quoted(do)} {'again' if self._greeted else 'before a hello'} to a bot")
        if do in _IN_GAME and not self._playing:
            raise PeerError(f"said {quoted(do)} to a bot that plays no game")
        self._greeted = True
        self._playing = do in ("start", "turn", "offer") or (do == "answer" and self._playing)
        written = encode({"do": do, **said})
        if len(written) > LONGEST_LINE:
            raise _too_long()
        return written


def _checked(line: bytes) -> dict[str, Any]:
    """The object of a line, with its required fields."""
    if len(line) > LONGEST_LINE:
        raise _too_long()
    try:
        said = decode(line)
    except BadJson as error:
        raise PeerError(f"said a line to a bot, and {error}") from None
    if not isinstance(said, dict) or not isinstance(do := said.get("do"), str) or do not in _LINES:
        raise PeerError(f"said a line to a bot that is no object with one of {', '.join(_LINES)} as its do")
    for name, check in _LINES[do].items():
        if name not in said or not check(said[name]):
            raise PeerError(f"said {quoted(do)} to a bot with another {quoted(name)} than stands in the protocol")
    for name, check in _MORE.get(do, {}).items():
        if name in said and not check(said[name]):
            raise PeerError(f"said {quoted(do)} to a bot with another {quoted(name)} than stands in the protocol")
    if b"\\ud" in line.lower() and not _is_unicode(said):
        raise PeerError(f"said {quoted(do)} to a bot with half of a letter in it (U+D800 to U+DFFF)")
    return said


def _is_unicode(said: Mapping[str, Any]) -> bool:
    """Whether every text can be written as UTF-8. JSON can spell a surrogate without its other half."""
    try:
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _too_long() -> PeerError:
    return PeerError(f"said a line of more than {LONGEST_LINE} bytes to a bot")
