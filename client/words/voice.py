"""The voice of a kind of lesson: all that its faces say. `MISTAKES` is in lessons.py, `PUZZLES` in puzzles.py."""

from collections.abc import Callable, Mapping
from typing import Any

from quadrille.client.lessons.lesson import LessonPhase
from quadrille.client.value import value
from quadrille.client.words.commands import Place


@value
class LessonVoice:
    """The sentences of a kind of lesson, and the commands there, on a screen and in lines.

    `phases` has the state of a position, `on` the way on from it. `lines_on` is the way on from a solution in lines;
    if it is "" they go on by themselves. `command` starts such a lesson.

    `asking` says what is asked, `above` has the lines above a position, and `counted` stands in the corner. `said`
    makes the sentences of a notice, and `offered` the move that it puts at the prompt ("" for none). `result` is the
    result in a line for others ("" for none).
    """

    command: str
    screen: Place
    lines: Place
    phases: Mapping[LessonPhase, str]
    on: Mapping[LessonPhase, str]
    lines_on: str
    asking: Callable[[Any], str]
    above: Callable[[Any], tuple[str, ...]]
    counted: Callable[[Any], str]
    said: Callable[[Any, Callable[[int], str]], str]
    offered: Callable[[Any], str]
    result: Callable[[Any], str]
