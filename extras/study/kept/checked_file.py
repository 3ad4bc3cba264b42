"""JSON files of the home that nothing can make again: checked when they are read, and put aside when damaged.

Such a file has a version and rows by a name.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from quadrille.client.files import read_bytes, write_text

VERSION: Final = 1
MOST_BYTES: Final = 16 << 20
_Contents = TypeVar("_Contents")


def read_checked(path: Path, name: str, checked: Callable[[dict[str, Any]], _Contents]) -> tuple[_Contents | None, str]:
    """The contents of a file whose rows have that name; None if there is none, or if it is damaged.

    `checked` raises ValueError for rows that are none. Then the file gets another name, which the returned words tell,
    and nothing is written over.
    """
    try:
        data = read_bytes(str(path), MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None, ""
    try:
        told = json.loads(data) if len(data) <= MOST_BYTES else None
        rows = told.get(name) if isinstance(told, dict) and told.get("version") == VERSION else None
        if not isinstance(rows, dict):
            raise ValueError
        return checked(rows), ""
    except (ValueError, RecursionError):
        aside = _unused(path)
        path.replace(aside)
        return None, f"{path} is damaged: it is {aside.name} now"


def write_rows(path: Path, what: str, name: str, rows: Mapping[str, object]) -> None:
    told = {"quadrille": what, "version": VERSION, name: rows}
    write_text(str(path), json.dumps(told, indent=1), over=True)


def _unused(path: Path) -> Path:
    """A name for a damaged file that no earlier one has."""
    aside, number = path.with_name(f"{path.name}.damaged"), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{number}")
    return aside
