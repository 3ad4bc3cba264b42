"""The shell of a lesson on the screen. Imported only for a screen."""

import asyncio
from collections.abc import Callable
from typing import Any

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from quadrille.client.screen.stage import Stage, look_of
from quadrille.client.settings import Settings, read_settings
from quadrille.extras.study.lessons.judgement import done
from quadrille.extras.study.lessons.lesson import AnyLesson, JudgeMove, KeepAnswer
from quadrille.extras.study.lessons.puzzle import KeepHint, KeepTry, ProveLine
from quadrille.extras.study.screen.lesson import LessonModel, lesson_model, update_lesson
from quadrille.extras.study.words.voice import LessonVoice


class LessonScreen(Stage):
    """A lesson at a terminal. Moves are judged in a thread."""

    def __init__(
        self,
        lesson: AnyLesson,
        voice: LessonVoice,
        settings: Settings,
        keep: Callable[[Any], None],
        remark: str = "",
        *,
        screen_input: Input | None = None,
        screen_output: Output | None = None,
    ) -> None:
        """`keep` notes an answer in the home."""
        super().__init__(
            lesson_model(lesson, voice, look_of(settings), remark), settings,
            functions=(update_lesson, LessonModel.drawn), screen_input=screen_input, screen_output=screen_output,
        )  # fmt: skip
        self._keep = keep

    @property
    def lesson(self) -> AnyLesson:
        """The lesson as it is now."""
        model: Any = self.shell.model
        found: AnyLesson = model.lesson
        return found

    def perform(self, effect: Any) -> None:
        match effect:
            case JudgeMove() | ProveLine():
                self.later(lambda: done(effect))
            case KeepAnswer() | KeepTry() | KeepHint():
                self._keep(effect)
            case _:
                super().perform(effect)


def give(lesson: AnyLesson, voice: LessonVoice, keep: Callable[[Any], None]) -> tuple[int, AnyLesson]:
    """A lesson at this terminal, until it is over or the person leaves; the exit code, and the lesson then."""
    settings, remark = read_settings()
    screen = LessonScreen(lesson, voice, settings, keep, f"{remark}." if remark else "")
    return asyncio.run(screen.run()), screen.lesson
