"""The work behind a lesson: a move is judged, and a mistake is refuted. It takes a while, and may run in any thread."""

from quadrille.client.analysis.verdicts import judge, refutation
from quadrille.client.lessons.lesson import Judged, JudgeMove


def judged_move(asked: JudgeMove) -> Judged:
    """Judge a move in the position of an exercise, by the search that found the mistake."""
    state, known = asked.exercise.match.state, asked.exercise.known
    verdict = judge(state, known, asked.move)
    answer = refutation(state, known.seat, asked.move, known.ply) if verdict.is_mistake else ""
    return Judged(asked.ticket, verdict, answer)
