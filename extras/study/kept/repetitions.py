"""The boxes of the positions that a person learns, in the home: HOME/learn/boxes.json.

A damaged file is put aside and never written over; all positions begin again then.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from quadrille.client.files import write_text
from quadrille.client.value import value
from quadrille.extras.study.kept.checked_file import read_checked
from quadrille.extras.study.lessons.boxes import BOXES, Repetition

FILE: Final = "boxes.json"
LOCK: Final = "learn.lock"
VERSION: Final = 1
MOST_BYTES: Final = 16 << 20
#: The last day of the calendar.
_LAST_DAY: Final = 3_652_059


@value
class KeptBoxes:
    """The repetitions by the keys of their positions, and why those of the file are lost ("" if none are)."""

    repetitions: Mapping[str, Repetition]
    remark: str = ""


def read_boxes(folder: Path) -> KeptBoxes:
    """Read the boxes; put a file aside that is damaged."""
    path = folder / FILE
    found, aside = read_checked(path, MOST_BYTES, _checked)
    remark = f"{path} is damaged: it is {aside} now, and all positions begin again" if aside else ""
    return KeptBoxes(found or {}, remark)


def _checked(told: object) -> dict[str, Repetition]:
    """The boxes of a file's data; ValueError if it is none."""
    rows = told.get("boxes") if isinstance(told, dict) and told.get("version") == VERSION else None
    if not isinstance(rows, dict):
        raise ValueError
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
    told = {"quadrille": "boxes", "version": VERSION, "boxes": rows}
    write_text(str(folder / FILE), json.dumps(told, indent=1), over=True)
