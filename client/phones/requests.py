"""The requests of a page: JSON in, values out. An invalid request is the other end's fault.

docs/protocols/phones.md has the list.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from quadrille.client.value import value
from quadrille.net.core.errors import PeerError

#: Maximum bytes of a request, and maximum characters of a text in it.
MOST_BYTES: Final = 1024
MOST_TEXT: Final = 200
_MOST_ENTRIES: Final = 10**6


@value
class Come:
    """The first request: to play, or to watch from a large screen."""

    screen: bool


@value
class Sit:
    """A name for a free seat."""

    name: str


@value
class PickPlace:
    """A place of the board was touched."""

    place: str


@value
class Write:
    """The half-made move is now this line."""

    line: str


@value
class Drop:
    """Put the last picked place back."""


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
class SayLine:
    """A chat line for all at the table."""

    text: str


@value
class GiveAnswer:
    """The answer to the open question."""

    yes: bool


@value
class LookAt:
    """The position after that many entries; None for the present one."""

    at: int | None


@value
class AskRules:
    """The rules of the game."""


@value
class AskRecord:
    """The game as a page for a browser, to be saved."""


@value
class Here:
    """The page asks for a sign of life."""


Request: TypeAlias = (
    Come
    | Sit
    | PickPlace
    | Write
    | Drop
    | PlayLine
    | Word
    | SayLine
    | GiveAnswer
    | LookAt
    | AskRules
    | AskRecord
    | Here
)


def _text(given: Mapping[str, Any], name: str) -> str:
    found = given.get(name, "")
    if not isinstance(found, str) or len(found) > MOST_TEXT:
        raise PeerError(f"{name} should be a line of at most {MOST_TEXT} characters")
    # Keyboards of phones write tabs, and joiners in emoji and in many scripts: no fault, but not for a line of text.
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "" for sign in found)


def _number(given: Mapping[str, Any]) -> int:
    found = given.get("at")
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= _MOST_ENTRIES:
        raise PeerError("at should be the number of an entry")
    return found


def _come(given: Mapping[str, Any]) -> Request:
    if given.get("as") not in ("play", "screen"):
        raise PeerError("as should be play or screen")
    return Come(given["as"] == "screen")


def _look(given: Mapping[str, Any]) -> Request:
    return LookAt(None if given.get("at") is None else _number(given))


def _reply(given: Mapping[str, Any]) -> Request:
    if not isinstance(given.get("yes"), bool):
        raise PeerError("yes should be true or false")
    return GiveAnswer(given["yes"])


_KINDS: Final[Mapping[str, Callable[[Mapping[str, Any]], Request]]] = {
    "come": _come,
    "sit": lambda given: Sit(_text(given, "name")),
    "pick": lambda given: PickPlace(_text(given, "place")),
    "line": lambda given: Write(_text(given, "line")),
    "drop": lambda _: Drop(),
    "play": lambda given: PlayLine(_number(given), _text(given, "line")),
    "word": lambda given: Word(_text(given, "word"), _text(given, "rest")),
    "say": lambda given: SayLine(_text(given, "text")),
    "answer": _reply,
    "look": _look,
    "rules": lambda _: AskRules(),
    "record": lambda _: AskRecord(),
    "here": lambda _: Here(),
}


def read_request(content: bytes) -> Request:
    """Read a request; a PeerError says what is wrong with it."""
    if len(content) > MOST_BYTES:
        raise PeerError(f"a request of {len(content)} bytes; at most {MOST_BYTES} are read")
    try:
        given = json.loads(content)
    except (ValueError, RecursionError):
        raise PeerError("no JSON") from None
    kind = _KINDS.get(given["do"]) if isinstance(given, dict) and isinstance(given.get("do"), str) else None
    if kind is None:
        raise PeerError("a request that is not known")
    return kind(given)
