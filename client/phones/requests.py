"""The requests of a page: JSON in, values out. An invalid request is the other end's fault.

docs/protocols/phones.md has the list.
"""

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from string import hexdigits
from typing import Final, TypeAlias

from quadrille.client.presence.invitation import TOKEN
from quadrille.client.screen.table.model import LookedBack, Picked, Written
from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import FLAG, Shape, maybe, whole, word
from quadrille.net.entries.terms import SEAT
from quadrille.rules.squares import is_line
from quadrille.value import value

#: Maximum bytes of a request, and maximum characters of a text in it.
MOST_BYTES: Final = 1024
MOST_TEXT: Final = 200


class BareRequest(StrEnum):
    """A request that is one word."""

    DROP = "drop"  # put the last picked place back
    RULES = "rules"  # the rules of the game
    RECORD = "record"  # the game as a page for a browser, to be saved
    HERE = "here"  # a sign of life


@value
class Come:
    """The first request: to play, or to watch from a large screen."""

    screen: bool


@value
class Sit:
    """A name for a free seat, and the token by which the page will come back."""

    name: str
    token: str


@value
class PlayLine:
    """A move, as the entry of that number; a repetition has no effect."""

    at: int
    line: str


@value
class Word:
    """A command, with the text after its word."""

    word: str
    rest: str


@value
class GiveAnswer:
    """The answer to the open question."""

    yes: bool


@value
class PlaceBet:
    """A bet of somebody who watches, on a seat."""

    seat: int


#: The screen of a seat takes touches and written lines as they are.
Request: TypeAlias = BareRequest | Come | Sit | Picked | Written | PlayLine | Word | GiveAnswer | LookedBack | PlaceBet


def _in_a_line(text: str) -> str:
    """Make one line: keyboards of phones write tabs, and marks of direction, which is no fault."""
    return "".join(sign if is_line(sign) else " " if sign.isspace() else "" for sign in text)


_LINE: Final = Shape(
    lambda given: isinstance(given, str) and len(given) <= MOST_TEXT,
    f"a line of at most {MOST_TEXT} characters",
    read=_in_a_line,
)
_ENTRY: Final = whole(10**6)
_TOKEN: Final = Shape(
    lambda given: isinstance(given, str) and len(given) == 2 * TOKEN and not given.strip(hexdigits),
    f"{2 * TOKEN} hexadecimal digits",
)
#: By the word in "do": the request, and the names and shapes of its fields in order.
_KINDS: Final[Mapping[str, tuple[Callable[..., Request], Mapping[str, Shape]]]] = {
    **{word.value: (partial(BareRequest, word.value), {}) for word in BareRequest},
    "come": (lambda role: Come(role == "screen"), {"as": word("play", "screen")}),
    "sit": (Sit, {"name": _LINE, "token": _TOKEN}),
    "pick": (Picked, {"place": _LINE}),
    "line": (Written, {"line": _LINE}),
    "play": (PlayLine, {"at": _ENTRY, "line": _LINE}),
    "word": (Word, {"word": _LINE, "rest": _LINE}),
    "say": (partial(Word, "say"), {"text": _LINE}),
    "answer": (GiveAnswer, {"yes": FLAG}),
    "look": (LookedBack, {"at": maybe(_ENTRY)}),
    "bet": (PlaceBet, {"seat": SEAT}),
}


def read_request(content: bytes) -> Request:
    """Read a request; a PeerError says what is wrong with it."""
    if len(content) > MOST_BYTES:
        raise PeerError(f"a request of {len(content)} bytes; at most {MOST_BYTES} are read")
    try:
        given = json.loads(content)
    except (ValueError, RecursionError):
        raise PeerError("no JSON") from None
    if not isinstance(given, dict) or not isinstance(do := given.get("do"), str) or do not in _KINDS:
        raise PeerError("a request that is not known")
    kind, shapes = _KINDS[do]
    values = []
    for name, shape in shapes.items():
        value = given.get(name, "" if shape is _LINE else None)
        if not shape.fits(value):
            raise PeerError(f"{name} should be {shape.says}")
        values.append(shape.read(value) if shape.read else value)
    return kind(*values)
