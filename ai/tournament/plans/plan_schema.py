"""One description of each key of a tournament's file, by which a value is read, refused with its line, written and
documented.

`PlanKey` describes a key; one of the kind "section" describes all keys of its table. `Section` reads a table of TOML by
them, and refuses missing, wrong and unknown keys. plan_keys.py has the rows. No tournament is known here.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields, replace
from math import isfinite
from typing import Any, Final, Literal, TypeAlias, TypeVar

from quadrille.ai.bots.lines.parameters import is_number
from quadrille.ai.tournament import TournamentError
from quadrille.net.core.spans import clock, span
from quadrille.net.core.spans import written as span_text
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.errors import RulesError
from quadrille.rules.options import shown
from quadrille.rules.squares import is_line, nearest

Kind: TypeAlias = Literal[
    "text", "number", "fraction", "flag", "choice", "span", "clock", "numbers", "table", "section", "sections"
]
T = TypeVar("T")
_Path: TypeAlias = tuple[str | int, ...]
_MOST: Final = 10**9
_TAKES: Final[Mapping[str, str]] = {
    "text": "a text",
    "flag": "true or false",
    "span": 'a text such as "200ms", "90s", "5m" or "1h"',
    "clock": 'a text such as "1m" or "1m+1s"',
    "numbers": "names and values in { }",
    "table": "names and values in { }",
    "section": "names and values: write [%s] over them",
    "sections": "tables: write [[%s]] over each",
}
_TABLE: Final = re.compile(r"\s*(\[\[?)\s*([\w\-. \"']+?)\s*\]")
_KEY: Final = re.compile(r"\s*([\w\-\"']+)\s*[.=]")


class PlanError(TournamentError):
    """A fault in a tournament's file; `line` is 0 if it has no single place."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class PlanKey:
    """A key: `usual` is its value if absent, which the documentation tells in the words of `absent`; it is refused if
    it is `needed` and absent. A plan's data call it `field`, if not by its name. `keys` are those of a section.
    """

    name: str
    kind: Kind
    help: str = ""
    usual: Any = None
    least: float = 0
    most: float = _MOST
    choices: tuple[str, ...] = ()
    absent: str = ""
    needed: bool = False
    field: str = ""
    keys: tuple["PlanKey", ...] = ()

    @property
    def of(self) -> str:
        """The name of its field in a plan's data."""
        return self.field or self.name

    @property
    def takes(self) -> str:
        """The accepted values, for a sentence."""
        match self.kind:
            case "number":
                return f"a whole number from {self.least} to {self.most}"
            case "fraction":
                return f"a number from {self.least} to {self.most}" if isfinite(self.most) else "a number"
            case "choice":
                return ", ".join(map(shown, self.choices))
        return _TAKES[self.kind].replace("%s", self.name)

    def read(self, value: object) -> Any:
        """Check the value of the key; a `TournamentError` says what the key takes."""
        match self.kind, value:
            case "number", int() if type(value) is int and (value == self.usual or self.least <= value <= self.most):
                return value
            case "fraction", int() | float() if type(value) is not bool and self.least <= value <= self.most:
                return float(value)
            case ("flag", bool()) | ("table" | "section", dict()):
                return value
            case "choice", str() if value in self.choices:
                return value
            case "text", str():
                if not is_line(value):
                    raise TournamentError(f"{self.name} takes a text on one line, not {shown(value)}")
                return value
            case (("span" | "clock"), str()):
                return self._time(value)
            case "numbers", dict():
                for word, number in value.items():
                    if not is_number(number):
                        raise TournamentError(
                            f"{self.name} takes a number for each name, not {_named(number)} for {shown(word)}"
                        )
                return tuple(sorted(value.items()))
            case "sections", list() if all(isinstance(row, dict) for row in value):
                return value
        left_out = f": leave it out for {self.absent}" if value == 0 and self.absent else ""
        raise TournamentError(f"{self.name} takes {self.takes}, not {_named(value)}{left_out}")

    def _time(self, text: str) -> int | TimeControl:
        try:
            time = TimeControl(*clock(text)) if self.kind == "clock" else span(text)
        except ValueError as error:
            raise TournamentError(f"{self.name}: {error}") from None
        if not time:
            raise TournamentError(f"{self.name} takes more time than {shown(text)}")
        return time

    def write(self, value: Any) -> Any:
        """Return the value of a plan's data as its file has it, that of a section by name; None if the file need not
        say it.
        """
        match self.kind:
            case "section":
                return {key.name: key.write(value.get(key.of)) for key in self.keys}
            case "clock":
                return str(TimeControl(**value)) if value else None
            case "span":
                return span_text(value) if value else None
            case "flag":
                return value if value != self.usual else None
        return None if value in (None, "") or (value == 0 and type(value) is int) else value


def keys_of(shape: type[Any], *keys: PlanKey) -> tuple[PlanKey, ...]:
    """Return the rows of keys for fields of a dataclass, which are as its fields if absent. Without rows the fields are
    whole numbers, and their metadata hold what they are for and their least values.
    """
    by_name = {row.name: row for row in fields(shape)}
    keys = keys or tuple(
        PlanKey(name, "number", row.metadata.get("help", ""), least=row.metadata.get("least", 1))
        for name, row in by_name.items()
    )
    usual = {name: row.default for name, row in by_name.items()}
    needed = [name for name, value in usual.items() if value is MISSING]
    return tuple(replace(key, usual=usual[key.of], needed=key.of in needed) for key in keys)


def _named(value: object) -> str:
    """Name a wrong value by its type in TOML, or by itself."""
    return "a table" if isinstance(value, dict) else "a list" if isinstance(value, list) else shown(value)


class Lines:
    """The line of each key in a TOML text, as far as the beginnings of lines tell. `top` are the keys at the top of a
    file: appended to its end, they are in the last table by mistake.
    """

    def __init__(self, text: str, top: Collection[str]) -> None:
        self.top = top
        self._at: dict[_Path, int] = {}
        counts: dict[str, int] = {}
        here: _Path = ()
        for number, line in enumerate(text.splitlines(), 1):
            if heading := _TABLE.match(line):
                name = heading[2].strip("\"'")
                here = tuple(part.strip(" \"'") for part in name.split("."))
                if heading[1] == "[[":
                    counts[name] = counts.get(name, -1) + 1
                    self._at.setdefault(here, number)
                    here = (*here, counts[name])
                elif here[0] in counts:
                    here = (here[0], counts[str(here[0])], *here[1:])
                self._at.setdefault(here, number)
            elif heading := _KEY.match(line):
                self._at.setdefault((*here, heading[1].strip("\"'")), number)

    def of(self, path: Sequence[str | int]) -> int:
        """Return the line of a key, or of the table that holds it."""
        return next((self._at[place] for end in range(len(path), 0, -1) if (place := tuple(path[:end])) in self._at), 0)


class Section:
    """A table of the file, with a value for each of its keys."""

    def __init__(self, data: Mapping[str, Any], keys: Iterable[PlanKey], lines: Lines, path: _Path = ()) -> None:
        self._data = data
        self._keys = {key.name: key for key in keys}
        self._lines = lines
        self._path = path
        for name in data:
            if name not in self._keys:
                top = "it belongs at the top, before the first table" if name in lines.top else ""
                hint = top or nearest(name, list(self._keys), "there are " + ", ".join(self._keys))
                raise self.fail(f"{shown(name)} means nothing here: {hint}", name)
        self._values = {name: self._value(key) for name, key in self._keys.items()}

    def _value(self, key: PlanKey) -> Any:
        if key.name not in self._data:
            if key.needed:
                raise self.fail(f"{key.name} is missing: it takes {key.takes}")
            return key.usual
        with self.naming(key.name):
            return key.read(self._data[key.name])

    def fail(self, reason: str, *names: str) -> PlanError:
        """Make a refusal with the line of this table, or of a key in it."""
        return PlanError(self._lines.of((*self._path, *names)), reason)

    @contextmanager
    def naming(self, *names: str) -> Iterator[None]:
        """Refuse whatever is refused within as `fail` does."""
        try:
            yield
        except RulesError as error:
            raise self.fail(str(error), *names) from None

    def section(self, name: str, keys: Sequence[PlanKey] = ()) -> "Section":
        """Return a table in this one; an empty one if it is absent. `keys`: where something else decides them."""
        keys = keys or self._keys[name].keys
        return Section(self[name] or {}, keys, self._lines, (*self._path, name))

    def sections(self, name: str) -> list["Section"]:
        keys, tables = self._keys[name].keys, enumerate(self[name] or [])
        return [Section(row, keys, self._lines, (*self._path, name, number)) for number, row in tables]

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def made(self, shape: type[T], **more: Any) -> T:
        """Return a dataclass of the values whose keys are fields of it, and `more`."""
        names = {row.name for row in fields(shape)}  # type: ignore[arg-type]
        return shape(**{key.of: self[name] for name, key in self._keys.items() if key.of in names} | more)


def toml(value: object) -> str:
    """Write a value as TOML, whose texts differ from JSON's by one letter."""
    match value:
        case bool() | str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case float():
            return short if float(short := f"{value:g}") == value else repr(value)
        case dict():
            return "{" + ", ".join(f"{toml_key(name)} = {toml(member)}" for name, member in value.items()) + "}"
    return str(value)


def toml_key(name: str) -> str:
    """Write a key of TOML, quoted where it has to be."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml(name)


def toml_section(head: str, values: Mapping[str, Any]) -> str:
    """Write a section of TOML; "" if it has no value."""
    lines = [f"{name} = {toml(value)}" for name, value in values.items() if value is not None]
    return "\n".join([head, *lines] if head else lines) if lines else ""
