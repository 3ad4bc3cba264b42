"""A lesson on the screen: the table's own drawing and keys, with positions of a lesson on it.

`update_lesson` and `draw_lesson` are pure. The table turns input into wishes, as at a table that this program does not
own; client/lessons/lesson.py grants them, and what it says is shown above the prompt until something else is.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from quadrille.client.lessons.judgement import judged_move
from quadrille.client.lessons.lesson import (
    BetterTold,
    Judged,
    JudgeMove,
    KeepAnswer,
    LessonOutcome,
    LessonPhase,
    LessonWish,
    MistakeLesson,
    MoveRefused,
    NotNow,
    granted,
)
from quadrille.client.reports import player
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.stage import Stage, look_of
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.line_keys import Line, refused
from quadrille.client.screen.table.model import Model, ShownChair, ShownTable
from quadrille.client.screen.table.update import update
from quadrille.client.settings import Settings, read_settings
from quadrille.client.table.effects import Quit
from quadrille.client.table.wishes import Hint, NextPosition, PlayMove, SkipPosition
from quadrille.client.value import value
from quadrille.client.words.lessons import ON, PHASES, count_text, known_text, lesson_text
from quadrille.client.words.story import YOU
from quadrille.rules.match import Match

#: Keys that edit nothing and pick nothing: they lead from a refutation back to the position.
_ENTER = terminal.Key("enter")


@value
class LessonModel:
    """The screen of a lesson: `front` is the table, `told` the last sentence about the lesson."""

    lesson: MistakeLesson
    front: Model
    told: str = ""

    @property
    def look(self) -> terminal.Look:
        return self.front.look

    @property
    def rows(self) -> int:
        return self.front.rows

    @property
    def columns(self) -> int:
        return self.front.columns


def lesson_model(lesson: MistakeLesson, look: terminal.Look, remark: str = "") -> LessonModel:
    """The first view of a lesson."""
    exercise = lesson.exercise
    assert exercise is not None and lesson.shown is not None
    told = known_text(exercise)
    front = Model(_shown_table(lesson, lesson.shown), look, notice=remark or told, alarm=bool(remark))
    return LessonModel(lesson, front, told)


def _shown_table(lesson: MistakeLesson, match: Match, before: ShownTable | None = None) -> ShownTable:
    """The table with a match on it; after the last position it keeps the people of the one before."""
    exercise = lesson.exercise
    if exercise is None:
        assert before is not None
        return replace(before, mine=(), lesson=PHASES[lesson.phase], link=count_text(0))
    own = exercise.seat
    names = exercise.names or ("",) * match.state.seats
    chairs = tuple(ShownChair(YOU if seat == own else name or player(seat)) for seat, name in enumerate(names))
    return ShownTable(
        match, chairs, (own,) if lesson.phase == LessonPhase.ASKED else (), own, local=False,
        link=count_text(len(lesson.exercises)), lesson=PHASES[lesson.phase],
    )  # fmt: skip


def draw_lesson(model: LessonModel) -> Picture:
    return draw(model.front)


def update_lesson(model: LessonModel, event: Any) -> tuple[LessonModel, tuple[Any, ...]]:
    """The screen after an event, and its effects."""
    if isinstance(event, Judged):
        return _wished(model, event)
    front, phase = model.front, model.lesson.phase
    is_bare = front.overlay is None and front.replay is None and not front.line.text
    if is_bare and event == _ENTER and phase in ON:
        return (model, (Quit(),)) if phase == LessonPhase.OVER else _wished(model, NextPosition())
    if is_bare and phase == LessonPhase.REFUTED and _begins_move(event):
        model, _ = _wished(model, NextPosition())
        front = model.front
    after, effects = update(front, event)
    model = replace(model, front=after)
    passed: list[Any] = []
    for effect in effects:
        if isinstance(effect, PlayMove | Hint | SkipPosition | NextPosition):
            model, more = _wished(model, effect)
            passed += more
        else:
            passed.append(effect)
    return _reminded(model), tuple(passed)


def _begins_move(event: object) -> bool:
    """Whether an event begins another move: a letter or a digit, pasted text."""
    return isinstance(event, terminal.Pasted) or (
        isinstance(event, terminal.Key) and len(event.name) == 1 and event.name.isalnum()
    )


def _reminded(model: LessonModel) -> LessonModel:
    """Show the last sentence about the lesson again, where nothing else is shown."""
    front = model.front
    if front.notice or front.line.text or front.replay or front.overlay:
        return model
    return replace(model, front=replace(front, notice=model.told, alarm=False))


def _wished(model: LessonModel, wish: LessonWish) -> tuple[LessonModel, tuple[Any, ...]]:
    """Grant a wish, and show the lesson as it is then."""
    outcome = granted(model.lesson, wish)
    texts = [lesson_text(notice, model.front.table.called) for notice in outcome.said]
    match outcome.said:
        case (MoveRefused() | NotNow(),):
            return replace(model, front=refused(model.front, texts[0])), ()
        case (BetterTold(known),):
            line = replace(Line.of(known.better), selected=True)
            front = replace(model.front, line=line, picked="", focus="line", notice=texts[0], alarm=False)
            return replace(model, lesson=outcome.lesson, front=front), outcome.effects
    return _shown(model, outcome, texts), outcome.effects


def _shown(model: LessonModel, outcome: LessonOutcome, texts: list[str]) -> LessonModel:
    lesson = outcome.lesson
    if lesson is model.lesson:
        return model
    match = lesson.shown or model.front.table.match
    table = _shown_table(lesson, match, model.front.table)
    told = " ".join(filter(None, [*texts, ON.get(lesson.phase, "")]))
    front = replace(
        model.front, table=table, ticket=model.front.ticket + 1, line=Line(), cursor="", picked="", focus="line",
        replay=None, notice=told, alarm=lesson.phase == LessonPhase.REFUTED,
    )  # fmt: skip
    return LessonModel(lesson, front, told)


class LessonScreen(Stage):
    """A lesson at a terminal. Moves are judged in a thread."""

    def __init__(
        self,
        lesson: MistakeLesson,
        settings: Settings,
        keep: Callable[[KeepAnswer], None],
        remark: str = "",
        *,
        screen_input: Input | None = None,
        screen_output: Output | None = None,
    ) -> None:
        """`keep` notes an answer for its box."""
        super().__init__(
            lesson_model(lesson, look_of(settings), remark), settings, functions=(update_lesson, draw_lesson),
            screen_input=screen_input, screen_output=screen_output,
        )  # fmt: skip
        self._keep = keep

    def perform(self, effect: Any) -> None:
        match effect:
            case JudgeMove():
                self.later(lambda: judged_move(effect))
            case KeepAnswer():
                self._keep(effect)
            case _:
                super().perform(effect)


def give(lesson: MistakeLesson, keep: Callable[[KeepAnswer], None]) -> int:
    """A lesson at this terminal, until it is over or the person leaves; the exit code."""
    settings, remark = read_settings()
    return asyncio.run(LessonScreen(lesson, settings, keep, f"{remark}." if remark else "").run())
