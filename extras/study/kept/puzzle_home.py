"""The puzzle of a day: which game it is of, where it is looked for, and what is kept of it in the home.

The date is the name of a puzzle, so that everybody has the same one. Puzzles that were found are in
HOME/puzzles/DAY-GAME.json, so that one is looked for once; a file that is damaged or of another version is as good as
none. Results are in HOME/puzzles/results.json. Each note is read, changed and written under a lock, so that two
programs at once lose nothing.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Final

from quadrille.extras.study.kept.files import DAMAGE, HomeFolder, read_kept, read_rows, write_kept, write_rows
from quadrille.extras.study.lessons.lesson import Note
from quadrille.extras.study.lessons.puzzle import PuzzleLesson, PuzzleResult, PuzzleResults, with_note
from quadrille.extras.study.puzzles import VERSION, Puzzle, search
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import Lock, folder_in, home
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.record import read, write
from quadrille.rules.registry import game, own_keys
from quadrille.rules.squares import quoted

FOLDER: Final = "puzzles"
FILE: Final = "results.json"
LOCK: Final = "results.lock"
#: The day of the first puzzle.
FIRST: Final = date(2026, 1, 1)
#: The version of files of puzzles, and that of the search.
_VERSION: Final = [1, VERSION]
#: Maximum kept puzzles; those of the earliest days go first.
MOST: Final = 200
_NAME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[a-z0-9@-]+\.json")
#: Seconds of waiting for another program that notes a result, and between two attempts.
_PATIENCE: Final = 5.0
_PAUSE: Final = 0.02
_TAKEN: Final = "another program writes there for too long"


def local_day() -> date:
    """Return the day here, which decides what today's puzzle is."""
    return date.today()


def games_with_puzzles() -> list[Game[Any, Any]]:
    """Return our games that have puzzles; they take turns from day to day, no matter what packages plug in."""
    return [one for one in map(game, own_keys()) if one.puzzle_options is not None]


def game_of(day: date) -> Game[Any, Any]:
    there = games_with_puzzles()
    return there[day.toordinal() % len(there)]


def puzzle_game(played: Game[Any, Any]) -> Game[Any, Any]:
    """Return the game, if it has puzzles; refuse any other."""
    if played.puzzle_options is None:
        there = ", ".join(one.key for one in games_with_puzzles())
        why = ", because cards are hidden there" if played.hidden else ""
        raise RulesError(f"{played.title} has no puzzles{why}: name one of {there}")
    return played


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
    if day < FIRST:
        raise RulesError(f"the first puzzle is that of {FIRST}, and {day} is before it: name a day from then on")
    return day


def looking_text(title: str, day: date, games: int) -> str:
    return f"Looking for the puzzle of {day} in games of {title}: {games}"


class PuzzleHome(HomeFolder):
    """The puzzles and results of one home. Any number of programs may use it at once."""

    def __init__(self, at_home: str | None) -> None:
        super().__init__(home(at_home) / FOLDER)

    def lessons(self, played: Game[Any, Any], day: date, today: date) -> Iterator[int | PuzzleLesson]:
        """Yield the numbers of games that were looked through for the puzzle, and at last the puzzle as a lesson."""
        puzzle = found_puzzle(self.folder, played.key, day)
        if puzzle is None:
            for number, found in search(played, day.isoformat()):
                yield number
                puzzle = found
            assert puzzle is not None
            with self.writing():
                keep_found(self._made(), day, puzzle)
        results: PuzzleResults = {}
        with self.writing():
            results, self.remark = read_results(self.folder)
        yield PuzzleLesson.of(puzzle, day, today, results)

    def noted(self, one: Note) -> None:
        """Write down a move or a hint at once."""
        with self.writing():
            self.remark = note(self._made(), one) or self.remark

    @property
    def not_kept(self) -> str:
        """The sentence that results can't be written down; "" if they can."""
        return self.trouble and f"Your result can't be kept: {self.trouble}"

    def _made(self) -> Path:
        return folder_in(self.folder.parent, FOLDER)


# Puzzles that were found


def puzzle_file(folder: Path, key: str, day: date) -> Path:
    return folder / f"{day.isoformat()}-{key}.json"


def keep_found(folder: Path, day: date, puzzle: Puzzle) -> None:
    """Write a puzzle, and delete the earliest ones above the maximum."""
    path = puzzle_file(folder, puzzle.match.game.key, day)
    told = {"record": write(puzzle.match), "line": list(puzzle.line), "refuted": puzzle.refuted}
    write_kept(path, "puzzle", _VERSION, told)
    kept = sorted((one for one in folder.iterdir() if _NAME.fullmatch(one.name)), reverse=True)
    for old in kept[MOST:]:
        if old != path:
            old.unlink(missing_ok=True)


def found_puzzle(folder: Path, key: str, day: date) -> Puzzle | None:
    """Read the kept puzzle; None if there is none that can be trusted."""
    with suppress(OSError, *DAMAGE):
        told = read_kept(puzzle_file(folder, key, day), _VERSION)
        match, line = read(told["record"]), tuple(told["line"])
        if match.game.key == key:
            return Puzzle(match, line[0], line, told["refuted"])
    return None


# Results


def read_results(folder: Path) -> tuple[dict[tuple[date, str], PuzzleResult], str]:
    """Read the results, and why those of the file are lost ("" if none are)."""
    days, remark = read_rows(folder / FILE, "the days in a row begin again")
    found = {
        (date.fromisoformat(day), key): PuzzleResult(**row) for day, rows in days.items() for key, row in rows.items()
    }
    return found, remark


def write_results(folder: Path, results: PuzzleResults) -> None:
    days: dict[str, dict[str, object]] = {}
    for (day, played), one in sorted(results.items()):
        row = {"tries": one.tries, "hint": one.hint, "solved": one.solved, "in_time": one.in_time}
        days.setdefault(day.isoformat(), {})[played] = row
    write_rows(folder / FILE, days)


def note(folder: Path, one: Note, wait: Callable[[float], None] = time.sleep) -> str:
    """Note a move or a hint in the file as it is now; return why the results before are lost ("" if none are).

    A LocalError says that another program does not let go of the file.
    """
    with _locked(folder, wait):
        before, remark = read_results(folder)
        write_results(folder, with_note(before, one))
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
