"""A lesson from own mistakes: exercises, the judgement of other moves in them, the lesson, and its sentences.

One position after another is on the table. The person's move is judged by the search that found the mistake. A move
that is wrong is refuted on the board, and the position can be tried again. Only the first try counts for the boxes.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from quadrille.client.analysis.verdicts import POSITIONS, SIMULATIONS, Verdict, can_be_proved, played, tried, turns
from quadrille.client.reports import heading, many, player
from quadrille.client.words.analysis import cost, effect
from quadrille.extras.study.lessons.lesson import (
    AnyLesson,
    AskedPosition,
    LessonOutcome,
    LessonPhase,
    LessonWork,
    NextPosition,
    Note,
    SkipPosition,
    lines_of,
    screen_of,
    states_of,
)
from quadrille.rules.core import Move, State
from quadrille.rules.match import Match
from quadrille.rules.search import Position, Proof, TreeSearch
from quadrille.value import value

#: Positions of a proof of a single move, as a multiple: no proofs of later positions help it.
LONGER: Final = 10
#: Seconds between two sentences about the search for other positions, while there is none to ask.
WAIT: Final = 5.0


@value
class Exercise:
    """A position before a mistake: the match up to it, the seat that erred, and the verdict on its move.

    `key` is the same for the same position as the seat knows it, in whichever game. `names` are those of all seats, ""
    for unknown ones; `where` says when and with whom the game was played.
    """

    key: str
    match: Match
    seat: int
    known: Verdict
    names: tuple[str, ...] = ()
    where: str = ""


def position_key(match: Match, seat: int) -> str:
    """Hash the position that a seat knows, to hexadecimal digits."""
    state = match.state.view(seat)
    left = list(state.board.left)
    facts = (match.game.key, match.game.rules, sorted(state.options.plain().items()), state.seats, seat, left)
    return hashlib.sha256(repr((*facts, state.plain())).encode()).hexdigest()[:32]


def exercises(match: Match, verdicts: Sequence[Verdict]) -> Iterator[Exercise]:
    """Yield the exercises of a match: those verdicts that are mistakes."""
    numbers = turns(match)
    for known in verdicts:
        if known.is_mistake:
            before = match.before(numbers[known.ply - 1])
            yield Exercise(position_key(before, known.seat), before, known.seat, known)


# The judgement of a move


def judge(state: State[Any, Any], known: Verdict, move: Move) -> Verdict:
    """Judge another legal move in the position of a known verdict."""
    if str(move) == known.move:
        return known
    if str(move) == known.better:
        return replace(known, move=str(move), after=known.before)
    if known.certain:
        after = Proof(position := Position(state)).payoff(played(position, move), known.seat, LONGER * POSITIONS)
        if after is not None:
            return replace(known, move=str(move), after=after)
    return tried(state, known.seat, move, known.ply, SIMULATIONS)


def refutation(state: State[Any, Any], move: Move, ply: int) -> str:
    """Find the best answer to a legal move; "" if nobody can answer it now."""
    later = played(Position(state), move)
    if later.over or later.chance:
        return ""
    if can_be_proved(later):
        proof = Proof(later)
        if not proof.go_on(POSITIONS):
            return str(later.move(proof.turn()))
    search = TreeSearch(later, ply)
    search.go_on(SIMULATIONS)
    return str(later.move(search.turn()))


def judged_move(exercise: Exercise, move: Move) -> tuple[Verdict, str]:
    """Judge a move in the position of an exercise; return the verdict, and the best answer to a mistake."""
    state, known = exercise.match.state, exercise.known
    verdict = judge(state, known, move)
    return verdict, refutation(state, move, known.ply) if verdict.is_mistake else ""


# The lesson


class MoreExercises(NamedTuple):
    """Exercises that were found meanwhile; `looking` says how far the search for others is, "" once it is over."""

    exercises: tuple[Exercise, ...]
    looking: str


_OWN: Final = {
    "hint": "the better move; the position comes again tomorrow", "skip": "leave this position for another day",
}  # fmt: skip
_ON: Final = {
    LessonPhase.REFUTED: "Enter: try again.",
    LessonPhase.SOLVED: "Enter continues.",
    LessonPhase.OVER: "Enter: leave.",
}
_NOT_NOW: Final = {
    LessonPhase.ASKED: "Make a move first, or skip the position.",
    LessonPhase.JUDGING: "It is still being judged.",
    LessonPhase.REFUTED: "Press Enter first: it goes back to the position.",
    LessonPhase.SOLVED: "This position is solved: Enter continues.",
    LessonPhase.OVER: "The lesson is over.",
}


@value
class MistakeLesson(AnyLesson):
    """The exercises to come, the one on the table first; `total` is their number at the start.

    `right` counts those solved at the first try. `slipped`: the position on the table was answered wrongly, or with
    help. `counted` are the keys of positions whose first try is over. `shown` is the match on the board.

    Others may be looked for behind the lesson: `more` waits some seconds for them. While the lesson waits,
    nothing is asked, and `shown` is None.
    """

    exercises: tuple[Exercise, ...]
    total: int
    shown: Match | None
    right: int = 0
    phase: LessonPhase = LessonPhase.ASKED
    slipped: bool = False
    counted: frozenset[str] = frozenset()
    ticket: int = 0
    more: Callable[[float], MoreExercises] | None = None

    screen = screen_of(
        "learn", _OWN, "go on, or try the position again; Enter does the same", "end the lesson",
        "This is a lesson: make a move, or type hint, skip or quit",
    )  # fmt: skip
    lines = lines_of("learn", _OWN, "end the lesson")
    states = states_of("JUDGING")
    on, not_now = _ON, _NOT_NOW

    @classmethod
    def of(
        cls, exercises: tuple[Exercise, ...], more: Callable[[float], MoreExercises] | None = None
    ) -> "MistakeLesson":
        return cls(exercises, len(exercises), None, more=more)._with(exercises)

    @property
    def asked(self) -> AskedPosition | None:
        exercise = self.exercises[0] if self.exercises and self.shown is not None else None
        return None if exercise is None else AskedPosition(exercise.match, exercise.seat, exercise.names)

    @property
    def question(self) -> str:
        known = self.exercises[0].known
        return f"You played {known.move} here, which {effect(known)} ({_sure(known)}). Your move?"

    @property
    def above(self) -> tuple[str, ...]:
        exercise = self.exercises[0]
        title = f"{heading(exercise.match)}; {exercise.where}" if exercise.where else heading(exercise.match)
        return f"{title}. You are {player(exercise.seat)}.", f"{self.corner}."

    @property
    def corner(self) -> str:
        more = ", and others are looked for" if self.more else ""
        return f"{many(len(self.exercises), 'position')} left{more}"

    def moved(self, wish: Any) -> LessonOutcome | None:
        match wish, self.phase:
            case NextPosition(), LessonPhase.REFUTED:
                return LessonOutcome(self._asking(), told=("Try again, or type hint or skip.",), asks=True)
            case NextPosition(), LessonPhase.SOLVED:
                # one that was not solved at once comes again at the end, unless nothing else is left
                first, *others = self.exercises
                return self._with((*others, *((first,) if self.slipped and others else ())))._asked()
            case SkipPosition(), _ if self.asked is not None:
                return self._with(self.exercises[1:])._asked("Left for another day.")
        return None

    def hinted(self) -> LessonOutcome:
        after, notes = replace(self, slipped=True)._noted(right=False)
        known = self.exercises[0].known
        return LessonOutcome(after, notes, (f"Better is {known.better} ({_sure(known)}).",), offered=known.better)

    def answered(self, played: Match, move: Move) -> LessonOutcome:
        after = replace(self, phase=LessonPhase.JUDGING, shown=played, ticket=self.ticket + 1)
        work = LessonWork(after.ticket, partial(judged_move, self.exercises[0], move))
        return LessonOutcome(after, (work,), (f"Judging {move} …",))

    def worked(self, found: tuple[Verdict, str] | MoreExercises) -> LessonOutcome:
        if isinstance(found, MoreExercises):
            return self._joined(found)
        verdict, answer = found
        if not verdict.is_mistake:
            after, notes = replace(self, phase=LessonPhase.SOLVED)._noted(right=not self.slipped)
            return LessonOutcome(after, notes, (solved_text(verdict),))
        after, notes = replace(self, phase=LessonPhase.REFUTED, slipped=True)._noted(right=False)
        reply = None
        if answer and self.shown is not None:
            shown = self.shown.copy()
            reply = shown.state.board.turn, answer
            shown.play(answer)
            after = replace(after, shown=shown)
        return LessonOutcome(after, notes, (refuted_text(verdict),), reply)

    def _noted(self, *, right: bool) -> "tuple[MistakeLesson, tuple[Note, ...]]":
        """Count the first answer to the position on the table."""
        key = self.exercises[0].key
        if key in self.counted:
            return self, ()
        return replace(self, counted=self.counted | {key}, right=self.right + right), (Note(key, right),)

    def _with(self, exercises: tuple[Exercise, ...]) -> "MistakeLesson":
        """Go on with these exercises to come, the first one on the table."""
        after = replace(self, exercises=exercises, slipped=False)
        return after._asking() if exercises else replace(after, phase=LessonPhase.OVER)

    def _joined(self, more: MoreExercises) -> LessonOutcome:
        """Go on with what was found meanwhile, or wait for it."""
        exercises = (*self.exercises, *more.exercises)
        after = replace(self, total=self.total + len(more.exercises), more=self.more if more.looking else None)
        return after._with(exercises)._asked(seen=True) if exercises or not after.more else after._asked(more.looking)

    def _asking(self) -> "MistakeLesson":
        return replace(self, phase=LessonPhase.ASKED, shown=self.exercises[0].match, ticket=self.ticket + 1)

    def _asked(self, *sentences: str, seen: bool = False) -> LessonOutcome:
        """Ask the position on the table, or tell that the lesson is over, once what was found meanwhile is `seen`."""
        if self.more and not seen:
            after = replace(self, phase=LessonPhase.JUDGING, shown=None, ticket=self.ticket + 1)
            work = LessonWork(after.ticket, partial(self.more, 0 if self.exercises else WAIT))
            return LessonOutcome(after, (work,), sentences)
        if self.exercises:
            return LessonOutcome(self, told=(*sentences, self.question), asks=True)
        return LessonOutcome(self, told=(*sentences, over_text(self.right, self.total)))


# Sentences

#: A result for its seat, by the sign of its value.
_ENDS: Final = {1: "a win", 0: "a tie", -1: "a loss"}


def _sure(known: Verdict) -> str:
    return "proved" if known.certain else "by trial"


def _end(worth: float) -> str:
    return _ENDS[(worth > 0) - (worth < 0)]


def solved_text(verdict: Verdict) -> str:
    """Say that a move is right, and how that is known."""
    if verdict.certain:
        return f"Right: {verdict.move} keeps {_end(verdict.before)} (proved)."
    if verdict.move == verdict.better:
        return f"Right: {verdict.move} is the best move found, by {verdict.tried} games."
    return f"Right: {verdict.move} is as good as {verdict.better}, as far as {verdict.tried} games can tell."


def refuted_text(verdict: Verdict) -> str:
    """Say that a move is wrong, and what it costs."""
    if verdict.certain and verdict.after is not None:
        return f"No: {verdict.move} turns {_end(verdict.before)} into {_end(verdict.after)} (proved)."
    return f"No: {verdict.move} gives something away ({cost(verdict)})."


def over_text(right: int, total: int) -> str:
    if total == 1:
        return f"The lesson is over: the position was {'' if right else 'not '}solved at the first try."
    return f"The lesson is over: {right} of {total} positions were solved at the first try."
