"""Checks a certificate with the rules alone: it follows each strategy through all games, and asks no prover.

The file is certificate.py's. The walk is specified in extras/study/docs/certificates.md, "The walk".
"""

from collections.abc import Iterator
from typing import Final

from quadrille.extras.study.certificates import turned
from quadrille.extras.study.certificates.answers import AnswerReader
from quadrille.extras.study.certificates.certificate import KIND, TURNED, Certificate, ProvenShare
from quadrille.extras.study.certificates.walk import StrategyWalk
from quadrille.rules.board import Board
from quadrille.rules.core.sealed import unusable
from quadrille.rules.dice import Dice
from quadrille.rules.errors import RulesError

#: Positions between two answers of `go_on`.
SLICE: Final = 500


class Checking:
    """A check: `go_on` until it says that there is no more. It raises a `RulesError` at the first fault.

    `positions` counts those met so far, `answers` those read of `answers_in_all`.
    """

    def __init__(self, certificate: Certificate, name: str) -> None:
        self.certificate = certificate
        self.positions = self.answers = 0
        self.answers_in_all = sum(claim.answers for claim in certificate.claims)
        self._name = name
        self._parts = self._followed()

    def go_on(self) -> bool:
        """Check a little more; return whether there is more."""
        try:
            return next(self._parts, None) is not None
        except RulesError as error:
            raise unusable(KIND, self._name, str(error)) from None

    def _followed(self) -> Iterator[bool]:
        """Follow all claims, in slices."""
        begin = 0
        for claim in self.certificate.claims:
            if claim.way == TURNED:
                yield from self._by_turning(claim)
            else:
                yield from self._by_answers(claim, self.certificate.body[begin : begin + claim.length])
            begin += claim.length

    def _by_answers(self, claim: ProvenShare, body: bytes) -> Iterator[bool]:
        reader, claimed, before = AnswerReader(body), self.certificate.position, self.answers

        def answer(_: Board, moves: list[int]) -> int:
            self.answers += 1
            return reader.next(len(moves))

        yield from self._walked(StrategyWalk(claimed.start(), claimed.opening(), claim.seat, claim.payoff, answer))
        reader.end_group()
        if reader.used != len(body) or self.answers - before != claim.answers:
            raise RulesError(f"all games end after {self.answers - before:,} answers, and it has others")

    def _by_turning(self, claim: ProvenShare) -> Iterator[bool]:
        if self.certificate.position.moves:
            raise RulesError("the half turn answers from the first move on, and moves stand before this position")
        start = self.certificate.position.start()
        for walk in turned.walks(start, claim.seat, claim.payoff):
            yield from self._walked(walk)
        dice = Dice(1)
        for _ in range(turned.GAMES):
            turned.play(start, claim.seat, claim.payoff, dice)
            yield True

    def _walked(self, walk: StrategyWalk) -> Iterator[bool]:
        before = self.positions
        while walk.go_on(SLICE):
            self.positions = before + walk.positions
            yield True
        self.positions = before + walk.positions
