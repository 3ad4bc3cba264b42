"""A lesson in plain lines: positions before own mistakes, one after another.

A face: it asks for lines, turns them into wishes and prints the notices. client/lessons/lesson.py decides.
"""

from collections.abc import Callable
from typing import Any, Final, cast

from quadrille.client.lessons.judgement import judged_move
from quadrille.client.lessons.lesson import (
    JudgeMove,
    KeepAnswer,
    LessonNotice,
    LessonPhase,
    LessonWish,
    MistakeLesson,
    MoveRefused,
    PositionAsked,
    granted,
)
from quadrille.client.pages import rules_text
from quadrille.client.plain.console import Console
from quadrille.client.reports import heading, is_move, moves_text, player
from quadrille.client.table.wishes import NextPosition, PlayMove
from quadrille.client.words.commands import Place, by_any_word, help_text, misread
from quadrille.client.words.lessons import about_text, count_text, lesson_text
from quadrille.rules.core import State
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import BadNotation
from quadrille.rules.match import Match

HELP: Final = help_text(Place.LESSON_LINES)


class PlainLesson:
    """A lesson, and the dialogue with the person at the keyboard."""

    def __init__(self, lesson: MistakeLesson, console: Console, keep: Callable[[KeepAnswer], None]) -> None:
        """`keep` notes an answer for its box."""
        self.lesson = lesson
        self.console = console
        self._keep = keep
        self._words = by_any_word(Place.LESSON_LINES)

    def run(self) -> None:
        """Ask for moves until no position is left, or the person leaves."""
        assert self.lesson.exercise is not None
        self._say(PositionAsked(self.lesson.exercise))
        while self.lesson.exercise is not None:
            line = self.console.ask("> ")
            if line is None or line.lower() == "quit":
                return
            if line:
                self._obey(line)

    @property
    def _match(self) -> Match:
        assert self.lesson.exercise is not None
        return self.lesson.exercise.match

    def _obey(self, line: str) -> None:
        """Play the line if the game reads it as a move; otherwise it may be a command."""
        first, _, rest = line.partition(" ")
        word = first.lower()
        if word not in self._words or is_move(self._match, line):
            self.wish(PlayMove(line))
            return
        match word:
            case "moves":
                self.console.say(moves_text(self._match, rest))
            case "board":
                self._draw()
            case "rules":
                self.console.say(rules_text(self._match.game))
            case "help":
                self.console.say(HELP.format(example=f" such as {next(iter(self._match.state.moves))}"))
            case _:
                self.wish(cast("LessonWish", self._words[word].wished(rest)))

    def wish(self, wish: LessonWish) -> None:
        """Grant a wish, perform its effects and print its notices."""
        self.lesson, effects, said = granted(self.lesson, wish)
        for notice in said:
            self._say(notice, wish)
        for effect in effects:
            match effect:
                case KeepAnswer():
                    self._keep(effect)
                case JudgeMove():
                    self.wish(judged_move(effect))
        if self.lesson.phase == LessonPhase.REFUTED and self.lesson.shown is not None:
            self.console.say(f"\n{drawing(self._view(self.lesson.shown).scene())}\n")
        if self.lesson.phase in (LessonPhase.REFUTED, LessonPhase.SOLVED):
            self.wish(NextPosition())

    def _say(self, notice: LessonNotice, wish: LessonWish | None = None) -> None:
        match notice:
            case PositionAsked(one, again):
                if not again:
                    self.console.say()
                    self.console.say(about_text(heading(one.match), one.where, player(one.seat)))
                    self.console.say(f"{count_text(len(self.lesson.exercises))}.")
                self._draw()
            case MoveRefused(BadNotation() as error) if isinstance(wish, PlayMove):
                self.console.say(misread(error, wish.text, self._words))
                return
        self.console.say(lesson_text(notice, self._called))

    def _called(self, seat: int) -> str:
        exercise = self.lesson.exercise
        return player(seat, exercise.names if exercise is not None else ())

    def _draw(self) -> None:
        self.console.say(f"\n{drawing(self._view(self._match).scene())}\n")

    def _view(self, match: Match) -> State[Any, Any]:
        """The position as the person's seat knows it, whatever people would have to remember at a table."""
        assert self.lesson.exercise is not None
        return match.state.view(self.lesson.exercise.seat)
