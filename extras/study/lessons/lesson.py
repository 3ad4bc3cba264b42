"""A lesson as its faces know it: the positions that it asks, the wishes that it takes, the sentences that it answers.

A lesson is a value. `granted` answers a wish by the lesson after it, effects for the face, and sentences; all of it is
pure. mistakes.py has the lesson from own mistakes, puzzle.py the one with the puzzle of a day.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from quadrille.client.table.wishes import PlayMove, PluggedWish, TextWish, Verb
from quadrille.client.words.commands import Command, GivenPlace, Place, by_word
from quadrille.client.words.story import by_name, sentence
from quadrille.rules.core import Move
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match
from quadrille.value import value


class LessonPhase(Enum):
    """The state of the position on the table."""

    ASKED = auto()
    JUDGING = auto()
    REFUTED = auto()
    SOLVED = auto()
    OVER = auto()


class AskedPosition(NamedTuple):
    """A position in which a seat is asked for its move, at the end of a match; `names` are those of all seats."""

    match: Match
    seat: int
    names: tuple[str, ...] = ()


class AnyLesson(Protocol):
    """A lesson of any kind. `shown` is the match on the board, `screen` and `lines` are its places with their commands.

    Each phase has a name (`states`), the way on from it (`on`), and a refusal (`not_now`). `lines_on` is the way on
    from a solution in lines; without it they go on by themselves. Each change of what is asked has a new `ticket`.
    """

    screen: ClassVar[GivenPlace]
    lines: ClassVar[GivenPlace]
    states: ClassVar[Mapping[LessonPhase, str]]
    on: ClassVar[Mapping[LessonPhase, str]]
    not_now: ClassVar[Mapping[LessonPhase, str]]
    lines_on: ClassVar[str] = ""

    @property
    def phase(self) -> LessonPhase: ...

    @property
    def ticket(self) -> int: ...

    @property
    def shown(self) -> Match | None: ...

    @property
    def asked(self) -> AskedPosition | None:
        """The position on the table; None once the lesson is over."""

    @property
    def question(self) -> str:
        """The question that the position on the table asks."""

    @property
    def above(self) -> tuple[str, ...]:
        """The lines above the position on the table."""

    @property
    def corner(self) -> str:
        """The words in the corner of a screen."""

    @property
    def result(self) -> str:
        """The result in a line for others; "" for none."""
        return ""

    def granted(self, wish: Any) -> "LessonOutcome":
        """Grant a wish; a refusal leaves the lesson as it is."""
        match wish, self.phase:
            case Worked(ticket), phase:
                fresh = phase == LessonPhase.JUDGING and ticket == self.ticket
                return self.worked(wish.found) if fresh else LessonOutcome(self)
            case PlayMove(text), LessonPhase.ASKED if self.asked is not None:
                played = self.asked.match.copy()
                try:
                    move = played.play(text)
                except RulesError as error:
                    return LessonOutcome(self, refusal=error)
                return self.answered(played, move)
            case TextWish(Verb.HINT), LessonPhase.ASKED:
                return self.hinted()
        return self.moved(wish) or LessonOutcome(self, told=(self.not_now[self.phase],))

    def worked(self, answer: Any) -> "LessonOutcome":
        """Go on with the answer to the last `LessonWork`."""

    def answered(self, played: Match, move: Move) -> "LessonOutcome":
        """Answer a legal move; `played` is the match after it."""

    def hinted(self) -> "LessonOutcome":
        """Give the next hint."""

    def moved(self, wish: Any) -> "LessonOutcome | None":
        """Grant a wish of this kind of lesson; None if it makes no sense in this phase."""


# Wishes, beside those of tables


@value
class SkipPosition(PluggedWish):
    """Leave the position for another day."""


@value
class NextPosition(PluggedWish):
    """Go on: to the same position after a refutation, else to the next one."""


@value
class ShowLine(PluggedWish):
    """Show the line of the last move at a puzzle, up to the end of the game."""


@value
class Worked:
    """The answer to `LessonWork`."""

    ticket: int
    found: Any


# Effects


@value
class LessonWork:
    """Search for what a lesson wants to know; that takes a while, and may be done in any thread."""

    ticket: int
    search: Callable[[], Any]

    def done(self) -> Worked:
        """Do it."""
        return Worked(self.ticket, self.search())


@value
class Note:
    """Write a result into the home before the person reads it."""

    about: Any
    result: Any


class LessonOutcome(NamedTuple):
    """The lesson after a wish, the effects for its face, and the lines that are told.

    `asks`: the position is put on the table, again or as a new one. `reply` is the seat and the move that answer the
    person's move. `offered` is a move to be put at the prompt, and with `line` a whole line is on the board.
    """

    lesson: AnyLesson
    effects: tuple[Any, ...] = ()
    told: tuple[str, ...] = ()
    reply: tuple[int, str] | None = None
    asks: bool = False
    line: bool = False
    offered: str = ""
    refusal: RulesError | None = None

    def said(self, called: Callable[[int], str]) -> list[str]:
        """Return the lines, with the names of seats."""
        if self.refusal is not None:
            return [sentence(by_name(str(self.refusal), called))]
        if self.reply is None:
            return list(self.told)
        seat, move = self.reply
        return [*self.told[:-1], f"{self.told[-1]} {sentence(f'{called(seat)} answers {move}')}"]


_OWN: Final = {
    "skip": Command("skip", "f3", wish=SkipPosition()),
    "line": Command("line", "f3", wish=ShowLine()),
    **by_word(Place.OWN),
    "next": Command("next", "f4", wish=NextPosition()),
}
_LINES: Final = by_word(Place.LINES)


def _rows(known: Mapping[str, Command], helps: Mapping[str, str | None]) -> tuple[Command, ...]:
    """Return the rows of a place of lessons: those of a table, with another help where one is given."""
    rows = ((known.get(word) or _OWN[word], text) for word, text in helps.items())
    return tuple(row if text is None else row._replace(help=text) for row, text in rows)


def screen_of(name: str, own: Mapping[str, str], goes_on: str, ends: str, only: str) -> GivenPlace:
    """Make the place of a lesson on a screen: `own` are its commands and their helps; `ends` says how it is left."""
    helps = {
        "help": None, **own, "next": goes_on, "replay": "look back at the moves that led here",
        **dict.fromkeys(("menu", "theme", "ascii", "bell", "title")), "quit": ends,
    }  # fmt: skip
    foot = ("help", *own, "next", "replay", "menu", "quit")
    return GivenPlace(name, _rows(_OWN, helps), foot, only=only, on=NextPosition())


def lines_of(name: str, own: Mapping[str, str], ends: str) -> GivenPlace:
    """Make the place of a lesson in plain lines."""
    end = f"{ends}; so does the end of input"
    helps = {"moves": None, "board": None, **own, "rules": None, "quit": end, "help": None}
    return GivenPlace(name, _rows(_LINES, helps), intro="Type a move{example}, or one of these:")


def states_of(working: str) -> dict[LessonPhase, str]:
    """Name the phases, with the word for the time in which a program works on the position."""
    return dict(zip(LessonPhase, ("YOUR MOVE", working, "REFUTED", "SOLVED", "OVER"), strict=True))
