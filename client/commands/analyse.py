"""`quadrille analyse RECORD`: the moves that lost a game, what each gave away, and the better ones."""

import argparse
import json
from dataclasses import asdict
from typing import Any, Final

from quadrille.client.analysis import Verdict, verdicts
from quadrille.client.files import read_thoughts
from quadrille.client.reports import heading, player
from quadrille.client.table_setup import whole
from quadrille.client.words.reasons import reason_text
from quadrille.client.words.thoughts import chances
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played

DESCRIPTION: Final = """\
Find the moves that lost a recorded game: the value of each position to its
mover before and after the move, from -1 (last) to 1 (first). The end of a game is
solved where possible. Before that, playouts estimate the values, with their error.
A seat's cards are judged by what the seat knew. Where a bot said its own
chances, the column "said" has them."""
MOST: Final = 100_000_000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record; - for standard input")
    parser.add_argument(
        "--positions",
        type=whole,
        default=30_000,
        metavar="N",
        help="maximum positions of a proof, for each move (default 30000)",
    )
    parser.add_argument(
        "--simulations", type=whole, default=1000, metavar="N", help="playouts for each move (default 1000)"
    )
    parser.add_argument("--json", action="store_true", help="as data")


def run(settings: argparse.Namespace) -> int:
    """Analyse a record; print a line for each move, then the mistakes."""
    for name in ("positions", "simulations"):
        if not 1 <= getattr(settings, name) <= MOST:
            raise RulesError(f"--{name} takes a number from 1 to {MOST}, not {getattr(settings, name)}")
    match, thoughts = read_thoughts(settings.record)
    if match.ply == 0:
        raise RulesError("nobody has moved in this game: there is nothing to analyse")
    found = verdicts(match, positions=settings.positions, simulations=settings.simulations)
    told = list(zip(found, _said(match, thoughts), strict=True))
    if settings.json:
        head = {"game": match.game.key, "options": match.state.options.plain(), "seats": match.state.seats}
        print(json.dumps(head | {"moves": [_data(verdict, said) for verdict, said in told]}, indent=2))
        return 0
    print(f"{heading(match)}, {match.ply} moves\n")
    rows = [["", "", "move", "before", "after", "by", "better"]]
    rows += [_row(verdict) for verdict in found]
    if any(told_value is not None for _, told_value in told):
        rows = [[*row[:3], said, *row[3:]] for row, said in zip(rows, ["said", *map(_by_bot, told)], strict=True)]
    print("\n".join(aligned(rows, 3)))
    print("\n" + "\n".join(_conclusion(found)))
    return 0


def _row(verdict: Verdict) -> list[str]:
    by = "proof" if verdict.certain else f"{verdict.tried} games"
    marks = {True: "??" if verdict.decides else "?", False: ""}
    worth = [_worth(verdict.before, verdict.certain), _worth(verdict.after, verdict.certain)]
    better = verdict.better if verdict.is_mistake else ""
    return [
        str(verdict.ply),
        player(verdict.seat),
        f"{verdict.move} {marks[verdict.is_mistake]}".strip(),
        *worth,
        by,
        better,
    ]


def _said(match: Match, thoughts: Thoughts) -> list[float | None]:
    """The chances that the bots gave themselves before each move; None where nothing was said."""
    return [
        thoughts.by_entry[number].value if number in thoughts.by_entry else None
        for number, entry in enumerate(match.entries)
        if isinstance(entry, Played)
    ]


def _by_bot(row: tuple[Verdict, float | None]) -> str:
    return "" if row[1] is None else chances(row[1])


def _worth(value: float | None, certain: bool) -> str:
    if value is None:
        return "-"
    return f"{value:+.0f}" if certain and value else "0" if certain else f"{value:+.2f}"


def _conclusion(found: list[Verdict]) -> list[str]:
    """List the moves that gave something away, worst first."""
    wrong = sorted((v for v in found if v.is_mistake), key=lambda v: (-(v.fall or 0), v.ply))
    if not wrong:
        return ["No move is shown to have given anything away."]
    lines = []
    for verdict in wrong[:5]:
        what = "lost what was won" if verdict.decides else "gave something away"
        sure = "" if verdict.certain else f" (by trial: {verdict.fall:.2f} +- {verdict.error:.2f})"
        who = player(verdict.seat).capitalize()
        why = f": {reason_text(verdict.reason, ())}" if verdict.reason is not None else ""
        lines.append(f"{verdict.ply}. {who} {what} with {verdict.move}; better was {verdict.better}{sure}{why}.")
    if len(wrong) > len(lines):
        more = len(wrong) - len(lines)
        lines.append(f"{more} more move{'' if more == 1 else 's'} gave something away.")
    return lines


def _data(verdict: Verdict, said: float | None) -> dict[str, Any]:
    data = asdict(verdict)
    better, reason = data.pop("better"), verdict.reason
    del data["reason"]
    own = {} if said is None else {"said": said}
    why = {} if reason is None else {"reason": reason.data()}
    return data | own | {"mistake": verdict.is_mistake, "better": better} | why
