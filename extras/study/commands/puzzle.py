"""`quadrille puzzle`: the puzzle of a day, in which one move wins and all others lose."""

import argparse
import sys
from datetime import date
from functools import partial
from typing import Any, Final

from quadrille.client.foreign import shown
from quadrille.client.plain.console import Console
from quadrille.client.progress_line import ProgressLine
from quadrille.client.settings import has_screen
from quadrille.extras.study.kept.puzzle_home import PuzzleHome, game_of, local_day, puzzle_day, puzzle_game
from quadrille.extras.study.lessons.lesson import AnyLesson
from quadrille.extras.study.lessons.puzzle import PuzzleLesson
from quadrille.extras.study.plain_lesson import PlainLesson
from quadrille.extras.study.words.puzzles import PUZZLES, looking_text, not_kept_text
from quadrille.rules.core import Game
from quadrille.rules.registry import game

DESCRIPTION: Final = """Solve the puzzle of the day.

One move wins, and every other one loses; both are proved, and neither a look 4 turns ahead nor level 2 finds the move.
Everyone gets the same puzzle on the same day, even without a network. The games take turns; name a GAME for its own.

A wrong move is refuted on the board. hint leaves a few moves to choose from, and once more it tells the move. line
shows the moves from your last one to the end of the game. Your results are kept: the number of moves that you tried,
the hints, and the days in a row on which you solved a puzzle of that day.

  quadrille puzzle                        the puzzle of today
  quadrille puzzle maze                   the puzzle of today in Maze
  quadrille puzzle --date 2026-11-24      another day's; it does not count for days in a row"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", default="", help="the game (default: the game of the day)")
    parser.add_argument("--date", metavar="DAY", default="", help="another day, such as 2026-11-24 (default: today)")
    parser.add_argument("--home", metavar="FOLDER", help="the home folder, instead of QUADRILLE_HOME")
    parser.add_argument("--plain", action="store_true", help="line after line, for pipes and screen readers")


def run(settings: argparse.Namespace) -> int:
    """Find the puzzle, give it, and print the result."""
    today = local_day()
    day = puzzle_day(settings.date, today)
    played = puzzle_game(game(settings.game)) if settings.game else game_of(day)
    there = PuzzleHome(settings.home)
    lesson = _found(there, played, day, today)
    if there.remark:
        print(f"quadrille: {shown(there.remark)}", file=sys.stderr)
    code, after = _given(lesson, there, plain=settings.plain)
    if told := PUZZLES.result(after):
        print(told)
    if there.trouble:
        print(f"quadrille: {shown(not_kept_text(there.trouble))}", file=sys.stderr)
    return code


def _found(there: PuzzleHome, played: Game[Any, Any], day: date, today: date) -> PuzzleLesson:
    """Look for the puzzle, and show how far that is."""
    line = ProgressLine()
    try:
        for found in there.lessons(played, day, today):
            if isinstance(found, PuzzleLesson):
                return found
            line.tell(partial(looking_text, played.title, day.isoformat(), found))
    finally:
        line.end()
    raise AssertionError("a search for a puzzle has no end")


def _given(lesson: PuzzleLesson, there: PuzzleHome, *, plain: bool) -> tuple[int, AnyLesson]:
    """Give the puzzle, on the screen or in lines; the exit code, and the lesson then."""
    if has_screen(plain=plain):
        from quadrille.extras.study.screen.lesson_stage import give

        return give(lesson, PUZZLES, there.noted)
    if sys.stdout is None:
        return 0, lesson
    face = PlainLesson(lesson, PUZZLES, Console(sys.stdin, sys.stdout), there.noted)
    face.run()
    return 0, face.lesson
