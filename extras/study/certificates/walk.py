"""A walk through every game in which one seat follows a strategy (extras/study/docs/certificates.md, "The walk").

A writer and a checker of a certificate take the same walk. Only the answers come from elsewhere: from a proof or from
the file. Nothing here knows a prover or a file.
"""

import hashlib
from array import array
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from quadrille.rules.board import Board
from quadrille.rules.core import State
from quadrille.rules.errors import RulesError

#: Bytes of the digest that stands for the facts of a position: nobody can make two positions that share one.
DIGEST: Final = 16
#: The place of the seat's move among the sorted legal ones.
Answer: TypeAlias = Callable[[Board, list[int]], int]


class WrongStrategy(RulesError):
    """A strategy that does not get its payoff."""


class StrategyWalk:
    """All games in which `seat` makes the moves of `answer`, and the others make any: each must end with `payoff`.

    The walk begins after the steps of `opening`, in a game in which nothing is drawn any more. The strategy is asked
    once for each position in which its seat has a choice. A position that comes again, or whose image by a symmetry of
    the game was there, is not walked through again. `positions` counts those that were met.
    """

    __slots__ = ("_answer", "_boards", "_images", "_made", "_met", "_rows", "_seat", "_start", "payoff", "positions")

    def __init__(self, start: State[Any, Any], opening: Sequence[int], seat: int, payoff: int, answer: Answer) -> None:
        self._start, self._seat, self.payoff, self._answer = start, seat, payoff, answer
        #: A game is symmetric from its first position on.
        self._images = start.symmetries if start.board.plies == 0 else start.symmetries[:1]
        #: The position and its images, on which the images of the same moves are made.
        self._boards: list[Board] = [start.board.copy() for _ in self._images]
        self._made: list[int] = []
        self._met: set[bytes] = set()
        #: For each position on the way, the moves still to be made.
        self._rows: list[list[int]] = []
        self.positions = 0
        for step in opening:
            self._make(step)
        self._enter()

    def go_on(self, positions: int) -> bool:
        """Meet that many more positions; return whether there are more. Raises `WrongStrategy`."""
        until = self.positions + positions
        rows = self._rows
        while rows and self.positions < until:
            if rows[-1]:
                self._make(rows[-1].pop())
                if not self._enter():
                    self._take_back()
            else:
                rows.pop()
                if rows:
                    self._take_back()
        return bool(rows)

    @property
    def line(self) -> str:
        """The moves from the first position to the present one, in the game's notation."""
        board, texts = self._start.board.copy(), []
        for step in self._made:
            texts.append(self._start.on(board.copy()).word((), step))
            board.apply(step)
        return " ".join(texts) or "the first position"

    def _make(self, step: int) -> None:
        self._made.append(step)
        for board, image in zip(self._boards, self._images, strict=True):
            board.apply(image[step])

    def _take_back(self) -> None:
        self._made.pop()
        for board in self._boards:
            board.undo()

    def _enter(self) -> bool:
        """Come to a position; return whether there are moves to be made from it."""
        board = self._boards[0]
        count = board.legal()
        self.positions += 1
        if count == 0:
            if board.payoff(self._seat) < self.payoff:
                raise WrongStrategy(f"after {self.line} the game is over, and {self._wanted()}")
            return False
        moves = sorted(board.moves[:count])
        if board.turn == self._seat:
            key = self._key()
            if key in self._met:
                return False
            self._met.add(key)
            moves = [moves[self._answer(board, moves) if count > 1 else 0]]
        self._rows.append(moves[::-1])
        return True

    def _wanted(self) -> str:
        got = "won" if self.payoff else "got at least a share of the first place"
        if self._start.seats > 2:
            got = f"got a payoff of {self.payoff}"
        return f"player {self._seat + 1} has not {got}"

    def _key(self) -> bytes:
        """Return a key that a position shares with its images, and with no other."""
        facts = min(array("q", board.facts()).tobytes() for board in self._boards)
        return hashlib.blake2b(facts, digest_size=DIGEST).digest()
