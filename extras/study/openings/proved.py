"""Proven payoffs of positions in a tree of openings, with bounded work: by the rules, the half turn, or a search.

The work is counted in positions, so the same games give the same answer everywhere.
"""

from typing import Any, Final

from quadrille.extras.study.certificates.certificate import ClaimedPosition
from quadrille.extras.study.certificates.writing import by_half_turn
from quadrille.extras.study.openings.lines import ProvenPayoff
from quadrille.extras.study.openings.tree import MoveNode
from quadrille.rules.core import Over, State, ToMove
from quadrille.rules.errors import RulesError
from quadrille.rules.search import Position, Proof

#: Entries of the table of proofs.
_PLACES: Final = 1 << 16


class BoundedProofs:
    """Proofs of positions of one game, each of at most so many positions; their table stays warm."""

    def __init__(self, positions: int) -> None:
        self._positions = positions
        self._proof: Proof | None = None

    def of(self, node: MoveNode) -> ProvenPayoff | None:
        """The payoff of the node's seat; None if it is open."""
        found = self._to_move(node)
        return None if found is None else found[1].of(node.seat, found[0])

    def _to_move(self, node: MoveNode) -> tuple[int, ProvenPayoff] | None:
        """A seat, and its payoff."""
        state = node.state
        if state.seats != 2 or state.game.hidden:
            return None
        pending = state.pending
        if isinstance(pending, Over):
            ended = int(state.board.payoff(0))
            return 0, ProvenPayoff(ended, ended)
        if not isinstance(pending, ToMove):
            return None
        position, seat = Position(state), int(pending.seat)
        if (turned := position.half_turn()) is not None and turned.payoff > 0:
            return seat, ProvenPayoff(1, 1)
        first = _first(state) if not node.steps else None
        if first is not None and first[1].least == first[1].most:
            return first
        if (payoff := self._searched(position, seat)) is not None:
            return seat, ProvenPayoff(payoff, payoff)
        return (seat, ProvenPayoff(turned.payoff, 1)) if turned is not None else first

    def _searched(self, position: Position, seat: int) -> int | None:
        """The payoff of the seat to move; None if it takes more positions."""
        if not self._positions:
            return None
        if self._proof is None:
            self._proof = Proof(position, _PLACES)
        return self._proof.payoff(position, seat, self._positions)


def _first(state: State[Any, Any]) -> tuple[int, ProvenPayoff] | None:
    """The payoff that the half turn settles in a first position."""
    try:
        certificate = by_half_turn(ClaimedPosition.of(state.game, state.options, state.seats, ()))
    except RulesError:
        return None
    if certificate is None:
        return None
    claim = certificate.claims[0]
    return claim.seat, ProvenPayoff(claim.payoff, 1)
