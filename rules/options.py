"""The options of a game: typed, with defaults, ranges and a line of help.

A game's `Options` is a frozen dataclass whose fields are made with `number`, `choice`, `flag` and `text`. The command
line, the engine's `games`, records, the wire and the documentation are all made from `specs`. The game's own check
handles combinations (`Game.check`).
"""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, Self, TypeAlias

from quadrille.rules.errors import BadOptions
from quadrille.rules.squares import nearest, quoted

Value: TypeAlias = int | bool | str
_SPEC: Final = "spec"
_TRUE: Final = ("true", "yes", "on")
_FALSE: Final = ("false", "no", "off")
#: A whole number as people write it: ASCII digits, at most nine, perhaps a minus before them.
_WHOLE: Final = re.compile("-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Spec:
    """An option: `kind` is number, choice, flag or text; `label` its name in sentences, if not `name`; `before` the
    value that games had before there was this option.
    """

    name: str
    kind: str
    default: Value
    help: str
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    label: str = ""
    before: Value | None = None

    @property
    def words(self) -> str:
        """The option's name in sentences."""
        return self.label or self.name.replace("_", " ")

    @property
    def takes(self) -> str:
        """The accepted values, for a sentence."""
        match self.kind:
            case "number":
                return f"a whole number from {self.least} to {self.most}"
            case "choice":
                return "one of " + ", ".join(self.choices)
            case "flag":
                return "true or false"
        return "a text"

    def check(self, value: object) -> Value:
        """Return the value if the option accepts it; a refusal names option, value and range."""
        match self.kind, value:
            case "flag", bool():
                return value
            case _, bool():
                pass
            case "number", int() if self.least <= value <= self.most:
                return value
            case "choice", str() if value in self.choices:
                return value
            case "text", str() if len(value) <= self.most:
                return value
        raise BadOptions(f"option {self.name} takes {self.takes}, not {shown(value)}")

    def read(self, text: str) -> Value:
        """Return the value of a text that a person wrote."""
        word = text.strip()
        if self.kind == "flag" and word.lower() in _TRUE:
            return True
        if self.kind == "flag" and word.lower() in _FALSE:
            return False
        if self.kind == "number" and _WHOLE.fullmatch(word):
            return self.check(int(word))
        return self.check(word)


def number(default: int, least: int, most: int, help: str, label: str = "", before: int | None = None) -> Any:
    """Make a field that takes a whole number in a range."""
    return _field(Spec("", "number", default, help, least, most, label=label, before=before))


def choice(choices: tuple[str, ...], help: str, before: str | None = None) -> Any:
    """Make a field that takes one of some words, the first by default."""
    return _field(Spec("", "choice", choices[0], help, choices=choices, before=before))


def flag(help: str, *, default: bool = False, before: bool | None = None) -> Any:
    """Make a field that is true or false."""
    return _field(Spec("", "flag", default, help, before=before))


def text(help: str, most: int) -> Any:
    """Make a field that takes a text, none by default; the game's own check reads it."""
    return _field(Spec("", "text", "", help, 0, most))


def _field(spec: Spec) -> Any:
    return dataclasses.field(default=spec.default, metadata={_SPEC: spec})


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game; a game without any can use this class itself."""

    @classmethod
    @cache
    def specs(cls) -> tuple[Spec, ...]:
        """List every option in the order of its declaration."""
        fields = dataclasses.fields(cls)
        return tuple(dataclasses.replace(field.metadata[_SPEC], name=field.name) for field in fields)

    @classmethod
    def read(cls, given: Mapping[str, object], *, recorded: bool = False) -> Self:
        """Read options from foreign names and values; the others have their defaults, in a record the values before."""
        if not isinstance(given, Mapping):
            raise BadOptions(f"options are names with values, not {shown(given)}")
        specs = {spec.name: spec for spec in cls.specs()}
        before = {name: spec.before for name, spec in specs.items() if recorded and spec.before is not None}
        values = {name: find(specs.values(), name).check(value) for name, value in given.items()}
        return cls(**before | values)

    def plain(self) -> dict[str, Value]:
        """Return every option with its value, defaults included: part of the game's identity."""
        return {spec.name: getattr(self, spec.name) for spec in self.specs()}

    @lru_cache(maxsize=64)  # noqa: B019, every digest asks, and offers of strangers push each other out
    def kept(self) -> Mapping[str, Value]:
        """Return the options as records and digests have them, without a younger one that leaves the game as it was."""
        return {spec.name: value for spec in self.specs() if (value := getattr(self, spec.name)) != spec.before}

    def changed(self) -> dict[str, Value]:
        """Return only the options that differ from their defaults."""
        return {spec.name: value for spec in self.specs() if (value := getattr(self, spec.name)) != spec.default}


def find(specs: Iterable[Spec], name: object) -> Spec:
    """Return the option of that name, or refuse and offer the nearest one."""
    known = {spec.name: spec for spec in specs}
    if isinstance(name, str) and name in known:
        return known[name]
    if not known:
        raise BadOptions(f"there is no option {shown(name)}: this game has none")
    raise BadOptions(f"there is no option {shown(name)}: {offered(name, 'option', known)}")


def offered(name: object, thing: str, known: Iterable[str]) -> str:
    """Return the end of a refusal: the nearest name, or all that a game has: `its only preset is rockefeller`."""
    names = list(known)
    if not names:
        return "it has none"
    are = f"its {thing}s are" if len(names) > 1 else f"its only {thing} is"
    return nearest(name, names, f"{are} {', '.join(names)}")


def read_settings(cls: type[Options], settings: Iterable[str]) -> dict[str, Value]:
    """Read options from a command line's `name=value` texts."""
    given: dict[str, Value] = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise BadOptions(f"{quoted(setting)} sets nothing: write option=value")
        spec = find(cls.specs(), name.strip().replace("-", "_"))
        given[spec.name] = spec.read(value)
    return given


def shown(value: object) -> str:
    """Write any value in a form that fits into a sentence."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return quoted(value)
        case int():
            return str(value) if abs(value) < 10**12 else "a huge number"
        case None | float():
            return "nothing" if value is None else f"the fraction {value}"
    return f"a {type(value).__name__}"
