"""Decodes a bot's lines: JSON objects, greetings. Anything else is a fault with a sentence."""

import json
from collections.abc import Mapping
from typing import Any, Final

from quadrille.ai.bot import PROTOCOL
from quadrille.ai.bots.lines.parameters import Parameter, bad_hello, declared
from quadrille.ai.faults import BotFault
from quadrille.ai.json_lines import LONGEST_LINE, BadJson, decode, decode_leniently, encode
from quadrille.rules.core.thoughts import FIELDS, REASON
from quadrille.rules.errors import RulesError
from quadrille.rules.options import shown
from quadrille.rules.squares import quoted
from quadrille.value import value

LONGEST_NAME: Final = 60
#: Fields of a turn that a bot may omit.
OMITTED: Final = ("view", "text", "moves")
_MOST_GAMES: Final = 100
_FOR_PEOPLE: Final = "what a bot prints for people belongs on standard error"


@value
class Greeting:
    """A bot's greeting. Empty `games`: it plays all. `omit`: fields that it does not want in each turn. `work`: it
    obeys the amount of work for a move. `parameters`: the numbers that it can be given.
    """

    name: str
    games: tuple[str, ...] = ()
    author: str = ""
    version: str = ""
    omit: tuple[str, ...] = ()
    work: bool = False
    parameters: tuple[Parameter, ...] = ()

    def plays(self, game: str) -> bool:
        return not self.games or game in self.games


def answer(line: bytes | None) -> dict[str, Any]:
    """Decode the JSON object of a line; anything else is a `BotFault`."""
    if line is None:
        raise BotFault("protocol", f"wrote a line of more than {LONGEST_LINE} bytes")
    if not line.strip():
        raise BotFault("protocol", "wrote an empty line: an answer is a JSON object on one line")
    try:
        message = decode(line)
    except BadJson as error:
        if (lenient := _with_odd_numbers(line)) is not None:
            return lenient
        raise BotFault("protocol", f"wrote {quoted_line(line)}, and {error}; {_FOR_PEOPLE}") from None
    if not isinstance(message, dict):
        raise BotFault("protocol", f"wrote {quoted_line(line)}, which is no JSON object; {_FOR_PEOPLE}")
    return message


def _with_odd_numbers(line: bytes) -> dict[str, Any] | None:
    """Decode an answer to a turn whose only fault is numbers such as NaN in a thought or a reason; else None."""
    try:
        message = decode_leniently(line)
        if not isinstance(message, dict) or "turn" not in message:
            return None
        encode({name: value for name, value in message.items() if name not in (*FIELDS, REASON)})
    except (ValueError, RulesError, RecursionError):
        return None
    return message


def greeting(message: Mapping[str, Any]) -> Greeting:
    """Read the greeting; another version of the protocol is a `BotFault`."""
    if "hello" not in message and "protocol" not in message:
        line = json.dumps(message, ensure_ascii=False)
        first = {"hello": "its name", "protocol": PROTOCOL}
        raise BotFault("protocol", f"began with {quoted(line)}, which is no greeting: that is {json.dumps(first)}")
    spoken = message.get("protocol")
    if spoken != PROTOCOL or isinstance(spoken, bool):
        raise BotFault(
            "protocol", f"speaks version {shown(spoken)} of the protocol, and version {PROTOCOL} is spoken here"
        )
    name = _text(message, "hello")
    if not name.strip():
        raise BotFault("protocol", 'has no name: "hello" takes it')
    omit = _texts(message, "omit")
    if wrong := [word for word in omit if word not in OMITTED]:
        raise BotFault("protocol", f'wants to omit {quoted(wrong[0])}: "omit" takes {", ".join(OMITTED)}')
    if not isinstance(work := message.get("work", False), bool):
        raise _other("work", f"true or false, not {shown(work)}")
    games = _texts(message, "games")
    return Greeting(
        name, games, _text(message, "author", ""), _text(message, "version", ""), omit, work, declared(message)
    )


def quoted_line(line: bytes | None) -> str:
    """Quote the beginning of a line in a form that fits into a sentence."""
    return "too long a line" if line is None else quoted(line[:200].decode("utf-8", "replace"))


def _text(message: Mapping[str, Any], name: str, usual: str | None = None) -> str:
    value = message.get(name, usual)
    if value is None and usual is not None:
        return usual
    if not _is_name(value):
        raise _other(name, f"a line of text of at most {LONGEST_NAME} characters")
    return str(value)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable()


def _texts(message: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = message.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > _MOST_GAMES or not all(map(_is_name, value)):
        raise _other(name, f"a list of texts of at most {LONGEST_NAME} characters")
    return tuple(value)


def _other(name: str, takes: str) -> BotFault:
    return bad_hello(f"{quoted(name)} takes {takes}")
