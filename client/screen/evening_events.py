"""Events from the shell of an evening to its model, beside keys and the news of the network."""

from quadrille.client.lessons.lesson import AnyLesson
from quadrille.client.table.local import LocalTable
from quadrille.client.value import value
from quadrille.client.words.voice import LessonVoice
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Match


@value
class Dealt:
    """A local table, ready: the bot of each seat ("" for a person), its clock, and the names of people."""

    match: Match
    bots: tuple[str, ...]
    clock: TimeControl | None = None
    names: tuple[str, ...] = ()


@value
class Continued:
    """A local table that was left, ready again."""

    own: LocalTable


@value
class Seeking:
    """How far the search for a puzzle is."""

    text: str


@value
class Posed:
    """A puzzle is found; the `remark` is about its results."""

    lesson: AnyLesson
    voice: LessonVoice
    remark: str = ""


@value
class PageLine:
    """One more line for the open page with that title."""

    title: str
    line: str
