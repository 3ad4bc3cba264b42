"""`quadrille analyse FILE`: the moves that lost a game, the better ones, and the course of the game."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from quadrille.ai.tournament.play.cores import idle
from quadrille.client.analysis.blocks import BLOCKS, LINES, course_rows
from quadrille.client.analysis.verdicts import POSITIONS, SIMULATIONS, Verdict, courses, judged, turns
from quadrille.client.commands.shared import add_forms, check_forms
from quadrille.client.picture.film import FilmedMatch
from quadrille.client.picture.records import keep, told
from quadrille.client.progress_line import ProgressLine
from quadrille.client.reports import heading, player
from quadrille.client.settings import can_print, read_settings, wants_ascii
from quadrille.client.table_setup import within
from quadrille.client.words.analysis import analysing_text, conclusion, course_heading, judged_by, worth
from quadrille.rules.drawing.plain_text import WIDTH, aligned
from quadrille.rules.errors import RulesError

DESCRIPTION: Final = """\
Find the moves that lost a recorded game: the value of each position to its
mover before and after the move, from -1 (last) to 1 (first). The end of a game is
solved where possible: those values are proved. Before that, playouts estimate the
values, with their error. A seat's cards are judged by what the seat knew. Where a
bot said its own chances, the column "said" has them.

? marks a move that gave something away, ?? one that gave the lead away. Below the
table the game's course has a block for each position."""
MOST: Final = 100_000_000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "record", metavar="FILE", nargs="?",
        help="a record, or the log of a table; - for standard input (default: your last game)",
    )  # fmt: skip
    parser.add_argument(
        "--positions",
        type=within(1, MOST),
        default=POSITIONS,
        metavar="N",
        help=f"maximum positions of a proof, for each move (default {POSITIONS})",
    )
    parser.add_argument(
        "--simulations",
        type=within(1, MOST),
        default=SIMULATIONS,
        metavar="N",
        help=f"playouts for each move (default {SIMULATIONS})",
    )
    add_forms(parser, "", "with the course as a chart")


def run(settings: argparse.Namespace) -> int:
    """Analyse a record; print a line for each move, the mistakes and the course, or make a page of them."""
    check_forms(settings, settings.record)
    filmed = told(settings.record)
    if filmed.match.ply == 0:
        raise RulesError("nobody has moved in this game: there is nothing to analyse")
    verdicts: list[Verdict] = []
    line = ProgressLine()
    from quadrille.ai.tournament.play.processes import Processes  # imported here: help does without processes

    crew = Processes(1) if idle() > 1 else None  # one core is for this process
    try:
        for verdict in judged(filmed.match, positions=settings.positions, simulations=settings.simulations, crew=crew):
            verdicts.insert(0, verdict)
            line.tell(lambda: analysing_text(len(verdicts), filmed.match.ply))
    finally:
        if crew is not None:
            crew.kill()
    line.end()
    if settings.html:
        from quadrille.client.picture.analysed import analysed_page

        keep(analysed_page(filmed, verdicts), settings.output)
    elif settings.json:
        match = filmed.match
        head = {"game": match.game.key, "options": match.state.options.plain(), "seats": match.state.seats}
        rows = zip(verdicts, _said(filmed), strict=True)
        print(json.dumps(head | {"moves": [_data(verdict, own) for verdict, own in rows]}, indent=2))
    else:
        _print(filmed, verdicts)
    return 0


def _print(filmed: FilmedMatch, verdicts: Sequence[Verdict]) -> None:
    match, values = filmed.match, _said(filmed)
    names = [player(seat, filmed.safe_names) for seat in range(match.state.seats)]
    print(f"{heading(match)}, {match.ply} moves\n")
    rows = [["", "", "move", "before", "after", "by", "better"]]
    rows += [_row(verdict, names) for verdict in verdicts]
    if any(value is not None for value in values):
        own = ["" if value is None else worth(value, certain=False) for value in values]
        rows = [[*row[:3], value, *row[3:]] for row, value in zip(rows, ["said", *own], strict=True)]
    print("\n".join(aligned(rows, 3)))
    shown, plain = courses(match, verdicts), wants_ascii(read_settings()[0]) or not can_print(BLOCKS + LINES)
    print("\n" + "\n".join(course_heading(shown, names, plain=plain)) + "\n")
    print("\n".join(course_rows(shown, names, match.length + 1, WIDTH, plain=plain)))
    print("\n" + "\n".join(conclusion(verdicts, names)))


def _row(verdict: Verdict, names: Sequence[str]) -> list[str]:
    return [
        str(verdict.ply),
        names[verdict.seat],
        f"{verdict.move} {verdict.sign}".strip(),
        worth(verdict.before, certain=verdict.certain),
        worth(verdict.after, certain=verdict.certain),
        judged_by(verdict),
        verdict.better if verdict.is_mistake else "",
    ]


def _said(filmed: FilmedMatch) -> list[float | None]:
    """Return the chances that the bots gave themselves before each move; None where a bot said nothing."""
    thoughts = filmed.thoughts.by_entry
    return [thoughts[number].value if number in thoughts else None for number in turns(filmed.match)]


def _data(verdict: Verdict, value: float | None) -> dict[str, Any]:
    data = asdict(verdict)
    better, reason = data.pop("better"), verdict.reason
    del data["reason"]
    own = {} if value is None else {"said": value}
    reason_part = {} if reason is None else {"reason": reason.data()}
    return data | own | {"mistake": verdict.is_mistake, "better": better} | reason_part
