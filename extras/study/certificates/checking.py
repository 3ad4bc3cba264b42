"""Checks a certificate with the rules alone: it follows each strategy through all games, and asks no prover.

The file is certificate.py's. The walk is specified in extras/study/docs/certificates.md, "The walk". In the half turn a
seat answers each move by its image, turned by 180 degrees: that is proven in words (extras/study/docs/solved.md, "The
half turn"), for a board of any size. All games on the smaller boards of the same kind are checked, and many games on
the board itself. Nothing here knows a game.
"""

from collections.abc import Iterator
from typing import Any, Final

from quadrille.extras.study.certificates.answers import AnswerReader
from quadrille.extras.study.certificates.certificate import KIND, TURNED, Certificate, ProvenShare
from quadrille.extras.study.certificates.walk import StrategyWalk, WrongStrategy
from quadrille.rules.board import Board
from quadrille.rules.core import State
from quadrille.rules.core.sealed import unusable
from quadrille.rules.dice import Dice
from quadrille.rules.errors import RulesError

#: Positions between two answers of `go_on`.
SLICE: Final = 500
#: Maximum squares of a board on which all games are played.
SQUARES: Final = 12
#: Games against random moves on the board itself.
GAMES: Final = 200


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

        yield from self._walked(StrategyWalk(claimed.start, claimed.opening(), claim.seat, claim.payoff, answer))
        reader.end_group()
        if reader.used != len(body) or self.answers - before != claim.answers:
            raise RulesError(f"all games end after {self.answers - before:,} answers, and it has others")

    def _by_turning(self, claim: ProvenShare) -> Iterator[bool]:
        if self.certificate.position.moves:
            raise RulesError("the half turn answers from the first move on, and moves stand before this position")
        start = self.certificate.position.start
        for state in _smaller(start):
            yield from self._walked(StrategyWalk(state, (), claim.seat, claim.payoff, _turned))
        dice = Dice(1)
        for _ in range(GAMES):
            _play(start, claim.seat, claim.payoff, dice)
            yield True

    def _walked(self, walk: StrategyWalk) -> Iterator[bool]:
        before = self.positions
        while walk.go_on(SLICE):
            self.positions = before + walk.positions
            yield True
        self.positions = before + walk.positions


def _turned(board: Board, moves: list[int]) -> int:
    """Return the place of the answer of a strategy (`StrategyWalk`)."""
    move = board.half_turn()
    if move < 0:
        raise WrongStrategy("a move has no answer that is its image, turned by 180 degrees")
    return moves.index(move)


def _smaller(start: State[Any, Any]) -> Iterator[State[Any, Any]]:
    """Yield first positions on the boards with the same parity of squares, and no side longer. Refuse a board without
    sides.
    """
    given = start.options.plain()
    width, height = given.get("width"), given.get("height")
    if not isinstance(width, int) or not isinstance(height, int):
        raise RulesError(f"no half turn is proven in {start.game.title}")
    for columns in range(2, width + 1):
        for rows in range(2, min(height, SQUARES // columns) + 1):
            if (columns * rows - width * height) % 2 == 0:
                yield start.game.start({**given, "width": columns, "height": rows}, start.seats)


def _play(start: State[Any, Any], seat: int, payoff: int, dice: Dice) -> None:
    """Play a game against random moves."""
    board = start.board.copy()
    while count := board.legal():
        moves = sorted(board.moves[:count])
        board.apply(moves[_turned(board, moves) if board.turn == seat else dice.below(count)])
    if board.payoff(seat) < payoff:
        raise WrongStrategy("a game in which each move was answered by its image ended with less than is claimed")
