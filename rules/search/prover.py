"""Proofs of small games, in slices: what a seat gets at best against all others together.

With two seats that is perfect play. The search is in rules/engine/prover.py.
"""

import sys
from collections.abc import Iterator
from typing import Final

from quadrille.rules.board import Board
from quadrille.rules.core import Move
from quadrille.rules.engine.prover import BUCKET, ProofSearch
from quadrille.rules.errors import GameOver, RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.search import FRAMES, Position

#: Bytes of a bucket, and of a table if nobody says more.
BUCKET_BYTES: Final = 8 * BUCKET
MEMORY: Final = 64 << 20
#: Minimum bytes of a table.
LEAST_MEMORY: Final = 1 << 20
#: Maximum positions for the rest of a turn that was chosen already.
REST: Final = 1_000_000_000


class LongProof:
    """A proof that goes on until `payoff` is known: that of `seat`, by default the one to move.

    >>> prover = LongProof(Position.start("maze", {"size": 4}))
    >>> prover.go_on(1000), prover.payoff
    (False, 1)
    """

    __slots__ = ("engine", "seat")

    def __init__(self, position: Position, *, seat: int | None = None, memory: int = MEMORY) -> None:
        """`memory` is that of the table, in bytes."""
        # it recurses for each step of a game: on the largest boards beyond Python's limit
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        if memory < LEAST_MEMORY:
            raise RulesError(f"a proof needs at least {LEAST_MEMORY >> 20} MB for its table, not {memory:,} bytes")
        board = self._board(position)
        self.seat = int(board.turn) if seat is None else seat
        self.engine = ProofSearch(board, self.seat, memory // BUCKET_BYTES)

    @staticmethod
    def _board(position: Position) -> Board:
        if position.hidden or position.chance:
            raise RulesError("a proof is for seats who see everything, in a game in which nothing is drawn")
        if position.seat is None:
            raise GameOver("the game is over: there is nothing to prove")
        return position.board.copy()

    def stand(self, position: Position) -> None:
        """Prove this position of the same game with the same options; the table stays valid."""
        board = self._board(position)
        if board.seats == 2:
            self.seat = int(board.turn)
        self.engine.stand(board, self.seat)

    def go_on(self, positions: int) -> bool:
        """Search that many more positions; return whether the payoff is still unknown."""
        return not self.engine.search(positions)

    @property
    def positions(self) -> int:
        """Number of positions searched so far."""
        return int(self.engine.nodes)

    @property
    def payoff(self) -> int | None:
        """The payoff of `seat` at best; None while it is unknown."""
        engine = self.engine
        if engine.low != engine.high:
            return None
        return int(engine.low) if engine.board.turn == self.seat else -int(engine.low)

    def keeps(self, board: Board, payoff: int) -> int:
        """The number of a move or step after which the side to move on such a board still gets that payoff.

        There has to be one: the payoff was proven. The board stays as it is.
        """
        self.engine.stand(board.copy(), self.seat)
        self.engine.gets(payoff, REST)
        return int(self.engine.move)

    def turn(self) -> list[int]:
        """The best turn in a proven position: one number, or all its steps. The proof stands after it then."""
        engine = self.engine
        board, steps = engine.board, [int(engine.move)]
        plies = board.plies
        while True:
            board.apply(steps[-1])
            if board.plies != plies:
                return steps
            engine.stand(board, self.seat)
            engine.search(REST)
            steps.append(int(engine.move))

    def line(self, start: Position, positions: int) -> Iterator[Move]:
        """Best moves to the end, as far as each is proven over so many positions."""
        position = start.copy()
        while not position.over:
            self.stand(position)
            if self.go_on(positions):
                return
            steps = self.turn()
            yield position.move(steps)
            for step in steps:
                position.apply_quickly(step)

    def laborious(self, work: int, most: int) -> vec[i64]:
        """The table's entries for at most so many positions that took `work` others or more, for another proof of the
        same seat.
        """
        return self.engine.laborious(work, most)

    def take_over(self, entries: vec[i64]) -> None:
        """Put the entries of another proof into the table."""
        self.engine.take_over(entries)
