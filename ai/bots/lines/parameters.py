"""The numbers that a bot declares in its greeting, and the values that a table sets.

A wrong declaration is a fault of the bot, and a wrong value is one of its user (`BadValues`). Specification:
docs/protocols/bots.md, "Parameters".
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from math import isfinite
from typing import Any, Final, TypeAlias

from quadrille.ai.faults import BotFault
from quadrille.rules.options import shown
from quadrille.rules.squares import quoted
from quadrille.value import value

#: Maximum parameters of a bot, and maximum characters of a name.
MOST: Final = 50
LONGEST: Final = 40
#: Maximum size of a number: up to here floats hold every whole one.
LARGEST: Final = 2**53

Number: TypeAlias = int | float
#: Values by name, in the order in which they were given.
Values: TypeAlias = tuple[tuple[str, Number], ...]


class BadValues(Exception):
    """A value that a bot did not declare; a clause that begins with a verb: "has no parameter ..."."""


@value
class Parameter:
    """A number that a bot can be given, from `least` to `most`; `usual` is its value without that. It is whole if all
    three are.
    """

    name: str
    least: Number
    most: Number
    usual: Number

    @property
    def whole(self) -> bool:
        return all(isinstance(number, int) for number in (self.least, self.most, self.usual))

    @property
    def fixed(self) -> bool:
        return self.least == self.most

    @property
    def takes(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {written(self.least)} to {written(self.most)}"

    def plain(self) -> dict[str, Any]:
        """Return the parameter as data for JSON."""
        return {"name": self.name, "least": self.least, "most": self.most, "usual": self.usual}


def written(number: Number) -> str:
    return str(number) if isinstance(number, int) else repr(number)


def declared(message: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Read the parameters of a greeting."""
    fields = message.get("parameters")
    if fields is None:
        return ()
    if not isinstance(fields, list) or len(fields) > MOST or not all(isinstance(row, dict) for row in fields):
        raise bad_hello(
            f'"parameters" takes a list of at most {MOST} objects such as '
            '{"name": "depth", "least": 1, "most": 9, "usual": 4}'
        )
    parameters: list[Parameter] = []
    for row in fields:
        parameter = _parameter(row)
        if any(parameter.name == other.name for other in parameters):
            raise bad_hello(f"the parameter {quoted(parameter.name)} stands there twice")
        parameters.append(parameter)
    return tuple(parameters)


def _parameter(row: Mapping[str, Any]) -> Parameter:
    name = row.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= LONGEST or not name.isprintable() or name != name.strip():
        raise bad_hello(f'"name" of a parameter takes a line of text of 1 to {LONGEST} characters, not {shown(name)}')
    for field in ("least", "most", "usual"):
        if not is_number(row.get(field)):
            fault = f"no {quoted(field)}" if field not in row else f"{shown(row[field])} as {quoted(field)}"
            raise bad_hello(f"the parameter {quoted(name)} has {fault}, which takes a number")
    least, most, usual = row["least"], row["most"], row["usual"]
    if least > most:
        raise bad_hello(f'"least" of the parameter {quoted(name)} is {shown(least)}, above its "most", {shown(most)}')
    if not least <= usual <= most:
        parameter = Parameter(name, least, most, least)
        raise bad_hello(f'"usual" of the parameter {quoted(name)} takes {parameter.takes}, not {shown(usual)}')
    return Parameter(name, least, most, usual)


def is_number(value: object) -> bool:
    """Return whether a value is a finite number of ordinary size; true and false are not numbers."""
    return type(value) in (int, float) and abs(value) <= LARGEST and isfinite(value)  # type: ignore[arg-type]


def settle(parameters: Iterable[Parameter], given: Mapping[str, Number]) -> dict[str, Number]:
    """Return the given values as the bot gets them, whole numbers as ints; raise `BadValues` for any other value."""
    known = {parameter.name: parameter for parameter in parameters}
    settings: dict[str, Number] = {}
    for name, number in given.items():
        if not known:
            raise BadValues(f"declares no parameters, and {quoted(name)} is set")
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else "it declares " + ", ".join(known)
            raise BadValues(f"has no parameter {quoted(name)}: {hint}")
        parameter = known[name]
        whole = is_number(number) and (not parameter.whole or number == int(number))
        if not whole or not parameter.least <= number <= parameter.most:
            raise BadValues(f"takes {parameter.takes} as {quoted(name)}, not {shown(number)}")
        settings[name] = int(number) if parameter.whole else number
    return settings


def texts(values: Iterable[tuple[str, Number]]) -> str:
    """Write values for people: "depth 6, width 0.4"."""
    return ", ".join(f"{name} {written(value)}" for name, value in values)


def bad_hello(reason: str) -> BotFault:
    return BotFault("protocol", f"greets in another way than it should: {reason}")
