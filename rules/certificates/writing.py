"""Writes a certificate: a prover's best moves along all games in which a seat makes them.

The file is rules/certificates/certificate.py's, and nothing here knows the prover.
"""

from collections.abc import Callable
from typing import TypeAlias

from quadrille.rules.board import Board
from quadrille.rules.certificates.answers import AnswerWriter
from quadrille.rules.certificates.certificate import ANSWERS, TURNED, Certificate, ClaimedPosition, ProvenShare
from quadrille.rules.certificates.turned import turner
from quadrille.rules.certificates.walk import StrategyWalk
from quadrille.rules.errors import RulesError

#: A best move of the seat to move, proven; the board is as before afterwards.
Best: TypeAlias = Callable[[Board], int]


class Writing:
    """A certificate of a proven position in the making: `go_on` until it says that all is written.

    `value` is the payoff of seat 0 with perfect play.
    """

    __slots__ = ("_answers", "_before", "_best", "_claimed", "_claims", "_left", "_parts", "_walk")

    def __init__(self, claimed: ClaimedPosition, value: int, best: Best) -> None:
        self._claimed, self._best = claimed, best
        self._claims: list[ProvenShare] = []
        self._parts: list[bytes] = []
        self._left = [0, 1] if value == 0 else [0] if value > 0 else [1]
        self._before = 0
        self._begin(abs(value))

    @property
    def positions(self) -> int:
        """Number of positions met so far."""
        return self._before + self._walk.positions

    @property
    def answers(self) -> int:
        """Number of answers so far."""
        return sum(claim.answers for claim in self._claims) + self._answers.count

    def go_on(self, positions: int) -> bool:
        """Meet that many more positions; return whether there are more."""
        if self._walk.go_on(positions):
            return True
        part, payoff = self._answers.written(), self._walk.payoff
        self._claims.append(ProvenShare(self._left.pop(0), payoff, ANSWERS, self._answers.count, len(part)))
        self._parts.append(part)
        if not self._left:
            return False
        self._before += self._walk.positions
        self._begin(payoff)
        return True

    def certificate(self) -> Certificate:
        """The certificate, once all is written."""
        if self._left:
            raise RulesError("this certificate is not finished: `go_on` says when it is")
        return Certificate(self._claimed, tuple(self._claims), b"".join(self._parts))

    def _begin(self, payoff: int) -> None:
        self._answers = AnswerWriter()
        self._walk = StrategyWalk(self._claimed.start(), self._claimed.opening(), self._left[0], payoff, self._answer)

    def _answer(self, board: Board, moves: list[int]) -> int:
        place = moves.index(self._best(board))
        self._answers.add(place, len(moves))
        return place


def by_half_turn(claimed: ClaimedPosition) -> Certificate | None:
    """The certificate of a first position whose result the half turn settles; None if there is none."""
    found = None if claimed.moves else turner(claimed.start())
    if found is None:
        return None
    seat, payoff = found
    return Certificate(claimed, (ProvenShare(seat, payoff, TURNED),), b"")
