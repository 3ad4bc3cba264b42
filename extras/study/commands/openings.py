"""`quadrille openings FILE...`: the first moves of many games, their results with error bars, and what is proven."""

import argparse
from typing import Final

from quadrille.client.table_setup import within

DESCRIPTION: Final = """\
Tell how often each first move was played in many games, with what results, and
what is proven about it. FILE is a tournament's file or journal, a record, or a
folder of records such as those of quadrille tournament show --records.

Moves that are images of one another by the symmetries of the board are one line.
Points are those of the player who made the move: 1 for a win, a half for a shared
place. The interval comes from whole blocks where a tournament knows them, else
from single games. Games that began with given moves stand by themselves.

Exit codes: 0 there is a table; 1 no game says anything about first moves; 2 it
can't be read; 130 stopped by Ctrl-C, after a table of what was read."""
PLIES: Final = 2
LEAST: Final = 10
POSITIONS: Final = 10_000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", metavar="FILE", nargs="+",
        help="a tournament's file or journal, a record, or a folder of records; - reads a record",
    )  # fmt: skip
    parser.add_argument(
        "--plies", type=within(1, 20), default=PLIES, metavar="N", help=f"follow N moves (default {PLIES})"
    )
    parser.add_argument(
        "--least", type=within(1), default=LEAST, metavar="N", help=f"minimum games of a line (default {LEAST})"
    )
    parser.add_argument(
        "--positions",
        type=within(0, 100_000_000),
        default=POSITIONS,
        metavar="N",
        help=f"maximum positions of a proof, for each line; 0 for no search (default {POSITIONS:,})",
    )
    parser.add_argument("--json", action="store_true", help="as data")


def run(settings: argparse.Namespace) -> int:
    """Explore the games. The exit code is 1 if there is no table."""
    from quadrille.client.commands.tournament import plainly
    from quadrille.extras.study.openings.exploration import explore

    with plainly():
        return explore(settings)
