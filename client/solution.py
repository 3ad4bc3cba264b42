"""The runs of `quadrille solve`: a proof, its certificate, and the check of one.

Certificates are made and followed in rules/certificates; the proof is rules/search's.
"""

import argparse
import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final

from quadrille.client.cli import FINE, NO
from quadrille.client.durations import duration
from quadrille.client.files import FileExists, path_of, read_bytes, write_bytes
from quadrille.client.foreign import shown
from quadrille.client.progress_line import ProgressLine
from quadrille.client.reports import advice_text, heading
from quadrille.client.table_setup import set_up
from quadrille.rules.board import Board
from quadrille.rules.certificates.certificate import MOST_BYTES, Certificate, ClaimedPosition
from quadrille.rules.certificates.checking import Checking
from quadrille.rules.certificates.writing import Writing, by_half_turn
from quadrille.rules.errors import GameOver, RulesError
from quadrille.rules.match import Match
from quadrille.rules.search import Position, Proof

MOST: Final = 1_000_000_000
#: Positions between two looks at the clock and for Ctrl-C.
SLICE: Final = 20_000
#: Positions for one move of a line or of a certificate, after the proof.
FOR_A_MOVE: Final = 5_000_000
_TURNED: Final = "each move is answered by its image, turned by 180 degrees"


@dataclass(frozen=True, slots=True)
class SolvedPosition:
    """The payoff of seat 0 with perfect play, None if it is open, after so many positions.

    `turned` is the certificate of what needs no search: of the value, or of a seat's share of the first place.
    """

    value: int | None
    positions: int = 0
    line: tuple[str, ...] = ()
    turned: Certificate | None = None


def solve(settings: argparse.Namespace) -> int:
    """Solve a position; the exit code is 1 if it is too large."""
    if settings.game is None:
        raise RulesError("name a game, or a certificate with --check FILE: quadrille games lists the games")
    if not 1 <= settings.positions <= MOST:
        raise RulesError(f"--positions takes a number from 1 to {MOST}, not {settings.positions}")
    if settings.output is not None and path_of(settings.output).exists():
        raise FileExists(f"there is a file {settings.output} already: name another with -o")
    match = set_up(settings)
    for text in settings.moves:
        match.play(text)
    if match.over:
        raise GameOver(f"the game is over after these moves: {match.over.reason}")
    if match.state.seats != 2 or match.game.hidden:
        table = "some cards are hidden" if match.game.hidden else f"this table has {match.state.seats}"
        raise RulesError(f"perfect play can be worked out for two seats who see everything: {table}")
    claimed = _claimed(match, settings)
    progress, search = ProgressLine(), Proof(Position(match.state))
    answer = _answer(match, search, claimed, settings.positions, progress)
    written = ""
    if settings.output is not None and claimed is not None and (answer.value is not None or answer.turned):
        certificate = answer.turned or _certificate(claimed, answer.value or 0, search, progress)
        written = _write(settings.output, certificate)
    progress.end()
    if settings.json:
        print(json.dumps(_data(match, settings.moves, answer), indent=2))
    else:
        _tell(match, settings, answer)
        if written:
            print(written)
    return NO if answer.value is None else FINE


def _claimed(match: Match, settings: argparse.Namespace) -> ClaimedPosition | None:
    """Return the position of a certificate; a refusal if one is wanted that can't be made."""
    try:
        return ClaimedPosition.of(match.game, match.state.options, settings.moves)
    except RulesError:
        if settings.output is not None:
            raise
        return None


def _answer(
    match: Match, search: Proof, claimed: ClaimedPosition | None, positions: int, progress: ProgressLine
) -> SolvedPosition:
    """Settle a position by the half turn, or by search."""
    certificate = by_half_turn(claimed) if claimed is not None else None
    if certificate is not None and certificate.value is not None:
        return SolvedPosition(certificate.value, turned=certificate)
    while search.go_on(min(SLICE, positions - search.found.positions)):
        progress.tell(lambda: f"{search.found.positions:,} positions")
        if search.found.positions >= positions:
            return SolvedPosition(None, search.found.positions, turned=certificate)
    value, looked_at = search.found.value, search.found.positions
    line = tuple(map(str, search.line(Position(match.state), FOR_A_MOVE)))
    return SolvedPosition(value if match.state.board.turn == 0 else -value, looked_at, line)


def _certificate(claimed: ClaimedPosition, value: int, search: Proof, progress: ProgressLine) -> Certificate:
    """Write down the winner's move for every answer."""

    def best(board: Board) -> int:
        search.engine.stand(board.copy())
        if not search.engine.prove(FOR_A_MOVE):
            raise RulesError("a position of the certificate needs a longer proof than all before: nothing is written")
        return search.engine.move

    writing = Writing(claimed, value, best)
    while writing.go_on(SLICE):
        progress.tell(lambda: f"writing the certificate: {writing.positions:,} positions, {writing.answers:,} answers")
    return writing.certificate()


def _write(name: str, certificate: Certificate) -> str:
    """Write a certificate; return the sentence about it."""
    data = certificate.written()
    if len(data) > MOST_BYTES:
        raise RulesError(
            f"this certificate would have {len(data) >> 20} MB, and one has at most {MOST_BYTES >> 20}: "
            "begin nearer to the end with --moves, or take a smaller board"
        )
    write_bytes(name, data)
    answers = sum(claim.answers for claim in certificate.claims)
    return (
        f"{shown(name)} has {answers:,} answers in {len(data):,} bytes. SHA-256 {hashlib.sha256(data).hexdigest()}\n"
        f"Anybody can check it: quadrille solve --check {shown(name)}"
    )


def _tell(match: Match, settings: argparse.Namespace, answer: SolvedPosition) -> None:
    print(heading(match) + (f", after {' '.join(settings.moves)}" if settings.moves else ""))
    if answer.value is None:
        print(f"Not solved: {answer.positions:,} positions were looked at, and these are not all that matter.")
        if answer.turned is not None:
            print(f"Player {answer.turned.claims[0].seat + 1} gets at least a share of the first place: {_TURNED}.")
        print("Search more with --positions, begin nearer to the end with --moves, or take a smaller board.")
        if not settings.moves and (advice := advice_text(match.game, match.state.options, match.state.seats)):
            print(advice)
        return
    print(verdict(answer.value))
    if answer.turned is not None:
        print(f"It needs no search: {_TURNED}.")
        return
    print(f"A line of it: {', '.join(answer.line)}")
    print(f"{answer.positions:,} positions were looked at.")


def verdict(value: int) -> str:
    """Say who wins, by the payoff of seat 0."""
    if value == 0:
        return "With perfect play the two share the first place."
    return f"Player {1 if value > 0 else 2} wins with perfect play."


def _data(match: Match, moves: list[str], answer: SolvedPosition) -> dict[str, Any]:
    """Return the answer as data: `value` is the payoff of the seat to move, 1, 0 or -1; null if it is unknown."""
    head = {"game": match.game.key, "options": match.state.options.plain(), "seats": match.state.seats}
    seat, value = match.state.board.turn, answer.value
    places = None if value is None else [1 if value >= 0 else 2, 1 if value <= 0 else 2]
    return head | {
        "seed": match.deal.seed if match.deal else None,
        "moves": moves,
        "seat": seat,
        "value": value if value is None or seat == 0 else -value,
        "places": places,
        "line": list(answer.line),
        "positions": answer.positions,
    }


def check(settings: argparse.Namespace) -> int:
    """Check a certificate; a refusal says where it fails."""
    if settings.game is not None or settings.output is not None:
        raise RulesError("--check FILE needs no game and no -o: the certificate says what it is about")
    name = settings.check
    data = read_bytes(name, MOST_BYTES)
    checking, progress = Checking(Certificate.read(data, shown(name)), shown(name)), ProgressLine()
    while checking.go_on():
        progress.tell(lambda: _progress(checking, progress.age))
    progress.end()
    certificate = checking.certificate
    print(_about(certificate))
    if certificate.value is not None:
        print(verdict(certificate.value))
    else:
        print(f"Player {certificate.claims[0].seat + 1} gets at least a share of the first place.")
    if checking.answers_in_all:
        print(f"Checked with the rules alone: {checking.answers:,} answers, {checking.positions:,} positions.")
    else:
        print(f"By the half turn: {_TURNED}. docs/solved.md has the proof.")
        print(f"Checked: all games on the smaller boards, and others on this one; {checking.positions:,} positions.")
    print(f"SHA-256 {hashlib.sha256(data).hexdigest()}")
    return FINE


def _progress(checking: Checking, age: float) -> str:
    parts = [f"{checking.positions:,} positions", f"{checking.positions / age:,.0f} a second"]
    if checking.answers:
        left = age * (checking.answers_in_all - checking.answers) / checking.answers
        parts.append(f"{duration(max(0.0, left))} left")
    return ", ".join(parts)


def _about(certificate: Certificate) -> str:
    """Name the position of a certificate."""
    claimed = certificate.position
    match = Match(claimed.start().game, claimed.options.plain(), 2)
    return heading(match) + (f", after {' '.join(claimed.moves)}" if claimed.moves else "")
