"""Proven payoffs of positions in a tree of openings, with bounded work: by the rules, the half turn, or a search.

The work is counted in positions, so the same games give the same answer everywhere.
"""

from typing import Final, NamedTuple

from quadrille.extras.study.openings.tree import MoveNode
from quadrille.rules.core import Over, ToMove
from quadrille.rules.search import Position, Proof, turner

#: Entries of the table of proofs.
_PLACES: Final = 1 << 16


class ProvenPayoff(NamedTuple):
    """The payoffs that a seat of two can get with perfect play: from `least` to `most`, 1 for a win, 0 for a share."""

    least: int
    most: int

    def __str__(self) -> str:
        """Write the result in a word or two."""
        if self.least == self.most:
            return {1: "wins", 0: "ties", -1: "loses"}[self.least]
        return "at least ties" if self.least == 0 else "at most ties"


class BoundedProofs:
    """Proofs of positions of one game, each of at most so many positions; their table stays warm."""

    def __init__(self, positions: int) -> None:
        self._positions = positions
        self._proof: Proof | None = None

    def of(self, node: MoveNode) -> ProvenPayoff | None:
        """Return the payoff of the node's seat; None if it is open."""
        found = self._of_a_seat(node)
        if found is None:
            return None
        seat, least, most = found
        return ProvenPayoff(least, most) if seat == node.seat else ProvenPayoff(-most, -least)

    def _of_a_seat(self, node: MoveNode) -> tuple[int, int, int] | None:
        """Return a seat, and its payoff at least and at most."""
        state = node.state
        if state.seats != 2 or state.game.hidden:
            return None
        pending = state.pending
        if isinstance(pending, Over):
            ended = int(state.board.payoff(0))
            return 0, ended, ended
        if not isinstance(pending, ToMove):
            return None
        position, seat = Position(state), int(pending.seat)
        if (turned := position.half_turn()) is not None and turned.payoff > 0:
            return seat, 1, 1
        first = turner(state) if not node.steps else None
        if first is not None and first[1] == 1:
            return *first, 1
        if (payoff := self._searched(position, seat)) is not None:
            return seat, payoff, payoff
        if turned is not None:
            return seat, turned.payoff, 1
        return (*first, 1) if first is not None else None

    def _searched(self, position: Position, seat: int) -> int | None:
        """Prove the payoff of the seat to move; None if it takes more positions."""
        if not self._positions:
            return None
        if self._proof is None:
            self._proof = Proof(position, _PLACES)
        return self._proof.payoff(position, seat, self._positions)
