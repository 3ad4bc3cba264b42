"""The words of a game at the table: the meaning of a half-made move, the effects of a move, the deciding criteria.

The line at a prompt is the move in the making, however it is made: a cursor key, a finger and the mouse write notation
there. So a user interface shows a `Half`, continues with its lines, and knows no game. `half_made` makes it from the
steps that can follow; a game whose notation is more than their words adds a phrase for them (`State.phrase`).

A game tells effects in its own terms (`State.story`, `State.criteria`), and names no player: an interface says "Ann
scores 27" or "you score 27". Nothing here is part of a position, a record or a digest.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Literal

from quadrille.rules.errors import RulesError
from quadrille.value import value

# Effects and criteria


@value
class Consequence:
    """An effect on a seat, or an action of it: `Consequence(0, "score", "27: series joker as A, Q, K")`.

    `verb` takes an s for the third person. `{whose}` in `rest` stands for `other`: "your", or "Ben's". There is no
    full stop.
    """

    seat: int
    verb: str
    rest: str
    other: int | None = None


@value
class Criterion:
    """A criterion for the place of a seat: its value, and its name in "8 to 7 claimed squares".

    A criterion that is no count is met or not: "by the last move".
    """

    value: int
    name: str
    is_count: bool = True


@value
class Margin:
    """The first criterion that separates two seats, with both values."""

    name: str
    ahead: int
    behind: int
    is_count: bool


def margin(ahead: Sequence[Criterion], behind: Sequence[Criterion]) -> Margin | None:
    """Return the margin of one seat over another; None if nothing separates them."""
    for ours, other in zip(ahead, behind, strict=True):
        if ours.value != other.value:
            return Margin(ours.name, ours.value, other.value, ours.is_count)
    return None


def counted(number: int, singular: str, many: str = "") -> str:
    """Write a number with its noun: `1 dollar`, `3 dollars`."""
    return f"{number} {singular if number == 1 else many or singular + 's'}"


# Half-made moves

#: Maximum steps that are looked at, and maximum offered ones that are no places.
MOST_WAYS: Final = 4000
_MOST_CHOICES: Final = 12
_SQUARE: Final = re.compile(r"[a-z][1-9][0-9]?(?![0-9a-z])")


@value
class Half:
    """The meaning of a `line` in a position where a seat owes a move.

    `move` is the move of the line, and `why` says why it is refused. `begins` tells whether it can become a legal
    move, and `wants` what is missing, if that says more than `why`. `path` are the named places, in order. `picks`
    are the lines after a place was picked, `nexts` those of the places that lead on to a legal move. `choices` are
    lines for what is no place, each with a short name; `words` are completions of this line; `shorter` is the line
    without its last addition.
    """

    move: Any = None
    why: str = ""
    begins: bool = False
    wants: str | None = None
    path: tuple[str, ...] = ()
    picks: Mapping[str, str] = field(default_factory=dict)
    nexts: frozenset[str] = frozenset()
    choices: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    shorter: str = ""
    line: str = ""

    @property
    def stage(self) -> Literal["none", "begun", "legal", "wrong", "foreign"]:
        """ "none" for an empty line, "begun" for the beginning of a legal move, "legal", "wrong" for a move that is
        refused, "foreign" for anything else.
        """
        if not self.line:
            return "none"
        if self.move is not None and not self.why:
            return "legal"
        return "begun" if self.begins else "foreign" if self.move is None and not self.path else "wrong"

    @property
    def says(self) -> str:
        """Return the refusal of the move, or what it lacks."""
        return self.why if self.wants is None else self.wants


@value
class _Way:
    """A step that can follow: its word, the places in the word, and the line with it.

    The end of a path has no word in the line. Then the line is the same, and `later` are the ways behind that step.
    """

    step: int
    word: str
    places: tuple[str, ...]
    line: str
    later: "tuple[_Way, ...] | None" = None


def verdict(state: Any, line: str) -> tuple[Any, str]:
    """Return the move of a line, and why it can't be made; "" if it can."""
    try:
        move = state.game.parse(line, state)
    except RulesError as error:
        return None, str(error)
    return move, state.objection(move) or ""


def common_start(words: Sequence[str]) -> str:
    first, last = min(words), max(words)
    same = next((at for at, sign in enumerate(first) if last[at : at + 1] != sign), len(first))
    return first[:same]


def half_made(state: Any, line: str) -> Half:
    """Return the half-made move of a line at a prompt, for a user interface."""
    if state.turn is None:
        return Half(*verdict(state, line), line=line)
    read = type(state).reads or read_steps
    return read(state, line)


def read_steps(state: Any, line: str) -> Half:
    """Read a line as steps, as far as it goes, and the places behind them in any order."""
    move, why = verdict(state, line) if line else (None, "")
    steps, before = _read(state, line)
    made = [way for at, step in enumerate(steps) for way in _ways(state, steps[:at]) if way.step == step]
    ways, rest = _ways(state, steps), line[len(before) :]
    named = tuple(filter(state.scene().places.__contains__, _SQUARE.findall(rest)))
    fitting = [way for way in ways if {*named} <= {*way.places}]
    words = tuple(dict.fromkeys(way.line for way in _all(ways) if way.line.startswith(line) and way.line != line))
    first = next((at for at, way in enumerate(made) if way.places), len(steps))
    cuts = {place: way.line for way in made[::-1] for place in way.places}
    picks = _picks(_ways(state, steps[:first]), ()) | cuts | _picks(fitting, named)
    path = (*(place for way in made if way.word.startswith(way.places[:1]) for place in way.places), *named)
    shorter = before if rest else state.phrase(steps[:-1])
    begins = bool(words or (named and fitting) or (ways and not rest))
    if not begins and (why or move is None):
        return Half(move, why, path=path, picks=picks, shorter=shorter, line=line)
    # a move of one step can be replaced by any other one
    shown = _ways(state, ()) if len(steps) == 1 and not ways else fitting
    nexts = frozenset(place for way in shown for place in _next_places(way, named))
    choices = tuple(islice(_choices(shown), None if steps and ways else _MOST_CHOICES))
    wants = None if move or rest.endswith(named[-1:]) else ""
    return Half(move, why, begins, wants, path, picks, nexts, choices, words, shorter, line)


def _read(state: Any, line: str) -> tuple[tuple[int, ...], str]:
    """Return the steps at the beginning of a line, and the text that they are read from."""
    steps, before = _walked(state, line, (), "")
    if before == line or any(way.line.startswith(line) for way in _ways(state, steps)):
        return steps, before
    # what is written in another way than a phrase, such as clauses in another order, the game reads as a whole move
    for head in (line[: space.start()] for space in reversed([*re.finditer(" |$", line)])):
        if len(head) > len(before) and (known := _steps_of(state, head)):
            return _walked(state, line, known, head)
    return steps, before


def _walked(state: Any, line: str, steps: tuple[int, ...], before: str) -> tuple[tuple[int, ...], str]:
    """Go on with the steps whose phrases the line begins with: of two the longer one."""
    while before != line:
        ways = _ways(state, steps)
        way = max((way for way in ways if _begins(line, way.line, before)), key=lambda way: len(way.line), default=None)
        way = way or next((way for way in ways if any(_begins(line, later.line) for later in way.later or ())), None)
        if way is None:
            break
        steps, before = (*steps, way.step), way.line
    return steps, before


def _begins(line: str, phrase: str, before: str | None = None) -> bool:
    """Return whether a line begins with a phrase, which is longer than what was read `before`; without that, it may
    also be the beginning of one.
    """
    if before is None and phrase.startswith(line):
        return True
    return len(before or "") < len(phrase) and line.startswith(phrase) and not line[len(phrase) :][:1].isalnum()


def _steps_of(state: Any, text: str) -> tuple[int, ...]:
    """Return the steps of a move's text; none unless all of them are legal."""
    try:
        steps = state.steps(state.game.parse(text, state)) or ()
    except RulesError:
        return ()
    return tuple(steps) if all(step in state.next_steps(steps[:at]) for at, step in enumerate(steps)) else ()


@lru_cache(maxsize=32)
def _ways(state: Any, steps: tuple[int, ...]) -> tuple[_Way, ...]:
    """Return the ways on behind these steps."""
    known, before, ways = state.scene().places, state.phrase(steps), []
    for step in state.next_steps(steps)[:MOST_WAYS]:
        word, line = state.word(steps, step), state.phrase((*steps, step))
        places = (word,) if word in known else tuple(filter(known.__contains__, _SQUARE.findall(word)))
        ways.append(_Way(step, word, places, line, _ways(state, (*steps, step)) if line == before else None))
    return tuple(ways)


def _all(ways: Iterable[_Way]) -> Iterator[_Way]:
    """Yield the ways, and those behind a step that the line does not show."""
    for way in ways:
        yield way
        yield from way.later or ()


def _choices(ways: Iterable[_Way]) -> Iterator[tuple[str, str]]:
    """Yield lines for what is no place, with short names; for places behind a hidden step, what they share."""
    for way in ways:
        if way.later is None:
            yield from [(way.word, way.line)] * (not way.places)
        elif any(later.places for later in way.later):
            words, lines = zip(*((later.word, later.line) for later in way.later), strict=True)
            yield f"{common_start(words)}...", common_start(lines)
        else:
            yield from _choices(way.later)


def _next_places(way: _Way, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the places of a step that could be picked next: its target first."""
    return tuple(place for place in way.places if place not in named) if named else way.places[-1:]


def _picks(ways: Iterable[_Way], named: tuple[str, ...]) -> dict[str, str]:
    """Return by place the line of the only step with it or to it; otherwise the common beginning of such steps."""
    having: dict[str, list[_Way]] = {}
    for way in ways:
        for place in dict.fromkeys(way.places):
            having.setdefault(place, []).append(way)
    picks = {}
    for place, fitting in having.items():
        ends = [way for way in fitting if way.places[-1] == place]
        if len(fitting) == 1 or (len(ends) == 1 and {*named} <= {place}):
            picks[place] = (fitting if len(fitting) == 1 else ends)[0].line
        else:
            common = common_start([way.line for way in fitting])
            picks[place] = common if {*named, place} <= set(_SQUARE.findall(common)) else place
    return picks
