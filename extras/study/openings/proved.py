"""Proven payoffs of positions in a tree of openings, with bounded work: by the rules, the half turn, or a search.

The work is counted in positions, so the same games give the same answer everywhere.
"""

from typing import Final, NamedTuple

from quadrille.extras.study.openings.tree import MoveNode
from quadrille.rules.core import ToDraw
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
        state, seat = node.state, node.seat
        if state.seats != 2 or state.game.hidden or isinstance(state.pending, ToDraw):
            return None
        position = Position(state)
        if position.over:
            return ProvenPayoff(position.payoffs()[seat], position.payoffs()[seat])
        least = [-1, -1]  # what each seat gets at least, by theorems
        if (turned := position.half_turn()) is not None:
            least[state.board.turn] = turned.payoff
        if not node.steps and (first := turner(state)) is not None:
            least[first[0]] = max(least[first[0]], first[1])
        if 1 not in least and self._positions:
            self._proof = self._proof or Proof(position, _PLACES)
            if (payoff := self._proof.payoff(position, seat, self._positions)) is not None:
                return ProvenPayoff(payoff, payoff)
        return ProvenPayoff(least[seat], -least[1 - seat]) if max(least) > -1 else None
