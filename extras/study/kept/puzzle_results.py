"""The results of puzzles, in the home: HOME/puzzles/results.json.

Each note is read, changed and written under a lock, so that two programs at once lose nothing. A damaged file is put
aside and never written over; the days in a row begin again then.
"""

import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Final

from quadrille.client.value import value
from quadrille.extras.study.kept.checked_file import read_checked, write_rows
from quadrille.extras.study.lessons.puzzle import TOLD, KeepHint, KeepTry, PuzzleResult, PuzzleResults, after_try
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import Lock

FILE: Final = "results.json"
LOCK: Final = "results.lock"
#: Seconds of waiting for another program that notes a result, and between two attempts.
_PATIENCE: Final = 5.0
_PAUSE: Final = 0.02
_TAKEN: Final = "another program writes there for too long"


@value
class KeptResults:
    """The results, and why those of the file are lost ("" if none are)."""

    results: PuzzleResults
    remark: str = ""


def read_results(folder: Path) -> KeptResults:
    """Read the results; put a file aside that is damaged or of another version."""
    found, damage = read_checked(folder / FILE, "results", _checked)
    return KeptResults(found or {}, damage and f"{damage}, and the days in a row begin again")


def _checked(days: dict[str, Any]) -> dict[tuple[date, str], PuzzleResult]:
    """The results of a file's rows; ValueError if they are none."""
    found = {}
    for text, games in days.items():
        day = date.fromisoformat(text)
        if not isinstance(games, dict):
            raise ValueError
        for game, row in games.items():
            found[day, game] = _result(row)
    return found


def _result(row: object) -> PuzzleResult:
    if not isinstance(row, dict) or set(row) != {"tries", "hint", "solved", "in_time"}:
        raise ValueError
    tries, hint, solved, in_time = row["tries"], row["hint"], row["solved"], row["in_time"]
    if type(tries) is not int or type(hint) is not int or type(solved) is not bool or type(in_time) is not bool:
        raise ValueError
    if tries < solved or not 0 <= hint <= TOLD or in_time > solved:
        raise ValueError
    return PuzzleResult(tries, hint, solved, in_time)


def write_results(folder: Path, results: PuzzleResults) -> None:
    days: dict[str, dict[str, object]] = {}
    for (day, game), one in sorted(results.items()):
        row = {"tries": one.tries, "hint": one.hint, "solved": one.solved, "in_time": one.in_time}
        days.setdefault(day.isoformat(), {})[game] = row
    write_rows(folder / FILE, "puzzle results", "results", days)


def note(folder: Path, kept: KeepTry | KeepHint, wait: Callable[[float], None] = time.sleep) -> KeptResults:
    """Note a move or a hint in the file as it is now; a LocalError says that another program does not let go of it."""
    with _locked(folder, wait):
        before = read_results(folder)
        after = after_try(before.results, kept)
        write_results(folder, after)
        return KeptResults(after, before.remark)


def _locked(folder: Path, wait: Callable[[float], None]) -> Lock:
    """The lock of the file, which other programs hold for moments only."""
    for _ in range(round(_PATIENCE / _PAUSE)):
        try:
            return Lock(folder, LOCK, _TAKEN)
        except LocalError as error:
            if str(error) != _TAKEN:
                raise
            wait(_PAUSE)
    return Lock(folder, LOCK, _TAKEN)
