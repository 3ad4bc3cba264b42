"""Proofs of small games, in slices: what a seat gets at best against all others together.

With two seats that is perfect play. The search is in rules/engine/prover.py. It searches on the view `prover` of a
board, if a package brings one: a class that derives from the game's board, and that answers by theorems what
rules/board.py asks.
"""

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from quadrille.rules.board import Board
from quadrille.rules.core import Move
from quadrille.rules.engine.proof_table import BUCKET
from quadrille.rules.engine.prover import ProofSearch
from quadrille.rules.errors import GameOver, RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.search.results import Solved, whole_turn
from quadrille.rules.search.views import seen, view

if TYPE_CHECKING:
    from quadrille.rules.search import Position

#: Entries of a table, if nobody says more, and the least number of them; bytes of an entry.
PROOF_TABLE: Final = 1 << 20
LEAST_TABLE: Final = 2
ENTRY_BYTES: Final = 8 * BUCKET // 2
#: Maximum recursion depth of a plain search to the end of the longest game.
FRAMES: Final = 5000
#: The depth of a proof.
TO_THE_END: Final = 1 << 20
#: Maximum positions for the rest of a chosen turn, 4 s where not compiled, and for a move that keeps a proven payoff.
REST: Final = 100_000
KEPT: Final = 1_000_000_000


class Proof:
    """A search to the end of every relevant game, to be continued: what `seat` gets, by default the seat to move.

    >>> from quadrille.rules.search import Position
    >>> proof = Proof(Position.start("maze", {"size": 4}))
    >>> proof.go_on(1000), proof.result
    (False, 1)
    """

    __slots__ = ("engine", "seat")

    def __init__(self, position: "Position", places: int = PROOF_TABLE, *, seat: int | None = None) -> None:
        """`places`: entries of the table."""
        # it recurses for each step of a game: on the largest boards beyond Python's limit
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        board = self._board(position)
        self.seat = int(board.turn) if seat is None else seat
        self.engine = ProofSearch(board, self.seat, max(places, LEAST_TABLE) // 2)

    @staticmethod
    def _board(position: "Position") -> Board:
        if position.hidden or position.chance:
            raise RulesError("a proof is for seats who see everything, in a game in which nothing is drawn: use search")
        if position.seat is None:
            raise GameOver("the game is over: there is nothing to prove")
        kind = view("prover", position.state.game.key)
        return position.board.copy() if kind is None else seen(position.board, kind)

    def stand(self, position: "Position") -> None:
        """Prove this position of the same game with the same options; the table stays valid. With two seats it is for
        the seat to move.
        """
        board = self._board(position)
        if board.seats == 2:
            self.seat = int(board.turn)
        self.engine.stand(board, self.seat)

    def go_on(self, positions: int, pause: Callable[[], bool] | None = None, every: int = 1 << 16) -> bool:
        """Search that many more positions; return whether the payoff is still unknown.

        The search calls `pause` after `every` positions, and ends if that is False.
        """
        self.engine.pause, self.engine.every = pause, every
        try:
            return not self.engine.search(positions)
        finally:
            self.engine.pause = None

    @property
    def positions(self) -> int:
        """Number of positions searched so far."""
        return int(self.engine.nodes)

    @property
    def result(self) -> int | None:
        """The payoff of `seat` at best; None while it is unknown."""
        engine = self.engine
        if engine.low != engine.high:
            return None
        return int(engine.low) if engine.board.turn == self.seat else -int(engine.low)

    @property
    def found(self) -> Solved:
        """The result so far, with a best move: nothing until it is certain."""
        result = self.result
        if result is None:
            return Solved(-1, 0, False, 0, self.positions)
        return Solved(int(self.engine.move), result, True, TO_THE_END, self.positions)

    def payoff(self, position: "Position", seat: int, positions: int) -> int | None:
        """Return a seat's payoff of two with perfect play; None if its proof takes more positions."""
        if position.over:
            return position.payoffs()[seat]
        self.stand(position)
        self.go_on(positions)
        return self.result if self.result is None or position.seat == seat else -self.result

    def keeps(self, board: Board, payoff: int) -> int:
        """Return the number of a move or step after which the side to move on such a board still gets that payoff.

        There has to be one: the payoff was proven. The board stays as it is.
        """
        kind = self.engine.board.__class__
        self.engine.stand(board.copy() if board.__class__ is kind else seen(board, kind), self.seat)
        self.engine.gets(payoff, KEPT)
        return int(self.engine.move)

    def turn(self) -> list[int]:
        """Return the best turn in a proven position, as numbers. The search can't continue after it."""
        engine = self.engine

        def following(_: list[int]) -> int:
            engine.stand(engine.board, self.seat)
            engine.search(max(REST, self.positions))
            return engine.move

        return whole_turn(engine.board, engine.move, following)

    def line(self, start: "Position", positions: int) -> Iterator[Move]:
        """Yield best moves to the end, as far as each is proven over that many positions."""
        position = start.copy()
        while not position.over:
            self.stand(position)
            if self.go_on(positions):
                return
            steps = self.turn()
            yield position.move(steps)
            for step in steps:
                position.apply_quickly(step)

    def expensive(self, work: int, most: int) -> vec[i64]:
        """Return up to `most` entries of the table that cost at least `work` positions, for another proof of the same
        seat.
        """
        return self.engine.table.expensive(work, most)

    def take_over(self, entries: vec[i64]) -> None:
        """Put the entries of another proof into the table."""
        self.engine.table.take_over(entries)
