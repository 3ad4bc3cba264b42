"""The worth of every move of a match: proved where the rest of the game can be searched, else estimated by playouts.

See client/commands/analyse.py for the output.
"""

from dataclasses import replace
from typing import Final

from quadrille.ai.opponents.learned import evaluation_for
from quadrille.client.value import value
from quadrille.rules.core import Move, State
from quadrille.rules.core.reasons import Reason
from quadrille.rules.learned.reasons import worth
from quadrille.rules.match import Match, Played
from quadrille.rules.search import Position, Proof, TreeSearch

#: Minimum fall that is reported if playouts found it, and its minimum in standard errors.
FALL: Final = 0.25
ERRORS: Final = 2.5
#: Maximum unsolved positions in a row, from the end back; above it no proof is tried.
PATIENCE: Final = 2
_ALL: Final = 1_000_000


@value
class Verdict:
    """The effect of a move: the mover's value of the position, from -1 to 1, before and after it.

    Both values are proved if `certain`; else `tried` games estimate them, with `error` as the fall's standard error.
    `after` is None if the search never considered the move. The `reason` tells the better move from the one made.
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
        """Whether the mover was ahead before the move and is behind after it."""
        return self.is_mistake and self.before > 0 > (self.after or 0)


def verdicts(match: Match, *, positions: int, simulations: int) -> list[Verdict]:
    """Judge every move of a match, in order. The work goes back from the last move, because ends are solved first."""
    found: list[Verdict] = []
    proof: Proof | None = None
    failed = 0
    for number in range(len(match.entries) - 1, -1, -1):
        entry = match.entries[number]
        if not isinstance(entry, Played):
            continue
        before = match.before(number)
        position = Position(before.state)
        ply = before.ply + 1
        verdict = None
        if position.seats == 2 and not position.hidden and failed < PATIENCE:
            proof = proof or Proof(position)
            verdict = proved(proof, position, entry, ply, positions)
            failed = 0 if verdict else failed + 1
        found.append(verdict or tried(before.state, entry, ply, simulations))
    return found[::-1]


def proved(proof: Proof, position: Position, entry: Played, ply: int, positions: int) -> Verdict | None:
    """Return a proved verdict; None if the proof needs more positions."""
    proof.stand(position)
    if proof.go_on(positions):
        return None
    before, better = proof.found.value, str(position.move(proof.turn()))
    after = proof.payoff(played(position, entry.move), entry.seat, positions)
    return after if after is None else Verdict(ply, entry.seat, str(entry.move), before, after, True, 0.0, 0, better)


def played(position: Position, move: Move) -> Position:
    later = position.copy()
    for step in position.steps(move):
        later.apply_quickly(step)
    return later


def tried(state: State[object, Move], entry: Played, ply: int, simulations: int) -> Verdict:  # type: ignore[type-var]
    """Estimate a verdict by playouts from the seat's own view."""
    position = Position(state.view(entry.seat))
    others = position.seats - 1
    search = TreeSearch(position, ply)
    search.go_on(simulations)
    best = search.turn()
    visits, value = search.seen(best)
    count, after = search.seen(position.steps(entry.move))
    if count and position.seats == 2 and not position.hidden and best != position.steps(entry.move):
        count, after = tried_after(played(position, entry.move), entry.seat, ply, simulations)
    error = (1 / max(visits, 1) + 1 / max(count, 1)) ** 0.5
    better = position.move(best)
    found = Verdict(
        ply,
        entry.seat,
        str(entry.move),
        value / _ALL / others,
        after / _ALL / others if count else None,
        False,
        error,
        simulations,
        str(better),
    )
    evaluation = evaluation_for(state) if found.is_mistake else None
    return found if evaluation is None else replace(found, reason=worth(evaluation, state, better, entry.move))


def tried_after(later: Position, seat: int, ply: int, simulations: int) -> tuple[int, int]:
    """Return the number of playouts after a move, and the mover's total in millionths."""
    if later.over:
        return simulations, _ALL * later.payoffs()[seat]
    search = TreeSearch(later, ply)
    search.go_on(simulations)
    visits, value = search.seen(search.turn())
    return visits, value if later.seat == seat else -value
