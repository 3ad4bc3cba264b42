"""`quadrille learn`: the positions before a person's mistakes, to be played again, spaced out over days."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final

from quadrille.client.commands.shared import add_home, add_plain
from quadrille.client.files import STANDARD_INPUT, path_of, read_text
from quadrille.client.foreign import shown
from quadrille.client.kept.own_games import OpenedGame, OwnGame, opened_record, own_games, own_seats, record_number
from quadrille.client.network.own_name import own_name
from quadrille.client.picture.film import through
from quadrille.client.picture.records import told
from quadrille.client.progress_line import ProgressLine
from quadrille.client.reports import heading, many
from quadrille.client.table.players import Players
from quadrille.client.table_setup import whole
from quadrille.client.words.analysis import done_text
from quadrille.extras.study.kept.judged_games import JudgedGame
from quadrille.extras.study.kept.lesson_home import INTERVALS, LessonHome, next_due
from quadrille.extras.study.lessons.mistakes import MistakeLesson
from quadrille.extras.study.plain_lesson import given
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError
from quadrille.rules.record import FIRST_LINE, write
from quadrille.rules.registry import keys
from quadrille.rules.squares import nearest, quoted

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
    add_home(parser)
    add_plain(parser)


def today() -> int:
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
        remarks += [
            f"{learning.folder}/{number}.json is damaged or of another version, and its game is gone: delete it"
            for number in learning.lost(own)
        ]
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
        code, _ = given(MistakeLesson.of(tuple(due)), learning.noted, plain=settings.plain)
        if learning.trouble:
            print(f"quadrille: Your answers can't be kept: {shown(learning.trouble)}.", file=sys.stderr)
        return code


def _filter(wanted: str) -> Callable[[JudgedGame], bool]:
    """Return a test whether a game is meant: by its key, or by the name of somebody who played."""
    plain = wanted.casefold()

    def fits(game: JudgedGame) -> bool:
        names = [name.casefold() for name in game.players.names]
        return not plain or plain in (game.match.game.key, *filter(None, names))

    return fits


def _of_file(name: str, person: int | None) -> OwnGame:
    """Read the game of a record or a log, and the seats of this person there."""
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

    Return sentences about the games that can't be judged.
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
                text = f"Judging your games, {number} of {len(left)}: {heading(game.match)}"
                for now in learning.judge(game):
                    done = done_text(now.match.length - now.left, now.match.length)
                    line.tell(partial("{}: {}".format, text, done))
    except KeyboardInterrupt:
        remaining = many(len(learning.unjudged(own)), "game")
        remarks.append(f"stopped: what is judged is kept, and {remaining} can be judged another time")
    line.end()
    if unknown:
        games = many(unknown, "game")
        remarks.append(f"in {games} of several people nobody is called as you are, so your moves there are unknown")
    return remarks


def nothing_text(waiting: int, due: str, *, wanted: str, games: bool) -> str:
    """Say why there is no lesson before the day `due`; `wanted` names a game or a player, if only some were wanted."""
    if waiting:
        return f"Nothing is due today. Positions that wait: {waiting}. The next is due on {due}."
    here = " of this kind" if wanted else ""
    if wanted and wanted not in keys() and (near := nearest(wanted, keys(), "")):
        return f"No game of yours is {quoted(wanted)}, or was played with somebody of that name: {near}"
    if games:
        return f"No mistake of yours is known in your games{here}. Play another one, and come back."
    return f"There is no finished game of yours{here} to learn from. Play one, and come back."


def boxes_text(boxes: Sequence[int]) -> list[str]:
    """Count the positions in each box, with the days that they wait there; `boxes` has the box of each."""
    days = [many(count, "day") for count in INTERVALS]
    rows = [f"  box {box}, {wait}: {boxes.count(box)}" for box, wait in enumerate(days, 1)]
    return [f"Positions before your mistakes: {len(boxes)}", *rows]
