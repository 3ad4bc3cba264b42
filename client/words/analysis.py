"""Sentences about an analysed game: the verdicts on its moves, its mistakes, and how its course is to be read."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from quadrille.client.analysis.blocks import LINES, NEAR, PLAIN_LINES
from quadrille.client.analysis.verdicts import GameCourse, Verdict, mistakes
from quadrille.client.words.reasons import reason_text
from quadrille.rules.drawing.plain_text import WIDTH

#: Maximum mistakes that are named one by one in a terminal.
_MOST_NAMED: Final = 5


def done_text(done: int, moves: int) -> str:
    return f"{done} of {moves} moves"


def analysing_text(done: int, moves: int) -> str:
    return f"Analysing the game: {done_text(done, moves)}"


def judged_by(verdict: Verdict) -> str:
    """Return `proved`, or `1000 games`."""
    return "proved" if verdict.certain else f"{verdict.tried} games"


def worth(value: float | None, *, certain: bool) -> str:
    """Format a value: `+1` if it is proved, `+0.94` if it is estimated."""
    if value is None:
        return "-"
    if certain:
        return f"{value:+.0f}" if value else "0"
    return f"{round(value, 2) + 0:+.2f}"


def cost(verdict: Verdict) -> str:
    """Say how a mistake is known, and by how much an estimated one lowers the chances, with its standard error."""
    if verdict.certain or verdict.fall is None:
        return "proved"
    return f"in trial games {50 * verdict.fall:.0f} % of the chances, +- {50 * verdict.error:.0f}"


def effect(verdict: Verdict) -> str:
    """Say what a mistake did; games that were tried prove neither a win nor a loss."""
    if not verdict.decides:
        return "gave something away"
    return "threw a won game away" if verdict.certain else "gave the lead away"


def mistake_text(verdict: Verdict, name: str) -> str:
    """Describe a mistake: `Player 1 threw a won game away with a5; better was c5 (proved).`"""
    called = name[:1].upper() + name[1:]
    reason = f": {reason_text(verdict.reason, ())}" if verdict.reason is not None else ""
    what = f"{effect(verdict)} with {verdict.move}; better was {verdict.better} ({cost(verdict)})"
    return f"{called} {what}{reason}."


def conclusion(verdicts: Sequence[Verdict], names: Sequence[str]) -> list[str]:
    """Name the moves that gave something away, the greatest mistake first; count the rest."""
    wrong = mistakes(verdicts)
    if not wrong:
        return ["No move is shown to have given anything away."]
    lines = [f"{verdict.ply}. {mistake_text(verdict, names[verdict.seat])}" for verdict in wrong[:_MOST_NAMED]]
    if more := len(wrong) - len(lines):
        lines.append(f"{more} more move{'' if more == 1 else 's'} gave something away.")
    return lines


def verdict_text(verdict: Verdict, name: str) -> str:
    """Return a verdict below a board: `For player 2 +0.05, then -0.89 (1000 games) ??; better was c3`."""
    values = [worth(share, certain=verdict.certain) for share in (verdict.before, verdict.after)]
    sentence = f"For {name} {values[0]}, then {values[1]} ({judged_by(verdict)})"
    return f"{sentence} {verdict.sign}; better was {verdict.better}" if verdict.sign else sentence


def course_heading(courses: Sequence[GameCourse], names: Sequence[str], *, plain: bool) -> list[str]:
    """Explain the rows of signs."""
    if courses[0].against is None:
        whose = "for each player, at the player's own turns"
    else:
        whose = f"for {names[courses[0].seat]}"
    ends = "0 is lost, 4 is even, 8 is won" if plain else "no block is lost, half a block is even, a full one is won"
    proved, near, far = PLAIN_LINES if plain else LINES
    return [
        *wrap(f"The course of the game {whose}: {ends}.", WIDTH),
        f"{proved} proved; {near} estimated, with a standard error up to {NEAR}; {far} less certain.",
    ]
