"""The search of a board with traits (rules/engine/pursuit.py), for programs."""

import sys

from quadrille.rules.board import Board
from quadrille.rules.engine.pursuit import DEEPEST, Pursuit
from quadrille.rules.search import FRAMES
from quadrille.rules.search.results import Solved

#: A thousandth of a piece's worth of log odds: 1000 are four, as good as won.
_UNIT = (4 << 20) // 1000


class Pursued:
    """Alpha-beta on a learned evaluation, continued for the length of a game, ply by ply deeper."""

    __slots__ = ("engine",)

    def __init__(self, board: Board, places: int, longest: int) -> None:
        """`places`: entries of the transposition table, a power of two; no game has more than `longest` moves."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        self.engine = Pursuit(board, places, longest)

    def stand(self, board: Board) -> None:
        """Search from this position on, of the same game with the same evaluation; the table stays valid."""
        self.engine.stand(board)

    def go_on(self, positions: int, depth: int = DEEPEST) -> bool:
        """Search that many more positions; return whether there is more to search."""
        return not self.engine.search(depth, positions) or not (self.engine.certain or self.engine.depth >= depth)

    @property
    def found(self) -> Solved:
        """The result so far; its value is a payoff if it is certain, else about the chances in thousandths."""
        engine = self.engine
        value, certain = int(engine.value), bool(engine.certain)
        value = (value > 0) - (value < 0) if certain else max(-1000, min(1000, value // _UNIT))
        return Solved(int(engine.move), value, certain, int(engine.depth), int(engine.nodes))
