"""Sentences of puzzles: what is asked, the answers to moves, the line, the result, and the days in a row."""

from collections.abc import Callable
from typing import Final

from quadrille.client.reports import heading, many, player
from quadrille.client.words.story import by_name, few, sentence
from quadrille.extras.study.lessons.lesson import LessonPhase, MoveRefused, NotNow
from quadrille.extras.study.lessons.puzzle import (
    TOLD,
    LineAwaited,
    LineShown,
    MovesLeft,
    NoLineYet,
    PuzzleAsked,
    PuzzleLesson,
    PuzzleNotice,
    PuzzleRefuted,
    PuzzleResult,
    PuzzleSolved,
    SolutionTold,
)
from quadrille.extras.study.words.voice import LessonVoice, lines_of, phases_of, screen_of

_NOT_NOW: Final = {
    LessonPhase.ASKED: "Make a move first, or type hint.",
    LessonPhase.JUDGING: "The line is being proved.",
    LessonPhase.REFUTED: "Press Enter first: it goes back to the position.",
    LessonPhase.SOLVED: "The puzzle is solved: line shows how the game ends, Enter leaves.",
    LessonPhase.OVER: "The puzzle is over.",
}
_ON: Final = {
    LessonPhase.REFUTED: "Enter: try again. F3: the line.",
    LessonPhase.SOLVED: "F3: the line. Enter: leave.",
}
_OWN: Final = {
    "hint": "a few moves to choose from; once more: the move", "line": "the moves from your last one to the end",
}  # fmt: skip
#: The names of the numbers of a move tried.
_TRIES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def puzzle_text(notice: PuzzleNotice, called: Callable[[int], str]) -> str:
    """The sentences of a notice, with the names of seats."""
    match notice:
        case PuzzleAsked():
            return "Try again, or type hint."
        case PuzzleSolved(move, lesson, before):
            return f"Right: {move} wins, and nothing else does. {solved_text(lesson, before=before)}"
        case PuzzleRefuted(move, "", _):
            return f"No: {move} ends the game, and loses it."
        case PuzzleRefuted(move, answer, seat):
            return f"No: {move} loses (proved). {sentence(f'{called(seat)} answers {answer}')}"
        case MovesLeft(moves):
            return f"It is one of these: {few(moves)}. The next hint tells it."
        case SolutionTold(move):
            return f"It is {move}."
        case LineAwaited():
            return "Proving the line …"
        case LineShown(moves):
            return f"The line: {' '.join(moves)}."
        case NoLineYet():
            return "Make a move first: then its line can be shown."
        case NotNow(phase):
            return _NOT_NOW[phase]
        case MoveRefused(why):
            return sentence(by_name(str(why), called))


def asking_text(lesson: PuzzleLesson) -> str:
    """The question of a puzzle."""
    done = f" You have solved it before: {result_text(lesson.result)}." if lesson.result.solved else ""
    return f"One move wins, and every other one loses. Which one is it?{done}"


def about_text(lesson: PuzzleLesson) -> tuple[str, ...]:
    """The day, the game, and the person's seat."""
    seat = lesson.puzzle.match.state.board.turn
    return (f"The puzzle of {lesson.day}: {heading(lesson.puzzle.match)}. You are {player(seat)}.",)


def result_text(result: PuzzleResult) -> str:
    """`first try with a hint`."""
    tries = result.tries
    done = f"{_TRIES[tries - 1]} try" if 0 < tries <= len(_TRIES) else f"{tries} tries"
    return done + {0: "", TOLD: ", after the move was told"}.get(result.hint, " with a hint")


def solved_text(lesson: PuzzleLesson, *, before: bool) -> str:
    """The result, and the days in a row if it counts for them."""
    if before:
        return f"You had solved it before: {result_text(lesson.result)}."
    if not lesson.is_todays:
        return f"{sentence(result_text(lesson.result))} Puzzles of other days do not count for days in a row."
    return f"{sentence(result_text(lesson.result))} {streak_text(lesson)}"


def streak_text(lesson: PuzzleLesson) -> str:
    """`Solved 5 days in a row, and on 12 of 14 days of this month.`"""
    row, days = lesson.row, lesson.today.day
    month = f"on {lesson.month} of {many(days, 'day')} of this month"
    return f"Solved {row} days in a row, and {month}." if row > 1 else f"Solved {month}."


def share_text(lesson: PuzzleLesson) -> str:
    """The result in a line for others, without the solution; "" before there is one."""
    result = lesson.result
    if not result.solved:
        return ""
    row = f", {lesson.row} in a row" if result.in_time and lesson.is_todays and lesson.row > 1 else ""
    return f"Quadrille puzzle {lesson.day} {lesson.puzzle.match.game.title}: {result_text(result)}{row}"


def counted_text(lesson: PuzzleLesson) -> str:
    """`puzzle of 2026-11-25, 5 in a row`."""
    row = f", {lesson.row} in a row" if lesson.row > 1 else ""
    return f"puzzle of {lesson.day}{row}"


def looking_text(title: str, day: str, games: int) -> str:
    """The progress of the search for a puzzle."""
    return f"Looking for the puzzle of {day} in games of {title}: {games}"


def not_kept_text(why: str) -> str:
    """That results can't be written down."""
    return f"Your result can't be kept: {why}"


PUZZLES: Final = LessonVoice(
    screen=screen_of(
        "puzzle", _OWN, "try again, or leave after the solution; Enter does the same", ("leave the puzzle", "Leave"),
        "This is a puzzle: make a move, or type hint, line or quit",
    ),
    lines=lines_of("puzzle", _OWN, "leave the puzzle"), phases=phases_of("PROVING"), on=_ON,
    lines_on="Type line for the moves up to the end of the game. Enter leaves.",
    asking=asking_text, above=about_text, counted=counted_text, said=puzzle_text,
    offered=lambda notice: notice.move if isinstance(notice, SolutionTold) else "", result=share_text,
)  # fmt: skip
