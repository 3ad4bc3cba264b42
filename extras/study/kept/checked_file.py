"""JSON files of the home that nothing can make again: checked when they are read, and put aside when damaged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from quadrille.client.files import read_bytes

_Contents = TypeVar("_Contents")


def read_checked(path: Path, most: int, checked: Callable[[object], _Contents]) -> tuple[_Contents | None, str]:
    """The contents of a file of at most so many bytes; None if there is none, or if it is damaged.

    `checked` raises ValueError for contents that are none. Then the file gets another name, which is returned too, and
    nothing is written over.
    """
    try:
        data = read_bytes(str(path), most)
    except (FileNotFoundError, NotADirectoryError):
        return None, ""
    try:
        return checked(json.loads(data) if len(data) <= most else None), ""
    except (ValueError, RecursionError):
        aside = _unused(path)
        path.replace(aside)
        return None, aside.name


def _unused(path: Path) -> Path:
    """A name for a damaged file that no earlier one has."""
    aside, number = path.with_name(f"{path.name}.damaged"), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{number}")
    return aside
