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
from quadrille.net.core.shapes import FLAG, Shape, listed, maybe, whole
from quadrille.rules.squares import quoted

#: Maximum characters of a name; `text` and `reason` may be longer.
LONGEST_NAME: Final = 200
_LARGEST: Final = 2**53
_MOST_SEATS: Final = 26

_WHOLE: Final = whole(_LARGEST)
_NAME: Final = Shape(
    lambda value: isinstance(value, str) and len(value) <= LONGEST_NAME, f"a text of at most {LONGEST_NAME} characters"
)
_TEXT: Final = Shape(lambda value: isinstance(value, str), "a text")
_OBJECT: Final = Shape(lambda value: isinstance(value, dict), "an object")
#: One number for each seat.
_ROW: Final = listed(_WHOLE, _MOST_SEATS)


def _object(fits: Callable[[dict[str, Any]], bool], says: str) -> Shape:
    return Shape(lambda value: isinstance(value, dict) and fits(value), says)


def _has(fields: Mapping[str, Shape]) -> Shape:
    return _object(
        lambda value: all(name in value and shape.fits(value[name]) for name, shape in fields.items()),
        "an object with " + " and ".join(fields),
    )


_SEEN: Final = _object(
    lambda value: all(
        name.isascii() and name.isdigit() and len(name) < 10 and _NAME.fits(face) for name, face in value.items()
    ),
    "an object with faces by their places",
)
_NUMBERS: Final = _object(
    lambda value: all(_NAME.fits(name) and is_number(number) for name, number in value.items()),
    "an object with numbers by their names",
)
#: The fields of an item of news.
_ITEM: Final[Mapping[str, Shape]] = {
    "seat": _WHOLE,
    "move": _TEXT,
    "left": _NAME,
    "faces": listed(_NAME, LONGEST_LINE),
    "seen": _SEEN,
    "undone": _WHOLE,
    "agreed": FLAG,
    "adjudicated": _ROW,
    "why": _TEXT,
}
_NEWS: Final = listed(
    _object(lambda item: all(_ITEM[name].fits(item[name]) for name in _ITEM.keys() & item.keys()), "an item of news"),
    LONGEST_LINE,
)
#: The required fields of each line, by its `do`.
_LINES: Final[Mapping[str, dict[str, Shape]]] = {
    "hello": {"protocol": _WHOLE, "rules": _WHOLE},
    "start": {
        "table": _NAME,
        "game": _NAME,
        "options": _OBJECT,
        "seats": _WHOLE,
        "seat": _WHOLE,
        "names": listed(_NAME, _MOST_SEATS),
        "clock": maybe(_has({"initial": _WHOLE, "increment": _WHOLE})),
        "seed": _NAME,
        "news": _NEWS,
    },
    "turn": {
        "turn": _WHOLE,
        "news": _NEWS,
        "clock": maybe(_has({"left": _ROW, "increment": _WHOLE})),
        "patience": _WHOLE,
        "budget": _WHOLE,
    },
    "answer": {"answer": _NAME},
    "offer": {"offer": _NAME, "by": _WHOLE, "number": _WHOLE, "news": _NEWS},
    "over": {"places": _ROW, "figures": _OBJECT, "reason": _TEXT, "news": _NEWS},
    "quit": {},
}
#: The optional fields of a line.
_MORE: Final[Mapping[str, dict[str, Shape]]] = {
    "start": {"parameters": _NUMBERS},
    "turn": {"work": _WHOLE, "view": _OBJECT, "text": _TEXT, "moves": listed(_TEXT, LONGEST_LINE), "more": FLAG},
}
#: Lines that are valid only between a start and its end.
_IN_GAME: Final = ("turn", "offer", "over")


class Course:
    """The lines of one engagement, in their order."""

    __slots__ = ("_greeted", "_playing")

    def __init__(self) -> None:
        self._greeted = self._playing = False

    def read(self, line: bytes) -> bytes:
        """Read a line without its end. Return the form in which it is passed on: with its end, in ASCII, `do` first."""
        message = _checked(line)
        do = message["do"]
        if (do == "hello") == self._greeted:
            raise PeerError(f"said {quoted(do)} {'again' if self._greeted else 'before a hello'} to a bot")
        if do in _IN_GAME and not self._playing:
            raise PeerError(f"said {quoted(do)} to a bot that plays no game")
        self._greeted = True
        self._playing = do in ("start", "turn", "offer") or (do == "answer" and self._playing)
        written = encode({"do": do, **message})
        if len(written) > LONGEST_LINE:
            raise _too_long()
        return written


def _checked(line: bytes) -> dict[str, Any]:
    """Read the object of a line, and check its fields."""
    if len(line) > LONGEST_LINE:
        raise _too_long()
    try:
        message = decode(line)
    except BadJson as error:
        raise PeerError(f"said a line to a bot, and {error}") from None
    if not isinstance(message, dict) or not isinstance(do := message.get("do"), str) or do not in _LINES:
        raise PeerError(f"said a line to a bot that is no object with one of {', '.join(_LINES)} as its do")
    for name, shape in (_LINES[do] | _MORE.get(do, {})).items():
        is_wrong = not shape.fits(message[name]) if name in message else name in _LINES[do]
        if is_wrong:
            raise PeerError(f"said {quoted(do)} to a bot, where {quoted(name)} should be {shape.says}")
    if b"\\ud" in line.lower() and not _is_unicode(message):
        raise PeerError(f"said {quoted(do)} to a bot with half of a letter in it (U+D800 to U+DFFF)")
    return message


def _is_unicode(message: Mapping[str, Any]) -> bool:
    """Return True if every text can be written as UTF-8. JSON can spell a surrogate without its other half."""
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _too_long() -> PeerError:
    return PeerError(f"said a line of more than {LONGEST_LINE} bytes to a bot")
