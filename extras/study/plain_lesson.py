"""A lesson in plain lines: one position after another, in which the person is asked for a move.

This face asks for lines, turns them into wishes and prints the answers. The lesson decides.
"""

import sys
from collections.abc import Callable
from typing import Any

from quadrille.client.plain.console import Console
from quadrille.client.progress_line import ProgressLine
from quadrille.client.reports import is_move, moves_text, player
from quadrille.client.settings import has_screen
from quadrille.client.table.wishes import PlayMove
from quadrille.client.words.commands import by_any_word, help_text, misread
from quadrille.client.words.rules import rules_text
from quadrille.extras.study.lessons.lesson import (
    AnyLesson,
    AskedPosition,
    LessonOutcome,
    LessonPhase,
    LessonWork,
    NextPosition,
    Note,
)
from quadrille.rules.core import State
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import BadNotation
from quadrille.rules.match import Match


def given(lesson: AnyLesson, keep: Callable[[Note], None], *, plain: bool) -> tuple[int, AnyLesson]:
    """Give a lesson, on the screen or in lines; return the exit code, and the lesson then."""
    if has_screen(plain=plain):
        from quadrille.extras.study.screen.lesson import give

        return give(lesson, keep)
    if sys.stdout is None:
        return 0, lesson
    face = PlainLesson(lesson, Console(sys.stdin, sys.stdout), keep)
    face.run()
    return 0, face.lesson


def remark(*remarks: str) -> None:
    """Print what a person has to know beside a lesson; "" is nothing."""
    for line in filter(None, remarks):
        ProgressLine().say(line)


class PlainLesson:
    """A lesson, and the dialogue with the person at the keyboard."""

    def __init__(self, lesson: AnyLesson, console: Console, keep: Callable[[Note], None]) -> None:
        """`keep` notes a result in the home."""
        self.lesson = lesson
        self.console = console
        self._keep = keep
        self._words = by_any_word(lesson.lines)

    def run(self) -> None:
        """Ask for moves until no position is left, or the person leaves."""
        self._ask(self.lesson.question)
        while self.lesson.asked is not None:
            line = self.console.ask("> ")
            if line is None or line.lower() == "quit":
                return
            if line:
                self._obey(line)
            elif self.lesson.phase == LessonPhase.SOLVED:
                self.wish(NextPosition())

    @property
    def _asked(self) -> AskedPosition:
        assert self.lesson.asked is not None
        return self.lesson.asked

    def _obey(self, line: str) -> None:
        """Play the line if the game reads it as a move; otherwise it may be a command."""
        first, _, rest = line.partition(" ")
        word, match = first.lower(), self._asked.match
        if word not in self._words or is_move(match, line):
            self.wish(PlayMove(line))
            return
        match self._words[word].word:
            case "moves":
                self.console.say(moves_text(match, rest))
            case "board":
                self._draw(match)
            case "rules":
                self.console.say(rules_text(match.game))
            case "help":
                example = f" such as {next(iter(match.state.moves))}"
                self.console.say(help_text(self.lesson.lines).format(example=example))
            case _:
                self.wish(self._words[word].wished(rest))

    def wish(self, wish: Any) -> None:
        """Grant a wish, perform its effects and print the answer. A result is kept before the person sees it."""
        before, outcome = self.lesson, self.lesson.granted(wish)
        self.lesson = outcome.lesson
        for effect in outcome.effects:
            if isinstance(effect, Note):
                self._keep(effect)
        self._tell(outcome, before, wish)
        for effect in outcome.effects:
            if isinstance(effect, LessonWork):
                self.wish(effect.done())
        match self.lesson.phase:
            case LessonPhase.REFUTED:
                self._draw(self.lesson.shown)
                self.wish(NextPosition())
            case LessonPhase.SOLVED if not self.lesson.lines_on:
                self.wish(NextPosition())
            case LessonPhase.SOLVED if before.phase != LessonPhase.SOLVED:
                self.console.say(self.lesson.lines_on)

    def _tell(self, outcome: LessonOutcome, before: AnyLesson, wish: Any) -> None:
        lines = outcome.said(lambda seat: player(seat, self._asked.names))
        if isinstance(outcome.refusal, BadNotation) and isinstance(wish, PlayMove):
            lines = [misread(outcome.refusal, wish.text, self._words)]
        is_new = outcome.asks and (before.asked is None or before.asked.match is not self._asked.match)
        if outcome.asks and not is_new:
            self._draw(self._asked.match)
        if outcome.line and self.lesson.phase == LessonPhase.SOLVED:
            self._draw(self.lesson.shown)
        for line in lines[:-1] if is_new else lines:
            self.console.say(line)
        if is_new:
            self._ask(lines[-1])

    def _ask(self, question: str) -> None:
        """Print the position that is asked, and what is asked."""
        self.console.say()
        for line in self.lesson.above:
            self.console.say(line)
        self._draw(self._asked.match)
        self.console.say(question)

    def _draw(self, match: Match | None) -> None:
        """Draw the position as the person's seat knows it, whatever people would have to remember at a table."""
        assert match is not None
        view: State[Any, Any] = match.state.view(self._asked.seat)
        self.console.say(f"\n{drawing(view.scene())}\n")
