"""Lessons as values: `granted(lesson, wish) -> (lesson, effects, notices)`, pure, for every face.

`AnyLesson` is what the faces know. A lesson from own mistakes is here, one with a puzzle in puzzle.py.

One position after another is on the table. The person's move is judged by a search, which is an effect that a face
performs; `Judged` answers it. A move that is wrong is refuted on the board, and the position can be tried again. Only
the first try counts for the boxes.
"""

from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from quadrille.client.table.wishes import Hint, PlayMove, PluggedWish
from quadrille.client.value import value
from quadrille.extras.study.lessons.exercises import Exercise
from quadrille.rules.core import Move
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played

if TYPE_CHECKING:  # a screen starts before any move is judged
    from quadrille.client.analysis.verdicts import Verdict


class LessonPhase(Enum):
    """The state of the position on the table."""

    ASKED = auto()
    JUDGING = auto()
    REFUTED = auto()
    SOLVED = auto()
    OVER = auto()


class AskedPosition(Protocol):
    """A position in which a seat is asked for its move, at the end of a match; `names` are those of all seats."""

    @property
    def match(self) -> Match: ...
    @property
    def seat(self) -> int: ...
    @property
    def names(self) -> tuple[str, ...]: ...


class AnyLesson(Protocol):
    """All that a face knows of a lesson: the position `asked` (None once it is over), and the match on the board."""

    @property
    def asked(self) -> AskedPosition | None: ...
    @property
    def shown(self) -> Match | None: ...
    @property
    def phase(self) -> LessonPhase: ...
    def granted(self, wish: Any) -> "LessonOutcome": ...


@value
class MistakeLesson:
    """The exercises to come, the one on the table first; `total` is their number at the start.

    `right` counts those solved at the first try. `slipped`: the position on the table was answered wrongly, or with
    help. `counted` are the keys of positions whose first try is over. `shown` is the match on the board.
    """

    exercises: tuple[Exercise, ...]
    total: int
    shown: Match | None
    right: int = 0
    phase: LessonPhase = LessonPhase.ASKED
    slipped: bool = False
    counted: frozenset[str] = frozenset()
    ticket: int = 0

    @classmethod
    def of(cls, exercises: tuple[Exercise, ...]) -> "MistakeLesson":
        return _next(cls(exercises, len(exercises), None))

    @property
    def asked(self) -> Exercise | None:
        """The exercise on the table; None once the lesson is over."""
        return self.exercises[0] if self.exercises else None

    def granted(self, wish: "LessonWish") -> "LessonOutcome":
        return granted(self, wish)


# Wishes, beside those of tables


@value
class SkipPosition(PluggedWish):
    """Leave the position for another day."""


@value
class NextPosition(PluggedWish):
    """Go on: to the same position after a refutation, else to the next one."""


@value
class ShowLine(PluggedWish):
    """Show the line of the last move at a puzzle, up to the end of the game."""


@value
class Judged:
    """A move was judged; `answer` is the best answer to a mistake, "" if nobody can answer."""

    ticket: int
    verdict: "Verdict"
    answer: str = ""


LessonWish: TypeAlias = PlayMove | Hint | SkipPosition | NextPosition | Judged


# Effects


@value
class JudgeMove:
    """Judge a legal move in the position of an exercise: answered by `Judged`."""

    ticket: int
    exercise: Exercise
    move: Move


@value
class KeepAnswer:
    """Note the first answer to a position for its box."""

    key: str
    right: bool


# Notices


@value
class PositionAsked:
    """A position is on the table."""

    exercise: Exercise
    again: bool = False


@value
class JudgingMove:
    """A move is being judged."""

    move: str


@value
class MoveSolved:
    """The move is as good as the best one."""

    verdict: "Verdict"


@value
class MoveRefuted:
    """The move is a mistake, which `answer` shows."""

    verdict: "Verdict"
    answer: str
    seat: int | None


@value
class BetterTold:
    """The better move was told."""

    known: "Verdict"


@value
class PositionSkipped:
    """The position was left for another day."""


@value
class LessonOver:
    """No position is left."""

    right: int
    total: int


@value
class NotNow:
    """Nothing is asked now."""

    phase: LessonPhase


@value
class MoveRefused:
    """The move is not legal, or no move at all."""

    why: RulesError


LessonNotice: TypeAlias = (
    PositionAsked | JudgingMove | MoveSolved | MoveRefuted | BetterTold | PositionSkipped | LessonOver | NotNow
    | MoveRefused
)  # fmt: skip


class LessonOutcome(NamedTuple):
    """The lesson after a wish, the effects for its face, and the notices for the person."""

    lesson: AnyLesson
    effects: tuple[Any, ...] = ()
    said: tuple[Any, ...] = ()


def granted(lesson: MistakeLesson, wish: LessonWish) -> LessonOutcome:
    """Grant a wish; a refusal is a notice."""
    match wish, lesson.phase:
        case Judged(ticket), LessonPhase.JUDGING if ticket == lesson.ticket:
            return _judged(lesson, wish)
        case Judged(), _:
            return LessonOutcome(lesson)
        case NextPosition(), LessonPhase.REFUTED:
            return _asked(replace(_on_table(lesson), slipped=True), again=True)
        case NextPosition(), LessonPhase.SOLVED:
            return _gone_on(lesson)
        case SkipPosition(), phase if phase != LessonPhase.OVER:
            outcome = _asked(_next(replace(lesson, exercises=lesson.exercises[1:])))
            return outcome._replace(said=(PositionSkipped(), *outcome.said))
        case PlayMove(text), LessonPhase.ASKED:
            return _answered(lesson, text)
        case Hint(), LessonPhase.ASKED:
            exercise = lesson.exercises[0]
            after, effects = _counted(replace(lesson, slipped=True), exercise, right=False)
            return LessonOutcome(after, effects, (BetterTold(exercise.known),))
    return LessonOutcome(lesson, (), (NotNow(lesson.phase),))


def _answered(lesson: MistakeLesson, text: str) -> LessonOutcome:
    exercise = lesson.exercises[0]
    match = exercise.match.copy()
    try:
        match.play(text)
    except RulesError as error:
        return LessonOutcome(lesson, (), (MoveRefused(error),))
    entry = match.entries[-1]
    assert isinstance(entry, Played)
    ticket = lesson.ticket + 1
    after = replace(lesson, phase=LessonPhase.JUDGING, shown=match, ticket=ticket)
    return LessonOutcome(after, (JudgeMove(ticket, exercise, entry.move),), (JudgingMove(str(entry.move)),))


def _judged(lesson: MistakeLesson, judged: Judged) -> LessonOutcome:
    exercise = lesson.exercises[0]
    verdict = judged.verdict
    if not verdict.is_mistake:
        after, effects = _counted(replace(lesson, phase=LessonPhase.SOLVED), exercise, right=not lesson.slipped)
        return LessonOutcome(after, effects, (MoveSolved(verdict),))
    after, effects = _counted(replace(lesson, phase=LessonPhase.REFUTED, slipped=True), exercise, right=False)
    answer, seat = judged.answer, None
    if answer and lesson.shown is not None:
        shown = lesson.shown.copy()
        try:
            shown.play(answer)
        except RulesError:
            answer = ""  # the search knows a card that the answering seat does not
        else:
            entry = shown.entries[-1]
            seat = entry.seat if isinstance(entry, Played) else None
            after = replace(after, shown=shown)
    return LessonOutcome(after, effects, (MoveRefuted(verdict, answer, seat),))


def _counted(lesson: MistakeLesson, exercise: Exercise, *, right: bool) -> tuple[MistakeLesson, tuple[KeepAnswer, ...]]:
    """Count the first answer to a position."""
    if exercise.key in lesson.counted:
        return lesson, ()
    after = replace(lesson, counted=lesson.counted | {exercise.key}, right=lesson.right + right)
    return after, (KeepAnswer(exercise.key, right),)


def _gone_on(lesson: MistakeLesson) -> LessonOutcome:
    """The next position. One that was not solved at once comes again at the end, unless nothing else is left."""
    first, *others = lesson.exercises
    again = (first,) if lesson.slipped and others else ()
    return _asked(_next(replace(lesson, exercises=(*others, *again))))


def _next(lesson: MistakeLesson) -> MistakeLesson:
    if not lesson.exercises:
        return replace(lesson, phase=LessonPhase.OVER, slipped=False)
    return replace(_on_table(lesson), slipped=False)


def _on_table(lesson: MistakeLesson) -> MistakeLesson:
    return replace(lesson, phase=LessonPhase.ASKED, shown=lesson.exercises[0].match, ticket=lesson.ticket + 1)


def _asked(lesson: MistakeLesson, *, again: bool = False) -> LessonOutcome:
    if lesson.asked is None:
        return LessonOutcome(lesson, (), (LessonOver(lesson.right, lesson.total),))
    return LessonOutcome(lesson, (), (PositionAsked(lesson.asked, again),))
