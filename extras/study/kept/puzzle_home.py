"""The puzzle of a day, and what is kept of it in the home.

Results are in HOME/puzzles/results.json. Each note is read, changed and written under a lock, so that two programs at
once lose nothing.
"""

import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any, Final

from quadrille.extras.study import puzzles
from quadrille.extras.study.kept.files import HomeFolder, read_rows, write_rows
from quadrille.extras.study.lessons.lesson import Note
from quadrille.extras.study.lessons.puzzle import PuzzleLesson, PuzzleResult, PuzzleResults, with_note
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import Lock, folder_in, home
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game
from quadrille.rules.squares import quoted

FOLDER: Final = "puzzles"
FILE: Final = "results.json"
LOCK: Final = "results.lock"
#: Seconds of waiting for another program that notes a result, and between two attempts.
_PATIENCE: Final = 5.0
_PAUSE: Final = 0.02
_TAKEN: Final = "another program writes there for too long"


def local_day() -> date:
    """Return the day here, which decides what today's puzzle is."""
    return date.today()


def puzzle_game(played: Game[Any, Any]) -> str:
    """Return the key of a game that has puzzles; refuse any other."""
    if played.key not in puzzles.games_with_puzzles():
        reason = ", because cards are hidden there" if played.hidden else ""
        raise RulesError(
            f"{played.title} has no puzzles{reason}: name one of {', '.join(puzzles.games_with_puzzles())}"
        )
    return played.key


def puzzle_day(text: str, today: date) -> date:
    """Read the day of a text; today without one."""
    try:
        day = date.fromisoformat(text) if text else today
    except ValueError:
        raise RulesError(f"{quoted(text)} is no date: write one such as {today.isoformat()}") from None
    if day > today:
        raise RulesError(
            f"the puzzle of {day} is for that day, and today is {today}: leave --date out for the puzzle of today"
        )
    if day < puzzles.FIRST:
        advice = "name a day from then on" if text else "set the clock of this machine"
        raise RulesError(f"the first puzzle is that of {puzzles.FIRST}, and {day} is before it: {advice}")
    return day


class PuzzleHome(HomeFolder):
    """The puzzles and results of one home. Any number of programs may use it at once."""

    def __init__(self, at_home: str | None) -> None:
        super().__init__(home(at_home) / FOLDER)

    def lesson(self, name: str, day: str = "") -> PuzzleLesson:
        """Return the last puzzle up to today or another day, of any game or of one, with the results so far."""
        today, results = local_day(), dict[tuple[date, str], PuzzleResult]()
        own_day, puzzle = puzzles.of_day(puzzle_day(day, today), puzzle_game(game(name)) if name else "")
        with self.writing():
            results, self.remark = read_results(self.folder)
        return PuzzleLesson.of(puzzle, own_day, today, results)

    def noted(self, news: Note) -> None:
        """Write down a move or a hint at once."""
        with self.writing():
            self.remark = note(folder_in(self.folder.parent, FOLDER), news) or self.remark


# Results


def read_results(folder: Path) -> tuple[dict[tuple[date, str], PuzzleResult], str]:
    """Read the results, and why those of the file are lost ("" if none are)."""
    days, remark = read_rows(folder / FILE, "the days in a row begin again")
    results = {
        (date.fromisoformat(day), key): PuzzleResult(**row) for day, rows in days.items() for key, row in rows.items()
    }
    return results, remark


def write_results(folder: Path, results: PuzzleResults) -> None:
    days: dict[str, dict[str, object]] = {}
    for (day, played), result in sorted(results.items()):
        days.setdefault(day.isoformat(), {})[played] = asdict(result)
    write_rows(folder / FILE, days)


def note(folder: Path, news: Note, wait: Callable[[float], None] = time.sleep) -> str:
    """Note a move or a hint in the file as it is now; return why the results before are lost ("" if none are).

    A LocalError says that another program does not let go of the file.
    """
    with _locked(folder, wait):
        before, remark = read_results(folder)
        write_results(folder, with_note(before, news))
        return remark


def _locked(folder: Path, wait: Callable[[float], None]) -> Lock:
    """Lock the file, which other programs hold for moments only."""
    for _ in range(round(_PATIENCE / _PAUSE)):
        try:
            return Lock(folder, LOCK, _TAKEN)
        except LocalError as error:
            if str(error) != _TAKEN:
                raise
            wait(_PAUSE)
    return Lock(folder, LOCK, _TAKEN)
