"""`quadrille learn`: the positions before a person's mistakes, to be played again, spaced out over days."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from quadrille.client.commands.shared import add_home, add_plain
from quadrille.client.files import STANDARD_INPUT, path_of
from quadrille.client.kept.own_games import OwnGame, own_games, record_number
from quadrille.client.picture.film import through
from quadrille.client.picture.records import opened
from quadrille.client.progress_line import PICTURE, ProgressLine
from quadrille.client.reports import many
from quadrille.client.table_setup import whole, within
from quadrille.extras.study.kept.judging import Judging
from quadrille.extras.study.kept.lesson_home import INTERVALS, JudgedGame, LessonHome, next_due
from quadrille.extras.study.lessons.mistakes import MistakeLesson, MoreExercises
from quadrille.extras.study.plain_lesson import given, remark
from quadrille.rules.errors import RulesError
from quadrille.rules.record import write
from quadrille.rules.registry import keys
from quadrille.rules.squares import nearest, quoted

DESCRIPTION: Final = """Play the positions before your own mistakes again.

One position after another is on the board. A move as good as the best one is right; any other is answered by the move
that refutes it. A position that you solve at the first try comes back after 3, 7, 14, 30 and 90 days, any other one
tomorrow (Leitner's boxes). Meanwhile your finished games are judged, the last ones first, as quadrille analyse does;
that takes a while, once for each game, and leaving keeps what is done. Games with hidden cards give no lessons.

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
        "--most", type=within(1), default=USUAL, metavar="N", help=f"maximum positions of the lesson (default {USUAL})"
    )
    parser.add_argument("--boxes", action="store_true", help="only say how many positions wait, and for how long")
    add_home(parser)
    add_plain(parser)


def today() -> int:
    return date.today().toordinal()


def run(settings: argparse.Namespace) -> int:
    """Give a lesson at once with the positions that are due, and judge other games behind it until it is full."""
    if settings.seat is not None and not settings.record:
        raise RulesError("--seat says which player you were in a record: add --record FILE")
    records = [_of_file(name, settings.seat) for name in settings.record]
    with LessonHome(settings.home, today()) as learning:
        own, fits = [*records, *own_games(settings.home)], _filter(settings.game)
        remark(learning.remark)
        if settings.boxes:
            print("\n".join(boxes_text([learning.repetition(exercise).box for exercise in learning.exercises(fits)])))
            return 0
        with Judging(learning, own, fits, settings.most) as judging:
            first = _first(judging)
            if first.exercises:
                lesson = MistakeLesson.of(first.exercises, judging.more if first.looking else None)
                code, _ = given(lesson, learning.noted, plain=settings.plain)
        remark(*judging.remarks)
        for number in learning.lost(own):
            remark(f"{learning.folder}/{number}.json is damaged or of another version, and its game is gone: delete it")
        if first.exercises:
            remark(learning.not_kept)
            return code
        exercises = learning.exercises(fits)
        day = next_due(map(learning.repetition, exercises), learning.today)
        when = date.fromordinal(day).isoformat() if day is not None else ""
        cards = any(exercise.match.game.hidden for exercise in learning.games.values())
        print(nothing_text(len(exercises), when, wanted=settings.game, games=bool(learning.games), cards=cards))
        return 0


def _first(judging: Judging) -> MoreExercises:
    """Wait for the first position, and show how far the search for it is; Ctrl-C ends that."""
    line = ProgressLine()
    try:
        while not (batch := judging.more(PICTURE)).exercises and batch.looking:
            line.tell(lambda: batch.looking)
    except KeyboardInterrupt:
        judging.remarks.append("stopped: what is judged is kept, and the rest can be judged another time")
        return MoreExercises((), "")
    finally:
        line.end()
    return batch


def _filter(wanted: str) -> Callable[[JudgedGame], bool]:
    """Return a test whether a game is meant: by its key, or by the name of somebody who played."""
    plain = wanted.casefold()
    return lambda game: not plain or plain in (game.match.game.key, *map(str.casefold, game.players.names))


def _of_file(name: str, person: int | None) -> OwnGame:
    """Read the game of a record or a log, and the seats of this person there."""
    if name == STANDARD_INPUT:
        raise RulesError("the keyboard is for your moves: name a file for --record")
    game = opened(name)
    if person is None and isinstance(game.match.viewer, int):
        person = game.match.viewer + 1
    if person is not None:
        through(game.match, person)
        game = replace(game, seats=(person - 1,))
    if not game.seats:
        raise RulesError(f"{name} does not say which player you were: add --seat N")
    changed = path_of(name).stat().st_mtime
    return OwnGame(record_number(write(game.match)), changed, lambda: game, game.seats)


def nothing_text(waiting: int, due: str, *, wanted: str, games: bool, cards: bool) -> str:
    """Say why there is no lesson before the day `due`; `wanted` names a game or a player, if only some were wanted."""
    if waiting:
        return f"Nothing is due today. Positions that wait: {waiting}. The next is due on {due}."
    here = " of this kind" if wanted else ""
    if wanted and wanted not in keys() and (near := nearest(wanted, keys(), "")):
        return f"No game of yours is {quoted(wanted)}, or was played with somebody of that name: {near}"
    if games:
        hidden = " Games with hidden cards give no lessons: chance decides too much." if cards else ""
        return f"No mistake of yours is known in your games{here}. Play another one, and come back.{hidden}"
    return f"There is no finished game of yours{here} to learn from. Play one, and come back."


def boxes_text(boxes: Sequence[int]) -> list[str]:
    """Count the positions in each box, with the days that they wait there; `boxes` has the box of each."""
    days = [many(count, "day") for count in INTERVALS]
    rows = [f"  box {box}, {wait}: {boxes.count(box)}" for box, wait in enumerate(days, 1)]
    return [f"Positions before your mistakes: {len(boxes)}", *rows]
