"""Barons for two as a prover sees it: the lead at stake, and not the squares (barons_stakes.py)."""

from typing import Final

from quadrille.extras.study.boards.barons_ground import BaronsGround
from quadrille.extras.study.boards.barons_stakes import BaronsStakes
from quadrille.rules.board import OVER
from quadrille.rules.games.barons.board import UNCLAIMED
from quadrille.rules.games.barons.search import SearchedBarons
from quadrille.rules.ints import i64, mypyc_attr

#: Claims to come, from which on a prover looks at what is known after each.
FORESEEN: Final = 4


@mypyc_attr(allow_interpreted_subclasses=True)
class ProvenBarons(SearchedBarons):
    """A board whose results with two seats are leads in half points."""

    __slots__ = ()

    def apply(self, move: i64) -> None:
        """Claim a square, and tell the stakes."""
        if self.images is not None:
            self.images.toggle(move, self.turn)
        super().apply(move)

    def undo(self) -> None:
        """Take back the last claim, and tell the stakes."""
        move = self.moves[self.free]
        if self.images is not None:
            self.images.toggle(move, self.owner[move])
        super().undo()

    def keep_images(self) -> None:
        """Keep the stakes, with two seats; their keys are those of the board, mirrored and turned."""
        if not self.is_duel():
            return
        stakes = self.images
        if stakes is None:
            stakes = BaronsStakes(BaronsGround(self.squares // self.height, self.height, self.prices, full=self.full))
        stakes.clear()
        for square in range(self.squares):
            if self.owner[square] != UNCLAIMED:
                stakes.toggle(square, self.owner[square])
        self.images = stakes

    def outcome(self, seat: i64) -> i64:
        """Return the lead, in half points, with two seats."""
        return 2 * (self.score(seat) - self.score(1 - seat)) if self.is_duel() else self.payoff(seat)

    def settled(self, seat: i64) -> i64:
        """Return the lead by the weights of the claimed squares."""
        stakes = self.images
        if not isinstance(stakes, BaronsStakes):
            return 0
        return -stakes.lead if seat else stakes.lead

    def matters(self) -> i64:
        """Return the key of all that can still change the lead."""
        stakes = self.images
        return stakes.matters(self.turn) if isinstance(stakes, BaronsStakes) else self.alike()

    def secured(self, seat: i64) -> i64:
        """Return the lead that pairs of squares make sure of."""
        stakes = self.images
        return stakes.secured(seat, self.turn) if isinstance(stakes, BaronsStakes) else super().secured(seat)

    def sifted(self) -> i64:
        """List the moves, with one for all squares whose place does not matter and that are alike."""
        stakes = self.images
        if not isinstance(stakes, BaronsStakes):
            return self.legal()
        moves = self.moves
        kept: i64 = 0
        for place in range(self.legal()):
            move = moves[place]
            if stakes.is_first(move, anew=place == 0):
                other = moves[kept]
                moves[place] = other
                self.where[other] = place
                moves[kept] = move
                self.where[move] = kept
                kept += 1
        return kept

    def foresees(self) -> bool:
        """Return True with a square left over, until few are left."""
        stakes = self.images
        return isinstance(stakes, BaronsStakes) and stakes.ground.leaves_one and stakes.left >= FORESEEN

    def haste(self, move: i64) -> i64:
        """Put squares with most at stake first."""
        stakes = self.images
        if not isinstance(stakes, BaronsStakes):
            return self.touch(move)
        return stakes.haste(move, self.turn, self.moves[self.free] if self.free < self.squares else OVER)
