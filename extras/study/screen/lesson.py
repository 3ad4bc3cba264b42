"""A lesson on the screen: the table's own drawing and keys, with positions of a lesson on it.

`update_lesson` is pure. The table turns input into wishes, as at a table that this program does not
own; client/lessons/ grants them, and what is said is shown above the prompt until something else is.
"""

from dataclasses import replace
from typing import Any, Final, Self

from quadrille.client.reports import player
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.line_keys import Line, refused
from quadrille.client.screen.table.model import Model, Replay, ShownChair, ShownTable
from quadrille.client.screen.table.update import update
from quadrille.client.table.effects import Quit
from quadrille.client.table.wishes import Hint, PlayMove
from quadrille.client.value import value
from quadrille.client.words.story import YOU
from quadrille.extras.study.lessons.lesson import AnyLesson, Judged, LessonPhase, NextPosition, ShowLine, SkipPosition
from quadrille.extras.study.lessons.puzzle import LineProved, LineShown
from quadrille.extras.study.words.voice import LessonVoice
from quadrille.rules.match import Match

#: The key that edits nothing and picks nothing: it leads from a refutation back to the position.
_ENTER: Final = terminal.Key("enter")


@value
class LessonModel:
    """The screen of a lesson, a `PluggedFront`: `front` is the table, `told` the last sentence about the lesson."""

    lesson: AnyLesson
    voice: LessonVoice
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

    @property
    def result(self) -> str:
        return self.voice.result(self.lesson)

    def fitted(self, look: terminal.Look, rows: int, columns: int) -> Self:
        return replace(self, front=replace(self.front, look=look, rows=rows, columns=columns))

    def updated(self, event: Any) -> "tuple[LessonModel, tuple[Any, ...]]":
        return update_lesson(self, event)

    def drawn(self) -> Picture:
        return draw(self.front)


def lesson_model(lesson: AnyLesson, voice: LessonVoice, look: terminal.Look, remark: str = "") -> LessonModel:
    """The first view of a lesson."""
    assert lesson.shown is not None
    told = voice.asking(lesson)
    front = Model(_shown_table(lesson, voice, lesson.shown), look, notice=remark or told, alarm=bool(remark))
    return LessonModel(lesson, voice, front, told)


def _shown_table(lesson: AnyLesson, voice: LessonVoice, match: Match, before: ShownTable | None = None) -> ShownTable:
    """The table with a match on it; after the last position it keeps the people of the one before."""
    asked, state, count = lesson.asked, voice.phases[lesson.phase], voice.counted(lesson)
    if asked is None:
        assert before is not None
        return replace(before, mine=(), lesson=state, link=count)
    own = asked.seat
    names = asked.names or ("",) * match.state.seats
    chairs = tuple(ShownChair(YOU if seat == own else name or player(seat)) for seat, name in enumerate(names))
    return ShownTable(
        match, chairs, (own,) if lesson.phase == LessonPhase.ASKED else (), own, local=False, link=count,
        lesson=state, given=voice.screen,
    )  # fmt: skip


def update_lesson(model: LessonModel, event: Any) -> tuple[LessonModel, tuple[Any, ...]]:
    """The screen after an event, and its effects."""
    if isinstance(event, Judged | LineProved):
        return _wished(model, event)
    front, phase = model.front, model.lesson.phase
    is_bare = front.overlay is None and front.replay is None and not front.line.text
    if is_bare and event == _ENTER and phase in model.voice.on:
        return (model, (Quit(),)) if phase == LessonPhase.OVER else _wished(model, NextPosition())
    if is_bare and phase == LessonPhase.REFUTED and _begins_move(event):
        model, _ = _wished(model, NextPosition())
        front = model.front
    after, effects = update(front, event)
    model = replace(model, front=after)
    passed: list[Any] = []
    for effect in effects:
        if isinstance(effect, PlayMove | Hint | ShowLine | SkipPosition | NextPosition):
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


def _wished(model: LessonModel, wish: Any) -> tuple[LessonModel, tuple[Any, ...]]:
    """Grant a wish, and show the lesson as it is then."""
    outcome = model.lesson.granted(wish)
    texts = [model.voice.said(notice, model.front.table.called) for notice in outcome.said]
    if outcome.lesson is model.lesson:
        return replace(model, front=refused(model.front, texts[0])) if texts else model, outcome.effects
    after = _shown(model, outcome.lesson, texts)
    match outcome.said:
        case (LineShown(),):
            at = outcome.lesson.asked.match.length if outcome.lesson.asked else 0
            after = replace(after, front=replace(after.front, replay=Replay(at), notice="", alarm=False))
        case (notice,) if better := model.voice.offered(notice):
            line = replace(Line.of(better), selected=True)
            after = replace(after, front=replace(after.front, line=line))
    return after, outcome.effects


def _shown(model: LessonModel, lesson: AnyLesson, texts: list[str]) -> LessonModel:
    match = lesson.shown or model.front.table.match
    table = _shown_table(lesson, model.voice, match, model.front.table)
    told = " ".join(filter(None, [*texts, model.voice.on.get(lesson.phase, "")]))
    front = replace(
        model.front, table=table, ticket=model.front.ticket + 1, line=Line(), cursor="", picked="", focus="line",
        replay=None, notice=told, alarm=lesson.phase == LessonPhase.REFUTED,
    )  # fmt: skip
    return replace(model, lesson=lesson, front=front, told=told)
