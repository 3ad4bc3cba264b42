"""A certificate: claims about a position with perfect play, with the answers of a strategy that keeps each.

writing.py makes them, checking.py follows them. The caller keeps the bytes. Specification:
extras/study/docs/certificates.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from quadrille.rules.core import Game, Given, State, ToMove, refusal
from quadrille.rules.core.sealed import SealedKind, seal, unseal, unusable, whole_number
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game as game_of

#: Maximum bytes of a certificate.
MOST_BYTES: Final = 10 << 20
#: Maximum moves before the position of a certificate.
MOST_MOVES: Final = 200
KIND: Final = SealedKind("certificate", 1, "certificates", MOST_BYTES, "make it again with quadrille solve -o")
#: How a seat keeps a claim: by the answers in the file, or by the last move turned by 180 degrees.
ANSWERS: Final = "answers"
TURNED: Final = "turned"


@dataclass(frozen=True, slots=True)
class ClaimedPosition:
    """The position that a certificate is about: a game without chance from its start, after some moves."""

    start: State[Any, Any]
    moves: tuple[str, ...]

    @classmethod
    def of(cls, game: Game[Any, Any], options: Given, seats: int | None, moves: Sequence[str]) -> "ClaimedPosition":
        """Take a position that can be certified; a refusal says why another can't."""
        state = game.start(options, seats)
        if game.hidden or not isinstance(state.pending, ToMove):
            raise RulesError(
                f"certificates are for games in which nothing is drawn: {game.title} "
                + ("has hidden cards" if game.hidden else "draws its start, unless an option says how all lies")
            )
        claimed = cls(state, tuple(moves))
        claimed.opening()
        return claimed

    def fields(self) -> dict[str, Any]:
        """Return the fields of a sealed file about it, with the version of the rules."""
        game, options = self.start.game, self.start.options.plain()
        head = {"game": game.key, "rules": game.rules, "options": options, "seats": self.start.seats}
        return head | {"moves": list(self.moves)}

    def opening(self) -> list[int]:
        """Return the steps of the moves before the position."""
        state, steps = self.start, []
        for text in self.moves:
            move = state.game.parse(text, state)
            if state.objection(move) is not None:
                raise refusal(state, move)
            steps += state.steps(move) or []
            state = state.play(move)
        return steps


@dataclass(frozen=True, slots=True)
class ProvenShare:
    """A seat gets at least `payoff`, whatever the others do: 1 of two is a win, 0 a share of the first place."""

    seat: int
    payoff: int
    way: str
    answers: int = 0
    length: int = 0


@dataclass(frozen=True, slots=True)
class Certificate:
    """Claims about a position. `body` has their answers, one after the other."""

    position: ClaimedPosition
    claims: tuple[ProvenShare, ...]
    body: bytes

    @property
    def value(self) -> int | None:
        """The payoff of the first of two seats with perfect play; None if the claims do not settle it."""
        if self.position.start.seats > 2:
            return None
        got = {claim.seat: claim.payoff for claim in self.claims}
        return 1 if got.get(0) else -1 if got.get(1) else 0 if len(got) == 2 else None

    def written(self) -> bytes:
        """Write the certificate as a file."""
        claims = [[claim.seat, claim.payoff, claim.way, claim.answers, claim.length] for claim in self.claims]
        return seal(KIND, self.position.fields() | {"claims": claims}, self.body)

    @classmethod
    def read(cls, data: bytes, name: str) -> "Certificate":
        """Read a file of that name; a `RulesError` says what is wrong with it."""
        fields, body = unseal(KIND, data, name)
        try:
            position = _position(fields)
            certificate = cls(position, _claims(fields, position.start.seats), body)
        except RulesError as error:
            raise unusable(KIND, name, str(error)) from None
        if certificate.written() != data or sum(claim.length for claim in certificate.claims) != len(body):
            raise unusable(KIND, name, "its second line is not as quadrille writes it")
        return certificate


def _position(fields: dict[str, Any]) -> ClaimedPosition:
    chosen = game_of(fields.get("game"))
    if fields.get("rules") != chosen.rules:
        raise RulesError(f"it was made for other rules of {chosen.title} than these, which are version {chosen.rules}")
    moves = fields.get("moves")
    if not isinstance(moves, list) or len(moves) > MOST_MOVES or not all(isinstance(move, str) for move in moves):
        raise RulesError(f"its moves are no list of at most {MOST_MOVES} moves")
    return ClaimedPosition.of(chosen, fields.get("options"), whole_number(fields, "seats"), moves)


def _claims(fields: dict[str, Any], seats: int) -> tuple[ProvenShare, ...]:
    rows = fields.get("claims")
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == 5 for row in rows):
        raise RulesError("its claims are no lists of five")
    shares = []
    for seat, payoff, way, answers, length in rows:
        numbers = {"seat": seat, "answers": answers, "length": length}
        for name in numbers:
            whole_number(numbers, name)
        of_payoff = type(payoff) is int and 1 - seats < payoff < seats
        if seat >= seats or not of_payoff or way not in (ANSWERS, TURNED):
            raise RulesError(
                f"a claim is a seat, 0 to {seats - 1}; a payoff, {2 - seats} to {seats - 1}; and answers or turned"
            )
        if way == TURNED and (answers or length):
            raise RulesError("a claim that is kept by turning has no answers")
        shares.append(ProvenShare(seat, payoff, way, answers, length))
    claimed, is_too_much = [claim.seat for claim in shares], sum(claim.payoff for claim in shares) > 0
    if not shares or claimed != sorted(set(claimed)) or (len(shares) == seats and is_too_much):
        raise RulesError("its claims contradict each other, or there are none")
    return tuple(shares)
