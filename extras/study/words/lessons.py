"""Sentences of lessons: positions before own mistakes, the person's answers, and what comes when."""

from collections.abc import Callable, Sequence
from typing import Final

from quadrille.client.analysis.verdicts import Verdict
from quadrille.client.reports import heading, many, player
from quadrille.client.words.analysis import cost
from quadrille.client.words.story import by_name, few, sentence
from quadrille.extras.study.lessons.boxes import INTERVALS
from quadrille.extras.study.lessons.exercises import Exercise
from quadrille.extras.study.lessons.lesson import (
    BetterTold,
    JudgingMove,
    LessonNotice,
    LessonOver,
    LessonPhase,
    MistakeLesson,
    MoveRefused,
    MoveRefuted,
    MoveSolved,
    NotNow,
    PositionAsked,
    PositionSkipped,
)
from quadrille.extras.study.words.voice import LessonVoice, lines_of, phases_of, screen_of
from quadrille.rules.registry import keys
from quadrille.rules.squares import nearest, quoted

_NOT_NOW: Final = {
    LessonPhase.ASKED: "Make a move first, or skip the position.",
    LessonPhase.JUDGING: "Your move is being judged.",
    LessonPhase.REFUTED: "Press Enter first: it goes back to the position.",
    LessonPhase.SOLVED: "This position is solved: Enter continues.",
    LessonPhase.OVER: "The lesson is over.",
}
_ON: Final = {
    LessonPhase.REFUTED: "Enter: try again.",
    LessonPhase.SOLVED: "Enter continues.",
    LessonPhase.OVER: "Enter: leave.",
}
_OWN: Final = {
    "hint": "the better move; the position comes again tomorrow", "skip": "leave this position for another day",
}  # fmt: skip
#: A result for its seat, by the sign of its value.
_ENDS: Final = {1: "a win", 0: "a tie", -1: "a loss"}


def played_text(day: str, others: Sequence[str]) -> str:
    """`2026-11-20, with Ben and level 3`."""
    known = [*dict.fromkeys(filter(None, others))]
    return f"{day}, with {few(known)}" if known else day


def lesson_text(notice: LessonNotice, called: Callable[[int], str]) -> str:
    """The sentences of a notice, with the names of seats."""
    match notice:
        case PositionAsked(one, again):
            return "Try again, or type hint or skip." if again else known_text(one)
        case JudgingMove(move):
            return f"Judging {move} …"
        case MoveSolved(verdict):
            return solved_text(verdict)
        case MoveRefuted(verdict, answer, seat):
            replies = f" {sentence(f'{called(seat)} answers {answer}')}" if answer and seat is not None else ""
            return f"{refuted_text(verdict)}{replies}"
        case BetterTold(known):
            return f"Better is {known.better} ({'proved' if known.certain else 'by trial'})."
        case PositionSkipped():
            return "Left for another day."
        case LessonOver(right, total):
            return over_text(right, total)
        case NotNow(phase):
            return _NOT_NOW[phase]
        case MoveRefused(why):
            return sentence(by_name(str(why), called))


def about_text(lesson: MistakeLesson) -> tuple[str, ...]:
    """The game of the position, when and with whom it was played, the person's seat there, and what is left."""
    one = lesson.asked
    if one is None:
        return ()
    told = f"{heading(one.match)}; {one.where}" if one.where else heading(one.match)
    return f"{told}. You are {player(one.seat)}.", f"{count_text(len(lesson.exercises))}."


def known_text(one: Exercise) -> str:
    """The mistake that was made in a position."""
    what = "lost what was won" if one.known.decides else "gave something away"
    sure = "proved" if one.known.certain else "by trial"
    return f"You played {one.known.move} here, which {what} ({sure}). Your move?"


def solved_text(verdict: Verdict) -> str:
    """That a move is right, and how that is known."""
    if verdict.certain:
        end = _ENDS[(verdict.before > 0) - (verdict.before < 0)]
        return f"Right: {verdict.move} keeps {end} (proved)."
    if verdict.move == verdict.better:
        return f"Right: {verdict.move} is the best move found, by {verdict.tried} games."
    return f"Right: {verdict.move} is as good as {verdict.better}, as far as {verdict.tried} games can tell."


def refuted_text(verdict: Verdict) -> str:
    """That a move is wrong, and what it costs."""
    if verdict.certain and verdict.after is not None:
        ends = [_ENDS[(worth > 0) - (worth < 0)] for worth in (verdict.before, verdict.after)]
        return f"No: {verdict.move} turns {ends[0]} into {ends[1]} (proved)."
    return f"No: {verdict.move} gives something away ({cost(verdict)})."


def over_text(right: int, total: int) -> str:
    """The end of a lesson."""
    if total == 1:
        return f"The lesson is over: the position was {'' if right else 'not '}solved at the first try."
    return f"The lesson is over: {right} of {total} positions were solved at the first try."


def count_text(left: int) -> str:
    """`3 positions left`, with the one on the table."""
    return f"{many(left, 'position')} left"


def judging_text(title: str, number: int, most: int) -> str:
    """The game that is judged, and which one it is of those that are left."""
    return f"Judging your games, {number} of {most}: {title}"


def stopped_text(left: int) -> str:
    """That judging was stopped."""
    return f"stopped: what is judged is kept, and {many(left, 'game')} can be judged another time"


def unknown_text(count: int) -> str:
    """That a person's seat is unknown in some games."""
    return f"in {many(count, 'game')} of several people nobody is called as you are, so your moves there are unknown"


def nothing_text(waiting: int, due: str, *, wanted: str, games: bool) -> str:
    """Why there is no lesson before the day `due`; `wanted` names a game or a player, if only some were wanted."""
    if waiting:
        return f"Nothing is due today. Positions that wait: {waiting}. The next is due on {due}."
    here = " of this kind" if wanted else ""
    if wanted and wanted not in keys() and (near := nearest(wanted, keys(), "")):
        return f"No game of yours is {quoted(wanted)}, or was played with somebody of that name: {near}"
    if games:
        return f"No mistake of yours is known in your games{here}. Play another one, and come back."
    return f"There is no finished game of yours{here} to learn from. Play one, and come back."


def boxes_text(boxes: Sequence[int]) -> list[str]:
    """The number of positions in each box, with the days that they wait there; `boxes` has the box of each."""
    days = [many(count, "day") for count in INTERVALS]
    rows = [f"  box {box}, {wait}: {boxes.count(box)}" for box, wait in enumerate(days, 1)]
    return [f"Positions before your mistakes: {len(boxes)}", *rows]


def damaged_text(number: str, folder: str) -> str:
    """That verdicts can't be read, and that their game is gone."""
    return f"{folder}/{number}.json is damaged or of another version, and its game is gone: delete it"


def not_kept_text(why: str) -> str:
    """That answers can't be written down."""
    return f"Your answers can't be kept: {why}."


MISTAKES: Final = LessonVoice(
    screen=screen_of(
        "learn", _OWN, "go on, or try the position again; Enter does the same", ("end the lesson", "End"),
        "This is a lesson: make a move, or type hint, skip or quit",
    ),
    lines=lines_of("learn", _OWN, "end the lesson"), phases=phases_of("JUDGING"), on=_ON, lines_on="",
    asking=lambda lesson: known_text(lesson.exercises[0]), above=about_text,
    counted=lambda lesson: count_text(len(lesson.exercises)), said=lesson_text,
    offered=lambda notice: notice.known.better if isinstance(notice, BetterTold) else "", result=lambda _: "",
)  # fmt: skip
