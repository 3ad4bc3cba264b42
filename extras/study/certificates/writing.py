"""Writes a certificate: a prover's best moves along all games in which a seat makes them.

The file is certificate.py's, and nothing here knows the prover.
"""

from collections.abc import Callable, Iterator, Mapping
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

    def __init__(
        self,
        claimed: ClaimedPosition,
        payoffs: Mapping[int, int],
        keeps: Callable[[int], Keeps],
        turned: Certificate | None = None,
    ) -> None:
        self._claimed, self._keeps, self._body = claimed, keeps, b""
        self._claims = [claim for claim in turned.claims if claim.payoff == payoffs.get(claim.seat)] if turned else []
        wanted = {seat: payoff for seat, payoff in payoffs.items() if payoff > 1 - claimed.start.seats}
        if not wanted:
            raise RulesError("no seat gets more than the last place for sure: there is nothing to certify")
        left = sorted(wanted.keys() - {claim.seat for claim in self._claims})
        self._parts = (part for seat in left for part in self._written(seat, wanted[seat]))
        #: Positions met and answers so far, and the bytes of these; positions of the present part.
        self.positions = self.answers = self.size = self._slice = 0

    def go_on(self, positions: int) -> bool:
        """Meet that many more positions; return whether there are more."""
        self._slice = positions
        return next(self._parts, None) is not None

    def certificate(self) -> Certificate:
        """Return the certificate, once all is written."""
        claims = sorted(self._claims, key=lambda claim: claim.seat)
        return Certificate(self._claimed, tuple(claims), self._body)

    def _written(self, seat: int, payoff: int) -> Iterator[bool]:
        """Write the answers of a seat, in slices."""
        answers, keeps = AnswerWriter(), self._keeps(seat)
        positions, before = self.positions, self.answers

        def answer(board: Board, moves: list[int]) -> int:
            place = moves.index(keeps(board, payoff))
            answers.add(place, len(moves))
            return place

        walk, more = StrategyWalk(self._claimed.start, self._claimed.opening(), seat, payoff, answer), True
        while more:
            more = walk.go_on(self._slice)
            self.positions, self.answers = positions + walk.positions, before + answers.count
            self.size = len(self._body) + answers.size
            yield True
        part = answers.written()
        self._claims.append(ProvenShare(seat, payoff, ANSWERS, answers.count, len(part)))
        self._body += part


def by_half_turn(claimed: ClaimedPosition) -> Certificate | None:
    """Write the certificate of a first position whose result the half turn settles; None if there is none."""
    turning = None if claimed.moves or claimed.start.seats > 2 else turner(claimed.start)
    if turning is None:
        return None
    seat, payoff = turning
    return Certificate(claimed, (ProvenShare(seat, payoff, TURNED),), b"")
