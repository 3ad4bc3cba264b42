"""The course of a game: what it was worth to a seat from position to position, and how certain that is."""

from collections.abc import Sequence

from quadrille.client.analysis.verdicts import Verdict
from quadrille.rules.core import Over
from quadrille.rules.match import Match, Played
from quadrille.value import value


@value
class CoursePoint:
    """The value of a position to a seat, from -1 to 1; with a standard error unless it is proved.

    `entries` is the number of entries before the position, and `mistake` the sign of the move that leads from it.
    """

    entries: int
    value: float
    error: float = 0.0
    proved: bool = True
    mistake: str = ""
    mover: int = 0


@value
class GameCourse:
    """The values of a game to a seat. `against` is the other seat of two, to whom they are the opposite, or None."""

    seat: int
    against: int | None
    points: tuple[CoursePoint, ...]


def courses(match: Match, found: Sequence[Verdict]) -> tuple[GameCourse, ...]:
    """Return one course of a match if two seats see everything, otherwise one for each seat, by its own turns.

    `found` has the verdict on each move, in order.
    """
    numbers = [number for number, entry in enumerate(match.entries) if isinstance(entry, Played)]
    turns = list(zip(numbers, found, strict=True))
    seats = range(match.state.seats)
    if len(seats) == 2 and not match.game.hidden:
        points = [_point(number, one, 1 if one.seat == 0 else -1) for number, one in turns]
        return (GameCourse(0, 1, (*points, *_end(match, 0, turns))),)
    return tuple(
        GameCourse(
            seat,
            None,
            (*(_point(number, one, 1) for number, one in turns if one.seat == seat), *_end(match, seat, turns)),
        )
        for seat in seats
    )


def _point(number: int, one: Verdict, side: int) -> CoursePoint:
    return CoursePoint(number, _within(side * one.before), one.spread, one.certain, one.sign, one.seat)


def _end(match: Match, seat: int, turns: Sequence[tuple[int, Verdict]]) -> list[CoursePoint]:
    """Return the result; for an unfinished game, the value after the last move if the seat knows it."""
    if over := match.over:
        return [CoursePoint(match.length, _worth(over, seat), mover=seat)]
    last = turns[-1][1] if turns else None
    if last is None or last.after is None or (last.seat != seat and (match.state.seats > 2 or match.game.hidden)):
        return []
    side = 1 if last.seat == seat else -1
    return [CoursePoint(match.length, _within(side * last.after), last.error, last.certain, mover=seat)]


def _worth(over: Over, seat: int) -> float:
    """Subtract the seats ahead from the seats behind, as a part of all others."""
    own = over.places[seat]
    return sum((place > own) - (place < own) for place in over.places) / (len(over.places) - 1)


def _within(worth: float) -> float:
    """Clamp a value: its part for margins may lead a little beyond a won game."""
    return max(-1.0, min(1.0, worth))
