"""A lesson on the screen: the table's own drawing and keys, with positions of a lesson on it, and the shell of it.

`LessonModel` is pure. The table turns input into wishes, as at a table that this program does not own; the lesson
grants them, and its last answer stands above the prompt.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Self

from quadrille.client.reports import player
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.stage import Stage
from quadrille.client.screen.start import look_of
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Model, Replay, ShownChair, ShownTable
from quadrille.client.screen.table.terminal import Line, Quit, refused
from quadrille.client.screen.table.update import update
from quadrille.client.settings import Settings, read_settings
from quadrille.client.table.wishes import PlayMove, TextWish
from quadrille.client.words.story import YOU
from quadrille.extras.study.lessons.lesson import (
    AnyLesson,
    LessonPhase,
    LessonWork,
    NextPosition,
    Note,
    ShowLine,
    SkipPosition,
    Worked,
)
from quadrille.rules.match import Match
from quadrille.value import value

#: The key that edits nothing and picks nothing: it leads from a refutation back to the position.
_ENTER: Final = terminal.Key("enter")


@value
class LessonModel:
    """The screen of a lesson, a `PluggedFront`: `front` is the table, `told` the last sentence about the lesson."""

    lesson: AnyLesson
    front: Model
    told: str = ""

    @classmethod
    def of(cls, lesson: AnyLesson, look: terminal.Look, remark: str = "") -> "LessonModel":
        assert lesson.shown is not None
        question = lesson.question
        table = _shown_table(lesson, lesson.shown)
        return cls(lesson, Model(table, look, notice=remark or question, alarm=bool(remark)), question)

    @property
    def look(self) -> terminal.Look:
        return self.front.look

    @property
    def rows(self) -> int:
        return self.front.rows

    @property
    def columns(self) -> int:
        return self.front.columns

    @property
    def result(self) -> str:
        return self.lesson.result

    def fitted(self, look: terminal.Look, rows: int, columns: int) -> Self:
        return replace(self, front=replace(self.front, look=look, rows=rows, columns=columns))

    def drawn(self) -> Picture:
        return draw(self.front)

    def updated(self, event: Any) -> "tuple[LessonModel, tuple[Any, ...]]":
        """Return the screen after an event, and its effects."""
        if isinstance(event, Worked):
            return self._wished(event)
        model, front, phase = self, self.front, self.lesson.phase
        is_bare = front.overlay is None and front.replay is None and not front.line.text
        if is_bare and event == _ENTER and phase in self.lesson.on:
            return (self, (Quit(),)) if phase == LessonPhase.OVER else self._wished(NextPosition())
        if is_bare and phase == LessonPhase.REFUTED and _begins_move(event):
            model, _ = self._wished(NextPosition())
        after, effects = update(model.front, event)
        model = replace(model, front=after)
        passed: list[Any] = []
        for effect in effects:
            if isinstance(effect, PlayMove | TextWish | ShowLine | SkipPosition | NextPosition):
                model, more = model._wished(effect)
                passed += more
            else:
                passed.append(effect)
        return model._reminded(), tuple(passed)

    def _reminded(self) -> "LessonModel":
        """Show the last sentence about the lesson again, where nothing else is shown."""
        front = self.front
        if front.notice or front.line.text or front.replay or front.overlay:
            return self
        return replace(self, front=replace(front, notice=self.told, alarm=False))

    def _wished(self, wish: Any) -> "tuple[LessonModel, tuple[Any, ...]]":
        """Grant a wish, and show the lesson as it is then."""
        outcome = self.lesson.granted(wish)
        texts = outcome.said(self.front.table.called)
        if outcome.lesson is self.lesson:
            return replace(self, front=refused(self.front, texts[0])) if texts else self, outcome.effects
        after = self._showing(outcome.lesson, texts)
        front = after.front
        if outcome.line:
            at = outcome.lesson.asked.match.length if outcome.lesson.asked else 0
            front = replace(front, replay=Replay(at), notice="", alarm=False)
        elif outcome.offered:
            front = replace(front, line=replace(Line.of(outcome.offered), selected=True))
        return replace(after, front=front), outcome.effects

    def _showing(self, lesson: AnyLesson, texts: list[str]) -> "LessonModel":
        table = _shown_table(lesson, lesson.shown or self.front.table.match, self.front.table)
        sentence = " ".join(filter(None, [*texts, lesson.on.get(lesson.phase, "")]))
        front = replace(
            self.front, table=table, ticket=self.front.ticket + 1, line=Line(), cursor="", picked="", focus="line",
            replay=None, notice=sentence, alarm=lesson.phase == LessonPhase.REFUTED,
        )  # fmt: skip
        return replace(self, lesson=lesson, front=front, told=sentence)


def _shown_table(lesson: AnyLesson, match: Match, before: ShownTable | None = None) -> ShownTable:
    """Lay the table with a match on it; after the last position it keeps the people of the one before."""
    asked, state = lesson.asked, lesson.states[lesson.phase]
    if asked is None:
        assert before is not None
        return replace(before, mine=(), lesson=state, link=lesson.corner)
    own = asked.seat
    names = asked.names or ("",) * match.state.seats
    chairs = tuple(ShownChair(YOU if seat == own else name or player(seat)) for seat, name in enumerate(names))
    return ShownTable(
        match, chairs, (own,) if lesson.phase == LessonPhase.ASKED else (), own, local=False, link=lesson.corner,
        lesson=state, given=lesson.screen,
    )  # fmt: skip


def _begins_move(event: object) -> bool:
    """Return True if an event begins another move: a letter or a digit, pasted text."""
    return isinstance(event, terminal.Pasted) or (
        isinstance(event, terminal.Key) and len(event.name) == 1 and event.name.isalnum()
    )


class LessonScreen(Stage):
    """A lesson at a terminal. Moves are judged in a thread."""

    def __init__(self, lesson: AnyLesson, settings: Settings, keep: Callable[[Note], None], remark: str = "") -> None:
        """`keep` notes a result in the home."""
        model = LessonModel.of(lesson, look_of(settings), remark)
        super().__init__(model, settings, functions=(LessonModel.updated, LessonModel.drawn))
        self._keep = keep

    @property
    def lesson(self) -> AnyLesson:
        """The lesson as it is now."""
        model: LessonModel = self.shell.model
        return model.lesson

    def perform(self, effect: Any) -> None:
        match effect:
            case LessonWork():
                self.later(effect.done)
            case Note():
                self._keep(effect)
            case _:
                super().perform(effect)


def give(lesson: AnyLesson, keep: Callable[[Note], None]) -> tuple[int, AnyLesson]:
    """Give a lesson at this terminal, until it is over or the person leaves. Return the exit code and that lesson."""
    settings, remark = read_settings()
    screen = LessonScreen(lesson, settings, keep, f"{remark}." if remark else "")
    return asyncio.run(screen.run()), screen.lesson
