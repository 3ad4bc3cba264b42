"""The worth of the moves of a match: proved where the rest of the game can be searched, else estimated by playouts.

A mistake and its size are defined here and nowhere else. See client/words/analysis.py for the sentences.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any, Final, TypeAlias

from quadrille.ai.tournament.results import half_points
from quadrille.rules.core import Move, State
from quadrille.rules.core.thoughts import Reason
from quadrille.rules.match import Match, Played
from quadrille.rules.search import Position, Proof, TreeSearch
from quadrille.rules.search.views import view
from quadrille.value import value

#: Work for each move: maximum positions of a proof, and simulations.
POSITIONS: Final = 30_000
SIMULATIONS: Final = 1000
#: Minimum fall that is reported if playouts found it, and its minimum in standard errors.
FALL: Final = 0.25
ERRORS: Final = 2.5
#: The signs of mistakes: what was won is lost, and anything less.
DECIDES: Final = "??"
GIVES_AWAY: Final = "?"
#: Maximum unsolved positions in a row, from the end back; above it no proof is tried.
PATIENCE: Final = 2
_ALL: Final = 1_000_000
#: The arguments of `tried`.
Estimate: TypeAlias = tuple[State[Any, Any], int, Move, int, int]


@value
class Verdict:
    """The effect of a move: the mover's value of the position, from -1 to 1, before and after it.

    Both values are proved if `certain`; else `tried` games estimate them. `error` is then the standard error of the
    fall, and `spread` that of the value before. `after` is None if the search never considered the move. The `reason`
    tells the better move from the one made.
    """

    ply: int
    seat: int
    move: str
    before: float
    after: float | None
    certain: bool
    error: float
    tried: int
    better: str
    spread: float = 0.0
    reason: Reason | None = None

    @property
    def fall(self) -> float | None:
        """The value that the move gave away; None if it is unknown."""
        return None if self.after is None else max(0.0, self.before - self.after)

    @property
    def is_mistake(self) -> bool:
        fall = self.fall
        if fall is None or self.better == self.move:
            return False
        return fall > 0 if self.certain else fall >= FALL and fall >= ERRORS * self.error

    @property
    def decides(self) -> bool:
        """Return whether the mover was ahead before the move and is behind after it."""
        return self.is_mistake and self.before > 0 > (self.after or 0)

    @property
    def sign(self) -> str:
        """The sign of the mistake by its size; "" for none."""
        return DECIDES if self.decides else GIVES_AWAY if self.is_mistake else ""


def mistakes(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Sort the mistakes, the greatest first."""
    return sorted(
        (verdict for verdict in verdicts if verdict.is_mistake), key=lambda verdict: (-(verdict.fall or 0), verdict.ply)
    )


def judged(
    match: Match, seats: Collection[int] | None = None, end: int | None = None, *, positions: int = POSITIONS,
    simulations: int = SIMULATIONS, crew: Executor | None = None,
) -> Iterator[Verdict]:  # fmt: skip
    """Judge the moves of a match, or of these seats, from the last one back, because ends are solved first.

    `end` leaves out the entries from that number on. Another process estimates every other move where there is a
    `crew`. Its count and its seed decide what it finds, so the verdicts are the same without it.
    """
    proof: Proof | None = None
    failed = 0
    asked: tuple[Estimate, Future[Verdict]] | None = None
    for number in range((match.length if end is None else end) - 1, -1, -1):
        entry = match.entries[number]
        if not isinstance(entry, Played) or (seats is not None and entry.seat not in seats):
            continue
        before = match.before(number)
        position = Position(before.state)
        ply = before.ply + 1
        verdict_found = None
        if can_be_proved(position) and failed < PATIENCE:
            proof = proof or Proof(position)
            verdict_found = proved(proof, position, entry.move, ply, positions)
            failed = 0 if verdict_found else failed + 1
        estimate = (before.state, entry.seat, entry.move, ply, simulations)
        if verdict_found is None and crew is not None and asked is None:
            asked = estimate, crew.submit(tried, *estimate)
            continue
        verdict_found = verdict_found or tried(*estimate)
        if asked is not None:
            yield _told(*asked)
            asked = None
        yield verdict_found
    if asked is not None:
        yield _told(*asked)


def _told(estimate: Estimate, second: "Future[Verdict]") -> Verdict:
    """Return the verdict of another process; estimate it here if that process was lost."""
    return second.result() if second.exception() is None else tried(*estimate)


def can_be_proved(position: Position) -> bool:
    """Return whether it is a game of two seats who see everything."""
    return position.seats == 2 and not position.hidden and not position.chance


def proved(proof: Proof, position: Position, move: Move, ply: int, positions: int) -> Verdict | None:
    """Return a proved verdict; None if the proof needs more positions."""
    proof.stand(position)
    if proof.go_on(positions):
        return None
    seat, before, better = position.seat, proof.found.value, str(position.move(proof.turn()))
    assert seat is not None
    after = proof.payoff(played(position, move), seat, positions)
    return after if after is None else Verdict(ply, seat, str(move), before, after, True, 0.0, 0, better)


def played(position: Position, move: Move) -> Position:
    later = position.copy()
    for step in position.steps(move):
        later.apply_quickly(step)
    return later


def tried(state: State[Any, Any], seat: int, move: Move, ply: int, simulations: int) -> Verdict:
    """Estimate a verdict by playouts from the seat's own view."""
    position = Position(state.view(seat))
    others = position.seats - 1
    steps = position.steps(move)
    search = TreeSearch(position, ply)
    search.go_on(simulations)
    best = search.turn()
    visits, value = search.seen(best)
    count, after = search.seen(steps)
    if best != steps:
        if can_be_proved(position):
            count, after = tried_after(played(position, move), seat, ply, simulations)
        else:
            (visits, value), (count, after) = compared(position, best, steps, ply, simulations)
    better = position.move(best)
    verdict = Verdict(
        ply,
        seat,
        str(move),
        value / _ALL / others,
        after / _ALL / others if count else None,
        False,
        (1 / max(visits, 1) + 1 / max(count, 1)) ** 0.5,
        simulations,
        str(better),
        1 / max(visits, 1) ** 0.5,
    )
    worth = view("worth", state.game.key) if verdict.is_mistake else None
    return verdict if worth is None else replace(verdict, reason=worth(state, better, move))


def tried_after(later: Position, seat: int, ply: int, simulations: int) -> tuple[int, int]:
    """Return the number of playouts after a move, and the mover's total in millionths."""
    if later.over:
        return simulations, _ALL * later.payoffs()[seat]
    search = TreeSearch(later, ply)
    search.go_on(simulations)
    visits, value = search.seen(search.turn())
    return visits, value if later.seat == seat else -value


def compared(
    position: Position, best: list[int], steps: list[int], ply: int, simulations: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Try the best turn and another one with all simulations: for each the trials and the average.

    A tree of all moves tries a bad one too seldom to say how bad it is, or leaves it out.
    """
    search = TreeSearch(position, ply)
    search.compare(best, steps)
    search.go_on(simulations)
    return search.seen(best), search.seen(steps)


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


def turns(match: Match) -> list[int]:
    """Return the numbers of the entries that are moves: the first move's first."""
    return [number for number, entry in enumerate(match.entries) if isinstance(entry, Played)]


def courses(match: Match, verdicts: Sequence[Verdict]) -> tuple[GameCourse, ...]:
    """Return one course of a match if two seats see everything, otherwise one for each seat, by its own turns.

    `verdicts` has the verdict on each move, in order.
    """
    judged_turns = list(zip(turns(match), verdicts, strict=True))
    seats = range(match.state.seats)
    shared = len(seats) == 2 and not match.game.hidden
    return tuple(
        GameCourse(seat, against, (*_points(judged_turns, seat, against), *_end(match, judged_turns, seat, against)))
        for seat, against in ([(0, 1)] if shared else [(seat, None) for seat in seats])
    )


def _points(turns: Sequence[tuple[int, Verdict]], seat: int, against: int | None) -> Iterator[CoursePoint]:
    """Yield the values to a seat before its own turns, and before those of the seat that it plays against."""
    for number, verdict in turns:
        if verdict.seat in (seat, against):
            value = _within(verdict.before if verdict.seat == seat else -verdict.before)
            yield CoursePoint(number, value, verdict.spread, verdict.certain, verdict.sign, verdict.seat)


def _end(match: Match, turns: Sequence[tuple[int, Verdict]], seat: int, against: int | None) -> Iterator[CoursePoint]:
    """Yield the result; for an unfinished game, the value after the last move if the seat knows it."""
    last = turns[-1][1] if turns else None
    if over := match.over:
        others = len(over.places) - 1
        yield CoursePoint(match.length, half_points(over.places)[seat] / others - 1, mover=seat)
    elif last is not None and last.after is not None and last.seat in (seat, against):
        value = _within(last.after if last.seat == seat else -last.after)
        yield CoursePoint(match.length, value, last.error, last.certain, mover=seat)


def _within(worth: float) -> float:
    """Clamp a value: its part for margins may lead a little beyond a won game."""
    return max(-1.0, min(1.0, worth))
