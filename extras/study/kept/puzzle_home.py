"""The puzzle of a day: which game it is of, where it is looked for, and what is kept of it in the home.

The date is the name of a puzzle, so that everybody has the same one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Final

from quadrille.extras.study.kept.found_puzzles import found_puzzle, keep_found
from quadrille.extras.study.kept.puzzle_results import note, read_results
from quadrille.extras.study.lessons.puzzle import KeepHint, KeepTry, PuzzleLesson, PuzzleResults
from quadrille.extras.study.puzzles import search
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import folder_in, home
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game, own_keys
from quadrille.rules.squares import quoted

FOLDER: Final = "puzzles"
#: The day of the first puzzle.
FIRST: Final = date(2026, 1, 1)


def local_day() -> date:
    """The day here, which decides what today's puzzle is."""
    return date.today()


def games_with_puzzles() -> list[Game[Any, Any]]:
    """Our games that have puzzles; they take turns from day to day, whatever packages plug in."""
    return [one for one in map(game, own_keys()) if one.puzzle_options is not None]


def game_of(day: date) -> Game[Any, Any]:
    """The game of a day."""
    there = games_with_puzzles()
    return there[day.toordinal() % len(there)]


def puzzle_game(played: Game[Any, Any]) -> Game[Any, Any]:
    """The game, if it has puzzles."""
    if played.puzzle_options is None:
        there = ", ".join(one.key for one in games_with_puzzles())
        why = ", because cards are hidden there" if played.hidden else ""
        raise RulesError(f"{played.title} has no puzzles{why}: name one of {there}")
    return played


def puzzle_day(text: str, today: date) -> date:
    """The day of a text; today without one."""
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


class PuzzleHome:
    """The puzzles and results of one home. Any number of programs may use it at once."""

    def __init__(self, at_home: str | None) -> None:
        self.folder: Path = home(at_home) / FOLDER
        #: Why something could not be written; "" if all could be. Everything holds for now.
        self.trouble = ""
        #: Why the days in a row begin again; "" if they don't.
        self.remark = ""

    def lessons(self, played: Game[Any, Any], day: date, today: date) -> Iterator[int | PuzzleLesson]:
        """The numbers of games that were looked through for the puzzle, and at last the puzzle as a lesson."""
        puzzle = found_puzzle(self.folder, played.key, day)
        if puzzle is None:
            for number, found in search(played, day.isoformat()):
                yield number
                puzzle = found
            assert puzzle is not None
            with self._writing():
                keep_found(self._made(), day, puzzle)
        yield PuzzleLesson.of(puzzle, day, today, self._results())

    def _results(self) -> PuzzleResults:
        results: PuzzleResults = {}
        with self._writing():
            kept = read_results(self.folder)
            results, self.remark = kept.results, kept.remark
        return results

    def noted(self, kept: KeepTry | KeepHint) -> None:
        """Write down a move or a hint at once."""
        with self._writing():
            self.remark = note(self._made(), kept).remark or self.remark

    def _made(self) -> Path:
        """The folder, made if need be."""
        return folder_in(self.folder.parent, FOLDER)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Keep the reason why a file can't be used, and go on."""
        try:
            yield
        except LocalError as error:
            self.trouble = str(error)
        except OSError as error:
            self.trouble = f"{error.filename}: {error.strerror}"
