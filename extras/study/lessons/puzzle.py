"""A lesson with a puzzle: one position, in which one move wins and all others lose; its results, and its sentences.

A wrong move is refuted on the board, and the position can be tried again. A hint leaves a few moves to choose from, the
next one tells the move. The line of the last move, up to the end of the game, is shown to whoever asks for it.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any, Final, TypeAlias

from quadrille.client.reports import heading, player
from quadrille.client.screen.table.terminal import Quit
from quadrille.client.words.story import few, sentence
from quadrille.extras.study.lessons.lesson import (
    AnyLesson,
    AskedPosition,
    LessonOutcome,
    LessonPhase,
    LessonWork,
    NextPosition,
    Note,
    ShowLine,
    lines_of,
    screen_of,
    states_of,
)
from quadrille.extras.study.puzzles import Puzzle, refutation
from quadrille.rules.core import Move
from quadrille.rules.match import Match
from quadrille.value import value

#: Maximum moves that the first hint leaves to choose from.
LEFT: Final = 3
#: The highest number of a hint: it tells the move.
TOLD: Final = 2
#: The names of the numbers of a move tried.
_TRIES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@value
class PuzzleResult:
    """A person's result at a puzzle: moves tried, up to the right one, and the highest number of a hint that was told.

    `in_time`: it was begun on its own day when it was solved.
    """

    tries: int = 0
    hint: int = 0
    solved: bool = False
    in_time: bool = False

    def plus(self, more: "PuzzleResult") -> "PuzzleResult":
        """Add a move or a hint; nothing changes once the puzzle is solved."""
        if self.solved:
            return self
        return PuzzleResult(self.tries + more.tries, max(self.hint, more.hint), more.solved, more.in_time)

    def __str__(self) -> str:
        """Write the result as in `first try with a hint`."""
        tries = self.tries
        done = f"{_TRIES[tries - 1]} try" if 0 < tries <= len(_TRIES) else f"{tries} tries"
        return done + {0: "", TOLD: ", after the move was told"}.get(self.hint, " with a hint")


#: The results by day and game.
PuzzleResults: TypeAlias = Mapping[tuple[date, str], PuzzleResult]


def with_note(results: PuzzleResults, note: Note) -> dict[tuple[date, str], PuzzleResult]:
    return {**results, note.about: results.get(note.about, PuzzleResult()).plus(note.result)}


def solved_days(results: PuzzleResults) -> frozenset[date]:
    """Return the days whose puzzle was solved in time, of any game."""
    return frozenset(day for (day, _), result in results.items() if result.solved and result.in_time)


def in_a_row(days: Collection[date], today: date) -> int:
    """Count the solved days in a row up to today; a day that is not over yet ends no row."""
    day = today if today in days else today - timedelta(1)
    count = 0
    while day in days:
        count, day = count + 1, day - timedelta(1)
    return count


_OWN: Final = {
    "hint": "a few moves to choose from; once more: the move", "line": "the moves from your last one to the end",
}  # fmt: skip
_ON: Final = {
    LessonPhase.REFUTED: "Enter: try again. F3: the line.",
    LessonPhase.SOLVED: "F3: the line. Enter: leave.",
}
_NOT_NOW: Final = {
    LessonPhase.ASKED: "Make a move first, or type hint.",
    LessonPhase.JUDGING: "The line is being proved.",
    LessonPhase.REFUTED: "Press Enter first: it goes back to the position.",
    LessonPhase.SOLVED: "The puzzle is solved: line shows how the game ends, Enter leaves.",
    LessonPhase.OVER: "The puzzle is over.",
}


@value
class PuzzleLesson(AnyLesson):
    """The puzzle of a `day`, begun on the day `today`, with the results so far.

    `hint` is the number of hints told in this lesson, `wrong` the last wrong move, `shown` the match on the board.
    """

    puzzle: Puzzle
    day: date
    today: date
    results: PuzzleResults
    shown: Match | None
    phase: LessonPhase = LessonPhase.ASKED
    hint: int = 0
    wrong: str = ""
    ticket: int = 0

    screen = screen_of(
        "puzzle", _OWN, "try again, or leave after the solution; Enter does the same", "leave the puzzle",
        "This is a puzzle: make a move, or type hint, line or quit",
    )  # fmt: skip
    lines = lines_of("puzzle", _OWN, "leave the puzzle")
    states = states_of("PROVING")
    on, not_now = _ON, _NOT_NOW
    lines_on = "Type line for the moves up to the end of the game. Enter leaves."

    @classmethod
    def of(cls, puzzle: Puzzle, day: date, today: date, results: PuzzleResults) -> "PuzzleLesson":
        return cls(puzzle, day, today, results, puzzle.match)

    @property
    def seat(self) -> int:
        return int(self.puzzle.state.board.turn)

    @property
    def asked(self) -> AskedPosition | None:
        return None if self.phase == LessonPhase.OVER else AskedPosition(self.puzzle.match, self.seat)

    @property
    def key(self) -> tuple[date, str]:
        """The day and the game, under which its result is kept."""
        return self.day, self.puzzle.match.game.key

    @property
    def own(self) -> PuzzleResult:
        """The person's result at this puzzle so far."""
        return self.results.get(self.key, PuzzleResult())

    @property
    def is_todays(self) -> bool:
        """Return whether it counts for the days in a row."""
        return self.day == self.today

    @property
    def row(self) -> int:
        """Number of days in a row on which a puzzle was solved."""
        return in_a_row(solved_days(self.results), self.today)

    @property
    def question(self) -> str:
        done = f" You have solved it before: {self.own}." if self.own.solved else ""
        return f"One move wins, and every other one loses. Which one is it?{done}"

    @property
    def above(self) -> tuple[str, ...]:
        return (f"The puzzle of {self.day}: {heading(self.puzzle.match)}. You are {player(self.seat)}.",)

    @property
    def corner(self) -> str:
        """`puzzle of 2026-11-25, 5 in a row`."""
        return f"puzzle of {self.day}{self._in_a_row}"

    @property
    def result(self) -> str:
        """The result without the solution; "" before there is one."""
        if not self.own.solved:
            return ""
        row = self._in_a_row if self.own.in_time and self.is_todays else ""
        return f"Quadrille puzzle {self.day} {self.puzzle.match.game.title}: {self.own}{row}"

    @property
    def _in_a_row(self) -> str:
        return f", {self.row} in a row" if self.row > 1 else ""

    def moved(self, wish: Any) -> LessonOutcome | None:
        match wish, self.phase:
            case ShowLine(), LessonPhase.ASKED if not self.wrong:
                return LessonOutcome(self, told=("Make a move first: then its line can be shown.",))
            case ShowLine(), LessonPhase.ASKED | LessonPhase.REFUTED:
                after = replace(self, phase=LessonPhase.JUDGING, ticket=self.ticket + 1)
                work = LessonWork(after.ticket, partial(refutation, self.puzzle, self.wrong))
                return LessonOutcome(after, (work,), ("Proving the line …",))
            case ShowLine(), LessonPhase.SOLVED:
                return self._line_shown(self.puzzle.line, LessonPhase.SOLVED)
            case NextPosition(), LessonPhase.REFUTED:
                after = replace(self, phase=LessonPhase.ASKED, shown=self.puzzle.match, ticket=self.ticket + 1)
                return LessonOutcome(after, told=("Try again, or type hint.",), asks=True)
            case NextPosition(), LessonPhase.SOLVED:
                return LessonOutcome(replace(self, phase=LessonPhase.OVER), (Quit(),))
        return None

    def worked(self, answer: tuple[str, ...]) -> LessonOutcome:
        return self._line_shown((self.wrong, *answer), LessonPhase.REFUTED)

    def answered(self, played: Match, made: Move) -> LessonOutcome:
        """Answer a move at once: the answers to all moves are known."""
        move = str(made)
        right = move == self.puzzle.solution
        after, note = self._noted(PuzzleResult(1, 0, right, right and self.is_todays))
        if right:
            after = replace(after, phase=LessonPhase.SOLVED, shown=played)
            sentence = f"Right: {move} wins, and nothing else does. {after._solved_text(before=self.own.solved)}"
            return LessonOutcome(after, (note,), (sentence,))
        answer = self.puzzle.refuted[move]
        if answer:
            played.play(answer)
        after = replace(after, phase=LessonPhase.REFUTED, shown=played, wrong=move)
        if not answer:
            return LessonOutcome(after, (note,), (f"No: {move} ends the game, and loses it.",))
        return LessonOutcome(after, (note,), (f"No: {move} loses (proved).",), (1 - self.seat, answer))

    def _solved_text(self, *, before: bool) -> str:
        """Tell the result, and the days in a row if it counts for them."""
        if before:
            return f"You had solved it before: {self.own}."
        told = f" Solved {self.row} days in a row." if self.row > 1 else ""
        other = " Puzzles of other days do not count for days in a row."
        return sentence(str(self.own)) + (told if self.is_todays else other)

    def hinted(self) -> LessonOutcome:
        solution, hint = self.puzzle.solution, min(self.hint + 1, TOLD)
        after, note = replace(self, hint=hint)._noted(PuzzleResult(hint=hint))
        if hint == TOLD:
            return LessonOutcome(after, (note,), (f"It is {solution}.",), offered=solution)
        left = left_moves([str(move) for move in self.puzzle.state.moves], solution, self.day)
        return LessonOutcome(after, (note,), (f"It is one of these: {few(left)}. The next hint tells it.",))

    def _noted(self, result: PuzzleResult) -> "tuple[PuzzleLesson, Note]":
        note = Note(self.key, result)
        return replace(self, results=with_note(self.results, note), ticket=self.ticket + 1), note

    def _line_shown(self, moves: Sequence[str], phase: LessonPhase) -> LessonOutcome:
        """Put the whole line on the board, for looking back over it."""
        after = replace(self, phase=phase, shown=self.puzzle.after(moves), ticket=self.ticket + 1)
        return LessonOutcome(after, told=(f"The line: {' '.join(moves)}.",), line=True)


def left_moves(moves: Sequence[str], solution: str, day: date) -> tuple[str, ...]:
    """Return the moves that a hint leaves, in their order. The day decides the others, so that none stands out."""
    wrong = [move for move in moves if move != solution]
    drawn = sorted(wrong, key=lambda move: hashlib.sha256(f"{day} {move}".encode()).digest())
    return tuple(move for move in moves if move in (solution, *drawn[: min(LEFT, len(moves) - 1) - 1]))
