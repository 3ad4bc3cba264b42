"""A lesson in plain lines: one position after another, in which the person is asked for a move.

A face: it asks for lines, turns them into wishes and prints the notices. client/lessons/ decides.
"""

from collections.abc import Callable
from typing import Any

from quadrille.client.pages import rules_text
from quadrille.client.plain.console import Console
from quadrille.client.reports import is_move, moves_text, player
from quadrille.client.table.effects import Quit
from quadrille.client.table.wishes import PlayMove
from quadrille.client.words.commands import by_any_word, help_text, misread
from quadrille.extras.study.lessons.judgement import done
from quadrille.extras.study.lessons.lesson import (
    AnyLesson,
    JudgeMove,
    LessonPhase,
    MoveRefused,
    NextPosition,
    PositionAsked,
)
from quadrille.extras.study.lessons.puzzle import LineShown, ProveLine, PuzzleAsked
from quadrille.extras.study.words.voice import LessonVoice
from quadrille.rules.core import State
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import BadNotation
from quadrille.rules.match import Match


class PlainLesson:
    """A lesson, and the dialogue with the person at the keyboard."""

    def __init__(self, lesson: AnyLesson, voice: LessonVoice, console: Console, keep: Callable[[Any], None]) -> None:
        """`keep` notes an answer in the home."""
        self.lesson = lesson
        self.console = console
        self._voice = voice
        self._keep = keep
        self._words = by_any_word(voice.lines)

    def run(self) -> None:
        """Ask for moves until no position is left, or the person leaves."""
        self._ask()
        while self.lesson.asked is not None:
            line = self.console.ask("> ")
            if line is None or line.lower() == "quit":
                return
            if line:
                self._obey(line)
            elif self.lesson.phase == LessonPhase.SOLVED:
                self.wish(NextPosition())

    @property
    def _match(self) -> Match:
        assert self.lesson.asked is not None
        return self.lesson.asked.match

    def _obey(self, line: str) -> None:
        """Play the line if the game reads it as a move; otherwise it may be a command."""
        first, _, rest = line.partition(" ")
        word = first.lower()
        if word not in self._words or is_move(self._match, line):
            self.wish(PlayMove(line))
            return
        match self._words[word].word:
            case "moves":
                self.console.say(moves_text(self._match, rest))
            case "board":
                self._draw(self._match)
            case "rules":
                self.console.say(rules_text(self._match.game))
            case "help":
                example = f" such as {next(iter(self._match.state.moves))}"
                self.console.say(help_text(self._voice.lines).format(example=example))
            case _:
                self.wish(self._words[word].wished(rest))

    def wish(self, wish: Any) -> None:
        """Grant a wish, perform its effects and print its notices. An answer is kept before its notices are seen."""
        before = self.lesson.phase
        self.lesson, effects, said = self.lesson.granted(wish)
        for effect in effects:
            if not isinstance(effect, JudgeMove | ProveLine | Quit):
                self._keep(effect)
        for notice in said:
            self._say(notice, wish)
        for effect in effects:
            if isinstance(effect, JudgeMove | ProveLine):
                self.wish(done(effect))
        match self.lesson.phase:
            case LessonPhase.REFUTED:
                self._draw(self.lesson.shown)
                self.wish(NextPosition())
            case LessonPhase.SOLVED if not self._voice.lines_on:
                self.wish(NextPosition())
            case LessonPhase.SOLVED if before != LessonPhase.SOLVED:
                self.console.say(self._voice.lines_on)

    def _say(self, notice: Any, wish: Any) -> None:
        match notice:
            case PositionAsked(_, again=False):
                self._ask()
                return
            case PositionAsked() | PuzzleAsked():
                self._draw(self._match)
            case LineShown() if self.lesson.phase == LessonPhase.SOLVED:
                self._draw(self.lesson.shown)
            case MoveRefused(BadNotation() as error) if isinstance(wish, PlayMove):
                self.console.say(misread(error, wish.text, self._words))
                return
        self.console.say(self._voice.said(notice, self._called))

    def _ask(self) -> None:
        """Print the position that is asked, and what is asked."""
        self.console.say()
        for line in self._voice.above(self.lesson):
            self.console.say(line)
        self._draw(self._match)
        self.console.say(self._voice.asking(self.lesson))

    def _called(self, seat: int) -> str:
        asked = self.lesson.asked
        return player(seat, asked.names if asked is not None else ())

    def _draw(self, match: Match | None) -> None:
        """Draw the position as the person's seat knows it, whatever people would have to remember at a table."""
        assert match is not None and self.lesson.asked is not None
        view: State[Any, Any] = match.state.view(self.lesson.asked.seat)
        self.console.say(f"\n{drawing(view.scene())}\n")
