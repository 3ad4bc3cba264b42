"""The boxes of the positions that a person learns, in the home: HOME/learn/boxes.json.

A damaged file is put aside and never written over; all positions begin again then.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from quadrille.client.value import value
from quadrille.extras.study.kept.checked_file import read_checked, write_rows
from quadrille.extras.study.lessons.boxes import BOXES, Repetition

FILE: Final = "boxes.json"
LOCK: Final = "learn.lock"
#: The last day of the calendar.
_LAST_DAY: Final = 3_652_059


@value
class KeptBoxes:
    """The repetitions by the keys of their positions, and why those of the file are lost ("" if none are)."""

    repetitions: Mapping[str, Repetition]
    remark: str = ""


def read_boxes(folder: Path) -> KeptBoxes:
    """Read the boxes; put a file aside that is damaged."""
    found, damage = read_checked(folder / FILE, "boxes", _checked)
    return KeptBoxes(found or {}, damage and f"{damage}, and all positions begin again")


def _checked(rows: dict[str, Any]) -> dict[str, Repetition]:
    """The boxes of a file's rows; ValueError if they are none."""
    found = {}
    for key, row in rows.items():
        if not (isinstance(row, list) and len(row) == 2 and all(type(one) is int for one in row)):
            raise ValueError
        box, due = row
        if not (1 <= box <= BOXES and 0 <= due <= _LAST_DAY):
            raise ValueError
        found[key] = Repetition(box, due)
    return found


def write_boxes(folder: Path, repetitions: Mapping[str, Repetition]) -> None:
    rows = {key: [one.box, one.due] for key, one in sorted(repetitions.items())}
    write_rows(folder / FILE, "boxes", "boxes", rows)
