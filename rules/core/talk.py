"""The words of a game at the table: the meaning of a half-made move, the effects of a move, the deciding criteria.

The line at a prompt is the move in the making, however it is made: a cursor key, a finger and the mouse write notation
there. So a user interface shows a `Half`, continues with its lines, and knows no game. If a move is one step, the list
of legal moves gives everything (`listed_half`); if a move is several steps, their words do (`stepped_half`). A game
with a notation of its own brings a reader of its own (`State.reads`).

A game tells effects in its own terms (`State.story`, `State.criteria`), and names no player: an interface says "Ann
scores 27" or "you score 27". Nothing here is part of a position, a record or a digest.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from quadrille.rules.errors import Ambiguous, RulesError
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
    for one, other in zip(ahead, behind, strict=True):
        if one.value != other.value:
            return Margin(one.name, one.value, other.value, one.is_count)
    return None


def counted(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun: `1 dollar`, `3 dollars`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


# Half-made moves

#: Maximum legal moves that are searched.
MOST_MOVES: Final = 4000
_MOST_CHOICES: Final = 12
_SQUARE: Final = re.compile(r"[a-z][1-9][0-9]?")


@value
class Half:
    """The meaning of a line in a position where a seat owes a move.

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


def verdict(state: Any, line: str) -> tuple[Any, str]:
    """Return the move of a line, and why it can't be made; "" if it can."""
    try:
        move = state.game.parse(line, state)
    except RulesError as error:
        return None, str(error)
    return move, state.objection(move) or ""


def longer(line: str, lines: Iterable[str]) -> tuple[str, ...]:
    """Return the lines that begin with this one, without repetitions."""
    return tuple(sorted({other for other in lines if other.startswith(line) and other != line}))


def common_start(words: Sequence[str]) -> str:
    first, last = min(words), max(words)
    same = next((at for at, sign in enumerate(first) if last[at : at + 1] != sign), len(first))
    return first[:same]


# Moves of one step, which can be listed


@value
class _Listed:
    """A legal move: its text, and the places in the text."""

    text: str
    places: tuple[str, ...]


@lru_cache(maxsize=8)
def _listed(state: Any) -> tuple[_Listed, ...]:
    known = state.scene().places
    texts = map(str, islice(state.moves, MOST_MOVES))
    return tuple(_Listed(text, tuple(name for name in _SQUARE.findall(text) if name in known)) for text in texts)


def listed_half(state: Any, line: str) -> Half:
    """Compare a line with the list of legal moves."""
    moves, named = _listed(state), tuple(_SQUARE.findall(line))
    choices = tuple((move.text, move.text) for move in islice((m for m in moves if not m.places), _MOST_CHOICES))
    words = tuple(move.text for move in moves if move.text.startswith(line) and move.text != line)
    fitting = [move for move in moves if set(named) <= set(move.places)]
    nexts = frozenset(place for move in fitting for place in _next_places(move, named))
    picks = _picks(moves, ()) | _picks(fitting, named)
    if not line:
        return Half(begins=True, picks=picks, nexts=nexts, choices=choices, words=words)
    try:
        move = state.game.parse(line, state)
    except Ambiguous as error:
        return Half(None, str(error), True, None, named, picks, nexts, choices, words)
    except RulesError as error:
        if words:
            return Half(None, str(error), True, "", named, picks, nexts, choices, words)
        return Half(None, str(error), picks=picks)
    why = state.objection(move) or ""
    if why and words:
        return Half(move, why, True, None, named, picks, nexts, choices, words)
    if not why:  # alternatives to the last place are still shown
        nexts = frozenset(place for other in moves for place in _next_places(other, ()))
    return Half(move, why, False, None, tuple(_SQUARE.findall(str(move))), picks, nexts, choices, words)


def _next_places(move: _Listed, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the places of a move that could be picked next: its target first."""
    if not named:
        return move.places[-1:]
    return tuple(place for place in move.places if place not in named)


def _picks(moves: Iterable[_Listed], named: tuple[str, ...]) -> dict[str, str]:
    """Return by place the line of the only move with it or to it; otherwise the common beginning of such moves."""
    having: dict[str, list[_Listed]] = {}
    for move in moves:
        for place in dict.fromkeys(move.places):
            having.setdefault(place, []).append(move)
    picks = {}
    for place, fitting in having.items():
        ends = [move for move in fitting if move.places[-1] == place]
        if len(fitting) == 1 or (len(ends) == 1 and {*named} <= {place}):
            picks[place] = (fitting if len(fitting) == 1 else ends)[0].text
        else:
            common = common_start([move.text for move in fitting])
            picks[place] = common if {*named, place} <= set(_SQUARE.findall(common)) else place
    return picks


# Moves of several steps, whose words make the line


def stepped_half(state: Any, line: str) -> Half:
    """Read a line of the words of steps; the last word may be incomplete."""
    steps, texts, rest = _read(state, line)
    before = " ".join(texts)
    places = state.scene().places
    picks, choices, lines = _following(state, steps, before, places)
    nexts = frozenset(picks)
    for at, text in enumerate(texts):
        if text in places:
            picks.setdefault(text, " ".join(texts[: at + 1]))
    picks = _following(state, [], "", places)[0] | picks
    path = tuple(text for text in texts if text in places)
    words, fits = longer(line, lines), not rest or any(other.startswith(line) for other in lines)
    shorter = before if rest else " ".join(texts[:-1])
    move, why = verdict(state, line) if line else (None, "")
    if not fits:
        return Half(move, why, path=path, picks=picks, shorter=shorter)
    return Half(move, why, bool(lines), "", path, picks, nexts, choices, words, shorter)


def _read(state: Any, line: str) -> tuple[list[int], list[str], str]:
    """Return the steps at the beginning of a line, their words, and the rest of the line."""
    steps: list[int] = []
    texts: list[str] = []
    while line:
        known = {state.word(steps, step): step for step in state.next_steps(steps)}
        text = max((word for word in known if f"{line} ".startswith(f"{word} ")), key=len, default="")
        if not text:
            break
        steps.append(known[text])
        texts.append(text)
        line = line[len(text) + 1 :]
    return steps, texts, line


def _following(
    state: Any, steps: list[int], before: str, places: frozenset[str]
) -> tuple[dict[str, str], tuple[tuple[str, str], ...], list[str]]:
    """Return the lines with one more step: by place, with short names for other steps, and all of them."""
    picks: dict[str, str] = {}
    choices, lines = [], []
    for step in state.next_steps(steps):
        word = state.word(steps, step)
        lines.append(f"{before} {word}".lstrip())
        if word in places:
            picks[word] = lines[-1]
        else:
            choices.append((word, lines[-1]))
    return picks, tuple(choices), lines
