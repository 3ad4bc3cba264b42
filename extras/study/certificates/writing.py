"""Writes a certificate: a prover's best moves along all games in which a seat makes them.

The file is rules/certificates/certificate.py's, and nothing here knows the prover.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from quadrille.extras.study.certificates.answers import AnswerWriter
from quadrille.extras.study.certificates.certificate import ANSWERS, TURNED, Certificate, ClaimedPosition, ProvenShare
from quadrille.extras.study.certificates.walk import StrategyWalk
from quadrille.rules.board import Board
from quadrille.rules.errors import RulesError
from quadrille.rules.search import turner

#: A move after which the seat to move still gets a payoff, proven; the board is as before afterwards.
Keeps: TypeAlias = Callable[[Board, int], int]


class Writing:
    """A certificate of proven payoffs in the making: `go_on` until it says that all is written.

    `payoffs` are what each seat gets at best; the least of all is no claim. `keeps` gives a seat its prover. A claim of
    `turned` needs no answers.
    """

    __slots__ = ("_answers", "_before", "_keeps", "_claimed", "_claims", "_left", "_parts", "_prover", "_walk")

    def __init__(
        self,
        claimed: ClaimedPosition,
        payoffs: Mapping[int, int],
        keeps: Callable[[int], Keeps],
        turned: Certificate | None = None,
    ) -> None:
        self._claimed, self._prover = claimed, keeps
        self._claims = [claim for claim in turned.claims if claim.payoff == payoffs.get(claim.seat)] if turned else []
        self._parts: list[bytes] = []
        there = {claim.seat for claim in self._claims}
        wanted = {seat: payoff for seat, payoff in payoffs.items() if payoff > 1 - claimed.seats}
        self._left = [(seat, wanted[seat]) for seat in sorted(wanted.keys() - there)]
        self._before = 0
        if not wanted:
            raise RulesError("no seat gets more than the last place for sure: there is nothing to certify")
        self._begin()

    @property
    def positions(self) -> int:
        """Number of positions met so far."""
        return self._before + (self._walk.positions if self._left else 0)

    @property
    def answers(self) -> int:
        """Number of answers so far."""
        return sum(claim.answers for claim in self._claims) + (self._answers.count if self._left else 0)

    @property
    def size(self) -> int:
        """Bytes of the answers so far."""
        return sum(map(len, self._parts)) + (self._answers.size if self._left else 0)

    def go_on(self, positions: int) -> bool:
        """Meet that many more positions; return whether there are more."""
        if not self._left:
            return False
        if self._walk.go_on(positions):
            return True
        part, (seat, payoff) = self._answers.written(), self._left.pop(0)
        self._claims.append(ProvenShare(seat, payoff, ANSWERS, self._answers.count, len(part)))
        self._parts.append(part)
        self._before += self._walk.positions
        self._begin()
        return bool(self._left)

    def certificate(self) -> Certificate:
        """The certificate, once all is written."""
        if self._left:
            raise RulesError("this certificate is not finished: `go_on` says when it is")
        claims = sorted(self._claims, key=lambda claim: claim.seat)
        return Certificate(self._claimed, tuple(claims), b"".join(self._parts))

    def _begin(self) -> None:
        if not self._left:
            return
        seat, payoff = self._left[0]
        self._answers, self._keeps = AnswerWriter(), self._prover(seat)
        self._walk = StrategyWalk(self._claimed.start(), self._claimed.opening(), seat, payoff, self._answer)

    def _answer(self, board: Board, moves: list[int]) -> int:
        place = moves.index(self._keeps(board, self._left[0][1]))
        self._answers.add(place, len(moves))
        return place


def by_half_turn(claimed: ClaimedPosition) -> Certificate | None:
    """The certificate of a first position whose result the half turn settles; None if there is none."""
    found = None if claimed.moves or claimed.seats > 2 else turner(claimed.start())
    if found is None:
        return None
    seat, payoff = found
    return Certificate(claimed, (ProvenShare(seat, payoff, TURNED),), b"")
