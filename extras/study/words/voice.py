"""The voice of a kind of lesson: all that its faces say. `MISTAKES` is in lessons.py, `PUZZLES` in puzzles.py."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from quadrille.client.value import value
from quadrille.client.words.commands import PAGES, Command, GivenPlace, Place, listed
from quadrille.extras.study.lessons.lesson import LessonPhase, NextPosition, ShowLine, SkipPosition


@value
class LessonVoice:
    """The sentences of a kind of lesson, and the commands there, on a screen and in lines.

    `phases` has the state of a position, `on` the way on from it. `lines_on` is the way on from a solution in lines;
    if it is "" they go on by themselves.

    `asking` says what is asked, `above` has the lines above a position, and `counted` stands in the corner. `said`
    makes the sentences of a notice, and `offered` the move that it puts at the prompt ("" for none). `result` is the
    result in a line for others ("" for none).
    """

    screen: GivenPlace
    lines: GivenPlace
    phases: Mapping[LessonPhase, str]
    on: Mapping[LessonPhase, str]
    lines_on: str
    asking: Callable[[Any], str]
    above: Callable[[Any], tuple[str, ...]]
    counted: Callable[[Any], str]
    said: Callable[[Any, Callable[[int], str]], str]
    offered: Callable[[Any], str]
    result: Callable[[Any], str]


_MORE: Final = {
    one.word: one
    for one in (
        Command("skip", "f3", SkipPosition()),
        Command("line", "f3", ShowLine()),
        Command("next", "f4", NextPosition()),
    )
}
_TABLE: Final = PAGES[Place.OWN]
_LOOKS: Final = {head: _TABLE[head] for head in ("theme NAME", "ascii", "bell", "title")}
_LINES: Final = PAGES[Place.LINES]


def screen_of(name: str, own: Mapping[str, str], goes_on: str, ends: tuple[str, str], only: str) -> GivenPlace:
    """The place of a lesson on a screen: `own` are its commands and their helps; `ends` says how it is left."""
    page = {
        "help": _TABLE["help"], **own, "next": goes_on,
        "replay": "look back at the moves that led here", "menu": _TABLE["menu"], **_LOOKS, "quit": ends[0],
    }  # fmt: skip
    labels = {word: word.title() for word in ("help", *own)}
    foot = {**labels, "next": "Go on", "replay": "Replay", "menu": "Menu", "quit": ends[1]}
    return GivenPlace(name, listed(page, _MORE), tuple(foot.items()), only=only, on=NextPosition())


def lines_of(name: str, own: Mapping[str, str], ends: str) -> GivenPlace:
    """The place of a lesson in plain lines."""
    known = {head: _LINES[head] for head in ("moves [START]", "board")}
    page = {**known, **own, "rules": _LINES["rules"], "quit": f"{ends}; so does the end of input", "help": ""}
    return GivenPlace(name, listed(page, _MORE), intro="Type a move{example}, or one of these:")


def phases_of(working: str) -> dict[LessonPhase, str]:
    """Name the states of a position, with the word for the time in which a program works on it."""
    words = ("YOUR MOVE", working, "REFUTED", "SOLVED", "OVER")
    return dict(zip(LessonPhase, words, strict=True))
