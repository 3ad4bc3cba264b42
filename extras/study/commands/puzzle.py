"""`quadrille puzzle`: the puzzle of a day, in which one move wins and all others lose."""

import argparse
from typing import Final

from quadrille.client.cli import FINE
from quadrille.client.commands.shared import add_home, add_plain
from quadrille.client.files import write_file
from quadrille.extras.study.kept.puzzle_home import PuzzleHome
from quadrille.extras.study.plain_lesson import given, remark

DESCRIPTION: Final = """Solve the puzzle of the day.

One move wins, and every other one loses; both are proved, and neither a look 4 turns ahead nor level 2 found the move.
Everyone gets the same puzzle on the same day, even without a network. The games take turns; name a GAME for its last.

A wrong move is refuted on the board. hint leaves a few moves to choose from, and once more it tells the move. line
shows the moves from your last one to the end of the game. Your results are kept: the number of moves that you tried,
the hints, and the days in a row on which you solved a puzzle of that day.

  quadrille puzzle                        the puzzle of today
  quadrille puzzle maze                   the last puzzle in Maze, up to today
  quadrille puzzle --date 2026-11-24      another day's; it does not count for days in a row
  quadrille puzzle --html puzzle.html     a page of it to post, for people without Quadrille"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", default="", help="the game (default: the game of the day)")
    parser.add_argument("--html", metavar="FILE", help="write it as a page that is played by touch, offline")
    parser.add_argument("--date", metavar="DAY", default="", help="another day, such as 2026-11-24 (default: today)")
    add_home(parser)
    add_plain(parser)


def run(settings: argparse.Namespace) -> int:
    """Give the puzzle, and print the result."""
    puzzles = PuzzleHome(settings.home)
    lesson = puzzles.lesson(settings.game, settings.date)
    remark(puzzles.remark)
    if settings.html:
        from quadrille.extras.study.puzzle_page import puzzle_page  # imported here: few puzzles become pages

        print(write_file(settings.html, puzzle_page(lesson), over=True))
        return FINE
    code, after = given(lesson, puzzles.noted, plain=settings.plain)
    if after.result:
        print(after.result)
    remark(puzzles.not_kept)
    return code
