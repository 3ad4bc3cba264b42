"""Exercises: the positions before own mistakes. A position that was met in several games is one exercise."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from quadrille.client.value import value
from quadrille.rules.match import Match, Played

if TYPE_CHECKING:  # a screen starts before any move is judged
    from quadrille.client.analysis.verdicts import Verdict


@value
class Exercise:
    """A position before a mistake: the match up to it, the seat that erred, and the verdict on its move.

    `key` is the same for the same position as the seat knows it. `names` are those of all seats, "" for unknown ones;
    `where` says when and where the game was played.
    """

    key: str
    match: Match
    seat: int
    known: "Verdict"
    names: tuple[str, ...] = ()
    where: str = ""


def position_key(match: Match, seat: int) -> str:
    """A number of the position that a seat knows, in hexadecimal digits."""
    state = match.state.view(seat)
    left = list(state.board.left)
    facts = (match.game.key, match.game.rules, sorted(state.options.plain().items()), state.seats, seat, left)
    return hashlib.sha256(repr((*facts, state.plain())).encode()).hexdigest()[:32]


def turns(match: Match) -> list[int]:
    """The numbers of the entries that are moves: the first move's first."""
    return [number for number, entry in enumerate(match.entries) if isinstance(entry, Played)]


def exercises(match: Match, found: "Sequence[Verdict]") -> Iterator[Exercise]:
    """The exercises of a match: those verdicts that are mistakes."""
    numbers = turns(match)
    for known in found:
        if known.is_mistake:
            before = match.before(numbers[known.ply - 1])
            yield Exercise(position_key(before, known.seat), before, known.seat, known)
