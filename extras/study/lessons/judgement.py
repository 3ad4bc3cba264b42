"""The work behind a lesson: a move is judged, and a mistake is refuted. It takes a while, and may run in any thread."""

from dataclasses import replace
from typing import Any, Final

from quadrille.client.analysis.verdicts import POSITIONS, SIMULATIONS, Verdict, can_be_proved, played, tried
from quadrille.extras.study.lessons.lesson import Judged, JudgeMove
from quadrille.extras.study.lessons.puzzle import LineProved, ProveLine
from quadrille.extras.study.puzzles import refutation as refuting_line
from quadrille.rules.core import Move, State
from quadrille.rules.search import Position, Proof, TreeSearch

#: Positions of a proof of a single move, as a multiple: no proofs of later positions help it.
LONGER: Final = 10


def done(work: JudgeMove | ProveLine) -> Judged | LineProved:
    """Do the work of an effect; returns its answer."""
    return (
        judged_move(work)
        if isinstance(work, JudgeMove)
        else LineProved(work.ticket, refuting_line(work.puzzle, work.move))
    )


def judged_move(asked: JudgeMove) -> Judged:
    """Judge a move in the position of an exercise, by the search that found the mistake."""
    state, known = asked.exercise.match.state, asked.exercise.known
    verdict = judge(state, known, asked.move)
    answer = refutation(state, known.seat, asked.move, known.ply) if verdict.is_mistake else ""
    return Judged(asked.ticket, verdict, answer)


def judge(
    state: State[Any, Any], known: Verdict, move: Move, *, positions: int = POSITIONS, simulations: int = SIMULATIONS
) -> Verdict:
    """Judge another legal move in the position of a known verdict."""
    if str(move) == known.move:
        return known
    if str(move) == known.better:
        return replace(known, move=str(move), after=known.before)
    if known.certain:
        position = Position(state)
        after = Proof(position).payoff(played(position, move), known.seat, LONGER * positions)
        if after is not None:
            return replace(known, move=str(move), after=after)
    return tried(state, known.seat, move, known.ply, simulations)


def refutation(
    state: State[Any, Any], seat: int, move: Move, ply: int, *, positions: int = POSITIONS,
    simulations: int = SIMULATIONS,
) -> str:  # fmt: skip
    """The best answer to a legal move, as far as its mover can know; "" if nobody can answer it now."""
    later = played(Position(state.view(seat)), move)
    if later.over or later.chance:
        return ""
    if can_be_proved(later):
        proof = Proof(later)
        if not proof.go_on(positions):
            return str(later.move(proof.turn()))
    search = TreeSearch(later, ply)
    search.go_on(simulations)
    return str(later.move(search.turn()))
