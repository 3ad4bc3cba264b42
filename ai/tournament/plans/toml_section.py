"""A TOML file, read key by key: missing, wrong and unknown keys are refused with their line.

No tournament is known here; plan_file.py defines the keys.
"""

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from quadrille.ai.bots.lines.parameters import is_number
from quadrille.ai.tournament import TournamentError
from quadrille.net.core.spans import span
from quadrille.rules.options import shown

_MOST: Final = 10**9
_TABLE: Final = re.compile(r"\s*(\[\[?)\s*([\w\-. \"']+?)\s*\]")
_KEY: Final = re.compile(r"\s*([\w\-\"']+)\s*[.=]")


class PlanError(TournamentError):
    """A fault in a tournament's file; `line` is 0 if it has no single place."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class Lines:
    """The line of each key in a TOML text, as far as the beginnings of lines tell."""

    def __init__(self, text: str) -> None:
        self._at: dict[tuple[str | int, ...], int] = {}
        counts: dict[str, int] = {}
        here: tuple[str | int, ...] = ()
        for number, line in enumerate(text.splitlines(), 1):
            if found := _TABLE.match(line):
                name = found[2].strip("\"'")
                here = tuple(part.strip(" \"'") for part in name.split("."))
                if found[1] == "[[":
                    counts[name] = counts.get(name, -1) + 1
                    self._at.setdefault(here, number)
                    here = (*here, counts[name])
                elif here[0] in counts:
                    here = (here[0], counts[str(here[0])], *here[1:])
                self._at.setdefault(here, number)
            elif found := _KEY.match(line):
                self._at.setdefault((*here, found[1].strip("\"'")), number)

    def of(self, path: Sequence[str | int]) -> int:
        """The line of a key, or of what contains it."""
        for end in range(len(path), 0, -1):
            if line := self._at.get(tuple(path[:end])):
                return line
        return 0


class Section:
    """A table of the file, from which keys are taken one after another; `end` refuses the others."""

    def __init__(
        self, data: Mapping[str, Any], lines: Lines, *, path: tuple[str | int, ...] = (), top: Collection[str] = ()
    ) -> None:
        """`top` are the keys before the first table, which people often write after it."""
        self.path = path
        self._data = data
        self._lines = lines
        self._top = top
        self._known: list[str] = []

    def fail(self, why: str, name: str = "") -> PlanError:
        """A refusal with its line."""
        return PlanError(self._lines.of((*self.path, name) if name else self.path), why)

    def take(self, name: str, kind: type, usual: Any, takes: str) -> Any:
        """A value of that kind; `usual` if it is absent."""
        self._known.append(name)
        value = self._data.get(name, usual)
        if value is usual:
            return value
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.fail(f"{name} takes {takes}, not {_named(value)}", name)
        return value

    def text(self, name: str, usual: str | None = None, takes: str = "a text") -> str:
        """A text on one line."""
        value = self.take(name, str, usual, takes)
        if value is None:
            raise self.fail(f"{name} is missing: it takes {takes}")
        if not value.isprintable():
            raise self.fail(f"{name} takes a text on one line, not {shown(value)}", name)
        return str(value)

    def number(self, name: str, usual: int | None, least: int = 0, most: int = _MOST) -> int | None:
        """A whole number."""
        takes = f"a whole number from {least} to {most}"
        value = self.take(name, int, usual, takes)
        if value is not None and value != usual and not least <= value <= most:
            raise self.fail(f"{name} takes {takes}, not {shown(value)}", name)
        return value  # type: ignore[no-any-return]

    def fraction(self, name: str, usual: float) -> float:
        """Any number."""
        return float(self.take(name, int | float, usual, "a number"))  # type: ignore[arg-type]

    def span(self, name: str, usual: int | None = None) -> int | None:
        """A time such as 200ms, 90s, 5m or 1h."""
        text = self.text(name, "", 'a text such as "200ms", "90s", "5m" or "1h"')
        if name not in self:
            return usual
        try:
            ms = span(text)
        except ValueError as error:
            raise self.fail(f"{name}: {error}", name) from None
        if not ms:
            raise self.fail(f"{name} takes more time than {shown(text)}", name)
        return ms

    def section(self, name: str) -> "Section":
        """A table in this one; an empty one if it is absent."""
        return Section(self.mapping(name), self._lines, path=(*self.path, name), top=self._top)

    def sections(self, name: str) -> list["Section"]:
        """A list of tables."""
        takes = f"tables: write [[{name}]] over each"
        rows = self.take(name, list, None, takes) or []
        if not all(isinstance(row, dict) for row in rows):
            raise self.fail(f"{name} takes {takes}", name)
        return [
            Section(row, self._lines, path=(*self.path, name, number), top=self._top) for number, row in enumerate(rows)
        ]

    def mapping(self, name: str) -> dict[str, Any]:
        """A table with keys that the caller checks; an empty one if it is absent."""
        takes = "names and values in { }" if self.path else f"names and values: write [{name}] over them"
        return dict(self.take(name, dict, None, takes) or {})

    def numbers(self, name: str) -> dict[str, int | float]:
        """A table of names and numbers, in the order of names."""
        given = self.mapping(name)
        for word, value in given.items():
            if not is_number(value):
                raise self.fail(f"{name} takes a number for each name, not {_named(value)} for {shown(word)}", name)
        return dict(sorted(given.items()))

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def end(self, *others: str) -> None:
        """Refuse unknown keys; `others` are known, but have not been taken."""
        known = list(dict.fromkeys([*self._known, *others]))
        for name in self._data:
            if name in known:
                continue
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(known)
            if name in self._top:
                hint = "it belongs at the top, before the first table"
            raise self.fail(f"{shown(name)} means nothing here: {hint}", name)


def _named(value: object) -> str:
    """TOML's name for the type of a wrong value."""
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
    return shown(value)
