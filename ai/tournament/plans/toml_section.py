"""A table of a TOML file, read by its keys (plan_keys.py): missing, wrong and unknown ones are refused with their
line.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan_keys import FIRST, PlanKey
from quadrille.rules.options import shown
from quadrille.rules.squares import nearest

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
        """Return the line of a key, or of the table that holds it."""
        for end in range(len(path), 0, -1):
            if line := self._at.get(tuple(path[:end])):
                return line
        return 0


class Section:
    """A table of the file, with a value for each of its keys."""

    def __init__(
        self, data: Mapping[str, Any], keys: Sequence[PlanKey], lines: Lines, path: tuple[str | int, ...] = ()
    ) -> None:
        self._data = data
        self._lines = lines
        self._path = path
        names = [key.name for key in keys]
        for name in data:
            if name not in names:
                raise self.fail(f"{shown(name)} means nothing here: {_hint(name, names)}", name)
        self._values = {key.name: self._value(key) for key in keys}

    def _value(self, key: PlanKey) -> Any:
        if key.name not in self._data:
            if key.needed:
                raise self.fail(f"{key.name} is missing: it takes {key.takes}")
            return key.usual
        try:
            return key.read(self._data[key.name])
        except ValueError as error:
            raise self.fail(str(error), key.name) from None

    def fail(self, why: str, *names: str) -> PlanError:
        """Make a refusal with the line of this table, or of a key in it."""
        return PlanError(self._lines.of((*self._path, *names)), why)

    def section(self, name: str, keys: Sequence[PlanKey]) -> "Section":
        """Return a table in this one; an empty one if it is absent."""
        return Section(self[name] or {}, keys, self._lines, (*self._path, name))

    def sections(self, name: str, keys: Sequence[PlanKey]) -> list["Section"]:
        rows = enumerate(self[name] or [])
        return [Section(row, keys, self._lines, (*self._path, name, number)) for number, row in rows]

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def row(self, *names: str) -> dict[str, Any]:
        return {name: self[name] for name in names}


def _hint(name: str, known: Sequence[str]) -> str:
    """Say which key was meant."""
    if name in (key.name for key in FIRST):
        return "it belongs at the top, before the first table"
    return nearest(name, known, "there are " + ", ".join(known))
