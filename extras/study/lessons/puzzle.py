"""A lesson with a puzzle: one position, in which one move wins and all others lose.

A wrong move is refuted on the board, and the position can be tried again. A hint leaves a few moves to choose from, the
next one tells the move. The line of the last move, up to the end of the game, is shown to whoever asks for it.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from quadrille.client.table.effects import Quit
from quadrille.client.table.wishes import Hint, PlayMove
from quadrille.client.value import value
from quadrille.extras.study.lessons.lesson import (
    LessonOutcome,
    LessonPhase,
    MoveRefused,
    NextPosition,
    NotNow,
    ShowLine,
)
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match

if TYPE_CHECKING:  # a screen starts before any puzzle is found
    from quadrille.extras.study.puzzles import Puzzle

#: Maximum moves that the first hint leaves to choose from.
LEFT: Final = 3
#: The highest number of a hint: it tells the move.
TOLD: Final = 2


@value
class PuzzleResult:
    """A person's result at a puzzle: moves tried, up to the right one, and the highest number of a hint that was told.

    `in_time`: it was begun on its own day when it was solved.
    """

    tries: int = 0
    hint: int = 0
    solved: bool = False
    in_time: bool = False

    def tried(self, *, right: bool, in_time: bool) -> "PuzzleResult":
        """The result after a move; nothing changes once it is solved."""
        if self.solved:
            return self
        return replace(self, tries=self.tries + 1, solved=right, in_time=right and in_time)

    def hinted(self, hint: int) -> "PuzzleResult":
        return self if self.solved else replace(self, hint=max(self.hint, hint))


#: The results by day and game.
PuzzleResults: TypeAlias = Mapping[tuple[date, str], PuzzleResult]


def solved_days(results: PuzzleResults) -> frozenset[date]:
    """The days whose puzzle was solved in time, of whichever game."""
    return frozenset(day for (day, _), result in results.items() if result.solved and result.in_time)


def in_a_row(days: Collection[date], today: date) -> int:
    """The number of solved days in a row up to today; a day that is not over yet ends no row."""
    day = today if today in days else today - timedelta(1)
    count = 0
    while day in days:
        count, day = count + 1, day - timedelta(1)
    return count


def in_month(days: Collection[date], today: date) -> int:
    """The number of solved days of this month, up to today."""
    return sum((day.year, day.month) == (today.year, today.month) and day <= today for day in days)


class AskedPuzzle(NamedTuple):
    """The position of a puzzle."""

    match: Match
    seat: int
    names: tuple[str, ...] = ()


@value
class PuzzleLesson:
    """The puzzle of a `day`, begun on the day `today`, with the results so far.

    `hint` is the number of hints told in this lesson, `wrong` the last wrong move, `shown` the match on the board.
    """

    puzzle: "Puzzle"
    day: date
    today: date
    results: PuzzleResults
    shown: Match | None
    phase: LessonPhase = LessonPhase.ASKED
    hint: int = 0
    wrong: str = ""
    ticket: int = 0

    @classmethod
    def of(cls, puzzle: "Puzzle", day: date, today: date, results: PuzzleResults) -> "PuzzleLesson":
        return cls(puzzle, day, today, results, puzzle.match)

    @property
    def asked(self) -> AskedPuzzle | None:
        """The position; None once the lesson is over."""
        match = self.puzzle.match
        return None if self.phase == LessonPhase.OVER else AskedPuzzle(match, match.state.board.turn)

    @property
    def game(self) -> str:
        """The key of the game."""
        return self.puzzle.match.game.key

    @property
    def result(self) -> PuzzleResult:
        """The person's result at this puzzle so far."""
        return self.results.get((self.day, self.game), PuzzleResult())

    @property
    def is_todays(self) -> bool:
        """Whether it counts for the days in a row."""
        return self.day == self.today

    @property
    def row(self) -> int:
        """Number of days in a row on which a puzzle was solved."""
        return in_a_row(solved_days(self.results), self.today)

    @property
    def month(self) -> int:
        """Number of days of this month on which a puzzle was solved."""
        return in_month(solved_days(self.results), self.today)

    def granted(self, wish: "PuzzleWish") -> LessonOutcome:
        return granted(self, wish)


# Wishes, beside those of tables


@value
class LineProved:
    """The line of a wrong move was proved: `moves` after it."""

    ticket: int
    moves: tuple[str, ...]


PuzzleWish: TypeAlias = PlayMove | Hint | ShowLine | NextPosition | LineProved


# Effects


@value
class ProveLine:
    """Prove the line of a wrong move: answered by `LineProved`."""

    ticket: int
    puzzle: "Puzzle"
    move: str


@value
class KeepTry:
    """Note that a move was tried at a puzzle, before the answer is seen."""

    day: date
    game: str
    right: bool
    in_time: bool


@value
class KeepHint:
    """Note that a hint was told at a puzzle."""

    day: date
    game: str
    hint: int


# Notices


@value
class PuzzleAsked:
    """The position is on the table again."""


@value
class PuzzleSolved:
    """The move is the right one; `lesson` has the results, and it was solved `before` if they were counted then."""

    move: str
    lesson: PuzzleLesson
    before: bool


@value
class PuzzleRefuted:
    """The move loses, as the `answer` of a seat shows; without one the game ends with the move."""

    move: str
    answer: str
    seat: int


@value
class MovesLeft:
    """A hint: one of these moves wins."""

    moves: tuple[str, ...]


@value
class SolutionTold:
    """A hint: this move wins."""

    move: str


@value
class LineAwaited:
    """The line is being proved."""


@value
class LineShown:
    """A line, from the move of the person on, as far as it could be proved."""

    moves: tuple[str, ...]


@value
class NoLineYet:
    """No move was made whose line could be shown."""


PuzzleNotice: TypeAlias = (
    PuzzleAsked | PuzzleSolved | PuzzleRefuted | MovesLeft | SolutionTold | LineAwaited | LineShown | NoLineYet | NotNow
    | MoveRefused
)  # fmt: skip


def after_try(results: PuzzleResults, kept: KeepTry | KeepHint) -> dict[tuple[date, str], PuzzleResult]:
    """The results after a move or a hint."""
    key = kept.day, kept.game
    before = results.get(key, PuzzleResult())
    match kept:
        case KeepTry(_, _, right, in_time):
            after = before.tried(right=right, in_time=in_time)
        case KeepHint(_, _, hint):
            after = before.hinted(hint)
    return {**results, key: after}


def granted(lesson: PuzzleLesson, wish: PuzzleWish) -> LessonOutcome:
    """Grant a wish; a refusal is a notice."""
    match wish, lesson.phase:
        case LineProved(ticket, moves), LessonPhase.JUDGING if ticket == lesson.ticket:
            return _line_shown(lesson, lesson.wrong, moves, LessonPhase.REFUTED)
        case LineProved(), _:
            return LessonOutcome(lesson)
        case PlayMove(text), LessonPhase.ASKED:
            return _answered(lesson, text)
        case Hint(), LessonPhase.ASKED:
            return _hinted(lesson)
        case ShowLine(), LessonPhase.ASKED if not lesson.wrong:
            return LessonOutcome(lesson, (), (NoLineYet(),))
        case ShowLine(), LessonPhase.ASKED | LessonPhase.REFUTED:
            ticket = lesson.ticket + 1
            after = replace(lesson, phase=LessonPhase.JUDGING, ticket=ticket)
            return LessonOutcome(after, (ProveLine(ticket, lesson.puzzle, lesson.wrong),), (LineAwaited(),))
        case ShowLine(), LessonPhase.SOLVED:
            first, *others = lesson.puzzle.line
            return _line_shown(lesson, first, tuple(others), LessonPhase.SOLVED)
        case NextPosition(), LessonPhase.REFUTED:
            after = replace(lesson, phase=LessonPhase.ASKED, shown=lesson.puzzle.match, ticket=lesson.ticket + 1)
            return LessonOutcome(after, (), (PuzzleAsked(),))
        case NextPosition(), LessonPhase.SOLVED:
            return LessonOutcome(replace(lesson, phase=LessonPhase.OVER), (Quit(),))
    return LessonOutcome(lesson, (), (NotNow(lesson.phase),))


def _answered(lesson: PuzzleLesson, text: str) -> LessonOutcome:
    """Answer a move at once: the answers to all moves are known."""
    match, puzzle = lesson.puzzle.match.copy(), lesson.puzzle
    try:
        move = str(match.play(text))
    except RulesError as error:
        return LessonOutcome(lesson, (), (MoveRefused(error),))
    before, right = lesson.result.solved, move == puzzle.solution
    kept = KeepTry(lesson.day, lesson.game, right, lesson.is_todays)
    lesson = replace(lesson, results=after_try(lesson.results, kept), ticket=lesson.ticket + 1)
    if right:
        after = replace(lesson, phase=LessonPhase.SOLVED, shown=match)
        return LessonOutcome(after, (kept,), (PuzzleSolved(move, after, before),))
    answer = puzzle.refuted[move]
    if answer:
        match.play(answer)
    after = replace(lesson, phase=LessonPhase.REFUTED, shown=match, wrong=move)
    seat = 1 - puzzle.match.state.board.turn
    return LessonOutcome(after, (kept,), (PuzzleRefuted(move, answer, seat),))


def _hinted(lesson: PuzzleLesson) -> LessonOutcome:
    moves = [str(move) for move in lesson.puzzle.match.state.moves]
    hint = min(lesson.hint + 1, TOLD)
    kept = KeepHint(lesson.day, lesson.game, hint)
    after = replace(lesson, hint=hint, results=after_try(lesson.results, kept))
    if hint == TOLD:
        return LessonOutcome(after, (kept,), (SolutionTold(lesson.puzzle.solution),))
    return LessonOutcome(after, (kept,), (MovesLeft(left_moves(moves, lesson.puzzle.solution, lesson.day)),))


def left_moves(moves: Sequence[str], solution: str, day: date) -> tuple[str, ...]:
    """The moves that a hint leaves, in their order: the others are drawn by the day, so that none stands out."""
    wrong = [move for move in moves if move != solution]
    drawn = sorted(wrong, key=lambda move: hashlib.sha256(f"{day} {move}".encode()).digest())[
        : min(LEFT, len(moves) - 1) - 1
    ]
    return tuple(move for move in moves if move in (solution, *drawn))


def _line_shown(lesson: PuzzleLesson, first: str, moves: tuple[str, ...], phase: LessonPhase) -> LessonOutcome:
    """Put the whole line on the board, for looking back over it."""
    match = lesson.puzzle.match.copy()
    for move in (first, *moves):
        match.play(move)
    after = replace(lesson, phase=phase, shown=match, ticket=lesson.ticket + 1)
    return LessonOutcome(after, (), (LineShown((first, *moves)),))
