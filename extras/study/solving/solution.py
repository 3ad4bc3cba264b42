"""The runs of `quadrille solve`: a proof, its certificate, and the check of one.

Certificates are made and followed in certificates/; the proof is rules/search's.
"""

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from quadrille.client.cli import FINE, NO
from quadrille.client.files import path_of, read_bytes, write_file
from quadrille.client.foreign import shown
from quadrille.client.progress_line import ProgressLine, duration, tell_pace
from quadrille.client.reports import advice_text, heading, many
from quadrille.client.table_setup import set_up
from quadrille.extras.study.certificates.certificate import MOST_BYTES, Certificate, ClaimedPosition
from quadrille.extras.study.certificates.checking import Checking
from quadrille.extras.study.certificates.walk import WrongStrategy
from quadrille.extras.study.certificates.writing import Writing, by_half_turn
from quadrille.extras.study.solving.proof_run import ProofRun
from quadrille.rules.board import Board
from quadrille.rules.errors import GameOver, RulesError
from quadrille.rules.match import Match
from quadrille.rules.search import Position

#: Positions of a certificate between two looks at the clock.
FOLLOWED: Final = 2000
#: Positions for one move of a line, after the proof.
FOR_A_MOVE: Final = 5_000_000
PART: Final = ".part"
#: Minimum bytes of a table.
LEAST_MEMORY: Final = 1 << 20
#: Bytes of a table for each position: four places, so that few meet.
OF_A_POSITION: Final = 64
SHARED: Final = "With perfect play the two share the first place."
_TURNED: Final = "each move is answered by its image, turned by 180 degrees"


@dataclass(frozen=True, slots=True)
class SolvedPosition:
    """The payoff that each seat gets, whatever the others do together; None while it is open.

    `payoffs` of two seats are those of perfect play. `turned` is the certificate of what needs no search: of the value,
    or of a seat's share of the first place.
    """

    payoffs: tuple[int | None, ...]
    positions: int = 0
    line: tuple[str, ...] = ()
    turned: Certificate | None = None

    @property
    def whole(self) -> bool:
        """Return whether all is known."""
        return None not in self.payoffs


def solve(settings: argparse.Namespace) -> int:
    """Solve a position; the exit code is 1 if it is too large."""
    _memory(settings, 1)
    if settings.output is not None and path_of(settings.output).exists():
        raise RulesError(f"there is a file {settings.output} already: name another with -o")
    match = set_up(settings)
    for text in settings.moves:
        match.play(text)
    if match.over:
        raise GameOver(f"the game is over after these moves: {match.over.reason}")
    if match.game.hidden:
        raise RulesError("perfect play can be worked out for seats who see everything: some cards are hidden")
    claimed = _claimed(match, settings)
    line = ProgressLine()
    turned = by_half_turn(claimed) if claimed is not None else None
    if turned is not None and turned.value is not None:
        solved, runs = SolvedPosition((turned.value, -turned.value), turned=turned), []
    else:
        tell_pace()
        start = Position(match.state)
        seats = [match.state.board.turn] if match.state.seats == 2 else range(match.state.seats)  # of two, one says all
        table = _memory(settings, len(seats)), settings.processes
        runs = [ProofRun(start, seat, *table, line, _kept(settings.output, claimed, seat), claimed) for seat in seats]
        solved = _solved(match, runs, settings.positions, turned)
    line.end()
    if settings.json:
        print(json.dumps(_data(match, settings.moves, solved), indent=2))
    else:
        _tell(match, settings, solved)
    sys.stdout.flush()  # the answer is there before the certificate, which may take longer or be too large
    certified = settings.output is not None and (solved.whole or turned is not None)
    if certified and claimed is not None:
        written = _write(settings.output, _certificate(claimed, solved, runs, line))
        line.end()
        if not settings.json:
            print(written)
    for run in runs:
        if certified and solved.whole:
            run.done()
        elif run.kept is not None and not settings.json:
            first = f"once {shown(settings.output)} is moved away, " if certified else ""
            print(f"{shown(run.kept)} keeps the proof: {first}the same command with more --positions goes on.")
    return FINE if solved.whole else NO


def _memory(settings: argparse.Namespace, proofs: int) -> int:
    """Return the bytes that the command allows for each of this many proofs; a refusal of what can't be."""
    if settings.game is None:
        raise RulesError("name a game, or a certificate with --check FILE: quadrille rules lists the games")
    least = proofs * settings.processes * LEAST_MEMORY >> 20
    if settings.memory < least:
        tables = many(proofs * settings.processes, "table")
        raise RulesError(f"{settings.memory} MB are too little for {tables} of 1 MB: give --memory {least} or more")
    memory = _machine_memory()
    if memory is not None and settings.memory << 20 > memory:
        raise RulesError(f"this machine has {memory >> 20:,} MB: give the table less than {settings.memory:,}")
    used = max(LEAST_MEMORY, OF_A_POSITION * settings.positions) * settings.processes
    return int(min((settings.memory << 20) // proofs, used))


def _machine_memory() -> int | None:
    """Return the bytes of this machine's memory; None where nobody says."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _kept(output: str | None, claimed: ClaimedPosition | None, seat: int) -> str | None:
    """Name the file that keeps the proof of a seat, beside the output."""
    if output is None or claimed is None:
        return None
    return output + ("" if claimed.start.seats == 2 else f".p{seat + 1}") + PART


def _claimed(match: Match, settings: argparse.Namespace) -> ClaimedPosition | None:
    """Return the position of a certificate; a refusal if one is wanted that can't be made."""
    try:
        return ClaimedPosition.of(match.game, match.state.options, match.state.seats, settings.moves)
    except RulesError:
        if settings.output is not None:
            raise
        return None


def _solved(match: Match, runs: list[ProofRun], most: int, turned: Certificate | None) -> SolvedPosition:
    """Prove what each seat gets, over this many positions for all of them."""
    left, results = most, []
    for number, run in enumerate(runs):
        run.go(max(1, left // (len(runs) - number)))
        left -= run.searched
        results.append(run.proof.result)
    positions = sum(run.positions for run in runs)
    if match.state.seats > 2:
        return SolvedPosition(tuple(results), positions)
    [payoff] = results
    if payoff is None:
        return SolvedPosition((None, None), positions, turned=turned)
    payoffs = (payoff, -payoff) if match.state.board.turn == 0 else (-payoff, payoff)
    line = tuple(map(str, runs[0].proof.line(Position(match.state), FOR_A_MOVE)))
    return SolvedPosition(payoffs, positions, line, turned=turned)


def _certificate(
    claimed: ClaimedPosition, solved: SolvedPosition, runs: list[ProofRun], line: ProgressLine
) -> Certificate:
    """Write down the move of each claimed seat for every answer; the half turn needs none."""
    if solved.turned is not None and (solved.turned.value is not None or not solved.whole):
        return solved.turned

    def keeps(seat: int) -> Callable[[Board, int], int]:
        return runs[seat if claimed.start.seats > 2 else 0].proof.keeps

    payoffs = {seat: payoff for seat, payoff in enumerate(solved.payoffs) if payoff is not None}
    writing = Writing(claimed, payoffs, keeps, solved.turned)
    try:
        while writing.go_on(FOLLOWED):
            _refuse_if_large(writing.size)
            line.tell(lambda: f"writing the certificate: {writing.positions:,} positions, {writing.answers:,} answers")
    except WrongStrategy as error:
        for run in runs:
            run.done()
        raise RulesError(
            f"the proof does not hold: {error}. Two positions must have had the same key. Nothing is written: prove it "
            "again with another --memory"
        ) from None
    return writing.certificate()


def _write(name: str, certificate: Certificate) -> str:
    """Write a certificate; return the sentence about it."""
    data = certificate.written()
    _refuse_if_large(len(data))
    write_file(name, data)
    answers = sum(claim.answers for claim in certificate.claims)
    return (
        f"{shown(name)} has {answers:,} answers in {len(data):,} bytes. SHA-256 {hashlib.sha256(data).hexdigest()}\n"
        f"Anybody can check it: quadrille solve --check {shown(name)}"
    )


def _refuse_if_large(size: int) -> None:
    if size > MOST_BYTES:
        raise RulesError(
            f"this certificate would have more than {MOST_BYTES >> 20} MB, the most that one may have: "
            "begin nearer to the end with --moves, or take a smaller board"
        )


def _tell(match: Match, settings: argparse.Namespace, solved: SolvedPosition) -> None:
    print(_about(match, settings.moves))
    if not solved.whole:
        print(f"Not solved: {solved.positions:,} positions were looked at, and these are not all that matter.")
        if solved.turned is not None:
            print(f"{_share(solved.turned.claims[0].seat)}: {_TURNED}.")
        print("Search more with --positions, begin nearer to the end with --moves, or take a smaller board.")
        if not settings.moves and (advice := advice_text(match.game, match.state.options, match.state.seats)):
            print(advice)
        return
    print("\n".join(verdicts_of(solved.payoffs)))
    if not solved.positions:
        print(f"It needs no search: {_TURNED}.")
        return
    if solved.line:
        print(f"A line of it: {', '.join(solved.line)}")
    print(f"{solved.positions:,} positions were looked at.")


def verdicts_of(payoffs: Sequence[int | None]) -> list[str]:
    """Say who wins, or with three seats and more what each gets for sure."""
    if len(payoffs) == 2:
        first = payoffs[0] or 0
        return [f"Player {1 if first > 0 else 2} wins with perfect play." if first else SHARED]
    return [_sure(seat, payoff, len(payoffs)) for seat, payoff in enumerate(payoffs) if payoff is not None]


def _sure(seat: int, payoff: int, seats: int) -> str:
    """Say what a seat gets, whatever the others do together."""
    if payoff == 1 - seats:
        return f"Player {seat + 1} can be made the last by all others together."
    ahead = (seats - 1 - payoff) // 2
    return f"Player {seat + 1} gets at least payoff {payoff}: at most {ahead} of the others can be made to end ahead."


def _share(seat: int) -> str:
    return f"Player {seat + 1} gets at least a share of the first place"


def _data(match: Match, moves: list[str], solved: SolvedPosition) -> dict[str, Any]:
    """Return the answer as data: `value` is the payoff of the seat to move, null if it is unknown."""
    head = {"game": match.game.key, "options": match.state.options.plain(), "seats": match.state.seats}
    seat, payoffs = match.state.board.turn, solved.payoffs
    places = [1 if payoff >= 0 else 2 for payoff in payoffs if payoff is not None]
    return head | {
        "seed": match.deal.seed if match.deal else None,
        "moves": moves,
        "seat": seat,
        "value": payoffs[seat],
        "payoffs": list(payoffs),
        "places": places if len(places) == len(payoffs) == 2 else None,
        "line": list(solved.line),
        "positions": solved.positions,
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
    start = certificate.position.start
    print(_about(Match(start.game, start.options.plain(), start.seats), certificate.position.moves))
    for line in _claims_told(certificate):
        print(line)
    if checking.answers_in_all:
        print(f"Checked with the rules alone: {checking.answers:,} answers, {checking.positions:,} positions.")
    else:
        print(f"By the half turn: {_TURNED}. quadrille docs solved has the proof.")
        print(f"Checked: all games on the smaller boards, and others on this one; {checking.positions:,} positions.")
    print(f"SHA-256 {hashlib.sha256(data).hexdigest()}")
    return FINE


def _progress(checking: Checking, age: float) -> str:
    parts = [f"{checking.positions:,} positions", f"{checking.positions / age:,.0f} a second"]
    if checking.answers:
        left = age * (checking.answers_in_all - checking.answers) / checking.answers
        parts.append(f"{duration(max(0.0, left))} left")
    return ", ".join(parts)


def _claims_told(certificate: Certificate) -> list[str]:
    """Say what a certificate claims."""
    seats, value = certificate.position.start.seats, certificate.value
    if value is not None:
        return verdicts_of((value, -value))
    if seats == 2:
        return [f"{_share(claim.seat)}." for claim in certificate.claims]
    return [_sure(claim.seat, claim.payoff, seats) for claim in certificate.claims]


def _about(match: Match, moves: Sequence[str]) -> str:
    return heading(match) + (f", after {' '.join(moves)}" if moves else "")
