"""The work behind a lesson: a move is judged, and a mistake is refuted. It takes a while, and may run in any thread."""

from quadrille.client.analysis.verdicts import judge, refutation
from quadrille.extras.study.lessons.lesson import Judged, JudgeMove
from quadrille.extras.study.lessons.puzzle import LineProved, ProveLine
from quadrille.extras.study.puzzles import refutation as refuting_line


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
