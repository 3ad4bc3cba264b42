"""`quadrille learn`: the positions before a person's mistakes, to be played again, spaced out over days."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final

from quadrille.client.files import STANDARD_INPUT, path_of, read_text
from quadrille.client.foreign import shown
from quadrille.client.kept.own_games import OpenedGame, OwnGame, opened_record, own_games, own_seats, record_number
from quadrille.client.network.own_name import own_name
from quadrille.client.picture.film import through
from quadrille.client.picture.records import told
from quadrille.client.plain.console import Console
from quadrille.client.progress_line import ProgressLine
from quadrille.client.reports import heading
from quadrille.client.settings import has_screen
from quadrille.client.table.players import Players
from quadrille.client.table_setup import whole
from quadrille.client.words.analysis import done_text
from quadrille.extras.study.kept.judged_games import JudgedGame
from quadrille.extras.study.kept.lesson_home import LessonHome
from quadrille.extras.study.lessons.boxes import next_due
from quadrille.extras.study.lessons.lesson import MistakeLesson
from quadrille.extras.study.plain_lesson import PlainLesson
from quadrille.extras.study.words.lessons import (
    MISTAKES,
    boxes_text,
    damaged_text,
    judging_text,
    not_kept_text,
    nothing_text,
    stopped_text,
    unknown_text,
)
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError
from quadrille.rules.record import FIRST_LINE, write

DESCRIPTION: Final = """Play the positions before your own mistakes again.

Your finished games are judged, the last ones first, as quadrille analyse does; that takes a while, once for each game,
and Ctrl-C keeps what is done. Then one position after another is on the board, as you knew it. A move as good as the
best one is right; any other is answered by the move that refutes it. A position that you solve at the first try comes
back after 3, 7, 14, 30 and 90 days, any other one tomorrow (Leitner's boxes).

  quadrille learn                                  from all games that are kept
  quadrille learn maze                             only from games of Maze; a player's name works, too
  quadrille learn --record game.txt --seat 2       also from a record or a log, in which you were player 2"""
#: Positions of a lesson.
USUAL: Final = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", default="", help="only this game, or games with this player")
    parser.add_argument(
        "--record",
        action="append",
        default=[],
        metavar="FILE",
        help="learn from this record or log, too; again for more",
    )
    parser.add_argument("--seat", type=whole, metavar="N", help="which player you were in these records")
    parser.add_argument(
        "--most", type=whole, default=USUAL, metavar="N", help=f"maximum positions of the lesson (default {USUAL})"
    )
    parser.add_argument("--boxes", action="store_true", help="only say how many positions wait, and for how long")
    parser.add_argument("--home", metavar="FOLDER", help="the home folder, instead of QUADRILLE_HOME")
    parser.add_argument("--plain", action="store_true", help="line after line, for pipes and screen readers")


def today() -> int:
    """The number of this day."""
    return date.today().toordinal()


def run(settings: argparse.Namespace) -> int:
    """Judge games until the lesson is full, then give it."""
    if settings.most < 1:
        raise RulesError(f"--most takes a number from 1, not {settings.most}")
    if settings.seat is not None and not settings.record:
        raise RulesError("--seat says which player you were in a record: add --record FILE")
    records = [_of_file(name, settings.seat) for name in settings.record]
    with LessonHome(settings.home, today()) as learning:
        own, fits = [*records, *own_games(settings.home)], _filter(settings.game)
        remarks = [learning.remark] if learning.remark else []
        if not settings.boxes:
            remarks += _judge(learning, own, fits, settings.most)
        remarks += [damaged_text(number, str(learning.folder)) for number in learning.lost(own)]
        for remark in remarks:
            print(f"quadrille: {shown(remark)}", file=sys.stderr)
        there = learning.exercises(fits)
        if settings.boxes:
            print("\n".join(boxes_text([learning.repetition(one).box for one in there])))
            return 0
        due = learning.due(fits)[: settings.most]
        if not due:
            day = next_due(map(learning.repetition, there), learning.today)
            when = date.fromordinal(day).isoformat() if day is not None else ""
            print(nothing_text(len(there), when, wanted=settings.game, games=bool(learning.games)))
            return 0
        return _lesson(MistakeLesson.of(tuple(due)), learning, plain=settings.plain)


def _filter(wanted: str) -> Callable[[JudgedGame], bool]:
    """Whether a game is the one that is meant: by its key, or by the name of somebody who played."""
    plain = wanted.casefold()

    def fits(game: JudgedGame) -> bool:
        names = [name.casefold() for name in game.players.names]
        return not plain or plain in (game.match.game.key, *filter(None, names))

    return fits


def _of_file(name: str, person: int | None) -> OwnGame:
    """The game of a record or a log, and the seats of this person there."""
    if name == STANDARD_INPUT:
        raise RulesError("the keyboard is for your moves: name a file for --record")
    text = read_text(name)
    if text.startswith(FIRST_LINE):
        game = opened_record(text, own_name(None))
    else:
        one = told(name)
        players = Players.read({"names": list(one.names)}, one.match.state.seats)
        game = OpenedGame(one.match, players, own_seats(players, one.match.state.seats, own_name(None)))
    if person is None and isinstance(game.match.viewer, int):
        person = game.match.viewer + 1
    if person is not None:
        through(game.match, person)
        game = replace(game, seats=(person - 1,))
    if not game.seats:
        raise RulesError(f"{name} does not say which player you were: add --seat N")
    changed = path_of(name).stat().st_mtime
    return OwnGame(record_number(write(game.match)), changed, lambda: game, game.seats)


def _judge(learning: LessonHome, own: list[OwnGame], fits: Callable[[JudgedGame], bool], most: int) -> list[str]:
    """Judge one game after another until enough positions are due; Ctrl-C ends that, and what is judged stays.

    Returns sentences about the games that can't be judged.
    """
    left, remarks, unknown = learning.unjudged(own), list[str](), 0
    line = ProgressLine()
    try:
        for number, one in enumerate(left, 1):
            if len(learning.due(fits)) >= most:
                break
            try:
                game = learning.opened(one)
            except (RulesError, NetError, OSError) as error:
                remarks.append(str(error))
                continue
            unknown += not game.seats
            if fits(game) and game.seats:
                text = judging_text(heading(game.match), number, len(left))
                for now in learning.judge(game):
                    done = done_text(now.match.length - now.left, now.match.length)
                    line.tell(partial("{}: {}".format, text, done))
    except KeyboardInterrupt:
        remarks.append(stopped_text(len(learning.unjudged(own))))
    line.end()
    return [*remarks, *([unknown_text(unknown)] if unknown else [])]


def _lesson(lesson: MistakeLesson, learning: LessonHome, *, plain: bool) -> int:
    """Give the lesson, on the screen or in lines; say at the end if something could not be kept."""
    code = 0
    if has_screen(plain=plain):
        from quadrille.extras.study.screen.lesson_stage import give

        code, _ = give(lesson, MISTAKES, learning.answered)
    elif sys.stdout is not None:
        PlainLesson(lesson, MISTAKES, Console(sys.stdin, sys.stdout), learning.answered).run()
    if learning.trouble:
        print(f"quadrille: {shown(not_kept_text(learning.trouble))}", file=sys.stderr)
    return code
